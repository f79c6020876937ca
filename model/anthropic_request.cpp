#include "model/anthropic_request.h"

#include <algorithm>

#include "model/history_repair.h"
#include "model/utf8_clean.h"

namespace model {
namespace {

constexpr int kMaxMarks = 4;
constexpr int kBlocksPerMark = 15;  // the server looks back at most 20 blocks from a mark
constexpr long kUsualMaxTokens = 32'000;

const std::string& chosen(const std::string& wanted, const std::string& usual) {
  return wanted.empty() ? usual : wanted;
}

/// A turn with calls must begin with its thinking when thinking has a budget; a history from elsewhere may not have it.
bool budget_thinking_fits(const std::vector<Message>& messages) {
  const auto last = std::find_if(messages.rbegin(), messages.rend(),
                                 [](const Message& message) { return message.role == Role::assistant; });
  if (last == messages.rend()) return true;
  const bool calls = std::any_of(last->blocks.begin(), last->blocks.end(),
                                 [](const Block& block) { return block.kind() == Block::Kind::tool_use; });
  const Block::Kind first = last->blocks.front().kind();
  return !calls || first == Block::Kind::thinking || first == Block::Kind::redacted_thinking;
}

Json thinking_option(const Settings& settings, const ModelInfo& info, long max_tokens,
                     const std::vector<Message>& messages) {
  const ThinkingWish wish = settings.thinking;
  switch (info.thinking) {
    case ThinkingStyle::adaptive:
    case ThinkingStyle::adaptive_summarized:
      if (wish == ThinkingWish::off) return info.can_disable_thinking ? Json{{"type", "disabled"}} : Json();
      if (info.thinking == ThinkingStyle::adaptive) return Json{{"type", "adaptive"}};
      return Json{{"type", "adaptive"}, {"display", "summarized"}};
    case ThinkingStyle::budget: {
      const long budget = std::min(settings.thinking_budget, max_tokens - 1024);
      if (wish != ThinkingWish::on || budget < 1024 || !budget_thinking_fits(messages)) return Json();
      return Json{{"type", "enabled"}, {"budget_tokens", budget}};
    }
    case ThinkingStyle::unknown:
      break;
  }
  return Json();
}

/// The messages without thinking up to `end`. Newer models bind thinking to everything before it; once a signature is
/// refused, every later request would be.
std::vector<Message> without_thinking(std::vector<Message> messages, std::size_t end) {
  for (std::size_t i = 0; i < std::min(end, messages.size()); ++i)
    std::erase_if(messages[i].blocks, [](const Block& block) {
      return block.kind() == Block::Kind::thinking || block.kind() == Block::Kind::redacted_thinking;
    });
  return messages;
}

Json anthropic_tools(const std::vector<ToolSpec>& tools) {
  Json list = Json::array();
  for (const auto& tool : tools)
    list.push_back({{"name", tool.name}, {"description", tool.description}, {"input_schema", tool.input_schema}});
  return list;
}

Json messages_json(const std::vector<Message>& messages) {
  Json list = Json::array();
  for (const auto& message : messages) {
    Json content = Json::array();
    for (const auto& block : message.blocks) content.push_back(block.wire());
    list.push_back({{"role", message.role == Role::user ? "user" : "assistant"}, {"content", std::move(content)}});
  }
  return list;
}

bool can_carry_mark(const Json& block) {
  const std::string_view type = string_at(block, "type");
  return type == "text" || type == "tool_result";
}

void mark(Json& block) {
  block["cache_control"] = Json{{"type", "ephemeral"}};
}

/// Marks the end of the newest message, then further ones going back, so that the next request finds this one's prefix.
void mark_messages(Json& messages, int marks) {
  int since = kBlocksPerMark;  // the newest block gets the first mark
  for (auto message = messages.rbegin(); message != messages.rend() && marks > 0; ++message) {
    Json& content = (*message)["content"];
    for (auto block = content.rbegin(); block != content.rend() && marks > 0; ++block) {
      if (since >= kBlocksPerMark && (*message)["role"] == "user" && can_carry_mark(*block)) {
        mark(*block);
        --marks;
        since = 0;
      }
      ++since;
    }
  }
}

}  // namespace

Json anthropic_body(const Request& request, const Settings& settings, const AnthropicQuirks& quirks) {
  const std::string& model = chosen(request.model, settings.model);
  const ModelInfo info = settings.models.find(model);
  long max_tokens = request.max_tokens > 0 ? request.max_tokens : settings.max_tokens;
  if (max_tokens <= 0) max_tokens = std::min(info.max_output, kUsualMaxTokens);
  if (settings.models.knows(model)) max_tokens = std::min(max_tokens, info.max_output);
  const auto messages = repaired(without_thinking(request.messages, quirks.strip_thinking_before), Api::anthropic);

  Json body{{"model", model}, {"max_tokens", max_tokens}, {"stream", true}};
  int marks = kMaxMarks;
  if (!is_blank(request.system)) {
    body["system"] = Json::array({Json{{"type", "text"}, {"text", request.system}}});
    mark(body["system"].back());  // covers the tools, which are rendered before
    --marks;
  }
  if (!request.tools.empty()) {
    body["tools"] = anthropic_tools(request.tools);
    if (!body.contains("system")) {
      mark(body["tools"].back());
      --marks;
    }
    if (!request.parallel_tools) body["tool_choice"] = Json{{"type", "auto"}, {"disable_parallel_tool_use", true}};
  }
  if (!quirks.no_thinking) {
    Json thinking = thinking_option(settings, info, max_tokens, messages);
    if (!thinking.is_null()) body["thinking"] = std::move(thinking);
  }
  if (!settings.effort.empty()) body["output_config"] = Json{{"effort", settings.effort}};
  body["messages"] = messages_json(messages);
  mark_messages(body["messages"], marks);
  return body;
}

http::Headers anthropic_headers(const Settings& settings) {
  http::Headers headers{{"anthropic-version", settings.anthropic_version}};
  std::vector<std::string> betas = settings.betas;
  if (!settings.api_key.empty()) {
    headers.emplace_back("x-api-key", settings.api_key);
  } else if (!settings.auth_token.empty()) {
    headers.emplace_back("authorization", "Bearer " + settings.auth_token);
    const std::string oauth = "oauth-2025-04-20";
    if (std::find(betas.begin(), betas.end(), oauth) == betas.end()) betas.push_back(oauth);
  }
  std::string joined;
  for (const auto& beta : betas) joined += (joined.empty() ? "" : ",") + beta;
  if (!joined.empty()) headers.emplace_back("anthropic-beta", joined);
  return headers;
}

}  // namespace model
