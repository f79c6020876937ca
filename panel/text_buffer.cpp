#include "panel/text_buffer.h"

#include <algorithm>
#include <utility>

#include "base/grapheme.h"
#include "base/utf8.h"
#include "panel/text_motions.h"

namespace panel {
namespace {

constexpr std::size_t kUndoSteps = 200;
constexpr std::size_t kUndoBytes = 1024 * 1024;
constexpr std::size_t kKills = 16;
constexpr std::size_t kChipStore = 4 * 1024 * 1024;

}  // namespace

void TextBuffer::move_to(std::size_t offset) {
  cursor_ = std::min(offset, text_.size());
  if (cursor_ > 0) cursor_ = base::grapheme_end(text_, base::grapheme_begin(text_, cursor_));
  now_ = Step::other;
}

void TextBuffer::type(char32_t character) {
  now_ = Step::type;
  const bool space = is_space(character);
  // One step back takes a word, not a letter and not the whole sentence.
  if (last_ != Step::type || (typed_space_ && !space)) remember();
  typed_space_ = space;
  std::string bytes;
  base::append_utf8(bytes, character);
  put(bytes);
}

void TextBuffer::set_text(std::string_view text) {
  replace(0, text_.size(), text);
}

void TextBuffer::replace(std::size_t from, std::size_t to, std::string_view with) {
  remember();
  now_ = Step::other;
  text_.erase(from, to - from);
  cursor_ = from;
  put(with);
}

void TextBuffer::insert(std::string_view text) {
  replace(cursor_, cursor_, text);
}

void TextBuffer::paste(std::string content) {
  const auto lines = static_cast<std::size_t>(std::count(content.begin(), content.end(), '\n')) + 1;
  if (content.size() <= kChipBytes && lines < kChipLines) return insert(content);
  const std::size_t room = kLimit - std::min(kLimit, expanded_size());
  const std::string_view fitting = base::cut_utf8(content, room);
  dropped_ += content.size() - fitting.size();
  if (fitting.empty()) return;
  remember();
  std::string mark;
  base::append_utf8(mark, next_chip_);
  chip_bytes_ += fitting.size();
  chips_[next_chip_] = fitting;
  next_chip_ = next_chip_ == kLastChip ? kFirstChip : next_chip_ + 1;
  forget_old_chips();
  text_.insert(cursor_, mark);
  cursor_ += mark.size();
}

/// Chips outlive their text: undo and the cuts still name them. Old ones go when they take too much.
void TextBuffer::forget_old_chips() {
  for (auto chip = chips_.begin(); chip != chips_.end() && chip_bytes_ > kChipStore;) {
    std::string mark;
    base::append_utf8(mark, chip->first);
    const bool newest = chip->first + 1 == next_chip_;
    if (newest || text_.find(mark) != std::string::npos) {
      ++chip;
      continue;
    }
    chip_bytes_ -= chip->second.size();
    chip = chips_.erase(chip);
  }
}

/// Inserts what fits. What looks like a chip and is none of ours is not let in.
void TextBuffer::put(std::string_view text) {
  std::string clean;
  while (!text.empty()) {
    const auto [code, bytes] = base::decode_utf8(text);
    const bool foreign = code >= kFirstChip && !chips_.contains(code);
    if (foreign) {
      base::append_utf8(clean, 0xFFFD);
    } else {
      clean += text.substr(0, bytes);
    }
    text.remove_prefix(bytes);
  }
  const std::size_t room =
      std::min(kTypedLimit - std::min(kTypedLimit, text_.size()), kLimit - std::min(kLimit, expanded_size()));
  const std::string_view fitting = base::cut_utf8(clean, room);
  dropped_ += clean.size() - fitting.size();
  text_.insert(cursor_, fitting);
  cursor_ += fitting.size();
}

const std::string* TextBuffer::chip(std::string_view grapheme) const {
  const auto found = grapheme.empty() ? chips_.end() : chips_.find(base::decode_utf8(grapheme).code);
  return found == chips_.end() ? nullptr : &found->second;
}

std::string TextBuffer::folded(const std::function<std::string(const std::string&)>& label) const {
  std::string result;
  for (std::size_t at = 0; at < text_.size();) {
    const auto [code, bytes] = base::decode_utf8(std::string_view(text_).substr(at));
    if (code < kFirstChip) {
      result.append(text_, at, bytes);
    } else if (const auto found = chips_.find(code); found != chips_.end()) {
      result += label(found->second);
    }
    at += bytes;
  }
  return result;
}

std::string TextBuffer::expanded() const {
  return folded([](const std::string& content) { return content; });
}

std::size_t TextBuffer::expanded_size() const {
  std::size_t size = text_.size();
  if (chips_.empty()) return size;
  for (std::size_t at = 0; at < text_.size(); ++at) {
    if (static_cast<unsigned char>(text_[at]) != 0xF4) continue;  // the first byte of every chip
    if (const auto* content = chip(std::string_view(text_).substr(at))) size += content->size();
  }
  return size;
}

std::string TextBuffer::take() {
  std::string result = expanded();
  text_.clear();
  cursor_ = 0;
  undo_.clear();
  redo_.clear();
  now_ = Step::other;
  return result;
}

std::size_t TextBuffer::take_dropped() {
  return std::exchange(dropped_, 0);
}

void TextBuffer::erase(std::size_t from, std::size_t to) {
  if (from == to) return;
  now_ = Step::erase;
  if (last_ != Step::erase) remember();
  text_.erase(from, to - from);
  cursor_ = from;
}

void TextBuffer::kill(std::size_t from, std::size_t to) {
  now_ = Step::kill;
  if (from == to) return;
  remember();
  const std::string cut = text_.substr(from, to - from);
  if (last_ != Step::kill || kills_.empty()) {
    kills_.push_front(cut);
    if (kills_.size() > kKills) kills_.pop_back();
  } else {
    kills_.front() = from < cursor_ ? cut + kills_.front() : kills_.front() + cut;
  }
  text_.erase(from, to - from);
  cursor_ = from;
}

void TextBuffer::yank() {
  if (kills_.empty()) return;
  yanked_ = 0;
  yanked_from_ = cursor_;
  insert(kills_.front());
  now_ = Step::yank;
}

/// Right after a yank: the cut before that one instead.
void TextBuffer::yank_older() {
  if (last_ != Step::yank || kills_.empty()) return;
  yanked_ = (yanked_ + 1) % kills_.size();
  replace(yanked_from_, cursor_, kills_[yanked_]);
  now_ = Step::yank;
}

void TextBuffer::remember() {
  redo_.clear();
  undo_.push_back({text_, cursor_});
  std::size_t bytes = 0;
  for (const auto& step : undo_) bytes += step.text.size();
  std::size_t drop = undo_.size() > kUndoSteps ? 1 : 0;
  for (; bytes > kUndoBytes && drop + 1 < undo_.size(); ++drop) bytes -= undo_[drop].text.size();
  undo_.erase(undo_.begin(), undo_.begin() + static_cast<std::ptrdiff_t>(drop));
}

void TextBuffer::undo(std::vector<Snapshot>& from, std::vector<Snapshot>& to) {
  if (from.empty()) return;
  to.push_back({std::move(text_), cursor_});
  text_ = std::move(from.back().text);
  cursor_ = from.back().cursor;
  from.pop_back();
}

}  // namespace panel
