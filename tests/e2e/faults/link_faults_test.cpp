// The link to the remote fails before, during and after a command: no hang, the truth about what is known, nothing run
// twice, and the next start works.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>

#include <cstring>
#include <future>
#include <nlohmann/json.hpp>

#include "tests/e2e/app/ssh_session_fixture.h"
#include "tests/support/eventually.h"

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
    return support::eventually([&] { return !text_of(file).empty(); });
  }
  /// The machine is back, with a new server on another port.
  void serve_again() {
    server_ = serve_known();
    config_.clear();
    name("server", server_->port());
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
  serve_again();
  expect_next_start_works();
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
  auto arguments = options();
  arguments.insert(arguments.begin(), "exec");
  arguments.insert(arguments.end(), {"-o", "ServerAliveInterval=1", "-o", "ServerAliveCountMax=1", at("server"), "--",
                                     "echo x >> marks; echo under''way; sleep 60"});
  launch({24, 100}, arguments);
  // Its output is shown as it comes: jms knows that the command has begun when the link falls silent.
  ASSERT_TRUE(jms_->wait_for("underway")) << jms_->output();
  server_->signal_connections(SIGSTOP);
  EXPECT_EQ(jms_->wait_for_exit(), (support::Ending{125, 0}));
  server_->signal_connections(SIGCONT);
  EXPECT_TRUE(jms_->wait_for("may or may not have run")) << jms_->output();
  expect_next_start_works();
  EXPECT_EQ(text_of("marks"), "x\n");
}

TEST_F(LinkFault, AServerThatDiesWholeIsToldAndTheNextOneServes) {
  auto running = exec("echo x >> marks; sleep 60");
  ASSERT_TRUE(appears("marks"));
  server_->die();
  EXPECT_EQ(running.get().code, 125);
  EXPECT_EQ(exec("true").get().code, 1);
  serve_again();
  expect_next_start_works();
  EXPECT_EQ(text_of("marks"), "x\n");
}

TEST_F(LinkFault, ANameThatDoesNotResolveIsASentenceOverEveryLink) {
  env_.set("JMS_SERVER", "http://no-such-host.invalid").set("JMS_TOKEN", "made-up");
  for (const char* target : {"no-such-host.invalid", "ws://no-such-host.invalid/", "jms://web-01"}) {
    const auto result = support::run_command(
        {.argv = {JMS_BINARY, "exec", target, "--", "true"}, .environment = env_.variables(), .input = {}});
    EXPECT_EQ(result.code, 1) << target;
    EXPECT_NE(result.err.find("no-such-host.invalid"), std::string::npos) << target << ": " << result.err;
  }
}

TEST_F(LinkFault, ANameServerThatDoesNotAnswerHoldsUpNobody) {
  if (!support::Sshd::can_hide_files()) GTEST_SKIP() << "needs mount namespaces";
  // Bound and never read: questions arrive and stay unanswered.
  const base::UniqueFd silent(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  // An address of the loopback that no name server of this machine has, and no other test at the same time.
  const auto low = static_cast<std::uint32_t>(::getpid());
  const in_addr host{htonl(0x7f350000u | (low & 0xffffu))};
  const sockaddr_in address{.sin_family = AF_INET, .sin_port = htons(53), .sin_addr = host, .sin_zero = {}};
  ASSERT_EQ(::bind(silent.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0) << strerror(errno);
  const std::string servers =
      env_.home().write("resolv.conf", std::string("nameserver ") + ::inet_ntoa(host) + "\noptions timeout:30\n");
  jms_ = std::make_unique<support::PtyProgram>(support::PtyProgram::Options{
      .argv = {"unshare", "-m", "sh", "-c",
               "mount --bind " + servers + " $(readlink -f /etc/resolv.conf) && exec \"$@\"", "sh", JMS_BINARY,
               "somewhere.example.com"},
      .environment = env_.variables(),
      .size = {24, 100},
      .directory = env_.home().path()});
  before_ = jms_->first_settings();
  ASSERT_TRUE(jms_->wait_for_screen("somewhere.example.com")) << jms_->screen_text();
  jms_->send("\x03");
  expect_end(130);
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
