#include "panel/conversation.h"

#include <algorithm>

#include "base/utf8.h"
#include "base/words.h"

namespace panel {
Block* Conversation::add(std::unique_ptr<Block> block) {
  blocks_.push_back({++serial_, std::move(block)});
  // Cards have grown since they were added, answers too.
  bytes_ = 0;
  for (const Entry& entry : blocks_) bytes_ += entry.block->bytes();
  trim();
  return blocks_.back().block.get();
}

/// The oldest go when it is too much, but never the one that was just added.
void Conversation::trim() {
  while (blocks_.size() > 1 && (blocks_.size() > kMaxBlocks || bytes_ > kMaxBytes)) {
    bytes_ -= std::min(bytes_, blocks_.front().block->bytes());
    blocks_.pop_front();
  }
}

void Conversation::remove(const Block* block) {
  if (shown_whole_ == block) shown_whole_ = nullptr;
  std::erase_if(blocks_, [&](const Entry& entry) { return entry.block.get() == block; });
}

void Conversation::clear() {
  blocks_.clear();
  bytes_ = 0;
  anchor_.reset();
  found_.reset();
  shown_whole_ = nullptr;
}

template <typename Kind>
Kind* Conversation::last_as() {
  return blocks_.empty() ? nullptr : dynamic_cast<Kind*>(blocks_.back().block.get());
}

void Conversation::ask(std::string_view text) {
  scroll_to_end();
  add(std::make_unique<TextBlock>(std::string(base::cut_utf8(text, kMaxBytes / 8)), Role::question));
}

void Conversation::note(std::string_view text, Role role) {
  add(std::make_unique<TextBlock>(std::string(base::cut_utf8(text, kMaxBytes / 8)), role));
}

void Conversation::answer(std::string_view text) {
  Answer* last = last_as<Answer>();
  if (!last) last = static_cast<Answer*>(add(std::make_unique<Answer>()));
  last->append(text);
  bytes_ += text.size();
  trim();
}

void Conversation::think(std::string_view text) {
  Thinking* last = last_as<Thinking>();
  if (!last) last = static_cast<Thinking*>(add(std::make_unique<Thinking>()));
  last->append(text);
}

Card& Conversation::begin_card(std::string id, Card::Place place, std::string title) {
  return static_cast<Card&>(*add(std::make_unique<Card>(std::move(id), place, std::move(title))));
}

Card* Conversation::card(std::string_view id) {
  for (auto entry = blocks_.rbegin(); entry != blocks_.rend(); ++entry)
    if (auto* card = dynamic_cast<Card*>(entry->block.get()); card && card->id() == id) return card;
  return nullptr;
}

/// Lays out what changed and numbers the code since the last question. Returns the number of rows.
int Conversation::layout(int width) {
  width_ = width;
  std::size_t question = 0;
  for (std::size_t i = blocks_.size(); i-- > 0 && question == 0;) {
    const auto* text = dynamic_cast<const TextBlock*>(blocks_[i].block.get());
    if (text && text->role() == Role::question) question = i;
  }
  int total = 0;
  int number = 1;
  const Block* before = nullptr;
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    Entry& entry = blocks_[i];
    Block& block = *entry.block;
    block.number_from(i >= question ? number : 0);
    entry.gap = before && !(before->compact() && block.compact()) ? 1 : 0;
    entry.rows = entry.gap + block.prepare(width, signs_);
    if (i >= question && block.codes()) number += static_cast<int>(block.codes()->size());
    total += entry.rows;
    before = &block;
  }
  return total;
}

int Conversation::row_of(const Place& place) const {
  int row = 0;
  for (const Entry& entry : blocks_) {
    if (entry.serial >= place.serial) return row + (entry.serial == place.serial ? std::min(place.row, entry.rows) : 0);
    row += entry.rows;
  }
  return row;
}

Conversation::Place Conversation::place_of(int row) const {
  for (const Entry& entry : blocks_) {
    if (row < entry.rows) return {entry.serial, row};
    row -= entry.rows;
  }
  return {serial_ + 1, 0};
}

int Conversation::top_row(int total, int rows) {
  const int last = std::max(total - rows, 0);
  if (!anchor_) {
    if (!shown_whole_) return last;
    // Something that must be read from its beginning: its end may wait below.
    int at = 0;
    for (const Entry& entry : blocks_) {
      if (entry.block.get() == shown_whole_) return std::min(at + entry.gap, last);
      at += entry.rows;
    }
    return last;
  }
  const int top = row_of(*anchor_);
  if (top < last) return top;
  anchor_.reset();
  return last;
}

