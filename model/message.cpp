#include "model/message.h"

#include <utility>

namespace model {
namespace {

Block::Kind kind_of(std::string_view type) {
  if (type == "text") return Block::Kind::text;
  if (type == "thinking") return Block::Kind::thinking;
  if (type == "redacted_thinking") return Block::Kind::redacted_thinking;
  if (type == "tool_use") return Block::Kind::tool_use;
  if (type == "tool_result") return Block::Kind::tool_result;
  return Block::Kind::other;
}

constexpr const char* kOpenAiKey = "_openai";  // in session files only

}  // namespace

Block::Block(Json wire) : kind_(kind_of(string_at(wire, "type"))), wire_(std::move(wire)) {}

Block Block::text(std::string text) {
  return Block(Json{{"type", "text"}, {"text", std::move(text)}});
}

Block Block::thinking(std::string text, std::string signature) {
  return Block(Json{{"type", "thinking"}, {"thinking", std::move(text)}, {"signature", std::move(signature)}});
}

Block Block::tool_use(std::string id, std::string name, Json input) {
  return Block(
      Json{{"type", "tool_use"}, {"id", std::move(id)}, {"name", std::move(name)}, {"input", std::move(input)}});
}

Block Block::tool_result(std::string tool_use_id, std::string content, bool is_error) {
  Json wire{{"type", "tool_result"}, {"tool_use_id", std::move(tool_use_id)}, {"content", std::move(content)}};
  if (is_error) wire["is_error"] = true;
  return Block(std::move(wire));
}

std::string_view Block::text() const {
  if (kind_ == Kind::thinking) return string_at(wire_, "thinking");
  return string_at(wire_, kind_ == Kind::tool_result ? "content" : "text");
}

bool Block::is_error() const {
  const Json* flag = member(wire_, "is_error");
  return flag && flag->is_boolean() && flag->get<bool>();
}

Block Block::with(std::string_view key, Json value) const {
  Block copy = *this;
  copy.wire_[std::string(key)] = std::move(value);
  return copy;
}

Message user_message(std::string text) {
  return {Role::user, {Block::text(std::move(text))}};
}

Json to_json(const Message& message) {
  Json content = Json::array();
  for (const auto& block : message.blocks) {
    content.push_back(block.wire());
    if (!block.openai().is_null()) content.back()[kOpenAiKey] = block.openai();
  }
  Json stored{{"role", message.role == Role::user ? "user" : "assistant"}, {"content", std::move(content)}};
  if (!message.origin.empty()) stored["origin"] = message.origin;
  if (message.paused) stored["paused"] = true;
  return stored;
}

std::optional<Message> message_from_json(const Json& stored) {
  const std::string_view role = string_at(stored, "role");
  const Json* content = member(stored, "content");
  if ((role != "user" && role != "assistant") || !content) return std::nullopt;
  Message message{role == "user" ? Role::user : Role::assistant, {}, std::string(string_at(stored, "origin"))};
  if (const Json* paused = member(stored, "paused")) message.paused = paused->is_boolean() && paused->get<bool>();
  if (content->is_string()) {
    message.blocks.push_back(Block::text(content->get<std::string>()));
    return message;
  }
  if (!content->is_array()) return std::nullopt;
  for (const auto& item : *content) {
    if (!item.is_object() || string_at(item, "type").empty()) return std::nullopt;
    Json wire = item;
    Json openai;
    if (const Json* data = member(item, kOpenAiKey)) openai = *data;
    wire.erase(kOpenAiKey);
    message.blocks.emplace_back(std::move(wire));
    message.blocks.back().set_openai(std::move(openai));
  }
  return message;
}

}  // namespace model
