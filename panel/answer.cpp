#include "panel/answer.h"

#include <algorithm>

#include "base/utf8.h"
#include "panel/code_block.h"
#include "panel/markdown.h"

namespace panel {
namespace {

constexpr std::size_t kListPiece = 1024;  ///< A list longer than this is settled item by item.
constexpr std::size_t kMaxCodes = 200;
constexpr int kDeepestFence = 8;  ///< Models indent code inside list items.

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \r") == std::string_view::npos;
}

std::size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

/// "- x", "* x", "12. x" at the beginning of a line.
bool is_item(std::string_view line) {
  if (line.size() > 1 && std::string_view("-*+").find(line[0]) != std::string_view::npos) return line[1] == ' ';
  const auto digits = std::min(line.find_first_not_of("0123456789"), line.size());
  return digits > 0 && digits + 1 < line.size() && (line[digits] == '.' || line[digits] == ')') &&
         line[digits + 1] == ' ';
}

}  // namespace

void Answer::append(std::string_view text) {
  if (text_.size() >= kLimit) return;
  text_ += base::cut_utf8(text, kLimit - text_.size());
  changed();
}

void Answer::number_from(int first) {
  if (first == first_number_) return;
  first_number_ = first;
  if (codes_.empty()) return;
  settled_rows_ = 0;
  start_over();
  changed();
}

void Answer::layout(int width, const Signs& signs, bool new_width) {
  if (new_width) start_over();
  lines_.resize(settled_rows_);
  read_lines(width, signs);
  settled_rows_ = lines_.size();
  // What still grows, for this frame only.
  if (fence_.mark != 0) {
    // The frame is closed when the code is: a foot that moves down with each line would be drawn again and again.
    if (scan_ < text_.size())
      add_code_line(code_of(std::string_view(text_).substr(scan_)), codes_[fence_.code].language, width, fence_.indent,
                    signs, lines_);
    return;
  }
  add_markdown(std::string_view(text_).substr(piece_), width, signs);
}

void Answer::add_markdown(std::string_view piece, int width, const Signs& signs) {
  if (is_blank(piece)) return;
  if (is_blank(piece.substr(0, piece.find('\n')))) add_gap();
  for (auto& row : render_markdown(piece, width, signs)) lines_.push_back(std::move(row));
}

void Answer::start_over() {
  codes_.clear();
  scan_ = piece_ = settled_rows_ = 0;
  blank_before_ = false;
  fence_ = {};
}

void Answer::read_lines(int width, const Signs& signs) {
  for (std::size_t end = text_.find('\n', scan_); end != std::string::npos; end = text_.find('\n', scan_)) {
    const std::size_t begin = scan_;
    scan_ = end + 1;
    take_line(std::string_view(text_).substr(begin, end - begin), begin, width, signs);
  }
}

void Answer::take_line(std::string_view line, std::size_t at, int width, const Signs& signs) {
  if (fence_.mark != 0) {
    if (closes(line)) {
      lines_.push_back(code_foot(width, fence_.indent, signs));
      fence_ = {};
      piece_ = scan_;
      return;
    }
    Code& code = codes_[fence_.code];
    if (code.text.size() < kLimit / 4) code.text.append(code_of(line)).append("\n");
    return add_code_line(code_of(line), code.language, width, fence_.indent, signs, lines_);
  }
  if (is_blank(line)) {
    blank_before_ = true;
    return;
  }
  const std::size_t length = at - piece_;
  const bool new_block = blank_before_ && indent_of(line) < 2;
  const bool next_item = length > kListPiece && is_item(line);
  const bool fence = indent_of(line) <= kDeepestFence && (line.substr(indent_of(line)).starts_with("```") ||
                                                          line.substr(indent_of(line)).starts_with("~~~"));
  if (new_block || next_item || fence || length > kLargestPiece) {
    settle_piece(at, width, signs);
    if (blank_before_) add_gap();
  }
  blank_before_ = false;
  if (fence) open_fence(line, width, signs);
}

void Answer::settle_piece(std::size_t end, int width, const Signs& signs) {
  const std::string_view piece = std::string_view(text_).substr(piece_, end - piece_);
  piece_ = end;
  add_markdown(piece, width, signs);
}

bool Answer::open_fence(std::string_view line, int width, const Signs& signs) {
  const std::size_t indent = indent_of(line);
  const std::string_view rest = line.substr(indent);
  const std::size_t length = std::min(rest.find_first_not_of(rest[0]), rest.size());
  std::string_view info = rest.substr(length);
  info.remove_prefix(indent_of(info));
  const std::string_view language = info.substr(0, info.find_first_of(" \r{"));
  // The list is bounded; what comes after its end still shows, without a key.
  if (codes_.size() < kMaxCodes) codes_.push_back({std::string(language), {}});
  fence_ = {rest[0], length, static_cast<int>(indent), codes_.size() - 1};
  const int number = first_number_ + static_cast<int>(codes_.size()) - 1;
  const std::string key = first_number_ > 0 && number <= 9 ? "Alt+" + std::to_string(number) : std::string();
  if (width < fence_.indent + 8) fence_.indent = 0;
  lines_.push_back(code_head(language, key, width, fence_.indent, signs));
  return true;
}

bool Answer::closes(std::string_view line) const {
  const std::string_view rest = line.substr(indent_of(line));
  const std::size_t length = std::min(rest.find_first_not_of(fence_.mark), rest.size());
  return length >= fence_.length && is_blank(rest.substr(length));
}

/// A line of code without the indentation of its fence.
std::string_view Answer::code_of(std::string_view line) const {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line.substr(std::min(indent_of(line), static_cast<std::size_t>(fence_.indent)));
}

void Answer::add_gap() {
  if (!lines_.empty() && !lines_.back().spans.empty()) lines_.push_back({});
}

}  // namespace panel
