// However a stream is cut, the same marks are found and the same text is handed on.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "remote_exec/marks.h"
#include "tests/fuzz/known_good.h"

namespace {

struct Collected final : remote_exec::MarkScanner::Sink {
  void on_text(std::string_view bytes) override { seen += bytes; }
  void on_mark(const remote_exec::Mark& mark) override {
    if (mark.payload.size() > remote_exec::MarkScanner::kMaxPayload) std::abort();
    seen += std::string("<mark ") + static_cast<char>(mark.kind) + mark.payload + ">";
  }
  std::string seen;
};

}  // namespace

bool fuzz::takes_known_good() {
  Collected found;
  remote_exec::MarkScanner scanner(remote_exec::Nonce(0x0123456789abcdef));
  scanner.feed("a\033]7717;0123456789abcdef;e;0\007b", found);
  return found.seen == "a<mark e0>b";
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string text;
  // A byte 0x01 stands for the beginning of a true mark, which chance would not find.
  for (std::size_t i = 1; i < size; ++i)
    data[i] == 1 ? text += "\033]7717;0123456789abcdef;" : text += static_cast<char>(data[i]);
  const remote_exec::Nonce nonce(0x0123456789abcdef);
  Collected whole, pieces;
  remote_exec::MarkScanner one(nonce), other(nonce);
  one.feed(text, whole);
  whole.on_text(one.give_up());
  const std::size_t step = data[0] % 7 + 1;
  for (std::size_t at = 0; at < text.size(); at += step) other.feed(std::string_view(text).substr(at, step), pieces);
  pieces.on_text(other.give_up());
  if (whole.seen != pieces.seen) std::abort();
  return 0;
}
