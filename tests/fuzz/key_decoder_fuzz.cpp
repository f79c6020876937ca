// libFuzzer: any bytes, cut anywhere, give the same keys as in one piece, and nothing a terminal could obey.

#include <cstdint>
#include <cstdlib>

#include "terminal/hotkey.h"
#include "terminal/key_decoder.h"
#include "tests/fuzz/known_good.h"

namespace {

void check(bool holds) {
  if (!holds) std::abort();
}

void check_keys(std::string_view bytes, std::size_t cut) {
  terminal::KeyDecoder whole;
  const auto wanted = whole.feed(bytes);
  terminal::KeyDecoder pieces;
  auto got = pieces.feed(bytes.substr(0, cut));
  for (auto& key : pieces.feed(bytes.substr(cut))) got.push_back(key);
  check(got == wanted);
  for (const auto& key : got) {
    check(key.kind != terminal::KeyKind::character || (key.character >= 0x20 && key.character != 0x7F));
    check(key.kind != terminal::KeyKind::paste || key.text.find('\x1b') == std::string::npos);
  }
}

std::string filtered(terminal::HotkeyFilter& filter, std::string_view bytes) {
  std::string out;
  for (const auto& event : filter.feed(bytes)) {
    out += event.kind == terminal::HotkeyFilter::Event::Kind::hotkey ? "\x1d" : event.bytes;
  }
  return out;
}

void check_filter(std::string_view bytes, std::size_t cut) {
  terminal::HotkeyFilter whole{terminal::Hotkey()};
  terminal::HotkeyFilter pieces{terminal::Hotkey()};
  auto wanted = filtered(whole, bytes);
  wanted += whole.flush();
  auto got = filtered(pieces, bytes.substr(0, cut));
  got += filtered(pieces, bytes.substr(cut));
  check(got + pieces.flush() == wanted);
}

}  // namespace

bool fuzz::takes_known_good() {
  const auto keys = terminal::KeyDecoder().feed("a\x1b[A");
  return keys.size() == 2 && keys[0].character == U'a' && keys[1].kind == terminal::KeyKind::up;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t cut = data[0] % size;
  check_keys(bytes, cut);
  check_filter(bytes, cut);
  return 0;
}
