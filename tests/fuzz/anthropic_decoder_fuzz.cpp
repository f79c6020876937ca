// Any bytes: no crash, the same turn however they are cut, and a history that can be sent.
#include "tests/fuzz/decoder_property.h"
#include "tests/fuzz/known_good.h"

bool fuzz::takes_known_good() {
  return decodes(model::Api::anthropic,
                 "data: {\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"content\":[]}}\n\n"
                 "data: {\"type\":\"content_block_start\",\"index\":0,"
                 "\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n"
                 "data: {\"type\":\"content_block_delta\",\"index\":0,"
                 "\"delta\":{\"type\":\"text_delta\",\"text\":\"well\"}}\n\n"
                 "data: {\"type\":\"content_block_stop\",\"index\":0}\n\n"
                 "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\n"
                 "data: {\"type\":\"message_stop\"}\n\n");
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  check_decoder(model::Api::anthropic, {reinterpret_cast<const char*>(data), size});
  return 0;
}
