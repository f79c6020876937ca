#include "base/log.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "tests/support/temp_dir.h"

namespace base {
namespace {

class LogTest : public testing::Test {
 protected:
  ~LogTest() override { set_log({}); }
  void log_at(LogLevel level, bool content = false) {
    set_log({.level = level, .content = content, .path = [this] { return path(); }});
  }
  std::string path() const { return dir_ / "jms.log"; }
  std::string text() const { return std::filesystem::exists(path()) ? support::read_text(path()) : ""; }

  support::TempDir dir_;
};

TEST_F(LogTest, WritesWhatItsLevelLetsThrough) {
  log_at(LogLevel::info);
  log_error("the link was lost");
  log_info("connected");
  log_debug("details");
  EXPECT_NE(text().find("error the link was lost"), std::string::npos) << text();
  EXPECT_NE(text().find("info connected"), std::string::npos);
  EXPECT_EQ(text().find("details"), std::string::npos);
}

TEST_F(LogTest, IsTheOperatorsAlone) {
  log_at(LogLevel::info);
  log_info("something");
  struct stat info {};
  ASSERT_EQ(stat(path().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST_F(LogTest, MakesNoFileBeforeTheFirstLine) {
  log_at(LogLevel::error);
  log_info("not at this level");
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(LogTest, KeepsContentOutUnlessAskedFor) {
  log_at(LogLevel::debug);
  log_content("received", "hunter2");
  EXPECT_EQ(text(), "");
  log_at(LogLevel::debug, true);
  log_content("received", "a\x1b[mb\r\n");
  EXPECT_NE(text().find("received: a\\x1b[mb\\x0d\\x0a"), std::string::npos) << text();
}

TEST_F(LogTest, ThatCannotBeWrittenStopsNothing) {
  set_log({.level = LogLevel::info, .content = false, .path = [] { return std::string("/proc/no/such/place"); }});
  log_info("nobody reads this");
  EXPECT_FALSE(std::filesystem::exists("/proc/no/such/place"));
  log_at(LogLevel::info);
  log_info("and the next place is written to");
  EXPECT_NE(text().find("the next place"), std::string::npos) << text();
}

TEST_F(LogTest, StaysSmall) {
  log_at(LogLevel::info);
  const std::string line(10'000, 'x');
  for (int i = 0; i < 2'000; ++i) log_info(line);
  std::uintmax_t total = 0;
  for (const auto& entry : std::filesystem::directory_iterator(dir_.path())) total += entry.file_size();
  EXPECT_LT(total, 9'000'000u);
}

TEST_F(LogTest, KnowsItsLevelsByName) {
  LogLevel level = LogLevel::off;
  EXPECT_TRUE(log_level_named("debug", level));
  EXPECT_EQ(level, LogLevel::debug);
  EXPECT_FALSE(log_level_named("loud", level));
}

}  // namespace
}  // namespace base
