#include "tests/integration/jumpserver/jumpserver_fixture.h"
#include "tests/support/free_port.h"
#include "tests/support/koko_ssh_server.h"
#include "tests/support/scripted_ssh_server.h"
#include "tests/support/sshd.h"
#include "tests/support/temp_dir.h"

namespace jumpserver_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// Assets opened over koko's SSH port with a connection token.
class OverSsh : public JumpServerTest {
 protected:
  OverSsh() : koko_(tokens_.path()) {
    core().write_tokens_to(tokens_.path());
    core().site.ssh_port = koko_.port();
    std::filesystem::create_directories(env_.home().file(".ssh"));
    env_.home().write("known", koko_.known_hosts_line());
    use_access_key();
  }

  Words ssh_words(Words words) const {
    words.insert(words.end(), {"-F", "none", "-o", "UserKnownHostsFile=" + env_.home().file("known"), "--via", "ssh"});
    return words;
  }
  support::CommandOutput exec(const std::string& target, const std::string& command, const Words& more = {}) const {
    Words words = ssh_words({"exec", target});
    words.insert(words.end(), more.begin(), more.end());
    words.insert(words.end(), {"--", command});
    return run(words);
  }

  support::TempDir tokens_;
  support::KokoSshServer koko_;
};

TEST_F(OverSsh, ACommandRunsOnTheAssetWithATokenThatIsUsedOnce) {
  const auto result = exec("jms://web-01", "echo on-$((40+2)); sh -c 'exit 3'", {"--json"});
  EXPECT_THAT(result.out, HasSubstr("on-42")) << result.err;
  EXPECT_EQ(result.code, 3);
  ASSERT_THAT(core().tokens(), SizeIs(1));
  const auto& token = core().tokens().front();
  EXPECT_EQ(token.method, "ssh_client");
  EXPECT_EQ(token.account, "cccccccc-0000-4000-8000-000000000001");
  EXPECT_THAT(koko_.attempts(), ElementsAre("password JMS-" + token.id + " yes"));
  EXPECT_THAT(result.out + result.err, Not(HasSubstr(token.value)));
}

TEST_F(OverSsh, TheAssetMayBeNamedByIdOrAddressToo) {
  EXPECT_EQ(exec("jms://aaaaaaaa-0000-4000-8000-000000000001", "true").code, 0);
  EXPECT_EQ(exec("jms://root@10.0.0.5", "true").code, 0);
  EXPECT_THAT(core().tokens(), SizeIs(2));
}

TEST_F(OverSsh, ANameThatSeveralShareIsToldWithTheChoices) {
  const auto result = exec("jms://twin", "true");
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("\"twin\" names several assets"));
  EXPECT_THAT(result.err, HasSubstr("10.0.0.7  jms://aaaaaaaa-0000-4000-8000-000000000003"));
  EXPECT_THAT(result.err, HasSubstr("10.0.0.8"));
  EXPECT_THAT(core().tokens(), IsEmpty());
}

TEST_F(OverSsh, ANameThatNothingHasBringsSimilarOnes) {
  const auto result = exec("jms://web", "true");
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("no asset named \"web\" is permitted to you; similar ones are:\n  web-01"));
  EXPECT_THAT(exec("jms://aaaaaaaa-0000-4000-8000-0000000000ff", "true").err, HasSubstr("no asset named"));
}

TEST_F(OverSsh, TheOneAccountThatAsksNothingIsTakenWhereNobodyCanChoose) {
  auto& accounts = core().assets[0].accounts;
  accounts.insert(accounts.begin(),
                  {.id = "u", .name = "Same name", .username = "@USER", .has_secret = false, .alias = "@USER"});
  accounts.push_back({.id = "x", .name = "Manual input", .username = "@INPUT", .has_secret = false, .alias = "@INPUT"});
  EXPECT_EQ(exec("jms://web-01", "true").code, 0);
  ASSERT_THAT(core().tokens(), SizeIs(1));
  EXPECT_EQ(core().tokens().front().account, "cccccccc-0000-4000-8000-000000000001");
}

