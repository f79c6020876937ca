#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace terminal {

/// A colour as the remote named it: the default, one of 256 palette entries, or 24-bit RGB.
class Color {
 public:
  constexpr Color() = default;
  static constexpr Color indexed(std::uint8_t index) { return Color(kIndexed | index); }
  static constexpr Color rgb(std::uint8_t r, std::uint8_t g, std::uint8_t b) {
    return Color(kRgb | (std::uint32_t{r} << 16) | (std::uint32_t{g} << 8) | b);
  }

  constexpr bool is_default() const { return value_ == 0; }
  constexpr bool is_indexed() const { return (value_ & kKind) == kIndexed; }
  constexpr bool is_rgb() const { return (value_ & kKind) == kRgb; }
  constexpr std::uint8_t index() const { return static_cast<std::uint8_t>(value_); }
  constexpr std::uint8_t red() const { return static_cast<std::uint8_t>(value_ >> 16); }
  constexpr std::uint8_t green() const { return static_cast<std::uint8_t>(value_ >> 8); }
  constexpr std::uint8_t blue() const { return static_cast<std::uint8_t>(value_); }

  friend constexpr bool operator==(Color, Color) = default;

 private:
  static constexpr std::uint32_t kIndexed = 1u << 24;
  static constexpr std::uint32_t kRgb = 2u << 24;
  static constexpr std::uint32_t kKind = 0xFFu << 24;

  constexpr explicit Color(std::uint32_t value) : value_(value) {}
  std::uint32_t value_ = 0;
};

/// Bits of Style::attributes. The underline kinds take two bits: none, single, double, curly.
enum Attribute : std::uint16_t {
  kBold = 1 << 0,
  kDim = 1 << 1,
  kItalic = 1 << 2,
  kBlink = 1 << 3,
  kReverse = 1 << 4,
  kStrike = 1 << 5,
  kConceal = 1 << 6,
  kOverline = 1 << 7,
  kUnderlineSingle = 1 << 8,
  kUnderlineDouble = 2 << 8,
  kUnderlineCurly = 3 << 8,
  kUnderlineMask = 3 << 8,
};

struct Style {
  Color foreground;
  Color background;
  std::uint16_t attributes = 0;
  std::uint16_t filler = 0;  ///< Always 0: cells are compared as memory, so they have no padding.

  friend constexpr bool operator==(const Style&, const Style&) = default;
};

/// One character position: a base character with at most four marks on it, and how it looks.
///
/// An empty cell has chars[0] == 0 and width 1. A wide character has width 2 and is followed by a cell of width 0
/// that holds nothing.
struct Cell {
  static constexpr int kMaxChars = 5;

  std::array<char32_t, kMaxChars> chars{};
  Style style;
  std::uint8_t width = 1;
  std::array<std::uint8_t, 3> filler{};  ///< As in Style.

  bool blank() const { return chars[0] == 0 || (chars[0] == U' ' && chars[1] == 0); }
  friend bool operator==(const Cell&, const Cell&) = default;
};

static_assert(std::has_unique_object_representations_v<Cell>);

/// One row of the grid. `wrapped` means that its text goes on in the next row without a line break.
struct Row {
  std::vector<Cell> cells;
  bool wrapped = false;

  friend bool operator==(const Row&, const Row&) = default;
};

enum class CursorShape : std::uint8_t { block, underline, bar };

struct Cursor {
  int row = 0;
  int col = 0;
  bool visible = true;
  bool blink = true;
  CursorShape shape = CursorShape::block;

  friend bool operator==(const Cursor&, const Cursor&) = default;
};

/// Appends a cell's characters as UTF-8; a space for an empty one, nothing for the second half of a wide one.
void append_cell_text(std::string& out, const Cell& cell);

/// The row's text without trailing blanks.
std::string row_text(const Row& row);

}  // namespace terminal
