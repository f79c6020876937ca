#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "remote_exec/exec_session.h"
#include "transport/pty_transport.h"

namespace remote_exec {

/// How a shell of the matrix is started, with nothing of the tester's own settings.
struct ShellUnderTest {
  std::string name;
  std::vector<std::string> argv;
  std::vector<std::string> environment = {};
  Shell dialect = Shell::posix;
};

inline std::ostream& operator<<(std::ostream& out, const ShellUnderTest& shell) {
  return out << shell.name;
}

inline std::vector<ShellUnderTest> all_shells() {
  return {
      {"bash", {"bash", "--norc", "--noprofile"}, {}, Shell::bash},
      {"zsh", {"zsh", "-f"}, {}, Shell::zsh},
      {"dash", {"dash", "-i"}, {}, Shell::dash},
      {"ash", {"busybox", "ash", "-i"}, {}, Shell::ash},
      {"mksh", {"mksh", "-i"}, {}, Shell::ksh},
      {"fish", {"fish", "--no-config"}, {}, Shell::fish},
      {"tcsh", {"tcsh", "-f"}, {}, Shell::csh},
  };
}

/// A real shell on a pty, driven through ExecSession.
class ShellSession {
 public:
  using Wrap =
      std::function<std::unique_ptr<transport::Transport>(event::EventLoop&, std::unique_ptr<transport::Transport>)>;

  explicit ShellSession(const ShellUnderTest& shell, base::Size size = {24, 80}, Options options = {}, Wrap wrap = {})
      : home_(make_home()), shell_(shell) {
    std::vector<std::string> environment = {"HOME=" + home_,
                                            "TERM=xterm-256color",
                                            "PS1=$ ",
                                            "LANG=C.UTF-8",
                                            "LC_ALL=C.UTF-8",
                                            "HISTFILE=" + home_ + "/history",
                                            "XDG_CONFIG_HOME=" + home_,
                                            "XDG_DATA_HOME=" + home_,
                                            "ENV=",
                                            "PROMPT_COMMAND="};
    for (const auto& entry : shell.environment) environment.push_back(entry);
    auto pty = transport::PtyTransport::launch(loop, {.argv = shell.argv, .environment = environment, .size = size});
    if (!pty) throw std::runtime_error(pty.error().message);
    pid_ = (*pty)->child_pid();
    std::unique_ptr<transport::Transport> link = std::move(*pty);
    if (wrap) link = wrap(loop, std::move(link));
    open(std::move(link), size, std::move(options));
  }
  ~ShellSession() {
    session.reset();
    std::error_code ignored;
    std::filesystem::remove_all(home_, ignored);
  }

  /// Runs to the end, including the prompt after it.
  CommandResult run(std::string command, std::chrono::milliseconds timeout = std::chrono::seconds(20)) {
    ExecRequest request;
    request.command = std::move(command);
    request.timeout = timeout;
    request.attended = false;
    return run(std::move(request));
  }
  CommandResult run(ExecRequest request) {
    begin(std::move(request));
    if (!wait([this] { return result.has_value(); })) {
      ADD_FAILURE() << "no result; screen:\n" << screen_text();
      return {};
    }
    return *result;
  }
  void begin(ExecRequest request) {
    result.reset();
    live.clear();
    states.clear();
    session->run(std::move(request), {[this](std::string_view text) { live += text; },
                                      [this](RunState state, Asking) { states.push_back(state); },
                                      [this](CommandResult done) { result = std::move(done); }});
  }
  bool wait(const std::function<bool()>& done, std::chrono::milliseconds limit = std::chrono::seconds(30)) {
    return loop.run_until(done, limit);
  }
  bool wait_idle() {
    return wait([this] { return session->shell().idle(); });
  }
  bool wait_for_screen(const std::string& text) {
    return wait([this, text] { return screen_text().find(text) != std::string::npos; });
  }
  std::string screen_text() const {
    const auto& screen = session->screen();
    return screen.text(screen.first_line(), screen.end_line());
  }
  const std::string& home() const { return home_; }

  event::EventLoop loop;
  std::unique_ptr<ExecSession> session;
  std::optional<CommandResult> result;
  std::string live;
  std::vector<RunState> states;
  pid_t pid_ = 0;

  void open(std::unique_ptr<transport::Transport> transport, base::Size size, Options options) {
    session = std::make_unique<ExecSession>(loop, std::move(transport),
                                            ExecSession::Settings{.size = size, .options = std::move(options)});
    session->start();
  }

 private:
  static std::string make_home() {
    std::string path = (std::filesystem::temp_directory_path() / "jms-shell-XXXXXX").string();
    if (mkdtemp(path.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    return path;
  }

  std::string home_;
  ShellUnderTest shell_;
};

}  // namespace remote_exec
