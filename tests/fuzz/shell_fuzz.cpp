#include <cstddef>
#include <cstdint>
#include <string_view>

#include "shell/inspect.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  shell::inspect(text);
  shell::parse(text, shell::Comments::Ordinary);
  return 0;
}
