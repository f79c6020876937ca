#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/size.h"
#include "panel/approval.h"
#include "panel/conversation.h"
#include "panel/input_box.h"
#include "panel/layout.h"
#include "panel/panel_action.h"
#include "panel/theme.h"
#include "panel/title_bar.h"
#include "terminal/frame.h"
#include "terminal/hotkey.h"
#include "terminal/key.h"

namespace panel {

/// Who said it: the operator, the assistant, or the panel itself.
enum class Speaker : std::uint8_t { operator_, assistant, notice };

/// The assistant's window over the session: title, conversation, input, the keys valid right now.
///
/// Passive: keys in, actions out, draws itself into a Frame over the session's rows. Whoever answers the operator calls
/// add() and its kin with clean text; until somebody does, the panel says itself that nobody is there.
class Panel {
 public:
  using Time = std::chrono::steady_clock::time_point;

  struct Options {
    std::string target;       ///< What the session is connected to, for the title.
    terminal::Hotkey hotkey;  ///< Closes the panel, and is named in the hints.
    ThemeOptions theme;
    bool has_assistant = false;   ///< Somebody will answer what is submitted.
    std::string model;            ///< Who, for the title.
    std::function<Time()> clock;  ///< For tests; default: the steady clock.
  };

  explicit Panel(Options options);

  PanelAction handle_key(const terminal::Key& key);

  // ---- the conversation ----

  /// Adds to it. A view at its end follows; one scrolled back stays.
  void add(Speaker speaker, std::string_view text);
  /// Goes on with what this speaker is saying: streamed answers.
  void append(Speaker speaker, std::string_view text);
  Conversation& conversation() { return conversation_; }
  const Conversation& conversation() const { return conversation_; }

  InputBox& input() { return input_; }
  /// What was submitted while the assistant works and waits for it.
  void set_queue(std::vector<std::string> queue) { input_.set_queue(std::move(queue)); }

  // ---- what the title tells ----

  Status& status() { return status_; }
  /// What the assistant is doing; empty when it rests.
  void set_activity(std::string activity);
  bool busy() const { return !status_.activity.empty(); }
  /// A command of the operator's own runs on his machine: Ctrl+C is for it.
  void set_local_command(bool running) { local_command_ = running; }
  /// The spinner's next picture.
  void tick() { ++status_.spin; }

  // ---- questions to the operator ----

  void ask_approval(ApprovalView view);
  void withdraw_approval();
  bool approval_open() const { return approval_ != nullptr; }
  /// A change has run; Alt+R puts the command that takes it back on the prompt.
  void offer_rollback(std::string command);
  /// A limit was reached: y goes on, n stops.
  void ask_limit(std::string_view text);
  void withdraw_limit();

  // ---- place and look ----

  PanelLayout& layout() { return layout_; }
  const PanelLayout& layout() const { return layout_; }
  void set_terminal_size(base::Size size) { terminal_ = size; }
  base::Size terminal_size() const { return terminal_; }
  /// Keys go to the terminal above: the panel says so, and how to get them back.
  void set_keyboard_above(bool above) { keyboard_above_ = above; }
  /// For those who print instead of drawing: what stands before the line that is typed, and that line.
  std::string prompt_line() const;
  std::string typed() { return field().text(); }

  void set_theme(ThemeName name);
  void set_light_background(bool light);
  const Theme& theme() const { return theme_; }

  /// Draws everything into this part of the frame and puts the frame's cursor into the input, unless the keyboard is
  /// above.
  void draw(terminal::Frame& frame, const base::Area& area);

 private:
  struct Search {
    InputBox field;
    bool nothing = false;
  };
  /// The rows of the panel, top to bottom.
  struct Rows {
    bool title = false, rule = false, hints = false;
    int body = 0, body_rows = 0;
    int input = 0, input_rows = 0;
  };

  Time now() const { return options_.clock ? options_.clock() : std::chrono::steady_clock::now(); }

  // panel_keys.cpp
  std::optional<PanelAction> handle_anywhere(const terminal::Key& key);
  std::optional<PanelAction> handle_alt(const terminal::Key& key);
  bool scroll_key(const terminal::Key& key);
  void handle_mouse(const terminal::Mouse& mouse);
  PanelAction handle_approval(const terminal::Key& key);
  PanelAction finish_approval(PanelAction action);
  PanelAction handle_limit(const terminal::Key& key);
  PanelAction handle_search(const terminal::Key& key);
  PanelAction handle_input(const terminal::Key& key);
  InputBox::Took edit(const terminal::Key& key);
  PanelAction insert(std::string_view code);
  PanelAction submit();

  // panel_draw.cpp
  std::vector<Hint> hints() const;
  void add_state_hints(std::vector<Hint>& hints) const;
  std::string welcome() const;
  Rows place_rows(const base::Area& area);
  InputBox& field();
  std::string field_label() const;
  void draw_body(terminal::Frame& frame, const Rows& rows, const base::Area& area);
  void draw_row(terminal::Frame& frame, int row, int col, int width, const Conversation::Row& shown);
  void mark_found(terminal::Frame& frame, int row, int col, int width, const Conversation::Row& shown);
  void draw_rule(terminal::Frame& frame, int row, const base::Area& area) const;
  void draw_input(terminal::Frame& frame, const Rows& rows, const base::Area& area);
  void draw_hints(terminal::Frame& frame, int row, const base::Area& area) const;

  Options options_;
  Theme theme_;
  PanelLayout layout_;
  base::Size terminal_{24, 80};
  Status status_;
  Time busy_since_{};
  bool keyboard_above_ = false;
  bool local_command_ = false;
  InputBox input_;
  Conversation conversation_;
  Approval* approval_ = nullptr;  ///< A block of the conversation.
  struct Limit {
    const Block* block = nullptr;
    Time last_key{};
  };
  std::optional<Limit> limit_;
  std::optional<Search> search_;
  std::string rollback_;  ///< Of the change that ran last.
  base::Area drawn_;      ///< As last drawn, for the mouse.
  Rows rows_;
};

}  // namespace panel
