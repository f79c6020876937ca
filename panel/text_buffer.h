#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "terminal/key.h"

namespace panel {

/// Text being edited, with the motions, cuts and undo of readline.
///
/// Clean UTF-8 with '\n' between lines; the cursor moves over whole characters as a reader sees them. A large paste is
/// one chip: in text() a single character that nobody types (of plane 16), so that it moves and goes as one; expanded()
/// puts its content back. Passive, bounded in size.
class TextBuffer {
 public:
  static constexpr std::size_t kLimit = 1024 * 1024;     ///< Bytes with every chip expanded.
  static constexpr std::size_t kTypedLimit = 64 * 1024;  ///< Bytes of text(), chips as one character each.
  static constexpr std::size_t kChipBytes = 500;         ///< A paste longer than this is folded …
  static constexpr std::size_t kChipLines = 4;           ///< … or one with this many lines.

  /// Returns false for a key that means nothing to a text. Up and down are the owner's: it knows the rows.
  bool handle_key(const terminal::Key& key);

  /// With one character for each chip.
  const std::string& text() const { return text_; }
  bool empty() const { return text_.empty(); }
  /// Byte offset of the cursor in text().
  std::size_t cursor() const { return cursor_; }
  void move_to(std::size_t offset);

  /// Replaces the text as one step that can be undone; the cursor goes to its end.
  void set_text(std::string_view text);
  /// Replaces a part of it and puts the cursor behind what is new.
  void replace(std::size_t from, std::size_t to, std::string_view with);
  void insert(std::string_view text);
  /// Puts a paste in: as text, or as a chip when it is large.
  void paste(std::string content);

  /// With the chips' content.
  std::string expanded() const;
  /// With what `label` says for each chip.
  std::string folded(const std::function<std::string(const std::string& content)>& label) const;
  /// The content when `grapheme` is a chip, else nothing.
  const std::string* chip(std::string_view grapheme) const;

  /// The text expanded, leaving an empty buffer. What was cut before can still be put back.
  std::string take();
  /// Bytes that did not fit since the last call.
  std::size_t take_dropped();

 private:
  static constexpr char32_t kFirstChip = 0x100000;
  static constexpr char32_t kLastChip = 0x10FFFD;

  /// What the key before did: keys of one kind in a row are undone, or come back, together.
  enum class Step { other, type, erase, kill, yank };
  struct Snapshot {
    std::string text;
    std::size_t cursor;
  };

  bool apply(const terminal::Key& key);
  bool handle_control(char32_t letter);
  bool handle_alt(char32_t letter);
  bool handle_special(const terminal::Key& key);
  void type(char32_t character);
  void erase(std::size_t from, std::size_t to);
  void kill(std::size_t from, std::size_t to);
  void yank();
  void yank_older();
  void undo(std::vector<Snapshot>& from, std::vector<Snapshot>& to);
  void remember();
  void put(std::string_view text);
  std::size_t expanded_size() const;
  void forget_old_chips();

  std::string text_;
  std::size_t cursor_ = 0;
  std::map<char32_t, std::string> chips_;
  std::size_t chip_bytes_ = 0;
  char32_t next_chip_ = kFirstChip;
  std::deque<std::string> kills_;  ///< The newest first.
  std::size_t yanked_ = 0;         ///< Which of them was put back last.
  std::size_t yanked_from_ = 0;
  std::vector<Snapshot> undo_;
  std::vector<Snapshot> redo_;
  Step last_ = Step::other;   ///< Of the key before, while a key is handled.
  Step now_ = Step::other;    ///< Of the key that is handled.
  bool typed_space_ = false;  ///< The last character typed ended a word.
  std::size_t dropped_ = 0;
};

}  // namespace panel
