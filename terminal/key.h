#pragma once

#include <cstdint>
#include <string>

namespace terminal {

/// What a Key event is about. `remove` is the Delete key.
enum class KeyKind : std::uint8_t {
  character,
  enter,
  tab,
  backspace,
  escape,
  up,
  down,
  left,
  right,
  home,
  end,
  page_up,
  page_down,
  insert,
  remove,
  function,
  paste,
  mouse,
  focus_in,
  focus_out,
  reply,    ///< The operator's terminal answered a query; never text.
  unknown,  ///< A whole sequence that means nothing to us.
};

/// Bits of Key::modifiers, as key sequences count them.
enum Modifier : std::uint8_t { kShift = 1, kAlt = 2, kCtrl = 4, kSuper = 8 };

/// Terminals that speak the kitty protocol also tell when a key repeats by itself or is let go.
enum class KeyEvent : std::uint8_t { press, repeat, release };

enum class MouseAction : std::uint8_t { press, release, drag, move, wheel_up, wheel_down };

/// Where the mouse did what; rows and columns count from 0, buttons are 0 left, 1 middle, 2 right.
struct Mouse {
  MouseAction action = MouseAction::press;
  int button = 0;
  int row = 0;
  int col = 0;

  friend bool operator==(const Mouse&, const Mouse&) = default;
};

/// One thing the operator did, or one answer of the operator's terminal.
///
/// Ctrl with a letter is the lower-case letter with kCtrl, whichever encoding it came in. Shift is not set on a
/// character that shows it already ('A', '}').
struct Key {
  KeyKind kind = KeyKind::unknown;
  std::uint8_t modifiers = 0;
  KeyEvent event = KeyEvent::press;
  char32_t character = 0;  ///< When kind is character.
  int number = 0;          ///< When kind is function: 1 for F1.
  Mouse mouse;             ///< When kind is mouse.
  std::string text;        ///< Paste: clean UTF-8 with '\n' and '\t'. Reply: its bytes without ESC, cut when long.
  bool last = true;        ///< Paste: no further piece of the same paste follows.

  static Key of(KeyKind kind, std::uint8_t modifiers = 0) {
    Key key;
    key.kind = kind;
    key.modifiers = modifiers;
    return key;
  }
  /// F1 is 1.
  static Key function(int number) {
    Key key = of(KeyKind::function);
    key.number = number;
    return key;
  }
  static Key of(char32_t character, std::uint8_t modifiers = 0) {
    Key key = of(KeyKind::character, modifiers);
    key.character = character;
    return key;
  }

  /// True for this character with exactly these modifiers.
  bool is(char32_t wanted, std::uint8_t with = 0) const {
    return kind == KeyKind::character && character == wanted && modifiers == with;
  }
  bool is(KeyKind wanted, std::uint8_t with = 0) const { return kind == wanted && modifiers == with; }

  friend bool operator==(const Key&, const Key&) = default;
};

}  // namespace terminal
