#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/size.h"
#include "panel/input_box.h"
#include "panel/theme.h"
#include "panel/transcript.h"
#include "terminal/frame.h"
#include "terminal/hotkey.h"
#include "terminal/key.h"

namespace panel {

/// What the owner of the panel should do after a key.
struct PanelAction {
  enum class Kind {
    none,       ///< Draw again, at most.
    close,      ///< Give the keyboard back to the session. The panel keeps what it holds.
    submitted,  ///< The operator asks `text`; it is in the transcript already, unless the assistant is busy.
    slash,      ///< A command for the panel itself: `text` with its slash.
    shell,      ///< A command for the operator's own machine: `text` without its '!'.
    take_back,  ///< The newest waiting input is wanted back: put it into input().
    repaint,    ///< The operator's terminal is garbled: write every cell anew.
    approved,   ///< The operator lets the call run that ask_approval() showed.
    denied,     ///< … or not; `text` may say why.
    cancel,     ///< Stop the assistant.
  };
  Kind kind = Kind::none;
  std::string text;
};

/// The frame at the bottom of the terminal: title, conversation, input line, hints.
///
/// Passive: keys in, actions out, draws itself into a Frame over the session's rows. Whoever answers the operator calls
/// add(); until somebody does, the panel says itself that nobody is there.
class Panel {
 public:
  struct Options {
    std::string target;       ///< What the session is connected to, for the title.
    terminal::Hotkey hotkey;  ///< Closes the panel, and is named in the hints.
    ThemeOptions theme;
    bool has_assistant = false;  ///< Somebody will answer what is submitted.
    std::string model;           ///< Who, for the title.
  };

  explicit Panel(Options options);

  /// How many rows the panel takes of a terminal this large: two fifths, at least eight, but where possible it leaves
  /// one to the session.
  static int height_for(base::Size terminal);

  PanelAction handle_key(const terminal::Key& key);

  /// Adds to the conversation. A view at its end follows; one scrolled back stays.
  void add(Speaker speaker, std::string_view text);
  /// Goes on with what this speaker is saying: streamed answers.
  void append(Speaker speaker, std::string_view text) { transcript_.append(speaker, text); }

  InputBox& input() { return input_; }
  /// What was submitted while the assistant works and waits for it.
  void set_queue(std::vector<std::string> queue) { input_.set_queue(std::move(queue)); }

  /// What the assistant is doing, for the title; empty when it rests.
  void set_activity(std::string activity) { activity_ = std::move(activity); }

  /// A call that wants to run. `confirm_word` must be typed before Enter allows it; empty: the key y is enough.
  struct ApprovalView {
    std::string command;
    std::string target;
    std::string effect;
    std::string reason;
    std::string confirm_word;
  };
  void ask_approval(const ApprovalView& view, std::chrono::steady_clock::time_point now);
  void withdraw_approval() { approval_.reset(); }

  /// Draws everything into this part of the frame and puts the frame's cursor into the input line.
  void draw(terminal::Frame& frame, const base::Area& area);

 private:
  InputBox::Took edit(const terminal::Key& key);
  PanelAction answer_approval(const terminal::Key& key);
  PanelAction submit();
  PanelAction interrupt();
  void scroll_by_wheel(const terminal::Mouse& mouse);
  std::vector<Hint> hints() const;
  std::string welcome() const;

  void draw_title(terminal::Frame& frame, int row, const base::Area& area) const;
  void draw_body(terminal::Frame& frame, int row, int rows, const base::Area& area);
  void draw_rule(terminal::Frame& frame, int row, const base::Area& area) const;
  void draw_input(terminal::Frame& frame, int row, int rows, const base::Area& area);
  void draw_hints(terminal::Frame& frame, int row, const base::Area& area) const;

  /// An approval the operator has not answered yet.
  struct OpenApproval {
    std::string confirm_word;
    std::chrono::steady_clock::time_point shown;
  };

  Options options_;
  Theme theme_;
  std::string activity_;
  std::optional<OpenApproval> approval_;
  InputBox input_;
  Transcript transcript_;
  int body_rows_ = 1;  ///< As last drawn: how far a page is.
};

}  // namespace panel
