// Commands that stop to ask, are interrupted, or end the session.
#include <gtest/gtest.h>

#include "tests/support/exec/shell_session.h"
#include "tests/support/gate.h"

namespace remote_exec {
namespace {

using std::chrono::milliseconds;
using support::all_shells;
using support::expect_alive;
using support::kBegunAndSleeping;
using support::request;
using support::shell_named;
using support::ShellSession;

TEST(Questions, APasswordTypedByTheOperatorLetsTheCommandGoOn) {
  ShellSession s(shell_named("bash"));
  s.run("echo ready");
  s.begin(request("read -s -p '密码：' x; echo; echo \"length ${#x}\"", true));
  ASSERT_TRUE(s.wait([&] { return !s.states.empty() && s.states.back() == RunState::needs_input; }));
  s.session->type("geheim\r");
  ASSERT_TRUE(s.wait([&] { return s.result.has_value(); }));
  EXPECT_EQ(s.result->output, "密码：\nlength 6\n");
  EXPECT_EQ(s.result->exit_code, 0);
  expect_alive(s);
}

TEST(Questions, ThePanelIsToldWhenTheAnswerWasTaken) {
  const support::TempDir folder;
  const support::Gate gate(folder, "gate");
  ShellSession s(shell_named("bash"));
  s.run("echo ready");
  s.begin(request("bash -c 'read -s -p \"Password: \" x; echo; " + gate.wait() + "; true'", true));
  ASSERT_TRUE(s.wait([&] { return !s.states.empty() && s.states.back() == RunState::needs_input; }));
  s.session->type("geheim\r");
  ASSERT_TRUE(s.wait([&] { return s.states.back() == RunState::running; })) << s.screen_text();
  EXPECT_FALSE(s.result);
  gate.open();
  ASSERT_TRUE(s.wait([&] { return s.result.has_value(); }));
  EXPECT_EQ(s.result->exit_code, 0);
}

TEST(Questions, AProgramThatReadsTheTerminalIsNotWaitedFor) {
  for (const auto& shell : all_shells()) {
    SCOPED_TRACE(shell.name);
    ShellSession s(shell);
    const auto result = s.run("cat");
    EXPECT_EQ(result.status, Status::needs_input);
    EXPECT_EQ(result.reason, Reason::reads_terminal);
    EXPECT_LT(result.duration, milliseconds(8000));
    expect_alive(s);
  }
}

TEST(Questions, WhatTheOperatorTypesGoesToTheProgramThatReadsTheTerminal) {
  ShellSession s(shell_named("bash"));
  s.run("echo ready");
  s.begin(request("cat", true));
  ASSERT_TRUE(s.wait([&] { return !s.states.empty() && s.states.back() == RunState::needs_input; }));
  s.session->type("words\r\x04");
  ASSERT_TRUE(s.wait([&] { return s.result.has_value(); }));
  EXPECT_EQ(s.result->output, "words\nwords\n");
  EXPECT_EQ(s.result->exit_code, 0);
}

TEST(Interruptions, TheOperatorsCtrlCEndsTheCommand) {
  for (const auto& shell : all_shells()) {
    SCOPED_TRACE(shell.name);
    ShellSession s(shell);
    s.run("echo ready");
    s.begin(request(kBegunAndSleeping));
    ASSERT_TRUE(s.wait([&] { return s.live == "begun\n"; }));
    s.session->type("\x03");
    ASSERT_TRUE(s.wait([&] { return s.result.has_value(); }, milliseconds(5000))) << s.screen_text();
    EXPECT_EQ(s.result->status, Status::interrupted);
    EXPECT_EQ(s.result->output, "begun\n");
    expect_alive(s);
  }
}

TEST(Interruptions, StoppingTheRunGivesWhatCame) {
  ShellSession s(shell_named("zsh"));
  s.run("echo ready");
  s.begin(request(kBegunAndSleeping));
  ASSERT_TRUE(s.wait([&] { return s.live == "begun\n"; }));
  s.session->stop();
  s.session->stop();
  ASSERT_TRUE(s.wait([&] { return s.result.has_value(); }));
  EXPECT_EQ(s.result->status, Status::interrupted);
  EXPECT_EQ(s.result->output, "begun\n");
  expect_alive(s);
}

TEST(Interruptions, DestroyingTheRunInEachPhaseLeavesAUsablePrompt) {
  for (const auto phase : {RunState::proving, RunState::typing, RunState::running}) {
    SCOPED_TRACE(static_cast<int>(phase));
    ShellSession s(shell_named("bash"));
    if (phase != RunState::proving) s.run("echo ready");
    ASSERT_TRUE(s.wait_for_screen("$"));
    ASSERT_TRUE(s.wait_idle());
    bool reached = false;
    bool called = false;
    auto run = s.session->shell().run(request("sleep 20"),
                                      {{},
                                       [&](RunState state, Asking) { reached = reached || state == phase; },
                                       [&](CommandResult) { called = true; }});
    ASSERT_TRUE(s.wait([&] { return reached; }));
    run.reset();
    ASSERT_TRUE(s.wait_idle()) << s.screen_text();
    EXPECT_FALSE(called);
    expect_alive(s);
  }
}

TEST(Interruptions, ALateEndOfAnAbandonedCommandIsNotTakenForTheNext) {
  const support::TempDir folder;
  const support::Gate gate(folder, "gate");
  ShellSession s(shell_named("bash"));
  s.run("echo ready");
  const auto first = s.run("sh -c 'trap \"\" INT; " + gate.wait() + "'; echo late", milliseconds(1000));
  EXPECT_EQ(first.status, Status::timeout);
  ASSERT_EQ(first.reason, Reason::not_interruptible);
  EXPECT_EQ(s.run("echo early").reason, Reason::lane_busy);
  gate.open();
  ASSERT_TRUE(s.wait_idle());
  expect_alive(s);
}

TEST(TheEnd, ALostSessionIsReportedAsUnknown) {
  ShellSession s(shell_named("bash"));
  s.run("echo ready");
  auto wanted = request("echo begun; kill -9 $$; sleep 5");
  wanted.session_end = SessionEnd::agreed;
  const auto result = s.run(wanted);
  EXPECT_EQ(result.status, Status::disconnected);
  EXPECT_EQ(result.exit_code, std::nullopt);
  EXPECT_EQ(result.output, "begun\n");
  EXPECT_EQ(s.run("echo again").status, Status::disconnected);
}

TEST(TheEnd, AnAgreedExitEndsTheSession) {
  ShellSession s(shell_named("bash"));
  s.run("echo ready");
  auto wanted = request("exit 3");
  wanted.session_end = SessionEnd::agreed;
  EXPECT_EQ(s.run(wanted).status, Status::disconnected);
  EXPECT_EQ(s.session->closed()->exit_code, 3);
}

}  // namespace
}  // namespace remote_exec
