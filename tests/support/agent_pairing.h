#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/message.h"
#include "tests/support/model_rules.h"

namespace support {

/// Why the API would refuse exactly these messages, unrepaired. A history between questions ends with the assistant, so
/// a next question is put behind it.
inline std::optional<std::string> history_refused(std::vector<model::Message> messages) {
  if (messages.empty()) return std::nullopt;
  if (messages.back().role == model::Role::assistant) messages.push_back(model::user_message("next"));
  model::Json list = model::Json::array();
  for (const auto& message : messages) {
    model::Json content = model::Json::array();
    for (const auto& block : message.blocks) content.push_back(block.wire());
    list.push_back({{"role", message.role == model::Role::user ? "user" : "assistant"}, {"content", content}});
  }
  return model_rules::anthropic_refuses({{"model", "claude-opus-5-5"}, {"max_tokens", 1000}, {"messages", list}});
}

}  // namespace support
