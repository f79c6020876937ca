// The disk under the records fails: full, read-only, wrong modes. Nothing runs without its record, and the operator is
// told what to do; a plain session does not need the records and opens all the same.

#include <sys/stat.h>

#include <fstream>

#include "tests/e2e/app/command_fixture.h"
#include "tests/support/sshd.h"

namespace faults {
namespace {

using testing::HasSubstr;

class StateFault : public app::CommandTest {
 protected:
  StateFault() {
    std::filesystem::create_directories(env_.home().file("state/jms"));
    secure();
  }
  void secure() const { ::chmod(env_.home().file("state/jms").c_str(), 0700); }

  /// jms under a mount of its own over the state directory.
  void mount_state(const std::string& options) {
    prefix_ = {
        "unshare", "-m", "sh", "-c", "mount " + options + " " + env_.home().file("state/jms") + " && exec \"$@\"",
        "sh"};
  }
  static bool can_mount() { return support::Sshd::can_hide_files(); }
  /// The offline engine wants to run `df`; without a record it must not.
  void expect_nothing_ran(const support::CommandOutput& asked) {
    EXPECT_THAT(asked.err, testing::AnyOf(HasSubstr("jms: "), HasSubstr("audit record cannot be written")));
    EXPECT_THAT(asked.out + asked.err, testing::Not(HasSubstr("Filesystem")));
  }
  void expect_session_works() {
    const auto ran = run({"exec", "local", "--", "echo works"});
    EXPECT_EQ(ran.out, "works\n") << ran.err;
  }
};

TEST_F(StateFault, AFullDiskForTheRecordsStopsTheAssistantAndNotTheSession) {
  if (!can_mount()) GTEST_SKIP() << "needs mount namespaces";
  mount_state("-t tmpfs -o size=4k,mode=0700 none");
  prefix_[4] = prefix_[4].substr(0, prefix_[4].rfind(" && exec")) + " && head -c 4096 /dev/zero > " +
               env_.home().file("state/jms/filler") + " 2>/dev/null; exec \"$@\"";
  expect_nothing_ran(run({"ask", "local", "is the disk full?"}));
  expect_session_works();
  prefix_.clear();
  EXPECT_EQ(run({"ask", "local", "is the disk full?"}).code, 0) << "the next start works";
  EXPECT_EQ(run({"audit", "verify"}).code, 0);
}

TEST_F(StateFault, ADiskThatFillsUpWhileItWorksLosesNoRecord) {
  if (!can_mount()) GTEST_SKIP() << "needs mount namespaces";
  // Room for the first records only. They are copied before the mount goes with its program.
  mount_state("-t tmpfs -o size=16k,mode=0700 none");
  const std::string kept = env_.home().file("kept");
  prefix_[4] = prefix_[4].substr(0, prefix_[4].rfind("exec")) + "\"$@\"; code=$?; mkdir -m 700 " + kept + "; cp -pr " +
               state("audit") + " " + kept + "; exit $code";
  const auto asked = run({"ask", "--json", "local", "is the disk full?"});
  int commands = 0;
  for (const auto& event : json_lines(asked.out))
    if (event.value("type", "") == "tool_result" && event.dump().find("[exit 0") != std::string::npos) ++commands;
  EXPECT_EQ(json_lines(asked.out).back().value("type", ""), "done") << asked.err;
  prefix_.clear();
  env_.set("JMS_STATE_DIR", kept);
  EXPECT_EQ(run({"audit", "verify"}).code, 0) << "no half record stays";
  int recorded = 0;
  for (const auto& record : json_lines(run({"audit", "list"}).out)) recorded += record.value("event", "") == "start";
  EXPECT_LE(commands, recorded) << "a command whose record does not fit does not run";
  EXPECT_GT(recorded, 0);
  env_.unset("JMS_STATE_DIR");
  expect_session_works();
}

TEST_F(StateFault, AReadOnlyHomeStopsTheAssistantAndNotTheSession) {
  if (!can_mount()) GTEST_SKIP() << "needs mount namespaces";
  prefix_ = {"unshare",
             "-m",
             "sh",
             "-c",
             "mount --bind " + env_.home().path() + " " + env_.home().path() + " && mount -o remount,ro,bind " +
                 env_.home().path() + " && exec \"$@\"",
             "sh"};
  expect_nothing_ran(run({"ask", "local", "is the disk full?"}));
  expect_session_works();
}

TEST_F(StateFault, AStateDirectoryThatOthersCanReadIsRefused) {
  ::chmod(env_.home().file("state/jms").c_str(), 0755);
  const auto asked = run({"ask", "local", "is the disk full?"});
  expect_nothing_ran(asked);
  EXPECT_THAT(asked.err, HasSubstr("chmod 700"));
  expect_session_works();
  secure();
  EXPECT_EQ(run({"ask", "local", "is the disk full?"}).code, 0);
}

TEST_F(StateFault, RecordsThatOthersCanReadAreRefusedUntilTheyAreMended) {
  ASSERT_EQ(run({"ask", "local", "is the disk full?"}).code, 0);
  for (const auto& [name, loose, tight] :
       {std::tuple{"audit", 0755, 0700}, {"audit/audit.jsonl", 0644, 0600}, {"audit/audit.jsonl", 0620, 0600}}) {
    ::chmod(state(name).c_str(), static_cast<mode_t>(loose));
    const auto asked = run({"ask", "local", "is the disk full?"});
    EXPECT_NE(asked.code, 0) << name;
    expect_nothing_ran(asked);
    EXPECT_THAT(asked.err, HasSubstr("chmod")) << name;
    expect_session_works();
    ::chmod(state(name).c_str(), static_cast<mode_t>(tight));
  }
  EXPECT_EQ(run({"ask", "local", "is the disk full?"}).code, 0);
  EXPECT_EQ(run({"audit", "verify"}).code, 0);
}

TEST_F(StateFault, AStateDirectoryThatIsAFileIsTold) {
  std::filesystem::remove_all(env_.home().file("state/jms"));
  env_.home().write("state/jms", "not a directory");
  expect_nothing_ran(run({"ask", "local", "is the disk full?"}));
  expect_session_works();
}

TEST_F(StateFault, ABrokenConfigStopsEverythingBeforeItBegins) {
  for (const char* text : {"hotkey = ", "no_such_key = 1\n", "[model]\nname = 7\n", "\xff\xfe"}) {
    env_.write_config(text);
    const auto asked = run({"ask", "local", "is the disk full?"});
    EXPECT_EQ(asked.code, 2) << text;
    EXPECT_THAT(asked.err, HasSubstr("config.toml")) << text;
    EXPECT_EQ(asked.out, "");
  }
  env_.write_config("hint = false\n");
  EXPECT_EQ(run({"ask", "local", "is the disk full?"}).code, 0) << "the next start works";
}

TEST_F(StateFault, ATornAuditLineIsFoundAndTheLogGoesOn) {
  ASSERT_EQ(run({"ask", "local", "is the disk full?"}).code, 0);
  const std::string log = state("audit/audit.jsonl");
  std::filesystem::resize_file(log, std::filesystem::file_size(log) - 20);
  EXPECT_EQ(run({"audit", "verify"}).code, 1);
  // A crash in the middle of a write leaves such a line; it must not keep the operator from working.
  EXPECT_EQ(run({"ask", "local", "is the disk full?"}).code, 0);
}

TEST_F(StateFault, ATornSessionFileIsReadAsFarAsItGoes) {
  ASSERT_EQ(run({"ask", "local", "is the disk full?"}).code, 0);
  const auto list = lines(run({"sessions", "list"}).out);
  ASSERT_EQ(list.size(), 1u);
  const std::string id = list[0].substr(0, list[0].find(' '));
  for (const auto& entry : std::filesystem::directory_iterator(state("sessions")))
    std::filesystem::resize_file(entry.path(), std::filesystem::file_size(entry.path()) - 15);
  const auto shown = run({"sessions", "show", id});
  EXPECT_EQ(shown.code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("is the disk full?"));
  EXPECT_EQ(run({"sessions", "resume", id, "is memory short?"}).code, 0);
}

}  // namespace
}  // namespace faults
