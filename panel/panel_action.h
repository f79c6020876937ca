#pragma once

#include <cstdint>
#include <string>

namespace panel {

/// What the owner of the panel should do after a key.
struct PanelAction {
  enum class Kind : std::uint8_t {
    none,       ///< Draw again, at most.
    close,      ///< Give the keyboard back to the session. The panel keeps what it holds.
    submitted,  ///< The operator asks `text`; it is in the conversation already, unless the assistant is busy.
    slash,      ///< A command for the panel itself: `text` with its slash.
    shell,      ///< A command for the operator's own machine: `text` without its '!'.
    take_back,  ///< The newest waiting input is wanted back: put it into input().
    repaint,    ///< The operator's terminal is garbled: write every cell anew.
    approved,   ///< The operator lets the call run that ask_approval() showed.
    edited,     ///< … but as `text`.
    denied,     ///< … or not; `text` may say why.
    cancel,     ///< Stop the assistant.
    go_on,      ///< A limit was reached: go on all the same.
    stop_here,  ///< … or not.
    insert,     ///< Put `text` on the terminal's prompt; it is one line without controls.
    copy,       ///< Put `text` into the clipboard.
    layout,     ///< The panel takes another part of the terminal now.
    keyboard,   ///< Keys go to the terminal above until they are taken back.
  };
  /// How long a yes holds.
  enum class Scope : std::uint8_t { once, session, always };

  Kind kind = Kind::none;
  std::string text = {};
  Scope scope = Scope::once;
};

}  // namespace panel
