#include "base/line_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>

#include "tests/support/temp_dir.h"

namespace base {
namespace {

class LineFileTest : public testing::Test {
 protected:
  LineFile file(LineFile::Limits limits = {}) const { return {path_, limits}; }

  support::TempDir directory_;
  std::string path_ = directory_.path() + "/lines";
};

TEST_F(LineFileTest, GivesBackWhatWasAdded) {
  EXPECT_TRUE(file().load()->empty());
  ASSERT_TRUE(file().append("one"));
  ASSERT_TRUE(file().append("two\nlines"));
  EXPECT_EQ(*file().load(), (std::vector<std::string>{"one", "two lines"}));
  struct stat info {};
  ASSERT_EQ(::stat(path_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST_F(LineFileTest, ALineIsNotGluedToOneThatHasNoEnd) {
  ASSERT_TRUE(file().append("one"));
  ASSERT_EQ(::truncate(path_.c_str(), 2), 0);  // Whoever wrote it was stopped half way.
  ASSERT_TRUE(file().append("two"));
  ASSERT_TRUE(file().append("three"));
  EXPECT_EQ(*file().load(), (std::vector<std::string>{"on", "two", "three"}));
}

TEST_F(LineFileTest, DropsTheOldestBeyondItsLimits) {
  const LineFile small = file({.lines = 10, .bytes = 1000});
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(small.append("line " + std::to_string(i)));
  const auto lines = *small.load();
  EXPECT_EQ(lines.size(), 10u);
  EXPECT_EQ(lines.back(), "line 99");
  struct stat info {};
  ASSERT_EQ(::stat(path_.c_str(), &info), 0);
  EXPECT_LT(info.st_size, 400);
  EXPECT_FALSE(small.append(std::string(2000, 'x')));
}

TEST_F(LineFileTest, IsRefusedWhenOthersCanReadItAndWhenItIsALink) {
  ASSERT_TRUE(file().append("one"));
  ::chmod(path_.c_str(), 0644);
  EXPECT_FALSE(file().append("two"));
  EXPECT_FALSE(file().load());
  ::unlink(path_.c_str());
  ASSERT_EQ(::symlink("/etc/hostname", path_.c_str()), 0);
  EXPECT_FALSE(file().append("two"));
}

TEST_F(LineFileTest, LosesNothingWhenSeveralAddAtOnce) {
  const LineFile::Limits limits{.lines = 1000, .bytes = 6000};
  constexpr int kProcesses = 4;
  constexpr int kLines = 60;
  for (int process = 0; process < kProcesses; ++process) {
    if (::fork() != 0) continue;
    bool good = true;
    for (int i = 0; i < kLines; ++i)
      good =
          good && file(limits).append(std::to_string(process) + ":" + std::to_string(i) + ":" + std::string(20, 'x'));
    ::_exit(good ? 0 : 1);
  }
  for (int process = 0; process < kProcesses; ++process) {
    int status = 0;
    ::wait(&status);
    EXPECT_EQ(status, 0);
  }
  // Trimmed on the way: what is left is the newest of each without a gap.
  std::vector<std::set<int>> seen(kProcesses);
  const auto lines = file(limits).load();
  ASSERT_TRUE(lines);
  for (const auto& line : *lines) seen[static_cast<std::size_t>(line[0] - '0')].insert(std::stoi(line.substr(2)));
  std::size_t total = 0;
  for (const auto& numbers : seen) {
    total += numbers.size();
    if (numbers.empty()) continue;
    EXPECT_EQ(static_cast<int>(numbers.size()), *numbers.rbegin() - *numbers.begin() + 1);
  }
  EXPECT_GT(total, 150u);
}

}  // namespace
}  // namespace base
