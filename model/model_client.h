#pragma once

// The seam between the agent and whatever answers: a provider's API, the offline runbook engine, a script in a test.

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/message.h"
#include "model/turn.h"

namespace model {

/// A tool as it is offered to the model.
struct ToolSpec {
  std::string name;
  std::string description;
  Json input_schema = Json{{"type", "object"}, {"properties", Json::object()}};
};

/// One question to a model. `system` and `tools` stay the same for a whole conversation.
struct Request {
  std::string model;  ///< Empty: the client's own choice.
  std::string system;
  std::vector<ToolSpec> tools;
  std::vector<Message> messages;
  long max_tokens = 0;  ///< 0: the client's own choice.
  bool parallel_tools = true;
};

/// The request is being made again after a failure.
struct Retry {
  int attempt = 0;  ///< 1 for the first repeat.
  int max_attempts = 0;
  std::chrono::milliseconds wait{0};
  TurnError reason;
  std::string model;  ///< The model that will be asked; differs after a switch to the fallback.
  bool fallback = false;
};

/// What happens during a request. Every callback is optional except `on_done`.
struct Events {
  std::function<void(std::string_view)> on_text;      ///< Whole characters only; may contain control characters.
  std::function<void(std::string_view)> on_thinking;  ///< Likewise.
  std::function<void(const ToolUse&)> on_tool_use;    ///< The call is complete; whether it may run the turn will say.
  std::function<void(const Usage&)> on_usage;         ///< The figures so far; later ones replace earlier ones.
  std::function<void(const Retry&)> on_retry;
  std::function<void(std::chrono::milliseconds silent)> on_stall;  ///< Nothing has come for this long.
  std::function<void(Turn)> on_done;  ///< Exactly once, last, unless the stream was destroyed before.
};

/// Something that answers.
class ModelClient {
 public:
  /// One request in flight. Destroying it cancels; no callback comes afterwards. Safe inside a callback.
  class Stream {
   public:
    virtual ~Stream() = default;
  };

  virtual ~ModelClient() = default;

  /// Starts the request and returns at once. All callbacks run later, from the event loop.
  [[nodiscard]] virtual std::unique_ptr<Stream> start(Request request, Events events) = 0;
};

}  // namespace model