TEST_F(OverSsh, SeveralAccountsAreNamedWhenNobodyCanChoose) {
  auto result = exec("jms://web-02", "true");
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err,
              HasSubstr("has several accounts; name one as jms://ACCOUNT@web-02: root, deploy account (deploy)"));
  EXPECT_THAT(exec("jms://nobody@web-02", "true").err, HasSubstr("no account \"nobody\" on web-02"));
  EXPECT_EQ(exec("jms://deploy@web-02", "true").code, 0);
  // The choice is remembered.
  EXPECT_EQ(exec("jms://web-02", "true").code, 0);
  EXPECT_EQ(core().tokens().back().account, "cccccccc-0000-4000-8000-000000000002");
}

TEST_F(OverSsh, TheAliasIsEchoedAndNeverBuilt) {
  core().assets[0].accounts[0].alias = "opaque-7f";
  EXPECT_EQ(exec("jms://web-01", "true").code, 0);
  EXPECT_EQ(core().tokens().back().account, "opaque-7f");
}

TEST_F(OverSsh, RulesThatForbidItAreTold) {
  core().site.rejected = {"web-01"};
  const auto result = exec("jms://web-01", "true");
  EXPECT_NE(result.code, 0);
  EXPECT_THAT(result.err, HasSubstr("a login rule of JumpServer forbids opening web-01"));
  core().site.rejected.clear();
  core().site.asset_review = true;
  EXPECT_THAT(exec("jms://web-01", "true").err, HasSubstr("needs a reviewer's approval; open it with `jms`"));
  core().site.asset_review = false;
  core().site.no_rights = {"authentication/connection-token/"};
  EXPECT_THAT(exec("jms://web-01", "true").err, HasSubstr("does not permit this"));
}

TEST_F(OverSsh, ASiteWithoutSshSaysHowToGoOn) {
  core().site.ssh_port = 0;
  EXPECT_THAT(exec("jms://web-01", "true").err, HasSubstr("offers no SSH port; try `--via ws`"));
  EXPECT_THAT(run({"exec", "jms://db-01", "--", "select 1;"}).err, HasSubstr("jms login --with web"));
}

TEST_F(OverSsh, TheOperatorChoosesTheAccountAndWorksInTheShell) {
  const auto program = at_terminal(ssh_words({"jms://web-02"}));
  ASSERT_TRUE(program->wait_for("2) deploy account (deploy)")) << program->output();
  ASSERT_TRUE(program->wait_for("Which one [1]: "));
  program->send("2\r");
  ASSERT_TRUE(program->wait_for("[root@web-01 ~]# ")) << program->output();
  program->send("stty size; echo sum-$((1+1))\r");
  EXPECT_TRUE(program->wait_for("24 100")) << program->output();
  EXPECT_TRUE(program->wait_for("sum-2"));
  program->send("exit 5\r");
  const auto ending = program->wait_for_exit();
  ASSERT_TRUE(ending);
  EXPECT_EQ(ending->code, 5);
  EXPECT_EQ(core().tokens().back().account, "cccccccc-0000-4000-8000-000000000002");
}

TEST_F(OverSsh, AReviewerIsAskedOnlyWhenTheOperatorSaysSo) {
  core().site.asset_review = true;
  const auto program = at_terminal(ssh_words({"jms://web-01"}));
  ASSERT_TRUE(program->wait_for("needs a reviewer's approval. Ask for it? [y/N] ")) << program->output();
  program->send("y\r");
  EXPECT_TRUE(program->wait_for("waiting for Bob(bob) to approve")) << program->output();
  EXPECT_TRUE(program->wait_for("[root@web-01 ~]# ")) << program->output();
  program->send("exit\r");
  EXPECT_TRUE(program->wait_for_exit());

  const auto declined = at_terminal(ssh_words({"jms://web-01"}));
  ASSERT_TRUE(declined->wait_for("[y/N] "));
  declined->send("\r");
  EXPECT_TRUE(declined->wait_for("no approval was asked for")) << declined->output();
  ASSERT_TRUE(declined->wait_for_exit());
  EXPECT_EQ(core().count("POST", "/api/v1/authentication/connection-token/?create_ticket=1"), 1);
}

TEST_F(OverSsh, CtrlCWithdrawsTheRequestFromTheReviewers) {
  core().site.asset_review = true;
  core().site.polls_until_decision = 1000;
  const auto program = at_terminal(ssh_words({"jms://web-01"}));
  ASSERT_TRUE(program->wait_for("Ask for it? [y/N] ")) << program->output();
  program->send("y\r");
  ASSERT_TRUE(program->wait_for("waiting for Bob(bob) to approve")) << program->output();
  program->send("\x03");
  const auto ending = program->wait_for_exit();
  ASSERT_TRUE(ending) << program->output();
  EXPECT_EQ(ending->code, 130);
  ASSERT_THAT(core().tokens(), SizeIs(1));
  EXPECT_EQ(core().count("PUT", "/api/v1/tickets/tickets/" + core().tokens()[0].ticket + "/close/"), 1);
}

