// Every shell × every case: exact output, exit code or none, status, prompt idle and session alive afterwards, nothing
// of ours on the rendered screen, within a time bound.
#include <gtest/gtest.h>

#include "tests/support/exec/shell_session.h"

namespace remote_exec {
namespace {

using support::all_shells;
using support::exec_cases;
using support::ExecCase;
using support::ShellSession;
using support::ShellUnderTest;

std::string repeated(const std::string& text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

class Matrix : public testing::TestWithParam<std::tuple<ShellUnderTest, ExecCase>> {};

TEST_P(Matrix, Case) {
  const auto& [shell, expected] = GetParam();
  const std::string command = expected.words_for(shell.dialect);
  if (command.empty()) GTEST_SKIP() << "not sayable in " << shell.name;
  ShellSession s(shell);
  ASSERT_EQ(s.run("echo ready").output, "ready\n");
  const std::string title_before = s.session->screen().title();

  const auto begun = std::chrono::steady_clock::now();
  const auto result = s.run(command, expected.timeout);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, expected.bound);
  expect_result(shell, expected, result);
  ASSERT_TRUE(s.wait_idle()) << s.screen_text();

  const auto after = s.run("echo alive");
  EXPECT_EQ(after.output, "alive\n") << s.screen_text();
  EXPECT_EQ(after.exit_code, 0);
  ASSERT_TRUE(s.wait_idle());
  const std::string screen = s.screen_text();
  EXPECT_NE(screen.find("echo alive\nalive\n"), std::string::npos) << screen;
  support::expect_nothing_of_ours(screen, command);
  support::expect_sane(s.session->screen());
  EXPECT_EQ(s.session->screen().title(), title_before);
}

INSTANTIATE_TEST_SUITE_P(Shells, Matrix,
                         testing::Combine(testing::ValuesIn(all_shells()), testing::ValuesIn(exec_cases())),
                         [](const auto& both) {
                           return std::get<0>(both.param).name + "_" + std::get<1>(both.param).name;
                         });

class EveryShell : public testing::TestWithParam<ShellUnderTest> {};

TEST_P(EveryShell, IsRecognised) {
  ShellSession s(GetParam());
  ASSERT_EQ(s.run("echo hello").output, "hello\n");
  ASSERT_TRUE(s.session->shell().memory().dialect);
  EXPECT_EQ(shell_name(s.session->shell().memory().dialect->shell), shell_name(GetParam().dialect));
}

TEST_P(EveryShell, KeepsDirectoryVariablesAndMask) {
  ShellSession s(GetParam());
  const bool csh = GetParam().dialect == Shell::csh;
  const bool fish = GetParam().dialect == Shell::fish;
  s.run("cd /usr/share");
  EXPECT_EQ(s.run("pwd").output, "/usr/share\n");
  s.run(csh ? "setenv KEPT yes" : fish ? "set -gx KEPT yes" : "export KEPT=yes");
  EXPECT_EQ(s.run("sh -c 'echo $KEPT'").output, "yes\n");
  s.run("umask 027");
  EXPECT_EQ(s.run("sh -c umask").output, "0027\n");
}

TEST_P(EveryShell, ShowsWhatAPersonWouldSee) {
  ShellSession s(GetParam());
  s.run("echo one");
  s.run("printf two");
  s.run("echo " + repeated("long", 30));
  ASSERT_TRUE(s.wait_idle());
  const std::string screen = s.screen_text();
  EXPECT_NE(screen.find("echo one\none\n"), std::string::npos) << screen;
  EXPECT_NE(screen.find("printf two\ntwo"), std::string::npos) << screen;
  EXPECT_NE(screen.find("echo " + repeated("long", 30) + "\n" + repeated("long", 30) + "\n"), std::string::npos)
      << screen;
  // The probes left nothing: the first prompt stands right before the first command.
  EXPECT_EQ(screen.find("printf '"), std::string::npos) << screen;
}

TEST_P(EveryShell, RunsOneAfterAnother) {
  ShellSession s(GetParam());
  for (int i = 0; i < 20; ++i) {
    const auto result = s.run("echo number " + std::to_string(i));
    ASSERT_EQ(result.output, "number " + std::to_string(i) + "\n") << s.screen_text();
    ASSERT_EQ(result.exit_code, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Shells, EveryShell, testing::ValuesIn(all_shells()),
                         [](const auto& name) { return name.param.name; });

}  // namespace
}  // namespace remote_exec
