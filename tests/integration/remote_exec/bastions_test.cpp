// Slow links, and bastions that have a say.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/exec/link_shims.h"
#include "tests/support/exec/shell_session.h"

namespace remote_exec {
namespace {

using std::chrono::milliseconds;
using support::all_shells;
using support::BastionTransport;
using support::expect_alive;
using support::request;
using support::shell_named;
using support::ShellSession;
using support::ShellUnderTest;
using support::SlowTransport;

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
  const support::TempDir folder;
  options.output.directory = folder / "outputs";
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
  EXPECT_EQ(std::filesystem::status(options.output.directory + "/" + result.output_id).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

}  // namespace
}  // namespace remote_exec
