// Any bytes: no crash, the same turn however they are cut, and a history that can be sent.
#include "tests/fuzz/decoder_property.h"
#include "tests/fuzz/known_good.h"

bool fuzz::takes_known_good() {
  return decodes(model::Api::openai,
                 "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"well\"},\"finish_reason\":null}]}\n\n"
                 "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
                 "data: [DONE]\n\n");
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check_decoder(model::Api::openai, {reinterpret_cast<const char*>(data), size});
  return 0;
}
