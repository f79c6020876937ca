#include "panel/table.h"

#include <algorithm>
#include <numeric>

namespace panel {
namespace {

constexpr int kNarrowest = 4;  ///< A column is not squeezed below this.

const Spans& cell_of(const std::vector<Spans>& row, std::size_t column) {
  static const Spans kNone;
  return column < row.size() ? row[column] : kNone;
}

std::vector<int> natural_widths(const Table& table) {
  std::vector<int> widths(table.columns.size(), 1);
  for (const auto& row : table.rows)
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], width_of(cell_of(row, i)));
  return widths;
}

/// Takes cells from the widest columns until the sum fits. False when it cannot.
bool squeeze(std::vector<int>& widths, int room) {
  int excess = std::accumulate(widths.begin(), widths.end(), 0) - room;
  while (excess > 0) {
    const auto widest = std::max_element(widths.begin(), widths.end());
    if (*widest <= kNarrowest) return false;
    // Down to the next widest in one step, so that a huge cell costs no more than a wide one.
    int next = kNarrowest;
    for (const int width : widths)
      if (width < *widest) next = std::max(next, width);
    const int step = std::clamp(*widest - next, 1, excess);
    *widest -= step;
    excess -= step;
  }
  return true;
}

Line rule(const std::vector<int>& widths, const Signs& signs, std::string_view left, std::string_view middle,
          std::string_view right) {
  std::string text(left);
  for (std::size_t i = 0; i < widths.size(); ++i) {
    if (i > 0) text += middle;
    text += repeated(signs.horizontal, widths[i] + 2);
  }
  text += right;
  return {{{text, Role::frame, 0}}};
}

void put_cell(Spans& out, const Spans& text, int width, Align align) {
  const int room = std::max(width - width_of(text), 0);
  const int before = align == Align::right ? room : align == Align::center ? room / 2 : 0;
  append(out, std::string(static_cast<std::size_t>(before), ' '), Role::text);
  append(out, text);
  append(out, std::string(static_cast<std::size_t>(room - before), ' '), Role::text);
}

void draw_row(const Table& table, const std::vector<Spans>& row, const std::vector<int>& widths, const Signs& signs,
              Lines& out) {
  std::vector<std::vector<Spans>> cells;
  std::size_t height = 1;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    cells.push_back(wrap_spans(cell_of(row, i), widths[i]));
    height = std::max(height, cells.back().size());
  }
  for (std::size_t line = 0; line < height; ++line) {
    Spans spans;
    for (std::size_t i = 0; i < widths.size(); ++i) {
      append(spans, std::string(i == 0 ? "" : " ").append(signs.vertical).append(" "), Role::frame);
      put_cell(spans, line < cells[i].size() ? cells[i][line] : Spans{}, widths[i], table.columns[i]);
    }
    append(spans, std::string(" ").append(signs.vertical), Role::frame);
    out.push_back({std::move(spans)});
  }
}

Lines as_list(const Table& table, int width) {
  Lines out;
  for (std::size_t row = 1; row < table.rows.size(); ++row) {
    if (row > 1) out.push_back({});
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      Spans spans = cell_of(table.rows[0], i);
      append(spans, ": ", Role::muted);
      append(spans, cell_of(table.rows[row], i));
      for (auto& line : wrap_spans(spans, width)) out.push_back({std::move(line)});
    }
  }
  return out;
}

}  // namespace

Lines draw_table(const Table& table, int width, const Signs& signs) {
  std::vector<int> widths = natural_widths(table);
  const int lines = static_cast<int>(widths.size()) * 3 + 1;
  if (widths.empty() || table.rows.empty()) return {};
  if (!squeeze(widths, width - lines)) return as_list(table, width);
  Lines out;
  out.push_back(rule(widths, signs, signs.corner_tl, signs.tee_down, signs.corner_tr));
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    draw_row(table, table.rows[row], widths, signs, out);
    if (row == 0) out.push_back(rule(widths, signs, signs.tee_right, signs.cross, signs.tee_left));
  }
  out.push_back(rule(widths, signs, signs.corner_bl, signs.tee_up, signs.corner_br));
  return out;
}

}  // namespace panel
