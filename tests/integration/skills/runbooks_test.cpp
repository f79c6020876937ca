// Every step of the built-in runbooks, run by bash with this machine's programs and by BusyBox with nothing but its
// own.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "skills/runbook.h"
#include "skills/skill_index.h"

namespace {

namespace fs = std::filesystem;

struct Case {
  std::string skill;
  skills::Step step;
};

std::vector<Case> all_steps() {
  std::vector<Case> cases;
  const skills::SkillIndex index({});
  for (const auto& skill : index.skills())
    for (const auto& step : skills::parse_runbook(index.body(skill).value())) cases.push_back({skill.name, step});
  return cases;
}

std::string slurp(const fs::path& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class RunbookStep : public testing::TestWithParam<Case> {
 protected:
  RunbookStep() {
    char path[] = "/tmp/jms-runbook-XXXXXX";
    folder_ = ::mkdtemp(path);
    fs::create_directories(folder_ / "home");
    std::ofstream(folder_ / "step") << GetParam().step.command << "\n";
  }
  ~RunbookStep() override { fs::remove_all(folder_); }

  /// Runs the step with an empty home as its directory; the shell's code.
  int run(const std::string& shell, const std::string& path) {
    const std::string at = folder_.string();
    const std::string line = "cd " + at + "/home && exec env -i HOME=" + at + "/home PATH=" + path +
                             " /usr/bin/timeout 60 " + shell + " " + at + "/step >" + at + "/out 2>" + at +
                             "/err </dev/null";
    const int status = std::system(line.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  void expect_quiet_and_harmless() {
    EXPECT_EQ(slurp(folder_ / "err"), "") << "it complains";
    EXPECT_TRUE(fs::is_empty(folder_ / "home")) << "it leaves something behind";
    EXPECT_LT(fs::file_size(folder_ / "out"), 20'000u) << "it prints too much";
  }

  fs::path folder_;
};

TEST_P(RunbookStep, RunsQuietlyInBash) {
  const int code = run("bash", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
  EXPECT_NE(code, 2) << "the shell does not understand it";
  EXPECT_LT(code, 124);
  expect_quiet_and_harmless();
}

TEST_P(RunbookStep, RunsQuietlyInBusyBox) {
  const fs::path tools = folder_ / "bin";
  fs::create_directories(tools);
  ASSERT_EQ(std::system(("busybox --install -s " + tools.string()).c_str()), 0);
  const int code = run("/bin/busybox sh", tools);
  EXPECT_NE(code, 2) << "the shell does not understand it";
  EXPECT_LT(code, 124);
  expect_quiet_and_harmless();
}

INSTANTIATE_TEST_SUITE_P(All, RunbookStep, testing::ValuesIn(all_steps()), [](const auto& one) {
  std::string name = one.param.skill + "_" + std::to_string(one.index);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
