#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "remote_exec/host.h"

namespace remote_exec {

/// Knows whether the operator may have text on the prompt line that was not entered yet.
///
/// Fed with what the keyboard sent. The line is compared with how it looked before the first key, so text that was
/// typed and erased again does not count.
class OperatorLine {
 public:
  /// `look` is asked only at the first key of a line.
  void typed(std::string_view bytes, const std::function<ScreenView()>& look,
             std::chrono::steady_clock::time_point now);

  bool half_typed(const ScreenView& now) const { return typing_ && now.whole_line != line_before_; }
  /// Enter, Ctrl-C or Ctrl-D was pressed since reset(): whatever was proven about the prompt may be over.
  bool entered() const { return entered_; }
  /// Keys of any kind since reset().
  bool any() const { return entered_ || typing_; }

  std::chrono::steady_clock::time_point last_key() const { return last_key_; }

  /// A prompt was proven just now; `line` is how it looks when empty.
  void reset(std::string_view line);

 private:
  bool typing_ = false;
  bool entered_ = false;
  bool in_paste_ = false;
  std::string line_before_;
  std::chrono::steady_clock::time_point last_key_;
};

/// The keys in `bytes` without what terminals send by themselves: answers to queries, focus and mouse reports.
std::string keys_only(std::string_view bytes);

}  // namespace remote_exec
