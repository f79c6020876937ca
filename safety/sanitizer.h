// The one gate for text that others wrote: model answers, skills, file names, host names, remote output.
#pragma once

#include <string>
#include <string_view>

#include "vt/tokenizer.h"

namespace safety {

enum class Unprintable : bool {
  Dropped,  ///< What cannot be shown disappears.
  Shown,    ///< … appears as <U+XXXX>.
};

/// Turns untrusted bytes into printable UTF-8: escape sequences, controls, bidi and invisible characters are gone,
/// line feeds stay, tabs become blanks. Takes the text in any pieces.
class Sanitizer final : private vt::LineSink {
 public:
  explicit Sanitizer(Unprintable unprintable = Unprintable::Dropped) : unprintable_(unprintable) {}

  std::string feed(std::string_view bytes);
  /// What was held back, when nothing more comes: half a character becomes U+FFFD, half a sequence is dropped.
  std::string finish();

 private:
  void text(std::string_view run) override;
  void control(char byte) override;
  void sequence(const vt::Sequence& sequence) override;
  void discarded(const vt::Sequence& sequence) override;

  void take(char32_t code);
  void show(char32_t code);
  void give_up_partial();

  Unprintable unprintable_;
  vt::Tokenizer tokens_{vt::C1::controls};
  std::string* out_ = nullptr;
  std::size_t column_ = 0;
  std::string partial_;  ///< The beginning of a character.
};

/// A whole text at once.
std::string sanitize(std::string_view text, Unprintable unprintable = Unprintable::Dropped);

/// One line: line feeds and tabs become blanks too. For titles, host names, file names.
std::string sanitize_line(std::string_view text);

/// A command as the approval view shows it: every byte is visible, nothing is dropped. Line feeds stay.
std::string show_every_byte(std::string_view command);

}  // namespace safety
