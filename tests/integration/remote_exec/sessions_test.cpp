// What happens around commands: strange prompts, busy terminals, questions, interruptions, nested shells, slow links,
// bastions that have a say.
#include <gtest/gtest.h>

#include "support/exec/link_shims.h"
#include "support/exec/shell_session.h"

namespace remote_exec {
namespace {

using std::chrono::milliseconds;
using support::all_shells;
using support::BastionTransport;
using support::shell_named;
using support::ShellSession;
using support::ShellUnderTest;
using support::SlowTransport;

ExecRequest request(std::string command, bool attended = false, milliseconds timeout = milliseconds(15'000)) {
  ExecRequest wanted;
  wanted.command = std::move(command);
  wanted.attended = attended;
  wanted.timeout = timeout;
  return wanted;
}

/// One process that says so when it runs; a shell could lose a Ctrl-C between two commands.
const char* const kBegunAndSleeping = "perl -e '$|=1; print \"begun\\n\"; sleep 20'";

void expect_alive(ShellSession& s) {
  const auto after = s.run("echo alive");
  EXPECT_EQ(after.output, "alive\n") << s.screen_text();
  EXPECT_EQ(after.exit_code, 0);
  EXPECT_TRUE(s.wait_idle());
  EXPECT_EQ(s.screen_text().find("7717"), std::string::npos) << s.screen_text();
}

// ---- Prompts
// ---------------------------------------------------------------------------------------------------------

struct Prompt {
  std::string name;
  std::string shell;
  std::string ps1;
  std::vector<std::string> more = {};
};

class UglyPrompt : public testing::TestWithParam<Prompt> {};

TEST_P(UglyPrompt, IsReadLikeAnyOther) {
  std::vector<std::string> environment = {"PS1=" + GetParam().ps1};
  for (const auto& entry : GetParam().more) environment.push_back(entry);
  ShellSession s(shell_named(GetParam().shell, environment));
  EXPECT_EQ(s.run("echo first").output, "first\n") << s.screen_text();
  EXPECT_EQ(s.run("printf second").output, "second");
  EXPECT_EQ(s.run("cd /usr/share").exit_code, 0);
  EXPECT_EQ(s.run("pwd").output, "/usr/share\n");
  EXPECT_EQ(s.run("sleep 20", milliseconds(300)).status, Status::timeout);
  expect_alive(s);
}

INSTANTIATE_TEST_SUITE_P(
    Prompts, UglyPrompt,
    testing::Values(Prompt{"TwoLines", "bash", "[\\w] long first line\\n\\$ "},
                    Prompt{"Coloured", "bash", "\\[\\e[1;32m\\]\\u@\\h\\[\\e[0m\\]:\\[\\e[34m\\]\\w\\[\\e[0m\\]\\$ "},
                    Prompt{"LeavesColourOn", "bash", "\\w \\e[33m\\$ ", {"PS0=\\e[0m"}},
                    Prompt{"WithASubstitution", "bash", "$(date +%N) $? \\$ "},
                    Prompt{"SlowSubstitution", "bash", "$(sleep 0.3; echo slow)> "},
                    Prompt{"WithATitle", "bash", "\\[\\e]0;\\u@\\h: \\w\\a\\]\\u:\\w\\$ "},
                    Prompt{"OnlyAGreaterThan", "bash", "> "}, Prompt{"Wide", "bash", "\\w 终端 ❯ "},
                    Prompt{"AsWideAsTheScreen", "bash", std::string(78, '=') + "\\$ "},
                    Prompt{"RightSide", "zsh", "%~ %# ", {"RPS1=right %T", "RPROMPT=right %T"}},
                    Prompt{"ZshTwoLines", "zsh", "%F{red}top%f\n%# "}, Prompt{"DashPath", "dash", "$PWD# "},
                    Prompt{"MkshExpression", "mksh", "$(pwd) $ "}, Prompt{"AshPath", "ash", "\\w \\$ "}),
    [](const auto& name) { return name.param.name; });

TEST(Prompts, AnEmptyOneWorksToo) {
  ShellSession s(shell_named("bash", {"PS1="}));
  EXPECT_EQ(s.run("echo first").output, "first\n");
  EXPECT_EQ(s.run("echo second").output, "second\n");
}

TEST(Prompts, AViModePromptTakesCommands) {
  ShellSession s(shell_named("bash"));
  EXPECT_EQ(s.run("set -o vi").exit_code, 0);
  EXPECT_EQ(s.run("echo in vi mode").output, "in vi mode\n");
  expect_alive(s);
}

TEST(Prompts, ReadlineScrollingSidewaysHidesNothing) {
  ShellSession s(shell_named("bash"), {24, 40});
  s.run("bind 'set horizontal-scroll-mode on'");
  EXPECT_EQ(s.run("echo " + std::string(120, 'w')).output, std::string(120, 'w') + "\n");
  expect_alive(s);
}

TEST(Prompts, HooksOfTheOperatorKeepWorking) {
  ShellSession s(shell_named("bash", {"PS0=before\n", "PROMPT_COMMAND=echo prompting"}));
  EXPECT_EQ(s.run("echo x").output, "x\n");
  auto trap = request("trap 'echo tracing' DEBUG");
  EXPECT_EQ(s.run(trap).reason, Reason::refused);  // It changes the operator's shell, so the operator has to agree.
  trap.session_end = SessionEnd::agreed;
  EXPECT_EQ(s.run(trap).exit_code, 0);
  const auto result = s.run("echo y");
  EXPECT_NE(result.output.find("y\n"), std::string::npos);
  EXPECT_EQ(result.exit_code, 0);
  trap.command = "trap - DEBUG";
  EXPECT_EQ(s.run(trap).exit_code, 0);
  expect_alive(s);
}

// ---- Shell settings
// --------------------------------------------------------------------------------------------------

class PosixShell : public testing::TestWithParam<std::string> {};

TEST_P(PosixShell, WithNounset) {
  ShellSession s(shell_named(GetParam()));
  s.run("set -u");
  EXPECT_EQ(s.run("echo fine").output, "fine\n");
  expect_alive(s);
}

TEST_P(PosixShell, WithTracingShowsNoWrapper) {
  ShellSession s(shell_named(GetParam()));
  s.run("set -x");
  const auto result = s.run("echo traced");
  EXPECT_NE(result.output.find("traced\n"), std::string::npos) << result.output;
  EXPECT_EQ(result.output.find("7717"), std::string::npos) << result.output;
  EXPECT_EQ(result.exit_code, 0);
  s.run("set +x");
  expect_alive(s);
}

TEST_P(PosixShell, WithPrintfReplaced) {
  ShellSession s(shell_named(GetParam()));
  s.run("printf() { echo replaced; }");
  EXPECT_EQ(s.run("echo fine").output, "fine\n") << s.screen_text();
  s.run("unset -f printf");
  s.run("alias printf=false");
  EXPECT_EQ(s.run("echo fine").output, "fine\n");
  expect_alive(s);
}

TEST_P(PosixShell, LeavesNoOptionTrapOrVariableBehind) {
  ShellSession s(shell_named(GetParam()));
  const std::string state =
      "set | grep -v -E '^(_|RANDOM|SECONDS|LINENO|EPOCH|BASH_COMMAND|COLUMNS|LINES|PPID|BASHPID|SRANDOM|"
      "PIPESTATUS|BASH_ARG|HISTCMD|OPTIND|TTYIDLE|status|pipestatus|zle|!)' > /tmp/$PPID-state; trap; set +o";
  const auto before = s.run(state);
  s.run("echo one");
  s.run("cat <<EOF\ntext\nEOF");
  s.run("sleep 10", milliseconds(200));
  const auto after = s.run(state);
  EXPECT_EQ(before.output, after.output);
  EXPECT_EQ(s.run("echo \"[$t]\"").output, "[]\n");
  EXPECT_EQ(s.run("printf '%s' \"$PS1\"").output.find("7717"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Shells, PosixShell, testing::Values("bash", "zsh", "dash", "ash", "mksh"),
                         [](const auto& name) { return name.param; });

TEST(History, HoldsNoWrapperWhereTheShellIgnoresALeadingSpace) {
  ShellSession s(shell_named("bash", {"HISTCONTROL=ignorespace"}));
  s.run("echo framed");
  EXPECT_EQ(s.run("history").output.find("framed"), std::string::npos);
}

// ---- Level hook
// ------------------------------------------------------------------------------------------------------

class Hooked : public testing::TestWithParam<std::string> {};

TEST_P(Hooked, CommandsAreTypedBareAndReportedByTheShell) {
  Options options;
  options.hooks = true;
  ShellSession s(shell_named(GetParam(), {"PROMPT_COMMAND=:"}), {24, 80}, options);
  const auto first = s.run("echo first");
  EXPECT_EQ(first.output, "first\n") << s.screen_text();
  EXPECT_EQ(first.framing, Framing::hook);
  EXPECT_EQ(s.run("sh -c 'exit 7'").exit_code, 7);
  EXPECT_EQ(s.run("printf 'no end'").output, "no end");
  EXPECT_EQ(s.run("sleep 20", milliseconds(300)).status, Status::timeout);
  ASSERT_TRUE(s.wait_idle());
  s.session->type("false\r");  // The operator's own commands pass in between.
  ASSERT_TRUE(s.wait_for_screen("false"));
  EXPECT_EQ(s.run("echo last").output, "last\n");
  expect_alive(s);
}

INSTANTIATE_TEST_SUITE_P(Shells, Hooked, testing::Values("bash", "zsh", "fish"),
                         [](const auto& name) { return name.param; });

// ---- Busy terminals
// --------------------------------------------------------------------------------------------------

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

// ---- Questions, interruptions, the end
// -------------------------------------------------------------------------------

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
  ShellSession s(shell_named("bash"));
  s.run("echo ready");
  const auto first = s.run("sh -c 'trap \"\" INT; sleep 3'; echo late", milliseconds(200));
  EXPECT_EQ(first.status, Status::timeout);
  EXPECT_EQ(first.reason, Reason::not_interruptible);
  EXPECT_EQ(s.run("echo early").reason, Reason::lane_busy);
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

// ---- Nested shells and clients
// ---------------------------------------------------------------------------------------

TEST(Nested, AShellInAShellIsProvenAndLeftAgain) {
  for (const char* inner :
       {"dash -i", "zsh -f", "bash --norc", "busybox ash -i", "mksh -i", "tcsh -f", "fish --no-config"}) {
    SCOPED_TRACE(inner);
    ShellSession s(shell_named("bash", {"PS1=outer$ "}));
    s.run("echo ready");
    const auto opened = s.run(inner);
    EXPECT_EQ(opened.status, Status::done);
    EXPECT_EQ(opened.reason, Reason::end_not_seen) << s.screen_text();
    EXPECT_EQ(opened.exit_code, std::nullopt);
    EXPECT_EQ(s.run("echo inside").output, "inside\n") << s.screen_text();
    auto leave = request("exit");
    leave.session_end = SessionEnd::agreed;
    const auto left = s.run(leave);
    EXPECT_EQ(left.status, Status::done) << s.screen_text();
    EXPECT_EQ(s.run("echo $BASH_VERSION | cut -c1").output, "5\n") << s.screen_text();
  }
}

TEST(Nested, AShellTheOperatorOpenedIsProvenAnew) {
  ShellSession s(shell_named("bash"));
  s.run("echo ready");
  ASSERT_TRUE(s.wait_idle());
  s.session->type("fish --no-config\r");
  ASSERT_TRUE(s.wait([&] {
    return look_at(s.session->screen()).before_cursor.ends_with("# ") ||
           look_at(s.session->screen()).before_cursor.ends_with("> ");
  }));
  EXPECT_EQ(s.run("echo in fish; echo $status").output, "in fish\n0\n") << s.screen_text();
  EXPECT_EQ(s.session->shell().memory().dialect->shell, Shell::fish);
}

TEST(Nested, AnotherShellBehindTheSamePromptRunsNothingAndIsThenKnown) {
  ShellSession s(shell_named("bash"));
  s.run("echo ready");
  ASSERT_TRUE(s.wait_idle());
  s.session->type("exec tcsh -f\r");
  ASSERT_TRUE(s.wait([&] { return look_at(s.session->screen()).before_cursor == "# "; }));
  s.session->type("set prompt='$ '\r");
  ASSERT_TRUE(s.wait([&] { return look_at(s.session->screen()).before_cursor == "$ "; }));
  const auto first = s.run("echo wrong words");
  EXPECT_EQ(first.status, Status::rejected) << s.screen_text();
  EXPECT_EQ(first.exit_code, std::nullopt);
  EXPECT_EQ(s.run("echo right words").output, "right words\n") << s.screen_text();
  EXPECT_EQ(s.session->shell().memory().dialect->shell, Shell::csh);
}

TEST(Clients, SqliteIsSpokenToAtItsPrompt) {
  ShellSession s({"sqlite3", {"sqlite3", ":memory:"}});
  const auto made = s.run("create table t(a); insert into t values (1),(2);");
  EXPECT_EQ(made.status, Status::done) << s.screen_text();
  EXPECT_EQ(made.framing, Framing::prompt);
  EXPECT_EQ(made.exit_code, std::nullopt);
  EXPECT_EQ(s.run("select * from t;").output, "1\n2\n");
  EXPECT_EQ(s.run("select * from t").reason, Reason::refused);
  EXPECT_EQ(s.run("select 'x' from t where a='1;").reason, Reason::continuation);
}

TEST(Clients, PythonIsSpokenToAtItsPrompt) {
  ShellSession s({"python", {"/usr/bin/python3", "-q"}});
  EXPECT_EQ(s.run("print(6*7)").output, "42\n") << s.screen_text();
  EXPECT_EQ(s.run("import time; print('a'); time.sleep(20)", milliseconds(500)).status, Status::timeout);
  EXPECT_EQ(s.run("print('still here')").output, "still here\n");
}

/// A switch: knows two commands, pages its output, complains about everything else.
const char* const kDevice = R"(
import sys, tty, os
tty.setraw(0)
name = sys.argv[1]
def out(text): os.write(1, text.replace('\n', '\r\n').encode())
def key(): return os.read(0, 1).decode()
out(name)
line = ''
while True:
    c = key()
    if c == '\r':
        out('\n')
        word = line.strip()
        if word == 'display version':
            for n in range(1, 31):
                out('row %d\n' % n)
                if n % 10 == 0 and n < 30:
                    out('  ---- More ----'); key(); out('\x1b[16D                \x1b[16D')
        elif word == 'system-view':
            name = '[' + name.strip('<>') + ']'
        elif word:
            out("      ^\nError: Unrecognized command found at '^' position.\n")
        line = ''
        out(name)
    elif c == '\x15': line = ''
    elif c == '\x03': line = ''; out('\n' + name)
    else: line += c; out(c)
)";

TEST(Clients, ANetworkDeviceIsSpokenToAtItsPromptAndItsPagesAreTurned) {
  ShellSession s({"device", {"/usr/bin/python3", "-c", kDevice, "<HUAWEI>"}});
  const auto result = s.run("display version");
  std::string rows;
  for (int i = 1; i <= 30; ++i) rows += "row " + std::to_string(i) + "\n";
  EXPECT_EQ(result.output, rows) << s.screen_text();
  EXPECT_EQ(result.framing, Framing::prompt);
  EXPECT_EQ(result.exit_code, std::nullopt);
  EXPECT_EQ(s.run("system-view").status, Status::done);
  EXPECT_NE(s.run("nonsense").output.find("Unrecognized command"), std::string::npos);
}

// ---- Links and bastions
// ----------------------------------------------------------------------------------------------

class SlowLink : public testing::TestWithParam<ShellUnderTest> {};

TEST_P(SlowLink, ByteByByteWith80MillisecondsIsNoDifferent) {
  ShellSession s(GetParam(), {24, 80}, {}, [](event::EventLoop& loop, std::unique_ptr<transport::Transport> inner) {
    return std::make_unique<SlowTransport>(loop, std::move(inner), milliseconds(80));
  });
  EXPECT_EQ(s.run("echo slow").output, "slow\n") << s.screen_text();
  EXPECT_EQ(s.run("printf 'no newline'").output, "no newline");
  EXPECT_EQ(s.run("sh -c 'exit 9'").exit_code, 9);
  EXPECT_EQ(s.run("echo " + std::string(150, 'k')).output, std::string(150, 'k') + "\n");
  EXPECT_EQ(s.run("echo part; sleep 20", milliseconds(500)).output, "part\n");
  expect_alive(s);
}

INSTANTIATE_TEST_SUITE_P(Shells, SlowLink, testing::ValuesIn(all_shells()),
                         [](const auto& name) { return name.param.name; });

class Bastion : public testing::Test {
 protected:
  ShellSession open(const std::string& shell) {
    return ShellSession(shell_named(shell), {24, 80}, {},
                        [this](event::EventLoop&, std::unique_ptr<transport::Transport> inner) {
                          auto made = std::make_unique<BastionTransport>(std::move(inner));
                          bastion_ = made.get();
                          return made;
                        });
  }
  BastionTransport* bastion_ = nullptr;
};

TEST_F(Bastion, AForbiddenCommandIsAResult) {
  for (const char* shell : {"bash", "zsh", "dash"}) {
    auto s = open(shell);
    s.run("echo ready");
    const auto begun = std::chrono::steady_clock::now();
    const auto result = s.run("echo forbidden-thing");
    EXPECT_EQ(result.status, Status::rejected);
    EXPECT_EQ(result.reason, Reason::forbidden);
    EXPECT_LT(std::chrono::steady_clock::now() - begun, milliseconds(2000));
    EXPECT_NE(s.screen_text().find("is forbidden"), std::string::npos) << s.screen_text();
    expect_alive(s);
  }
}

TEST_F(Bastion, SeesTheCommandInClearAndEnterAlone) {
  auto s = open("bash");
  s.run("echo audited words");
  ASSERT_FALSE(bastion_->judged.empty());
  EXPECT_NE(bastion_->judged.back().find("; echo audited words; "), std::string::npos) << bastion_->judged.back();
}

TEST_F(Bastion, AReviewIsWaitedForAndTheCommandThenRuns) {
  auto s = open("bash");
  s.run("echo ready");
  s.begin(request("echo reviewed-thing", true));
  ASSERT_TRUE(s.wait([&] { return !s.states.empty() && s.states.back() == RunState::waiting_review; }));
  s.session->type("y");
  ASSERT_TRUE(s.wait([&] { return s.result.has_value(); }));
  EXPECT_EQ(s.result->status, Status::done);
  EXPECT_EQ(s.result->output, "reviewed-thing\n");
  expect_alive(s);
}

TEST_F(Bastion, AReviewNobodyCanAnswerIsDeclined) {
  auto s = open("bash");
  s.run("echo ready");
  EXPECT_EQ(s.run("echo reviewed-thing").status, Status::waiting_review);
  EXPECT_EQ(s.run("echo warned-thing").reason, Reason::confirm);
  expect_alive(s);
}

TEST(Sizes, CommandsSurviveResizesAndOddWidths) {
  ShellSession s(shell_named("zsh"), {10, 20});
  s.run("echo ready");
  for (int i = 0; i < 12; ++i) {
    s.session->resize({10 + i, 20 + i * 30 % 111});
    const auto result = s.run("echo " + std::string(static_cast<std::size_t>(10 + i * 7), 'r'));
    ASSERT_EQ(result.output, std::string(static_cast<std::size_t>(10 + i * 7), 'r') + "\n") << s.screen_text();
  }
}

TEST(Output, AHostThatSpeaksGbkIsReadAndTypedToInItsOwnWords) {
  Options options;
  options.encoding = "GB18030";
  ShellSession s(shell_named("dash"), {24, 80}, options);
  EXPECT_EQ(s.run("printf '\\326\\320\\316\\304\\n'").output, "中文\n");
  EXPECT_EQ(s.run("printf 中文 | od -An -tx1").output, " d6 d0 ce c4\n");
  EXPECT_EQ(s.run("echo 中文").output, "中文\n");
}

TEST(Output, AHundredThousandLinesAreKeptInAPrivateFile) {
  Options options;
  const auto directory = std::filesystem::temp_directory_path() / ("jms-outputs-" + std::to_string(getpid()));
  options.output.directory = directory.string();
  ShellSession s(shell_named("bash"), {24, 80}, options);
  const auto result = s.run("seq 1 100000");
  EXPECT_TRUE(result.truncated);
  EXPECT_EQ(result.total_bytes, 588895u);
  EXPECT_LE(result.output.size(), 30'200u);
  EXPECT_TRUE(result.output.starts_with("1\n2\n3\n"));
  EXPECT_TRUE(result.output.ends_with("99999\n100000\n"));
  const auto part = read_output(options.output.directory, result.output_id, 6, 8);
  ASSERT_TRUE(part) << part.error().message;
  EXPECT_EQ(part->text, "4\n5\n6\n7\n");
  const auto found = grep_output(options.output.directory, result.output_id, "77777", 1000);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->text, "77777:77777\n");
  EXPECT_EQ(std::filesystem::status(directory / result.output_id).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace remote_exec
