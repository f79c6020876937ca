// The tokens of a stream are the same however it is cut, in both readings of C1, and nothing but controls in the middle
// of sequences changes its place: put together again they are the stream.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "tests/fuzz/known_good.h"
#include "tests/unit/vt/tokens_helper.h"

namespace {

/// Puts the stream together again, without what a terminal takes for not there.
struct Again final : vt::Sink {
  void text(std::string_view run) override { bytes += run; }
  void control(char byte) override { bytes += byte; }
  void sequence(const vt::Sequence& sequence) override { end(sequence); }
  void discarded(const vt::Sequence& sequence) override { end(sequence); }
  void string_begins(vt::Kind, std::string_view introducer) override { bytes += introducer; }
  void string_part(std::string_view part) override { bytes += part; }
  void end(const vt::Sequence& sequence) {
    if (sequence.raw.size() > vt::kMostString + 4) std::abort();
    bytes += sequence.is_string() ? sequence.ending() : sequence.raw;
    lost = lost || (sequence.cut && !sequence.is_string());
  }
  std::string bytes;
  bool lost = false;  ///< Bytes of a sequence that was too long.
};

std::string sorted_bytes(std::string bytes) {
  std::erase_if(bytes, [](char byte) { return byte == 0 || byte == 0x7f; });
  std::sort(bytes.begin(), bytes.end());
  return bytes;
}

void check_complete(std::string_view bytes, vt::C1 c1) {
  Again again;
  vt::Tokenizer tokenizer(c1);
  tokenizer.feed(bytes, again);
  tokenizer.finish(again);
  if (!tokenizer.in_text()) std::abort();
  if (!again.lost && sorted_bytes(again.bytes) != sorted_bytes(std::string(bytes))) std::abort();
}

}  // namespace

bool fuzz::takes_known_good() {
  return vt::tokens("a\033[31mb\033]0;t\007", vt::C1::text, 2) == "text(a) csi(\033[31m) text(b) osc(\033]0;t\007)";
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  std::string bytes;
  // A byte 0x01 makes what came before it long.
  for (std::size_t i = 1; i < size; ++i) data[i] == 1 ? bytes.append(2000, '0') : bytes += static_cast<char>(data[i]);
  if (bytes.size() > 16 * 1024) return 0;
  const std::size_t piece = data[0] % 7 + 1;
  for (const vt::C1 c1 : {vt::C1::text, vt::C1::controls}) {
    if (vt::tokens(bytes, c1, piece, true) != vt::tokens(bytes, c1, bytes.size() + 1, true)) std::abort();
    check_complete(bytes, c1);
  }
  return 0;
}
