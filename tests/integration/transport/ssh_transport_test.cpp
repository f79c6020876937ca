// The libssh2 engine against a real sshd: what a session does once it is open.

#include <gtest/gtest.h>
#include <signal.h>

#include "support/ssh_fixture.h"

namespace transport {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using support::Sshd;

class SshSessionTest : public support::SshTest {};

TEST_F(SshSessionTest, RunsACommandOnAPtyAndReportsItsExitCode) {
  const Sshd server;
  EXPECT_EQ(run(target(server), "tty >/dev/null && echo $TERM; exit 7"), "xterm-256color");
  ASSERT_TRUE(closed_);
  EXPECT_EQ(closed_->kind, Closed::Kind::ended) << closed_->reason;
  EXPECT_EQ(closed_->exit_code, 7);
}

}  // namespace
}  // namespace transport
