#pragma once

#include <string>
#include <string_view>

namespace agent {

/// How a question can end.
enum class Ending {
  completed,
  aborted,  ///< Cancelled by the operator; the conversation is as it was before the question.
  round_limit,
  time_limit,
  budget_limit,
  model_error,
  refused,           ///< The model declined.
  disabled,          ///< The agent is switched off: no rounds are allowed.
  denied,            ///< Three calls in a row were not allowed.
  repeated_failure,  ///< The same call failed three times in a row.
};
/// "completed", "round_limit", …
std::string_view name_of(Ending ending);

/// Why the model is asked (again).
enum class ContinueReason {
  question,           ///< The first time.
  next_turn,          ///< Its calls have results.
  output_limit,       ///< It was cut off by the output limit.
  compaction_retry,   ///< The history was too long and has been shortened.
  retry_after_error,  ///< The answer was lost on the way.
  intent_nudge,       ///< It announced a step and did not take it, or said nothing.
  paused_turn,        ///< The server paused its own tools.
  hook_feedback,      ///< A hook was not satisfied with the answer.
};
std::string_view name_of(ContinueReason reason);

/// Where the loop stands. Replaced whole on every pass, never changed in place.
struct LoopState {
  ContinueReason reason = ContinueReason::question;
  int round = 1;  ///< Since the question or since the operator let it go on.
  int total_rounds = 1;
  int nudges = 0;
  int recoveries = 0;     ///< From the output limit, in a row.
  int error_retries = 0;  ///< In a row.
  int pauses = 0;
  bool compacted = false;  ///< The one reactive compaction of this question was used.
  bool hook_heard = false;
  int denials = 0;  ///< In a row.
  std::string failing_call;
  int failures = 0;  ///< Of that call, in a row.

  /// The state of the next pass.
  LoopState next(ContinueReason why) const;
};

}  // namespace agent
