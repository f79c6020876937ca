// The system's ssh with its questions answered through jms, on real servers.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/free_port.h"
#include "tests/support/scripted_ssh_server.h"
#include "tests/support/ssh_fixture.h"

namespace transport {
namespace {

using support::ScriptedSshServer;
using support::Sshd;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using Asked = SshQuestion::Kind;

class SshAskpassTest : public support::SshTest {
 protected:
  SshAskpassTest() { setenv("XDG_RUNTIME_DIR", runtime_.path().c_str(), 1); }
  ~SshAskpassTest() override { unsetenv("XDG_RUNTIME_DIR"); }

  SshTransport::Target by_openssh(SshTransport::Target where) const {
    where.engine = EngineChoice::openssh;
    where.askpass = JMS_BINARY;
    return where;
  }
  SshTransport::Target known(const ScriptedSshServer& server) {
    auto where = by_openssh(target(server.port()));
    std::ofstream(home_ / ".ssh/known_hosts", std::ios::app) << server.known_hosts_line();
    where.config.identity_files.clear();
    where.config.options.insert(where.config.options.end(), {"IdentityFile none", "IdentityAgent none"});
    return where;
  }
  std::string known_hosts() const { return support::read_text(home_ / ".ssh/known_hosts"); }
  bool nothing_left() const { return std::filesystem::is_empty(runtime_.path()); }

