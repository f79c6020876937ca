// Moments that are hard to hit: a Ctrl-C while the shell is about to start the program.
#include <gtest/gtest.h>

#include "event/timer.h"
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
