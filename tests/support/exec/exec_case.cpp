#include "tests/support/exec/exec_case.h"

#include <gtest/gtest.h>

#include <regex>
#include <stdexcept>

namespace support {

using remote_exec::Reason;
using remote_exec::Shell;
using remote_exec::Status;
using std::chrono::milliseconds;

namespace {

std::string repeated(const std::string& text, int count) {
  std::string result;
  for (int i = 0; i < count; ++i) result += text;
  return result;
}

ExecCase same(std::string name, const std::string& command, std::string output, std::optional<int> exit_code = 0) {
  return {std::move(name), command, command, command, std::move(output), exit_code};
}

ExecCase refused(std::string name, std::string posix, std::string fish, std::string csh) {
  return {std::move(name), std::move(posix), std::move(fish), std::move(csh), "",
          std::nullopt,    Status::rejected, Reason::refused};
}

/// The same words everywhere, ended by us in the middle.
ExecCase stopped(std::string name, const std::string& command, std::string output, Status status, Reason reason,
                 milliseconds timeout, milliseconds bound) {
  return {std::move(name), command, command, command, std::move(output), std::nullopt, status, reason, timeout, bound};
}

ExecCase matching(ExecCase one) {
  one.output_is_pattern = true;
  return one;
}

std::string numbers_to(int last) {
  std::string numbers;
  for (int i = 1; i <= last; ++i) numbers += std::to_string(i) + "\n";
  return numbers;
}

// One function each, and one call for each case: in a single initializer list the compiler takes minutes over them.
void simple_cases(std::vector<ExecCase>& all) {
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
  all.push_back(same("RunsACommandOf1500Bytes", "echo " + repeated("y", 1500), repeated("y", 1500) + "\n"));
}

void shape_cases(std::vector<ExecCase>& all) {
  all.push_back(
      ExecCase{"DropsATrailingComment", "echo commented # really", "echo commented # really", "", "commented\n"});
  all.push_back(ExecCase{"TakesATrailingSemicolon", "echo semi;", "echo semi;", "echo semi;", "semi\n"});
  all.push_back(matching(ExecCase{"WaitsForABackgroundJob", "sh -c 'sleep 0.05; echo job' & wait; echo waited", "", "",
                                  "(\\[[0-9]\\][^\n]*\n)*job\n(\\[[0-9]\\][^\n]*\n)*waited\n"}));
  // One that outlives the session: a job's end is told whenever it comes, also amid the output of what runs then.
  all.push_back(matching(same("RunsInTheBackground", "sleep 60 &", "(\\[[0-9]\\] ?\\+? *[0-9]+\n)?")));
  all.push_back(same("RunsAPipe", "printf 'b\\na\\n' | sort", "a\nb\n"));
  all.push_back(ExecCase{"RunsAList", "false || echo else && echo then", "false; or echo else; and echo then",
                         "false || echo else && echo then", "else\nthen\n"});
  all.push_back(same("KeepsABangInDoubleQuotes", "echo \"a!b\"", "a!b\n"));
  all.push_back(same("KeepsABangInSingleQuotes", "echo 'a!b'", "a!b\n"));
  all.push_back(ExecCase{"RunsAHereDocument", "cat <<EOF\nline one\n$((1+1))\nEOF", "", "", "line one\n2\n"});
  all.push_back(ExecCase{"RunsAQuotedHereDocumentWithTabsAndDelimiterLookAlikes",
                         "cat <<'EOF'\n\ttab\n EOF\nEOFX\n!x 'q' \"d\" $HOME \\n\nEOF", "", "",
                         "\ttab\n EOF\nEOFX\n!x 'q' \"d\" $HOME \\n\n"});
  all.push_back(ExecCase{"RunsALoopOverLines", "for i in 1 2 3\ndo\n  echo item $i # note\ndone",
                         "for i in 1 2 3\n  echo item $i # note\nend", "", "item 1\nitem 2\nitem 3\n"});
  all.push_back(ExecCase{"DefinesAndUsesAFunction", "greet() {\n  echo \"hi $1\"\n  return 4\n}\ngreet you",
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
  all.push_back(ExecCase{"SurvivesExitInASubshell", "(exit 3)", "", "(exit 3)", "", 3});
}

void ending_cases(std::vector<ExecCase>& all) {
  all.push_back(stopped("InterruptsAtTheTimeLimit", "echo before; sleep 30", "before\n", Status::timeout, Reason::none,
                        milliseconds(700), milliseconds(4'000)));
  all.push_back(stopped("InterruptsAReaderOfStdin", "cat", "", Status::timeout, Reason::none, milliseconds(700),
                        milliseconds(4'000)));
  all.push_back(stopped(
      "ReportsAPasswordPrompt", "sh -c 'stty -echo; printf \"[sudo] password for me: \"; read x; stty echo'",
      "[sudo] password for me: ", Status::needs_input, Reason::password, milliseconds(9'000), milliseconds(5'000)));
  all.push_back(stopped("ReportsAQuestion", "sh -c 'printf \"Continue? [Y/n] \"; read x'", "Continue? [Y/n] ",
                        Status::needs_input, Reason::yes_no, milliseconds(9'000), milliseconds(5'000)));
  all.push_back(matching(stopped("QuitsAPager", "seq 1 100 | less", "[^]*", Status::needs_input, Reason::full_screen,
                                 milliseconds(9'000), milliseconds(8'000))));
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
  all.push_back(
      matching(same("ReportsASignalDeath", "sh -c 'kill -9 $$'", "([^\n]*([Kk]illed|SIGKILL)[^\n]*\n?)?", 137)));
  all.push_back(same("ReportsAMissingCommand", "sh -c 'nosuchprogram-at-all 2>/dev/null'", "", 127));
  all.push_back(stopped("GivesUpOnAProgramThatIgnoresInterrupts", "sh -c 'trap \"\" INT; sleep 8'", "", Status::timeout,
                        Reason::not_interruptible, milliseconds(1'000), milliseconds(7'000)));
  all.push_back(same("LeavesColourOnWithoutHarm", "printf '\\033[31m\\033[?25l\\016stuck\\n'", "stuck\n"));
  all.push_back(same("PrintsAPromptLookAlike", "printf '$ '; sleep 0.3; echo x", "$ x\n"));
  all.push_back(ExecCase{"TakesAssignments", "x=5; echo $x", "set x 5; echo $x", "set x = 5; echo $x", "5\n"});
  all.push_back(ExecCase{"RunsASyntaxError", "echo )", "", "", "", std::nullopt});
}

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const ShellUnderTest& shell) {
  return out << shell.name;
}

std::ostream& operator<<(std::ostream& out, const ExecCase& one) {
  return out << one.name;
}

std::vector<ShellUnderTest> all_shells() {
  return {
      {"bash", {"bash", "--norc", "--noprofile"}, {}, Shell::bash},
      {"zsh", {"zsh", "-f"}, {}, Shell::zsh},
      {"dash", {"dash", "-i"}, {}, Shell::dash},
      {"ash", {"busybox", "ash", "-i"}, {}, Shell::ash},
      {"mksh", {"mksh", "-i"}, {}, Shell::ksh},
      {"fish", {"fish", "--no-config"}, {}, Shell::fish},
      {"tcsh", {"tcsh", "-f"}, {}, Shell::csh},
  };
}

ShellUnderTest shell_named(const std::string& name, std::vector<std::string> environment) {
  for (auto shell : all_shells()) {
    if (shell.name != name) continue;
    shell.environment = std::move(environment);
    return shell;
  }
  throw std::runtime_error("no such shell: " + name);
}

std::vector<std::string> environment_of(const ShellUnderTest& shell, const std::string& home) {
  std::vector<std::string> environment = {"HOME=" + home,
                                          "TERM=xterm-256color",
                                          "PS1=$ ",
                                          "LANG=C.UTF-8",
                                          "LC_ALL=C.UTF-8",
                                          "HISTFILE=" + home + "/history",
                                          "XDG_CONFIG_HOME=" + home,
                                          "XDG_DATA_HOME=" + home,
                                          "ENV=",
                                          "PROMPT_COMMAND="};
  for (const auto& entry : shell.environment) environment.push_back(entry);
  return environment;
}

std::string command_line_of(const ShellUnderTest& shell, const std::string& home) {
  std::string line = "exec env -i PATH=\"$PATH\"";
  for (const auto& entry : environment_of(shell, home)) line += ' ' + quoted(entry);
  for (const auto& word : shell.argv) line += ' ' + quoted(word);
  return line;
}

std::string ExecCase::words_for(Shell shell) const {
  if (shell == Shell::fish) return fish;
  return shell == Shell::csh ? csh : posix;
}

std::vector<ExecCase> exec_cases() {
  std::vector<ExecCase> all;
  simple_cases(all);
  shape_cases(all);
  ending_cases(all);
  return all;
}

void expect_result(const ShellUnderTest& shell, const ExecCase& expected, const remote_exec::CommandResult& result) {
  if (shell.dialect == Shell::ash && expected.posix.size() > 400) {
    EXPECT_EQ(result.reason, Reason::refused);  // BusyBox's short line.
    return;
  }
  EXPECT_EQ(result.framing, remote_exec::Framing::line);
  if (expected.name == "RunsASyntaxError") {
    EXPECT_NE(result.exit_code, 0);
    EXPECT_NE(result.output.find("rror"), std::string::npos) << result.output;
    return;
  }
  EXPECT_EQ(status_name(result.status), status_name(expected.status)) << result.output << result.note_for_operator;
  EXPECT_EQ(result.reason, expected.reason) << result.note_for_operator;
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

void expect_nothing_of_ours(const std::string& text, const std::string& command) {
  const bool shows_numbers = command.find("7717") != std::string::npos;
  if (!shows_numbers) {
    EXPECT_EQ(text.find("7717"), std::string::npos) << text;
  }
  for (const char* ours : {"$?", "$status", "command printf", "builtin printf", "\\printf"})
    EXPECT_EQ(text.find(ours), std::string::npos) << text;
}

void expect_sane(const terminal::Screen& screen) {
  EXPECT_FALSE(screen.alternate());
  EXPECT_TRUE(screen.cursor().visible);
}

}  // namespace support