  support::TempDir runtime_;
};

TEST_F(SshAskpassTest, APasswordIsAskedAsTheOtherEngineAsksIt) {
  const ScriptedSshServer server({.password = "open sesame"});
  prompter_.answers = {"wrong", "open sesame"};
  EXPECT_THAT(run(known(server), "true"), HasSubstr("welcome"));
  ASSERT_EQ(prompter_.questions.size(), 2u);
  const auto& first = prompter_.questions[0];
  EXPECT_EQ(first.kind, Asked::password);
  EXPECT_EQ(first.hop, support::current_user() + "@127.0.0.1:" + std::to_string(server.port()));
  EXPECT_EQ(first.text, support::current_user() + "@127.0.0.1's password: ");
  EXPECT_EQ(first.attempt, 1);
  EXPECT_EQ(prompter_.questions[1].attempt, 2);
  EXPECT_THAT(prompter_.questions[1].instruction, HasSubstr("Permission denied, please try again."));
  EXPECT_THAT(server.given(), ElementsAre("password wrong", "password open sesame"));
  EXPECT_EQ(closed_->exit_code, 9);
  EXPECT_TRUE(ready_);
  EXPECT_THAT(output_, Not(HasSubstr("sesame")));
}

TEST_F(SshAskpassTest, TheServersOwnQuestionsComeWithItsInstruction) {
  const ScriptedSshServer server({.rounds = {{{"Password: ", false, "one"}, {"Your name: ", true, "two"}},
                                             {{"Verification code: ", false, "three"}}}});
  prompter_.answers = {"one", "two", "three"};
  EXPECT_THAT(run(known(server), "true"), HasSubstr("welcome"));
  ASSERT_EQ(prompter_.questions.size(), 3u);
  EXPECT_EQ(prompter_.questions[0].kind, Asked::challenge);
  EXPECT_EQ(prompter_.questions[0].text, "Password: ");
  EXPECT_THAT(prompter_.questions[0].instruction, HasSubstr("Two steps."));
  EXPECT_EQ(prompter_.questions[2].text, "Verification code: ");
  EXPECT_THAT(server.given(), ElementsAre("answer one", "answer two", "answer three"));
}

TEST_F(SshAskpassTest, TheSessionStandsWhenItStandsAndNotWhileAQuestionIsOpen) {
  const Sshd server;
  auto where = by_openssh(target(server.port()));
  server.authorize(key_);
  home_.write(".ssh/known_hosts", "");
  prompter_.silent = true;
  connect(where);
  ASSERT_TRUE(wait_for([this] { return !prompter_.questions.empty(); }));
  EXPECT_EQ(prompter_.questions[0].kind, Asked::host_key);
  EXPECT_TRUE(prompter_.questions[0].echo);
  EXPECT_THAT(prompter_.questions[0].text, EndsWith("(yes/no/[fingerprint])? "));
  EXPECT_FALSE(nothing_left());
  EXPECT_FALSE(ready_);
  EXPECT_FALSE(ssh_->ready());
  ssh_->close();
  ASSERT_TRUE(wait_closed());
  EXPECT_EQ(prompter_.withdrawn, 1);
  ssh_.reset();
  EXPECT_TRUE(nothing_left());

  prompter_.silent = false;
  prompter_.answers = {"yes"};
  connect(where);
  ASSERT_TRUE(wait_ready()) << closed_->reason;
  EXPECT_TRUE(nothing_left()) << "the socket goes as soon as nothing more is asked";
  EXPECT_THAT(known_hosts(), HasSubstr("ssh-ed25519"));
  ssh_->send("exit 3\n");
  ASSERT_TRUE(wait_closed());
  EXPECT_EQ(closed_->exit_code, 3);
}

TEST_F(SshAskpassTest, AHostKeyThatIsNotAcceptedIsNotKept) {
  const Sshd server;
  auto where = by_openssh(target(server.port()));
  home_.write(".ssh/known_hosts", "");
  prompter_.answers = {"no"};
  run(where, "true");
  EXPECT_THAT(closed_->reason, HasSubstr("was not accepted; not connected"));
  run(where, "true");  // Nobody answers.
  EXPECT_EQ(closed_->kind, Closed::Kind::lost);
  EXPECT_THAT(closed_->reason, HasSubstr("was not accepted; not connected"));
  EXPECT_THAT(known_hosts(), IsEmpty());
}

TEST_F(SshAskpassTest, WhoDeclinesGivesNoEmptyPassword) {
  const ScriptedSshServer server({.password = "open sesame"});
  run(known(server), "true");
  EXPECT_EQ(prompter_.questions.size(), 1u);
  EXPECT_EQ(closed_->kind, Closed::Kind::lost);
  EXPECT_EQ(closed_->reason, "cancelled");
  EXPECT_FALSE(ready_);
  EXPECT_THAT(server.given(), IsEmpty());
}

TEST_F(SshAskpassTest, APassphraseIsAskedForItsKey) {
  const Sshd server;
  auto where = by_openssh(target(server));
  const std::string key = support::make_key(home_, "locked", {"-N", "secret"});
  server.dir().write("authorized_keys", support::public_half(key) + "\n");
  where.config.identity_files = {key};
  where.config.options.emplace_back("IdentitiesOnly yes");
  prompter_.answers = {"wrong", "secret"};
  EXPECT_THAT(run(where, "echo in"), HasSubstr("in")) << closed_->reason;
  ASSERT_EQ(prompter_.questions.size(), 2u);
  EXPECT_EQ(prompter_.questions[0].kind, Asked::passphrase);
  EXPECT_EQ(prompter_.questions[0].host, "127.0.0.1");
  EXPECT_THAT(prompter_.questions[0].text, HasSubstr(key));
  EXPECT_EQ(prompter_.questions[1].attempt, 2);
}

TEST_F(SshAskpassTest, AHopsQuestionIsAboutTheHopWhateverItsWords) {
  // The hop knows the token's user and words its question as ssh words the one for the token.
  const std::string token_question = "JMS-1234@127.0.0.1's password: ";
  const ScriptedSshServer hop({.rounds = {{{token_question, false, "never"}}}});
  const Sshd destination;
  auto where = known(hop);
  know(destination);
  where.destination = {"127.0.0.1", "JMS-1234", destination.port()};
  where.config.jump = "gate@127.0.0.1:" + std::to_string(hop.port());
  where.config.files_for_hops_only = true;
  where.config.config_file = home_.write(".ssh/config", "UserKnownHostsFile " + (home_ / ".ssh/known_hosts") +
                                                            "\nIdentityFile none\nIdentityAgent none\n");
  prompter_.answers = {"not it"};
  run(where, "true");
  ASSERT_FALSE(prompter_.questions.empty()) << closed_->reason;
  for (const auto& question : prompter_.questions) {
    EXPECT_EQ(question.kind, Asked::challenge);
    EXPECT_EQ(question.user, "gate");
    EXPECT_EQ(question.hop, "gate@127.0.0.1:" + std::to_string(hop.port()));
    EXPECT_EQ(question.text, token_question);
  }
  EXPECT_THAT(hop.given(), ElementsAre("answer not it"));
}

TEST_F(SshAskpassTest, ItsOwnLastWordsAreTheReason) {
  const int nobody = support::free_port();
  run(by_openssh(target(nobody)), "true");
  EXPECT_EQ(closed_->kind, Closed::Kind::lost);
  EXPECT_EQ(closed_->reason, "ssh: connect to host 127.0.0.1 port " + std::to_string(nobody) + ": Connection refused");
  EXPECT_THAT(output_, HasSubstr("Connection refused"));

  const Sshd server, other;
  auto where = by_openssh(target(server));
  server.dir().write("authorized_keys", "");
  where.config.options.emplace_back("PreferredAuthentications publickey");
  run(where, "true");
  EXPECT_THAT(closed_->reason, HasSubstr("Permission denied (publickey"));
  EXPECT_FALSE(ready_);

  std::string line = other.known_hosts_lines();
  line.replace(line.find(std::to_string(other.port())), std::to_string(other.port()).size(),
               std::to_string(server.port()));
  home_.write(".ssh/known_hosts", line);
  run(where, "true");
  EXPECT_THAT(closed_->reason, HasSubstr("HAS CHANGED"));
  EXPECT_THAT(closed_->reason, HasSubstr("ssh-keygen -f"));

  home_.write(".ssh/known_hosts", "");
  where.config.options.emplace_back("StrictHostKeyChecking yes");
  run(where, "true");
  EXPECT_THAT(closed_->reason, HasSubstr("host key is known for"));
  EXPECT_THAT(prompter_.questions, IsEmpty());
}

TEST_F(SshAskpassTest, AProgramOnTheWayMayStillAskOnTheTerminal) {
  const Sshd server;
  auto where = by_openssh(target(server));
  where.config.options.push_back(
      "ProxyCommand bash -c \"printf 'Which floor? ' >/dev/tty; read floor </dev/tty; exec 3<>/dev/tcp/127.0.0.1/" +
      std::to_string(server.port()) + "; cat <&3 & exec cat >&3\"");
  connect(where);
  ASSERT_TRUE(wait_output("Which floor? "));
  ssh_->send("2\n");
  ASSERT_TRUE(wait_ready()) << closed_->reason;
}

}  // namespace
}  // namespace transport
