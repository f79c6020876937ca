// Signing in: every kind of key, agent, password, several factors.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include "tests/support/eventually.h"
#include "tests/support/run_program.h"
#include "tests/support/scripted_ssh_server.h"
#include "tests/support/ssh_fixture.h"

namespace transport {
namespace {

using support::make_key;
using support::run_program;
using support::ScriptedSshServer;
using support::Sshd;

class SshAuthTest : public support::SshTest {
 protected:
  SshTransport::Target with_key(const Sshd& server, const std::string& key) {
    auto where = target(server);
    server.dir().write("authorized_keys", support::public_half(key) + "\n");
    where.config.identity_files = {key};
    return where;
  }
  SshTransport::Target at(const ScriptedSshServer& server) {
    auto where = target(server.port());
    where.config.options.push_back("StrictHostKeyChecking no");
    return where;
  }
};

TEST_F(SshAuthTest, TakesKeysOfEveryKindAndFormat) {
  const Sshd server;
  const std::vector<std::vector<std::string>> kinds{
      {"-t", "ed25519"},
      {"-t", "ed25519", "-N", "secret"},
      {"-t", "ecdsa", "-b", "256"},
      {"-t", "ecdsa", "-b", "384", "-m", "PEM"},
      {"-t", "ecdsa", "-b", "521", "-N", "secret", "-Z", "aes256-cbc"},
      {"-t", "ecdsa", "-b", "256", "-m", "PKCS8", "-N", "secret"},
      {"-t", "rsa", "-b", "2048"},
      {"-t", "rsa", "-b", "2048", "-m", "PEM"},
      {"-t", "rsa", "-b", "2048", "-N", "secret"},
      {"-t", "rsa", "-b", "2048", "-m", "PEM", "-N", "secret"},
  };
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    SCOPED_TRACE(kinds[i][1] + " " + std::to_string(i));
    const std::string key = make_key(home_, "kind" + std::to_string(i), kinds[i]);
    const bool encrypted = std::find(kinds[i].begin(), kinds[i].end(), "secret") != kinds[i].end();
    prompter_.questions.clear();
    prompter_.answers.clear();
    if (encrypted) prompter_.answers = {"wrong", "secret"};
    EXPECT_EQ(run(with_key(server, key), "echo in"), "in") << closed_->reason;
    EXPECT_EQ(prompter_.questions.size(), encrypted ? 2u : 0u);
  }
}

TEST_F(SshAuthTest, AsksForAPassphraseOnlyWhenTheServerWantsTheKey) {
  const Sshd server;
  const std::string refused = make_key(home_, "refused", {"-N", "secret"});
  auto where = target(server);
  where.config.identity_files = {refused, key_};
  EXPECT_EQ(run(where, "echo in"), "in");
  EXPECT_TRUE(prompter_.questions.empty());
}

TEST_F(SshAuthTest, AsksForThePassphraseOfAKeyWithoutItsPublicHalf) {
  const Sshd server;
  const std::string key = make_key(home_, "pem", {"-t", "rsa", "-b", "2048", "-m", "PEM", "-N", "secret"});
  const auto where = with_key(server, key);
  unlink((key + ".pub").c_str());
  prompter_.answers = {"secret"};
  EXPECT_EQ(run(where, "echo in"), "in") << closed_->reason;
}

TEST_F(SshAuthTest, UsesTheAgent) {
  const Sshd server;
  const std::string socket = home_ / "agent";
  const pid_t agent = fork();
  if (agent == 0) {
    const int null = open("/dev/null", O_RDWR);
    dup2(null, 1);
    execlp("ssh-agent", "ssh-agent", "-D", "-a", socket.c_str(), nullptr);
    _exit(127);
  }
  setenv("SSH_AUTH_SOCK", socket.c_str(), 1);
  ASSERT_TRUE(support::eventually([] { return run_program({"ssh-add", "-l"}).exit_code != 2; }));
  for (const auto& kind : {std::vector<std::string>{"-t", "ed25519"}, {"-t", "ecdsa"}, {"-t", "rsa", "-b", "2048"}}) {
    SCOPED_TRACE(kind[1]);
    const std::string key = make_key(home_, "agent_" + kind[1], kind);
    ASSERT_EQ(run_program({"ssh-add", "-q", key}).exit_code, 0);
    auto where = with_key(server, key);
    unlink(key.c_str());
    where.config.identity_files = {home_ / "none"};
    EXPECT_EQ(run(where, "echo in"), "in") << closed_->reason;
    where.config.options.push_back("IdentitiesOnly yes");
    run(where, "echo in");
    EXPECT_EQ(closed_->kind, Closed::Kind::lost) << "IdentitiesOnly must keep the agent's other keys back";
    where.config.identity_files = {key + ".pub"};  // Names the agent's key by its public half.
    EXPECT_EQ(run(where, "echo in"), "in") << closed_->reason;
  }
  kill(agent, SIGTERM);
  waitpid(agent, nullptr, 0);
  unsetenv("SSH_AUTH_SOCK");
}

TEST_F(SshAuthTest, SignsInToDropbear) {
  if (!Sshd::can_hide_files()) GTEST_SKIP() << "needs root and mount namespaces";
  Sshd::Options options;
  options.dropbear = true;
  const Sshd server(options);
  auto where = target(server);
  EXPECT_EQ(run(where, "echo in; exit 3"), "in") << closed_->reason << server.log();
  EXPECT_EQ(closed_->exit_code, 3);
  const std::string rsa = make_key(home_, "rsa", {"-t", "rsa", "-b", "2048"});
  server.authorize(rsa);
  where.config.identity_files = {rsa};
  EXPECT_EQ(run(where, "echo in"), "in") << closed_->reason << server.log();
}

TEST_F(SshAuthTest, SaysWhatWasTriedWhenNothingWorks) {
  const Sshd server;
  auto where = target(server);
  const std::string open_file = home_.write("open", support::read_text(key_), 0644);
  server.dir().write("authorized_keys", "");
  where.config.identity_files = {key_, open_file, home_ / "missing"};
  run(where, "echo in");
  const std::string& reason = closed_->reason;
  EXPECT_EQ(closed_->kind, Closed::Kind::lost);
  for (const std::string& part : {"identity " + key_, "chmod 600 " + open_file, (home_ / "missing") + " (no such file)",
                                  std::string("it takes: publickey"), std::string("name a key with -i")})
    EXPECT_NE(reason.find(part), std::string::npos) << part << "\n" << reason;
}

TEST_F(SshAuthTest, AsksForThePasswordAgainWhenItIsWrong) {
  const ScriptedSshServer server({.password = "right"});
  prompter_.answers = {"wrong", "right"};
  EXPECT_EQ(run(at(server), "x"), "welcome") << closed_->reason;
  EXPECT_EQ(closed_->exit_code, 9);
  ASSERT_EQ(prompter_.questions.size(), 2u);
  EXPECT_EQ(prompter_.questions[1].kind, SshQuestion::Kind::password);
  EXPECT_EQ(prompter_.questions[1].attempt, 2);
  EXPECT_FALSE(prompter_.questions[1].echo);
}

TEST_F(SshAuthTest, GivesUpAfterThreePasswords) {
  const ScriptedSshServer server({.password = "right"});
  prompter_.answers = {"a", "b", "c", "right"};
  run(at(server), "x");
  EXPECT_EQ(prompter_.questions.size(), 3u);
  EXPECT_NE(closed_->reason.find("password (3 times)"), std::string::npos) << closed_->reason;
}

TEST_F(SshAuthTest, AnswersSeveralRoundsOfQuestions) {
  const ScriptedSshServer server(
      {.rounds = {{{"Password: ", false, "pw"}, {"Token: ", true, "123"}}, {{"PIN: ", false, "9"}}}});
  prompter_.answers = {"pw", "123", "9"};
  EXPECT_EQ(run(at(server), "x"), "welcome") << closed_->reason;
  ASSERT_EQ(prompter_.questions.size(), 3u);
  EXPECT_EQ(prompter_.questions[0].instruction, "Check\nTwo steps.");
  EXPECT_EQ(prompter_.questions[1].text, "Token: ");
  EXPECT_TRUE(prompter_.questions[1].echo);
  EXPECT_EQ(prompter_.questions[2].text, "PIN: ");
}

TEST_F(SshAuthTest, GoesOnToTheSecondFactorAfterThePassword) {
  const ScriptedSshServer server({.password = "pw", .rounds = {{{"Code: ", true, "42"}}}, .password_first = true});
  prompter_.answers = {"pw", "42"};
  EXPECT_EQ(run(at(server), "x"), "welcome") << closed_->reason;
}

TEST_F(SshAuthTest, GoesOnToTheSecondFactorAfterTheKey) {
  if (!Sshd::can_hide_files()) GTEST_SKIP() << "needs root and mount namespaces";
  Sshd::Options options;
  options.password = "pa ss";
  options.config = "AuthenticationMethods publickey,password";
  const Sshd server(options);
  prompter_.answers = {"pa ss"};
  EXPECT_EQ(run(target(server), "echo in"), "in") << closed_->reason;
}

TEST_F(SshAuthTest, TakesAPasswordOfARealSshd) {
  if (!Sshd::can_hide_files()) GTEST_SKIP() << "needs root and mount namespaces";
  Sshd::Options options;
  options.password = "pa ss";
  const Sshd server(options);
  auto where = target(server);
  where.config.options.push_back("PubkeyAuthentication no");
  prompter_.answers = {"nope", "pa ss"};
  EXPECT_EQ(run(where, "echo in"), "in") << closed_->reason;
}

TEST_F(SshAuthTest, DecliningToAnswerEndsItWithoutAnotherQuestion) {
  const ScriptedSshServer server({.password = "pw", .rounds = {{{"Code: ", true, "42"}, {"More: ", true, "1"}}}});
  prompter_.answers = {"42"};
  run(at(server), "x");
  EXPECT_EQ(closed_->reason, "cancelled");
  EXPECT_EQ(prompter_.questions.size(), 2u);
}

TEST_F(SshAuthTest, MayBeDestroyedWhileAQuestionIsOpen) {
  const ScriptedSshServer server({.rounds = {{{"Code: ", true, "42"}}}});
  prompter_.silent = true;
  connect(at(server));
  ASSERT_TRUE(wait_for([this] { return !prompter_.questions.empty(); }));
  ssh_.reset();
  EXPECT_EQ(prompter_.withdrawn, 1);
}

}  // namespace
}  // namespace transport
