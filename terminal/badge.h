#pragma once

#include <string>
#include <string_view>

#include "terminal/capabilities.h"
#include "terminal/cell.h"
#include "terminal/screen.h"

namespace terminal {

/// A few words in the upper right corner of the operator's terminal while the remote's bytes pass through untouched.
///
/// It lives only between the remote's bytes: shown when the line is quiet and the shadow is up to date, taken away
/// before the next byte is written, so it never scrolls and never reaches the terminal's history. The cursor is put
/// back where the shadow has it; DECSC is not used, because its one place is the remote's. Where that is not enough to
/// leave no trace (a full-screen program, margins, a half-way sequence, a line about to wrap) nothing is shown.
class Badge {
 public:
  Badge(const Screen& screen, const Capabilities& capabilities) : screen_(screen), capabilities_(capabilities) {}

  /// Bytes that show it; empty when it cannot be done safely now. The shadow must be up to date.
  std::string show(std::string_view text, const Style& style);
  /// Bytes that take it away, to be written before anything else; empty when there is none.
  std::string hide();
  bool shown() const { return width_ > 0; }
  /// The terminal was overwritten by others: there is nothing to take away.
  void forget() { width_ = 0; }

 private:
  bool safe() const;
  std::string place() const;

  const Screen& screen_;
  const Capabilities& capabilities_;
  int width_ = 0;
};

}  // namespace terminal
