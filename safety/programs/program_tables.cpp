#include "safety/programs/program_tables.h"

namespace safety {

std::span<const std::span<const Program>> all_programs() {
  // The first table that names a program wins.
  static const std::span<const Program> kTables[] = {
      shell_builtins(),   wrapper_programs(),   file_programs(),     text_programs(),
      system_programs(),  hardware_programs(),  network_programs(),  service_programs(),
      package_programs(), container_programs(), database_programs(), development_programs(),
  };
  return kTables;
}

}  // namespace safety
