// The one gate for text that others wrote: model answers, skills, file names, host names, remote output.
#pragma once

#include <string>
#include <string_view>

namespace safety {

enum class Unprintable : bool {
  Dropped,  ///< What cannot be shown disappears.
  Shown,    ///< … appears as <U+XXXX>.
};

/// Turns untrusted bytes into printable UTF-8: escape sequences, controls, bidi and invisible characters are gone,
/// line feeds stay, tabs become blanks. Takes the text in any pieces.
class Sanitizer {
 public:
  explicit Sanitizer(Unprintable unprintable = Unprintable::Dropped) : unprintable_(unprintable) {}

  std::string feed(std::string_view bytes);
  /// What was held back, when nothing more comes: half a character becomes U+FFFD, half a sequence is dropped.
  std::string finish();

 private:
  enum class State : unsigned char { Text, Escape, Control, String, StringEscape };

  void take(char32_t code, std::string& out);
  void take_text(char32_t code, std::string& out);
  void show(char32_t code, std::string& out);

  Unprintable unprintable_;
  State state_ = State::Text;
  std::size_t sequence_length_ = 0;
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
