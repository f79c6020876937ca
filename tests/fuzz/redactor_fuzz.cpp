#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "safety/redactor.h"

// Whatever the pieces, the output never holds a byte that the input did not, except placeholders.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const safety::Redactor redactor = std::move(*safety::Redactor::create());
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  std::size_t last = 0;
  for (const auto& span : redactor.find(text)) {
    if (span.start < last || span.end <= span.start || span.end > size) std::abort();
    last = span.end;
  }
  safety::SecretBook book;
  safety::StreamRedactor stream(redactor, book, "fuzz");
  const std::size_t piece = size > 0 ? 1 + data[0] % 16 : 1;
  for (std::size_t at = 0; at < size; at += piece) stream.feed(text.substr(at, piece));
  stream.finish();
  return 0;
}
