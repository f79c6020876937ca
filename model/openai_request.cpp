#include "model/openai_request.h"

#include <algorithm>
#include <utility>

#include "model/history_repair.h"
#include "model/utf8_clean.h"

namespace model {
namespace {

using Kind = Block::Kind;

void append_paragraph(std::string& text, std::string_view more) {
  if (!text.empty() && !more.empty()) text += "\n\n";
  text += more;
}

/// A result as one text; what is no text in it cannot travel in a tool message.
std::string result_text(const Block& result) {
  std::string text(result.text());
  if (const Json* content = member(result.wire(), "content"); content && content->is_array())
    for (const auto& part : *content) append_paragraph(text, string_at(part, "text"));
  if (is_blank(text)) text = "(no output)";
  return result.is_error() ? "ERROR: " + text : text;
}

Json call_json(const Block& call) {
  std::string arguments(string_at(call.openai(), "arguments"));
  if (arguments.empty()) arguments = dump_json(call.wire()["input"]);
  Json json{{"id", call.call_id()},
            {"type", "function"},
            {"function", Json{{"name", call.name()}, {"arguments", std::move(arguments)}}}};
  if (const Json* extra = member(call.openai(), "extra"))
    for (auto it = extra->begin(); it != extra->end(); ++it) json[it.key()] = *it;
  return json;
}

/// Puts the turn's reasoning back where this server had it. `expected`: the server wants the field on every turn with
/// calls, also when it is empty (DeepSeek).
void add_reasoning(Json& json, const Message& message, bool expected) {
  const bool has_calls = json.contains("tool_calls");
  if (expected && has_calls) json["reasoning_content"] = "";
  for (const auto& block : message.blocks) {
    if (block.kind() != Kind::thinking || block.openai().is_null()) continue;
    if (string_at(block.openai(), "field") == "reasoning_content" && has_calls)
      json["reasoning_content"] = block.text();
    if (const Json* details = member(block.openai(), "details")) json["reasoning_details"] = *details;
  }
}

Json assistant_json(const Message& message, const OpenAiQuirks& quirks) {
  std::string text;
  Json calls = Json::array();
  for (const auto& block : message.blocks) {
    if (block.kind() == Kind::text) append_paragraph(text, block.text());
    if (block.kind() == Kind::tool_use) calls.push_back(call_json(block));
  }
  Json json{{"role", "assistant"}};
  json["content"] = text.empty() && !calls.empty() && !quirks.empty_content ? Json() : Json(text);
  if (text.empty() && calls.empty()) json["content"] = "(no text)";
  if (!calls.empty()) json["tool_calls"] = std::move(calls);
  return json;
}

void add_user(Json& list, const Message& message) {
  std::string text;
  for (const auto& block : message.blocks) {
    if (block.kind() == Kind::tool_result)
      list.push_back({{"role", "tool"}, {"tool_call_id", block.call_id()}, {"content", result_text(block)}});
    if (block.kind() == Kind::text) append_paragraph(text, block.text());
  }
  if (!text.empty()) list.push_back({{"role", "user"}, {"content", std::move(text)}});
}

Json messages_json(const Request& request, const OpenAiQuirks& quirks, const std::string& origin) {
  Json list = Json::array();
  if (!is_blank(request.system)) list.push_back({{"role", "system"}, {"content", request.system}});
  const auto messages = repaired(request.messages, Api::openai);
  const auto from_here = [&](const Message& message) { return message.origin == origin; };
  const bool reasons = std::any_of(messages.begin(), messages.end(), [&](const Message& message) {
    return from_here(message) && std::any_of(message.blocks.begin(), message.blocks.end(), [](const Block& block) {
             return string_at(block.openai(), "field") == "reasoning_content";
           });
  });
  for (const auto& message : messages) {
    if (message.role == Role::user) {
      add_user(list, message);
      continue;
    }
    list.push_back(assistant_json(message, quirks));
    if (from_here(message)) add_reasoning(list.back(), message, reasons);
  }
  return list;
}

Json openai_tools(const std::vector<ToolSpec>& tools) {
  Json list = Json::array();
  for (const auto& tool : tools)
    list.push_back({{"type", "function"},
                    {"function",
                     Json{{"name", tool.name}, {"description", tool.description}, {"parameters", tool.input_schema}}}});
  return list;
}

}  // namespace

Json openai_body(const Request& request, const Settings& settings, const OpenAiQuirks& quirks,
                 const std::string& origin) {
  Json body{{"model", request.model.empty() ? settings.model : request.model}, {"stream", true}};
  if (!quirks.no_stream_options) body["stream_options"] = Json{{"include_usage", true}};
  const long limit = request.max_tokens > 0 ? request.max_tokens : settings.max_tokens;
  if (limit > 0 && !quirks.no_max_tokens)
    body[quirks.max_completion_tokens ? "max_completion_tokens" : "max_tokens"] = limit;
  if (!settings.effort.empty() && !quirks.no_reasoning_effort) body["reasoning_effort"] = settings.effort;
  if (!request.tools.empty()) {
    body["tools"] = openai_tools(request.tools);
    if (!quirks.no_tool_choice) body["tool_choice"] = "auto";
    if (!request.parallel_tools && !quirks.no_parallel_tool_calls) body["parallel_tool_calls"] = false;
  }
  body["messages"] = messages_json(request, quirks, origin);
  return body;
}

http::Headers openai_headers(const Settings& settings) {
  const std::string& key = settings.api_key.empty() ? settings.auth_token : settings.api_key;
  // Local servers ignore the key, but some libraries in front of them want one.
  return {{"authorization", "Bearer " + (key.empty() ? std::string("none") : key)}};
}

bool learn_from(const TurnError& error, std::string_view param, OpenAiQuirks& quirks) {
  if (error.status != 400 && error.status != 422) return false;
  const auto about = [&](std::string_view name) {
    return param == name || (param.empty() && error.message.find(name) != std::string::npos);
  };
  const OpenAiQuirks before = quirks;
  const char* limit = quirks.max_completion_tokens ? "max_completion_tokens" : "max_tokens";
  if (!quirks.no_max_tokens && about(limit))
    (quirks.max_completion_tokens ? quirks.no_max_tokens : quirks.max_completion_tokens) = true;
  if (about("stream_options")) quirks.no_stream_options = true;
  if (about("parallel_tool_calls")) quirks.no_parallel_tool_calls = true;
  if (about("tool_choice")) quirks.no_tool_choice = true;
  if (about("reasoning_effort")) quirks.no_reasoning_effort = true;
  if (about("content") && error.message.find("null") != std::string::npos) quirks.empty_content = true;
  return !(quirks == before);
}

}  // namespace model
