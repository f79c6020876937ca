// How fast the shadow takes the remote's bytes: guard, libvterm's state layer and our grid with 10,000 lines behind it.

#include <benchmark/benchmark.h>

#include <string>

#include "terminal/screen.h"

namespace {

constexpr std::size_t kBytes = 1 << 20;
constexpr std::size_t kPiece = 16 * 1024;  // what one read of a busy transport brings

/// Lines made by `line(number)` until there is a megabyte of them.
template <typename Line>
std::string lines(Line line) {
  std::string text;
  for (int number = 0; text.size() < kBytes; ++number) text += line(number) + "\r\n";
  return text;
}

std::string plain_log() {
  return lines(
      [](int n) { return "2024-05-01T12:00:00Z host app[" + std::to_string(n) + "]: request completed, status 200"; });
}

std::string short_lines() {
  return lines([](int) { return std::string("y"); });
}

std::string coloured() {
  return lines([](int n) {
    const auto color = std::to_string(16 + n % 200);
    return "\x1b[1;32mINFO\x1b[0m \x1b[38;5;" + color + "mfile_" + color + ".txt\x1b[m \x1b[38;2;1;2;3m42\x1b[39m";
  });
}

std::string cjk() {
  return lines([](int) { return std::string("终端里的中文日志行，连接已经建立，请求完成。"); });
}

std::string redraw() {
  std::string text;
  for (int n = 0; text.size() < kBytes; ++n) {
    const auto row = std::to_string(1 + n % 24);
    text += "\x1b[" + row + ";1H\x1b[3" + std::to_string(n % 8) + "m" + row + std::string(60, 'x') + "\x1b[K";
  }
  return text;
}

void write_through(benchmark::State& state, const std::string& bytes) {
  terminal::Screen screen({.size = {static_cast<int>(state.range(0)), static_cast<int>(state.range(1))}});
  for (auto _ : state) {
    for (std::size_t at = 0; at < bytes.size(); at += kPiece) screen.write(std::string_view(bytes).substr(at, kPiece));
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * bytes.size()));
}

BENCHMARK_CAPTURE(write_through, plain_log, plain_log())->Args({24, 80})->Args({50, 200});
BENCHMARK_CAPTURE(write_through, short_lines, short_lines())->Args({24, 80})->Args({50, 200});
BENCHMARK_CAPTURE(write_through, coloured, coloured())->Args({24, 80})->Args({50, 200});
BENCHMARK_CAPTURE(write_through, cjk, cjk())->Args({24, 80})->Args({50, 200});
BENCHMARK_CAPTURE(write_through, redraw, redraw())->Args({24, 80})->Args({50, 200});

}  // namespace
