// What each key does to a text.
#include <utility>

#include "base/grapheme.h"
#include "panel/text_buffer.h"
#include "panel/text_motions.h"

namespace panel {

using terminal::Key;
using terminal::KeyKind;

bool TextBuffer::handle_key(const Key& key) {
  last_ = std::exchange(now_, Step::other);
  const bool used = apply(key);
  // A mark that now stands after another letter has joined it: the cursor never stays in between.
  if (cursor_ > 0) cursor_ = base::grapheme_end(text_, base::grapheme_begin(text_, cursor_));
  return used;
}

bool TextBuffer::apply(const Key& key) {
  if (key.kind == KeyKind::paste) {
    paste(key.text);
    return true;
  }
  if (key.kind != KeyKind::character) return handle_special(key);
  if (key.modifiers == terminal::kCtrl) return handle_control(key.character);
  if (key.modifiers == terminal::kAlt) return handle_alt(key.character);
  if (key.modifiers != 0) return false;
  type(key.character);
  return true;
}

bool TextBuffer::handle_control(char32_t letter) {
  switch (letter) {
    case U'a':
      cursor_ = line_begin(text_, cursor_);
      return true;
    case U'e':
      cursor_ = line_end(text_, cursor_);
      return true;
    case U'b':
      cursor_ = character_left(text_, cursor_);
      return true;
    case U'f':
      cursor_ = character_right(text_, cursor_);
      return true;
    case U'd':
      erase(cursor_, character_right(text_, cursor_));
      return true;
    case U'u':
      kill(line_begin(text_, cursor_), cursor_);
      return true;
    case U'k':
      // At the end of a line it is the line break that goes, as in Emacs.
      kill(cursor_, line_end(text_, cursor_) == cursor_ ? character_right(text_, cursor_) : line_end(text_, cursor_));
      return true;
    case U'w':
      kill(space_left(text_, cursor_), cursor_);
      return true;
    case U'y':
      yank();
      return true;
    case U'z':
    case U'_':
      undo(undo_, redo_);
      return true;
    default:
      return false;
  }
}

bool TextBuffer::handle_alt(char32_t letter) {
  switch (letter) {
    case U'b':
      cursor_ = word_left(text_, cursor_);
      return true;
    case U'f':
      cursor_ = word_right(text_, cursor_);
      return true;
    case U'd':
      kill(cursor_, word_right(text_, cursor_));
      return true;
    case U'y':
      yank_older();
      return true;
    case U'z':
    case U'_':
      undo(redo_, undo_);
      return true;
    default:
      return false;
  }
}

bool TextBuffer::handle_special(const Key& key) {
  const bool by_word = key.modifiers == terminal::kCtrl || key.modifiers == terminal::kAlt;
  if (key.modifiers != 0 && !by_word) return false;
  switch (key.kind) {
    case KeyKind::left:
      cursor_ = by_word ? word_left(text_, cursor_) : character_left(text_, cursor_);
      return true;
    case KeyKind::right:
      cursor_ = by_word ? word_right(text_, cursor_) : character_right(text_, cursor_);
      return true;
    case KeyKind::home:
      cursor_ = by_word ? 0 : line_begin(text_, cursor_);
      return true;
    case KeyKind::end:
      cursor_ = by_word ? text_.size() : line_end(text_, cursor_);
      return true;
    case KeyKind::backspace:
      by_word ? kill(word_left(text_, cursor_), cursor_) : erase(character_left(text_, cursor_), cursor_);
      return true;
    case KeyKind::remove:
      by_word ? kill(cursor_, word_right(text_, cursor_)) : erase(cursor_, character_right(text_, cursor_));
      return true;
    default:
      return false;
  }
}

}  // namespace panel
