#include "agent/loop_state.h"

namespace agent {

std::string_view name_of(Ending ending) {
  switch (ending) {
    case Ending::completed:
      return "completed";
    case Ending::aborted:
      return "aborted";
    case Ending::round_limit:
      return "round_limit";
    case Ending::time_limit:
      return "time_limit";
    case Ending::budget_limit:
      return "budget_limit";
    case Ending::model_error:
      return "model_error";
    case Ending::refused:
      return "refused";
    case Ending::disabled:
      return "disabled";
    case Ending::denied:
      return "denied";
    case Ending::repeated_failure:
      return "repeated_failure";
  }
  return "aborted";
}

std::string_view name_of(ContinueReason reason) {
  switch (reason) {
    case ContinueReason::question:
      return "question";
    case ContinueReason::next_turn:
      return "next_turn";
    case ContinueReason::output_limit:
      return "output_limit";
    case ContinueReason::compaction_retry:
      return "compaction_retry";
    case ContinueReason::retry_after_error:
      return "retry_after_error";
    case ContinueReason::intent_nudge:
      return "intent_nudge";
    case ContinueReason::paused_turn:
      return "paused_turn";
    case ContinueReason::hook_feedback:
      return "hook_feedback";
  }
  return "next_turn";
}

LoopState LoopState::next(ContinueReason why) const {
  LoopState state = *this;
  state.reason = why;
  // A request that is merely repeated is the same round.
  const bool repeated = why == ContinueReason::retry_after_error || why == ContinueReason::compaction_retry;
  if (!repeated) {
    ++state.round;
    ++state.total_rounds;
    state.error_retries = 0;
  }
  if (why != ContinueReason::output_limit && !repeated) state.recoveries = 0;
  if (why == ContinueReason::intent_nudge) ++state.nudges;
  if (why == ContinueReason::output_limit) ++state.recoveries;
  if (why == ContinueReason::retry_after_error) ++state.error_retries;
  if (why == ContinueReason::compaction_retry) state.compacted = true;
  if (why == ContinueReason::paused_turn) ++state.pauses;
  if (why == ContinueReason::hook_feedback) state.hook_heard = true;
  return state;
}

}  // namespace agent
