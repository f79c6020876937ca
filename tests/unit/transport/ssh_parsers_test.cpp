// Every parser of the SSH engine that reads what others wrote, fed with noise. The sanitizers do the judging.

#include <gtest/gtest.h>

#include <random>

#include "tests/support/temp_dir.h"
#include "transport/ssh/destination.h"
#include "transport/ssh/handshake_sniffer.h"
#include "transport/ssh/known_hosts.h"
#include "transport/ssh/private_key.h"
#include "transport/ssh/ssh_config.h"
#include "transport/ssh/wire.h"

namespace transport {
namespace {

/// Pieces that get past the first checks, between random bytes.
std::string noise(std::mt19937& random, const std::vector<std::string>& pieces) {
  std::string text;
  const unsigned count = 1 + random() % 30;
  for (unsigned i = 0; i < count; ++i) {
    if (random() % 3 != 0) text += pieces[random() % pieces.size()];
    for (unsigned n = random() % 6; n > 0; --n) text += static_cast<char>(random() % 256);
    if (random() % 3 == 0) text += '\n';
  }
  return text;
}

TEST(SshParsers, SurviveNoise) {
  std::mt19937 random(42);
  support::TempDir dir;
  const std::vector<std::string> pieces{"Host ",
                                        "Match ",
                                        "host ",
                                        "!",
                                        "*",
                                        "\"",
                                        "'",
                                        "\\",
                                        "=",
                                        "ProxyJump ",
                                        "a,b",
                                        "@",
                                        "[::1]:22",
                                        "%h",
                                        "Include ",
                                        "~/x",
                                        "#",
                                        "SetEnv ",
                                        "A=1 ",
                                        "ssh-rsa ",
                                        "|1|",
                                        "AAAA",
                                        "==",
                                        "@revoked ",
                                        "SSH-2.0-x\r\n",
                                        std::string("\0\0\1\0", 4),
                                        "-----BEGIN OPENSSH PRIVATE KEY-----\n",
                                        "-----END OPENSSH PRIVATE KEY-----\n",
                                        "b3BlbnNzaC1rZXktdjEA",
                                        "-----BEGIN RSA PRIVATE KEY-----\n",
                                        "Proc-Type: 4,ENCRYPTED\n"};
  for (int round = 0; round < 3000; ++round) {
    const std::string text = noise(random, pieces);
    KnownHosts known;
    known.add_text("kh", text);
    // What was made of noise is no host's key: nothing of it may ever be trusted.
    EXPECT_NE(known.check("web", "", text).kind, HostKeyVerdict::Kind::match) << round;
    HandshakeSniffer sniffer;
    sniffer.feed(text);
    (void)parse_destination(text);
    (void)base64_decode(text);
    (void)fingerprint(text);
    if (round % 10 != 0) continue;
    ConfigOptions options;
    options.home = dir.path();
    options.config_file = dir.write("config", text);
    (void)resolve_chain({"web", "", 0}, options);
    if (const auto file = read_key_file(dir.write("key", text)); file && *file) (void)unlock(**file, "x");
  }
}

}  // namespace
}  // namespace transport
