#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/size.h"

namespace terminal {
class Screen;
}

namespace remote_exec {

/// What the operator's screen shows around the cursor.
struct ScreenView {
  bool alternate = false;
  bool bracketed_paste = false;  ///< A line editor is waiting.
  std::string before_cursor;     ///< The cursor's line up to the cursor, trailing blanks kept.
  std::string whole_line;        ///< The cursor's line without trailing blanks.
  base::Size size;
};

/// What RemoteShell needs from the session it lives in.
struct Host {
  std::function<void(std::string_view)> send;  ///< To the remote; one call is one message.
  std::function<void(std::string_view)>
      show;                          ///< To the operator's terminal and the screen model, as filter()'s result is.
  std::function<ScreenView()> look;  ///< The screen after everything received so far.
};

/// The view of a screen model, for whoever has one.
ScreenView look_at(const terminal::Screen& screen);

}  // namespace remote_exec
