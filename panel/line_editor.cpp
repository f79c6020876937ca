#include "panel/line_editor.h"

#include <algorithm>
#include <utility>

#include "base/grapheme.h"
#include "base/utf8.h"

namespace panel {
namespace {

using terminal::Key;
using terminal::KeyKind;

bool is_space(char32_t code) {
  return code == U' ' || code == U'\n' || code == U'\t' || code == U'\u00A0' || code == U'\u3000';
}

/// Letters and digits of any script; the punctuation blocks end a word.
bool is_word(char32_t code) {
  if (code < 0x80) {
    return (code >= U'0' && code <= U'9') || (code >= U'a' && code <= U'z') || (code >= U'A' && code <= U'Z') ||
           code == U'_';
  }
  const bool punctuation = (code >= 0x2000 && code <= 0x206F) || (code >= 0x3000 && code <= 0x303F) ||
                           (code >= 0xFF00 && code <= 0xFF0F) || code < 0xC0;
  return !punctuation;
}

char32_t character_at(std::string_view text, std::size_t at) {
  return at < text.size() ? base::decode_utf8(text.substr(at)).code : 0;
}

/// Cells of one visible character: as wide as Frame draws it, a line break or a tab being one cell.
int cells(std::string_view grapheme) {
  return grapheme == "\n" || grapheme == "\t" ? 1 : base::text_width(grapheme);
}

std::string shown(std::string_view text, std::string_view line_break) {
  std::string result;
  for (const char byte : text) {
    if (byte == '\n') {
      result += line_break;
    } else {
      result += byte == '\t' ? ' ' : byte;
    }
  }
  return result;
}

}  // namespace

bool LineEditor::handle_key(const Key& key) {
  was_killing_ = std::exchange(killing_, false);
  const bool used = apply(key);
  // A mark that now stands after another letter has joined it: the cursor never stays in between.
  if (cursor_ > 0) cursor_ = base::grapheme_end(text_, base::grapheme_begin(text_, cursor_));
  return used;
}

bool LineEditor::apply(const Key& key) {
  if (key.kind == KeyKind::paste) {
    insert(key.text);
    return true;
  }
  if (key.kind != KeyKind::character) return handle_special(key);
  if (key.modifiers == terminal::kCtrl) return handle_control(key.character);
  if (key.modifiers == terminal::kAlt) return handle_alt(key.character);
  if (key.modifiers != 0) return false;
  std::string bytes;
  base::append_utf8(bytes, key.character);
  insert(bytes);
  return true;
}

bool LineEditor::handle_control(char32_t letter) {
  switch (letter) {
    case U'a':
      cursor_ = 0;
      return true;
    case U'e':
      cursor_ = text_.size();
      return true;
    case U'b':
      cursor_ = previous(cursor_);
      return true;
    case U'f':
      cursor_ = next(cursor_);
      return true;
    case U'd':
      text_.erase(cursor_, next(cursor_) - cursor_);
      return true;
    case U'u':
      kill(0, cursor_);
      return true;
    case U'k':
      kill(cursor_, text_.size());
      return true;
    case U'w':
      kill(space_left(cursor_), cursor_);
      return true;
    case U'y':
      insert(killed_);
      return true;
    default:
      return false;
  }
}

bool LineEditor::handle_alt(char32_t letter) {
  switch (letter) {
    case U'b':
      cursor_ = word_left(cursor_);
      return true;
    case U'f':
      cursor_ = word_right(cursor_);
      return true;
    case U'd':
      kill(cursor_, word_right(cursor_));
      return true;
    default:
      return false;
  }
}

bool LineEditor::handle_special(const Key& key) {
  const bool by_word = key.modifiers == terminal::kCtrl || key.modifiers == terminal::kAlt;
  if (key.modifiers != 0 && !by_word) return false;
  switch (key.kind) {
    case KeyKind::left:
      cursor_ = by_word ? word_left(cursor_) : previous(cursor_);
      return true;
    case KeyKind::right:
      cursor_ = by_word ? word_right(cursor_) : next(cursor_);
      return true;
    case KeyKind::home:
      cursor_ = 0;
      return true;
    case KeyKind::end:
      cursor_ = text_.size();
      return true;
    case KeyKind::backspace: {
      if (by_word) {
        kill(word_left(cursor_), cursor_);
        return true;
      }
      const std::size_t from = previous(cursor_);
      text_.erase(from, cursor_ - from);
      cursor_ = from;
      return true;
    }
    case KeyKind::remove:
      if (by_word) {
        kill(cursor_, word_right(cursor_));
      } else {
        text_.erase(cursor_, next(cursor_) - cursor_);
      }
      return true;
    default:
      return false;
  }
}

void LineEditor::set_text(std::string_view text) {
  text_ = base::cut_utf8(text, kLimit);
  cursor_ = text_.size();
  scroll_ = 0;
  killing_ = false;
}

std::string LineEditor::take() {
  cursor_ = scroll_ = 0;
  killing_ = false;
  return std::exchange(text_, {});
}

std::size_t LineEditor::take_dropped() {
  return std::exchange(dropped_, 0);
}

void LineEditor::insert(std::string_view text) {
  const std::string_view fitting = base::cut_utf8(text, kLimit - text_.size());
  dropped_ += text.size() - fitting.size();
  text_.insert(cursor_, fitting);
  cursor_ += fitting.size();
}

void LineEditor::kill(std::size_t from, std::size_t to) {
  const std::string cut = text_.substr(from, to - from);
  if (!was_killing_) killed_.clear();
  if (to == cursor_) {
    killed_.insert(0, cut);
  } else {
    killed_.append(cut);
  }
  text_.erase(from, to - from);
  cursor_ = from;
  killing_ = true;
}

std::size_t LineEditor::next(std::size_t at) const {
  return base::grapheme_end(text_, at);
}

std::size_t LineEditor::previous(std::size_t at) const {
  return base::grapheme_begin(text_, at);
}

std::size_t LineEditor::word_right(std::size_t at) const {
  while (at < text_.size() && !is_word(character_at(text_, at))) at = next(at);
  while (at < text_.size() && is_word(character_at(text_, at))) at = next(at);
  return at;
}

std::size_t LineEditor::word_left(std::size_t at) const {
  while (at > 0 && !is_word(character_at(text_, previous(at)))) at = previous(at);
  while (at > 0 && is_word(character_at(text_, previous(at)))) at = previous(at);
  return at;
}

std::size_t LineEditor::space_left(std::size_t at) const {
  while (at > 0 && is_space(character_at(text_, previous(at)))) at = previous(at);
  while (at > 0 && !is_space(character_at(text_, previous(at)))) at = previous(at);
  return at;
}

/// The furthest left a field of this width may begin with the cell at `at` still inside.
std::size_t LineEditor::leftmost(std::size_t at, int width) const {
  const std::string_view text = text_;
  int room = width - std::max(at < text.size() ? cells(text.substr(at, next(at) - at)) : 1, 1);
  while (at > 0) {
    const std::size_t before = previous(at);
    room -= cells(text.substr(before, at - before));
    if (room < 0) break;
    at = before;
  }
  return at;
}

LineEditor::View LineEditor::view(int width, std::string_view line_break) {
  width = std::max(width, 1);
  const std::size_t least = leftmost(cursor_, width);
  // Never further right than the end of the text needs: after a deletion the whole field is used again.
  const std::size_t wanted = std::min(scroll_, leftmost(text_.size(), width));
  std::size_t begin = cursor_;
  while (begin > least && begin > wanted) begin = previous(begin);
  scroll_ = begin;

  const std::string_view text = text_;
  std::size_t end = begin;
  for (int room = width; end < text.size(); end = next(end)) {
    room -= cells(text.substr(end, next(end) - end));
    if (room < 0) break;
  }
  end = std::max(end, cursor_);
  return {shown(text.substr(begin, cursor_ - begin), line_break),
          shown(text.substr(cursor_, end - cursor_), line_break), begin > 0, end < text.size()};
}

}  // namespace panel
