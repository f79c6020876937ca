// Any stored conversation can be repaired, and repairing it again changes nothing.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "model/history_repair.h"
#include "model/message.h"
#include "tests/fuzz/known_good.h"

bool fuzz::takes_known_good() {
  const std::vector<model::Message> talk{
      model::user_message("q"), {model::Role::assistant, {model::Block::text("a")}}, model::user_message("q")};
  return model::repaired(talk, model::Api::anthropic) == talk;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Each byte makes a piece: the low bits choose the kind, the high bits the call it belongs to.
  std::vector<model::Message> messages;
  for (std::size_t i = 0; i < size && i < 200; ++i) {
    const std::string id = i % 5 == 4 ? "bad id!" : "call_" + std::to_string(data[i] >> 5);
    if (messages.empty() || (data[i] & 8) != 0)
      messages.push_back({.role = (data[i] & 16) != 0 ? model::Role::assistant : model::Role::user,
                          .blocks = {},
                          .origin = (data[i] & 32) != 0 ? "here" : "",
                          .paused = (data[i] & 7) == 7});
    auto& blocks = messages.back().blocks;
    switch (data[i] & 7) {
      case 0:
        blocks.push_back(model::Block::text(""));
        break;
      case 1:
        blocks.push_back(model::Block::text("words"));
        break;
      case 2:
        blocks.push_back(model::Block::thinking("thought", ""));
        break;
      case 3:
        blocks.push_back(model::Block::thinking("thought", "signed"));
        break;
      case 4:
        blocks.push_back(model::Block::tool_use(id, "execute_command", {{"command", "df"}}));
        break;
      case 5:
        blocks.push_back(model::Block::tool_result(id, "output", false));
        break;
      default:
        break;
    }
  }
  for (const auto api : {model::Api::anthropic, model::Api::openai}) {
    const auto once = model::repaired(messages, api);
    if (model::repaired(once, api) != once) std::abort();
  }
  return 0;
}
