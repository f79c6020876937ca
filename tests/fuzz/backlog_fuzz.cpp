// A screen fed through a Backlog ends up with the cells, scrollback, pen and cursor of one that was fed every byte. So
// that a small input can be a flood, some bytes of it are orders: 0xFD n repeats the last line n times, 0xFE n models n
// bytes, 0xFF all of them.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "terminal/backlog.h"
#include "terminal/screen.h"
#include "tests/fuzz/known_good.h"

namespace {

terminal::Screen small_screen() {
  return terminal::Screen({.size = {.rows = 4, .cols = 16}, .scrollback_lines = 8, .scrollback_bytes = 1 << 20});
}

void check_same(const terminal::Screen& wanted, const terminal::Screen& actual) {
  const auto check = [](bool holds) {
    if (!holds) std::abort();
  };
  for (int row = 0; row < wanted.size().rows; ++row) check(wanted.row(row) == actual.row(row));
  const auto lines = wanted.end_line() - wanted.first_line();
  check(lines == actual.end_line() - actual.first_line());
  for (std::uint64_t line = 0; line < lines; ++line)
    check(wanted.line_row(wanted.first_line() + line) == actual.line_row(actual.first_line() + line));
  check(wanted.modes() == actual.modes());
  check(wanted.cursor() == actual.cursor());
  check(wanted.wrap_pending() == actual.wrap_pending());
  check(wanted.alternate() == actual.alternate());
}

/// Both screens, and the bytes on their way to them.
struct Pair {
  terminal::Screen direct = small_screen(), behind = small_screen();
  terminal::Backlog backlog{behind, {.bytes = 4096, .chunk = 64}};
  std::string line;
  std::size_t most = 16 * 1024;  ///< Repeated lines must not make one run endless.

  void feed(std::string_view bytes) {
    if (bytes.size() > most) return;
    most -= bytes.size();
    direct.write(bytes);
    backlog.append(bytes);
  }
  void take(char byte) {
    line += byte;
    if (byte == '\n' && !line.ends_with("\r\n")) line.insert(line.size() - 1, 1, '\r');
    if (byte != '\n' && line.size() < 200) return;
    feed(line);
    if (byte == '\n') last_line = line;
    line.clear();
  }
  void repeat(unsigned times) {
    for (unsigned i = 0; i < times; ++i) feed(last_line);
  }
  void finish() {
    feed(line);
    backlog.catch_up_fully();
    if (backlog.pending() != 0) std::abort();
    check_same(direct, behind);
  }

  std::string last_line;
};

}  // namespace

bool fuzz::takes_known_good() {
  Pair pair;
  for (const char c : std::string("\033[31mred\n")) pair.take(c);
  pair.repeat(200);
  pair.finish();
  return pair.backlog.skipped_bytes() > 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Pair pair;
  for (std::size_t i = 0; i < size; ++i) {
    if (data[i] < 0xFD)
      pair.take(static_cast<char>(data[i]));
    else if (data[i] == 0xFF)
      pair.backlog.catch_up_fully();
    else if (i + 1 < size)
      data[i] == 0xFD ? pair.repeat(data[i + 1]) : void(pair.backlog.catch_up(data[i + 1]));
    i += data[i] == 0xFD || data[i] == 0xFE ? 1 : 0;
  }
  pair.finish();
  return 0;
}
