// How fast guard and screen take what remotes send, in bytes a second: log text, short lines, colours, CJK, redraws.
#include <benchmark/benchmark.h>

#include <string>

#include "terminal/screen.h"

namespace {

constexpr std::size_t kInput = 4 << 20;
constexpr std::size_t kPiece = 16 * 1024;

std::string repeated(const std::string& part) {
  std::string out;
  while (out.size() < kInput) out += part;
  return out;
}

std::string log_lines() {
  std::string out;
  for (int i = 0; i < 1000; ++i) {
    out += "2024-05-01T12:00:" + std::to_string(10 + i % 50) + " host service[" + std::to_string(1000 + i) +
           "]: request handled in " + std::to_string(i % 100) + " ms\r\n";
  }
  return out;
}

std::string coloured_lines() {
  std::string out;
  for (int i = 0; i < 1000; ++i) {
    out += "\x1b[32mINFO\x1b[0m \x1b[1;34m" + std::to_string(1000 + i) + "\x1b[0m some text \x1b[38;5;" +
           std::to_string(i % 256) + "mvalue=" + std::to_string(i) + "\x1b[0m \x1b[33mwarn\x1b[m done\r\n";
  }
  return out;
}

std::string dense_frame() {
  std::string out;
  for (int row = 1; row <= 24; ++row) {
    for (int col = 1; col <= 80; ++col) {
      out += "\x1b[" + std::to_string(row) + ';' + std::to_string(col) + "H\x1b[38;2;" + std::to_string(row * 9) + ';' +
             std::to_string(col * 3) + ";7m" + static_cast<char>('a' + (row + col) % 26);
    }
  }
  return out;
}

void feed(benchmark::State& state, const std::string& part) {
  const std::string input = repeated(part);
  terminal::Screen screen(
      {.size = {.rows = static_cast<int>(state.range(0)), .cols = static_cast<int>(state.range(1))}});
  for (auto _ : state) {
    for (std::size_t at = 0; at < input.size(); at += kPiece) screen.write(std::string_view(input).substr(at, kPiece));
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * input.size()));
}

void log_text(benchmark::State& state) {
  feed(state, log_lines());
}
void short_lines(benchmark::State& state) {
  feed(state, "y\r\n");
}
void colours(benchmark::State& state) {
  feed(state, coloured_lines());
}
void cjk(benchmark::State& state) {
  feed(state, "日志信息处理请求完成状态正常服务器响应时间毫秒数据库连接池\r\n");
}
void dense_redraw(benchmark::State& state) {
  feed(state, dense_frame());
}

BENCHMARK(log_text)->Args({24, 80})->Args({50, 200});
BENCHMARK(short_lines)->Args({24, 80})->Args({50, 200});
BENCHMARK(colours)->Args({24, 80});
BENCHMARK(cjk)->Args({24, 80});
BENCHMARK(dense_redraw)->Args({24, 80});

}  // namespace

BENCHMARK_MAIN();
