#include "terminal/screen_dump.h"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace terminal {
namespace {

using Json = nlohmann::ordered_json;

Json color_json(Color color) {
  if (color.is_default()) return nullptr;
  if (color.is_indexed()) return color.index();
  char text[8];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", color.red(), color.green(), color.blue());
  return text;
}

Json attributes_json(std::uint16_t attributes) {
  static constexpr struct {
    std::uint16_t bit;
    const char* name;
  } kNames[] = {{kBold, "bold"},       {kDim, "dim"},       {kItalic, "italic"},   {kBlink, "blink"},
                {kReverse, "reverse"}, {kStrike, "strike"}, {kConceal, "conceal"}, {kOverline, "overline"}};
  Json names = Json::array();
  for (const auto& [bit, name] : kNames) {
    if ((attributes & bit) != 0) names.push_back(name);
  }
  static constexpr const char* kUnderlines[] = {nullptr, "underline", "double-underline", "curly-underline"};
  const char* underline = kUnderlines[(attributes & kUnderlineMask) >> 8];
  if (underline != nullptr) names.push_back(underline);
  return names;
}

Json cells_json(const Row& row) {
  Json cells = Json::array();
  for (const Cell& cell : row.cells) {
    std::string text;
    append_cell_text(text, cell);
    cells.push_back({{"ch", text},
                     {"fg", color_json(cell.style.foreground)},
                     {"bg", color_json(cell.style.background)},
                     {"attrs", attributes_json(cell.style.attributes)}});
  }
  return cells;
}

}  // namespace

std::string dump_text(const Screen& screen) {
  std::string text;
  for (int row = 0; row < screen.size().rows; ++row) text += row_text(screen.row(row)) + '\n';
  return text;
}

std::string dump_json(const Screen& screen, bool cells) {
  const Cursor& cursor = screen.cursor();
  Json dump = {{"cols", screen.size().cols},
               {"rows", screen.size().rows},
               {"cursor", {{"row", cursor.row}, {"col", cursor.col}, {"visible", cursor.visible}}},
               {"alt", screen.alternate()},
               {"title", screen.title()},
               {"lines", Json::array()}};
  for (int row = 0; row < screen.size().rows; ++row) {
    dump["lines"].push_back(row_text(screen.row(row)));
    if (cells) dump["cells"].push_back(cells_json(screen.row(row)));
  }
  dump["scrollback"] = Json::array();
  const std::uint64_t end = screen.end_line() - static_cast<std::uint64_t>(screen.size().rows);
  for (std::uint64_t line = screen.first_line(); line < end; ++line) {
    dump["scrollback"].push_back(row_text(screen.line_row(line)));
  }
  return dump.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace terminal
