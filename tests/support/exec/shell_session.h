#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "remote_exec/exec_session.h"
#include "tests/support/exec/exec_matrix.h"
#include "tests/support/process_info.h"
#include "tests/support/temp_dir.h"

namespace support {

/// A real shell on a pty, driven through ExecSession.
class ShellSession {
 public:
  using Wrap =
      std::function<std::unique_ptr<transport::Transport>(event::EventLoop&, std::unique_ptr<transport::Transport>)>;

  explicit ShellSession(const ShellUnderTest& shell, base::Size size = {24, 80}, remote_exec::Options options = {},
                        Wrap wrap = {}) {
    auto pty = open_on_pty(loop, shell, home(), size);
    shell_ = pty->child_pid();
    std::unique_ptr<transport::Transport> link = std::move(pty);
    if (wrap) link = wrap(loop, std::move(link));
    open(std::move(link), size, std::move(options));
  }
  ~ShellSession() {
    session.reset();
    process_ends_within(shell_, std::chrono::seconds(2));  // It writes its history as it goes.
  }

  /// Runs to the end, including the prompt after it.
  remote_exec::CommandResult run(std::string command, std::chrono::milliseconds timeout = std::chrono::seconds(20)) {
    remote_exec::ExecRequest request;
    request.command = std::move(command);
    request.timeout = timeout;
    request.attended = false;
    return run(std::move(request));
  }
  remote_exec::CommandResult run(remote_exec::ExecRequest request) {
    // The command's own limit comes first, however slow the machine is.
    const auto limit = request.timeout + std::chrono::seconds(30);
    begin(std::move(request));
    if (!wait([this] { return result.has_value(); }, limit)) {
      ADD_FAILURE() << "no result; screen:\n" << screen_text();
      return {};
    }
    return *result;
  }
  void begin(remote_exec::ExecRequest request) {
    result.reset();
    live.clear();
    states.clear();
    session->run(std::move(request),
                 {[this](std::string_view text) { live += text; },
                  [this](remote_exec::RunState state, remote_exec::Asking) { states.push_back(state); },
                  [this](remote_exec::CommandResult done) { result = std::move(done); }});
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
  const std::string& home() const { return home_.path(); }

  event::EventLoop loop;
  std::unique_ptr<remote_exec::ExecSession> session;
  std::optional<remote_exec::CommandResult> result;
  std::string live;
  std::vector<remote_exec::RunState> states;

  void open(std::unique_ptr<transport::Transport> transport, base::Size size, remote_exec::Options options) {
    session = std::make_unique<remote_exec::ExecSession>(
        loop, std::move(transport), remote_exec::ExecSession::Settings{.size = size, .options = std::move(options)});
    session->start();
  }

 private:
  TempDir home_;
  pid_t shell_ = 0;
};

inline remote_exec::ExecRequest request(std::string command, bool attended = false,
                                        std::chrono::milliseconds timeout = std::chrono::seconds(15)) {
  remote_exec::ExecRequest wanted;
  wanted.command = std::move(command);
  wanted.attended = attended;
  wanted.timeout = timeout;
  return wanted;
}

/// One process that says so when it runs; a shell could lose a Ctrl-C between two commands.
inline constexpr const char* kBegunAndSleeping = "perl -e '$|=1; print \"begun\\n\"; sleep 20'";

inline void expect_alive(ShellSession& s) {
  const auto after = s.run("echo alive");
  EXPECT_EQ(after.output, "alive\n") << after.note_for_operator << s.screen_text();
  EXPECT_EQ(after.exit_code, 0);
  EXPECT_TRUE(s.wait_idle());
  EXPECT_EQ(s.screen_text().find("7717"), std::string::npos) << s.screen_text();
}

}  // namespace support
