// Ways to a host: through bastions, a ProxyCommand, the system's ssh.

#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>

#include "tests/support/free_port.h"
#include "tests/support/run_program.h"
#include "tests/support/ssh_fixture.h"

namespace transport {
namespace {

using support::Sshd;

class SshChainTest : public support::SshTest {
 protected:
  /// A configuration file in which a, b, c and so on are the servers, each with its own key.
  SshTransport::Target chain(const std::vector<const Sshd*>& servers) {
    auto where = target(*servers.back());
    std::string text;
    std::string hops;
    for (std::size_t i = 0; i < servers.size(); ++i) {
      const std::string name(1, static_cast<char>('a' + i));
      const std::string key =
          support::make_key(home_, "key_" + std::to_string(servers[i]->port()) + name + std::to_string(++keys_));
      servers[i]->dir().write("authorized_keys", support::public_half(key) + "\n");
      if (i + 1 < servers.size()) know(*servers[i]);
      text += "Host " + name + "\n HostName 127.0.0.1\n Port " + std::to_string(servers[i]->port()) +
              "\n IdentityFile " + key + "\n User " + support::current_user() + "\n";
      if (i + 1 < servers.size()) hops += (hops.empty() ? "" : ",") + name;
    }
    text += "Host *\n UserKnownHostsFile " + (home_ / ".ssh/known_hosts") + "\n GlobalKnownHostsFile none\n" +
            " StrictHostKeyChecking yes\n ConnectTimeout 10\n";
    where.destination = {std::string(1, static_cast<char>('a' + servers.size() - 1)), "", 0};
    where.config.config_file = home_.write(".ssh/config", text);
    where.config.identity_files.clear();
    where.config.options.clear();
    where.config.jump = hops;
    return where;
  }

