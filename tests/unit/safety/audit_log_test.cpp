#include "safety/audit_log.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>

#include "base/unique_fd.h"

namespace safety {
namespace {

class AuditLogTest : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/jms_audit_XXXXXX";
    directory_ = ::mkdtemp(name);
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  AuditLog::Options options(std::uint64_t rotate = 1 << 20) const {
    return {directory_, rotate, [] { return std::string("2024-05-06T07:08:09.123Z"); }};
  }
  static AuditRecord record(std::string command) {
    return {.event = "end",
            .target = "web01",
            .user = "ops",
            .command = std::move(command),
            .cls = "read-only",
            .decision = "allowed",
            .decided_by = "policy",
            .exit_code = 0,
            .duration_ms = 12,
            .output_sha256 = sha256_hex("out"),
            .output_bytes = 3,
            .question = "q1",
            .model = "m"};
  }
  std::string current() const { return directory_ + "/audit.jsonl"; }
  std::string text() const {
    std::ifstream file(current());
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const std::string& text) const { std::ofstream(current(), std::ios::binary | std::ios::trunc) << text; }

  std::string directory_;
};

TEST_F(AuditLogTest, WritesOneLinePerRecordWithTheFieldsScriptsRelyOn) {
  auto log = AuditLog::open(options());
  ASSERT_TRUE(log);
  ASSERT_TRUE(log->append(record("df -h")));
  const auto json = nlohmann::ordered_json::parse(text());
  std::vector<std::string> keys;
  for (const auto& [key, value] : json.items()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"time", "event", "target", "user", "command", "class", "decision",
                                            "decided_by", "exit_code", "duration_ms", "output_sha256", "output_bytes",
                                            "question", "model", "prev", "hash"}));
  EXPECT_EQ(json["prev"], "");
  EXPECT_EQ(json["exit_code"], 0);
}

TEST_F(AuditLogTest, ChainsAcrossReopeningAndRotation) {
  for (int i = 0; i < 40; ++i) {
    auto log = AuditLog::open(options(2000));
    ASSERT_TRUE(log);
    ASSERT_TRUE(log->append(record("echo " + std::to_string(i))));
  }
  const auto check = verify_audit(directory_);
  ASSERT_TRUE(check) << check.error().message;
  EXPECT_EQ(check->records, 40u);
  EXPECT_TRUE(std::filesystem::exists(directory_ + "/audit.000002.jsonl"));
  const auto records = read_audit(directory_);
  ASSERT_TRUE(records);
  EXPECT_EQ(records->back()["command"], "echo 39");
}

TEST_F(AuditLogTest, GoesOnAfterAStopInTheMiddleOfARotation) {
  {
    auto log = AuditLog::open(options());
    ASSERT_TRUE(log->append(record("one")));
  }
  std::filesystem::rename(current(), directory_ + "/audit.000001.jsonl");
  auto log = AuditLog::open(options());
  ASSERT_TRUE(log->append(record("two")));
  EXPECT_TRUE(verify_audit(directory_));
}

TEST_F(AuditLogTest, ADamagedFileThatWasSetAsideIsAnErrorAndNoException) {
  for (const char* damaged : {"{\"hash\":17}\n", "{\"hash\":null}\n", "{\"hash\":[\"x\"]}\n", "{}\n"}) {
    std::ofstream(directory_ + "/audit.000001.jsonl", std::ios::trunc) << damaged;
    std::filesystem::remove(current());
    const auto log = AuditLog::open(options());
    ASSERT_FALSE(log) << damaged;
    EXPECT_NE(log.error().message.find("jms audit verify"), std::string::npos) << log.error().message;
  }
}

TEST_F(AuditLogTest, ALockThatIsNeverGivenBackIsAnErrorAndNoHang) {
  auto log = AuditLog::open(options());
  ASSERT_TRUE(log->append(record("one")));
  const base::UniqueFd other(::open(current().c_str(), O_RDWR | O_CLOEXEC));
  ASSERT_EQ(::flock(other.get(), LOCK_EX), 0);
  const auto refused = log->append(record("two"));
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("lock of the audit log"), std::string::npos) << refused.error().message;
  EXPECT_FALSE(AuditLog::open(options()));
  ::flock(other.get(), LOCK_UN);
  EXPECT_TRUE(log->append(record("three")));
  EXPECT_EQ(verify_audit(directory_)->records, 2u);
}

TEST_F(AuditLogTest, ShowsAChangedRemovedOrInsertedLine) {
  auto log = AuditLog::open(options());
  ASSERT_TRUE(log);
  for (const char* command : {"one", "two", "three"}) ASSERT_TRUE(log->append(record(command)));
  const auto whole = text();
  ASSERT_TRUE(verify_audit(directory_));
  auto changed = whole;
  changed.replace(changed.find("two"), 3, "2wo");
  write(changed);
  const auto check = verify_audit(directory_);
  ASSERT_FALSE(check);
  EXPECT_NE(check.error().message.find("line 2"), std::string::npos);
  const auto second = whole.find('\n') + 1;
  const auto third = whole.find('\n', second) + 1;
  write(whole.substr(0, second) + whole.substr(third));
  EXPECT_FALSE(verify_audit(directory_));
  write(whole.substr(0, second) + whole);
  EXPECT_FALSE(verify_audit(directory_));
}

