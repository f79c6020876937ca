#include "tests/support/model_rules.h"

#include <algorithm>
#include <set>
#include <vector>

namespace model_rules {
namespace {

using Refusal = std::optional<std::string>;

std::string str(const Json& object, const char* key) {
  return object.is_object() && object.contains(key) && object[key].is_string() ? object[key].get<std::string>() : "";
}

bool blank(const std::string& text) {
  return text.find_first_not_of(" \t\r\n\v\f") == std::string::npos;
}

bool matches_id(const std::string& id, std::size_t limit) {
  return !id.empty() && id.size() <= limit && std::all_of(id.begin(), id.end(), [](unsigned char c) {
    return (c < 0x80 && std::isalnum(c)) || c == '_' || c == '-';
  });
}

Refusal unknown_keys(const Json& object, const std::set<std::string>& known, const std::string& where) {
  for (auto it = object.begin(); it != object.end(); ++it)
    if (known.count(it.key()) == 0) return where + "." + it.key() + ": Extra inputs are not permitted";
  return {};
}

Refusal refuses_block(const Json& block, bool user, std::set<std::string>& ids) {
  const std::string type = str(block, "type");
  if (type == "text") {
    if (blank(str(block, "text")))
      return "messages: text content blocks must be non-empty and contain non-whitespace text";
    return unknown_keys(block, {"type", "text", "cache_control", "citations"}, "text");
  }
  if (type == "thinking") {
    if (user) return "thinking blocks may only be in assistant messages";
    if (str(block, "signature").empty()) return "thinking.signature: Field required";
    return unknown_keys(block, {"type", "thinking", "signature"}, "thinking");
  }
  if (type == "tool_use") {
    if (user) return "tool_use blocks may only be in assistant messages";
    if (!matches_id(str(block, "id"), 4096)) return "tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'";
    if (!ids.insert(str(block, "id")).second) return "`tool_use` ids must be unique";
    if (!matches_id(str(block, "name"), 128))
      return "tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'";
    if (!block.contains("input") || !block["input"].is_object())
      return "tool_use.input: Input should be a valid dictionary";
    return unknown_keys(block, {"type", "id", "name", "input", "cache_control", "caller"}, "tool_use");
  }
  if (type == "tool_result") {
    if (!user) return "tool_result blocks may only be in user messages";
    if (block.contains("content")) {
      const Json& content = block["content"];
      if (!content.is_string() && !content.is_array())
        return "tool_result.content: Input should be a valid string or list";
      if (content.is_array())
        for (const auto& part : content)
          if (str(part, "type") == "text" && blank(str(part, "text")))
            return "tool_result: text content blocks must be non-empty";
    }
    return unknown_keys(block, {"type", "tool_use_id", "content", "is_error", "cache_control"}, "tool_result");
  }
  return type.empty() ? Refusal("content block without type") : Refusal();
}

Refusal refuses_pairs(const Json& content, const std::vector<std::string>& open) {
  std::vector<std::string> answered;
  bool other = false;
  for (const auto& block : content) {
    if (str(block, "type") != "tool_result") {
      other = true;
      continue;
    }
    const std::string id = str(block, "tool_use_id");
    if (std::find(open.begin(), open.end(), id) == open.end())
      return "unexpected `tool_use_id` found in `tool_result` blocks: " + id;
    if (std::find(answered.begin(), answered.end(), id) != answered.end())
      return "each tool_use must have a single result. Found multiple `tool_result` blocks with id: " + id;
    if (other) return "`tool_use` ids were found without `tool_result` blocks immediately after: " + id;
    answered.push_back(id);
  }
  for (const auto& id : open)
    if (std::find(answered.begin(), answered.end(), id) == answered.end())
      return "`tool_use` ids were found without `tool_result` blocks immediately after: " + id;
  return {};
}

Refusal refuses_assistant_order(const Json& content, std::vector<std::string>& open) {
  for (const auto& block : content) {
    if (str(block, "type") == "tool_use") open.push_back(str(block, "id"));
    if (str(block, "type") == "text" && !open.empty())
      return "`tool_use` ids were found without `tool_result` blocks immediately after: " + open.front();
  }
  const std::string last = str(content.back(), "type");
  if (last == "thinking" || last == "redacted_thinking")
    return "The final block in an assistant message cannot be `thinking`.";
  return {};
}

Refusal refuses_messages(const Json& messages) {
  if (!messages.is_array() || messages.empty()) return "messages: at least one message is required";
  std::set<std::string> ids;
  std::vector<std::string> open;
  std::string previous;
  for (const auto& message : messages) {
    const std::string role = str(message, "role");
    if (role != "user" && role != "assistant") return "messages: Unexpected role \"" + role + "\"";
    if (previous.empty() && role != "user") return "messages: first message must use the \"user\" role";
    if (role == previous) return "messages: roles must alternate";
    previous = role;
    if (auto refusal = unknown_keys(message, {"role", "content"}, "messages")) return refusal;
    const Json& content = message["content"];
    if (!content.is_array() || content.empty()) return "messages: all messages must have non-empty content";
    for (const auto& block : content)
      if (auto refusal = refuses_block(block, role == "user", ids)) return refusal;
    if (role == "user") {
      if (auto refusal = refuses_pairs(content, open)) return refusal;
      open.clear();
    } else if (auto refusal = refuses_assistant_order(content, open)) {
      return refusal;
    }
  }
  if (!open.empty()) return "`tool_use` ids were found without `tool_result` blocks immediately after: " + open.front();
  const std::string last = str(messages.back()["content"].back(), "type");
  const bool paused = last.starts_with("server_") || last.ends_with("_tool_result");
  if (previous == "assistant" && !paused)
    return "This model does not support assistant message prefill. The conversation must end with a user message.";
  return {};
}

int count_marks(const Json& value, Refusal& refusal) {
  int marks = 0;
  if (value.is_object() && value.contains("cache_control")) {
    ++marks;
    const std::string type = str(value, "type");
    if (type == "thinking" || type == "redacted_thinking") refusal = "cache_control cannot be set for thinking blocks";
    if (type == "text" && str(value, "text").empty()) refusal = "cache_control cannot be set for empty text blocks";
  }
  if (value.is_structured())
    for (const auto& inner : value) marks += count_marks(inner, refusal);
  return marks;
}

Refusal refuses_thinking(const Json& body) {
  if (!body.contains("thinking")) return {};
  const std::string type = str(body["thinking"], "type"), model = str(body, "model");
  const bool old = model.find("-4-5") != std::string::npos;
  if (type == "adaptive" && old) return "adaptive thinking is not supported on this model";
  if (type == "enabled") {
    if (!old) return "\"thinking.type.enabled\" is not supported for this model";
    const long budget = body["thinking"].value("budget_tokens", 0L);
    if (budget < 1024 || budget >= body["max_tokens"].get<long>()) return "thinking.budget_tokens: out of range";
  }
  const bool always_on = model.find("fable-5") != std::string::npos || model.find("-5-5") != std::string::npos;
  if (type == "disabled" && always_on) return "\"thinking.type.disabled\" is not supported for this model";
  return {};
}

Refusal refuses_tools(const Json& tools) {
  std::set<std::string> names;
  for (const auto& tool : tools) {
    if (!matches_id(str(tool, "name"), 128)) return "tools.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'";
    if (!names.insert(str(tool, "name")).second) return "tools: Tool names must be unique.";
    if (!tool.contains("input_schema") || str(tool["input_schema"], "type") != "object")
      return "tools.input_schema.type: Field required";
    if (auto refusal = unknown_keys(tool, {"name", "description", "input_schema", "cache_control"}, "tools"))
      return refusal;
  }
  return {};
}

}  // namespace

std::optional<std::string> anthropic_refuses(const Json& body) {
  if (!body.is_object()) return "The request body is not valid JSON";
  if (auto refusal = unknown_keys(body,
                                  {"model", "max_tokens", "stream", "system", "tools", "tool_choice", "thinking",
                                   "output_config", "messages", "metadata", "stop_sequences"},
                                  "body"))
    return refusal;
  if (str(body, "model").empty()) return "model: Field required";
  if (!body.contains("max_tokens") || !body["max_tokens"].is_number_integer() || body["max_tokens"].get<long>() < 1)
    return "max_tokens: Input should be greater than or equal to 1";
  if (!body.contains("messages")) return "messages: Field required";
  Refusal refusal;
  const int marks = count_marks(body, refusal);
  if (refusal) return refusal;
  if (marks > 4)
    return "A maximum of 4 blocks with cache_control may be provided. Found " + std::to_string(marks) + ".";
  if (body.contains("tools"))
    if (auto bad = refuses_tools(body["tools"])) return bad;
  if (body.contains("system"))
    for (const auto& block : body["system"])
      if (blank(str(block, "text"))) return "system: text content blocks must be non-empty";
  if (auto bad = refuses_thinking(body)) return bad;
  return refuses_messages(body["messages"]);
}

namespace {

Refusal refuses_calls(const Json& calls, std::vector<std::string>& open) {
  if (!calls.is_array() || calls.empty()) return "[] is too short - 'messages.tool_calls'";
  for (const auto& call : calls) {
    const std::string id = str(call, "id");
    if (id.empty() || str(call, "type") != "function" || !call.contains("function")) return "tool_calls: bad call";
    if (str(call["function"], "name").empty()) return "tool_calls.function.name: Field required";
    const auto arguments = Json::parse(str(call["function"], "arguments"), nullptr, false);
    if (!arguments.is_object()) return "tool_calls.function.arguments: not a JSON object";
    open.push_back(id);
  }
  return {};
}

}  // namespace

std::optional<std::string> openai_refuses(const Json& body) {
  if (!body.is_object()) return "We could not parse the JSON body of your request.";
  if (auto refusal = unknown_keys(body,
                                  {"model", "stream", "stream_options", "messages", "tools", "tool_choice",
                                   "parallel_tool_calls", "max_tokens", "max_completion_tokens", "reasoning_effort"},
                                  "body"))
    return refusal;
  if (str(body, "model").empty()) return "you must provide a model parameter";
  if (!body.contains("messages") || !body["messages"].is_array() || body["messages"].empty())
    return "[] is too short - 'messages'";
  if (body.contains("tools"))
    for (const auto& tool : body["tools"])
      if (str(tool, "type") != "function" || !matches_id(str(tool["function"], "name"), 64) ||
          str(tool["function"]["parameters"], "type") != "object")
        return "tools: bad function";
  std::vector<std::string> open;
  for (const auto& message : body["messages"]) {
    const std::string role = str(message, "role");
    if (role == "tool") {
      const auto call = std::find(open.begin(), open.end(), str(message, "tool_call_id"));
      if (call == open.end())
        return "messages with role 'tool' must be a response to a preceding message with 'tool_calls'";
      if (!message["content"].is_string()) return "tool: content must be a string";
      open.erase(call);
      continue;
    }
    if (!open.empty())
      return "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
             "'tool_call_id': " +
             open.front();
    if (role != "system" && role != "user" && role != "assistant") return "unknown role: " + role;
    if (message.contains("tool_calls"))
      if (auto refusal = refuses_calls(message["tool_calls"], open)) return refusal;
    const bool has_text = message.contains("content") && message["content"].is_string();
    if (!has_text && open.empty()) return "messages.content: expected a string, got null";
    if (auto refusal = unknown_keys(
            message, {"role", "content", "tool_calls", "reasoning_content", "reasoning_details"}, "messages"))
      return refusal;
  }
  if (!open.empty())
    return "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
           "'tool_call_id': " +
           open.front();
  return {};
}

}  // namespace model_rules
