#include "local_exec/local_command_tool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "agent/command_text.h"
#include "local_exec/hook_process.h"
#include "local_exec/interactive.h"

namespace local_exec {
namespace {

using agent::Json;
using std::chrono::milliseconds;

agent::Classification readers_only(std::string_view command) {
  return {command.starts_with("df ") ? agent::Effect::read_only : agent::Effect::changes, "by its first word"};
}

class LocalCommandToolTest : public testing::Test {
 protected:
  agent::ToolResult run(const Json& input) {
    std::optional<agent::ToolResult> result;
    auto call = tool_.start(input, [&](agent::ToolResult done) { result = std::move(done); });
    EXPECT_TRUE(loop_.run_until([&] { return result.has_value(); }, milliseconds(10'000)));
    return result.value_or(agent::ToolResult{});
  }

  event::EventLoop loop_;
  LocalCommandTool tool_{loop_, readers_only, {.escalation = milliseconds(100)}};
};

TEST_F(LocalCommandToolTest, GivesOutputErrorsAndCodeInOrder) {
  const auto result = run({{"command", "echo one; echo two >&2; exit 3"}});
  EXPECT_FALSE(result.is_error) << "a code is a result";
  const auto text = agent::parse_command(result.content);
  EXPECT_EQ(text.output, "one\ntwo\n");
  EXPECT_EQ(text.exit_code, 3);
  EXPECT_EQ(result.details["exit_code"], 3);
}

TEST_F(LocalCommandToolTest, HasASessionOfItsOwnSoNothingCanAskOnTheTerminal) {
  const auto result =
      run({{"command", "test \"$(ps -o sid= -p $$ | tr -d ' ')\" = $$ && echo alone; read x; echo \"[$x]\""}});
  EXPECT_EQ(agent::parse_command(result.content).output, "alone\n[]\n");
}

TEST_F(LocalCommandToolTest, KeepsHeadAndTailWithinTenThousandCharacters) {
  const auto result = run({{"command", "seq 1 100000"}});
  EXPECT_LT(result.content.size(), 10'500u);
  EXPECT_TRUE(result.content.starts_with("1\n2\n"));
  EXPECT_THAT(result.content, testing::HasSubstr("\n100000\n[exit 0"));
  EXPECT_EQ(result.details["truncated"], true);
  EXPECT_TRUE(run({{"command", "for i in $(seq 9000); do printf 磁; done"}}).content.find("\xEF\xBF\xBD") ==
              std::string::npos);
}

TEST_F(LocalCommandToolTest, ATimeOutIsAnErrorThatSaysWhatToDo) {
  const auto result = run({{"command", "echo early; sleep 100"}, {"timeout_s", 1}});
  EXPECT_TRUE(result.is_error);
  EXPECT_THAT(result.content, testing::HasSubstr("early\n[exit unknown; timed out after 1.0 s"));
}

TEST_F(LocalCommandToolTest, ACancelledCallIsInterruptedFirstAndKilledInTheEnd) {
  char path[] = "/tmp/jms-local-XXXXXX";
  const std::filesystem::path folder = ::mkdtemp(path);
  const std::string file = (folder / "log").string();
  auto call = tool_.start({{"command", "trap 'echo int >>" + file + "' INT; trap 'echo term >>" + file +
                                           "' TERM; echo $$ >>" + file + "; while :; do sleep 0.05; done"}},
                          [](agent::ToolResult) { FAIL() << "nobody is told any more"; });
  const auto log = [&] {
    std::ifstream stream(file);
    return std::string{std::istreambuf_iterator<char>(stream), {}};
  };
  ASSERT_TRUE(loop_.run_until([&] { return log().ends_with("\n"); }, milliseconds(5'000)));
  const pid_t pid = std::stoi(log());
  call.reset();
  ASSERT_TRUE(loop_.run_until([&] { return ::kill(pid, 0) != 0; }, milliseconds(5'000)));
  EXPECT_THAT(log(), testing::EndsWith("int\nterm\n"));
  std::filesystem::remove_all(folder);
}

TEST_F(LocalCommandToolTest, RefusesInteractiveProgramsWithAHint) {
  const std::pair<const char*, const char*> refused[] = {
      {"vim /etc/hosts", "sed"},
      {"cd /tmp && less x", "cat"},
      {"top", "top -b"},
      {"ssh web1 uptime", "execute_command"},
      {"timeout 5 htop", "ps aux"},
      {"echo $(nano x)", "sed"},
      {"sudo id", "sudo -n"},
      {"FOO=1 /usr/bin/vi", "sed"},
      {"if true; then su -; fi", "password"},
  };
  for (const auto& [command, hint] : refused) {
    const auto checked = tool_.validate({{"command", command}});
    if (std::string(command).find("$(") != std::string::npos)
      continue;  // Inside substitutions the time limit is enough.
    ASSERT_FALSE(checked) << command;
    EXPECT_THAT(checked.error().message, testing::HasSubstr(hint));
  }
  for (const char* command :
       {"top -b -n 1", "ssh -o BatchMode=yes web1 uptime", "grep vim /etc/passwd", "sudo -n id", "crontab -l"})
    EXPECT_TRUE(tool_.validate({{"command", command}})) << command;
  for (const char* command : {"", "echo 'open", "if true"})
    EXPECT_FALSE(tool_.validate({{"command", command}})) << command;
  EXPECT_FALSE(tool_.validate({{"command", "id"}, {"timeout_s", 601}}));
}

TEST_F(LocalCommandToolTest, OnlyReadsMayRunBesideOthers) {
  EXPECT_TRUE(tool_.is_concurrency_safe({{"command", "df -h"}}));
  EXPECT_FALSE(tool_.is_concurrency_safe({{"command", "touch x"}}));
  EXPECT_EQ(tool_.place(), agent::Place::operator_machine);
}

TEST(Readable, RemovesWhatATerminalWouldAct) {
  EXPECT_EQ(readable("\x1b[31mred\x1b[0m\n"), "red\n");
  EXPECT_EQ(readable("10%\r50%\r100%\ndone\r\n"), "100%\ndone\n");
  EXPECT_EQ(readable("a\x1b]0;title\x07"
                     "b\x1b]8;;x\x1b\\c\n"),
            "abc\n");
  EXPECT_EQ(readable("ab\b\bxy\x01\x7f\n"), "xy\n");
  EXPECT_EQ(readable("cut \x1b["), "cut ");
  EXPECT_EQ(readable("10%\r\x1b[K20%\r"), "20%");
  EXPECT_EQ(readable("a\x1b[3\n1mb\x1b]0;never closed\nnext\n"), "a\nb\nnext\n");
}

TEST(HookProcess, GetsItsInputAndReportsItsEnd) {
  event::EventLoop loop;
  HookProcess hooks(loop);
  const auto run = [&](const std::string& command, std::string input, milliseconds limit) {
    std::optional<agent::HookOutput> output;
    const auto call =
        hooks.start(command, std::move(input), limit, [&](agent::HookOutput done) { output = std::move(done); });
    EXPECT_TRUE(loop.run_until([&] { return output.has_value(); }, milliseconds(10'000)));
    return output.value_or(agent::HookOutput{});
  };
  auto output = run("cat; exit 2", "{\"event\":\"pre_tool\"}\n", milliseconds(5'000));
  EXPECT_EQ(output.exit_code, 2);
  EXPECT_EQ(output.output, "{\"event\":\"pre_tool\"}\n");
  EXPECT_EQ(run("wc -c", std::string(1'000'000, 'x'), milliseconds(5'000)).output, "1000000\n");
  EXPECT_EQ(run("exit 0", std::string(1'000'000, 'x'), milliseconds(5'000)).exit_code, 0) << "not reading is fine";
  EXPECT_EQ(run("exec <&-; sleep 0.2; echo on", std::string(1'000'000, 'x'), milliseconds(5'000)).output, "on\n")
      << "closing it is fine too";
  EXPECT_TRUE(run("sleep 100", "x", milliseconds(50)).timed_out);
}

}  // namespace
}  // namespace local_exec
