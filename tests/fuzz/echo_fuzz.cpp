// The echo of a typed line, as any editor or any host may draw it: the same is swallowed and passed on however it is
// cut, and reading what lies beyond it ends. A byte 0x01 stands for the whole line, 0x02 for its mark: chance would
// find neither.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "remote_exec/echo_filter.h"
#include "tests/fuzz/known_good.h"

namespace {

constexpr std::string_view kMark = "]7717;0123456789abcdef";
const std::string kLine = " echo 中文; command printf '\\033" + std::string(kMark) + ";e;%s\\007' \"$?\"";

std::string described(std::string_view bytes, std::size_t piece) {
  remote_exec::EchoFilter filter(kLine);
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += piece) filter.feed(bytes.substr(at, piece), out);
  return out + "\n" + filter.pen() + "\n" + filter.after() + "\n" + std::to_string(filter.seen()) +
         (filter.end_drawn() ? " end" : "");
}

}  // namespace

bool fuzz::takes_known_good() {
  remote_exec::EchoFilter filter(kLine);
  std::string out;
  filter.feed("$ " + kLine + "\r\nfile\r\n", out);
  return filter.complete() && out.empty() &&
         remote_exec::beyond_echo(filter.after(), {kLine, kMark, "$ "}) == "file\r\n";
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string text;
  for (std::size_t i = 1; i < size; ++i)
    data[i] == 1 ? text += kLine : data[i] == 2 ? text += kMark : text += static_cast<char>(data[i]);
  if (text.size() > 32 * 1024) return 0;  // What comes after the line is kept up to a limit, by pieces.
  if (described(text, text.size() + 1) != described(text, data[0] % 7 + 1)) std::abort();
  const std::string beyond = remote_exec::beyond_echo(text, {kLine, kMark, (data[0] & 0x80) != 0 ? "$ " : ""});
  if (beyond.find(kMark) != std::string::npos) std::abort();
  return 0;
}
