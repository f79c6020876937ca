// The commands for whoever works on jms: those that are cheap enough are run for real, on this build.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/run_command.h"
#include "tests/support/sanitized.h"
#include "tests/support/temp_dir.h"
#include "tests/support/test_env.h"

namespace packaging {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class Scripts : public testing::Test {
 protected:
  support::CommandOutput run(std::vector<std::string> argv) {
    argv.front() = JMS_SOURCE_DIR "/" + argv.front();
    return support::run_command({.argv = std::move(argv),
                                 .environment = env_.variables(),
                                 .input = {},
                                 .limit = std::chrono::milliseconds(170'000)});
  }

  support::TestEnv env_;
  support::TempDir dir_;
};

TEST_F(Scripts, BenchPrintsATableAndLeavesTheDocumentsAlone) {
  if (!fs::exists(JMS_BUILD_DIR "/bench/bench_agent")) GTEST_SKIP() << "the benches are not built here";
  env_.set("JMS_BENCH_BUILD", JMS_BUILD_DIR);
  const std::string page = support::read_text(JMS_SOURCE_DIR "/docs/benchmarks.md");
  const auto output = run({"scripts/bench", "--quick", "--no-build", "agent"});
  EXPECT_EQ(output.code, 0) << output.out << output.err;  // A goal that is missed is no failure of the bench.
  EXPECT_THAT(output.out, AllOf(HasSubstr("== agent"), HasSubstr("| goal | met |"), HasSubstr("| ten-round loop |")));
  EXPECT_EQ(support::read_text(JMS_SOURCE_DIR "/docs/benchmarks.md"), page);
  EXPECT_EQ(run({"scripts/bench", "--no-build", "no-such-bench"}).code, 2);
}

TEST_F(Scripts, SoakAsksItsQuestions) {
  const auto output = run({"bench/soak", "--questions", "40", "--jms", JMS_BINARY});
  EXPECT_THAT(output.out, AllOf(HasSubstr("40 questions"), HasSubstr("memory grew"))) << output.err;
}

TEST_F(Scripts, ScreenshotsMakeThePicturesOfTheReadme) {
  const auto output = run({"scripts/screenshots", "--jms", JMS_BINARY, "--out", dir_ / "pictures"});
  ASSERT_EQ(output.code, 0) << output.out << output.err;
  for (const auto& entry : fs::directory_iterator(JMS_SOURCE_DIR "/docs/pictures")) {
    const auto made = support::read_text(dir_ / "pictures/" + entry.path().filename().string());
    EXPECT_THAT(made, StartsWith("<svg ")) << entry.path();
  }
  EXPECT_THAT(support::read_text(dir_ / "pictures/answer.svg"), HasSubstr("logrotate"));
  EXPECT_THAT(support::read_text(dir_ / "pictures/approval.svg"), HasSubstr("truncate"));
}

TEST_F(Scripts, ValgrindFindsNothing) {
  if (support::sanitized_build()) GTEST_SKIP() << "a sanitizer and valgrind do not go together";
  const auto output = run({"scripts/valgrind", JMS_BINARY});
  EXPECT_EQ(output.code, 0) << output.out << output.err;
  EXPECT_THAT(output.out, HasSubstr("ok    jms local with the panel"));
}

}  // namespace
}  // namespace packaging
