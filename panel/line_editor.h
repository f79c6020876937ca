#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "terminal/key.h"

namespace panel {

/// One line of input with the motions and cuts of readline.
///
/// The text is clean UTF-8; a pasted line break stays in it as '\n' and is shown as a mark, so that a paste can be
/// looked at before it is sent. The cursor moves over whole characters as a reader sees them. Passive, bounded in size.
class LineEditor {
 public:
  static constexpr std::size_t kLimit = 64 * 1024;

  /// Returns false for a key that means nothing to an input line.
  bool handle_key(const terminal::Key& key);

  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }
  /// Byte offset of the cursor in text().
  std::size_t cursor() const { return cursor_; }
  /// Replaces the text; the cursor goes to its end.
  void set_text(std::string_view text);
  /// The text, leaving an empty line. What was cut before can still be put back.
  std::string take();

  /// Bytes that did not fit since the last call.
  std::size_t take_dropped();

  /// The part that a field of some width shows.
  struct View {
    std::string before;  ///< Visible text up to the cursor.
    std::string after;   ///< Visible text from the cursor on.
    bool more_left = false;
    bool more_right = false;
  };
  /// What to show in `width` cells, the cursor's own cell among them. The text scrolls only when the cursor would leave
  /// the field. `line_break` is shown for '\n' and must be one cell wide.
  View view(int width, std::string_view line_break);

 private:
  bool apply(const terminal::Key& key);
  bool handle_control(char32_t letter);
  bool handle_alt(char32_t letter);
  bool handle_special(const terminal::Key& key);
  void insert(std::string_view text);
  void kill(std::size_t from, std::size_t to);
  std::size_t next(std::size_t at) const;
  std::size_t previous(std::size_t at) const;
  std::size_t word_right(std::size_t at) const;
  std::size_t word_left(std::size_t at) const;
  std::size_t space_left(std::size_t at) const;
  std::size_t leftmost(std::size_t at, int width) const;

  std::string text_;
  std::size_t cursor_ = 0;
  std::size_t scroll_ = 0;  ///< Byte offset of the first visible character.
  std::string killed_;
  bool killing_ = false;      ///< The key before was a cut too: this one adds to it.
  bool was_killing_ = false;  ///< State of `killing_` while a key is handled.
  std::size_t dropped_ = 0;
};

}  // namespace panel
