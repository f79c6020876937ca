#include "app/assistant/shell_mode.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>

#include "tests/support/process_info.h"
#include "tests/support/temp_dir.h"

namespace app {
namespace {

using std::chrono::milliseconds;

/// Masks a word that a test calls secret.
class WordMask final : public remote_exec::OutputFilter {
 public:
  std::string feed(std::string_view text) override {
    held_ += text;
    const auto line = held_.rfind('\n') + 1;
    std::string out = held_.substr(0, line);
    held_.erase(0, line);
    return masked(std::move(out));
  }
  std::string finish() override { return masked(std::exchange(held_, {})); }

 private:
  static std::string masked(std::string text) {
    for (auto at = text.find("made-up-word"); at != std::string::npos; at = text.find("made-up-word", at))
      text.replace(at, 12, "[masked]");
    return text;
  }
  std::string held_;
};

class ShellModeTest : public testing::Test {
 protected:
  ShellMode::Ended run(const std::string& command) {
    shell_.run(command);
    EXPECT_TRUE(loop_.run_until([this] { return ended_.has_value(); }, milliseconds(10'000)));
    return ended_.value_or(ShellMode::Ended{});
  }

  /// The file that the note under the output names.
  std::string named_file() const {
    const auto at = shown_.find(state_ / "outputs/");
    EXPECT_NE(at, std::string::npos) << shown_.substr(shown_.size() - std::min<std::size_t>(shown_.size(), 200));
    return at == std::string::npos ? "" : shown_.substr(at, shown_.find_first_of("; \n", at) - at);
  }

  event::EventLoop loop_;
  support::TempDir state_;
  std::string begun_, shown_, refused_;
  std::optional<ShellMode::Ended> ended_;
  ShellMode shell_{loop_,
                   state_ / "outputs",
                   [] { return std::make_unique<WordMask>(); },
                   {.on_begin = [this](const std::string& command) { begun_ = command; },
                    .on_output = [this](const std::string& shown) { shown_ = shown; },
                    .on_end = [this](const ShellMode::Ended& ended) { ended_ = ended; },
                    .on_refused = [this](const std::string& why) { refused_ = why; }}};
};

TEST_F(ShellModeTest, RunsInBashAndReportsOutputAndCode) {
  const auto ended = run("[[ -n $BASH_VERSION ]] && echo good; echo bad >&2; exit 3");
  EXPECT_EQ(begun_, ended.command);
  EXPECT_EQ(shown_, "good\nbad\n");
  EXPECT_EQ(ended.output, "good\nbad\n");
  EXPECT_EQ(ended.exit_code, 3);
  EXPECT_FALSE(shell_.running());
}

TEST_F(ShellModeTest, ShowsFourKilobytesAndKeepsTheRestInAFile) {
  const auto ended = run("for i in $(seq 3000); do echo 磁盘 $i; done");
  EXPECT_LE(ended.output.size(), ShellMode::kShown);
  EXPECT_GT(ended.output.size(), ShellMode::kShown - 4) << "cut at a character";
  EXPECT_NE(shown_.find("more, all of it in "), std::string::npos);
  const std::string kept = support::read_text(named_file());
  EXPECT_TRUE(kept.starts_with("磁盘 1\n"));
  EXPECT_TRUE(kept.ends_with("磁盘 3000\n"));
  EXPECT_EQ(std::count(kept.begin(), kept.end(), '\n'), 3000);
}

TEST_F(ShellModeTest, EachCommandKeepsItsOwnFile) {
  run("seq -f 'first %g' 2000");
  const std::string first = named_file();
  ended_.reset();
  run("seq -f 'second %g' 2000");
  const std::string second = named_file();
  EXPECT_NE(first, second);
  EXPECT_TRUE(support::read_text(first).ends_with("first 2000\n"));
  EXPECT_TRUE(support::read_text(second).starts_with("second 1\n"));
}

TEST_F(ShellModeTest, WhatIsKeptIsMaskedToItsLastWord) {
  run("seq 2000; echo a made-up-word; seq 2000; printf 'the last made-up-word'");
  const std::string kept = support::read_text(named_file());
  EXPECT_EQ(kept.find("made-up-word"), std::string::npos);
  EXPECT_TRUE(kept.ends_with("the last [masked]")) << kept.substr(kept.size() - 40);
}

TEST_F(ShellModeTest, WhatIsKeptIsRemovedAsOtherOutputsAre) {
  run("seq 2000");
  ASSERT_TRUE(std::filesystem::exists(named_file()));
  remote_exec::forget_old_outputs(state_ / "outputs", std::chrono::hours(-1));
  EXPECT_FALSE(std::filesystem::exists(named_file()));
}

TEST_F(ShellModeTest, ShowsNoControlsOfTheOutput) {
  run("printf '\\033[31mred\\033[0m\\033]0;title\\007 \\033[2J10%%\\r20%%\\n'");
  EXPECT_EQ(shown_.find('\x1b'), std::string::npos);
  EXPECT_EQ(shown_, "20%\n");
}

TEST_F(ShellModeTest, IsStoppedAtOnceWithAllItStarted) {
  shell_.run("sleep 1000 & echo $!; wait");
  ASSERT_TRUE(loop_.run_until([this] { return !shown_.empty(); }, milliseconds(10'000)));
  const int child = std::stoi(shown_);
  shell_.stop();
  ASSERT_TRUE(ended_);
  EXPECT_TRUE(ended_->stopped);
  EXPECT_FALSE(ended_->exit_code);
  EXPECT_TRUE(support::process_ends_within(child, milliseconds(10'000)));
}

TEST_F(ShellModeTest, RefusesWhatNeedsATerminalHoweverItIsNamed) {
  for (const char* command : {"vim x", "/usr/bin/vim x", "env A=1 /bin/less f", "sudo vim /etc/hosts",
                              "sudo -n -u root htop", "cd /tmp && top", "  nano"}) {
    refused_.clear();
    shell_.run(command);
    EXPECT_NE(refused_.find("needs a terminal"), std::string::npos) << command;
    EXPECT_FALSE(shell_.running()) << command;
  }
  EXPECT_TRUE(begun_.empty());
  refused_.clear();
  shell_.run("  ");
  EXPECT_FALSE(refused_.empty());
}

TEST_F(ShellModeTest, RunsOneAtATime) {
  shell_.run("sleep 1000");
  shell_.run("echo two");
  EXPECT_NE(refused_.find("still running"), std::string::npos);
  shell_.stop();
}

}  // namespace
}  // namespace app
