#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace vt {

/// What is kept of a sequence. A longer one is still read to its end, wherever that is.
inline constexpr std::size_t kMostSequence = 1024;  ///< Of ESC and CSI sequences, all bytes; no real one is that long.
inline constexpr std::size_t kMostString = 4096;    ///< Of the text of a string; enough for titles and links.

/// Whether U+0080 to U+009F (two bytes in UTF-8) are controls: U+009B says ESC [, U+009D says ESC ] and so on.
///
/// Terminals are of both kinds. What models a screen takes the side of most of them: text that shows nothing. A gate
/// must hold in front of either kind, so it reads controls. A byte 80 to 9F that is not part of a character is text.
enum class C1 : bool { text, controls };

enum class Kind : std::uint8_t {
  escape,  ///< ESC, intermediates, a final byte: ESC ( B, ESC =, ESC 7.
  csi,     ///< ESC [ … final byte.
  osc,     ///< The strings: ESC ] … BEL or ST (ESC \).
  dcs,     ///< ESC P … ST, and so the rest.
  sos,
  pm,
  apc,
};

enum class End : std::uint8_t {
  whole,
  cancelled,   ///< By CAN or SUB, its last byte.
  broken,      ///< By what comes next: another sequence, or in the middle of a CSI a byte that is not ASCII.
  unfinished,  ///< Nothing more comes.
};

/// One escape sequence as it came, without the controls that a terminal carries out in its middle.
struct Sequence {
  Kind kind = Kind::escape;
  End end = End::whole;
  bool cut = false;            ///< It was longer than the limit: `raw` is its beginning and its end.
  std::size_t terminator = 0;  ///< So many bytes of `raw` end a string or cancel.
  std::string_view raw;        ///< From ESC (or its C1 control) to the last byte; good until the call returns.

  bool is_string() const { return kind > Kind::csi; }
  /// A string's text, between introducer and terminator. Controls in it mean nothing to terminals.
  std::string_view body() const { return raw.substr(2, raw.size() - 2 - terminator); }
  std::string_view ending() const { return raw.substr(raw.size() - terminator); }
  char final_byte() const { return raw.back(); }
};

/// The length of the CSI that `bytes` begin with, when all of it is there with nothing unusual in it and not too long;
/// else 0. Most sequences are such.
inline std::size_t plain_csi_length(std::string_view bytes) {
  if (bytes.size() < 3 || bytes[0] != '\x1b' || bytes[1] != '[') return 0;
  const std::size_t most = bytes.size() < kMostSequence ? bytes.size() : kMostSequence;
  std::size_t at = 2;
  while (at < most && bytes[at] >= ' ' && bytes[at] <= '?') ++at;
  return at < most && bytes[at] >= '@' && bytes[at] <= '~' ? at + 1 : 0;
}

/// A string's text as terminals understand it.
std::string without_controls(std::string_view text);

/// Who is told what the bytes are, in their order.
class Sink {
 public:
  /// No control in it, and not necessarily whole characters: a run ends where the bytes were cut.
  virtual void text(std::string_view run) = 0;
  /// A control between sequences or in the middle of an ESC or CSI sequence, where terminals carry it out at once.
  virtual void control(char byte) = 0;
  /// A whole sequence, perhaps `cut`; for a string this is its end.
  virtual void sequence(const Sequence& sequence) = 0;
  /// A sequence without effect: not `End::whole`.
  virtual void discarded(const Sequence&) {}

  /// A string as it comes, for who cannot wait for its end or needs all of it. Its terminator is not among the parts.
  virtual void string_begins(Kind, std::string_view /*introducer*/) {}
  virtual void string_part(std::string_view) {}
  /// A string has passed kMostString. False makes it over: what follows is text.
  virtual bool string_goes_on(std::string_view /*body*/) { return true; }

 protected:
  ~Sink() = default;
};

/// Reads for the text. A terminal shows nothing from an unclosed string's introducer on; here its lines are not lost: a
/// string that ends badly, or does not end for long, is given back as text from its first line end on.
class LineSink : public Sink {
 public:
  void discarded(const Sequence& sequence) override;
  bool string_goes_on(std::string_view body) final;

 protected:
  ~LineSink() = default;
};

}  // namespace vt
