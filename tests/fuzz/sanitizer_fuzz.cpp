#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "safety/escape_filter.h"
#include "safety/sanitizer.h"
#include "tests/fuzz/known_good.h"

bool fuzz::takes_known_good() {
  return safety::sanitize("a\033[31mb\033]0;title\007c\n") == "abc\n" && safety::EscapeFilter().feed("中\n") == "中\n";
}

// No control byte but a line feed comes out, and cutting the text changes nothing.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto whole = safety::sanitize(text);
  for (const char c : whole) {
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f) std::abort();
  }
  const std::size_t cut = size > 0 ? data[0] % size : 0;
  safety::Sanitizer sanitizer;
  auto pieces = sanitizer.feed(text.substr(0, cut));
  pieces += sanitizer.feed(text.substr(cut));
  if (pieces + sanitizer.finish() != whole) std::abort();
  safety::EscapeFilter first, second;
  auto filtered = first.feed(text.substr(0, cut));
  filtered += first.feed(text.substr(cut));
  if (filtered != second.feed(text)) std::abort();
  return 0;
}