  int keys_ = 0;
};

TEST_F(SshChainTest, GoesThroughThreeHopsEachWithItsOwnKey) {
  const Sshd a, b, c, d;
  EXPECT_EQ(run(chain({&a, &b, &c, &d}), "echo in; exit 6"), "in") << closed_->reason;
  EXPECT_EQ(closed_->exit_code, 6);
  EXPECT_EQ(progress_[0], "connecting to bastion 1 of 3 (127.0.0.1)…");
  for (const auto* server : {&a, &b, &c, &d})
    EXPECT_NE(server->log().find("Accepted publickey"), std::string::npos) << server->log();
}

TEST_F(SshChainTest, CarriesALargeTransferThroughTwoHops) {
  const Sshd a, b;
  auto where = chain({&a, &b});
  where.config.options = {"RequestTTY no"};
  run(where, "head -c 20000000 /dev/zero | tr '\\0' x");
  EXPECT_EQ(closed_->kind, Closed::Kind::ended) << closed_->reason;
  EXPECT_EQ(output_.size(), 20'000'000u);
}

TEST_F(SshChainTest, ChecksTheHostKeyOfEveryHop) {
  const Sshd a, b, other;
  auto where = chain({&a, &b});
  std::string lines = b.known_hosts_lines(), wrong = other.known_hosts_lines();
  wrong.replace(wrong.find(std::to_string(other.port())), std::to_string(other.port()).size(),
                std::to_string(a.port()));
  home_.write(".ssh/known_hosts", lines + wrong);
  run(where, "echo in");
  EXPECT_NE(closed_->reason.find("HAS CHANGED"), std::string::npos) << closed_->reason;
  EXPECT_NE(closed_->reason.find(std::to_string(a.port())), std::string::npos) << closed_->reason;
}

TEST_F(SshChainTest, SaysWhichBastionRefusesAndWhy) {
  Sshd::Options options;
  options.config = "AllowTcpForwarding no";
  const Sshd strict(options), a, b;
  run(chain({&strict, &b}), "echo in");
  EXPECT_NE(closed_->reason.find("does not forward connections"), std::string::npos) << closed_->reason;
  auto where = chain({&a, &b});
  where.destination.port = support::free_port();
  run(where, "echo in");
  EXPECT_NE(closed_->reason.find("cannot reach 127.0.0.1 port"), std::string::npos) << closed_->reason;
}

TEST_F(SshChainTest, SaysSoWhenTheBastionDies) {
  const Sshd a, b;
  connect(chain({&a, &b}));
  ASSERT_TRUE(wait_ready()) << closed_->reason;
  a.signal_connections(SIGKILL);
  ASSERT_TRUE(wait_closed());
  EXPECT_EQ(closed_->kind, Closed::Kind::lost);
}

TEST_F(SshChainTest, AsksForAPassphraseOnceForAKeyOfTwoHops) {
  const Sshd a, b;
  auto where = chain({&a, &b});
  const std::string key = support::make_key(home_, "shared", {"-N", "secret"});
  a.dir().write("authorized_keys", support::public_half(key) + "\n");
  b.dir().write("authorized_keys", support::public_half(key) + "\n");
  std::string text = support::read_text(home_ / ".ssh/config");
  home_.write(".ssh/config", "IdentityFile " + key + "\n" + text);
  prompter_.answers = {"secret"};
  EXPECT_EQ(run(where, "echo in"), "in") << closed_->reason;
  EXPECT_EQ(prompter_.questions.size(), 1u);
}

TEST_F(SshChainTest, RunsAProxyCommand) {
  const Sshd a, b;
  auto where = chain({&a, &b});
  where.config.jump.clear();
  where.config.options = {"ProxyCommand ssh -F " + where.config.config_file + " -W %h:%p a"};
  EXPECT_EQ(run(where, "echo in"), "in") << closed_->reason;
}

TEST_F(SshChainTest, PassesOnWhatAFailingProxyCommandSays) {
  const Sshd a;
  auto where = target(a);
  where.config.options.push_back("ProxyCommand echo 'proxy: no such way' >&2; exit 1");
  run(where, "echo in");
  EXPECT_NE(closed_->reason.find("proxy: no such way"), std::string::npos) << closed_->reason;
}

class SshEngineTest : public SshChainTest {
 protected:
  /// The first line; ssh adds "Connection to … closed." at the end.
  std::string run_first_line(const SshTransport::Target& where, const std::string& command) {
    const std::string text = run(where, command);
    return text.substr(0, text.find('\r'));
  }
};

TEST_F(SshEngineTest, HandsAHardenedServerToTheSystemsSsh) {
  Sshd::Options options;
  options.config = "Ciphers chacha20-poly1305@openssh.com\nMACs hmac-sha2-512-etm@openssh.com";
  const Sshd a, hardened(options);
  auto where = chain({&a, &hardened});
  where.engine = EngineChoice::automatic;
  where.size = {31, 97};
  EXPECT_EQ(run_first_line(where, "stty size; exit 8"), "31 97") << closed_->reason;
  EXPECT_EQ(closed_->exit_code, 8);
  ASSERT_EQ(engines_.size(), 1u);
  EXPECT_EQ(engines_[0].engine, SshEngine::openssh);
  EXPECT_NE(engines_[0].reason.find("offers only ciphers that libssh2 lacks (chacha20-poly1305@openssh.com)"),
            std::string::npos)
      << engines_[0].reason;
}

TEST_F(SshEngineTest, HandsRsaHostKeysAndCertificatesToTheSystemsSsh) {
  Sshd::Options options;
  options.host_keys = {"rsa"};
  const Sshd rsa(options), a;
  auto where = target(rsa);
  where.engine = EngineChoice::automatic;
  EXPECT_EQ(run_first_line(where, "echo in"), "in") << closed_->reason;
  EXPECT_NE(engines_.back().reason.find("host keys"), std::string::npos) << engines_.back().reason;

  const std::string ca = support::make_key(home_, "ca");
  support::run_program({"ssh-keygen", "-q", "-s", ca, "-I", "me", "-n", support::current_user(), key_ + ".pub"});
  where = target(a);
  where.engine = EngineChoice::automatic;
  a.dir().write("authorized_keys", "cert-authority " + support::public_half(ca) + "\n");
  EXPECT_EQ(run_first_line(where, "echo in"), "in") << closed_->reason;
  EXPECT_NE(engines_.back().reason.find("certificate"), std::string::npos) << engines_.back().reason;
}

TEST_F(SshEngineTest, UsesLibssh2WhenNothingSpeaksAgainstIt) {
  const Sshd a;
  auto where = target(a);
  where.engine = EngineChoice::automatic;
  EXPECT_EQ(run_first_line(where, "echo in"), "in") << closed_->reason;
  EXPECT_EQ(engines_.back().engine, SshEngine::libssh2);
}

TEST_F(SshEngineTest, KeepsWhatWasTypedEarlyForTheSystemsSshToo) {
  const Sshd a;
  auto where = target(a);
  where.engine = EngineChoice::openssh;
  connect(where);
  ssh_->send("echo ear''ly; exit 5\n");
  ASSERT_TRUE(wait_closed());
  EXPECT_NE(output_.find("early"), std::string::npos) << output_;
  EXPECT_EQ(closed_->exit_code, 5);
}

TEST_F(SshEngineTest, SaysThatTheSystemsSshLostTheLink) {
  auto where = target(support::free_port());
  where.engine = EngineChoice::openssh;
  run(where, "echo in");
  EXPECT_EQ(closed_->kind, Closed::Kind::lost);
  EXPECT_NE(output_.find("refused"), std::string::npos) << output_;
}

}  // namespace
}  // namespace transport
