// jms stuck in a system call that never comes back, as on a file server that does not answer: here it is a pipe in the
// place of a file, which nobody reads.

#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <filesystem>

#include "tests/e2e/faults/phases.h"

namespace faults {
namespace {

class StuckFault : public PhaseTest, public testing::WithParamInterface<int> {
 protected:
  void replace_by_pipe(const std::string& file) {
    pipe_ = env_.home().file("state/jms/" + file);
    std::filesystem::remove(pipe_);
    ASSERT_EQ(::mkfifo(pipe_.c_str(), 0600), 0);
  }
  /// In the same open() for longer than any file that is there takes.
  [[nodiscard]] bool wait_until_stuck() {
    const std::string open = std::to_string(SYS_openat) + " ";
    int seen = 0;
    for (int looks = 0; seen < 10 && looks < 1000; ++looks) {
      jms_->wait_until([] { return false; }, Ms(10));
      const auto call = support::read_text("/proc/" + std::to_string(jms_->pid()) + "/syscall");
      seen = call.starts_with(open) ? seen + 1 : 0;
    }
    return seen == 10;
  }
  /// The file server answers again, and all is whole.
  void expect_whole_without_the_pipe() {
    EXPECT_EQ(jms_->wait_for_exit(), (support::Ending{0, GetParam()}));
    std::filesystem::remove(pipe_);
    expect_whole({0, GetParam()}, kNothing);
  }

 private:
  std::string pipe_;
};

TEST_P(StuckFault, EndsAtTheSecondSignal) {
  ASSERT_NO_FATAL_FAILURE(bring_to(Phase::panel));
  ASSERT_NO_FATAL_FAILURE(replace_by_pipe("trusted-folders"));
  jms_->send("/skills\r");  // Looks for skills in the folders that the operator trusts.
  ASSERT_TRUE(wait_until_stuck());
  jms_->kill(GetParam());
  EXPECT_FALSE(jms_->wait_for_exit(Ms(300))) << "it was not stuck";
  jms_->kill(GetParam());
  expect_whole_without_the_pipe();
}

TEST_P(StuckFault, EndsAtTheFirstSignalBeforeTheSessionListens) {
  ASSERT_NO_FATAL_FAILURE(bring_to(Phase::prompt));
  jms_->kill(SIGKILL);
  ASSERT_TRUE(jms_->wait_for_exit());
  ASSERT_NO_FATAL_FAILURE(replace_by_pipe("history"));
  launch({24, 100}, {"local"});
  ASSERT_TRUE(wait_until_stuck());
  jms_->kill(GetParam());
  expect_whole_without_the_pipe();
}

INSTANTIATE_TEST_SUITE_P(By, StuckFault, testing::Values(SIGTERM, SIGHUP),
                         [](const auto& choice) { return choice.param == SIGTERM ? "Term" : "Hup"; });

}  // namespace
}  // namespace faults
