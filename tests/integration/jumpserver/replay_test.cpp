// The real binary against what a real JumpServer 4.10.15 said.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/integration/jumpserver/jms_program.h"
#include "tests/support/eventually.h"
#include "tests/support/replay_server.h"
#include "tests/support/server_thread.h"

namespace jumpserver_test {
namespace {

using test_server::HttpRequest;
using test_server::HttpServer;
using test_server::ReplayServer;
using test_server::ServerThread;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Replayed : public testing::Test, protected JmsProgram {
 protected:
  using Json = nlohmann::json;

  Replayed() {
    thread_ = std::make_unique<ServerThread>([this](event::EventLoop& loop) -> std::shared_ptr<void> {
      auto http = std::make_shared<HttpServer>(loop, [this](const HttpRequest& request) {
        const std::lock_guard lock(mutex_);
        return replay_.handle(request);
      });
      url_ = http->url();
      return http;
    });
    env_.set("JMS_SERVER", url_);
  }
  void TearDown() override {
    thread_.reset();
    EXPECT_THAT(replay_.surprises(), IsEmpty());
  }

  /// As a browser that signed in: the session alone.
  void use_cookie() { env_.set("JMS_COOKIE", "made-up-sessionid-3"); }

  std::vector<Json> batch(const std::string& asset, const std::vector<std::string>& commands) {
    std::string lines;
    for (const auto& command : commands) lines += Json{{"command", command}}.dump() + "\n";
    const auto result = run({"exec", "--via", "ws", asset, "--batch"}, lines);
    std::vector<Json> results;
    for (std::size_t at = 0; at < result.out.size();) {
      const std::size_t end = std::min(result.out.find('\n', at), result.out.size());
      results.push_back(Json::parse(result.out.substr(at, end - at), nullptr, false));
      at = end + 1;
    }
    EXPECT_EQ(results.size(), commands.size()) << result.out << result.err;
    results.resize(commands.size(), Json::object());
    return results;
  }

  std::mutex mutex_;
  ReplayServer replay_{JMS_SOURCE_DIR "/tests/recorded/jumpserver-4.10.15.jsonl"};
  std::string url_;
  std::unique_ptr<ServerThread> thread_;
};

TEST_F(Replayed, UserAndPasswordOpenTheApiAndTheWebSocket) {
  const auto program = at_terminal({"login", url_});
  ASSERT_TRUE(program->wait_for("User: ")) << program->output();
  program->send("operator\r");
  ASSERT_TRUE(program->wait_for("password: ")) << program->output();
  program->send("made-up-password\r");
  const auto ending = program->wait_for_exit();
  ASSERT_TRUE(ending) << program->output();
  EXPECT_EQ(ending->code, 0) << program->output();
  EXPECT_THAT(program->output(), HasSubstr("opens assets over the WebSocket and SSH"));
  const auto result = run({"exec", "--via", "ws", "jms://opsbash@web-01", "--", "echo hello"});
  EXPECT_EQ(result.out, "hello\n") << result.err;
}

TEST_F(Replayed, TheAssetsAreListed) {
  use_cookie();
  const auto all = run({"assets"});
  EXPECT_EQ(all.code, 0) << all.err;
  EXPECT_THAT(all.out, AllOf(HasSubstr("web-01"), HasSubstr("web-02"), HasSubstr("down-01"), HasSubstr("badpw-01")));
  const auto some = run({"assets", "web"});
  EXPECT_THAT(some.out, AllOf(HasSubstr("web-01"), Not(HasSubstr("down-01"))));
}

TEST_F(Replayed, ACommandInBashOverASharedConnection) {
  use_cookie();
  const auto result = run({"exec", "--via", "ws", "jms://opsbash@web-01", "--", "echo hello"});
  EXPECT_EQ(result.out, "hello\n") << result.err;
  EXPECT_EQ(result.code, 0);
}

TEST_F(Replayed, AForbiddenAndARiskyCommandAreResultsAndTheShellLivesOn) {
  use_cookie();
  const auto results = batch("jms://opsdash@web-02", {"echo forbidme", "echo after", "echo noticeme", "echo after2"});
  EXPECT_EQ(results[0].value("status", ""), "rejected") << results[0].dump();
  EXPECT_EQ(results[1].value("output", ""), "after\n") << results[1].dump();
  EXPECT_EQ(results[2].value("status", ""), "needs_input") << results[2].dump();
  EXPECT_EQ(results[3].value("output", ""), "after2\n") << results[3].dump();
}

TEST_F(Replayed, AFailedOpeningIsToldAndLeftWithACloseFrame) {
  use_cookie();
  for (const auto& [asset, why] : {std::pair("down-01", "Connection refused"), {"badpw-01", "Authentication failed"}}) {
    const auto result = run({"exec", "--via", "ws", std::string("jms://") + asset, "--", "true"});
    EXPECT_EQ(result.code, 1) << asset;
    EXPECT_THAT(result.err, HasSubstr(why));
  }
  thread_.reset();
  for (const auto& terminal : replay_.terminals()) {
    EXPECT_TRUE(terminal.whole);
    EXPECT_EQ(terminal.close_code, 1000);
  }
}

}  // namespace
}  // namespace jumpserver_test