TEST_F(OverSsh, AnUnknownHostKeyIsTheOperatorsDecision) {
  env_.home().write("known", "");
  const auto result = exec("jms://web-01", "true");
  EXPECT_NE(result.code, 0);
  EXPECT_THAT(result.err, HasSubstr("host key"));
  EXPECT_THAT(result.err, Not(HasSubstr("JMS-")));
  EXPECT_THAT(koko_.attempts(), IsEmpty());
}

TEST_F(OverSsh, NoWayInIsOneTrueSentenceAndCodeOne) {
  const auto told = [this](const std::string& sentence) {
    const auto result = exec("jms://web-01", "true", {"--json"});
    EXPECT_EQ(result.code, 1) << result.out;
    EXPECT_THAT(result.out, HasSubstr(sentence)) << result.err;
    EXPECT_THAT(result.out + result.err, Not(HasSubstr("JMS-")));
  };
  env_.home().write("known", "");
  told("the host key of 127.0.0.1:" + std::to_string(koko_.port()) + " is not known; nobody is here to answer");
  const support::KokoSshServer other(tokens_.path());
  std::string line = other.known_hosts_line();
  line.replace(line.find(std::to_string(other.port())), std::to_string(other.port()).size(),
               std::to_string(koko_.port()));
  env_.home().write("known", line);
  told("THE HOST KEY OF 127.0.0.1:" + std::to_string(koko_.port()) + " HAS CHANGED");
  env_.home().write("known", koko_.known_hosts_line());
  EXPECT_THAT(koko_.attempts(), IsEmpty());
  const support::TempDir elsewhere;
  core().write_tokens_to(elsewhere.path());  // koko knows none of the tokens: they are used up.
  told("JumpServer did not take the one-time token: it was used already, has expired, or the permission has ended");
  core().write_tokens_to(tokens_.path());
  core().site.ssh_port = support::free_port();
  told("nothing listens there");
  env_.write_config("ssh_engine = \"openssh\"\n");
  told("Connection refused");
}

TEST_F(OverSsh, TheTokenStandsNowhere) {
  const auto program = at_terminal(ssh_words({"--log-level", "debug", "--log-content", "jms://web-01"}));
  ASSERT_TRUE(program->wait_for("[root@web-01 ~]# ")) << program->output();
  const auto& token = core().tokens().front();
  EXPECT_THAT(program->output(), Not(HasSubstr(token.value)));
  EXPECT_THAT(program->output(), Not(HasSubstr(token.id)));
  int seen = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string command = support::read_text(entry.path() / "cmdline");
    if (command.find("JMS-" + token.id) != std::string::npos) ++seen;
    EXPECT_EQ(command.find(token.value), std::string::npos) << entry.path();
    EXPECT_EQ(support::read_text(entry.path() / "environ").find(token.value), std::string::npos) << entry.path();
  }
  // Tests that run beside this one have tokens of the same ids.
  EXPECT_GE(seen, 1) << "the system's ssh runs";
  program->send("exit\r");
  ASSERT_TRUE(program->wait_for_exit());
  for (const auto& entry : std::filesystem::recursive_directory_iterator(env_.home().path())) {
    if (!entry.is_regular_file()) continue;
    EXPECT_EQ(support::read_text(entry.path()).find(token.value), std::string::npos) << entry.path();
  }
}

TEST_F(OverSsh, TheOperatorsConfigurationIsNotForKoko) {
  Words words = {
      "exec",  "jms://web-01",
      "--via", "ssh",
      "-F",    env_.home().write("ssh_config", "Host *\n ProxyCommand false\n User somebody\n HostName 192.0.2.1\n"),
      "-o",    "UserKnownHostsFile=" + env_.home().file("known"),
      "-o",    "HostKeyAlgorithms=ssh-rsa",
      "-o",    "PreferredAuthentications=publickey",
      "--",    "echo on-$((40+2))"};
  const auto result = run(words);
  EXPECT_THAT(result.out, HasSubstr("on-42")) << result.err;
  ASSERT_THAT(koko_.attempts(), SizeIs(1));
  EXPECT_THAT(koko_.attempts()[0], HasSubstr("password JMS-"));
}

