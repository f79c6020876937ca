// The link to the remote fails before, during and after a command: no hang, the truth about what is known, nothing run
// twice, and the next start works.

#include <signal.h>

#include <future>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/e2e/app/ssh_session_fixture.h"

namespace faults {
namespace {

using Json = nlohmann::json;

class LinkFault : public app::SshSession {
 protected:
  LinkFault() : server_(serve_known()) { name("server", server_->port()); }

  std::future<support::CommandOutput> exec(const std::string& command, std::vector<std::string> more = {}) {
    auto argv = options();
    argv.insert(argv.begin(), {JMS_BINARY, "exec", "--json"});
    argv.insert(argv.end(), more.begin(), more.end());
    argv.insert(argv.end(), {at("server"), "--", command});
    return std::async(std::launch::async, [argv, environment = env_.variables()] {
      return support::run_command({.argv = argv, .environment = environment, .input = {}});
    });
  }
  std::string text_of(const std::string& file) const {
    const std::string path = env_.home().file(file);
    return std::filesystem::exists(path) ? support::read_text(path) : "";
  }
  /// Waits for a file that the remote command makes.
  bool appears(const std::string& file) const {
    for (int i = 0; i < 1000; ++i) {
      if (!text_of(file).empty()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  void expect_next_start_works() {
    const auto again = exec("echo back").get();
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(Json::parse(again.out, nullptr, false).value("output", ""), "back\n");
  }

  std::unique_ptr<support::Sshd> server_;
};

TEST_F(LinkFault, KilledWhileACommandRunsItIsUnknownAndRanOnce) {
  auto running = exec("echo x >> marks; sleep 60");
  ASSERT_TRUE(appears("marks"));
  server_->signal_connections(SIGKILL);
  const auto result = running.get();
  const auto json = Json::parse(result.out, nullptr, false);
  EXPECT_EQ(json["status"], "disconnected") << result.out << result.err;
  EXPECT_TRUE(json["exit_code"].is_null());
  EXPECT_EQ(result.code, 125);
  EXPECT_EQ(text_of("marks"), "x\n");
  expect_next_start_works();
  EXPECT_EQ(text_of("marks"), "x\n");
}

TEST_F(LinkFault, KilledBeforeThePromptNothingRan) {
  config_.clear();
  name("server", server_->port());
  auto options = plain_shell();
  options.config = "ForceCommand echo up >> " + env_.home().file("up") + "; sleep 60";
  server_ = std::make_unique<support::Sshd>(options);
  server_->authorize(key_);
  know(*server_);
  config_.clear();
  name("server", server_->port());
  auto running = exec("echo x >> marks");
  ASSERT_TRUE(appears("up"));
  server_->signal_connections(SIGKILL);
  const auto result = running.get();
  EXPECT_NE(result.code, 0) << result.out;
  EXPECT_EQ(text_of("marks"), "");
}

TEST_F(LinkFault, KilledAfterTheCommandItsResultStands) {
  auto running = exec("echo x >> marks; echo seen");
  const auto result = running.get();
  server_->signal_connections(SIGKILL);
  EXPECT_EQ(Json::parse(result.out, nullptr, false).value("output", ""), "seen\n");
  EXPECT_EQ(text_of("marks"), "x\n");
  expect_next_start_works();
}

TEST_F(LinkFault, AHalfOpenLinkIsNoticed) {
  auto running = exec("echo x >> marks; sleep 60", {"-o", "ServerAliveInterval=1", "-o", "ServerAliveCountMax=1"});
  ASSERT_TRUE(appears("marks"));
  server_->signal_connections(SIGSTOP);
  const auto result = running.get();
  server_->signal_connections(SIGCONT);
  EXPECT_EQ(Json::parse(result.out, nullptr, false).value("status", ""), "disconnected") << result.out << result.err;
  EXPECT_EQ(text_of("marks"), "x\n");
}

TEST_F(LinkFault, AServerThatDiesWholeIsToldAndTheNextOneServes) {
  auto running = exec("echo x >> marks; sleep 60");
  ASSERT_TRUE(appears("marks"));
  server_->die();
  EXPECT_EQ(running.get().code, 125);
  EXPECT_EQ(exec("true").get().code, 1);
}

TEST_F(LinkFault, ANameThatDoesNotResolveIsASentence) {
  const auto result = support::run_command({.argv = {JMS_BINARY, "exec", "no-such-host.invalid", "--", "true"},
                                            .environment = env_.variables(),
                                            .input = {}});
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.err.find("no-such-host.invalid"), std::string::npos) << result.err;
}

TEST_F(LinkFault, KilledInTheMiddleOfABatchTheRestIsNotTried) {
  auto argv = options();
  argv.insert(argv.begin(), {JMS_BINARY, "exec", "--batch"});
  argv.push_back(at("server"));
  auto running = std::async(std::launch::async, [argv, this] {
    return support::run_command(
        {.argv = argv,
         .environment = env_.variables(),
         .input = "{\"command\":\"echo x >> marks; sleep 60\"}\n{\"command\":\"echo y >> marks\"}\n"});
  });
  ASSERT_TRUE(appears("marks"));
  server_->signal_connections(SIGKILL);
  const auto result = running.get();
  EXPECT_NE(result.code, 0);
  EXPECT_EQ(text_of("marks"), "x\n");
}

}  // namespace
}  // namespace faults
