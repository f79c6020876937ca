#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "vt/token.h"

namespace vt {

/// Cuts a remote's byte stream into text, controls and sequences: the one place that knows where a sequence ends.
///
/// The tokens are the same however the bytes are cut, except that text comes in runs. It reads as terminals do:
/// - ESC begins anew wherever it stands; CAN and SUB cancel; NUL and DEL in the middle of a sequence are not there.
/// - Other controls are carried out in the middle of an ESC or CSI sequence, and are part of a string.
/// - A string ends with ST (ESC \), an OSC also with BEL; never because it is long.
/// - A byte from 80 on is text; in the middle of an ESC or CSI sequence it breaks that off.
class Tokenizer {
 public:
  explicit Tokenizer(C1 c1 = C1::text) : c1_(c1) {}

  void feed(std::string_view bytes, Sink& sink);
  /// Nothing more comes: hands out what was held back.
  void finish(Sink& sink);

  /// Between sequences: the next byte may be text.
  bool in_text() const { return state_ == State::text; }
  /// For who finds the next sequence himself. Begins with the one at the front of `bytes`, or goes on with that under
  /// way, and returns how many bytes it took: up to where text may come again, none when the first byte breaks off the
  /// one under way.
  std::size_t take(std::string_view bytes, Sink& sink);

  void reset();

 private:
  /// text_half, string_half: a byte C2 came, which may be the first half of a C1 control.
  enum class State : std::uint8_t { text, text_half, escape, csi, string, string_escape, string_half };

  std::size_t text_run(std::string_view bytes) const;
  std::size_t step(std::string_view bytes, Sink& sink);
  std::size_t begin(char byte, Sink& sink);
  std::size_t step_half(char byte, Sink& sink);
  std::size_t step_sequence(char byte, Sink& sink);
  void step_escape(char byte, Sink& sink);
  std::size_t step_string(std::string_view bytes, Sink& sink);
  std::size_t step_string_escape(char byte, Sink& sink);
  std::size_t step_string_half(char byte, Sink& sink);
  std::size_t string_run(std::string_view bytes) const;
  void begin_c1(char byte, Sink& sink);
  void begin_string(Kind kind, Sink& sink);
  bool may_grow(Sink& sink);
  void add_half_to_string(Sink& sink);
  void add_to_string(std::string_view bytes, Sink& sink);
  void keep(char byte);
  void end_with(char final_byte, Sink& sink);
  void end(End how, std::string_view terminator, Sink& sink);

  C1 c1_;
  State state_ = State::text;
  Kind kind_ = Kind::escape;
  bool cut_ = false;
  std::string held_;  ///< The sequence under way, from its ESC, as far as it is kept.
};

}  // namespace vt
