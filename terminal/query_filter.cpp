#include "terminal/query_filter.h"

#include <utility>

#include "vt/control_bytes.h"
#include "vt/csi.h"
#include "vt/tokenizer.h"

namespace terminal {
namespace {

bool csi_asks(std::string_view raw) {
  vt::Csi csi;
  if (!csi.read(raw)) return false;
  const int first = csi.get(0, 0);
  switch (csi.final_byte) {
    case 'c':
    case 'x':
      return csi.intermediate == 0;  // device attributes, DECREQTPARM
    case 'n':
      return csi.leader != '>';  // DSR; with > it sets key modifiers
    case 'p':
      return csi.intermediate == '$';  // DECRQM
    case 'q':
      return csi.leader == '>';  // XTVERSION; plain q sets the cursor style
    case 'u':
      return csi.leader == '?';  // kitty keyboard flags
    case 't':
      return csi.leader == 0 && first >= 11 && first <= 21;
    case 'w':
      return csi.intermediate == '$';  // DECRQPSR
    case 'y':
      return csi.intermediate == '*';  // DECRQCRA
    case 'S':
    case 'm':
      return csi.leader == '?';  // XTSMGRAPHICS, XTQMODKEYS
    default:
      return false;
  }
}

bool string_asks(vt::Kind kind, std::string_view text) {
  const std::string body = vt::without_controls(text);
  if (kind == vt::Kind::osc) return body.find(";?") != std::string::npos;  // colours, clipboard
  if (kind == vt::Kind::dcs) return body.starts_with("$q") || body.starts_with("+q");
  if (kind == vt::Kind::apc) return body.starts_with("G") && body.find("a=q") != std::string::npos;
  return false;
}

/// Keeps what asks nothing. What another sequence breaks off is left out: it does nothing, and must not swallow what
/// follows when that other one is left out.
class Replay final : public vt::Sink {
 public:
  explicit Replay(std::size_t size) { kept_.reserve(size); }

  void text(std::string_view run) override { kept_ += run; }
  void control(char byte) override {
    if (byte != vt::kEnq) kept_ += byte;
  }
  void string_begins(vt::Kind, std::string_view introducer) override { string_ = introducer; }
  void string_part(std::string_view bytes) override { string_ += bytes; }

  void sequence(const vt::Sequence& sequence) override {
    const bool asks = sequence.is_string()             ? string_asks(sequence.kind, string_.substr(2))
                      : sequence.kind == vt::Kind::csi ? csi_asks(sequence.raw)
                                                       : sequence.raw == "\x1bZ";  // DECID
    if (!asks) keep(sequence);
  }
  void discarded(const vt::Sequence& sequence) override {
    if (sequence.end != vt::End::broken) keep(sequence);
  }

  std::string take() { return std::move(kept_); }

 private:
  void keep(const vt::Sequence& sequence) {
    if (!sequence.is_string()) {
      kept_ += sequence.raw;
    } else {
      (kept_ += string_) += sequence.ending();
    }
  }

  std::string kept_;
  std::string string_;  ///< The string under way, all of it.
};

}  // namespace

std::string without_queries(std::string_view bytes) {
  Replay replay(bytes.size());
  vt::Tokenizer tokens;
  tokens.feed(bytes, replay);
  tokens.finish(replay);
  return replay.take();
}

}  // namespace terminal
