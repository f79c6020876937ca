#pragma once

#include <fstream>

#include "tests/e2e/app/session_fixture.h"
#include "tests/support/describe_modes.h"
#include "tests/support/run_command.h"
#include "tests/support/run_program.h"
#include "tests/support/sshd.h"

namespace app {

/// The program under test as a client of real SSH servers on the loopback. Each server opens a plain sh in the test's
/// own home; the alias of a server, its key and its known_hosts stand in one ssh_config given with -F.
class SshSession : public BareSession {
 protected:
  SshSession() {
    // The session's own agent would answer for keys that the test does not have.
    env_.unset("SSH_AUTH_SOCK");
    key_ = support::make_key(env_.home(), "id_test");
    known_hosts_ = env_.home().write("known_hosts", "# hosts of this test\n");
  }

  support::Sshd::Options plain_shell() const {
    support::Sshd::Options options;
    options.config = "ForceCommand cd " + env_.home().path() + " && exec env HOME=" + env_.home().path() +
                     " PS1='$ ' TERM=\"$TERM\" sh";
    return options;
  }

  /// A server that knows the test's key.
  std::unique_ptr<support::Sshd> serve() const {
    auto server = std::make_unique<support::Sshd>(plain_shell());
    server->authorize(key_);
    return server;
  }
  void know(const support::Sshd& server) const {
    std::ofstream(known_hosts_, std::ios::app) << server.known_hosts_lines();
  }
  std::unique_ptr<support::Sshd> serve_known() const {
    auto server = serve();
    know(*server);
    return server;
  }

  /// Adds an alias to the ssh_config.
  void name(const std::string& alias, int port, const std::string& key = {}) {
    config_ += "Host " + alias + "\n HostName 127.0.0.1\n Port " + std::to_string(port) + "\n IdentityFile " +
               (key.empty() ? key_ : key) + "\n";
  }
  std::vector<std::string> options() const {
    return {"-F", env_.home().write("ssh_config", config_ + "Host *\n IdentitiesOnly yes\n UserKnownHostsFile " +
                                                      known_hosts_ + "\n GlobalKnownHostsFile none\n")};
  }
  static std::string at(const std::string& alias) { return support::current_user() + "@" + alias; }

  /// jms on the way to a server, and the terminal as it was before.
  void connect(const std::string& alias, std::vector<std::string> more = {}) {
    auto arguments = options();
    arguments.insert(arguments.end(), more.begin(), more.end());
    arguments.push_back(at(alias));
    launch({}, arguments);
    before_ = jms_->first_settings();
  }
  void connect(const support::Sshd& server) {
    name("server", server.port());
    connect("server");
  }
  /// The same until the prompt.
  void open(const support::Sshd& server) {
    connect(server);
    ASSERT_TRUE(jms_->wait_for("$ ")) << jms_->output();
  }

  void expect_end(int code, Ms limit = support::PtyProgram::kLimit) {
    EXPECT_EQ(jms_->wait_for_exit(limit), (support::Ending{code, 0})) << jms_->output();
    const termios after = jms_->settings();
    EXPECT_EQ(after.c_lflag, before_.c_lflag);
    EXPECT_EQ(after.c_iflag, before_.c_iflag);
    EXPECT_EQ(after.c_oflag, before_.c_oflag);
    EXPECT_EQ(support::describe(jms_->screen().modes()), support::describe(terminal::Modes{}));
  }
  bool said(std::string_view text) const { return jms_->output().find(text) != std::string::npos; }
  int times_said(std::string_view text) const {
    int count = 0;
    for (auto at = jms_->output().find(text); at != std::string::npos; at = jms_->output().find(text, at + 1)) ++count;
    return count;
  }

  std::string key_;
  std::string known_hosts_;
  std::string config_;
  termios before_{};
};

}  // namespace app
