#pragma once

// What one answer of a model comes to, whichever provider gave it.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/json.h"
#include "model/message.h"

namespace model {

/// Tokens of one turn or of a sum of turns. Every figure is what the server reported; nothing is guessed here.
struct Usage {
  long input = 0;           ///< Neither read from nor written to the cache.
  long cache_write = 0;     ///< All writes, whatever their lifetime.
  long cache_write_1h = 0;  ///< The part of them that lives an hour (and costs more).
  long cache_read = 0;
  long output = 0;  ///< Thinking included.
  long thinking = 0;

  /// How large the prompt was.
  long prompt() const { return input + cache_write + cache_read; }
  Usage& operator+=(const Usage& other);
  friend bool operator==(const Usage&, const Usage&) = default;
};

enum class StopReason { none, end_turn, tool_use, max_tokens, stop_sequence, pause_turn, refusal, context_full, other };

/// How the stream ended.
enum class Outcome {
  complete,
  complete_no_message_stop,  ///< Everything came except the closing mark.
  stopped_with_open_block,   ///< The model was stopped in the middle of a block.
  incomplete,                ///< The connection ended too early.
  error,
};
std::string_view name_of(Outcome outcome);

/// What kind of failure it was: what a caller decides by.
enum class ErrorKind {
  none,
  connection,  ///< Could not connect, or lost the connection.
  stalled,     ///< No byte for too long.
  time_limit,  ///< The total time was used up.
  authentication,
  permission,
  billing,
  not_found,
  invalid_request,
  context_too_long,  ///< The conversation must be shortened.
  rate_limited,
  overloaded,
  server,
  protocol,  ///< What came was not a proper answer.
  settings,  ///< The request could not be made: a setting is missing or wrong.
};

/// Why a turn failed, in words an operator can act on. Never contains a key.
struct TurnError {
  ErrorKind kind = ErrorKind::none;
  std::string type;  ///< The server's name for it, or ours.
  std::string message;
  int status = 0;     ///< HTTP status; 0 when it came otherwise.
  std::string param;  ///< The parameter it is about, when the server names one.
  std::string request_id;
};

/// A call the model asks for.
struct ToolUse {
  std::string id;
  std::string name;
  Json input;               ///< The parsed object; null when the text of the input was not one.
  bool executable = false;  ///< Only then may it run. Known when the turn has ended.
};

/// The whole answer.
struct Turn {
  Outcome outcome = Outcome::incomplete;
  std::optional<TurnError> error;
  StopReason stop = StopReason::none;
  std::string stop_text;  ///< The server's own word for it; empty when none came.
  std::string stop_sequence;
  std::string refusal_category, refusal_explanation;
  std::string text;
  std::string thinking;
  std::vector<ToolUse> tool_uses;
  std::vector<Block> replay;  ///< What belongs in the history; empty when the turn failed.
  Usage usage;
  Json usage_wire = Json::object();  ///< Every usage field as reported, the last value of each.
  std::string id, model, origin, request_id;
  Json failed_generation;  ///< What a server (Groq) says it could not parse as a tool call; null otherwise.

  bool ok() const { return outcome != Outcome::error && outcome != Outcome::incomplete; }
  /// The assistant's message to append to the history.
  Message message() const { return {Role::assistant, replay, origin, stop == StopReason::pause_turn}; }
};

/// The kind of an error by its name on the wire and the HTTP status (0: unknown); the message decides about length.
ErrorKind error_kind(std::string_view type, int status, std::string_view message);

}  // namespace model
