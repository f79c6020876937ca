// A session file may hold anything: a line of it is a message or is refused.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "model/message.h"
#include "tests/fuzz/known_good.h"

bool fuzz::takes_known_good() {
  const auto json = model::Json::parse(R"({"role":"user","content":[{"type":"text","text":"q"}]})");
  return model::message_from_json(json) == model::user_message("q");
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto json = model::Json::parse(data, data + size, nullptr, false);
  if (json.is_discarded()) return 0;
  const auto message = model::message_from_json(json);
  if (!message) return 0;
  if (model::message_from_json(model::to_json(*message)) != message) std::abort();
  return 0;
}
