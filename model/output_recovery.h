#pragma once

#include <string>

#include "model/model_client.h"
#include "model/model_table.h"

namespace model {

/// What to do about an answer that the token limit cut off: ask again once with a higher limit, then let the model go
/// on, at most three times. One for each question.
class OutputRecovery {
 public:
  enum class Step {
    none,       ///< The answer was not cut off.
    raise_cap,  ///< Send the same request again with `cap()`; keep nothing of this turn.
    go_on,      ///< Keep the turn, append `continue_message()` and ask again.
    give_up,    ///< Keep the turn and say that it is cut off.
  };

  explicit OutputRecovery(const ModelInfo& model) : max_output_(model.max_output) {}

  /// `asked` is the limit the turn was requested with (0: the client's own).
  Step next(const Turn& turn, long asked);
  long cap() const { return max_output_; }

  static constexpr const char* kContinue =
      "Your answer was cut off by the output limit. Continue exactly where it stopped, without repeating anything.";
  /// Results for calls that were complete but not run, so that the conversation stays valid, then the request to go on.
  static Message continue_message(const Turn& turn);

 private:
  long max_output_;
  bool raised_ = false;
  int continued_ = 0;
};

}  // namespace model
