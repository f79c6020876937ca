#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tests/support/sshd.h"
#include "tests/support/temp_dir.h"
#include "transport/ssh/ssh_transport.h"

namespace bench {

/// A private sshd on the loopback and the two ways to it: jms' own SSH, and the system's ssh on an open ControlMaster
/// connection.
class SshHost {
 public:
  SshHost();
  ~SshHost();
  SshHost(const SshHost&) = delete;
  SshHost& operator=(const SshHost&) = delete;

  /// A pty on the host with `command` in it.
  std::unique_ptr<transport::Transport> open(event::EventLoop& loop, const std::string& command);

  /// The system's ssh on a pty of ours, with a connection of its own.
  std::vector<std::string> openssh(const std::string& command) const;

  /// µs for `ssh host COMMAND` from start to exit, over the open connection.
  double over_control_master(const std::string& command) const;

 private:
  pid_t spawn_ssh(const std::vector<std::string>& arguments) const;

  /// Nobody sits here: every question is declined.
  struct Nobody final : transport::SshPrompter {
    void ask(const transport::SshQuestion&, Reply reply) override { reply(std::nullopt); }
    void withdraw() override {}
  };

  support::TempDir home_;
  support::Sshd sshd_;
  Nobody nobody_;
  std::string config_;
  pid_t master_ = -1;
};

}  // namespace bench
