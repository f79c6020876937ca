#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/assistant/live_assistant.h"
#include "app/session/operator_tty.h"
#include "app/session/panel_host.h"
#include "app/session/recorder.h"
#include "app/session/start_position.h"
#include "app/target/connection.h"
#include "base/size.h"
#include "event/event_loop.h"
#include "event/signal_watch.h"
#include "event/timer.h"
#include "panel/theme.h"
#include "remote_exec/remote_shell.h"
#include "safety/escape_filter.h"
#include "terminal/backlog.h"
#include "terminal/badge.h"
#include "terminal/capabilities.h"
#include "terminal/hotkey.h"
#include "terminal/outer_terminal.h"
#include "terminal/screen.h"

namespace app {

/// One session in front of the operator: the remote's bytes to the terminal and into the shadow, the operator's keys to
/// the remote or to the panel.
class Session {
 public:
  struct Options {
    std::string target;  ///< As the operator named it, for the panel's title.
    terminal::Hotkey hotkey;
    panel::ThemeName theme = panel::ThemeName::automatic;
    bool hint = true;
    bool plain = false;  ///< The panel as lines, for screen readers.
    std::size_t scrollback_lines = 10'000;
    ModelSetup model;
    AssistantSettings assistant;   ///< Rules, limits and hooks for it.
    safety::EscapePolicy escapes;  ///< What remote programs may ask of the operator's own terminal.
    remote_exec::Options exec;     ///< How the assistant's commands are run.
    std::string outputs;           ///< Where long outputs of the assistant's commands are kept; empty: nowhere.
    std::string state;             ///< The state directory, for what is kept across sessions; empty: there is none.
    std::string config_path;       ///< --config, for the checks of /doctor.
    Recorder* recorder = nullptr;  ///< Where the output is recorded, when the operator asked for it.
  };

  Session(event::EventLoop& loop, terminal::OuterTerminal& outer, const terminal::Capabilities& capabilities,
          const Options& options);

  /// How the session ended: the remote's exit code, or the signal that jms itself should die by.
  struct End {
    int exit_code = 0;
    int signal = 0;
    std::string reason;  ///< For the operator, when the link was lost.
  };

  /// Opens the connection and serves the session until it is over. The outer terminal is raw before; when a session has
  /// been served it is given back.
  End run(Connection::Factory factory);

 private:
  // From the remote.
  void on_remote_bytes(std::string_view bytes);
  void show(std::string_view bytes);
  void on_connection_lost(const std::string& why);
  void on_notice(const transport::SessionNotice& notice);
  void on_connection_over(const transport::Closed& closed);
  void model_when_quiet();
  void bring_shadow_up_to_date();
  void brake_remote();
  void keep_recording();

  // From the operator.
  void on_input(std::string_view bytes);
  void input_to_whoever_has_the_keyboard(std::string_view bytes);
  void input_while_closed(std::string_view bytes);
  void input_while_open(std::string_view bytes);
  void on_escape_time();
  void send_to_remote(std::string_view bytes);
  void deliver_keys(std::string_view bytes);
  void hold_keys(std::string_view bytes);
  void on_panel_action(const panel::PanelAction& action);
  void insert(const std::string& line);
  void copy(const std::string& text);
  PanelHost::Surroundings host_surroundings();
  void on_hotkey(std::string_view bytes);
  void wait_for_rest_of_key();

  // The assistant.
  std::unique_ptr<agent::Tool::Run> run_command(remote_exec::ExecRequest request,
                                                std::function<void(remote_exec::CommandResult)> done);
  void on_run_state(remote_exec::RunState state);
  void take_back();

  void find_start_position();
  void on_start_position();
  void learn_start_position();
  void on_resized();
  void resize_remote(base::Size size);
  void open_panel();
  void update_badge();
  std::string badge_text() const;
  void on_suspend();
  void on_continue();
  void die_by(int signal_number);
  void finish(End end);
  void quit();
  void finish_when_written();
  void say_goodbye();
  void update_exit_sequence();

  event::EventLoop& loop_;
  terminal::OuterTerminal& outer_;
  const terminal::Capabilities& capabilities_;
  Options options_;
  base::Size size_;

  terminal::Screen screen_;
  terminal::Backlog backlog_;
  PanelHost host_;

  remote_exec::RemoteShell shell_;  ///< Every remote byte passes it: it frames the assistant's commands.
  LiveAssistant assistant_;
  bool operator_may_type_ = true;  ///< False while the assistant types or proves the prompt: two hands would mix.
  std::string held_keys_;          ///< Typed meanwhile; delivered in order as soon as the line is free.
  safety::EscapeFilter escapes_;   ///< What the remote may ask of the operator's terminal.
  std::string escape_scratch_;
  bool handed_over_ = false;  ///< The panel stepped aside for a question of the assistant's command.

  terminal::Badge badge_;
  std::string shown_badge_;
  bool answer_unseen_ = false;  ///< It ended while the panel was closed.

  terminal::HotkeyFilter hotkey_filter_;
  terminal::DoublePress double_press_;
  StartPosition start_;
  bool start_known_ = false;  ///< Until then the shadow is not fed.

  std::optional<Connection> connection_;
  bool remote_braked_ = false;
  std::uint64_t arrived_ = 0;       ///< Remote bytes so far.
  std::uint64_t arrived_then_ = 0;  ///< The same when the model timer last looked.
  terminal::Modes exit_modes_;      ///< What the exit sequence was made for.
  std::optional<End> end_;

  OperatorTty tty_;
  event::Timer model_timer_;
  event::Timer key_timer_;
  event::Timer paste_timer_;
  event::Timer held_timer_;
  event::Timer badge_timer_;
  event::Timer start_timer_;
  event::Timer finish_timer_;
  std::chrono::steady_clock::time_point held_since_{};
  event::SignalWatch winch_, term_, hup_, int_, quit_, tstp_, cont_;
};

}  // namespace app