std::vector<Conversation::Row> Conversation::view(int width, int rows) {
  rows_ = std::max(rows, 0);
  total_ = layout(std::max(width, 1));
  top_ = top_row(total_, rows_);
  above_ = top_;
  below_ = std::max(total_ - top_ - rows_, 0);

  std::vector<Row> view;
  int row = 0;
  for (const Entry& entry : blocks_) {
    const int end = row + entry.rows;
    if (end <= top_) {
      row = end;
      continue;
    }
    for (int i = std::max(top_ - row, 0); i < entry.rows && static_cast<int>(view.size()) < rows_; ++i) {
      const bool found = found_ && found_->serial == entry.serial && found_->row == i;
      if (i < entry.gap)
        view.push_back({nullptr, entry.block.get(), false, false});
      else
        view.push_back(
            {&entry.block->rows()[static_cast<std::size_t>(i - entry.gap)], entry.block.get(), i == entry.gap, found});
    }
    row = end;
    if (static_cast<int>(view.size()) >= rows_) break;
  }
  return view;
}

void Conversation::scroll(int rows) {
  shown_whole_ = nullptr;
  total_ = layout(width_);
  const int last = std::max(total_ - rows_, 0);
  const int top = std::clamp(top_ + rows, 0, last);
  top_ = top;
  if (top >= last)
    anchor_.reset();
  else
    anchor_ = place_of(top);
}

void Conversation::scroll_to_begin() {
  scroll(-top_ - 1);
}

const Block* Conversation::foldable_in_view() const {
  const Block* found = nullptr;
  int row = 0;
  for (const Entry& entry : blocks_) {
    const bool in_view = row < top_ + rows_ && row + entry.rows > top_;
    if (in_view && entry.block->foldable()) found = entry.block.get();
    row += entry.rows;
  }
  return found;
}

bool Conversation::toggle_fold() {
  const Block* block = foldable_in_view();
  if (!block) return false;
  const_cast<Block*>(block)->toggle();
  // What was unfolded is read from its beginning.
  shown_whole_ = anchor_ ? nullptr : block;
  return true;
}

bool Conversation::toggle_fold_at(int row) {
  if (row < 0 || row >= rows_) return false;
  const Place place = place_of(top_ + row);
  for (Entry& entry : blocks_) {
    if (entry.serial != place.serial || !entry.block->foldable()) continue;
    if (!anchor_) anchor_ = place_of(top_);
    entry.block->toggle();
    return true;
  }
  return false;
}

bool Conversation::find(std::string_view text, Direction direction) {
  if (text.empty()) return false;
  const std::string wanted = base::lower_case(text);
  total_ = layout(width_);
  const int step = direction == Direction::older ? -1 : 1;
  const int from = found_ ? row_of(*found_) + step : direction == Direction::older ? total_ - 1 : 0;
  std::vector<const Line*> lines;
  for (const Entry& entry : blocks_) {
    lines.insert(lines.end(), static_cast<std::size_t>(entry.gap), nullptr);
    for (const Line& line : entry.block->rows()) lines.push_back(&line);
  }
  for (int row = from; row >= 0 && row < total_; row += step) {
    const Line* line = lines[static_cast<std::size_t>(row)];
    if (!line || base::lower_case(text_of(*line)).find(wanted) == std::string::npos) continue;
    found_ = place_of(row);
    shown_whole_ = nullptr;
    const int top = std::clamp(row - rows_ / 2, 0, std::max(total_ - rows_, 0));
    anchor_ = place_of(top);
    return true;
  }
  return false;
}

const Code* Conversation::code(int number) const {
  std::vector<const Code*> codes;
  for (const Entry& entry : blocks_) {
    const auto* text = dynamic_cast<const TextBlock*>(entry.block.get());
    if (text && text->role() == Role::question) codes.clear();
    if (!entry.block->codes()) continue;
    for (const Code& code : *entry.block->codes()) codes.push_back(&code);
  }
  return number >= 1 && number <= static_cast<int>(codes.size()) ? codes[static_cast<std::size_t>(number - 1)]
                                                                 : nullptr;
}

std::vector<std::pair<std::uint64_t, const Block*>> Conversation::blocks_from(std::uint64_t serial) const {
  std::vector<std::pair<std::uint64_t, const Block*>> found;
  for (const Entry& entry : blocks_)
    if (entry.serial >= serial) found.emplace_back(entry.serial, entry.block.get());
  return found;
}

void Conversation::retract_answer() {
  if (const Answer* last = last_as<Answer>()) remove(last);
}

std::string Conversation::plain_text() const {
  std::string text;
  for (const Entry& entry : blocks_) {
    text += entry.block->plain_text();
    if (!text.ends_with('\n')) text += '\n';
  }
  return text;
}

}  // namespace panel
