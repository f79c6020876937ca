#include "app/target/terminal_picture.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/environment.h"
#include "base/unique_fd.h"
#include "base/write_all.h"

namespace app {
namespace {

constexpr std::string_view kPng = "\x89PNG\r\n\x1a\n";
// The most that kitty's protocol takes in one escape sequence.
constexpr std::size_t kKittyChunk = 4096;

std::string kitty_sequence(const std::string& coded) {
  std::string out;
  for (std::size_t at = 0; at < coded.size(); at += kKittyChunk) {
    const bool more = at + kKittyChunk < coded.size();
    out += "\x1b_G";
    if (at == 0) out += "a=T,f=100,q=2,";
    out += std::string("m=") + (more ? "1" : "0") + ";" + coded.substr(at, kKittyChunk) + "\x1b\\";
  }
  return out + "\r\n";
}

}  // namespace

PictureProtocol picture_protocol() {
  const std::string term = base::environment("TERM"), program = base::environment("TERM_PROGRAM");
  if (!base::environment("TMUX").empty() || term.starts_with("screen") || term.starts_with("tmux"))
    return PictureProtocol::none;
  if (program == "iTerm.app" || program == "WezTerm") return PictureProtocol::iterm;
  if (term == "xterm-kitty" || term == "xterm-ghostty" || !base::environment("KITTY_WINDOW_ID").empty())
    return PictureProtocol::kitty;
  return PictureProtocol::none;
}

std::string picture_sequence(PictureProtocol protocol, std::string_view picture) {
  if (picture.empty()) return {};
  if (protocol == PictureProtocol::iterm)
    return "\x1b]1337;File=inline=1;size=" + std::to_string(picture.size()) + ":" + base::base64_encode(picture) +
           "\a\r\n";
  if (protocol == PictureProtocol::kitty && picture.starts_with(kPng))
    return kitty_sequence(base::base64_encode(picture));
  return {};
}

bool show_on_terminal(std::string_view picture) {
  const std::string bytes = picture_sequence(picture_protocol(), picture);
  if (bytes.empty()) return false;
  const base::UniqueFd tty(::open("/dev/tty", O_WRONLY | O_CLOEXEC | O_NOCTTY));
  return tty && base::write_all(tty.get(), bytes, "/dev/tty").has_value();
}

}  // namespace app
