// A model may write anything: no row is wider than it may be, and an answer that streams in ends up as it would at
// once.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/utf8.h"
#include "panel/answer.h"
#include "panel/markdown.h"
#include "safety/sanitizer.h"
#include "tests/fuzz/known_good.h"

namespace {

void check_widths(const panel::Lines& lines, int width) {
  for (const auto& line : lines)
    if (panel::width_of(line.spans) > width) std::abort();
}

bool same(const std::vector<panel::Code>& one, const std::vector<panel::Code>& other) {
  if (one.size() != other.size()) return false;
  for (std::size_t i = 0; i < one.size(); ++i)
    if (one[i].language != other[i].language || one[i].text != other[i].text) return false;
  return true;
}

/// Laid out after each piece, as the panel does while an answer comes.
void check_streaming(std::string_view text, std::size_t piece, int width, const panel::Signs& signs) {
  panel::Answer whole, streamed;
  whole.append(text);
  whole.prepare(width, signs);
  check_widths(whole.rows(), width);
  while (!text.empty()) {
    // Text comes from the sanitizer in whole characters.
    std::string_view next = base::cut_utf8(text, piece);
    if (next.empty()) next = text.substr(0, base::decode_utf8(text).bytes);
    streamed.append(next);
    streamed.prepare(width, signs);
    text.remove_prefix(next.size());
  }
  if (streamed.rows() != whole.rows() || !same(*streamed.codes(), *whole.codes())) std::abort();
}

}  // namespace

bool fuzz::takes_known_good() {
  panel::Answer answer;
  answer.append("Look:\n\n```sh\ndf -h\n```\n");
  answer.prepare(40, {});
  const auto lines = panel::render_markdown("a **b**", 40, {});
  return answer.codes()->size() == 1 && answer.codes()->front().text == "df -h\n" && lines.size() == 1 &&
         panel::text_of(lines[0]) == "a b";
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2 || size > panel::kLargestPiece) return 0;
  const std::string text = safety::sanitize({reinterpret_cast<const char*>(data) + 1, size - 1});
  const int width = data[0] % 120 + 4;
  const panel::Signs signs = (data[0] & 0x80) != 0 ? panel::ascii_signs() : panel::Signs{};
  check_widths(panel::render_markdown(text, width, signs), width);
  // A piece is laid out again with each that is added to it: few pieces for a long text.
  check_streaming(text, data[0] % 13 + 1 + text.size() / 16, width, signs);
  return 0;
}
