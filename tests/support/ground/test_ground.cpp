// The ground every test program stands on, before its first test: an environment and a home that are the same on every
// machine, whoever runs it, and a judge of tests that assert nothing.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/ground/counted_assertions.h"

extern char** environ;

namespace {

/// What the tester's environment may decide: how the test framework and the sanitizers behave, and where files go.
bool is_the_testers(const std::string& variable) {
  for (const char* prefix :
       {"TMPDIR=", "JMS_GOLDEN=", "GTEST_", "TEST_", "ASAN_", "UBSAN_", "LSAN_", "TSAN_", "LD_LIBRARY_PATH="})
    if (variable.starts_with(prefix)) return true;
  return false;
}

class TestGround : public testing::EmptyTestEventListener {
 public:
  TestGround() {
    std::vector<std::string> kept;
    for (char** entry = environ; *entry != nullptr; ++entry)
      if (is_the_testers(*entry)) kept.emplace_back(*entry);
    const char* path = std::getenv("PATH");
    // The tester's own programs come last: what builds here may stand there, but no `ls` or `ssh` of his is ours.
    const std::string programs = std::string("/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin") +
                                 (path == nullptr ? "" : std::string(":") + path);
    clearenv();
    for (const auto& variable : kept) {
      const auto equals = variable.find('=');
      setenv(variable.substr(0, equals).c_str(), variable.c_str() + equals + 1, 1);
    }
    setenv("PATH", programs.c_str(), 1);
    setenv("LANG", "C.UTF-8", 1);
    setenv("TERM", "xterm-256color", 1);
    setenv("INPUTRC", "/dev/null", 1);  // A system's inputrc may put "(ins)" before every prompt.
    home_ = std::filesystem::temp_directory_path() / ("jms-test-home-" + std::to_string(getpid()));
    setenv("HOME", home_.c_str(), 1);
  }

  void OnTestProgramStart(const testing::UnitTest&) override { std::filesystem::create_directories(home_); }
  void OnTestProgramEnd(const testing::UnitTest&) override {
    std::error_code ignored;
    std::filesystem::remove_all(home_, ignored);
  }
  void OnTestStart(const testing::TestInfo&) override { support::assertions_made = 0; }
  void OnTestEnd(const testing::TestInfo& info) override {
    const auto& result = *info.result();
    if (!result.Skipped() && result.total_part_count() == 0 && support::assertions_made == 0)
      ADD_FAILURE() << info.test_suite_name() << "." << info.name() << " asserted nothing, so it proved nothing";
  }

 private:
  std::string home_;
};

const bool kOnTheGround = [] {
  testing::UnitTest::GetInstance()->listeners().Append(new TestGround);
  return true;
}();

}  // namespace
