// Any bytes: no crash, the same turn however they are cut, and a history that can be sent.
#include "tests/fuzz/decoder_property.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check_decoder(model::Api::anthropic, {reinterpret_cast<const char*>(data), size});
  return 0;
}
