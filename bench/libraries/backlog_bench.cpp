// Floods: how fast output is looked at, taken in, and how fast the model catches up afterwards.

#include <benchmark/benchmark.h>

#include "terminal/backlog.h"
#include "terminal/screen.h"

namespace {

constexpr std::size_t kRead = 16 * 1024;  // As a pty or ssh channel hands it over.

std::string log_text(std::size_t size) {
  std::string bytes;
  for (int i = 0; bytes.size() < size; ++i) {
    bytes += "Nov 16 02:03:04 host daemon[" + std::to_string(i) +
             "]: request from 10.0.0.7 took 35 ms, 2 rows, cache miss\r\n";
  }
  return bytes;
}

std::string short_lines(std::size_t size) {
  std::string bytes;
  while (bytes.size() < size) bytes += "y\r\n";
  return bytes;
}

std::string coloured(std::size_t size) {
  std::string bytes;
  for (int i = 0; bytes.size() < size; ++i) {
    bytes += "\033[32mINFO\033[0m \033[1;34mmodule" + std::to_string(i) + "\033[0m: a message of usual length\r\n";
  }
  return bytes;
}

std::string han(std::size_t size) {
  std::string bytes;
  while (bytes.size() < size) bytes += "服务器日志：请求已处理，用时三十五毫秒，缓存未命中。\r\n";
  return bytes;
}

std::string workload(std::int64_t number, std::size_t size) {
  switch (number) {
    case 0:
      return log_text(size);
    case 1:
      return short_lines(size);
    case 2:
      return coloured(size);
    default:
      return han(size);
  }
}

const char* name_of(std::int64_t number) {
  static const char* const kNames[] = {"log", "short", "colour", "han"};
  return kNames[number];
}

void look(benchmark::State& state) {
  std::string bytes = workload(state.range(0), 32 * 1024);
  for (auto _ : state) benchmark::DoNotOptimize(terminal::look_at(bytes, 80));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes.size()));
  state.SetLabel(name_of(state.range(0)));
}
BENCHMARK(look)->DenseRange(0, 3);

void flood(benchmark::State& state) {
  const std::string bytes = workload(state.range(0), 32 << 20);
  for (auto _ : state) {
    terminal::Screen screen({.size = {24, 80}});
    terminal::Backlog backlog(screen);
    for (std::string_view rest = bytes; !rest.empty(); rest.remove_prefix(std::min(kRead, rest.size()))) {
      backlog.append(rest.substr(0, kRead));
    }
    backlog.catch_up_fully();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes.size()));
  state.SetLabel(name_of(state.range(0)));
}
BENCHMARK(flood)->DenseRange(0, 3)->Unit(benchmark::kMillisecond);

void everything_modelled(benchmark::State& state) {
  const std::string bytes = workload(state.range(0), 4 << 20);
  for (auto _ : state) {
    terminal::Screen screen({.size = {24, 80}});
    for (std::string_view rest = bytes; !rest.empty(); rest.remove_prefix(std::min(kRead, rest.size()))) {
      screen.write(rest.substr(0, kRead));
    }
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes.size()));
  state.SetLabel(name_of(state.range(0)));
}
BENCHMARK(everything_modelled)->DenseRange(0, 3)->Unit(benchmark::kMillisecond);

}  // namespace
BENCHMARK_MAIN();
