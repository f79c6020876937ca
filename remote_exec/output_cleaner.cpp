#include "remote_exec/output_cleaner.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/utf8.h"

namespace remote_exec {
namespace {

/// Columns a remote may address on one line while it edits it.
constexpr std::size_t kMaxColumns = 4096;
/// The column behind the last character, wherever that is.
constexpr std::size_t kLineEnds = std::string::npos;

/// Printable ASCII and tab.
constexpr std::array<bool, 256> kPlainBytes = [] {
  std::array<bool, 256> table{};
  for (std::size_t c = 0x20; c < 0x7f; ++c) table[c] = true;
  table['\t'] = true;
  return table;
}();

bool has_high_bytes(std::string_view text) {
  unsigned char seen = 0;
  for (const char c : text) seen |= static_cast<unsigned char>(c);
  return (seen & 0x80) != 0;
}

/// The first number of "ESC [ 12 C", or `otherwise` when there is none.
std::size_t first_parameter(std::string_view raw, std::size_t otherwise) {
  std::size_t value = otherwise;
  std::from_chars(raw.data() + 2, raw.data() + raw.size() - 1, value);
  return std::min(value, kMaxColumns);
}

}  // namespace

void append_safe_utf8(std::string& out, std::string_view text) {
  if (!has_high_bytes(text)) {
    out += text;
    return;
  }
  while (!text.empty()) {
    std::size_t plain = 0;
    while (plain < text.size() && static_cast<unsigned char>(text[plain]) < 0x80) ++plain;
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) return;
    const auto next = base::decode_utf8(text);
    if (next.code >= 0xa0) base::append_utf8(out, next.code);
    text.remove_prefix(next.bytes);
  }
}

OutputCleaner::OutputCleaner(std::string_view encoding) {
  if (encoding.empty() || encoding == "UTF-8" || encoding == "utf-8") return;
  const iconv_t opened = iconv_open("UTF-8", std::string(encoding).c_str());
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the documented error value of iconv_open.
  if (opened != reinterpret_cast<iconv_t>(-1)) converter_.reset(opened);
}

std::size_t OutputCleaner::take_plain_lines(std::string_view bytes, std::string& out) {
  if (converter_ || editing_ || carriage_return_ || !tokens_.in_text()) return 0;
  std::size_t line_begin = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (kPlainBytes[static_cast<unsigned char>(bytes[i])]) continue;
    const bool crlf = bytes[i] == '\r' && i + 1 < bytes.size() && bytes[i + 1] == '\n';
    if (!crlf && bytes[i] != '\n') break;
    if (!line_.empty()) append_safe_utf8(out, std::exchange(line_, {}));
    out.append(bytes.data() + line_begin, i - line_begin);
    out += '\n';
    if (crlf) ++i;
    line_begin = i + 1;
  }
  return line_begin;
}

void OutputCleaner::feed(std::string_view bytes, std::string& out) {
  // Most output is plain ASCII lines: they need no cells, no tokens and no checks of their own.
  bytes.remove_prefix(take_plain_lines(bytes, out));
  out_ = &out;
  tokens_.feed(bytes, *this);
  out_ = nullptr;
}

void OutputCleaner::finish(std::string& out) {
  out_ = &out;
  tokens_.finish(*this);
  carriage_return_ = false;
  if (!unconverted_.empty()) {
    unconverted_.clear();
    put("\xef\xbf\xbd");
  }
  flush_cut();
  out_ = nullptr;
  take_line(out);
}

std::string OutputCleaner::current_line() const {
  std::string shown;
  if (!editing_) {
    append_safe_utf8(shown, line_);
    return shown;
  }
  for (const auto& cell : cells_) shown += cell;
  return shown;
}

std::string OutputCleaner::line_before_cursor() const {
  if (!editing_) return current_line();
  std::string shown;
  const std::size_t end = carriage_return_ ? 0 : column_;
  for (std::size_t i = 0; i < end; ++i) shown += i < cells_.size() ? cells_[i] : " ";
  return shown;
}

void OutputCleaner::text(std::string_view run) {
  if (converter_) {
    put(convert(run));
  } else {
    put(run);
  }
}

void OutputCleaner::put(std::string_view run) {
  if (carriage_return_) apply_carriage_return();
  if (editing_) {
    // A character that the pieces cut in two is one character.
    cut_ += run;
    const std::size_t whole = cut_.size() - base::incomplete_utf8_tail(cut_);
    overwrite(std::string_view(cut_).substr(0, whole));
    cut_.erase(0, whole);
    return;
  }
  line_ += run;
  if (line_.size() <= kMaxLine) return;
  const std::size_t whole = line_.size() - base::incomplete_utf8_tail(line_);
  append_safe_utf8(*out_, std::string_view(line_).substr(0, whole));
  line_.erase(0, whole);
}

void OutputCleaner::flush_cut() {
  if (!cut_.empty()) overwrite(std::exchange(cut_, {}));
}

void OutputCleaner::control(char c) {
  flush_cut();
  switch (c) {
    case '\n':
      return end_line();
    case '\r':
      // The tty puts one before every line feed, and some programs one more.
      carriage_return_ = true;
      return;
    case '\t':
      return put("\t");
    case '\b':
      if (carriage_return_) apply_carriage_return();
      if (!editing_) {
        if (line_.empty()) return;
        start_editing(kLineEnds);
      }
      if (column_ > 0) --column_;
      return;
    default:
      return;
  }
}

