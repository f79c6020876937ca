#pragma once

#include <string>
#include <string_view>

#include "vt/tokenizer.h"

namespace remote_exec {

/// Lets a command's output through to the operator's screen, without what would act on the operator's machine or type
/// on our behalf: clipboard, titles and other strings, and queries a terminal would answer. On the alternate screen,
/// where a real program needs its answers, queries pass.
///
/// It also remembers what the output left switched, so that the prompt after it stands on a sane terminal.
class ScreenGuard final : private vt::LineSink {
 public:
  /// `typed_mark` is the part of the typed line that only our wrapper holds: a line of output that shows it (set -x)
  /// is ours and is taken off the screen. Empty: there is no such line.
  explicit ScreenGuard(std::string typed_mark) : typed_mark_(std::move(typed_mark)) {}

  void feed(std::string_view bytes, std::string& out);
  /// While on, nothing moves the cursor upwards.
  void keep_down(bool on) { keep_down_ = on; }

  bool alternate() const { return alternate_; }
  /// Bracketed paste was switched on: a line editor is waiting at a prompt.
  bool line_editor() const { return line_editor_; }
  /// A shell is about to draw its prompt, or has: the above, or the sign with which fish leaves a line unended.
  bool prompt_announced() const { return line_editor_ || left_line_; }

  /// The bytes that end the output: lines that an unclosed string held back, and what undoes what was left: pen,
  /// charset, margins, hidden cursor, alternate screen, mouse.
  std::string restore();

 private:
  void text(std::string_view run) override;
  void control(char c) override;
  void sequence(const vt::Sequence& sequence) override;
  void csi(std::string_view raw);
  bool shows_typed_mark(std::string_view bytes) const;
  void private_mode(std::string_view parameters, bool on);

  vt::Tokenizer tokens_;
  std::string typed_mark_;
  std::string* out_ = nullptr;
  bool our_line_ = false;
  bool keep_down_ = false;
  bool alternate_ = false;
  bool line_editor_ = false;
  bool left_line_ = false;
  bool at_margin_ = false;  ///< Just behind a carriage return.
  bool pen_ = false;
  bool charset_ = false;
  bool margins_ = false;
  bool hidden_cursor_ = false;
  bool mouse_ = false;
};

}  // namespace remote_exec
