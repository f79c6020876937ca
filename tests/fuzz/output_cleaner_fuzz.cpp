// What comes out is valid UTF-8 without controls, the same for every way of cutting, and never much more than went in.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "remote_exec/output_cleaner.h"
#include "tests/fuzz/known_good.h"

namespace {

std::string cleaned(std::string_view bytes, std::size_t step, std::string_view encoding) {
  remote_exec::OutputCleaner cleaner(encoding);
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += step) cleaner.feed(bytes.substr(at, step), out);
  cleaner.current_line();
  cleaner.line_before_cursor();
  cleaner.finish(out);
  return out;
}

}  // namespace

bool fuzz::takes_known_good() {
  return cleaned("10%\r\033[32m99%\033[m\r\n", 3, "") == "99%\n" && cleaned("\xd6\xd0\n", 1, "GB18030") == "中\n";
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string_view encoding = data[0] & 0x80 ? "GB18030" : "";
  const std::string whole = cleaned(bytes, bytes.size() + 1, encoding);
  for (const char c : whole)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f) std::abort();
  std::string again;
  remote_exec::append_safe_utf8(again, whole);
  if (again != whole) std::abort();
  if (cleaned(bytes, data[0] % 7 + 1, encoding) != whole) std::abort();
  return 0;
}
