// Any bytes in any pieces: the same events, all of them well-formed UTF-8.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "model/sse_parser.h"
#include "model/utf8_clean.h"
#include "tests/fuzz/known_good.h"

bool fuzz::takes_known_good() {
  std::string seen;
  model::SseParser parser(
      [&](const model::SseEvent& event) { seen += std::string(event.type) + std::string(event.data); }, 4096);
  (void)parser.feed("event: ping\ndata: {}\n\n");
  return seen == "ping{}";
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto parse = [&](std::size_t piece) {
    std::string seen;
    model::SseParser parser(
        [&](const model::SseEvent& event) {
          if (!model::is_utf8(event.data)) std::abort();
          seen += std::string(event.type) + '\0' + std::string(event.data) + '\0';
        },
        4096);
    for (std::size_t at = 0; at < bytes.size(); at += piece) (void)parser.feed(bytes.substr(at, piece));
    return seen + parser.last_id();
  };
  if (parse(size + 1) != parse(1) || parse(size + 1) != parse(5)) std::abort();
  return 0;
}
