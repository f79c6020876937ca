// InputGuard: titles, links, and the answers to queries. No string sequence ever reaches libvterm, and nothing that
// the remote set is sent back to it: no title report, no clipboard, no answerback.
#include <algorithm>
#include <charconv>

#include "base/utf8.h"
#include "terminal/input_guard.h"
#include "terminal/sgr.h"
#include "vt/control_bytes.h"

namespace terminal {
namespace {

constexpr std::size_t kMaxTitle = 1024;
constexpr std::size_t kMaxLink = 2048;

/// Valid UTF-8 without controls.
std::string clean_text(std::string_view text, std::size_t limit) {
  std::string clean;
  while (!text.empty() && clean.size() < limit) {
    const auto [code, bytes] = base::decode_utf8(text);
    text.remove_prefix(bytes);
    if (code >= 0x20 && (code < 0x7F || code >= 0xA0)) base::append_utf8(clean, code);
  }
  return clean;
}

std::string csi_reply(const std::string& body) {
  return "\x1b[" + body;
}

std::string dcs_reply(const std::string& body) {
  return "\x1bP" + body + "\x1b\\";
}

}  // namespace

void InputGuard::reply(const std::string& text) {
  if (receiver_) receiver_(text);
}

void InputGuard::on_string(vt::Kind kind, std::string_view text) {
  last_ = 0;
  if (std::any_of(text.begin(), text.end(), vt::is_control)) return on_string(kind, vt::without_controls(text));
  if (kind == vt::Kind::osc) {
    take_osc(text);
  } else if (kind == vt::Kind::dcs && text.starts_with("$q")) {
    report_setting(text.substr(2));
  } else if (kind == vt::Kind::dcs && text.starts_with("+q")) {
    reply(dcs_reply("0+r"));
  }
}

void InputGuard::take_osc(std::string_view text) {
  int number = -1;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest == end || *rest != ';') return;
  const std::string_view body = text.substr(static_cast<std::size_t>(rest - text.data()) + 1);
  if (number == 0 || number == 2) {
    title_ = clean_text(body, kMaxTitle);
    canvas_.changed();
  } else if (number == 8) {
    const std::size_t separator = body.find(';');
    const bool opens = separator != std::string_view::npos && separator + 1 < body.size();
    modes_.hyperlink = opens && body.size() <= kMaxLink ? clean_text(body, kMaxLink) : std::string();
  }
}

bool InputGuard::query_csi(const Csi& csi) {
  const int first = csi.get(0, 0);
  switch (csi.key()) {
    case Csi::key(0, 0, 'c'):
      if (first == 0) reply(csi_reply("?1;2c"));
      return true;
    case Csi::key('>', 0, 'c'):
      if (first == 0) reply(csi_reply(">0;100;0c"));
      return true;
    case Csi::key('=', 0, 'c'):
      if (first == 0) reply(dcs_reply("!|00000000"));
      return true;
    case Csi::key(0, 0, 'n'):
    case Csi::key('?', 0, 'n'):
      report_status(csi);
      return true;
    case Csi::key(0, '$', 'p'):
    case Csi::key('?', '$', 'p'):
      report_mode(csi);
      return true;
    case Csi::key('>', 0, 'q'):
      if (first == 0) reply(dcs_reply(">|jms"));
      return true;
    case Csi::key(0, 0, 'x'):
      if (first <= 1) reply(csi_reply(std::to_string(first + 2) + ";1;1;128;128;1;0x"));
      return true;
    case Csi::key(0, 0, 't'):
      if (first == 18) {
        reply(csi_reply("8;" + std::to_string(canvas_.size().rows) + ';' + std::to_string(canvas_.size().cols) + 't'));
      }
      return true;
    default:
      return false;
  }
}

void InputGuard::report_status(const Csi& csi) {
  const std::string mark = csi.leader == '?' ? "?" : "";
  const int what = csi.get(0, 0);
  if (what == 5) return reply(csi_reply(mark + "0n"));
  if (what == 6) {
    Position at = position();
    if (modes_.origin) {
      at.row -= margins().top;
      at.col -= margins().left;
    }
    return reply(csi_reply(mark + std::to_string(at.row + 1) + ';' + std::to_string(at.col + 1) + 'R'));
  }
  if (mark.empty()) return;
  if (what == 15) return reply(csi_reply("?13n"));  // no printer
  if (what == 25) return reply(csi_reply("?21n"));  // user keys locked
  if (what == 26) return reply(csi_reply("?27;1;0;0n"));
}

void InputGuard::report_mode(const Csi& csi) {
  const int mode = csi.get(0, 0);
  const bool dec = csi.leader == '?';
  const int value = dec ? dec_mode(mode) : ansi_mode(mode);
  reply(csi_reply((dec ? "?" : "") + std::to_string(mode) + ';' + std::to_string(value) + "$y"));
}

/// DECRQSS.
void InputGuard::report_setting(std::string_view request) {
  const Margins limits = margins();
  std::string value;
  if (request == "m") {
    value = sgr_parameters(modes_.pen);
  } else if (request == "r") {
    value = std::to_string(limits.top + 1) + ';' + std::to_string(limits.bottom);
  } else if (request == "s") {
    value = std::to_string(limits.left + 1) + ';' + std::to_string(limits.right);
  } else if (request == " q") {
    value = std::to_string(modes_.cursor_style);
  } else if (request == "\"q") {
    value = protect_ ? "1" : "0";
  } else {
    return reply(dcs_reply("0$r"));
  }
  reply(dcs_reply("1$r" + value + std::string(request)));
}

}  // namespace terminal
