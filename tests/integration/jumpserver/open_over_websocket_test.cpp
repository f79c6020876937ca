#include "tests/integration/jumpserver/jumpserver_fixture.h"

namespace jumpserver_test {
namespace {

using test_server::KokoFilter;
using test_server::KokoOptions;
using test_server::KokoServer;
using test_server::KokoVersion;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// Assets opened over koko's WebSocket, with the session of a browser.
class OverWebSocket : public JumpServerTest {
 protected:
  void serve(const KokoOptions& options = {}) {
    served_ = std::make_unique<ServedCore>(test_server::HttpServer::Options(), options);
    env_.set("JMS_SERVER", served().url()).set("JMS_COOKIE", core().open_web_session());
  }
  void TearDown() override {
    if (!served_) return;
    std::vector<std::string> faults;
    served().with_koko([&](KokoServer& koko) { faults = koko.violations; });
    EXPECT_THAT(faults, IsEmpty());
    JumpServerTest::TearDown();
  }

  Json exec(const std::string& target, const std::string& command, const Words& more = {}) {
    Words words = {"exec", "--json", target};
    words.insert(words.end(), more.begin(), more.end());
    words.insert(words.end(), {"--", command});
    const auto result = run(words);
    Json json = Json::parse(result.out, nullptr, false);
    EXPECT_TRUE(json.is_object()) << result.out << result.err;
    return json;
  }
  std::vector<std::string> typed_lines() {
    std::vector<std::string> lines;
    served().with_koko([&](KokoServer& koko) {
      for (const auto& typed : koko.typed) lines.push_back(typed.line);
    });
    return lines;
  }
};

TEST_F(OverWebSocket, ACommandRunsAndStandsOnceAndInClearInTheRecord) {
  serve();
  const Json result = exec("jms://web-01", "echo on-$((40+2)); sh -c 'exit 3'");
  EXPECT_EQ(result["output"], "on-42\n");
  EXPECT_EQ(result["exit_code"], 3);
  ASSERT_THAT(core().tokens(), SizeIs(1));
  EXPECT_EQ(core().tokens().front().method, "web_cli");
  EXPECT_TRUE(core().tokens().front().used);
  int seen = 0;
  for (const auto& line : typed_lines()) seen += line.find("echo on-$((40+2)); sh -c 'exit 3'") != std::string::npos;
  EXPECT_EQ(seen, 1);
}

TEST_F(OverWebSocket, TheDialectOfVersionFiveIsFoundFromTheFirstFrame) {
  serve({.version = KokoVersion::v5});
  EXPECT_EQ(exec("jms://web-01", "echo five-$((2+3))")["output"], "five-5\n");
}

TEST_F(OverWebSocket, WhatTheBastionForbidsIsAResult) {
  serve({.filters = {{"reboot", KokoFilter::Action::reject}}});
  const Json result = exec("jms://web-01", "reboot --help");
  EXPECT_EQ(result["status"], "rejected") << result.dump();
  EXPECT_EQ(result["exit_code"], nullptr);
}

TEST_F(OverWebSocket, OnADatabaseNoShellIsLookedFor) {
  serve();
  const Json result = exec("jms://db-01", "echo row-$((6+1))");
  EXPECT_EQ(result["framing"], "quiet") << result.dump();
  EXPECT_THAT(result["output"].get<std::string>(), HasSubstr("row-7"));
  EXPECT_THAT(typed_lines(), testing::ElementsAre(HasSubstr("echo row-$((6+1))")));
}

TEST_F(OverWebSocket, ASessionThatEndedIsToldAsSignInAgain) {
  serve();
  use_access_key();
  core().end_web_sessions();
  const auto result = run({"exec", "jms://web-01", "--via", "ws", "--", "true"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("sign in again"));
  EXPECT_THAT(core().tokens(), SizeIs(1));
  EXPECT_FALSE(core().tokens().front().used);
}

TEST_F(OverWebSocket, ALostSessionComesBackAsANewShellWithAnExchangedToken) {
  serve();
  const auto program = at_terminal({"jms://web-01"});
  ASSERT_TRUE(program->wait_for("$ ")) << program->output();
  program->send("echo first-$((1+1))\r");
  ASSERT_TRUE(program->wait_for("first-2"));
  served().with_koko([](KokoServer& koko) { koko.drop(); });
  ASSERT_TRUE(program->wait_for("press r to reconnect (a new shell")) << program->output();
  program->send("r");
  ASSERT_TRUE(program->wait_for("$ ")) << program->output();
  program->send("stty size\r");
  EXPECT_TRUE(program->wait_for("24 100")) << program->output();
  program->send("exit\r");
  ASSERT_TRUE(program->wait_for_exit());
  EXPECT_EQ(core().count("POST", "/api/v1/authentication/connection-token/exchange/"), 1);
  EXPECT_THAT(core().tokens(), SizeIs(2));
}

TEST_F(OverWebSocket, ALockOfTheAdministratorIsShown) {
  serve();
  const auto program = at_terminal({"jms://web-01"});
  ASSERT_TRUE(program->wait_for("$ ")) << program->output();
  served().with_koko([](KokoServer& koko) { koko.lock("Carol"); });
  EXPECT_TRUE(program->wait_for("Carol")) << program->output();
  served().with_koko([](KokoServer& koko) { koko.unlock("Carol"); });
  EXPECT_TRUE(program->wait_for("unlocked by Carol")) << program->output();
  program->send("exit\r");
  ASSERT_TRUE(program->wait_for_exit());
}

TEST_F(OverWebSocket, WithoutAWebSessionTheSshPortIsTaken) {
  serve();
  env_.unset("JMS_COOKIE");
  use_access_key();
  core().site.ssh_port = 0;
  const auto result = run({"exec", "jms://web-01", "--", "true"});
  EXPECT_THAT(result.err, HasSubstr("offers no SSH port; try `--via ws` after `jms login --with web`"));
  EXPECT_EQ(core().tokens().front().method, "ssh_client");
}

TEST_F(OverWebSocket, TheOfflineAgentAnswersThere) {
  serve();
  const auto result = run({"ask", "--provider", "offline", "jms://web-01", "why is the disk full?"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(typed_lines(), Contains(HasSubstr("df ")));
}

}  // namespace
}  // namespace jumpserver_test
