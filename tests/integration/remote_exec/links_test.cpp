// The matrix over links that are not a quiet pty: a real sshd, a slow line that delivers byte by byte, a terminal whose
// size changes all the time.
#include <gtest/gtest.h>

#include "tests/support/exec/exec_matrix.h"
#include "tests/support/exec/link_shims.h"
#include "tests/support/ssh_fixture.h"

namespace remote_exec {
namespace {

using std::chrono::milliseconds;
using support::MatrixLink;
using support::ShellUnderTest;

class OverSsh : public support::SshTest {};

TEST_F(OverSsh, EveryCaseInEveryShellIsAsOnAPty) {
  support::Sshd server({.config = "MaxStartups 100\n"});
  const auto where = target(server);
  MatrixLink link;
  link.slack = milliseconds(1000);
  link.open = [&](event::EventLoop& loop, const ShellUnderTest& shell, const std::string& home, base::Size size) {
    auto with_shell = where;
    with_shell.command = command_line_of(shell, home);
    with_shell.size = size;
    return std::make_unique<transport::SshTransport>(loop, with_shell, prompter_, transport::SshTransport::Hooks{});
  };
  run_matrix(loop_, link);
}

TEST(OverASlowLink, EveryCaseInEveryShellIsAsOnAPty) {
  event::EventLoop loop;
  MatrixLink link;
  link.slack = milliseconds(6000);
  link.sessions_per_shell = 4;
  link.open = [](event::EventLoop& shared, const ShellUnderTest& shell, const std::string& home, base::Size size) {
    return std::make_unique<support::SlowTransport>(shared, open_on_pty(shared, shell, home, size), milliseconds(80));
  };
  run_matrix(loop, link);
}

TEST(WithRandomResizes, EveryCaseInEveryShellIsAsOnAPty) {
  event::EventLoop loop;
  MatrixLink link;
  link.slack = milliseconds(30'000);  // Quiet moments are rare while everything redraws.
  link.resizes = true;
  link.open = support::open_on_pty;
  run_matrix(loop, link);
}

}  // namespace
}  // namespace remote_exec
