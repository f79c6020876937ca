// The libssh2 engine against a real sshd: what a session does once it is open.

#include <gtest/gtest.h>
#include <signal.h>

#include <cstdio>
#include <fstream>
#include <sstream>

#include "tests/support/eventually.h"
#include "tests/support/ssh_fixture.h"

namespace transport {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using support::Sshd;

class SshSessionTest : public support::SshTest {};

/// Bytes that the kernel holds of what the server at this port of the loopback has sent.
std::size_t unread_from(int port) {
  std::ifstream table("/proc/net/tcp");
  char remote[32];
  std::snprintf(remote, sizeof remote, "0100007F:%04X", port);
  std::size_t unread = 0;
  std::string line;
  std::getline(table, line);
  while (std::getline(table, line)) {
    std::istringstream words(line);
    std::string number, local, peer, state, queues;
    words >> number >> local >> peer >> state >> queues;
    if (peer == remote) unread += std::stoul(queues.substr(queues.find(':') + 1), nullptr, 16);
  }
  return unread;
}

TEST_F(SshSessionTest, RunsACommandOnAPtyAndReportsItsExitCode) {
  const Sshd server;
  EXPECT_EQ(run(target(server), "tty >/dev/null && echo $TERM; exit 7"), "xterm-256color");
  ASSERT_TRUE(closed_);
  EXPECT_EQ(closed_->kind, Closed::Kind::ended) << closed_->reason;
  EXPECT_EQ(closed_->exit_code, 7);
}

TEST_F(SshSessionTest, ReportsAProgramEndedByASignal) {
  const Sshd server;
  run(target(server), "kill -TERM $$");
  ASSERT_TRUE(closed_);
  EXPECT_EQ(closed_->exit_code, 128 + SIGTERM);
  EXPECT_EQ(closed_->reason, "ended by signal TERM");
}

TEST_F(SshSessionTest, MergesStandardErrorAndEndsThoughOnlyItWasWritten) {
  const Sshd server;
  auto where = target(server);
  where.config.options.push_back("RequestTTY no");
  EXPECT_EQ(run(where, "echo oops >&2; exit 3"), "oops");
  EXPECT_EQ(closed_->exit_code, 3);
}

TEST_F(SshSessionTest, KeepsWhatWasTypedBeforeTheShellWasThere) {
  const Sshd server;
  connect(target(server));
  ssh_->send("echo ear''ly; exit 5\n");
  EXPECT_GT(ssh_->unsent(), 0u);
  ASSERT_TRUE(wait_closed());
  EXPECT_NE(output_.find("early"), std::string::npos) << output_;
  EXPECT_EQ(closed_->exit_code, 5);
}

TEST_F(SshSessionTest, TellsTheShellItsSizeAndEveryChangeOfIt) {
  const Sshd server;
  auto where = target(server);
  where.size = {33, 101};
  where.command = "trap 'stty size' WINCH; stty size; while :; do sleep 0.05; done";
  connect(where);
  ASSERT_TRUE(wait_output("33 101")) << output_;
  ssh_->resize({44, 120});
  ASSERT_TRUE(wait_output("44 120")) << output_;
}

TEST_F(SshSessionTest, PassesTheEnvironmentThatTheConfigurationNames) {
  setenv("JMS_SENT", "from-here", 1);
  const Sshd server;
  auto where = target(server);
  where.config.options.insert(where.config.options.end(), {"SendEnv JMS_S*", "SetEnv JMS_SET=fixed REFUSED=x"});
  EXPECT_EQ(run(where, "echo $JMS_SENT-$JMS_SET-$REFUSED"), "from-here-fixed-");
}

TEST_F(SshSessionTest, DeliversALargeOutputWhole) {
  const Sshd server;
  run(target(server), "seq 1 400000; printf last");
  EXPECT_TRUE(output_.ends_with("400000\r\nlast"));
  std::size_t lines = 0;
  for (const char c : output_) lines += c == '\n';
  EXPECT_EQ(lines, 400000u);
}

TEST_F(SshSessionTest, SurvivesRekeyingInTheMiddleOfATransferBothWays) {
  Sshd::Options options;
  options.config = "RekeyLimit 300K";
  const Sshd server(options);
  auto where = target(server);
  where.config.options.push_back("RequestTTY no");
  where.command = "head -c 3000000 | sha256sum; head -c 5000000 /dev/zero | tr '\\0' x";
  connect(where);
  ASSERT_TRUE(wait_ready());
  ssh_->send(std::string(3'000'000, 'y'));
  ASSERT_TRUE(wait_closed(seconds(60)));
  EXPECT_EQ(closed_->kind, Closed::Kind::ended) << closed_->reason;
  EXPECT_EQ(output_.substr(0, 10), "a15eccdf74") << output_.substr(0, 80);
  EXPECT_EQ(output_.size(), 5'000'000u + 68);
}

TEST_F(SshSessionTest, TakesALongPasteInARawTerminal) {
  const Sshd server;
  auto where = target(server);
  where.command = "stty raw -echo; echo ready; head -c 500000 | wc -c";
  connect(where);
  ASSERT_TRUE(wait_output("ready"));
  ssh_->send(std::string(500'000, 'x'));
  EXPECT_GT(ssh_->unsent(), 0u);
  ASSERT_TRUE(wait_closed());
  EXPECT_NE(output_.find("500000"), std::string::npos);
}

TEST_F(SshSessionTest, ShowsWhatArrivesJustWhenSomethingIsTyped) {
  // libssh2 reads before it writes; what it took in then comes with no event of its own.
  const Sshd server;
  auto where = target(server);
  where.command = "stty -echo -icanon; echo ready; head -c 1 >/dev/null; echo late; cat >/dev/null";
  connect(where);
  ASSERT_TRUE(wait_output("ready"));
  ssh_->send("x");
  ASSERT_TRUE(support::eventually([&] { return unread_from(server.port()) > 0; }));  // Our loop stands still.
  ssh_->send("y");
  EXPECT_TRUE(wait_output("late"));
}

TEST_F(SshSessionTest, SurvivesALongPasteIntoAPasswordPrompt) {
  // With echo off in line mode OpenSSH mirrors the input in IGNORE packets, which libssh2 cannot take when large.
  const Sshd server;
  auto where = target(server);
  where.command = "stty -echo; echo ready; sleep 2; stty echo; echo still here; exit 4";
  connect(where);
  ASSERT_TRUE(wait_output("ready"));
  ssh_->send(std::string(200'000, 'x'));
  ASSERT_TRUE(wait_closed());
  EXPECT_EQ(closed_->kind, Closed::Kind::ended) << closed_->reason;
  EXPECT_EQ(closed_->exit_code, 4);
}

TEST_F(SshSessionTest, SurvivesALongPasteIntoAPasswordPromptOfAServerThatIsBusy) {
  const Sshd server;
  auto where = target(server);
  where.command = "stty -echo; echo ready; read x; stty echo; echo still here; exit 4";
  connect(where);
  ASSERT_TRUE(wait_output("ready"));
  // While the server stands still everything would pile up there; it comes in pieces, as a terminal delivers a paste.
  server.signal_connections(SIGSTOP);
  for (int i = 0; i < 50; ++i) {
    ssh_->send(std::string(4'000, 'x'));
    wait_for([] { return false; }, milliseconds(10));
  }
  server.signal_connections(SIGCONT);
  ssh_->send("\n");
  ASSERT_TRUE(wait_closed());
  EXPECT_EQ(closed_->kind, Closed::Kind::ended) << closed_->reason;
  EXPECT_EQ(closed_->exit_code, 4);
}

TEST_F(SshSessionTest, BrakesTheServerWhilePausedAndLosesNothing) {
  Sshd::Options options;
  options.config = "ClientAliveInterval 1\nClientAliveCountMax 2";
  const Sshd server(options);
  auto where = target(server);
  where.command = "stty -onlcr; head -c 12000000 /dev/zero | tr '\\0' z; echo; echo end";
  connect(where);
  ASSERT_TRUE(wait_for([this] { return output_.size() > 1000; }));
  ssh_->pause_reading();
  wait_for([] { return false; }, milliseconds(50));
  const std::size_t before = output_.size();
  // Longer than the server waits for a sign of life: a paused session must still answer it.
  wait_for([] { return false; }, milliseconds(4500));
  EXPECT_EQ(output_.size(), before);
  ASSERT_FALSE(closed_) << closed_->reason;
  ssh_->resume_reading();
  ASSERT_TRUE(wait_closed());
  EXPECT_TRUE(output_.ends_with("end\n"));
  EXPECT_EQ(output_.size(), 12'000'000u + 5);
}

TEST_F(SshSessionTest, InterruptsAFloodAtOnce) {
  const Sshd server;
  connect(target(server));
  ASSERT_TRUE(wait_ready());
  ssh_->send("yes jms-flood\n");
  ASSERT_TRUE(wait_for([this] { return output_.size() > 3'000'000; }));
  const auto begin = std::chrono::steady_clock::now();
  ssh_->send("\x03");
  ssh_->send("echo do''ne\n");
  ASSERT_TRUE(wait_output("done\r\n"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, seconds(2));
}

TEST_F(SshSessionTest, SaysSoWhenTheServerDies) {
  const Sshd server;
  connect(target(server));
  ASSERT_TRUE(wait_ready());
  server.signal_connections(SIGKILL);
  ASSERT_TRUE(wait_closed());
  EXPECT_EQ(closed_->kind, Closed::Kind::lost);
  EXPECT_FALSE(closed_->exit_code);
  EXPECT_NE(closed_->reason.find("the connection"), std::string::npos) << closed_->reason;
}

TEST_F(SshSessionTest, NoticesAHalfOpenLink) {
  const Sshd server;
  auto where = target(server);
  where.config.options.insert(where.config.options.end(), {"ServerAliveInterval 1", "ServerAliveCountMax 2"});
  connect(where);
  ASSERT_TRUE(wait_ready());
  // First as long as it would take to give up, with a server that answers.
  wait_for([this] { return closed_.has_value(); }, milliseconds(4500));
  ASSERT_FALSE(closed_) << closed_->reason;
  server.signal_connections(SIGSTOP);
  ASSERT_TRUE(wait_closed(seconds(10)));
  server.signal_connections(SIGCONT);
  EXPECT_EQ(closed_->kind, Closed::Kind::lost);
  EXPECT_NE(closed_->reason.find("has not answered for 3 seconds"), std::string::npos) << closed_->reason;
}

TEST_F(SshSessionTest, CloseEndsTheSessionInBoundedTimeThoughTheServerIsStuck) {
  const Sshd server;
  connect(target(server));
  ASSERT_TRUE(wait_ready());
  server.signal_connections(SIGSTOP);
  ssh_->close();
  EXPECT_TRUE(wait_closed(seconds(2)));
  ssh_.reset();  // Must not wait for the peer either.
  server.signal_connections(SIGCONT);
}

TEST_F(SshSessionTest, MayBeDestroyedInAnyCallback) {
  const Sshd server;
  for (const char* where : {"progress", "engine", "ready", "bytes"}) {
    SCOPED_TRACE(where);
    bool gone = false;
    const auto destroy_at = [&](const char* place) {
      if (std::string_view(where) != place) return;
      ssh_.reset();
      gone = true;
    };
    SshTransport::Hooks hooks;
    hooks.on_progress = [&](const std::string&) { destroy_at("progress"); };
    hooks.on_engine = [&](const EngineDecision&) { destroy_at("engine"); };
    hooks.on_ready = [&] { destroy_at("ready"); };
    auto to = target(server);
    ssh_ = std::make_unique<SshTransport>(loop_, to, prompter_, hooks);
    ssh_->start({[&](std::string_view) { destroy_at("bytes"); }, nullptr, nullptr});
    EXPECT_TRUE(wait_for([&] { return gone; }));
  }
}

TEST_F(SshSessionTest, ShowsHowItGetsAlong) {
  const Sshd server;
  run(target(server), "true");
  ASSERT_EQ(progress_.size(), 3u);
  EXPECT_EQ(progress_[0], "connecting to 127.0.0.1…");
  EXPECT_EQ(progress_[1], "checking the host key of 127.0.0.1…");
  ASSERT_EQ(engines_.size(), 1u);
  EXPECT_EQ(engines_[0].engine, SshEngine::libssh2);
}

}  // namespace
}  // namespace transport
