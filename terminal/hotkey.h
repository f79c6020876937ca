#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "terminal/key.h"

namespace terminal {

/// The key that opens and closes the panel.
class Hotkey {
 public:
  /// Ctrl+].
  Hotkey();

  /// From config text: "ctrl-]", "ctrl-space", "alt-x", "f12"; upper or lower case, '-' or '+'.
  static base::Result<Hotkey> parse(std::string_view text);

  /// Whether a decoded key is this one, in whatever encoding it came.
  bool matches(const Key& key) const;

  /// "Ctrl+]", for hints.
  const std::string& name() const { return name_; }
  /// What a terminal without key protocols sends for one press.
  const std::string& bytes() const { return bytes_; }

  enum class Match { no, partial, press, release };
  /// What these bytes from the keyboard are: the hotkey (`press`), its auto-repeat or its release (`release`: nothing
  /// to act on), a beginning that can still become it, or something else.
  Match match(std::string_view bytes) const;

 private:
  Hotkey(Key key, std::string name, std::string bytes);
  Match match_csi(std::string_view body) const;
  bool number_fits(int number) const;
  bool begins_function_number(int digits) const;
  Match judge(const Key& key) const;

  Key key_;
  std::string name_;
  std::string bytes_;
};

/// Looks for the hotkey in the operator's input while the panel is closed; everything else passes unchanged, in order.
///
/// Passive. Bytes that may be the beginning of the hotkey are held back: while pending(), the owner waits 25 ms for
/// more and then calls flush(). The hotkey is not looked for inside a bracketed paste.
class HotkeyFilter {
 public:
  struct Event {
    enum class Kind { forward, hotkey };
    Kind kind = Kind::forward;
    /// What arrived. For the hotkey: the press as the terminal encoded it for the remote. Events after a hotkey belong
    /// to whoever has the keyboard then: a panel that just opened is fed their bytes.
    std::string bytes;

    friend bool operator==(const Event&, const Event&) = default;
  };

  explicit HotkeyFilter(Hotkey hotkey) : hotkey_(std::move(hotkey)) {}

  std::vector<Event> feed(std::string_view bytes);

  bool pending() const { return !held_.empty(); }
  /// Gives up waiting: the bytes held back, to be forwarded.
  std::string flush();

  /// Inside `ESC[200~` … `ESC[201~`. A terminal that dies or loses the mode in mid-paste never sends the end; an owner
  /// that sees a long silence here calls leave_paste() so that the hotkey works again.
  bool in_paste() const { return in_paste_; }
  void leave_paste();

 private:
  void forward(std::vector<Event>& events, std::string_view bytes);
  void follow_paste(char byte);

  Hotkey hotkey_;
  std::string held_;                 ///< May become the hotkey; a few dozen bytes at most.
  std::size_t bracket_matched_ = 0;  ///< How much of the next paste bracket has just been forwarded.
  bool in_paste_ = false;
};

/// Tells a second press shortly after the first: that one goes to the remote instead of toggling the panel again.
class DoublePress {
 public:
  using TimePoint = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::milliseconds kWindow{400};

  enum class Outcome { toggle, send_through };

  explicit DoublePress(const Hotkey& hotkey) : plain_(hotkey.bytes()) {}

  /// `bytes`: the press as a HotkeyFilter reported it, in the encoding the remote asked for; empty when the panel had
  /// the keyboard, because then the remote's encoding was switched off.
  Outcome press(TimePoint now, std::string_view bytes = {});

  /// Another key came: the next press is a first one.
  void forget() { armed_ = false; }

  /// After send_through: what goes to the remote.
  const std::string& bytes() const { return bytes_; }

 private:
  std::string plain_;
  std::string bytes_;
  TimePoint first_;
  bool armed_ = false;
};

}  // namespace terminal
