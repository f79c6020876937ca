// The real binary on ttyd targets.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "tests/e2e/app/command_fixture.h"
#include "tests/e2e/app/session_fixture.h"
#include "tests/support/server_thread.h"
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

class TtydSession : public BareSession {
 protected:
  int port_ = 0;
  test_server::ServerThread ttyd_{[this](event::EventLoop& loop) {
    auto served = std::make_shared<test_server::TtydOnLoopback>(loop);
    port_ = served->http.port();
    return served;
  }};
};

TEST_F(TtydSession, AnInteractiveSessionTypesResizesAndEnds) {
  start({24, 80}, {"ws://127.0.0.1:" + std::to_string(port_) + "/"});
  ASSERT_TRUE(command("echo over-the-socket")) << jms_->output();
  EXPECT_THAT(jms_->output(), HasSubstr("over-the-socket"));
  jms_->resize({30, 100});
  EXPECT_TRUE(wait_for_remote_size({30, 100})) << jms_->output();
  enter("exit 0");
  EXPECT_EQ(jms_->wait_for_exit(), (support::Ending{0, 0}));
}

}  // namespace
}  // namespace app
