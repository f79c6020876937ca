// Shells with options, traps and hooks of the operator's own, and our hooks (level hook).
#include <gtest/gtest.h>

#include "tests/support/exec/shell_session.h"

namespace remote_exec {
namespace {

using std::chrono::milliseconds;
using support::expect_alive;
using support::shell_named;
using support::ShellSession;

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
  const auto keep = [&s](const std::string& file) {
    const std::string what =
        "{ set | grep -v -E '^(_|RANDOM|SECONDS|LINENO|EPOCH|BASH_COMMAND|COLUMNS|LINES|PPID|BASHPID|"
        "SRANDOM|PIPESTATUS|BASH_ARG|HISTCMD|OPTIND|TTYIDLE|status|pipestatus|zle|!)'; trap; set +o; }";
    s.run(what + " > ~/" + file);
  };
  keep("before");
  s.run("echo one");
  s.run("cat <<EOF\ntext\nEOF");
  s.run("sleep 10", milliseconds(200));
  keep("after");
  const auto compared = s.run("test -s ~/before && diff ~/before ~/after");
  EXPECT_EQ(compared.output, "");
  EXPECT_EQ(compared.exit_code, 0);
  EXPECT_EQ(s.run("echo \"[$t]\"").output, "[]\n");
  EXPECT_EQ(s.run("printf '%s' \"$PS1\"").output.find("7717"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Shells, PosixShell, testing::Values("bash", "zsh", "dash", "ash", "mksh"),
                         [](const auto& name) { return name.param; });

// Many a zshrc shows the command in the window's title this way: the wrapper too, with its escapes made real.
TEST(Zsh, AHookThatPrintsTheLineMakesNoMark) {
  ShellSession s(shell_named("zsh"));
  s.run("preexec() { print \"running: $1\" }");
  const auto result = s.run("echo before; sh -c 'exit 3'");
  EXPECT_EQ(result.output, "before\n") << s.screen_text();
  EXPECT_EQ(result.exit_code, 3);
  s.run("preexec() { print -Pn \"\\e]0;$1\\a\" }");
  EXPECT_EQ(s.run("echo titled").output, "titled\n") << s.screen_text();
  expect_alive(s);
}

TEST(History, HoldsNoWrapperWhereTheShellIgnoresALeadingSpace) {
  ShellSession s(shell_named("bash", {"HISTCONTROL=ignorespace"}));
  s.run("echo framed");
  EXPECT_EQ(s.run("history").output.find("framed"), std::string::npos);
}

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

}  // namespace
}  // namespace remote_exec
