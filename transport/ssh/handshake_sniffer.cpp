#include "transport/ssh/handshake_sniffer.h"

#include <algorithm>

#include "base/words.h"
#include "transport/ssh/config_words.h"
#include "transport/ssh/wire.h"

namespace transport {
namespace {

constexpr std::size_t kLongestLine = 8192;
constexpr std::size_t kMostBeforeBanner = 64 * 1024;
constexpr std::size_t kLargestPacket = 35'000;
constexpr std::uint8_t kKexInit = 20;

/// At most 40 printable characters of untrusted text.
std::string first_printable(std::string_view text) {
  std::string result;
  for (const char c : text.substr(0, 40)) result += c >= ' ' && c < 0x7f ? c : '?';
  return result;
}

}  // namespace

std::string HandshakeSniffer::other_words() const {
  const std::string& words = first_line_.empty() ? pending_ : first_line_;
  return words.starts_with("SSH-") ? "" : first_printable(words);
}

void HandshakeSniffer::feed(std::string_view bytes) {
  if (done()) return;
  pending_ += bytes;
  while (banner_.empty() && trouble_.empty() && take_banner_line()) {
  }
  if (!banner_.empty() && trouble_.empty()) take_packet();
  if (done()) std::string().swap(pending_);
}

bool HandshakeSniffer::take_banner_line() {
  const std::size_t end = pending_.find('\n');
  if (end == std::string::npos && pending_.size() > kLongestLine) {
    trouble_ = "it is not an SSH server: it sends something else (\"" + first_printable(pending_) + "\")";
    return false;
  }
  if (end == std::string::npos) return false;
  const std::string line(trim_right(std::string_view(pending_).substr(0, end), "\r\n"));
  pending_.erase(0, end + 1);
  if (line.starts_with("SSH-")) {
    banner_ = line.substr(0, 255);
    if (!line.starts_with("SSH-2.") && !line.starts_with("SSH-1.99-"))
      trouble_ = "it speaks an SSH protocol that is no longer used (" + first_printable(line) + ")";
    return false;
  }
  if (first_line_.empty()) first_line_ = line;
  before_banner_ += end + 1;
  if (before_banner_ > kMostBeforeBanner)
    trouble_ = "it is not an SSH server: it sends something else (\"" + first_printable(first_line_) + "\")";
  return true;
}

void HandshakeSniffer::take_packet() {
  WireReader reader(pending_);
  const auto length = reader.number();
  if (!length) return;
  if (*length < 2 || *length > kLargestPacket) {
    trouble_ = "it breaks the SSH protocol right after its banner (" + first_printable(banner_) + ")";
    return;
  }
  const auto packet = reader.take(*length);
  if (!packet) return;
  WireReader body(packet->substr(1));
  const auto type = body.byte();
  if (!type || *type != kKexInit || !body.take(16)) {
    trouble_ = "it breaks the SSH protocol right after its banner (" + first_printable(banner_) + ")";
    return;
  }
  ServerOffer offer;
  for (auto* list :
       {&offer.kex, &offer.host_keys, &offer.ciphers, static_cast<std::vector<std::string>*>(nullptr), &offer.macs}) {
    const auto names = body.string();
    if (!names || !std::all_of(names->begin(), names->end(), [](char c) { return c > ' ' && c < 0x7f; })) {
      trouble_ = "it breaks the SSH protocol in its list of algorithms";
      return;
    }
    const auto split = base::split(*names);
    if (list != nullptr) list->assign(split.begin(), split.end());
  }
  offer_ = std::move(offer);
}

}  // namespace transport
