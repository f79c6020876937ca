#pragma once

#include <string>
#include <string_view>

#include "vt/tokenizer.h"

namespace remote_exec {

/// Swallows the echo of a typed line, however the line editor draws and redraws it, and tells when all of it was seen.
///
/// What a terminal must still know passes: modes, charsets, queries. Text and cursor movement do not; the pen is
/// remembered for what follows. The line is seen when its visible ASCII characters came in order: editors repeat parts
/// at the margin, scroll sideways or paint suggestions, but they show every one at least once. Blanks are not waited
/// for, as they may be movements of the cursor (zsh, where the line meets its right prompt), nor is what is not ASCII:
/// some draw it as `?`, `\xF0` or `\U+1F600`.
class EchoFilter final : private vt::LineSink {
 public:
  enum class Titles { drop, keep };

  explicit EchoFilter(std::string_view line);

  /// Takes bytes; appends what passes to `out`.
  void feed(std::string_view bytes, std::string& out);

  bool complete() const { return seen_ == line_.size(); }
  std::size_t seen() const { return seen_; }
  /// The end of the line was drawn last, though not all of it before: an editor that scrolls sideways.
  bool end_drawn() const;
  /// The colours in force, as the remote set them since the last reset.
  const std::string& pen() const { return pen_; }
  /// Everything that came after the line was complete, as it came; bounded.
  const std::string& after() const { return after_; }
  /// Treats the rest of the line as seen: from now on everything counts as coming after it.
  void stop_matching() { seen_ = line_.size(); }
  void set_titles(Titles titles) { titles_ = titles; }

 private:
  void text(std::string_view run) override;
  void control(char c) override;
  void sequence(const vt::Sequence& sequence) override;
  void csi(std::string_view raw);
  void keep_after(std::string_view bytes);

  vt::Tokenizer tokens_;
  std::string line_;  ///< The characters to see; no blanks.
  std::size_t seen_ = 0;
  std::string pen_;
  std::string drawn_;  ///< The last text that came, without blanks, bounded.
  std::string after_;
  std::string* out_ = nullptr;
  Titles titles_ = Titles::drop;
};

/// A line of ours as an editor may draw it.
struct TypedLine {
  std::string_view line;
  std::string_view mark;         ///< What only a typed line of ours holds.
  std::string_view prompt = {};  ///< The text in front of it; an editor that redraws the line begins there.
};

/// What of `after` did not come from drawing the typed line: its text from the first that is no part of the line,
/// without lines that hold its mark (set -x, set -v show them) and without movement upwards, which was meant for the
/// rows of the typed line and not for those on the operator's screen. Empty when there is no such text.
std::string beyond_echo(std::string_view after, const TypedLine& typed);

}  // namespace remote_exec
