#include "remote_exec/operator_line.h"

#include "remote_exec/vt_tokens.h"

namespace remote_exec {
namespace {

/// Collects keys; reports are sequences with known endings.
struct Keys {
  std::string keys;

  void text(std::string_view run) { keys += run; }
  void control(char c) { keys += c; }
  void sequence(SequenceKind kind, std::string_view raw) {
    if (kind == SequenceKind::osc || kind == SequenceKind::command) return;
    if (kind == SequenceKind::csi) {
      const char final = raw.back();
      const bool report = final == 'R' || final == 'c' || final == 'n' || final == 'y' || final == 'I' ||
                          final == 'O' || final == 'M' || final == 'm' || (final == 'u' && raw.starts_with("\033[?"));
      if (report) return;
    }
    keys += raw;
  }
};

}  // namespace

std::string keys_only(std::string_view bytes) {
  Keys keys;
  VtTokens tokens;
  tokens.feed(bytes, keys);
  // A lone Escape key, or a sequence that goes on in the next read, still is a key.
  if (tokens.inside_sequence()) keys.keys += '\033';
  return keys.keys;
}

void OperatorLine::typed(std::string_view bytes, const std::function<ScreenView()>& look,
                         std::chrono::steady_clock::time_point now) {
  std::string keys = keys_only(bytes);
  if (!keys.empty()) last_key_ = now;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const std::string_view rest = std::string_view(keys).substr(i);
    if (rest.starts_with("\033[200~")) in_paste_ = true;
    if (rest.starts_with("\033[201~")) in_paste_ = false;
    const char c = keys[i];
    const bool enters = (c == '\r' || c == '\n' || c == 0x0f) && !in_paste_;
    const bool ends = c == 0x03 || c == 0x04 || c == 0x1c || c == 0x1a;
    if (enters || ends) {
      entered_ = true;
      typing_ = false;
      continue;
    }
    if (!typing_) {
      typing_ = true;
      line_before_ = look().whole_line;
    }
  }
}

void OperatorLine::reset(std::string_view line) {
  entered_ = false;
  if (typing_) {  // Typed ahead while a command ran: it stands on the line now.
    const auto end = line.find_last_not_of(' ');
    line_before_ = end == std::string_view::npos ? std::string_view() : line.substr(0, end + 1);
  }
}

}  // namespace remote_exec
