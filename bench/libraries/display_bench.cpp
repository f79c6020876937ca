// What one frame costs at 200x50: nothing changed, one row changed, scrolled by one, all new.

#include <benchmark/benchmark.h>

#include "terminal/display.h"

namespace {

constexpr base::Size kSize{50, 200};

terminal::Capabilities capable() {
  terminal::Capabilities caps;
  caps.colors = terminal::ColorDepth::truecolor;
  caps.background_erase = caps.scrolls_region = caps.synchronized = true;
  return caps;
}

terminal::Frame page(int first_line) {
  terminal::Frame frame(kSize);
  for (int row = 0; row < kSize.rows; ++row) {
    const auto color = terminal::Color::indexed(static_cast<std::uint8_t>((first_line + row) % 200));
    const int col = frame.put_text(row, 0, "Nov 16 02:03:04 host ", {color, {}, 0}, 200);
    frame.put_text(row, col, "daemon[" + std::to_string(first_line + row) + "]: " + std::string(150, 'x'), {}, 180);
  }
  return frame;
}

/// Draws the frames in turn, over and over.
void draw_in_turn(benchmark::State& state, const std::vector<terminal::Frame>& frames, bool scrolling) {
  terminal::Display display(capable());
  display.allow_scrolling(scrolling);
  display.render(frames[0]);
  std::size_t turn = 0;
  std::size_t bytes = 0;
  for (auto _ : state) {
    turn = (turn + 1) % frames.size();
    bytes += display.render(frames[turn]).size();
  }
  state.counters["bytes"] = benchmark::Counter(static_cast<double>(bytes), benchmark::Counter::kAvgIterations);
}

void nothing_changed(benchmark::State& state) {
  draw_in_turn(state, {page(0)}, false);
}
BENCHMARK(nothing_changed)->Unit(benchmark::kMicrosecond);

void one_row_changed(benchmark::State& state) {
  auto other = page(0);
  other.put_text(25, 30, "changed", {}, 20);
  draw_in_turn(state, {page(0), other}, false);
}
BENCHMARK(one_row_changed)->Unit(benchmark::kMicrosecond);

void scrolled_by_one(benchmark::State& state) {
  draw_in_turn(state, {page(0), page(1), page(2), page(1)}, true);
}
BENCHMARK(scrolled_by_one)->Unit(benchmark::kMicrosecond);

void all_rows_changed(benchmark::State& state) {
  draw_in_turn(state, {page(0), page(100)}, false);
}
BENCHMARK(all_rows_changed)->Unit(benchmark::kMicrosecond);

}  // namespace
BENCHMARK_MAIN();
