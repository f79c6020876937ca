// The other way, when the link to the bastion does not come about the first way: told once, with a fresh token, and
// never after a verdict.
#include <ctime>
#include <fstream>

#include "tests/integration/jumpserver/jumpserver_fixture.h"
#include "tests/support/koko_ssh_server.h"
#include "tests/support/temp_dir.h"

namespace jumpserver_test {
namespace {

using test_server::KokoOptions;
using test_server::KokoServer;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// A site with both ways: koko's WebSocket and its SSH port.
class Fallback : public JumpServerTest {
 protected:
  Fallback() { serve({}); }

  void serve(const KokoOptions& options) {
    served_ = std::make_unique<ServedCore>(test_server::HttpServer::Options(), options);
    ssh_ = std::make_unique<support::KokoSshServer>(tokens_.path());
    core().write_tokens_to(tokens_.path());
    core().site.ssh_port = ssh_->port();
    std::filesystem::create_directories(env_.home().file(".ssh"));
    env_.home().write("known", ssh_->known_hosts_line());
    use_access_key();
    env_.set("JMS_COOKIE", core().open_web_session());
  }
  void refuse_upgrades(int status) {
    served().with_koko([status](KokoServer& koko) { koko.options().refuse_upgrade = status; });
  }

  Words known(Words words) const {
    words.insert(words.end(), {"-F", "none", "-o", "UserKnownHostsFile=" + env_.home().file("known")});
    return words;
  }
  support::CommandOutput exec(const Words& more = {}, const std::string& command = "echo on-$((40+2))") const {
    Words words = known({"exec", "jms://web-01"});
    words.insert(words.end(), more.begin(), more.end());
    words.insert(words.end(), {"--", command});
    return run(words);
  }
  std::vector<std::string> methods() {
    std::vector<std::string> found;
    for (const auto& token : core().tokens()) found.push_back(token.method);
    return found;
  }

