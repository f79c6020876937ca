#include <cstddef>
#include <cstdint>
#include <string_view>

#include "safety/command_classifier.h"
#include "tests/fuzz/known_good.h"

bool fuzz::takes_known_good() {
  const safety::CommandClassifier classifier;
  return classifier.classify("df -h | sort").cls == safety::CommandClass::ReadOnly &&
         classifier.classify("rm -rf /var").cls == safety::CommandClass::Destructive;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  safety::CommandClassifier().classify({reinterpret_cast<const char*>(data), size});
  return 0;
}
