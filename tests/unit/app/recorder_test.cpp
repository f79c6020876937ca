#include "app/session/recorder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

namespace app {
namespace {

using std::chrono::milliseconds;

std::vector<nlohmann::json> lines_of(const std::string& path) {
  std::vector<nlohmann::json> lines;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

TEST(Recorder, WritesAnAsciicastThatKeepsCutCharactersWhole) {
  const std::string path = testing::TempDir() + "jms-record-" + std::to_string(::getpid()) + ".cast";
  {
    auto recorder = Recorder::create(path, {24, 80});
    ASSERT_TRUE(recorder) << recorder.error().message;
    const auto now = Recorder::Clock::now();
    recorder->output("a\xE4\xB8", now + milliseconds(10));
    recorder->output("\xAD\x1b[m", now + milliseconds(20));
    recorder->resized({30, 100}, now + milliseconds(30));
  }
  const auto lines = lines_of(path);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0]["version"], 2);
  EXPECT_EQ(lines[0]["width"], 80);
  EXPECT_EQ(lines[1][2], "a");
  EXPECT_EQ(lines[2][2], "中\x1b[m");
  EXPECT_EQ(lines[3][1], "r");
  EXPECT_EQ(lines[3][2], "100x30");
  struct stat info {};
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  EXPECT_FALSE(Recorder::create(path, {24, 80})) << "an existing recording is not overwritten";
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace app
