#include "terminal/row_shift.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace terminal {
namespace {

/// Rows a shift must save to be worth its own bytes, and rows that must differ to look for one.
constexpr int kWorthwhile = 2;
constexpr int kEnoughChanged = 3;
/// Shifts looked for in one frame; a page of any terminal in use.
constexpr int kFarthest = 200;

/// 0 stands for a blank row: those match everywhere and say nothing.
std::uint64_t fingerprint(const Row& row) {
  std::uint64_t hash = 0;
  bool blank = true;
  for (const Cell& cell : row.cells) {
    const std::uint64_t colors = cell.style.foreground.index() + 257u * cell.style.background.index();
    hash = (hash ^ cell.chars[0] ^ (colors << 24) ^ (std::uint64_t{cell.style.attributes} << 44)) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 29;
    blank = blank && cell.blank() && cell.style == Style{};
  }
  return blank ? 0 : hash | 1;
}

struct Candidate {
  int first = -1;  ///< First and last row of `after` that was found, `lines` further down in `before`.
  int last = -1;
  int found = 0;
};

using Fingerprints = std::vector<std::uint64_t>;

Candidate try_shift(const Fingerprints& before, const Fingerprints& after, int lines) {
  const int rows = static_cast<int>(after.size());
  Candidate candidate;
  for (int row = std::max(0, -lines); row < std::min(rows, rows - lines); ++row) {
    const auto here = static_cast<std::size_t>(row);
    if (after[here] == 0 || after[here] != before[static_cast<std::size_t>(row + lines)]) continue;
    if (candidate.found++ == 0) candidate.first = row;
    candidate.last = row;
  }
  return candidate;
}

int already_right(const Fingerprints& before, const Fingerprints& after, const RowShift& shift) {
  int count = 0;
  for (auto row = static_cast<std::size_t>(shift.top); row <= static_cast<std::size_t>(shift.bottom); ++row) {
    if (after[row] != 0 && after[row] == before[row]) ++count;
  }
  return count;
}

bool enough_changed(const std::vector<Row>& before, const std::vector<Row>& after) {
  int changed = 0;
  for (std::size_t row = 0; row < after.size(); ++row) {
    if (!same_cells(before[row], after[row]) && ++changed >= kEnoughChanged) return true;
  }
  return false;
}

}  // namespace

bool same_cells(const Row& a, const Row& b) {
  if (a.cells.size() != b.cells.size()) return false;
  return a.cells.empty() || std::memcmp(static_cast<const void*>(a.cells.data()),
                                        static_cast<const void*>(b.cells.data()), a.cells.size() * sizeof(Cell)) == 0;
}

std::optional<RowShift> find_row_shift(const std::vector<Row>& before, const std::vector<Row>& after) {
  if (before.size() != after.size() || !enough_changed(before, after)) return std::nullopt;
  Fingerprints old_rows(before.size());
  Fingerprints new_rows(after.size());
  std::transform(before.begin(), before.end(), old_rows.begin(), fingerprint);
  std::transform(after.begin(), after.end(), new_rows.begin(), fingerprint);

  std::optional<RowShift> best;
  int best_gain = kWorthwhile - 1;
  const int farthest = std::min(static_cast<int>(after.size()) - 1, kFarthest);
  for (int distance = 1; distance <= farthest; ++distance) {
    for (const int lines : {distance, -distance}) {
      const Candidate found = try_shift(old_rows, new_rows, lines);
      if (found.found <= best_gain) continue;
      const RowShift shift{std::min(found.first, found.first + lines), std::max(found.last, found.last + lines), lines};
      const int gain = found.found - already_right(old_rows, new_rows, shift);
      if (gain <= best_gain) continue;
      best_gain = gain;
      best = shift;
    }
  }
  return best;
}

}  // namespace terminal
