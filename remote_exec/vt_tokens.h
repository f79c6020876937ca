#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace remote_exec {

/// What a terminal sequence is, as far as this room cares.
enum class SequenceKind {
  escape,   ///< ESC and a final byte, with intermediates: ESC ( B, ESC =, ESC 7.
  csi,      ///< ESC [ … final.
  osc,      ///< ESC ] … BEL or ESC \.
  command,  ///< DCS, APC, PM, SOS … ESC \.
};

/// True for what moves the cursor to another row than the next: such movement means rows as the remote believes them.
inline bool moves_up(SequenceKind kind, std::string_view raw) {
  if (kind == SequenceKind::escape) return raw == "\033M" || raw == "\0337" || raw == "\0338";
  return kind == SequenceKind::csi && std::string_view("AFHfdLMSTsu").find(raw.back()) != std::string_view::npos;
}

/// Which bytes are text: all but the controls.
inline constexpr std::array<bool, 256> kTextBytes = [] {
  std::array<bool, 256> table{};
  for (std::size_t c = 0x20; c < 256; ++c) table[c] = c != 0x7f;
  return table;
}();

/// Cuts a remote byte stream into text, control characters and whole sequences, in whatever pieces it comes.
///
/// Bytes above 0x7f are text: in UTF-8 there are no C1 controls. A string sequence that holds a control character or
/// grows beyond kMaxSequence is not one: its introducer is dropped and reading goes on as text.
class VtTokens {
 public:
  static constexpr std::size_t kMaxSequence = 4096;

  /// `sink` has text(string_view), control(char) and sequence(SequenceKind, string_view raw).
  template <typename Sink>
  void feed(std::string_view bytes, Sink& sink) {
    std::size_t i = 0;
    while (i < bytes.size()) {
      if (sequence_.empty()) {
        const std::size_t begin = i;
        while (i < bytes.size() && kTextBytes[static_cast<unsigned char>(bytes[i])]) ++i;
        if (i > begin) sink.text(bytes.substr(begin, i - begin));
        if (i == bytes.size()) return;
        const char c = bytes[i++];
        if (c == kEscape) {
          sequence_ = c;
        } else {
          sink.control(c);
        }
        continue;
      }
      step(bytes[i++], sink);
    }
  }

  /// True when a sequence has begun and not ended.
  bool inside_sequence() const { return !sequence_.empty(); }
  void reset() { sequence_.clear(); }

 private:
  static constexpr char kEscape = '\033';

  template <typename Sink>
  void finish(SequenceKind kind, Sink& sink) {
    const std::string whole = std::move(sequence_);
    sequence_.clear();
    sink.sequence(kind, whole);
  }

  template <typename Sink>
  void step(char c, Sink& sink) {
    if (c == 0x18 || c == 0x1a) return sequence_.clear();  // CAN and SUB cancel, as in every terminal.
    if (sequence_.size() == 1) return step_after_escape(c, sink);
    switch (sequence_[1]) {
      case '[':
        return step_csi(c, sink);
      case ']':
      case 'P':
      case '_':
      case '^':
      case 'X':
        return step_string(c, sink);
      default:
        return step_plain(c, sink);
    }
  }

  template <typename Sink>
  void step_after_escape(char c, Sink& sink) {
    if (c == kEscape) return;
    if (static_cast<unsigned char>(c) < 0x20) return sink.control(c);
    if (static_cast<unsigned char>(c) > 0x7e) {
      sequence_.clear();
      return sink.text(std::string_view(&c, 1));
    }
    sequence_ += c;
    const bool opens = c == '[' || c == ']' || c == 'P' || c == '_' || c == '^' || c == 'X';
    if (!opens && c >= 0x30) finish(SequenceKind::escape, sink);
  }

  template <typename Sink>
  void step_csi(char c, Sink& sink) {
    if (c == kEscape) {
      sequence_ = c;
      return;
    }
    if (static_cast<unsigned char>(c) < 0x20) return sink.control(c);
    sequence_ += c;
    if (c >= 0x40 && c <= 0x7e) return finish(SequenceKind::csi, sink);
    if (static_cast<unsigned char>(c) > 0x7e || sequence_.size() > kMaxSequence) sequence_.clear();
  }

  template <typename Sink>
  void step_string(char c, Sink& sink) {
    const SequenceKind kind = sequence_[1] == ']' ? SequenceKind::osc : SequenceKind::command;
    const bool escaped = sequence_.back() == kEscape && sequence_.size() > 2;
    if (escaped && c == '\\') {
      sequence_ += c;
      return finish(kind, sink);
    }
    if (escaped) {  // The string was cut short by another sequence.
      sequence_ = kEscape;
      return step_after_escape(c, sink);
    }
    if (c == '\a' && kind == SequenceKind::osc) {
      sequence_ += c;
      return finish(kind, sink);
    }
    if ((static_cast<unsigned char>(c) < 0x20 && c != kEscape) || sequence_.size() > kMaxSequence) {
      sequence_.clear();
      if (static_cast<unsigned char>(c) < 0x20) return sink.control(c);
      return sink.text(std::string_view(&c, 1));
    }
    sequence_ += c;
  }

  template <typename Sink>
  void step_plain(char c, Sink& sink) {
    if (c == kEscape) {
      sequence_ = c;
      return;
    }
    if (static_cast<unsigned char>(c) < 0x20) return sink.control(c);
    sequence_ += c;
    if (static_cast<unsigned char>(c) >= 0x30) return finish(SequenceKind::escape, sink);
    if (sequence_.size() > 8) sequence_.clear();
  }

  std::string sequence_;  ///< Bytes of the sequence under way, from its ESC.
};

}  // namespace remote_exec
