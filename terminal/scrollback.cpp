#include "terminal/scrollback.h"

#include <algorithm>
#include <cstring>

#include "base/utf8.h"

// A stored line is: one byte of flags; when styled, the number of runs and for each the number of cells and its style;
// then the text. An empty cell is a NUL in the text, a mark follows its base, the second half of a wide character is
// not written.

namespace terminal {
namespace {

constexpr std::size_t kBlockBytes = 64 * 1024;
constexpr char kWrapped = 1;
constexpr char kStyled = 2;

struct Run {
  std::uint16_t cells = 0;
  Style style;
};

template <typename T>
void append_raw(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <typename T>
T take_raw(std::string_view& data) {
  T value;
  std::memcpy(&value, data.data(), sizeof value);
  data.remove_prefix(sizeof value);
  return value;
}

int stored_cells(const Row& row, int used) {
  const Cell empty;
  while (used > 0 && row.cells[static_cast<std::size_t>(used - 1)] == empty) --used;
  return used;
}

void append_runs(std::string& out, const Row& row, int used) {
  const std::size_t count_at = out.size();
  std::uint16_t count = 0;
  append_raw(out, count);
  for (int col = 0; col < used;) {
    const int from = col;
    const Style& style = row.cells[static_cast<std::size_t>(from)].style;
    while (col < used && row.cells[static_cast<std::size_t>(col)].style == style) ++col;
    append_raw(out, static_cast<std::uint16_t>(col - from));
    append_raw(out, style.foreground);
    append_raw(out, style.background);
    append_raw(out, style.attributes);
    ++count;
  }
  std::memcpy(out.data() + count_at, &count, sizeof count);
}

void append_text(std::string& out, const Row& row, int used) {
  for (int col = 0; col < used; ++col) {
    const Cell& cell = row.cells[static_cast<std::size_t>(col)];
    if (cell.width == 0) continue;
    if (cell.chars[0] < 0x80 && cell.chars[1] == 0) {
      out.push_back(static_cast<char>(cell.chars[0]));
      continue;
    }
    for (const char32_t code : cell.chars) {
      if (code == 0) break;
      base::append_utf8(out, code);
    }
  }
}

std::vector<Run> take_runs(std::string_view& data) {
  std::vector<Run> runs(take_raw<std::uint16_t>(data));
  for (Run& run : runs) {
    run.cells = take_raw<std::uint16_t>(data);
    run.style.foreground = take_raw<Color>(data);
    run.style.background = take_raw<Color>(data);
    run.style.attributes = take_raw<std::uint16_t>(data);
  }
  return runs;
}

void append_mark(std::vector<Cell>& cells, char32_t mark) {
  if (cells.empty()) return;
  Cell& base = cells.back().width == 0 ? cells[cells.size() - 2] : cells.back();
  const auto free = std::find(base.chars.begin(), base.chars.end(), U'\0');
  if (free != base.chars.end()) *free = mark;
}

std::vector<Cell> take_text(std::string_view data) {
  std::vector<Cell> cells;
  while (!data.empty()) {
    const auto [code, bytes] = base::decode_utf8(data);
    data.remove_prefix(bytes);
    const int width = code < 0x80 ? 1 : base::char_width(code);
    if (width == 0) {
      append_mark(cells, code);
      continue;
    }
    Cell& cell = cells.emplace_back();
    cell.chars[0] = code;
    cell.width = static_cast<std::uint8_t>(width);
    if (width == 2) cells.emplace_back().width = 0;
  }
  return cells;
}

}  // namespace

Scrollback::Scrollback(std::size_t max_lines, std::size_t max_bytes) : max_lines_(max_lines), max_bytes_(max_bytes) {}

Scrollback::Block& Scrollback::block_with_room(std::size_t wanted) {
  if (blocks_.empty() || blocks_.back().data.size() + wanted > blocks_.back().data.capacity()) {
    Block& block = blocks_.emplace_back();
    block.first = end_;
    block.data.reserve(std::max(kBlockBytes, wanted));
    bytes_ += block.data.capacity();
  }
  return blocks_.back();
}

void Scrollback::push(const Row& row, int used) {
  if (max_lines_ == 0) {
    first_ = ++end_;
    return;
  }
  used = stored_cells(row, used);
  const bool styled = std::any_of(row.cells.begin(), row.cells.begin() + used,
                                  [](const Cell& cell) { return !(cell.style == Style{}); });
  // The most a line can take: every cell a run of its own with five characters of four bytes.
  const std::size_t most = 3 + static_cast<std::size_t>(used) * (styled ? 32 : 20);
  Block& block = block_with_room(most);
  block.starts.push_back(static_cast<std::uint32_t>(block.data.size()));
  block.data.push_back(static_cast<char>((row.wrapped ? kWrapped : 0) | (styled ? kStyled : 0)));
  if (styled) append_runs(block.data, row, used);
  append_text(block.data, row, used);
  bytes_ += sizeof(std::uint32_t);
  ++end_;
  trim();
}

void Scrollback::trim() {
  if (end_ - first_ > max_lines_) first_ = end_ - max_lines_;
  while (blocks_.size() > 1 && (bytes_ > max_bytes_ || blocks_[1].first <= first_)) {
    bytes_ -= blocks_.front().data.capacity() + blocks_.front().starts.size() * sizeof(std::uint32_t);
    blocks_.pop_front();
    first_ = std::max(first_, blocks_.front().first);
  }
}

Row Scrollback::pop() {
  Row result = row(end_ - 1);
  Block& block = blocks_.back();
  block.data.resize(block.starts.back());
  block.starts.pop_back();
  bytes_ -= sizeof(std::uint32_t);
  --end_;
  if (block.starts.empty()) {
    bytes_ -= block.data.capacity();
    blocks_.pop_back();
  }
  return result;
}

void Scrollback::clear() {
  blocks_.clear();
  bytes_ = 0;
  first_ = end_;
}

void Scrollback::skip_numbers(std::uint64_t lines) {
  for (Block& block : blocks_) block.first += lines;
  first_ += lines;
  end_ += lines;
}

std::string_view Scrollback::stored(std::uint64_t line) const {
  auto after = std::upper_bound(blocks_.begin(), blocks_.end(), line,
                                [](std::uint64_t wanted, const Block& block) { return wanted < block.first; });
  const Block& block = *(after - 1);
  const auto index = static_cast<std::size_t>(line - block.first);
  const std::size_t start = block.starts[index];
  const std::size_t stop = index + 1 < block.starts.size() ? block.starts[index + 1] : block.data.size();
  return std::string_view(block.data).substr(start, stop - start);
}

bool Scrollback::wrapped(std::uint64_t line) const {
  return (stored(line).front() & kWrapped) != 0;
}

Row Scrollback::row(std::uint64_t line) const {
  std::string_view data = stored(line);
  const char flags = data.front();
  data.remove_prefix(1);
  std::vector<Run> runs;
  if ((flags & kStyled) != 0) runs = take_runs(data);
  Row result{.cells = take_text(data), .wrapped = (flags & kWrapped) != 0};
  std::size_t col = 0;
  for (const Run& run : runs) {
    for (std::size_t i = 0; i < run.cells && col < result.cells.size(); ++i) result.cells[col++].style = run.style;
  }
  return result;
}

}  // namespace terminal
