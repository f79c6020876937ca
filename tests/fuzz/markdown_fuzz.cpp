// A model may write anything: no row is wider than it may be, and an answer that streams in ends up as it would at
// once.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "panel/markdown.h"
#include "safety/sanitizer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2 || size > panel::kLargestPiece) return 0;
  const std::string text = safety::sanitize({reinterpret_cast<const char*>(data) + 1, size - 1});
  const int width = data[0] % 120 + 4;
  const panel::Signs signs = (data[0] & 0x80) != 0 ? panel::ascii_signs() : panel::Signs{};
  for (const auto& line : panel::render_markdown(text, width, signs))
    if (panel::width_of(line.spans) > width) std::abort();
  return 0;
}
