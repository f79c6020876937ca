#pragma once

// A conversation as it is stored: the same for every provider. A block is kept in the form of Anthropic's wire (the
// richer of the two), with what only another provider understands beside it, so that a turn can be sent back exactly as
// it was received.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/json.h"

namespace model {

enum class Role { user, assistant };

/// One piece of a message. Kinds that jms does not know are kept and sent back unchanged.
class Block {
 public:
  enum class Kind { text, thinking, redacted_thinking, tool_use, tool_result, other };

  static Block text(std::string text);
  static Block thinking(std::string text, std::string signature);
  static Block tool_use(std::string id, std::string name, Json input);
  static Block tool_result(std::string tool_use_id, std::string content, bool is_error = false);
  explicit Block(Json wire);

  Kind kind() const { return kind_; }
  const Json& wire() const { return wire_; }

  /// The words of a text or thinking block; of a tool result when its content is plain text.
  std::string_view text() const;
  std::string_view signature() const { return string_at(wire_, "signature"); }
  /// The call this block makes (tool_use) or answers (tool_result).
  std::string_view call_id() const { return string_at(wire_, kind_ == Kind::tool_result ? "tool_use_id" : "id"); }
  std::string_view name() const { return string_at(wire_, "name"); }
  bool is_error() const;

  /// A copy with one member of the wire form replaced.
  Block with(std::string_view key, Json value) const;

  /// What an OpenAI-style server gave along and wants back: the arguments' exact text, unknown members of the call, the
  /// name of the field reasoning came in. Null for blocks from elsewhere.
  const Json& openai() const { return openai_; }
  void set_openai(Json data) { openai_ = std::move(data); }

  friend bool operator==(const Block&, const Block&) = default;

 private:
  Kind kind_;
  Json wire_;
  Json openai_;
};

/// One turn of the conversation.
struct Message {
  Role role = Role::user;
  std::vector<Block> blocks;
  std::string origin;   ///< Which server and model made an assistant turn; reasoning goes back only there.
  bool paused = false;  ///< The server stopped in the middle (`pause_turn`): it is sent last, unanswered, to go on.

  friend bool operator==(const Message&, const Message&) = default;
};

Message user_message(std::string text);

/// For session files: everything of a message as JSON, and back. Reading refuses what is no message.
Json to_json(const Message& message);
std::optional<Message> message_from_json(const Json& stored);

}  // namespace model
