#include <cstddef>
#include <cstdint>

#include "app/config/config.h"
#include "tests/fuzz/input_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const fuzz::InputFile file(data, size);
  app::load_config(file.path());
  return 0;
}
