#pragma once

#include <string>
#include <string_view>

#include "model/message.h"

namespace agent {

/// What the system prompt is made of. Nothing here may change during a conversation: no date, no host, no mode.
struct PromptLayers {
  std::string skills_index;  ///< Empty: no skills.
};

/// Role and rules, tools, safety, format; then the skills.
std::string build_system_prompt(const PromptLayers& layers);

/// What the model is told when it stopped too early. In Chinese when it spoke Chinese.
std::string nudge_text(std::string_view last_text);
std::string continue_text();
std::string empty_answer_text();

/// Whether an answer announces a step instead of being an answer: "Let me check …", a last line that ends in a colon or
/// in dots. English and Chinese.
bool announces_step(std::string_view text);

/// Asks for the summary that replaces the history.
std::string summary_request();
/// The summary as it stands in the first message afterwards.
model::Block summary_block(std::string_view summary);
bool is_summary(const model::Block& block);

}  // namespace agent
