// Every shell × every case: exact output, exit code or none, status, prompt idle and session alive afterwards, nothing
// of ours on the rendered screen, within a time bound.
#include <gtest/gtest.h>

#include <regex>

#include "shell_session.h"

namespace remote_exec {
namespace {

using std::chrono::milliseconds;

/// One command in the words of each family, and what must come of it. An empty command: not sayable in that family.
struct Case {
  std::string name;
  std::string posix;
  std::string fish;
  std::string csh;
  std::string output;
  std::optional<int> exit_code = 0;
  Status status = Status::done;
  Reason reason = Reason::none;
  milliseconds timeout{10'000};
  milliseconds bound{6'000};
  bool output_is_pattern = false;
  std::string shown = {};  ///< Must be on the screen.
};

std::string repeated(const std::string& text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

Case same(std::string name, std::string command, std::string output, std::optional<int> exit_code = 0) {
  return {std::move(name), command, command, command, std::move(output), exit_code};
}

Case refused(std::string name, std::string posix, std::string fish, std::string csh) {
  return {std::move(name), std::move(posix), std::move(fish), std::move(csh), "",
          std::nullopt,    Status::rejected, Reason::refused};
}

std::string numbers_to(int last) {
  std::string numbers;
  for (int i = 1; i <= last; ++i) numbers += std::to_string(i) + "\n";
  return numbers;
}

// One function each, and one call for each case: in a single initializer list the compiler takes minutes over them.
void simple_cases(std::vector<Case>& all) {
  all.push_back(same("PrintsALine", "echo hello", "hello\n"));
  all.push_back(same("PassesTheExitCode", "sh -c 'exit 7'", "", 7));
  all.push_back(same("RunsSomethingSilent", "true", ""));
  all.push_back(same("ReportsFailure", "false", "", 1));
  all.push_back(same("KeepsOutputWithoutANewline", "printf abc", "abc"));
  all.push_back(same("KeepsOnlyNewlines", "printf '\\n\\n'", "\n\n"));
  all.push_back(same("MixesInStderr", "sh -c 'echo out; echo err >&2; exit 3'", "out\nerr\n", 3));
  all.push_back(same("KeepsALineWiderThanTheScreen", "echo " + repeated("x", 200), repeated("x", 200) + "\n"));
  all.push_back(same("RemovesColours", "printf '\\033[31mred\\033[0m plain\\n'", "red plain\n"));
  all.push_back(same("CollapsesProgress", "printf '10 percent\\r50 percent\\r100 percent\\n'", "100 percent\n"));
  all.push_back(same("AppliesBackspaces", "printf 'abd\\bc\\n'", "abc\n"));
  all.push_back(same("KeepsTabsAndTrailingBlanks", "printf 'a\\tb  \\n'", "a\tb  \n"));
  all.push_back(same("KeepsUnicode", "echo 中文 é 😀 e", "中文 é 😀 e\n"));
  all.push_back(same("RunsACommandOf90Characters", "echo " + repeated("0123456789 ", 8) + "end",
                     repeated("0123456789 ", 8) + "end\n"));
  all.push_back(same("RunsACommandThatEndsAtTheMargin", "echo " + repeated("m", 73), repeated("m", 73) + "\n"));
  all.push_back(same("WrapsWideCharactersAtTheMargin", "echo a" + repeated("宽", 60), "a" + repeated("宽", 60) + "\n"));
  all.push_back(Case{"RunsACommandOf1500Bytes", "echo " + repeated("y", 1500), "echo " + repeated("y", 1500),
                     "echo " + repeated("y", 1500), repeated("y", 1500) + "\n"});
}

void shape_cases(std::vector<Case>& all) {
  all.push_back(Case{"DropsATrailingComment", "echo commented # really", "echo commented # really", "", "commented\n"});
  all.push_back(Case{"TakesATrailingSemicolon", "echo semi;", "echo semi;", "echo semi;", "semi\n"});
  all.push_back(Case{"RunsInTheBackground", "sleep 0.01 &", "sleep 0.01 &", "sleep 0.01 &",
                     "(\\[1\\] ?\\+? *[0-9]+\n)?", 0, Status::done, Reason::none, milliseconds(10'000),
                     milliseconds(6'000), true});
  all.push_back(Case{"WaitsForABackgroundJob", "sh -c 'sleep 0.05; echo job' & wait; echo waited", "", "",
                     "(\\[1\\] [0-9]+\n)?job\n(\\[1\\][^\n]*\n)?waited\n", 0, Status::done, Reason::none,
                     milliseconds(10'000), milliseconds(6'000), true});
  all.push_back(same("RunsAPipe", "printf 'b\\na\\n' | sort", "a\nb\n"));
  all.push_back(Case{"RunsAList", "false || echo else && echo then", "false; or echo else; and echo then",
                     "false || echo else && echo then", "else\nthen\n"});
  all.push_back(same("KeepsABangInDoubleQuotes", "echo \"a!b\"", "a!b\n"));
  all.push_back(same("KeepsABangInSingleQuotes", "echo 'a!b'", "a!b\n"));
  all.push_back(Case{"RunsAHereDocument", "cat <<EOF\nline one\n$((1+1))\nEOF", "", "", "line one\n2\n"});
  all.push_back(Case{"RunsAQuotedHereDocumentWithTabsAndDelimiterLookAlikes",
                     "cat <<'EOF'\n\ttab\n EOF\nEOFX\n!x 'q' \"d\" $HOME \\n\nEOF", "", "",
                     "\ttab\n EOF\nEOFX\n!x 'q' \"d\" $HOME \\n\n"});
  all.push_back(Case{"RunsALoopOverLines", "for i in 1 2 3\ndo\n  echo item $i # note\ndone",
                     "for i in 1 2 3\n  echo item $i # note\nend", "", "item 1\nitem 2\nitem 3\n"});
  all.push_back(Case{"DefinesAndUsesAFunction", "greet() {\n  echo \"hi $1\"\n  return 4\n}\ngreet you",
                     "function greet\n  echo hi $argv[1]\n  return 4\nend\ngreet you", "", "hi you\n", 4});
  all.push_back(refused("RefusesAnOpenQuote", "echo 'open", "echo 'open", "echo 'open"));
  all.push_back(refused("RefusesAnOpenSubstitution", "echo $(date", "", ""));
  all.push_back(refused("RefusesATrailingBackslash", "echo a \\", "echo a \\", ""));
  all.push_back(refused("RefusesADanglingPipe", "echo a |", "echo a |", ""));
  all.push_back(refused("RefusesAnOpenHereDocument", "cat <<EOF\nx", "", ""));
  all.push_back(refused("RefusesControlCharacters", "echo a\003b", "echo a\003b", "echo a\003b"));
  all.push_back(refused("RefusesABracketedPasteEnd", "echo a\033[201~b", "echo a\033[201~b", "echo a\033[201~b"));
  all.push_back(refused("RefusesExit", "exit 3", "exit 3", "exit 3"));
  all.push_back(refused("RefusesExec", "exec cat", "exec cat", "exec cat"));
  all.push_back(refused("RefusesErrexit", "set -e; false", "", ""));
  all.push_back(Case{"SurvivesExitInASubshell", "(exit 3)", "", "(exit 3)", "", 3});
}

void ending_cases(std::vector<Case>& all) {
  all.push_back(Case{"InterruptsAtTheTimeLimit", "echo before; sleep 30", "echo before; sleep 30",
                     "echo before; sleep 30", "before\n", std::nullopt, Status::timeout, Reason::none,
                     milliseconds(700), milliseconds(4'000)});
  all.push_back(Case{"InterruptsAReaderOfStdin", "cat", "cat", "cat", "", std::nullopt, Status::timeout, Reason::none,
                     milliseconds(700), milliseconds(4'000)});
  all.push_back(Case{"ReportsAPasswordPrompt",
                     "sh -c 'stty -echo; printf \"[sudo] password for me: \"; read x; stty echo'",
                     "sh -c 'stty -echo; printf \"[sudo] password for me: \"; read x; stty echo'",
                     "sh -c 'stty -echo; printf \"[sudo] password for me: \"; read x; stty echo'",
                     "[sudo] password for me: ", std::nullopt, Status::needs_input, Reason::password,
                     milliseconds(9'000), milliseconds(5'000)});
  all.push_back(Case{"ReportsAQuestion", "sh -c 'printf \"Continue? [Y/n] \"; read x'",
                     "sh -c 'printf \"Continue? [Y/n] \"; read x'", "sh -c 'printf \"Continue? [Y/n] \"; read x'",
                     "Continue? [Y/n] ", std::nullopt, Status::needs_input, Reason::yes_no, milliseconds(9'000),
                     milliseconds(5'000)});
  all.push_back(Case{"QuitsAPager", "seq 1 100 | less", "seq 1 100 | less", "seq 1 100 | less", "[^]*", std::nullopt,
                     Status::needs_input, Reason::full_screen, milliseconds(9'000), milliseconds(8'000), true});
  all.push_back(same("IgnoresForeignAndHalfMarks",
                     "printf '\\033]7717;0123456789abcdef;e;0\\007\\033]7717;x\\033]7717;s\\007ok]7717;\\n'",
                     "ok]7717;\n"));
  all.push_back(same("EndsAnUnclosedString", "printf '\\033]0;never closed\\nnext\\n'", "\nnext\n"));
  all.push_back(same("MakesInvalidUtf8Safe", "printf 'a\\377\\376b\\n'",
                     "a\xef\xbf\xbd\xef\xbf\xbd"
                     "b\n"));
  all.push_back(same("RemovesNulAndBell", "printf 'a\\000\\007b\\n'", "ab\n"));
  all.push_back(same("KeepsFiveHundredLines", "seq 1 500", numbers_to(500)));
  all.push_back(
      same("DropsQueriesAndTitles", "printf '\\033[6n\\033[c\\033]52;c;aGk=\\007\\033]0;title\\007x\\n'", "x\n"));
  all.push_back(Case{"ReportsASignalDeath", "sh -c 'kill -9 $$'", "sh -c 'kill -9 $$'", "sh -c 'kill -9 $$'",
                     "([^\n]*([Kk]illed|SIGKILL)[^\n]*\n?)?", 137, Status::done, Reason::none, milliseconds(10'000),
                     milliseconds(6'000), true});
  all.push_back(same("ReportsAMissingCommand", "sh -c 'nosuchprogram-at-all 2>/dev/null'", "", 127));
  all.push_back(Case{"GivesUpOnAProgramThatIgnoresInterrupts", "sh -c 'trap \"\" INT; sleep 3.5'",
                     "sh -c 'trap \"\" INT; sleep 3.5'", "sh -c 'trap \"\" INT; sleep 3.5'", "", std::nullopt,
                     Status::timeout, Reason::not_interruptible, milliseconds(300), milliseconds(3'500)});
  all.push_back(same("LeavesColourOnWithoutHarm", "printf '\\033[31m\\033[?25l\\016stuck\\n'", "stuck\n"));
  all.push_back(same("PrintsAPromptLookAlike", "printf '$ '; sleep 0.3; echo x", "$ x\n"));
  all.push_back(Case{"TakesAssignments", "x=5; echo $x", "set x 5; echo $x", "set x = 5; echo $x", "5\n"});
  all.push_back(Case{"RunsASyntaxError", "echo )", "", "", "[^]*", std::nullopt, Status::done, Reason::none,
                     milliseconds(9'000), milliseconds(6'000), true});
}

std::vector<Case> cases() {
  std::vector<Case> all;
  simple_cases(all);
  shape_cases(all);
  ending_cases(all);
  return all;
}

std::string words_for(const Case& one, Shell shell) {
  if (shell == Shell::fish) return one.fish;
  return shell == Shell::csh ? one.csh : one.posix;
}

class Matrix : public testing::TestWithParam<std::tuple<ShellUnderTest, Case>> {};

TEST_P(Matrix, Case) {
  const auto& [shell, expected] = GetParam();
  const std::string command = words_for(expected, shell.dialect);
  if (command.empty()) GTEST_SKIP() << "not sayable in " << shell.name;
  ShellSession s(shell);
  ASSERT_EQ(s.run("echo ready").output, "ready\n");
  const std::string title_before = s.session->screen().title();

  const auto begun = std::chrono::steady_clock::now();
  auto result = s.run(command, expected.timeout);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, expected.bound);

  if (shell.dialect == Shell::ash && command.size() > 400) {
    EXPECT_EQ(result.reason, Reason::refused);  // BusyBox's short line.
    return;
  }
  if (expected.name == "RunsASyntaxError") {
    EXPECT_NE(result.exit_code, 0);
    EXPECT_NE(result.output.find("rror"), std::string::npos) << result.output;
  } else {
    EXPECT_EQ(status_name(result.status), status_name(expected.status)) << s.screen_text();
    EXPECT_EQ(result.reason, expected.reason);
    const bool code_may_be_known = expected.status == Status::needs_input;
    if (!code_may_be_known) {
      EXPECT_EQ(result.exit_code, expected.exit_code);
    }
    if (expected.output_is_pattern) {
      EXPECT_TRUE(std::regex_match(result.output, std::regex(expected.output))) << result.output;
    } else {
      EXPECT_EQ(result.output, expected.output);
    }
  }
  EXPECT_EQ(result.framing, Framing::line);
  ASSERT_TRUE(s.wait_idle()) << s.screen_text();

  const auto after = s.run("echo alive");
  EXPECT_EQ(after.output, "alive\n") << s.screen_text();
  EXPECT_EQ(after.exit_code, 0);
  ASSERT_TRUE(s.wait_idle());
  const std::string screen = s.screen_text();
  EXPECT_NE(screen.find("echo alive\nalive\n"), std::string::npos) << screen;
  const bool shows_numbers = command.find("7717") != std::string::npos;
  if (!shows_numbers) {
    EXPECT_EQ(screen.find("7717"), std::string::npos) << screen;
  }
  EXPECT_EQ(screen.find("$?"), std::string::npos) << screen;
  EXPECT_EQ(screen.find("$status"), std::string::npos) << screen;
  EXPECT_EQ(screen.find("command printf"), std::string::npos) << screen;
  EXPECT_EQ(screen.find("builtin printf"), std::string::npos) << screen;
  EXPECT_EQ(s.session->screen().title(), title_before);
  EXPECT_FALSE(s.session->screen().alternate());
  EXPECT_TRUE(s.session->screen().cursor().visible);
}

INSTANTIATE_TEST_SUITE_P(Shells, Matrix, testing::Combine(testing::ValuesIn(all_shells()), testing::ValuesIn(cases())),
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
