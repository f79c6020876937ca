// Host keys against a real sshd: known, unknown, changed, revoked, hashed, certified.

#include <gtest/gtest.h>

#include "tests/support/run_program.h"
#include "tests/support/ssh_fixture.h"

namespace transport {
namespace {

using support::Sshd;

class SshHostKeyTest : public support::SshTest {
 protected:
  SshTransport::Target unknown(const Sshd& server, const std::string& policy) {
    server.authorize(key_);
    auto where = target(server.port());
    where.config.options.push_back("StrictHostKeyChecking " + policy);
    return where;
  }
  std::string known_hosts() { return support::read_text(home_ / ".ssh/known_hosts"); }
  std::string fingerprint_of(const Sshd& server) {
    const auto printed = support::run_program({"ssh-keygen", "-lf", server.host_key_path("ed25519")}).output;
    const auto start = printed.find("SHA256:");
    return printed.substr(start, printed.find(' ', start) - start);
  }
};

TEST_F(SshHostKeyTest, AsksAboutAnUnknownKeyAndKeepsItOnYes) {
  const Sshd server;
  prompter_.answers = {"maybe", "yes"};
  EXPECT_EQ(run(unknown(server, "ask"), "echo in"), "in");
  ASSERT_EQ(prompter_.questions.size(), 2u);
  EXPECT_EQ(prompter_.questions[0].kind, SshQuestion::Kind::host_key);
  EXPECT_NE(prompter_.questions[0].text.find("ED25519 key fingerprint is " + fingerprint_of(server)),
            std::string::npos);
  EXPECT_EQ(known_hosts(), server.known_hosts_lines());
  EXPECT_EQ(run(unknown(server, "yes"), "echo again"), "again");  // Known now; not asked again.
  EXPECT_EQ(prompter_.questions.size(), 2u);
}

TEST_F(SshHostKeyTest, TakesTheFingerprintForAYes) {
  const Sshd server;
  prompter_.answers = {fingerprint_of(server)};
  EXPECT_EQ(run(unknown(server, "ask"), "echo in"), "in");
}

TEST_F(SshHostKeyTest, ANoOrSilenceKeepsUsOutAndNothingIsKept) {
  const Sshd server;
  prompter_.answers = {"no"};
  run(unknown(server, "ask"), "echo in");
  EXPECT_NE(closed_->reason.find("was not accepted"), std::string::npos) << closed_->reason;
  prompter_.answers = {};
  run(unknown(server, "ask"), "echo in");
  EXPECT_EQ(closed_->kind, Closed::Kind::lost);
  EXPECT_EQ(known_hosts(), "");
}

TEST_F(SshHostKeyTest, FollowsStrictHostKeyChecking) {
  const Sshd server;
  run(unknown(server, "yes"), "echo in");
  EXPECT_NE(closed_->reason.find("StrictHostKeyChecking is yes"), std::string::npos) << closed_->reason;
  EXPECT_EQ(run(unknown(server, "accept-new"), "echo in"), "in");
  EXPECT_EQ(known_hosts(), server.known_hosts_lines());
  EXPECT_TRUE(prompter_.questions.empty());
}

TEST_F(SshHostKeyTest, RefusesAChangedKeyWhateverThePolicy) {
  const Sshd server, other;
  std::string line = other.known_hosts_lines();
  line.replace(line.find(std::to_string(other.port())), std::to_string(other.port()).size(),
               std::to_string(server.port()));
  home_.write(".ssh/known_hosts", "# note\n" + line);
  for (const char* policy : {"ask", "yes", "no", "accept-new"}) {
    run(unknown(server, policy), "echo in");
    EXPECT_NE(closed_->reason.find("HAS CHANGED"), std::string::npos) << closed_->reason;
    EXPECT_NE(closed_->reason.find(home_ / ".ssh/known_hosts line 2"), std::string::npos) << closed_->reason;
    EXPECT_NE(closed_->reason.find(fingerprint_of(server)), std::string::npos) << closed_->reason;
    EXPECT_NE(closed_->reason.find(fingerprint_of(other)), std::string::npos) << closed_->reason;
  }
  EXPECT_TRUE(prompter_.questions.empty());
  EXPECT_EQ(server.log().find("Accepted"), std::string::npos);
}

TEST_F(SshHostKeyTest, RefusesARevokedKey) {
  const Sshd server;
  home_.write(".ssh/known_hosts", server.known_hosts_lines() + "@revoked * " +
                                      support::public_half(server.host_key_path("ed25519")) + "\n");
  run(unknown(server, "no"), "echo in");
  EXPECT_NE(closed_->reason.find("@revoked"), std::string::npos) << closed_->reason;
}

TEST_F(SshHostKeyTest, DoesNotPassACertificateAuthoritySilently) {
  const Sshd server;
  home_.write(".ssh/known_hosts", "@cert-authority * " + support::public_half(key_) + "\n");
  run(unknown(server, "no"), "echo in");
  EXPECT_NE(closed_->reason.find("not supported"), std::string::npos) << closed_->reason;
}

TEST_F(SshHostKeyTest, FindsHashedNamesAndKeepsNewOnesHashed) {
  const Sshd server;
  auto where = unknown(server, "accept-new");
  where.config.options.push_back("HashKnownHosts yes");
  EXPECT_EQ(run(where, "echo in"), "in");
  EXPECT_EQ(known_hosts().find("127.0.0.1"), std::string::npos);
  EXPECT_EQ(run(unknown(server, "yes"), "echo in"), "in");
}

TEST_F(SshHostKeyTest, AsksTheServerForTheKeyTypeThatIsKnown) {
  Sshd::Options options;
  options.host_keys = {"ecdsa", "ed25519"};
  const Sshd server(options);
  for (const char* type : {"ed25519", "ecdsa"}) {
    home_.write(".ssh/known_hosts", "[127.0.0.1]:" + std::to_string(server.port()) + " " +
                                        support::public_half(server.host_key_path(type)) + "\n");
    EXPECT_EQ(run(unknown(server, "yes"), "echo in"), "in") << type << ": " << closed_->reason;
  }
}

TEST_F(SshHostKeyTest, AFileThatCannotBeReadIsNoEmptyFile) {
  const Sshd server;
  auto where = unknown(server, "no");
  where.config.options.insert(where.config.options.begin(), "UserKnownHostsFile " + home_.path());
  run(where, "echo in");
  EXPECT_NE(closed_->reason.find("host keys cannot be checked"), std::string::npos) << closed_->reason;
}

TEST_F(SshHostKeyTest, TheQuestionIsWithdrawnWhenTheOperatorGivesUp) {
  const Sshd server;
  prompter_.silent = true;
  connect(unknown(server, "ask"));
  ASSERT_TRUE(wait_for([this] { return !prompter_.questions.empty(); }));
  ssh_->close();
  ASSERT_TRUE(wait_closed());
  EXPECT_EQ(prompter_.withdrawn, 1);
}

}  // namespace
}  // namespace transport
