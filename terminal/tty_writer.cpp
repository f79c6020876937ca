#include "terminal/tty_writer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/utf8.h"
#include "terminal/glyph.h"

namespace terminal {
namespace {

constexpr std::array<std::pair<Attribute, const char*>, 8> kAttributeCodes = {{{kBold, "1;"},
                                                                               {kDim, "2;"},
                                                                               {kItalic, "3;"},
                                                                               {kBlink, "5;"},
                                                                               {kReverse, "7;"},
                                                                               {kConceal, "8;"},
                                                                               {kStrike, "9;"},
                                                                               {kOverline, "53;"}}};

/// Some terminals, the Linux console among them, keep 16 parameters of a sequence: an RGB background takes five.
constexpr int kManyParameters = 10;

const char* underline_code(std::uint16_t attributes) {
  switch (attributes & kUnderlineMask) {
    case kUnderlineSingle:
      return "4;";
    case kUnderlineDouble:
      return "4:2;";
    case kUnderlineCurly:
      return "4:3;";
    default:
      return "";
  }
}

void append_characters(std::string& out, const Cell& cell) {
  if (cell.chars[0] < 0x80 && cell.chars[1] == 0) {
    out.push_back(static_cast<char>(cell.chars[0]));
    return;
  }
  append_cell_text(out, cell);
}

}  // namespace

void TtyWriter::start(base::Size size) {
  size_ = size;
  out_.clear();
}

void TtyWriter::forget() {
  pen_known_ = position_known_ = after_ambiguous_ = false;
}

std::string TtyWriter::take() {
  if (std::exchange(wrapping_stopped_, false)) out_ += "\033[?7h";
  return std::exchange(out_, {});
}

void TtyWriter::append_number(int number) {
  char digits[12];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  out_.append(digits, end);
}

void TtyWriter::move_absolutely(int row, int col) {
  out_ += "\033[";
  if (row > 0 || col > 0) append_number(row + 1);
  if (col > 0) {
    out_ += ';';
    append_number(col + 1);
  }
  out_ += 'H';
  row_ = row;
  col_ = col;
  position_known_ = true;
  after_ambiguous_ = false;
}

void TtyWriter::move_to(int row, int col) {
  if (!position_known_ || after_ambiguous_ || row != row_) return move_absolutely(row, col);
  if (col == col_) return;
  if (col == 0) {
    out_ += '\r';
  } else if (col > col_) {
    out_ += "\033[";
    if (col - col_ > 1) append_number(col - col_);
    out_ += 'C';
  } else {
    return move_absolutely(row, col);
  }
  col_ = col;
}

void TtyWriter::stop_wrapping() {
  if (wrapping_stopped_ || !capabilities_.switches_wrap) return;
  out_ += "\033[?7l";
  wrapping_stopped_ = true;
}

void TtyWriter::put_unsure_width(int row, int col, const Cell& cell) {
  // A terminal that gives it one cell instead of two would leave the old content in the second.
  if (cell.width == 2 && base::char_width(cell.chars[0]) != 2) {
    out_ += "  ";
    move_absolutely(row, col);
  }
  append_characters(out_, cell);
  position_known_ = false;
}

void TtyWriter::put(int row, int col, const Cell& cell) {
  const WidthTrust trust = width_trust(cell, capabilities_);
  const int end = col + cell.width;
  if (trust != WidthTrust::sure || (end == size_.cols && !capabilities_.delayed_wrap)) stop_wrapping();
  // Where wrapping cannot be stopped and is immediate, the last corner would scroll the whole screen.
  const bool corner = row == size_.rows - 1 && end == size_.cols;
  if (corner && !capabilities_.delayed_wrap && !wrapping_stopped_) return;

  const bool goes_on = after_ambiguous_ && trust == WidthTrust::ambiguous && !capabilities_.ambiguous_wide &&
                       position_known_ && row == row_ && col == col_;
  if (!goes_on) move_to(row, col);
  set_pen(cell.style);
  if (trust == WidthTrust::doubtful) return put_unsure_width(row, col, cell);
  append_characters(out_, cell);
  col_ = end;
  after_ambiguous_ = trust == WidthTrust::ambiguous;
  // In the last column a wrap is pending, which terminals treat differently: the next movement is absolute.
  if (end >= size_.cols) position_known_ = false;
}

void TtyWriter::erase_to_end(int row, int col, const Style& style) {
  move_to(row, col);
  set_pen(style);
  out_ += "\033[K";
}

void TtyWriter::put_here(const Cell& cell) {
  set_pen(cell.style);
  append_characters(out_, cell);
  position_known_ = false;
}

void TtyWriter::put_line(const std::vector<Cell>& cells) {
  std::size_t end = cells.size();
  while (end > 0 && cells[end - 1].blank() && cells[end - 1].width == 1 && cells[end - 1].style == Style{}) --end;
  for (std::size_t col = 0; col < end; ++col)
    if (cells[col].width != 0) put_here(cells[col]);
  // Erasing after a full line would take its last character away.
  if (end < cells.size()) {
    set_pen({});
    out_ += "\033[K";
  }
}

void TtyWriter::erase_cells(int row, int col, int count, const Style& style) {
  move_to(row, col);
  set_pen(style);
  out_ += "\033[";
  append_number(count);
  out_ += 'X';
}

void TtyWriter::clear_screen() {
  pen_known_ = false;
  set_pen({});
  move_absolutely(0, 0);
  // From the home position down rather than "all": some terminals answer that by pushing the screen into scrollback.
  out_ += "\033[J";
}

void TtyWriter::scroll(int top, int bottom, int lines) {
  set_pen({});
  const bool whole = top == 0 && bottom == size_.rows - 1;
  if (!whole) {
    out_ += "\033[";
    append_number(top + 1);
    out_ += ';';
    append_number(bottom + 1);
    out_ += 'r';
  }
  out_ += "\033[";
  append_number(lines > 0 ? lines : -lines);
  out_ += lines > 0 ? 'S' : 'T';
  if (!whole) out_ += "\033[r";
  position_known_ = false;
}

void TtyWriter::append_color(Color color, bool foreground) {
  const int base = foreground ? 30 : 40;
  if (color.is_default()) {
    append_number(base + 9);
  } else if (color.is_rgb()) {
    append_number(base + 8);
    out_ += ";2;";
    append_number(color.red());
    out_ += ';';
    append_number(color.green());
    out_ += ';';
    append_number(color.blue());
  } else if (color.index() < 8) {
    append_number(base + color.index());
  } else if (color.index() < 16) {
    append_number(base + 60 + color.index() - 8);
  } else {
    append_number(base + 8);
    out_ += ";5;";
    append_number(color.index());
  }
  out_ += ';';
}

void TtyWriter::append_sgr(const Style& style, bool from_default) {
  const Style from = from_default ? Style{} : pen_;
  const std::size_t start = out_.size();
  out_ += "\033[";
  if (from_default) out_ += "0;";
  const auto added = static_cast<std::uint16_t>(style.attributes & ~from.attributes);
  for (const auto& [attribute, code] : kAttributeCodes) {
    if ((added & attribute) != 0) out_ += code;
  }
  const bool underline_differs = (style.attributes & kUnderlineMask) != (from.attributes & kUnderlineMask);
  if (underline_differs) out_ += underline_code(style.attributes);
  if (style.foreground != from.foreground) append_color(style.foreground, true);
  const bool many = std::count(out_.begin() + static_cast<std::ptrdiff_t>(start), out_.end(), ';') > kManyParameters;
  if (style.background != from.background) {
    if (many) out_.replace(out_.size() - 1, 1, "m\033[");
    append_color(style.background, false);
  }
  out_.back() = 'm';  // In place of the last ';'.
}

void TtyWriter::set_pen(const Style& style) {
  if (pen_known_ && style == pen_) return;
  if (style == Style{}) {
    out_ += "\033[m";
  } else {
    constexpr std::uint16_t kSingle = static_cast<std::uint16_t>(~kUnderlineMask);
    const bool fewer = (pen_.attributes & ~style.attributes & kSingle) != 0 ||
                       ((pen_.attributes & kUnderlineMask) != 0 && (style.attributes & kUnderlineMask) == 0);
    const bool uncoloured = (style.foreground.is_default() && !pen_.foreground.is_default()) ||
                            (style.background.is_default() && !pen_.background.is_default());
    // Attributes are taken away by starting again: not every terminal knows the code that ends each one.
    append_sgr(style, !pen_known_ || fewer || (uncoloured && !capabilities_.default_colors));
  }
  pen_ = style;
  pen_known_ = true;
}

}  // namespace terminal
