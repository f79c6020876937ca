#include "base/one_line.h"

#include "base/utf8.h"

namespace base {

std::string one_line(std::string_view text, std::size_t limit) {
  std::string line;
  while (!text.empty() && line.size() < limit) {
    const auto [code, bytes] = decode_utf8(text);
    const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
    if (!control)
      append_utf8(line, code);
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
    text.remove_prefix(bytes);
  }
  while (line.ends_with(' ')) line.pop_back();
  return line;
}

}  // namespace base
