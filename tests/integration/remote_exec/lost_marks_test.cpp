// A mark that the shell itself loses: fish drops what it was writing when a signal (a resize) interrupts it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "event/timer.h"
#include "tests/support/exec/shell_session.h"

namespace remote_exec {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

struct FishRun {
  std::string name;
  std::vector<std::string> argv;
  bool hooks = false;
  friend std::ostream& operator<<(std::ostream& out, const FishRun& run) { return out << run.name; }
};

/// The loader takes a blank in a path for its end, so the library is reached through a link.
support::ShellUnderTest fish_of(const FishRun& run, const support::TempDir& links) {
  const std::string link = links / "lost_write.so";
  std::filesystem::create_symlink(JMS_LOST_WRITE, link);
  auto shell = support::shell_named("fish", {"LD_PRELOAD=" + link});
  shell.argv = run.argv;
  return shell;
}

Options options_of(const FishRun& run) {
  Options options;
  options.hooks = run.hooks;
  return options;
}

/// fish with a write that can be made to fail.
class LostMark : public testing::TestWithParam<FishRun> {
 protected:
  LostMark() : s_(fish_of(GetParam(), links_), {24, 80}, options_of(GetParam())) {
    EXPECT_EQ(s_.run("echo ready").output, "ready\n");
    EXPECT_TRUE(s_.wait_idle());
  }

  void lose_next(char kind) const { std::ofstream(s_.home() + "/lose") << kind; }
  void resize_all_the_time() {
    resizer_.repeat(milliseconds(60), [this] { s_.session->resize({24, 80 + (++resizes_ % 40)}); });
  }

  support::TempDir links_;
  support::ShellSession s_;
  event::Timer resizer_{s_.loop};
  int resizes_ = 0;
};

TEST_P(LostMark, ALostEndIsToldAsUnknownWithinSeconds) {
  lose_next('e');
  const auto begun = Clock::now();
  const auto result = s_.run("echo hello", std::chrono::seconds(60));
  EXPECT_EQ(status_name(result.status), status_name(Status::done)) << s_.screen_text();
  EXPECT_EQ(result.reason, Reason::end_not_seen);
  EXPECT_EQ(result.exit_code, std::nullopt);
  EXPECT_TRUE(result.output.starts_with("hello\n")) << result.output;
  EXPECT_LT(Clock::now() - begun, std::chrono::seconds(10));
  expect_alive(s_);
}

TEST_P(LostMark, ALostEndIsSeenWhileTheWindowIsResized) {
  lose_next('e');
  resize_all_the_time();
  const auto begun = Clock::now();
  const auto result = s_.run("echo hello", std::chrono::seconds(60));
  resizer_.stop();
  EXPECT_EQ(result.reason, Reason::end_not_seen) << s_.screen_text();
  EXPECT_EQ(result.exit_code, std::nullopt);
  EXPECT_LT(Clock::now() - begun, std::chrono::seconds(20));
  EXPECT_TRUE(s_.wait_idle());
  expect_alive(s_);
}

/// It said that nothing had run once, an invitation to run the command again.
TEST_P(LostMark, ACommandWhoseStartIsLostIsNotCalledUnrun) {
  lose_next('s');
  const auto result = s_.run("echo hello; sh -c 'exit 3'", std::chrono::seconds(60));
  if (GetParam().hooks) {  // A prompt's end mark may be another's, so what ran is not known.
    EXPECT_EQ(result.reason, Reason::no_start) << s_.screen_text();
    EXPECT_EQ(result.exit_code, std::nullopt);
  } else {
    EXPECT_EQ(status_name(result.status), status_name(Status::done)) << s_.screen_text();
    EXPECT_EQ(result.reason, Reason::start_not_seen);
    EXPECT_EQ(result.exit_code, 3);
    EXPECT_TRUE(result.output.ends_with("hello\n")) << result.output;
    EXPECT_TRUE(s_.wait_idle());
  }
  expect_alive(s_);
}

TEST_P(LostMark, ALostProofIsAskedForAgain) {
  lose_next('p');
  const auto begun = Clock::now();
  const auto result = s_.run("sleep 30", milliseconds(500));
  EXPECT_EQ(status_name(result.status), status_name(Status::timeout)) << s_.screen_text();
  EXPECT_LT(Clock::now() - begun, std::chrono::seconds(20));
  EXPECT_TRUE(s_.wait_idle());
  expect_alive(s_);
}

INSTANTIATE_TEST_SUITE_P(Fish, LostMark,
                         testing::Values(FishRun{"Bare", {"fish", "--no-config"}}, FishRun{"Configured", {"fish"}},
                                         FishRun{"Hooked", {"fish"}, true},
                                         // With "$ " alone the shell's way back to its prompt was not even seen.
                                         FishRun{"HookedUnderAPromptOfTwoLines",
                                                 {"fish", "-C",
                                                  "function fish_prompt; echo '-- fish --'; echo -n 'system> '; end"},
                                                 true}),
                         [](const auto& run) { return run.param.name; });

}  // namespace
}  // namespace remote_exec
