#pragma once

// The seam between the agent and what it can do. One file per tool, elsewhere; the agent includes none of them.

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/model_client.h"

namespace agent {

using model::Json;

/// What running a call would do, from harmless to worst.
enum class Effect { read_only, changes, destructive };
std::string_view name_of(Effect effect);

/// What a call would do, and the words that say why.
struct Classification {
  Effect effect = Effect::changes;
  std::string reason;
};

/// How much the operator lets the agent do unasked.
enum class Mode { read_only, ask, automatic };
std::string_view name_of(Mode mode);

/// Where a tool acts. Text from the remote side is not to be trusted; acting on the operator's machine is asked about
/// more often.
enum class Place { nowhere, remote, operator_machine };

/// Whether a call in flight may be stopped when the operator cancels, or is waited for.
enum class InterruptBehavior { stop, finish_first };

/// What a call came to. `content` is for the model; `details` (exit code, duration, …) for people and records.
struct ToolResult {
  std::string content;
  bool is_error = false;
  Json details = Json::object();
};

/// Something the model may do on the operator's behalf.
class Tool {
 public:
  /// One call in flight. Destroying it stops the work; `done` is not called afterwards.
  class Run {
   public:
    virtual ~Run() = default;
  };
  using Done = std::function<void(ToolResult)>;

  virtual ~Tool() = default;

  /// Name, description, schema. The same for a whole conversation: it is part of the prompt's prefix.
  virtual const model::ToolSpec& spec() const = 0;
  /// Advice for the model that holds in this mode; travels in the newest message. May be empty.
  virtual std::string prompt_fragment(Mode) const { return {}; }

  /// Whether the input can be run at all. The error tells the model what to do instead. Checks the schema.
  virtual base::Result<void> validate(const Json& input) const;
  /// Asked only about valid input.
  virtual Classification classify(const Json& input) const = 0;
  /// May run beside other such calls.
  virtual bool is_concurrency_safe(const Json&) const { return false; }
  virtual InterruptBehavior interrupt_behavior() const { return InterruptBehavior::stop; }
  virtual Place place() const { return Place::nowhere; }
  virtual std::size_t max_result_chars() const { return 30'000; }
  /// The result stays in the history when older output is cleared.
  virtual bool keeps_result() const { return false; }
  /// What the operator reads while it runs: "Running df -h".
  virtual std::string activity(const Json& input) const;
  /// The exact text an approval is about; for commands, every byte of the command.
  virtual std::string subject(const Json& input) const;
  /// The input with another subject, as the operator edited it; nothing when this tool's calls cannot be edited.
  virtual std::optional<Json> with_subject(const Json&, const std::string&) const { return std::nullopt; }

  /// Starts the call and returns at once. `done` runs later, from the event loop, exactly once. The run is destroyed
  /// inside it.
  [[nodiscard]] virtual std::unique_ptr<Run> start(const Json& input, Done done) = 0;
};

}  // namespace agent
