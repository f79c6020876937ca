// Prompts of every looks: commands are framed in front of each.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/support/exec/shell_session.h"
#include "tests/support/passing_transport.h"
#include "tests/support/temp_dir.h"

namespace remote_exec {
namespace {

using std::chrono::milliseconds;
using support::expect_alive;
using support::request;
using support::shell_named;
using support::ShellSession;

struct Prompt {
  std::string name;
  std::string shell;
  std::string ps1;
  std::vector<std::string> more = {};
  friend std::ostream& operator<<(std::ostream& out, const Prompt& prompt) { return out << prompt.name; }
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

/// Once told, cuts the stream behind the first byte of the sequence that follows the prompt's text.
class CutInPrompt final : public support::PassingTransport {
 public:
  using PassingTransport::PassingTransport;

  void start(Events events) override {
    on_bytes_ = events.on_bytes;
    events.on_bytes = [this](std::string_view bytes) { pass(bytes); };
    inner_->start(std::move(events));
  }
  void cut_next() { armed_ = true; }
  void release() {
    armed_ = cut_ = false;
    on_bytes_(std::exchange(held_, {}));
  }

 private:
  void pass(std::string_view bytes) {
    if (cut_) {
      held_ += bytes;
      return;
    }
    const auto at = armed_ ? bytes.find("ready> \033") : std::string_view::npos;
    if (at == std::string_view::npos) return on_bytes_(bytes);
    cut_ = true;
    held_ = bytes.substr(at + 8);
    on_bytes_(bytes.substr(0, at + 8));
  }

  std::function<void(std::string_view)> on_bytes_;
  std::string held_;
  bool armed_ = false;
  bool cut_ = false;
};

TEST(Prompts, ASequenceOfWhichOneByteCameIsNotTornApart) {
  CutInPrompt* link = nullptr;
  ShellSession s(shell_named("dash", {"PS1=ready> \033[4m\033[24m"}), {24, 80}, {},
                 [&](event::EventLoop&, std::unique_ptr<transport::Transport> inner) {
                   auto made = std::make_unique<CutInPrompt>(std::move(inner));
                   link = made.get();
                   return made;
                 });
  s.run("echo first");
  ASSERT_TRUE(s.wait_idle());
  link->cut_next();
  EXPECT_EQ(s.run("echo second").output, "second\n");
  ASSERT_TRUE(s.wait_idle());
  link->release();
  EXPECT_EQ(s.screen_text().find("[4m"), std::string::npos) << s.screen_text();
  expect_alive(s);
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

TEST(PromptLookAlike, WithAPauseBehindItIsOutput) {
  ShellSession s(shell_named("dash"));
  const support::TempDir dir;
  const std::string gate = dir / "gate";
  ASSERT_EQ(::mkfifo(gate.c_str(), 0600), 0);
  s.run("echo ready");
  s.begin(request("printf '$ '; read go <" + gate + "; echo x"));
  ASSERT_TRUE(s.wait([&] { return !s.states.empty() && s.states.back() == RunState::running; }));
  EXPECT_FALSE(s.wait([&] { return s.result.has_value(); }, milliseconds(900)));
  std::ofstream(gate) << "go\n";
  ASSERT_TRUE(s.wait([&] { return s.result.has_value(); }));
  EXPECT_EQ(s.result->output, "$ x\n") << s.screen_text();
  expect_alive(s);
}

TEST(PromptLookAlike, OnATerminalWithoutEchoDoesNotMakeACommandUnrun) {
  ShellSession s(shell_named("dash"));
  s.run("stty -echo");
  const auto result = s.run("printf '$ '; sleep 60");
  EXPECT_EQ(result.status, Status::done) << result.note_for_operator;
  EXPECT_EQ(result.reason, Reason::end_not_seen);
}

// Where the typed line meets the right prompt, zsh erases that and moves over blanks instead of drawing them.
TEST(RightPrompt, GivesWayAtEveryPlaceOfTheLine) {
  for (int columns = 74; columns < 90; ++columns) {
    SCOPED_TRACE(columns);
    ShellSession s(shell_named("zsh", {"PS1=%# ", "RPS1=right side"}), {24, columns});
    EXPECT_EQ(s.run("echo a b c").output, "a b c\n") << s.screen_text();
  }
}

}  // namespace
}  // namespace remote_exec
