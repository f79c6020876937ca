#include "terminal/query_filter.h"

#include <algorithm>
#include <charconv>

#include "terminal/control_bytes.h"

namespace terminal {
namespace {

/// One control sequence in its own bytes, for what passes it on unchanged: CSI prefix parameters intermediates final.
struct CsiText {
  char prefix = 0;  ///< One of < = > ? or 0.
  std::string_view parameters;
  std::string_view intermediates;
  char final = 0;
  std::size_t length = 0;  ///< With ESC [ and the final byte; 0 when it is cut off or broken.
};

bool in_range(char byte, char low, char high) {
  return byte >= low && byte <= high;
}

CsiText read_csi(std::string_view bytes) {
  CsiText csi;
  std::size_t at = 2;
  if (at < bytes.size() && in_range(bytes[at], '<', '?')) csi.prefix = bytes[at++];
  const std::size_t parameters = at;
  while (at < bytes.size() && in_range(bytes[at], '0', ';')) ++at;
  csi.parameters = bytes.substr(parameters, at - parameters);
  const std::size_t intermediates = at;
  while (at < bytes.size() && in_range(bytes[at], ' ', '/')) ++at;
  csi.intermediates = bytes.substr(intermediates, at - intermediates);
  if (at >= bytes.size() || !in_range(bytes[at], '@', '~')) return csi;
  csi.final = bytes[at];
  csi.length = at + 1;
  return csi;
}

int first_number(std::string_view parameters) {
  int number = 0;
  std::from_chars(parameters.data(), parameters.data() + parameters.size(), number);
  return number;
}

bool asks(const CsiText& csi) {
  switch (csi.final) {
    case 'c':
    case 'x':
      return csi.intermediates.empty();  // device attributes, DECREQTPARM
    case 'n':
      return csi.prefix != '>';  // DSR; with > it sets key modifiers
    case 'p':
      return csi.intermediates == "$";  // DECRQM
    case 'q':
      return csi.prefix == '>';  // XTVERSION; plain q sets the cursor style
    case 'u':
      return csi.prefix == '?';  // kitty keyboard flags
    case 't':
      return csi.prefix == 0 && first_number(csi.parameters) >= 11 && first_number(csi.parameters) <= 21;
    case 'w':
      return csi.intermediates == "$";  // DECRQPSR
    case 'y':
      return csi.intermediates == "*";  // DECRQCRA
    case 'S':
    case 'm':
      return csi.prefix == '?';  // XTSMGRAPHICS, XTQMODKEYS
    default:
      return false;
  }
}

/// Where a string sequence (OSC, DCS, APC, PM, SOS) ends whose text begins at `at`, with its terminator; the end of the
/// bytes when it is cut off.
std::size_t string_end(std::string_view bytes, std::size_t at, bool osc) {
  for (; at < bytes.size(); ++at) {
    if (osc && bytes[at] == kBel) return at + 1;
    if (bytes[at] == kCan || bytes[at] == kSub) return at + 1;
    if (bytes[at] != kEsc) continue;
    if (at + 1 >= bytes.size()) return bytes.size();
    return bytes[at + 1] == '\\' ? at + 2 : at;
  }
  return at;
}

bool string_asks(char kind, std::string body) {
  std::erase_if(body, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == kDel; });  // As terminals do.
  if (kind == ']') return body.find(";?") != std::string::npos;                                  // colours, clipboard
  if (kind == 'P') return body.starts_with("$q") || body.starts_with("+q");
  if (kind == '_') return body.starts_with("G") && body.find("a=q") != std::string::npos;
  return false;
}

/// One sequence, as a terminal reads it: a control character in the middle is obeyed at once and ends nothing, a new
/// ESC begins anew, CAN, SUB and what is no ASCII break it off.
struct Sequence {
  std::string controls;    ///< What was obeyed in between.
  std::string text;        ///< The rest of it, from its ESC.
  std::size_t length = 0;  ///< Of all of it, in the bytes it came in.
  bool asks = false;
};

/// True when `text` needs no more bytes; a string's text is not among them.
bool is_whole(std::string_view text) {
  const char last = text.back();
  if (text.size() == 2) return last != '[' && !in_range(last, ' ', '/');
  return text[1] == '[' ? in_range(last, '@', '~') : !in_range(last, ' ', '/');
}

/// A string whose terminator has not come.
bool is_open_string(std::string_view text) {
  if (text.size() < 2 || std::string_view("]P_^X").find(text[1]) == std::string_view::npos) return false;
  const char last = text.back();
  return !text.ends_with("\x1b\\") && last != kCan && last != kSub && !(text[1] == ']' && last == kBel);
}

void judge(Sequence& found, std::string_view bytes) {
  const char kind = found.text[1];
  if (kind == '[') {
    const CsiText csi = read_csi(found.text);
    found.asks = csi.length > 0 && asks(csi);
  } else if (std::string_view("]P_^X").find(kind) != std::string_view::npos) {
    const std::size_t end = string_end(bytes, found.length, kind == ']');
    const std::string_view body = bytes.substr(found.length, end - found.length);
    found.text += body;
    found.asks = string_asks(kind, std::string(body)) && !is_open_string(found.text);
    found.length = end;
  } else {
    found.asks = found.text == "\x1bZ";  // DECID
  }
}

Sequence read_sequence(std::string_view bytes) {
  Sequence found;
  found.text = bytes[0];
  std::size_t& at = found.length = 1;
  bool whole = false;
  while (!whole && at < bytes.size() && bytes[at] != kEsc && static_cast<unsigned char>(bytes[at]) < 0x80) {
    const char byte = bytes[at++];
    if (byte == 0 || byte == kDel || byte == kEnq) continue;
    whole = byte == kCan || byte == kSub;
    if (whole || byte >= ' ')
      found.text += byte;
    else
      found.controls += byte;
    if (whole || byte < ' ' || !is_whole(found.text)) continue;
    whole = true;
    judge(found, bytes);
  }
  // What a new ESC breaks off does nothing, and must not swallow what follows when that ESC's sequence is left out.
  const bool broken_off = at < bytes.size() && bytes[at] == kEsc;
  if (broken_off && (!whole || is_open_string(found.text))) found.text.clear();
  return found;
}

}  // namespace

std::string without_queries(std::string_view bytes) {
  std::string kept;
  kept.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t plain = std::min(bytes.find_first_of("\x1b\x05"), bytes.size());
    kept.append(bytes.substr(0, plain));
    bytes.remove_prefix(plain);
    if (bytes.empty()) break;
    if (bytes[0] == kEnq) {
      bytes.remove_prefix(1);
      continue;
    }
    const Sequence sequence = read_sequence(bytes);
    kept.append(sequence.controls).append(sequence.asks ? std::string_view() : sequence.text);
    bytes.remove_prefix(sequence.length);
  }
  return kept;
}

}  // namespace terminal
