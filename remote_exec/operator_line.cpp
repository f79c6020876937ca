#include "remote_exec/operator_line.h"

#include <algorithm>

#include "vt/control_bytes.h"
#include "vt/tokenizer.h"

namespace remote_exec {
namespace {

/// A report is a whole sequence with a known ending, or a string. One that holds a control or is long is none: it was
/// typed, with Alt and a bracket at its beginning.
bool is_report(const vt::Sequence& sequence) {
  if (sequence.is_string()) {
    const std::string_view body = sequence.body();
    return !sequence.cut && std::none_of(body.begin(), body.end(), vt::is_control);
  }
  const bool keyboard = sequence.final_byte() == 'u' && sequence.raw.starts_with("\033[?");
  return sequence.kind == vt::Kind::csi &&
         (keyboard || std::string_view("RcnyIOMm").find(sequence.final_byte()) != std::string_view::npos);
}

/// Collects what is no report.
struct Keys final : vt::Sink {
  std::string keys;

  void text(std::string_view run) override { keys += run; }
  void control(char c) override { keys += c; }
  void sequence(const vt::Sequence& sequence) override {
    if (!is_report(sequence)) keys += sequence.raw;
  }
  /// A lone Escape key, or a sequence that goes on in the next read, still is a key.
  void discarded(const vt::Sequence& sequence) override { keys += sequence.raw; }
  bool string_goes_on(std::string_view body) override {
    (keys += vt::kEsc) += body;
    return false;
  }
};

}  // namespace

std::string keys_only(std::string_view bytes) {
  Keys keys;
  vt::Tokenizer tokens;
  tokens.feed(bytes, keys);
  tokens.finish(keys);
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
