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
      return csi.prefix == '?';  // XTSMGRAPHICS
    case 'm':
      return csi.prefix == '?';  // XTQMODKEYS
    default:
      return false;
  }
}

/// Length of a string sequence (OSC, DCS, APC, PM, SOS) with its terminator; 0 when it is cut off.
std::size_t string_length(std::string_view bytes) {
  const bool osc = bytes[1] == ']';
  for (std::size_t at = 2; at < bytes.size(); ++at) {
    if (osc && bytes[at] == kBel) return at + 1;
    if (bytes[at] == kCan || bytes[at] == kSub) return at + 1;
    if (bytes[at] != kEsc) continue;
    if (at + 1 >= bytes.size()) return 0;
    return bytes[at + 1] == '\\' ? at + 2 : at;
  }
  return 0;
}

bool string_asks(std::string_view text) {
  const char kind = text[1];
  const std::string_view body = text.substr(2);
  if (kind == ']') return body.find(";?") != std::string_view::npos;  // colours, clipboard
  if (kind == 'P') return body.starts_with("$q") || body.starts_with("+q");
  if (kind == '_') return body.starts_with("G") && body.find("a=q") != std::string_view::npos;
  return false;
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
    std::size_t length = 1;
    bool drop = bytes[0] == kEnq;
    if (bytes[0] == kEsc && bytes.size() > 1) {
      switch (bytes[1]) {
        case '[': {
          const CsiText csi = read_csi(bytes);
          length = std::max<std::size_t>(csi.length, 2);
          drop = csi.length > 0 && asks(csi);
          break;
        }
        case ']':
        case 'P':
        case '_':
        case '^':
        case 'X':
          length = string_length(bytes);
          if (length == 0) length = bytes.size();
          drop = string_asks(bytes.substr(0, length));
          break;
        default:
          length = 2;
          drop = bytes[1] == 'Z';  // DECID
      }
    }
    if (!drop) kept.append(bytes.substr(0, length));
    bytes.remove_prefix(length);
  }
  return kept;
}

}  // namespace terminal
