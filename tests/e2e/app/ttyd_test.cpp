// The real binary on ttyd targets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <optional>
#include <thread>

#include "tests/e2e/app/command_fixture.h"
#include "tests/e2e/app/session_fixture.h"
#include "tests/support/test_ca.h"
#include "tests/support/ttyd_server.h"

namespace app {
namespace {

using test_server::HttpRequest;
using test_server::HttpServer;
using test_server::TtydOptions;
using test_server::TtydServer;
using testing::HasSubstr;

class TtydCommandTest : public CommandTest {
 protected:
  void serve(TtydOptions options = {}, HttpServer::Options http = {}) {
    ttyd_.emplace(loop_, std::move(options));
    http_.emplace(
        loop_, [this](const HttpRequest& request) { return ttyd_->handle(request); }, std::move(http));
  }
  std::string target(const std::string& scheme = "ws://", const std::string& login = "") const {
    return scheme + login + "127.0.0.1:" + std::to_string(http_->port()) + "/";
  }

  std::optional<TtydServer> ttyd_;
  std::optional<HttpServer> http_;
};

TEST_F(TtydCommandTest, ExecGivesOutputAndExitCode) {
  serve();
  const auto result = run_served({"exec", target(), "--", "echo out; sh -c 'exit 7'"});
  EXPECT_EQ(result.out, "out\n") << result.err;
  EXPECT_EQ(result.code, 7);
  const auto batch = run_served({"exec", target(), "--batch"}, "{\"command\":\"echo one\"}\n{\"command\":\"false\"}\n");
  const auto lines = json_lines(batch.out);
  ASSERT_EQ(lines.size(), 2u) << batch.out << batch.err;
  EXPECT_EQ(lines[0]["output"], "one\n");
  EXPECT_EQ(lines[1]["exit_code"], 1);
  EXPECT_THAT(ttyd_->violations, testing::IsEmpty());
}

TEST_F(TtydCommandTest, ExecUsesTheUserAndPasswordAndSaysWhenTheyAreMissing) {
  TtydOptions options;
  options.credential = "ops:secret-word";
  serve(options);
  EXPECT_EQ(run_served({"exec", target("ws://", "ops:secret-word@"), "--", "echo in"}).out, "in\n");
  const auto none = run_served({"exec", target(), "--", "echo in"});
  EXPECT_EQ(none.code, 1);
  EXPECT_THAT(none.err, HasSubstr("wants a user and password"));
  const auto unasked = run_served({"exec", target("ws://", "ops@"), "--", "echo in"});
  EXPECT_EQ(unasked.code, 1);
  EXPECT_THAT(unasked.err, HasSubstr("password"));
  const auto wrong = run_served({"exec", target("ws://", "ops:wrong-word@"), "--", "echo in"});
  EXPECT_THAT(wrong.err, HasSubstr("does not accept"));
  EXPECT_THAT(wrong.err, testing::Not(HasSubstr("wrong-word")));
}

TEST_F(TtydCommandTest, TlsIsVerified) {
  const test_server::TestCa ca;
  HttpServer::Options http;
  http.certificate = ca.certificate();
  http.key = ca.key();
  serve({}, http);
  const auto unknown = run_served({"exec", target("wss://"), "--", "echo in"});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_THAT(unknown.err, HasSubstr("TLS"));
  env_.set("JMS_CA_FILE", ca.ca_file());
  EXPECT_EQ(run_served({"exec", target("wss://"), "--", "echo in"}).out, "in\n");
}

TEST_F(TtydCommandTest, ABadAddressIsAMistakeOfTheCommandLine) {
  expect_refusal({"exec", "ws://", "--", "ls"}, "ws://host:port/path");
}

/// ttyd in a thread of its own, for programs that this process waits for.
class TtydThread {
 public:
  TtydThread() {
    std::promise<int> port;
    auto known = port.get_future();
    thread_ = std::thread([this, &port] {
      event::EventLoop loop;
      TtydServer ttyd(loop, {});
      HttpServer http(loop, [&](const HttpRequest& request) { return ttyd.handle(request); });
      port.set_value(http.port());
      while (!over_) loop.run_until([this] { return over_.load(); }, std::chrono::milliseconds(50));
    });
    port_ = known.get();
  }
  ~TtydThread() {
    over_ = true;
    thread_.join();
  }
  int port() const { return port_; }

 private:
  std::atomic<bool> over_ = false;
  int port_ = 0;
  std::thread thread_;
};

class TtydSession : public BareSession {};

TEST_F(TtydSession, AnInteractiveSessionTypesResizesAndEnds) {
  const TtydThread ttyd;
  start({24, 80}, {"ws://127.0.0.1:" + std::to_string(ttyd.port()) + "/"});
  ASSERT_TRUE(command("echo over-the-socket")) << jms_->output();
  EXPECT_THAT(jms_->output(), HasSubstr("over-the-socket"));
  jms_->resize({30, 100});
  EXPECT_TRUE(wait_for_remote_size({30, 100})) << jms_->output();
  enter("exit 0");
  EXPECT_EQ(jms_->wait_for_exit(), (support::Ending{0, 0}));
}

}  // namespace
}  // namespace app
