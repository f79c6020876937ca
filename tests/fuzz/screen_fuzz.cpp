// libFuzzer entry for the screen model: cmake -DJMS_FUZZ=ON with clang. The first two bytes choose the size; a byte
// 0xFE in the input is a resize by the two bytes after it.
#include <cstdint>
#include <string_view>

#include "terminal/screen.h"
#include "tests/fuzz/known_good.h"

bool fuzz::takes_known_good() {
  terminal::Screen screen({.size = {.rows = 5, .cols = 20}});
  screen.write("one\r\ntwo\033[1;1HO");
  return screen.text(screen.first_line(), screen.end_line()).starts_with("One\ntwo\n");
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  terminal::Screen screen(
      {.size = {.rows = data[0] % 30, .cols = data[1] % 100}, .scrollback_lines = 50, .scrollback_bytes = 1 << 16});
  screen.on_reply([](std::string_view) {});
  std::string_view rest(reinterpret_cast<const char*>(data) + 2, size - 2);
  while (!rest.empty()) {
    const std::size_t end = rest.find('\xFE');
    screen.write(rest.substr(0, end));
    if (end == std::string_view::npos || rest.size() < end + 3) break;
    screen.resize({.rows = static_cast<unsigned char>(rest[end + 1]) % 40,
                   .cols = static_cast<unsigned char>(rest[end + 2]) % 120});
    rest.remove_prefix(end + 3);
  }
  screen.line_at_cursor();
  screen.text(screen.first_line(), screen.end_line());
  return 0;
}
