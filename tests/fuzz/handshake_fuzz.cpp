// What a server sends before anybody is authenticated: the same banner, offer and trouble however it is cut, and
// nothing that a terminal could obey in what is told about it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "tests/fuzz/known_good.h"
#include "transport/ssh/handshake_sniffer.h"
#include "transport/ssh/wire.h"

namespace {

transport::HandshakeSniffer fed(std::string_view bytes, std::size_t piece) {
  transport::HandshakeSniffer sniffer;
  for (std::size_t at = 0; at < bytes.size(); at += piece) sniffer.feed(bytes.substr(at, piece));
  return sniffer;
}

void check_printable(std::string_view text) {
  for (const char c : text)
    if (c < ' ' || c > '~') std::abort();
}

std::string described(const transport::HandshakeSniffer& sniffer) {
  std::string text = sniffer.banner() + "\n" + sniffer.trouble() + "\n" + sniffer.other_words() + "\n";
  if (!sniffer.offer()) return text;
  const auto& offer = *sniffer.offer();
  for (const auto* list : {&offer.kex, &offer.host_keys, &offer.ciphers, &offer.macs})
    for (const auto& name : *list) {
      check_printable(name);
      text += name + ",";
    }
  return text;
}

}  // namespace

bool fuzz::takes_known_good() {
  std::string body("\x04\x14" + std::string(16, 'c'));  // Padding, KEXINIT, cookie.
  for (const char* list : {"kex-a,kex-b", "ssh-ed25519", "aes128-ctr", "aes128-ctr", "hmac-a", "hmac-a"})
    transport::put_string(body, list);
  std::string stream = "Welcome\r\nSSH-2.0-Test\r\n";
  transport::put_string(stream, body);
  const auto sniffer = fed(stream, 1);
  return sniffer.banner() == "SSH-2.0-Test" && sniffer.offer() && sniffer.offer()->kex.size() == 2;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 8192) return 0;  // A line longer than this is refused when its end has not come: that depends on the cut.
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto whole = fed(bytes, size + 1);
  check_printable(whole.trouble());
  check_printable(whole.other_words());
  if (described(whole) != described(fed(bytes, size > 0 ? 1 + data[size - 1] % 7 : 1))) std::abort();
  return 0;
}
