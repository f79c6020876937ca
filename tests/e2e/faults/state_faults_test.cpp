// The disk under the records fails: full, read-only, wrong modes. Nothing runs without its record, and the operator is
// told what to do; a plain session does not need the records and opens all the same.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <functional>

#include "tests/e2e/faults/phases.h"

namespace faults {
namespace {

using testing::HasSubstr;

/// One way to break the disk, and a word of what the operator hears of it.
struct Broken {
  const char* name;
  std::string mount;  ///< Shell, in a mount namespace of jms's own; HOME and STATE are set. Empty: none.
  std::function<void(const std::string& state)> make;
  std::function<void(const std::string& state)> mend;
  const char* told;

  friend std::ostream& operator<<(std::ostream& out, const Broken& broken) { return out << broken.name; }
};

Broken mounted(const char* name, const std::string& mount, const char* told) {
  const auto nothing = [](const std::string&) {};
  return {name, mount, nothing, nothing, told};
}

/// A file or directory of the state with a mode that is too wide.
Broken loose(const char* name, const std::string& file, mode_t wide, mode_t tight, const char* told) {
  const auto set = [file](mode_t mode) {
    return [file, mode](const std::string& state) { ASSERT_EQ(::chmod((state + file).c_str(), mode), 0); };
  };
  return {name, "", set(wide), set(tight), told};
}

Broken file_in_the_way() {
  return {"WhenTheStateIsAFile", "",
          [](const std::string& state) {
            std::filesystem::rename(state, state + ".aside");
            ASSERT_EQ(::close(::creat(state.c_str(), 0600)), 0);
          },
          [](const std::string& state) {
            std::filesystem::remove(state);
            std::filesystem::rename(state + ".aside", state);
          },
          "is in the way"};
}

std::vector<Broken> all_broken() {
  return {mounted("OnAFullDisk",
                  "mount -t tmpfs -o size=4k,mode=0700 none $STATE && "
                  "! head -c 65536 /dev/zero > $STATE/filler 2>/dev/null",
                  "audit record cannot be written"),
          mounted("InAReadOnlyHome", "mount --bind $HOME $HOME && mount -o remount,ro,bind $HOME", "Read-only"),
          loose("InAStateThatOthersCanRead", "", 0755, 0700, "chmod 700"),
          loose("WithRecordsThatOthersCanList", "/audit", 0755, 0700, "chmod"),
          loose("WithARecordThatOthersCanRead", "/audit/audit.jsonl", 0644, 0600, "chmod"),
          loose("WithARecordThatOthersCanWrite", "/audit/audit.jsonl", 0620, 0600, "chmod"),
          file_in_the_way()};
}

class StateFault : public PhaseTest, public testing::WithParamInterface<Broken> {
 protected:
  /// A state that has been used: its directories and a record are there.
  void SetUp() override {
    if (!GetParam().mount.empty() && !support::Sshd::can_hide_files()) GTEST_SKIP() << "needs mount namespaces";
    ASSERT_EQ(witness_.run({"ask", "local", "is the disk full?"}).code, 0);
    GetParam().make(state_);
  }
  std::vector<std::string> argv(std::vector<std::string> arguments) const {
    std::vector<std::string> words;
    if (const auto& mount = GetParam().mount; !mount.empty())
      words = {"unshare", "-m", "sh", "-c", "STATE=" + state_ + "; { " + mount + "; } && exec \"$@\"", "sh"};
    words.push_back(JMS_BINARY);
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
  }
  support::CommandOutput run_broken(const std::vector<std::string>& arguments) const {
    return support::run_command({.argv = argv(arguments), .environment = env_.variables(), .input = {}});
  }
  void expect_mended() {
    GetParam().mend(state_);
    witness_.expect_whole({});
  }

  const std::string state_ = env_.home().file("state/jms");
};

TEST_P(StateFault, NothingRunsWithoutItsRecord) {
  const auto asked = run_broken({"ask", "--yes-changes", "local", Witness::kQuestion});
  EXPECT_EQ(asked.code, 1) << "an answer without its commands is none: " << asked.out << asked.err;
  EXPECT_THAT(asked.err, HasSubstr(GetParam().told));
  EXPECT_EQ(witness_.marks(), "") << asked.out << asked.err;
  const auto ran = run_broken({"exec", "local", "--", "echo works"});
  EXPECT_EQ(ran.out, "works\n") << ran.err;
  EXPECT_EQ(ran.code, 0);
  expect_mended();
}

TEST_P(StateFault, ThePanelSaysSoAndTheSessionGoesOn) {
  jms_ = std::make_unique<support::PtyProgram>(support::PtyProgram::Options{.argv = argv({"--mode", "auto", "local"}),
                                                                            .environment = env_.variables(),
                                                                            .size = {30, 100},
                                                                            .directory = env_.home().path()});
  ASSERT_TRUE(jms_->wait_for("$ ")) << jms_->output();
  ASSERT_NO_FATAL_FAILURE(ask(Witness::kQuestion));
  ASSERT_TRUE(jms_->wait_for_screen(GetParam().told, Ms(30'000))) << jms_->screen_text();
  ASSERT_TRUE(jms_->wait_until([this] { return !shows("Ctrl+C stop"); })) << jms_->screen_text();
  ASSERT_TRUE(close_panel()) << jms_->screen_text();
  expect_usable();
  enter("exit 0");
  EXPECT_EQ(jms_->wait_for_exit(), (support::Ending{0, 0})) << jms_->output();
  expect_restored(*jms_);
  expect_mended();
}

INSTANTIATE_TEST_SUITE_P(Every, StateFault, testing::ValuesIn(all_broken()),
                         [](const auto& choice) { return std::string(choice.param.name); });

}  // namespace
}  // namespace faults
