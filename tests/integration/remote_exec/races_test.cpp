// Moments that are hard to hit: a Ctrl-C while the shell is about to start the program.
#include <gtest/gtest.h>

#include <filesystem>

#include "event/timer.h"
#include "tests/support/exec/link_shims.h"
#include "tests/support/exec/shell_session.h"

namespace remote_exec {
namespace {

using std::chrono::milliseconds;
using support::all_shells;
using support::ShellSession;
using support::ShellUnderTest;

class CancelRace : public testing::TestWithParam<ShellUnderTest> {};

TEST_P(CancelRace, AProgramThatIsJustStartingIsStopped) {
  ShellSession s(GetParam());
  ASSERT_EQ(s.run("echo ready").output, "ready\n");
  event::Timer later(s.loop);
  for (int i = 0; i < 20; ++i) {
    SCOPED_TRACE(i);
    ExecRequest request;
    request.command = "sleep 40";
    s.begin(request);
    const RunState from = i % 2 == 0 ? RunState::running : RunState::typing;
    ASSERT_TRUE(s.wait([&] { return !s.states.empty() && s.states.back() >= from; }));
    const auto begun = std::chrono::steady_clock::now();
    later.start(milliseconds(i % 7), [&] { s.session->stop(); });
    ASSERT_TRUE(s.wait([&] { return s.result.has_value(); })) << s.screen_text();
    EXPECT_EQ(s.result->status, Status::interrupted);
    EXPECT_EQ(s.result->reason, Reason::none);
    ASSERT_TRUE(s.wait_idle()) << s.screen_text();
    const auto took = std::chrono::steady_clock::now() - begun;
    EXPECT_LT(took, milliseconds(5000));
  }
  const auto after = s.run("echo alive");
  EXPECT_EQ(after.output, "alive\n") << s.screen_text();
}

INSTANTIATE_TEST_SUITE_P(Shells, CancelRace, testing::ValuesIn(all_shells()),
                         [](const auto& name) { return name.param.name; });

/// A command that would leave a trace, cancelled before it was typed.
class CancelledInTime : public testing::Test {
 protected:
  void open(char kind, int count, bool hooks) {
    Options options;
    options.hooks = hooks;
    s_ = std::make_unique<ShellSession>(support::shell_named("bash"), base::Size{24, 80}, options,
                                        [&](event::EventLoop&, std::unique_ptr<transport::Transport> inner) {
                                          auto made =
                                              std::make_unique<support::HeldBehindMark>(std::move(inner), kind, count);
                                          link_ = made.get();
                                          return made;
                                        });
  }
  ExecRequest trace() const { return support::request("touch " + s_->home() + "/trace"); }
  void expect_never_run() {
    ASSERT_TRUE(s_->wait([&] { return s_->result.has_value(); })) << s_->screen_text();
    EXPECT_EQ(status_name(s_->result->status), status_name(Status::interrupted));
    ASSERT_TRUE(s_->wait_idle());
    support::expect_alive(*s_);
    EXPECT_FALSE(std::filesystem::exists(s_->home() + "/trace")) << s_->screen_text();
  }

  support::HeldBehindMark* link_ = nullptr;
  std::unique_ptr<ShellSession> s_;
};

TEST_F(CancelledInTime, WhileItIsNotKnownWhatTheOperatorsLineDoes) {
  open('-', 0, false);
  ASSERT_EQ(s_->run("echo ready").output, "ready\n");
  ASSERT_TRUE(s_->wait_idle());
  s_->session->type("true\r");
  s_->begin(trace());
  s_->session->stop();
  expect_never_run();
}

/// Behind the two probes and the line that installs the hooks.
TEST_F(CancelledInTime, BetweenAProbeAndTheCommand) {
  for (const bool hooks : {false, true}) {
    for (int answer = 1; answer <= (hooks ? 3 : 2); ++answer) {
      SCOPED_TRACE(std::to_string(hooks) + " " + std::to_string(answer));
      open('p', answer, hooks);
      s_->begin(trace());
      ASSERT_TRUE(s_->wait([&] { return link_->holding(); })) << s_->screen_text();
      s_->session->stop();
      link_->release();
      expect_never_run();
      EXPECT_EQ(s_->run("true").framing, hooks ? Framing::hook : Framing::line);
    }
  }
}

TEST_F(CancelledInTime, WhileItWaitsForThePromptOfTheOneBefore) {
  open('e', 1, false);
  ASSERT_EQ(s_->run("echo ready").output, "ready\n");
  ASSERT_TRUE(link_->holding());
  s_->begin(trace());
  s_->session->stop();
  ASSERT_TRUE(s_->wait([&] { return s_->result.has_value(); }));
  link_->release();
  expect_never_run();
}

TEST(Interrupted, AProgramThatAnswersLikeThePromptIsPressedAgain) {
  ShellSession s(support::shell_named("dash"));
  s.run("echo ready");
  const auto result =
      s.run("perl -e '$|=1; $SIG{INT}=sub {$SIG{INT}=\"DEFAULT\"; print \"\\n\\$ \"}; sleep 40; sleep 40'",
            milliseconds(500));
  EXPECT_EQ(result.status, Status::timeout);
  EXPECT_EQ(result.reason, Reason::none) << s.screen_text();
  ASSERT_TRUE(s.wait_idle());
  EXPECT_EQ(s.run("echo alive").output, "alive\n") << s.screen_text();
}

TEST(Interrupted, CtrlBackslashFollowsWhereTheOperatorAllowsIt) {
  Options options;
  options.quit_key = true;
  for (const char* shell : {"bash", "dash", "zsh"}) {
    SCOPED_TRACE(shell);
    ShellSession s(support::shell_named(shell), {24, 80}, options);
    s.run("ulimit -c 0");
    const auto result = s.run("sh -c 'trap \"\" INT; exec sleep 40'", milliseconds(200));
    EXPECT_EQ(result.status, Status::timeout);
    EXPECT_EQ(result.reason, Reason::none) << s.screen_text();
    ASSERT_TRUE(s.wait_idle());
    EXPECT_EQ(s.run("echo alive").output, "alive\n") << s.screen_text();
  }
}

TEST(Interrupted, TheLastWordsOfAProgramAreKept) {
  for (const auto& shell : all_shells()) {
    SCOPED_TRACE(shell.name);
    ShellSession s(shell);
    s.run("echo ready");
    ExecRequest request;
    request.command =
        "perl -e '$|=1; $SIG{INT}=sub {print \"cleaned up\\n\"; $SIG{INT}=\"DEFAULT\"; kill INT, $$}; "
        "select(undef, undef, undef, 0.4); print \"begun\\n\"; sleep 30'";
    s.begin(request);
    ASSERT_TRUE(s.wait([&] { return s.live == "begun\n"; }));
    s.session->stop();
    ASSERT_TRUE(s.wait([&] { return s.result.has_value(); }));
    EXPECT_EQ(s.result->status, Status::interrupted);
    EXPECT_EQ(s.result->output, "begun\ncleaned up\n");
  }
}

}  // namespace
}  // namespace remote_exec