TEST_F(AuditLogTest, CutsOffATornLastLineAndGoesOn) {
  {
    auto log = AuditLog::open(options());
    ASSERT_TRUE(log->append(record("one")));
  }
  write(text() + "{\"time\":\"2024");
  auto log = AuditLog::open(options());
  ASSERT_TRUE(log);
  ASSERT_TRUE(log->append(record("two")));
  const auto check = verify_audit(directory_);
  ASSERT_TRUE(check) << check.error().message;
  EXPECT_EQ(check->records, 2u);
}

TEST_F(AuditLogTest, IsPrivateAndRefusesToBeAnythingElse) {
  {
    auto log = AuditLog::open(options());
    ASSERT_TRUE(log);
  }
  struct stat info {};
  ASSERT_EQ(::stat(current().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  ::chmod(current().c_str(), 0644);
  EXPECT_FALSE(AuditLog::open(options()));
  ::chmod(current().c_str(), 0600);
  ::chmod(directory_.c_str(), 0755);
  EXPECT_FALSE(AuditLog::open(options()));
  ::chmod(directory_.c_str(), 0700);
  std::filesystem::remove(current());
  std::filesystem::create_symlink("/dev/null", current());
  EXPECT_FALSE(AuditLog::open(options()));
}

TEST_F(AuditLogTest, FailsWhenTheDiskTakesNothing) {
  std::filesystem::remove_all(directory_);
  std::ofstream(directory_) << "a file where the directory should be";
  EXPECT_FALSE(AuditLog::open(options()));
}

/// Runs `body` where `directory` is a disk of its own, of 64 kB. Nothing when this machine does not let us mount.
std::optional<bool> on_a_small_disk(const std::string& directory, const std::function<bool()>& body) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    const bool mounted = ::unshare(CLONE_NEWNS) == 0 &&
                         ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0 &&
                         ::mount("none", directory.c_str(), "tmpfs", 0, "size=64k,mode=0700") == 0;
    ::_exit(!mounted ? 77 : body() ? 0 : 1);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 77) return std::nullopt;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST_F(AuditLogTest, KeepsRoomForTheEndOfWhatItLetStart) {
  const auto ran = on_a_small_disk(directory_, [&] {
    auto log = AuditLog::open(options());
    const auto fill = [&] {
      const base::UniqueFd filler(::open((directory_ + "/filler").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600));
      const std::string block(4096, 'x');
      while (::write(filler.get(), block.data(), block.size()) > 0) {
      }
    };
    // Commands of half a block: a record's last block has no room for its end by chance.
    const auto start = [&](char name) {
      auto one = record(std::string(3'000, name));
      one.event = "start";
      return log->append(one).has_value();
    };
    if (!start('a') || !start('b')) return false;
    fill();
    if (start('c')) return false;
    return log->append(record(std::string(3'000, 'b'))).has_value() &&
           log->append(record(std::string(3'000, 'a'))).has_value() && verify_audit(directory_)->records == 4;
  });
  if (!ran) GTEST_SKIP() << "needs mount namespaces";
  EXPECT_TRUE(*ran);
}

TEST_F(AuditLogTest, KeepsOneChainWhenTwoSessionsWrite) {
  std::vector<pid_t> children;
  for (int child = 0; child < 3; ++child) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      auto log = AuditLog::open(options(4000));
      bool ok = log.has_value();
      for (int i = 0; ok && i < 30; ++i) ok = log->append(record("child")).has_value();
      ::_exit(ok ? 0 : 1);
    }
    children.push_back(pid);
  }
  for (const pid_t pid : children) {
    int status = 0;
    ::waitpid(pid, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const auto check = verify_audit(directory_);
  ASSERT_TRUE(check) << check.error().message;
  EXPECT_EQ(check->records, 90u);
}

TEST_F(AuditLogTest, ReportsAsMarkdownWithoutLettingCommandsBreakTheTable) {
  auto log = AuditLog::open(options());
  ASSERT_TRUE(log->append(record("ls | grep `x`\nnext \x1b[31m")));
  const auto report = export_audit_markdown(directory_);
  ASSERT_TRUE(report);
  EXPECT_NE(report->find("ls \\| grep 'x' next"), std::string::npos) << *report;
  EXPECT_EQ(report->find('\x1b'), std::string::npos);
  EXPECT_NE(report->find("chain of 1 records is whole"), std::string::npos);
}

TEST_F(AuditLogTest, ALineNestedBeyondMeasureIsNoRecord) {
  const std::string deep(1'000'000, '[');
  std::ofstream(directory_ + "/audit.jsonl") << "{\"a\":" << deep << std::string(deep.size(), ']') << "}\n";
  const auto check = verify_audit(directory_);
  ASSERT_FALSE(check);
  EXPECT_NE(check.error().message.find("line 1 is not a record"), std::string::npos) << check.error().message;
  EXPECT_FALSE(export_audit_markdown(directory_));
}

TEST_F(AuditLogTest, KeepsCommandsThatAreNotUtf8Verifiable) {
  auto log = AuditLog::open(options());
  ASSERT_TRUE(log->append(record("echo \xff\xfe")));
  ASSERT_TRUE(log->append(record("echo 中文")));
  EXPECT_TRUE(verify_audit(directory_));
}

}  // namespace
}  // namespace safety
