#include "app/session/recorder.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "tests/support/temp_dir.h"

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

/// Files of this process may grow to so many bytes and no further: as on a disk that is full.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) : signal_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, signal_);
  }

 private:
  rlimit before_{};
  sighandler_t signal_;
};

TEST(Recorder, AFullDiskEndsItWithAWholeLineAndIsToldOnce) {
  const support::TempDir home;
  const std::string path = home / "full.cast";
  auto recorder = Recorder::create(path, {24, 80});
  ASSERT_TRUE(recorder);
  recorder->output("this fits", Recorder::Clock::now());
  recorder->flush();
  EXPECT_FALSE(recorder->take_failure());
  {
    // The next lines fit by half: a short write, then none.
    const SmallDisk disk(2000);
    for (int i = 0; i < 10; ++i) recorder->output(std::string(500, 'x'), Recorder::Clock::now());
    recorder->flush();
  }
  const auto why = recorder->take_failure();
  ASSERT_TRUE(why);
  EXPECT_NE(why->find(path), std::string::npos) << *why;
  recorder->output("too late", Recorder::Clock::now());
  recorder->flush();
  EXPECT_FALSE(recorder->take_failure());
  const auto lines = lines_of(path);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1][2], "this fits");
}

}  // namespace
}  // namespace app