void OutputCleaner::discarded(const vt::Sequence& sequence) {
  flush_cut();
  LineSink::discarded(sequence);
}

void OutputCleaner::sequence(const vt::Sequence& sequence) {
  flush_cut();
  if (sequence.kind == vt::Kind::csi) edit_line(sequence);
}

void OutputCleaner::edit_line(const vt::Sequence& csi) {
  const std::string_view raw = csi.raw;
  const char final = csi.final_byte();
  if (std::string_view("KGCDXP").find(final) == std::string_view::npos) return;
  if (carriage_return_) apply_carriage_return();
  if (!editing_) {
    // Erasing to the right of the text changes nothing: grep and ls with colours do it on every line.
    if (final == 'K' && first_parameter(raw, 0) == 0) return;
    start_editing(kLineEnds);
  }
  const std::size_t count = std::max<std::size_t>(first_parameter(raw, 1), 1);
  switch (final) {
    case 'K': {
      const std::size_t mode = first_parameter(raw, 0);
      if (mode == 0) return cells_.resize(std::min(cells_.size(), column_));
      if (mode == 1) return erase_cells(0, column_ + 1);
      return cells_.clear();
    }
    case 'G':
      column_ = count - 1;
      return;
    case 'C':
      column_ = std::max(column_, std::min(column_ + count, kMaxColumns));
      return;
    case 'D':
      column_ -= std::min(column_, count);
      return;
    case 'X':
      return erase_cells(column_, column_ + count);
    default: {
      const std::size_t from = std::min(column_, cells_.size());
      const std::size_t to = std::min(from + count, cells_.size());
      cells_.erase(cells_.begin() + static_cast<std::ptrdiff_t>(from),
                   cells_.begin() + static_cast<std::ptrdiff_t>(to));
    }
  }
}

void OutputCleaner::erase_cells(std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < std::min(to, cells_.size()); ++i) cells_[i] = " ";
}

void OutputCleaner::apply_carriage_return() {
  carriage_return_ = false;
  if (editing_) {
    column_ = 0;
  } else if (!line_.empty()) {
    start_editing(0);
  }
}

void OutputCleaner::start_editing(std::size_t column) {
  const std::string plain = std::move(line_);
  line_.clear();
  editing_ = true;
  column_ = 0;
  cells_.clear();
  overwrite(plain);
  column_ = std::min(column, column_);
}

void OutputCleaner::overwrite(std::string_view run) {
  while (!run.empty()) {
    const auto next = base::decode_utf8(run);
    const std::string_view bytes = run.substr(0, next.bytes);
    run.remove_prefix(next.bytes);
    if (next.code >= 0x80 && next.code < 0xa0) continue;
    const bool is_tab = next.code == '\t';
    const int width = is_tab ? 8 - static_cast<int>(column_ % 8) : base::char_width(next.code);
    if (width == 0) {
      if (column_ > 0 && column_ <= cells_.size() && cells_[column_ - 1].size() < 32) cells_[column_ - 1] += bytes;
      continue;
    }
    if (column_ >= kMaxLine) {  // A bound, not a meaning: nobody draws progress this wide.
      end_line();
      editing_ = true;
    }
    if (cells_.size() < column_) cells_.resize(column_, " ");
    cells_.resize(std::max(cells_.size(), column_ + static_cast<std::size_t>(width)));
    cells_[column_] = next.code == 0xfffd ? std::string("\xef\xbf\xbd") : std::string(bytes);
    for (int i = 1; i < width; ++i) cells_[column_ + static_cast<std::size_t>(i)].clear();
    column_ += static_cast<std::size_t>(width);
  }
}

void OutputCleaner::take_line(std::string& into) {
  if (!editing_) {
    append_safe_utf8(into, line_);
    line_.clear();
    return;
  }
  while (!cells_.empty() && (cells_.back().empty() || cells_.back() == " ")) {
    // The empty half of a wide character belongs to the cell before it.
    if (cells_.back().empty() && cells_.size() > 1 && cells_[cells_.size() - 2] != " " &&
        !cells_[cells_.size() - 2].empty())
      break;
    cells_.pop_back();
  }
  for (const auto& cell : cells_) into += cell;
  cells_.clear();
  column_ = 0;
  editing_ = false;
}

void OutputCleaner::end_line() {
  carriage_return_ = false;
  take_line(*out_);
  *out_ += '\n';
}

std::string OutputCleaner::convert(std::string_view run) {
  std::string input = std::move(unconverted_);
  unconverted_.clear();
  input += run;
  std::string output(input.size() * 3 + 16, '\0');
  char* from = input.data();
  std::size_t left = input.size();
  char* to = output.data();
  std::size_t room = output.size();
  const auto handle = static_cast<iconv_t>(converter_.get());
  while (left > 0 && iconv(handle, &from, &left, &to, &room) == static_cast<std::size_t>(-1)) {
    if (errno == EINVAL && left < 4) {
      unconverted_.assign(from, left);
      break;
    }
    if (room < 4) break;
    // A byte that means nothing in this encoding: mark it and go on behind it.
    for (const char c : {'\xef', '\xbf', '\xbd'}) *to++ = c;
    room -= 3;
    ++from;
    --left;
  }
  output.resize(output.size() - room);
  return output;
}

}  // namespace remote_exec
