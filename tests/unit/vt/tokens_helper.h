#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vt/tokenizer.h"

namespace vt {

/// Writes down what it is told, text in one piece: "text(ab) csi(^[31m)". With `parts` also how strings come.
class Written : public Sink {
 public:
  explicit Written(bool parts = false) : parts_(parts) {}

  void text(std::string_view run) override { text_ += run; }
  void control(char byte) override { add("control(" + std::to_string(static_cast<unsigned char>(byte)) + ")"); }
  void sequence(const Sequence& sequence) override {
    if (parts_ && sequence.is_string()) add("all(" + std::exchange(string_, {}) + ")");
    add(name(sequence) + (sequence.cut ? " cut" : ""));
  }
  void discarded(const Sequence& sequence) override {
    static const char* const kHow[] = {"whole", "cancelled", "broken", "unfinished"};
    if (parts_ && sequence.is_string()) add("all(" + std::exchange(string_, {}) + ")");
    add(name(sequence) + " " + kHow[static_cast<int>(sequence.end)]);
  }
  void string_begins(Kind, std::string_view introducer) override { string_ = introducer; }
  void string_part(std::string_view bytes) override { string_ += bytes; }

  std::string take() {
    flush();
    return std::exchange(said_, {});
  }

 private:
  static std::string name(const Sequence& sequence) {
    static const char* const kNames[] = {"escape", "csi", "osc", "dcs", "sos", "pm", "apc"};
    return std::string(kNames[static_cast<int>(sequence.kind)]) + "(" + std::string(sequence.raw) + ")";
  }
  void flush() {
    if (!text_.empty()) said_ += (said_.empty() ? "" : " ") + ("text(" + std::exchange(text_, {}) + ")");
  }
  void add(const std::string& token) {
    flush();
    said_ += (said_.empty() ? "" : " ") + token;
  }

  bool parts_;
  std::string text_;
  std::string string_;
  std::string said_;
};

/// The tokens of `bytes`, fed in pieces of so many bytes.
inline std::string tokens(std::string_view bytes, C1 c1 = C1::text, std::size_t piece = std::string_view::npos,
                          bool parts = false) {
  Written written(parts);
  Tokenizer tokenizer(c1);
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size())))
    tokenizer.feed(bytes.substr(0, piece), written);
  tokenizer.finish(written);
  return written.take();
}

}  // namespace vt
