// Servers that misbehave: each gives one sentence that names the cause and the next step, in bounded time.

#include <gtest/gtest.h>

#include "tests/support/bad_server.h"
#include "tests/support/free_port.h"
#include "tests/support/sanitized.h"
#include "tests/support/ssh_fixture.h"

namespace transport {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using support::BadServer;
using support::Sshd;
using Then = BadServer::Then;

class SshBadServerTest : public support::SshTest {
 protected:
  /// The sentence that connecting to that port ends with.
  std::string fail_at(int port, const std::string& timeout = "1") {
    auto where = target(port);
    where.config.options.insert(where.config.options.begin(),
                                {"ConnectTimeout " + timeout, "StrictHostKeyChecking no"});
    connect(where);
    EXPECT_TRUE(wait_for([this] { return closed_ || ready_; }, seconds(8))) << "still trying";
    if (!closed_) return "";
    EXPECT_EQ(closed_->kind, Closed::Kind::lost);
    EXPECT_EQ(closed_->reason.find('\n'), std::string::npos) << closed_->reason;
    EXPECT_LT(closed_->reason.size(), 400u);
    return closed_->reason;
  }
  std::string fail_with(std::string text, Then then) {
    const BadServer server(loop_, std::move(text), then);
    const std::string reason = fail_at(server.port());
    ssh_.reset();
    return reason;
  }
};

TEST_F(SshBadServerTest, ThatIsNotThere) {
  const std::string reason = fail_at(support::free_port());
  EXPECT_NE(reason.find("nothing listens there; check the port"), std::string::npos) << reason;
}

TEST_F(SshBadServerTest, WhoseNameDoesNotExist) {
  auto where = target(22);
  where.destination.host = "no-such-host.invalid";
  connect(where);
  ASSERT_TRUE(wait_closed());
  EXPECT_NE(closed_->reason.find("no-such-host.invalid"), std::string::npos) << closed_->reason;
}

TEST_F(SshBadServerTest, ThatSpeaksSomethingElse) {
  const std::string web = fail_with("HTTP/1.1 400 Bad Request\r\n\r\n", Then::close);
  EXPECT_NE(web.find("it is not an SSH server (it says \"HTTP/1.1 400 Bad Request\")"), std::string::npos) << web;
  const std::string flood = fail_with(std::string(200'000, 'x'), Then::stall);
  EXPECT_NE(flood.find("it is not an SSH server"), std::string::npos) << flood;
  std::string lines;
  while (lines.size() < 1'000'000) lines += "welcome to the machine\r\n";
  const std::string banner = fail_with(lines + "SSH-2.0-late\r\n", Then::stall);
  EXPECT_NE(banner.find("it is not an SSH server"), std::string::npos) << banner;
  EXPECT_NE(fail_with("SSH-1.5-old\r\n", Then::stall).find("no longer used"), std::string::npos);
}

TEST_F(SshBadServerTest, ThatSendsGarbageAfterItsBanner) {
  const std::string reason = fail_with("SSH-2.0-x\r\n\xff\xff\xff\xff garbage garbage garbage", Then::garbage);
  EXPECT_NE(reason.find("breaks the SSH protocol"), std::string::npos) << reason;
}

TEST_F(SshBadServerTest, ThatNeverSaysAnything) {
  const std::string reason = fail_with("", Then::stall);
  EXPECT_NE(reason.find("does not answer as an SSH server"), std::string::npos) << reason;
}

TEST_F(SshBadServerTest, ThatClosesAtOnce) {
  const std::string reason = fail_with("", Then::close);
  EXPECT_NE(reason.find("closed the connection"), std::string::npos) << reason;
}

TEST_F(SshBadServerTest, ThatClosesAtAnyPointOfTheHandshake) {
  const Sshd good;
  good.authorize(key_);
  for (std::size_t after = 0; after < 6000; after += after < 60 ? 19 : 257) {
    SCOPED_TRACE(after);
    const BadServer server(loop_, good.port(), after, Then::close);
    const std::string reason = fail_at(server.port(), "5");
    if (ready_) break;  // That is as long as a handshake is.
    EXPECT_TRUE(reason.find("closed the connection") != std::string::npos || reason.find("broke") != std::string::npos)
        << reason;
    ssh_.reset();
    if (HasFailure()) break;
  }
}

TEST_F(SshBadServerTest, ThatStallsAtAnyPointOfTheHandshake) {
  const Sshd good;
  good.authorize(key_);
  for (const std::size_t after : {5u, 30u, 700u, 1300u, 1700u}) {
    SCOPED_TRACE(after);
    const BadServer server(loop_, good.port(), after, Then::stall);
    const std::string reason = fail_at(server.port());
    EXPECT_TRUE(reason.find("stopped answering") != std::string::npos ||
                reason.find("does not answer") != std::string::npos)
        << reason;
    ssh_.reset();
  }
}

TEST_F(SshBadServerTest, ThatSendsGarbageAtAnyPointOfTheHandshake) {
  const Sshd good;
  good.authorize(key_);
  const support::LeakOfALibrary host_key;  // libssh2 1.10 forgets the server's half-read Ed25519 key.
  for (std::size_t after = 45; after < 3000; after += 311) {
    SCOPED_TRACE(after);
    const BadServer server(loop_, good.port(), after, Then::garbage);
    const std::string reason = fail_at(server.port());
    if (ready_) break;
    EXPECT_NE(reason, "");
    ssh_.reset();
    if (HasFailure()) break;
  }
}

TEST_F(SshBadServerTest, ThatOffersOnlyWhatLibssh2Lacks) {
  const std::pair<const char*, const char*> lines[] = {
      {"Ciphers chacha20-poly1305@openssh.com", "ciphers"},
      {"Ciphers aes256-gcm@openssh.com", "ciphers"},
      {"MACs hmac-sha2-256-etm@openssh.com", "MACs"},
      {"KexAlgorithms sntrup761x25519-sha512@openssh.com", "key exchange"}};
  for (const auto& [config, what] : lines) {
    Sshd::Options options;
    options.config = config;
    const Sshd server(options);
    const std::string reason = fail_at(server.port());
    EXPECT_NE(reason.find(std::string("offers only ") + what + " that libssh2 lacks"), std::string::npos) << reason;
    EXPECT_NE(reason.find("use ssh_engine=openssh or auto"), std::string::npos) << reason;
  }
}

TEST_F(SshBadServerTest, CtrlCWhileItStallsEndsAtOnce) {
  const BadServer server(loop_, "", Then::stall);
  connect(target(server.port()));
  ASSERT_TRUE(wait_for([this] { return !progress_.empty(); }));
  ssh_->close();
  const auto begin = std::chrono::steady_clock::now();
  ASSERT_TRUE(wait_closed());
  EXPECT_EQ(closed_->reason, "cancelled");
  ssh_.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, milliseconds(5000));
}

}  // namespace
}  // namespace transport
