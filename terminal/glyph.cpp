#include "terminal/glyph.h"

#include <algorithm>
#include <array>

#include "base/utf8.h"
#include "terminal/palette.h"
#include "terminal/utf8_reader.h"

namespace terminal {
namespace {

constexpr char32_t kZeroWidthJoiner = 0x200D;

struct Range {
  char32_t first;
  char32_t last;
};

/// Characters that are not drawn but change how others are: direction, joining, hiding, line breaks. Also those that
/// look like nothing and are used to smuggle text past a reader. Sorted.
constexpr std::array kUnseen = std::to_array<Range>(
    {{0x0000, 0x001F},   {0x007F, 0x009F},      {0x00AD, 0x00AD}, {0x034F, 0x034F}, {0x061C, 0x061C},
     {0x115F, 0x1160},   {0x17B4, 0x17B5},      {0x180B, 0x180F}, {0x200B, 0x200F}, {0x2028, 0x202E},
     {0x2060, 0x206F},   {0x3164, 0x3164},      {0xD800, 0xDFFF}, {0xFDD0, 0xFDEF}, {0xFE00, 0xFE0F},
     {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},      {0xFFF0, 0xFFFB}, {0xFFFE, 0xFFFF}, {0x1D173, 0x1D17A},
     {0xE0000, 0xE0FFF}, {0x10FFFE, 0xFFFFFFFF}});

/// Where Unicode says "ambiguous", in strokes broad enough to be short: too many only cost a cursor movement.
constexpr std::array kAmbiguousSymbols =
    std::to_array<Range>({{0x2010, 0x2BFF}, {0x3248, 0x324F}, {0xE000, 0xF8FF}, {0xFFFD, 0xFFFD}, {0xF0000, 0x10FFFD}});
constexpr std::array kAmbiguousLetters =
    std::to_array<Range>({{0x00A1, 0x00FF}, {0x0101, 0x02DF}, {0x0391, 0x03C9}, {0x0401, 0x0451}});

template <std::size_t N>
bool within(const std::array<Range, N>& ranges, char32_t code) {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), code,
                                      [](char32_t value, const Range& range) { return value < range.first; });
  return after != ranges.begin() && code <= std::prev(after)->last;
}

bool is_plain_ascii(const Cell& cell) {
  return cell.chars[0] >= 0x20 && cell.chars[0] < 0x7F && cell.chars[1] == 0 && cell.width == 1;
}

/// Line drawing for terminals that get only ASCII; '?' for the rest.
char32_t ascii_for(char32_t code) {
  switch (code) {
    case 0x2500:
    case 0x2501:
    case 0x2550:
    case 0x2013:
    case 0x2014:
      return U'-';
    case 0x2502:
    case 0x2503:
    case 0x2551:
      return U'|';
    case 0x2018:
    case 0x2019:
      return U'\'';
    case 0x201C:
    case 0x201D:
      return U'"';
    case 0x00B7:
    case 0x2022:
      return U'*';
    case 0x203A:
    case 0x276F:
      return U'>';
    case 0x00A0:
      return U' ';
    default:
      return code >= 0x2500 && code < 0x2580 ? U'+' : U'?';
  }
}

/// Keeps of a cell's marks only those that take no room and belong to this cell.
void keep_marks(const Cell& from, Cell& to) {
  std::size_t kept = 1;
  for (std::size_t i = 1; i < from.chars.size() && from.chars[i] != 0; ++i) {
    const char32_t mark = from.chars[i];
    // A non-joiner shapes Persian and Indic text and joins nothing, so it may stay.
    const bool harmless = mark == 0x200C || !within(kUnseen, mark);
    if (harmless && mark != kZeroWidthJoiner && base::char_width(mark) == 0) to.chars[kept++] = mark;
  }
}