TEST_F(OverSsh, AHopOfTheConfigurationLeadsThere) {
  const support::Sshd gate;
  const std::string key = support::make_key(env_.home(), "gate_key");
  gate.authorize(key);
  env_.home().write("known", koko_.known_hosts_line() + gate.known_hosts_lines());
  const std::string config = env_.home().write(
      "ssh_config", "Host gate\n HostName 127.0.0.1\n Port " + std::to_string(gate.port()) + "\n User " +
                        support::current_user() + "\n IdentityFile " + key +
                        "\n IdentitiesOnly yes\nHost *\n UserKnownHostsFile " + env_.home().file("known") + "\n");
  const auto result = run({"exec", "jms://web-01", "--via", "ssh", "-F", config, "-J", "gate", "-o",
                           "UserKnownHostsFile=" + env_.home().file("known"), "--", "echo on-$((40+2))"});
  EXPECT_THAT(result.out, HasSubstr("on-42")) << result.err;
  EXPECT_THAT(gate.log(), HasSubstr("Accepted publickey"));
}

/// A hop that asks, and either engine on the way to it.
class TokenAndHop : public OverSsh, public testing::WithParamInterface<const char*> {
 protected:
  Words through(const support::ScriptedSshServer& hop, Words words) const {
    env_.write_config("ssh_engine = \"" + std::string(GetParam()) + "\"\n");
    const std::string known = env_.home().write("known", koko_.known_hosts_line() + hop.known_hosts_line());
    const std::string config = env_.home().write(
        "ssh_config", "Host *\n UserKnownHostsFile " + known + "\n IdentityFile none\n IdentityAgent none\n");
    words.insert(words.end(), {"--via", "ssh", "-F", config, "-o", "UserKnownHostsFile=" + known, "-J",
                               "gate@127.0.0.1:" + std::to_string(hop.port())});
    return words;
  }
};

TEST_P(TokenAndHop, AHopThatAsksForAPasswordNeverGetsIt) {
  const support::ScriptedSshServer hop({.password = "the hop's own"});
  Words words = through(hop, {"exec", "jms://web-01"});
  words.insert(words.end(), {"--", "true"});
  const auto result = run(words);
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("gate@127.0.0.1:" + std::to_string(hop.port()) + " wants a password"));
  EXPECT_THAT(hop.given(), IsEmpty());

  const auto program = at_terminal(through(hop, {"jms://web-01"}));
  ASSERT_TRUE(program->wait_for("gate@127.0.0.1's password: ")) << program->output();
  program->send("typed by hand\r");
  ASSERT_TRUE(program->wait_for("gate@127.0.0.1's password: ")) << program->output();
  program->send("\x03");
  ASSERT_TRUE(program->wait_for_exit());
  EXPECT_THAT(hop.given(), ElementsAre("password typed by hand"));
  EXPECT_THAT(koko_.attempts(), IsEmpty());
}

