// Terminals that take no command now: each is told apart, nothing typed is lost.
#include <gtest/gtest.h>

#include "tests/support/exec/link_shims.h"
#include "tests/support/exec/shell_session.h"
#include "tests/support/passing_transport.h"

namespace remote_exec {
namespace {

using std::chrono::milliseconds;
using support::expect_alive;
using support::request;
using support::shell_named;
using support::ShellSession;

/// A link that takes Enter and brings nothing any more, as one does that has died unnoticed.
class SilentAfterEnter final : public support::PassingTransport {
 public:
  using PassingTransport::PassingTransport;
  bool armed = false;

  void start(Events events) override {
    auto on_bytes = std::move(events.on_bytes);
    events.on_bytes = [this, on_bytes](std::string_view bytes) {
      if (!silent_) on_bytes(bytes);
    };
    inner_->start(std::move(events));
  }
  void send(std::string_view bytes) override {
    silent_ = silent_ || (armed && bytes == "\r");
    inner_->send(bytes);
  }

 private:
  bool silent_ = false;
};

TEST(Busy, WithoutASignAfterEnterTheCommandMayHaveRun) {
  SilentAfterEnter* link = nullptr;
  ShellSession s(shell_named("bash"), {24, 80}, {},
                 [&](event::EventLoop&, std::unique_ptr<transport::Transport> inner) {
                   auto made = std::make_unique<SilentAfterEnter>(std::move(inner));
                   link = made.get();
                   return made;
                 });
  s.run("echo ready");
  link->armed = true;
  const auto result = s.run("echo unheard");
  EXPECT_EQ(result.status, Status::busy);
  EXPECT_EQ(result.reason, Reason::no_start);
  EXPECT_NE(result.note_for_model.find("may or may not have run"), std::string::npos);
}

TEST(Busy, HalfTypedTextIsKeptAndReported) {
  ShellSession s(shell_named("bash"));
  s.run("echo ready");
  ASSERT_TRUE(s.wait_idle());
  s.session->type("echo half");
  ASSERT_TRUE(s.wait_for_screen("$ echo half"));
  const auto result = s.run("echo never");
  EXPECT_EQ(result.status, Status::busy);
  EXPECT_EQ(result.reason, Reason::half_typed);
  s.session->type("\x15");  // The operator clears it.
  ASSERT_TRUE(s.wait([&] { return look_at(s.session->screen()).before_cursor == "$ "; }));
  expect_alive(s);
}

/// koko ends a confirmed line twice, so the shell draws its prompt once more; in between the line is empty. The key
/// that confirmed was still taken for text on the prompt line, and the next command refused.
TEST(Busy, APromptThatIsBeingDrawnAgainIsWaitedFor) {
  support::TalkingTransport* link = nullptr;
  ShellSession s(shell_named("bash"), {24, 80}, {},
                 [&](event::EventLoop&, std::unique_ptr<transport::Transport> inner) {
                   auto made = std::make_unique<support::TalkingTransport>(std::move(inner));
                   link = made.get();
                   return made;
                 });
  s.run("echo ready");
  s.begin(request("read -s -n1 -p 'Continue? [Y/n] ' key; echo $key", true));
  ASSERT_TRUE(s.wait([&] { return !s.states.empty() && s.states.back() == RunState::needs_input; }));
  s.session->type("y");
  ASSERT_TRUE(s.wait([&] { return s.result.has_value(); }));
  ASSERT_TRUE(s.wait_idle());
  link->say("\r\n");
  s.begin(request("echo next"));
  EXPECT_FALSE(s.wait([&] { return s.result.has_value(); }, milliseconds(60)));
  link->say("$ ");
  ASSERT_TRUE(s.wait([&] { return s.result.has_value(); }));
  EXPECT_EQ(s.result->output, "next\n") << s.result->note_for_operator;
  expect_alive(s);
}

TEST(Busy, HalfTypedTextIsSeenBeforeTheFirstProof) {
  ShellSession s(shell_named("dash"));
  ASSERT_TRUE(s.wait_for_screen("$"));
  s.session->type("rm -rf /nowhere");
  ASSERT_TRUE(s.wait_for_screen("/nowhere"));
  EXPECT_EQ(s.run("echo never").reason, Reason::half_typed);
  EXPECT_EQ(s.screen_text().find("printf"), std::string::npos);
}

TEST(Busy, AForegroundProgramIsLeftAlone) {
  for (const char* name : {"bash", "dash", "zsh"}) {
    SCOPED_TRACE(name);
    ShellSession s(shell_named(name));
    s.run("echo ready");
    ASSERT_TRUE(s.wait_idle());
    s.session->type("cat\r");
    ASSERT_TRUE(s.wait_for_screen("$ cat\n"));
    const auto begun = std::chrono::steady_clock::now();
    const auto result = s.run("echo never");
    EXPECT_EQ(result.status, Status::busy);
    EXPECT_EQ(result.reason, Reason::foreground_program);
    EXPECT_LT(std::chrono::steady_clock::now() - begun, milliseconds(2500));
    EXPECT_EQ(s.screen_text().find("never"), std::string::npos);
    s.session->type("\x04");
    ASSERT_TRUE(s.wait([&] { return look_at(s.session->screen()).before_cursor == "$ "; })) << s.screen_text();
    expect_alive(s);
  }
}

TEST(Busy, AFullScreenProgramIsLeftAlone) {
  ShellSession s(shell_named("bash"));
  s.run("echo ready");
  ASSERT_TRUE(s.wait_idle());
  s.session->type("vim -u NONE -i NONE\r");
  ASSERT_TRUE(s.wait([&] { return s.session->screen().alternate(); }));
  const auto result = s.run("echo never");
  EXPECT_EQ(result.status, Status::busy);
  EXPECT_EQ(result.reason, Reason::full_screen);
  s.session->type("\033:q!\r");
  ASSERT_TRUE(s.wait([&] { return !s.session->screen().alternate(); }));
  ASSERT_TRUE(s.wait([&] { return look_at(s.session->screen()).before_cursor == "$ "; }));
  expect_alive(s);
}

TEST(Busy, APasswordPromptGetsNothingTypedIntoIt) {
  ShellSession s(shell_named("bash"));
  s.run("echo ready");
  ASSERT_TRUE(s.wait_idle());
  s.session->type("read -s -p 'Password: ' secret; echo \"<$secret>\"\r");
  ASSERT_TRUE(s.wait([&] { return look_at(s.session->screen()).before_cursor == "Password: "; }));
  const auto result = s.run("echo never");
  EXPECT_EQ(result.status, Status::needs_input);
  EXPECT_EQ(result.reason, Reason::password);
  s.session->type("hidden\r");
  ASSERT_TRUE(s.wait_for_screen("<hidden>"));
}

TEST(Busy, AContinuationPromptIsReported) {
  ShellSession s(shell_named("bash"));
  s.run("echo ready");
  ASSERT_TRUE(s.wait_idle());
  s.session->type("echo 'open\r");
  ASSERT_TRUE(s.wait([&] { return look_at(s.session->screen()).before_cursor == "> "; }));
  EXPECT_EQ(s.run("echo never").reason, Reason::continuation);
  s.session->type("\x03");
  ASSERT_TRUE(s.wait([&] { return look_at(s.session->screen()).before_cursor == "$ "; }));
  expect_alive(s);
}

TEST(Busy, ASecondCommandIsRefusedWhileOneRuns) {
  ShellSession s(shell_named("bash"));
  s.run("echo ready");
  s.begin(request("sleep 0.5; echo first"));
  ASSERT_TRUE(s.wait([&] { return !s.states.empty() && s.states.back() == RunState::running; }));
  std::optional<CommandResult> second;
  const auto run =
      s.session->shell().run(request("echo second"), {{}, {}, [&](CommandResult r) { second = std::move(r); }});
  ASSERT_TRUE(s.wait([&] { return second && s.result; }));
  EXPECT_EQ(second->reason, Reason::lane_busy);
  EXPECT_EQ(s.result->output, "first\n");
}

}  // namespace
}  // namespace remote_exec