/// The characters of one cell that is not plain ASCII. `room` is how many cells it may take: 1 or 2.
Cell shown_characters(const Cell& cell, int room, const Capabilities& capabilities) {
  Cell shown;
  const char32_t code = cell.chars[0];
  shown.chars[0] = code == 0 ? U' ' : code;
  if (code == 0) return shown;
  if (code >= 0x7F && !capabilities.utf8) {
    shown.chars[0] = ascii_for(code);
    return shown;
  }
  const int width = base::char_width(code);
  if (code == 0x00AD) {
    shown.chars[0] = U'-';  // A soft hyphen: shown as a hyphen by some, as nothing by others.
  } else if (within(kUnseen, code) || width == 0 || width > room) {
    shown.chars[0] = Utf8Reader::kReplacement;
    return shown;
  }
  shown.width = static_cast<std::uint8_t>(room);
  if (capabilities.utf8) keep_marks(cell, shown);
  return shown;
}

Style blank_style(const Style& style) {
  constexpr std::uint16_t kSeenOnBlanks = kReverse | kUnderlineMask | kStrike | kOverline;
  if ((style.attributes & kSeenOnBlanks) != 0) return style;
  return {{}, style.background, 0};
}

/// degrade() remembering its last answer: neighbours mostly share their style.
class StyleShower {
 public:
  explicit StyleShower(const Capabilities& capabilities) : capabilities_(capabilities) {}

  const Style& operator()(const Style& style) {
    if (!known_ || !(style == asked_)) {
      asked_ = style;
      answer_ = degrade(style, capabilities_);
      known_ = true;
    }
    return answer_;
  }

 private:
  const Capabilities& capabilities_;
  Style asked_;
  Style answer_;
  bool known_ = false;
};

}  // namespace

WidthTrust width_trust(const Cell& cell, const Capabilities& capabilities) {
  const char32_t code = cell.chars[0];
  if (cell.chars[1] != 0) return WidthTrust::doubtful;
  if (code < 0x7F) return WidthTrust::sure;
  if (cell.width != base::char_width(code)) return WidthTrust::doubtful;
  if (code >= 0x1F000 && code < 0x20000) return WidthTrust::doubtful;
  if (cell.width == 2) return code < 0x2C00 ? WidthTrust::doubtful : WidthTrust::sure;
  if (within(kAmbiguousSymbols, code)) return WidthTrust::ambiguous;
  const bool letters_too = capabilities.ambiguous_wide && within(kAmbiguousLetters, code);
  return letters_too ? WidthTrust::ambiguous : WidthTrust::sure;
}

void shown_row(const Row& row, int cols, const Capabilities& capabilities, std::vector<Cell>& out) {
  const auto width = static_cast<std::size_t>(cols);
  StyleShower show(capabilities);
  out.resize(width);
  for (std::size_t col = 0; col < width; ++col) {
    Cell& shown = out[col];
    if (col >= row.cells.size()) {
      shown = Cell{{U' '}, {}, 1};
      continue;
    }
    const Cell& cell = row.cells[col];
    if (is_plain_ascii(cell)) {
      shown.chars = {cell.chars[0]};
      shown.width = 1;
    } else {
      const bool has_half =
          cell.width == 2 && col + 1 < row.cells.size() && col + 1 < width && row.cells[col + 1].width == 0;
      const bool stray_half = cell.width == 0;
      shown = stray_half ? Cell{{U' '}, {}, 1} : shown_characters(cell, has_half ? 2 : 1, capabilities);
    }
    shown.style = show(cell.style);
    const bool concealed = (cell.style.attributes & kConceal) != 0 && (shown.style.attributes & kConceal) == 0;
    if (concealed) shown = Cell{{U' '}, shown.style, 1};  // What cannot be hidden is not shown.
    // A space that was written keeps its looks: the pen need not change for it.
    if (cell.chars[0] == 0) shown.style = blank_style(shown.style);
    if (shown.width == 2) out[++col] = Cell{{}, shown.style, 0};
  }
}

bool erasable(const Cell& cell, const Capabilities& capabilities) {
  return cell.chars[0] == U' ' && cell.chars[1] == 0 && cell.style.attributes == 0 &&
         (cell.style.background.is_default() || capabilities.background_erase);
}

}  // namespace terminal