TEST_P(TokenAndHop, AHopThatWordsItsQuestionLikeSshNeverGetsIt) {
  const std::string words_of_ssh = "JMS-00000000-0000-4000-8000-000000000000@127.0.0.1's password: ";
  const support::ScriptedSshServer hop({.rounds = {{{words_of_ssh, false, "x"}}}});
  Words words = through(hop, {"exec", "jms://web-01"});
  words.insert(words.end(), {"--", "true"});
  const auto result = run(words);
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(hop.given(), IsEmpty());
  EXPECT_THAT(koko_.attempts(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Engines, TokenAndHop, testing::Values("auto", "openssh"),
                         [](const auto& engine) { return std::string(engine.param); });

TEST_F(OverSsh, TheEngineOfTheConfigIsHeeded) {
  env_.write_config("ssh_engine = \"openssh\"\n");
  EXPECT_EQ(exec("jms://web-01", "true").code, 0);
}

TEST_F(OverSsh, AnUnknownHostKeyIsAskedAtTheTerminal) {
  env_.home().write("known", "");
  const auto program = at_terminal(ssh_words({"jms://web-01"}));
  ASSERT_TRUE(program->wait_for("(yes/no/[fingerprint])? ")) << program->output();
  EXPECT_THAT(koko_.attempts(), IsEmpty());
  program->send("yes\r");
  ASSERT_TRUE(program->wait_for("[root@web-01 ~]# ")) << program->output();
  EXPECT_THAT(program->output(), Not(HasSubstr("JMS-")));
  EXPECT_THAT(support::read_text(env_.home().file("known")), HasSubstr("ssh-rsa"));
  program->send("exit\r");
  EXPECT_TRUE(program->wait_for_exit()) << program->output();
}

TEST_F(OverSsh, ALostSessionComesBackWithAnExchangedToken) {
  const auto program = at_terminal(ssh_words({"jms://web-01"}));
  ASSERT_TRUE(program->wait_for("[root@web-01 ~]# ")) << program->output();
  koko_.drop_client();
  ASSERT_TRUE(program->wait_for("press r to reconnect (a new shell")) << program->output();
  program->send("r");
  ASSERT_TRUE(program->wait_for("[root@web-01 ~]# ")) << program->output();
  program->send("exit\r");
  ASSERT_TRUE(program->wait_for_exit());
  ASSERT_THAT(core().tokens(), SizeIs(2));
  EXPECT_EQ(core().count("POST", "/api/v1/authentication/connection-token/exchange/"), 1);
  EXPECT_THAT(koko_.attempts(),
              ElementsAre(HasSubstr(core().tokens()[0].id + " yes"), HasSubstr(core().tokens()[1].id + " yes")));
}

TEST_F(OverSsh, OnADeviceNothingButTheCommandIsTyped) {
  const auto result = exec("jms://sw-01", "echo port-$((20+4))", {"--json"});
  const Json json = Json::parse(result.out, nullptr, false);
  EXPECT_EQ(json["framing"], "quiet") << result.out << result.err;
  EXPECT_EQ(json["exit_code"], nullptr);
  EXPECT_THAT(json["output"].get<std::string>(), HasSubstr("port-24"));
}

TEST_F(OverSsh, TheSessionOfABrowserOpensItToo) {
  env_.unset("JMS_ACCESS_KEY").unset("JMS_SECRET_KEY").set("JMS_COOKIE", core().open_web_session());
  EXPECT_EQ(exec("jms://web-01", "true").code, 0);
}

TEST_F(OverSsh, AccountsWithoutANameTakeTheOperatorsWordButNeverOnAnArgument) {
  core().assets[0].accounts = {
      {.id = "x", .name = "Manual input", .username = "@INPUT", .has_secret = false, .alias = "@INPUT"}};
  const auto program = at_terminal(ssh_words({"jms://web-01"}));
  ASSERT_TRUE(program->wait_for("User name on web-01: ")) << program->output();
  program->send("oper\r");
  ASSERT_TRUE(program->wait_for("Password of oper on web-01: "));
  program->send("typed-secret\r");
  ASSERT_TRUE(program->wait_for("[root@web-01 ~]# ")) << program->output();
  EXPECT_THAT(program->output(), Not(HasSubstr("typed-secret")));
  EXPECT_EQ(core().tokens().back().input_username, "oper");
  EXPECT_EQ(core().tokens().back().input_secret, "typed-secret");
  program->send("exit\r");
  EXPECT_TRUE(program->wait_for_exit());
}

TEST_F(OverSsh, ThePickerOffersTheAssetsSeenLastAndLooksForNewOnesBehind) {
  ASSERT_EQ(run({"assets"}).code, 0);
  core().assets.push_back(core().assets.front());
  core().assets.back().id = "aaaaaaaa-0000-4000-8000-000000000099";
  core().assets.back().name = "new-99";
  const auto program = at_terminal(ssh_words({}));
  ASSERT_TRUE(program->wait_for_screen("jms://web-01")) << program->screen_text();
  EXPECT_THAT(program->screen_text(), Not(HasSubstr("new-99")));
  EXPECT_TRUE(program->wait_until(
      [&] { return support::read_text(state("default.assets")).find("new-99") != std::string::npos; }));
  program->send("web-01\r");
  ASSERT_TRUE(program->wait_for("[root@web-01 ~]# ")) << program->output();
  program->send("exit\r");
  EXPECT_TRUE(program->wait_for_exit());
  EXPECT_THAT(run({"assets", "--cached"}).out, HasSubstr("new-99"));
}

}  // namespace
}  // namespace jumpserver_test
