#include <cstddef>
#include <cstdint>
#include <string_view>

#include "safety/command_classifier.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  safety::CommandClassifier().classify({reinterpret_cast<const char*>(data), size});
  return 0;
}
