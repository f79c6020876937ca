// How fast guard and screen take what remotes send, in bytes a second: log text, short lines, colours, CJK, redraws.
// Beside them libvterm alone: its screen layer does what our grid does, its state layer is the part that we use.
#include <benchmark/benchmark.h>
#include <vterm.h>

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

/// One 80x24 terminal, in the three ways.
struct Ours {
  terminal::Screen screen{{.size = {.rows = 24, .cols = 80}}};
  void write(std::string_view bytes) { screen.write(bytes); }
};

struct BareVTerm {
  VTerm* vt = vterm_new(24, 80);
  BareVTerm() { vterm_set_utf8(vt, 1); }
  ~BareVTerm() { vterm_free(vt); }
  void write(std::string_view bytes) { vterm_input_write(vt, bytes.data(), bytes.size()); }
};
struct BareState : BareVTerm {
  BareState() { vterm_state_reset(vterm_obtain_state(vt), 1); }
};
struct BareScreen : BareVTerm {
  BareScreen() { vterm_screen_reset(vterm_obtain_screen(vt), 1); }
};

template <typename Terminal>
void feed(benchmark::State& state, const std::string& part) {
  const std::string input = repeated(part);
  Terminal terminal;
  for (auto _ : state) {
    for (std::size_t at = 0; at < input.size(); at += kPiece)
      terminal.write(std::string_view(input).substr(at, kPiece));
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * input.size()));
}

void register_all(const std::string& name, const std::string& part) {
  benchmark::RegisterBenchmark((name + "/ours").c_str(), feed<Ours>, part);
  benchmark::RegisterBenchmark((name + "/vterm-screen").c_str(), feed<BareScreen>, part);
  benchmark::RegisterBenchmark((name + "/vterm-state").c_str(), feed<BareState>, part);
}

}  // namespace

int main(int argc, char** argv) {
  register_all("log text", log_lines());
  register_all("short lines", "y\r\n");
  register_all("coloured", coloured_lines());
  register_all("CJK", "日志信息处理请求完成状态正常服务器响应时间毫秒数据库连接池\r\n");
  register_all("redraw", dense_frame());
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
