// What happens before there is a session: help, mistakes, config files.

#include <nlohmann/json.hpp>

#include "tests/e2e/app/session_fixture.h"
#include "tests/support/run_command.h"

namespace app {
namespace {

class CommandLine : public BareSession {
 protected:
  support::CommandOutput run(const std::vector<std::string>& arguments, std::string input = {}) {
    std::vector<std::string> argv = {JMS_BINARY};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    return support::run_command({.argv = std::move(argv), .environment = env_.variables(), .input = std::move(input)});
  }
  static int lines(const std::string& text) { return static_cast<int>(std::count(text.begin(), text.end(), '\n')); }

  /// Runs on a terminal and expects one line about the mistake, exit 2, and no other byte written.
  void expect_refusal(const std::vector<std::string>& arguments, const std::vector<std::string>& words) {
    launch({}, arguments);
    const termios before = jms_->first_settings();
    ASSERT_EQ(jms_->wait_for_exit(), (support::Ending{2, 0})) << jms_->output();
    EXPECT_EQ(lines(jms_->output()), 1) << jms_->output();
    EXPECT_EQ(jms_->output().find('\x1b'), std::string::npos) << "the terminal was touched";
    for (const auto& word : words) EXPECT_NE(jms_->output().find(word), std::string::npos) << jms_->output();
    EXPECT_EQ(jms_->settings().c_lflag, before.c_lflag);
  }
};

TEST_F(CommandLine, HelpNamesTheCommandsAndTheHotkey) {
  const auto help = run({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.err, "");
  EXPECT_NE(help.out.find("local"), std::string::npos);
  EXPECT_NE(help.out.find("Ctrl+]"), std::string::npos);
}

TEST_F(CommandLine, VersionIsOneLine) {
  const auto version = run({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_TRUE(version.out.starts_with("jms "));
  EXPECT_EQ(lines(version.out), 1);
}

TEST_F(CommandLine, AnUnknownOptionIsAMistakeWithAHint) {
  expect_refusal({"--no-such-option"}, {"--no-such-option", "--help"});
  expect_refusal({"local", "--no-such-option"}, {"--no-such-option", "--help"});
}

TEST_F(CommandLine, ABrokenConfigIsNamedByFileAndLine) {
  const auto path = env_.write_config("hint = true\n\nhotkey = \n");
  expect_refusal({"local"}, {path + ":3"});
}

TEST_F(CommandLine, AnUnknownConfigKeyIsNamed) {
  const auto path = env_.write_config("# mine\nhotkye = \"ctrl-]\"\n");
  expect_refusal({"local"}, {path + ":2", "hotkye"});
}

TEST_F(CommandLine, AConfigValueOfTheWrongKindIsNamed) {
  const auto path = env_.write_config("scrollback_lines = \"many\"\n");
  expect_refusal({"local"}, {path + ":1", "scrollback_lines"});
}

TEST_F(CommandLine, AHotkeyThatIsNoKeyIsNamed) {
  const auto path = env_.write_config("\nhotkey = \"banana\"\n");
  expect_refusal({"local"}, {path + ":2", "hotkey"});
}

TEST_F(CommandLine, AMissingConfigFileIsNamed) {
  expect_refusal({"--config", "/no/such/file.toml", "local"}, {"/no/such/file.toml"});
}

TEST_F(CommandLine, WithoutATerminalItSaysSo) {
  const auto result = run({"local"}, "echo hi\n");
  EXPECT_NE(result.code, 0);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(lines(result.err), 1) << result.err;
  EXPECT_NE(result.err.find("terminal"), std::string::npos) << result.err;
}

TEST_F(CommandLine, AMissingShellIsNamed) {
  launch({}, {"local", "--shell", "/no/such/shell"});
  const auto ending = jms_->wait_for_exit();
  ASSERT_TRUE(ending);
  EXPECT_NE(ending->code, 0);
  EXPECT_NE(jms_->output().find("/no/such/shell"), std::string::npos) << jms_->output();
}

TEST_F(CommandLine, TheShellOptionChoosesTheShell) {
  start({}, {"local", "--shell", "/bin/bash"});
  ASSERT_TRUE(command("echo \"is-${BASH_VERSION:+bash}\""));
  EXPECT_TRUE(shows("is-bash"));
}

TEST_F(CommandLine, DebugScreenShowsTheScreenAfterTheBytes) {
  const auto result = run({"debug", "screen", "--size", "20x4"}, "one\r\n\x1b[31mtwo\x1b[m\x1b[4;18H漢x");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(result.out.starts_with("one\ntwo\n")) << result.out;
  EXPECT_NE(result.out.find("漢x"), std::string::npos) << result.out;
}

TEST_F(CommandLine, DebugScreenAsJsonHasTheShapeScriptsRelyOn) {
  const auto result =
      run({"debug", "screen", "--size", "10x2", "--json", "--cells"}, "a\r\nb\r\n\x1b[1;31mc\x1b]0;T\x07");
  ASSERT_EQ(result.code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << result.out;
  EXPECT_EQ(json["cols"], 10);
  EXPECT_EQ(json["rows"], 2);
  EXPECT_EQ(json["cursor"]["row"], 1);
  EXPECT_EQ(json["cursor"]["col"], 1);
  EXPECT_EQ(json["cursor"]["visible"], true);
  EXPECT_EQ(json["alt"], false);
  EXPECT_EQ(json["title"], "T");
  EXPECT_EQ(json["lines"][0], "b");
  EXPECT_EQ(json["lines"][1], "c");
  EXPECT_EQ(json["scrollback"][0], "a");
  EXPECT_EQ(json["cells"][1][0]["ch"], "c");
}

}  // namespace
}  // namespace app
