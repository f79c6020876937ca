#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/support/gate.h"
#include "tests/support/pty_program.h"
#include "tests/support/tmux.h"

namespace app {

inline constexpr const char* kHotkey = "\x1d";
inline constexpr const char* kEscape = "\x1b";
/// Words of the panel's hint line: on the screen exactly while the panel is open.
inline constexpr const char* kPanelMark = "Esc close";
/// Longer than the time within which a second press counts as "twice quickly".
inline constexpr std::chrono::milliseconds kNotQuickly{800};

/// `jms local` with a plain sh inside, on a bare pty.
class BareSession : public testing::Test {
 protected:
  using Ms = std::chrono::milliseconds;

  /// Starts jms and waits for the shell's first prompt.
  void start(base::Size size = {}, const std::vector<std::string>& arguments = {"local"}) {
    launch(size, arguments);
    ASSERT_TRUE(jms_->wait_for("$ ")) << jms_->output();
  }
  void launch(base::Size size, const std::vector<std::string>& arguments) {
    std::vector<std::string> argv = {JMS_BINARY};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    jms_ = std::make_unique<support::PtyProgram>(support::PtyProgram::Options{.argv = std::move(argv),
                                                                              .environment = env_.variables(),
                                                                              .size = size,
                                                                              .directory = env_.home().path(),
                                                                              .emulate = emulate_,
                                                                              .answer_queries = answer_queries_});
  }

  /// Types a line at the prompt.
  void enter(const std::string& line) { jms_->send(line + "\r"); }
  /// Types a line and waits for the prompt after it.
  [[nodiscard]] bool command(const std::string& line, Ms limit = support::PtyProgram::kLimit) {
    const std::string mark = "done-" + std::to_string(++marks_);
    enter(line + "; printf '%s%s\\n' do 'ne-" + std::to_string(marks_) + "'");
    return jms_->wait_for(mark, limit) && jms_->wait_for("$ ");
  }
  std::string script(const std::string& name, const std::string& text) { return env_.home().write(name, text); }

  bool shows(std::string_view text) const { return jms_->screen_text().find(text) != std::string::npos; }
  bool panel_is_open() const { return shows(kPanelMark); }
  [[nodiscard]] bool wait_for_panel(Ms limit = support::PtyProgram::kLimit) {
    return jms_->wait_until([this] { return panel_is_open(); }, limit);
  }
  [[nodiscard]] bool wait_for_no_panel(Ms limit = support::PtyProgram::kLimit) {
    return jms_->wait_until([this] { return !panel_is_open() && jms_->screen().between_sequences(); }, limit);
  }
  [[nodiscard]] bool open_panel(std::string_view key = kHotkey) {
    jms_->send(key);
    const bool opened = wait_for_panel();
    jms_->settle(Ms(30));
    return opened;
  }
  [[nodiscard]] bool close_panel(std::string_view key = kEscape) {
    jms_->send(key);
    const bool closed = wait_for_no_panel();
    jms_->settle(Ms(30));
    return closed;
  }
  void pause(Ms time) {
    jms_->wait_until([] { return false; }, time);
  }
  /// Asks the remote until it has this size: a new size and typed keys overtake each other.
  [[nodiscard]] bool wait_for_remote_size(base::Size size) {
    const std::string expected = std::to_string(size.rows) + " " + std::to_string(size.cols) + "\r\n";
    return jms_->wait_until([&] {
      enter("stty size");
      return jms_->wait_for(expected, Ms(300));
    });
  }
  /// The session still does what it is told, the panel too.
  void expect_usable() {
    ASSERT_TRUE(command("printf '\\033c'; echo usable-$((6*7))"));
    EXPECT_TRUE(shows("usable-42")) << jms_->screen_text();
    EXPECT_TRUE(open_panel());
    EXPECT_TRUE(close_panel());
    EXPECT_TRUE(shows("usable-42")) << jms_->screen_text();
    EXPECT_TRUE(command("true"));
  }

  support::TestEnv env_;
  bool emulate_ = true;
  bool answer_queries_ = true;
  std::unique_ptr<support::PtyProgram> jms_;

 private:
  int marks_ = 0;
};

/// `jms local` in tmux: another author's terminal says what is on the screen and in its history.
class TmuxSession : public testing::Test {
 protected:
  using Part = support::Tmux::Part;
  using Look = support::Tmux::Look;

  void start(base::Size size = {}) { start_in(tmux_, size); }
  void start_in(std::unique_ptr<support::Tmux>& tmux, base::Size size) {
    tmux = std::make_unique<support::Tmux>(env_, size);
    tmux->start({JMS_BINARY, "local"});
    ASSERT_TRUE(tmux->wait_for_text("^\\$")) << tmux->capture();
  }
  void enter(const std::string& line) {
    tmux_->type(line);
    tmux_->send_keys({"Enter"});
  }
  [[nodiscard]] bool command(const std::string& line) {
    const std::string number = std::to_string(++marks_);
    enter(line + "; echo do''ne-" + number);
    return tmux_->wait_for_text("^done-" + number + "\n\\$");
  }
  [[nodiscard]] bool open_panel() {
    tmux_->send_raw(kHotkey);
    const bool opened = tmux_->wait_for_text(kPanelMark);
    tmux_->settle();
    return opened;
  }
  [[nodiscard]] bool close_panel() {
    tmux_->send_keys({"Escape"});
    const bool closed = tmux_->wait_until([this] { return tmux_->capture().find(kPanelMark) == std::string::npos; });
    tmux_->settle();
    return closed;
  }
  /// Cursor and modes, as tmux sees them.
  std::string state() {
    return tmux_->ask(
        "cursor #{cursor_x},#{cursor_y} shown #{cursor_flag} alt #{alternate_on} keys "
        "#{keypad_cursor_flag}#{keypad_flag} mouse #{mouse_any_flag}#{mouse_standard_flag}"
        "#{mouse_button_flag}#{mouse_all_flag}#{mouse_sgr_flag}#{mouse_utf8_flag} "
        "insert #{insert_flag} origin #{origin_flag} wrap #{wrap_flag} region "
        "#{scroll_region_upper}-#{scroll_region_lower} history #{history_size}");
  }
  /// The same with the screen, its colours and the history.
  std::string everything() { return tmux_->capture(Part::with_history, Look::with_escapes) + state(); }

  support::TestEnv env_;
  std::unique_ptr<support::Tmux> tmux_;

 private:
  int marks_ = 0;
};

}  // namespace app
