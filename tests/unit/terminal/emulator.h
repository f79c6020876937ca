#pragma once

#include <memory>
#include <string_view>

#include "base/size.h"
#include "terminal/cell.h"

struct VTerm;

namespace testing_terminal {

/// A second terminal, independent of our own Screen: libvterm with its own screen layer. What Display wrote is fed in,
/// what an operator would see is read out. It gets only Display's bytes, so it needs no guard.
class Emulator {
 public:
  explicit Emulator(base::Size size);
  ~Emulator();

  void write(std::string_view bytes);
  void resize(base::Size size);

  terminal::Cell cell(int row, int col) const;
  /// Position, visibility, shape and blinking.
  terminal::Cursor cursor() const;
  /// Rows that left at the top.
  int scrolled() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The attributes libvterm 0.1.4 can tell apart.
inline constexpr std::uint16_t kSeenByEmulator = terminal::kBold | terminal::kItalic | terminal::kBlink |
                                                 terminal::kReverse | terminal::kStrike | terminal::kUnderlineMask;

}  // namespace testing_terminal