  support::TempDir tokens_;
  std::unique_ptr<support::KokoSshServer> ssh_;
};

TEST_F(Fallback, AGatewayWithoutWebSocketsIsGoneRoundOverSsh) {
  for (const int status : {200, 400, 403, 404, 426, 500, 502, 503}) {
    refuse_upgrades(status);
    const auto result = exec();
    EXPECT_EQ(result.code, 0) << status;
    EXPECT_THAT(result.out, HasSubstr("on-42")) << result.err;
    EXPECT_THAT(result.err, HasSubstr("jms: the bastion's WebSocket did not open (")) << status;
    EXPECT_THAT(result.err, HasSubstr("(HTTP " + std::to_string(status) + ")); going over SSH\n"));
  }
  EXPECT_EQ(core().tokens().size(), 16u);
  EXPECT_THAT(ssh_->attempts(), SizeIs(8));
  for (const auto& token : core().tokens()) EXPECT_FALSE(token.used && token.method == "web_cli");
}

TEST_F(Fallback, InJsonTheReasonIsTheNote) {
  refuse_upgrades(502);
  const Json result = Json::parse(exec({"--json"}).out);
  EXPECT_EQ(result["exit_code"], 0);
  EXPECT_THAT(result["note"].get<std::string>(), HasSubstr("the bastion's WebSocket did not open"));
  EXPECT_THAT(result["note"].get<std::string>(), HasSubstr("going over SSH"));
}

TEST_F(Fallback, AWebSessionThatHasEndedIsNoHindrance) {
  core().end_web_sessions();
  const auto result = exec();
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.err, HasSubstr("sign in again (HTTP 302)); going over SSH"));
  EXPECT_THAT(methods(), ElementsAre("web_cli", "ssh_client"));
}

TEST_F(Fallback, NeverAgainstWhatTheOperatorSaid) {
  refuse_upgrades(502);
  const auto result = exec({"--via", "ws"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("jms: the bastion's WebSocket did not open: the gateway at"));
  EXPECT_THAT(methods(), ElementsAre("web_cli"));
  refuse_upgrades(0);
  core().site.ssh_port = 1;
  EXPECT_EQ(exec({"--via", "ssh"}).code, 1);
  EXPECT_THAT(methods(), ElementsAre("web_cli", "ssh_client"));
}

TEST_F(Fallback, BothReasonsStandInOneSentence) {
  refuse_upgrades(502);
  core().site.ssh_port = 1;
  const auto result = exec({"--json"});
  EXPECT_EQ(result.code, 1);
  const std::string note = Json::parse(result.out)["note"];
  EXPECT_THAT(note, HasSubstr("the bastion's WebSocket: the gateway at"));
  EXPECT_THAT(note, HasSubstr("; then the bastion's SSH port did not open: cannot connect to 127.0.0.1 port 1"));
  EXPECT_THAT(methods(), ElementsAre("web_cli", "ssh_client"));
  core().site.ssh_port = 0;
  EXPECT_THAT(exec().err, HasSubstr("offers no SSH port"));
}

TEST_F(Fallback, NeverAfterAVerdictOfCore) {
  refuse_upgrades(502);
  core().site.rejected = {"web-01"};
  EXPECT_EQ(exec().code, 1);
  core().site.rejected.clear();
  core().site.asset_review = true;
  EXPECT_THAT(exec().err, HasSubstr("needs a reviewer's approval"));
  EXPECT_THAT(core().tokens(), IsEmpty());
  EXPECT_EQ(core().count("POST", "/api/v1/authentication/connection-token/"), 2);
}

TEST_F(Fallback, NeverAfterAVerdictOfKoko) {
  core().site.token_life = std::chrono::seconds(0);
  const auto result = exec();
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("Connection token expired"));
  EXPECT_THAT(methods(), ElementsAre("web_cli"));
}

TEST_F(Fallback, NeverForAnAssetThatIsDown) {
  serve({.connect_error = "Connection refused"});
  EXPECT_EQ(exec().code, 1);
  EXPECT_THAT(methods(), ElementsAre("web_cli"));
  EXPECT_THAT(ssh_->attempts(), IsEmpty());
}

TEST_F(Fallback, AnApprovalIsNotAskedForTwice) {
  core().site.asset_review = true;
  refuse_upgrades(502);
  const auto program = at_terminal(known({"jms://web-01"}));
  ASSERT_TRUE(program->wait_for("Ask for it? [y/N] ")) << program->output();
  program->send("y\r");
  ASSERT_TRUE(program->wait_for("the other way would need another approval and was not tried")) << program->output();
  ASSERT_TRUE(program->wait_for_exit());
  EXPECT_THAT(methods(), ElementsAre("web_cli"));
}

TEST_F(Fallback, NamesAndPasswordsAreAskedOnce) {
  core().assets[0].accounts = {
      {.id = "x", .name = "Manual input", .username = "@INPUT", .has_secret = false, .alias = "@INPUT"}};
  refuse_upgrades(502);
  const auto program = at_terminal(known({"jms://web-01"}));
  ASSERT_TRUE(program->wait_for("User name on web-01: ")) << program->output();
  program->send("oper\r");
  ASSERT_TRUE(program->wait_for("Password of oper on web-01: "));
  program->send("typed-secret\r");
  ASSERT_TRUE(program->wait_for("[root@web-01 ~]# ")) << program->output();
  EXPECT_EQ(core().tokens().back().input_secret, "typed-secret");
  EXPECT_THAT(program->output(), Not(HasSubstr("typed-secret")));
  program->send("exit\r");
  EXPECT_TRUE(program->wait_for_exit());
}

TEST_F(Fallback, AReconnectionKeepsTheDoorAndGoesBackWhenThatIsShut) {
  refuse_upgrades(502);
  const auto program = at_terminal(known({"jms://web-01"}));
  ASSERT_TRUE(program->wait_for("[root@web-01 ~]# ")) << program->output();
  ssh_->drop_client();
  ASSERT_TRUE(program->wait_for("press r to reconnect (a new shell")) << program->output();
  program->send("r");
  ASSERT_TRUE(program->wait_for("[root@web-01 ~]# ")) << program->output();
  EXPECT_THAT(methods(), ElementsAre("web_cli", "ssh_client", "ssh_client"));
  EXPECT_EQ(core().count("POST", "/api/v1/authentication/connection-token/exchange/"), 1);

  refuse_upgrades(0);
  core().site.ssh_port = 1;
  ssh_->drop_client();
  ASSERT_TRUE(program->wait_for("press r to reconnect (a new shell")) << program->output();
  program->send("r");
  ASSERT_TRUE(program->wait_for("the bastion's SSH port did not open (")) << program->output();
  ASSERT_TRUE(program->wait_for("going over the WebSocket"));
  ASSERT_TRUE(program->wait_for("$ ")) << program->output();
  EXPECT_THAT(methods(), ElementsAre("web_cli", "ssh_client", "ssh_client", "ssh_client", "web_cli"));
  program->send("exit\r");
  EXPECT_TRUE(program->wait_for_exit());
}

/// The WebSocket took long to fail the last time: SSH comes first.
class SlowWebSocket : public Fallback {
 protected:
  SlowWebSocket() {
    EXPECT_EQ(exec().code, 0);
    Json kept = Json::parse(support::read_text(state("default.kept")));
    kept["answers"]["slow way"] = {{"at", std::time(nullptr)}, {"answer", "ws"}};
    std::ofstream(state("default.kept")) << kept;
    sessions_before_ = web_sessions();
  }
  int web_sessions() {
    int count = 0;
    served().with_koko([&](KokoServer& koko) { count = koko.sessions(); });
    return count;
  }
  int sessions_before_ = 0;
};

TEST_F(SlowWebSocket, IsNotWaitedForAgainAtOnce) {
  const auto result = exec();
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.err, HasSubstr("jms: over SSH: the WebSocket did not answer a few minutes ago\n"));
  EXPECT_EQ(methods().back(), "ssh_client");
}

TEST_F(SlowWebSocket, IsTakenWhenTheSshPortIsShutAndGoesFirstThen) {
  core().site.ssh_port = 1;
  const auto result = exec();
  EXPECT_EQ(result.out, "on-42\n") << result.err;
  EXPECT_THAT(result.err, HasSubstr("the bastion's SSH port did not open (cannot connect to 127.0.0.1 port 1"));
  EXPECT_THAT(result.err, HasSubstr("; going over the WebSocket\n"));
  EXPECT_EQ(web_sessions(), sessions_before_ + 1);
  EXPECT_THAT(exec().err, IsEmpty());
}

TEST_F(SlowWebSocket, IsTakenWhereNobodyCanAcceptAHostKey) {
  env_.home().write("known", "");
  const auto result = exec();
  EXPECT_EQ(result.out, "on-42\n") << result.err;
  EXPECT_THAT(result.err, HasSubstr("was not accepted"));
}

TEST_F(SlowWebSocket, IsNotTakenWhereAHostKeyHasChanged) {
  const support::KokoSshServer other(tokens_.path());
  std::string line = other.known_hosts_line();
  line.replace(line.find("]:") + 2, line.find(' ') - line.find("]:") - 2, std::to_string(ssh_->port()));
  env_.home().write("known", line);
  const auto result = exec();
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("HAS CHANGED"));
  EXPECT_EQ(web_sessions(), sessions_before_);
}

}  // namespace
}  // namespace jumpserver_test
