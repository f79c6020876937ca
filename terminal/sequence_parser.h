#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace terminal {

/// One control sequence, taken apart: `CSI leader parameters intermediates final`.
struct Csi {
  static constexpr int kMaxParams = 32;
  static constexpr int kMissing = -1;
  static constexpr int kMaxValue = 65535;

  char leader = 0;        ///< One of `<=>?`, or 0.
  char intermediate = 0;  ///< The only intermediate, or 0; two or more make the sequence unknown.
  char final_byte = 0;
  int count = 0;
  std::array<int, kMaxParams> params{};
  std::uint32_t joined = 0;  ///< Bit i: parameter i came after a colon, as part of the one before.

  /// Parameter i, or `fallback` when it is missing.
  int get(int i, int fallback) const {
    return i < count && params[static_cast<std::size_t>(i)] != kMissing ? params[static_cast<std::size_t>(i)]
                                                                        : fallback;
  }
  /// For counts, where 0 means 1 as well.
  int at_least_one(int i) const {
    const int value = get(i, 1);
    return value == 0 ? 1 : value;
  }
  /// Leader, intermediate and final byte as one number, to switch on.
  static constexpr int key(char leader, char intermediate, char final_byte) {
    return (static_cast<unsigned char>(leader) << 16) | (static_cast<unsigned char>(intermediate) << 8) |
           static_cast<unsigned char>(final_byte);
  }
  int key() const { return key(leader, intermediate, final_byte); }
  bool is_joined(int i) const { return i < count && ((joined >> i) & 1u) != 0; }
};

enum class StringKind : std::uint8_t { osc, dcs, other };

/// Finds the ends of escape sequences, whatever pieces they come in, and bounds what they hold.
///
/// Passive: it is told that an escape began and is then fed until the sequence is over. What it found goes to a
/// Receiver. Controls inside a control sequence are executed on the way, as terminals do.
class SequenceParser {
 public:
  class Receiver {
   public:
    virtual ~Receiver() = default;
    virtual void on_control(unsigned char control) = 0;
    virtual void on_escape(char intermediate, char final_byte) = 0;
    virtual void on_csi(const Csi& csi) = 0;
    /// A string that was ended properly; `text` is cut at kMaxString.
    virtual void on_string(StringKind kind, std::string_view text) = 0;
  };

  /// Enough for any title, link or request we act on; the rest of a longer string is skipped, not kept.
  static constexpr std::size_t kMaxString = 4096;

  explicit SequenceParser(Receiver& receiver) : receiver_(receiver) {}

  bool in_ground() const { return state_ == State::ground; }
  void begin_escape();
  void reset() { state_ = State::ground; }
  /// Takes bytes while inside a sequence; returns how many.
  std::size_t take(std::string_view bytes);

 private:
  enum class State : std::uint8_t { ground, escape, csi_start, csi, csi_ignore, string, string_escape };

  void step(unsigned char byte);
  void step_escape(unsigned char byte);
  void step_csi(unsigned char byte);
  void begin_csi();
  void begin_string(StringKind kind);
  std::size_t take_string(std::string_view bytes);
  void take_csi_digit(int digit);
  void next_param(bool joined);
  void finish_csi(char final_byte);

  Receiver& receiver_;
  State state_ = State::ground;
  char intermediate_ = 0;
  int intermediates_ = 0;
  bool params_full_ = false;
  Csi csi_;
  StringKind kind_ = StringKind::other;
  std::string text_;
};

}  // namespace terminal
