#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"
#include "transport/ssh/handshake_sniffer.h"
#include "transport/ssh/openssh_engine.h"
#include "transport/ssh/wire.h"

namespace transport {
namespace {

std::string kexinit(const std::string& ciphers) {
  std::string body(1, '\x14');
  body += std::string(16, 'c');
  for (const std::string& list :
       {std::string("curve25519-sha256,x"), std::string("ssh-ed25519"), ciphers, ciphers, std::string("hmac-sha2-256"),
        std::string("hmac-sha2-256"), std::string("none"), std::string("none"), std::string(), std::string()})
    put_string(body, list);
  body += std::string(5, '\0');
  std::string packet;
  put_number(packet, static_cast<std::uint32_t>(body.size() + 1 + 4));
  return packet + '\4' + body + "pppp";
}

TEST(HandshakeSniffer, FindsBannerAndOfferCutAnywhere) {
  const std::string stream =
      "Welcome\r\nto the lab\nSSH-2.0-Test_1 extra\r\n" + kexinit("aes128-ctr,aes256-ctr") + "more";
  for (std::size_t cut = 0; cut <= stream.size(); ++cut) {
    HandshakeSniffer sniffer;
    sniffer.feed(std::string_view(stream).substr(0, cut));
    sniffer.feed(std::string_view(stream).substr(cut));
    ASSERT_EQ(sniffer.banner(), "SSH-2.0-Test_1 extra") << cut;
    ASSERT_TRUE(sniffer.offer()) << cut << sniffer.trouble();
    EXPECT_EQ(sniffer.offer()->ciphers, (std::vector<std::string>{"aes128-ctr", "aes256-ctr"}));
    EXPECT_EQ(sniffer.offer()->kex.size(), 2u);
    EXPECT_EQ(sniffer.offer()->macs, std::vector<std::string>{"hmac-sha2-256"});
  }
}

TEST(HandshakeSniffer, SeesTroubleInsteadOfKeepingEverything) {
  const auto trouble = [](const std::string& bytes) {
    HandshakeSniffer sniffer;
    sniffer.feed(bytes);
    return sniffer.trouble();
  };
  EXPECT_NE(trouble(std::string(10'000, 'x')), "");
  std::string lines;
  while (lines.size() < 70'000) lines += "motd\n";
  EXPECT_NE(trouble(lines), "");
  EXPECT_NE(trouble("SSH-1.5-x\n"), "");
  EXPECT_EQ(trouble("SSH-1.99-x\n"), "");
  EXPECT_NE(trouble("SSH-2.0-x\n\xff\xff\xff\xff"), "");
  EXPECT_NE(trouble("SSH-2.0-x\n" + kexinit("aes\x1b[2J")), "");
  EXPECT_EQ(trouble("SSH-2.0-x\n" + kexinit("aes128-ctr")), "");
}

const AlgorithmLists kLibssh2{{"curve25519-sha256", "diffie-hellman-group1-sha1"},
                              {"ecdsa-sha2-nistp256", "ssh-ed25519", "ssh-rsa", "ssh-dss"},
                              {"aes128-ctr", "aes256-cbc"},
                              {"hmac-sha2-256", "hmac-md5"}};

TEST(ChooseEngine, LeavesOutWhatOpensshWouldNotUseUnasked) {
  const auto wanted = wanted_algorithms(kLibssh2, {}, {});
  EXPECT_EQ(wanted.kex, std::vector<std::string>{"curve25519-sha256"});
  EXPECT_EQ(wanted.host_keys, (std::vector<std::string>{"ssh-ed25519", "ecdsa-sha2-nistp256"}));
  EXPECT_EQ(wanted.ciphers, std::vector<std::string>{"aes128-ctr"});
}

TEST(ChooseEngine, PutsKnownHostKeyTypesFirstAndFollowsTheLists) {
  HostSettings settings;
  EXPECT_EQ(wanted_algorithms(kLibssh2, settings, {"ecdsa-sha2-nistp256"}).host_keys.front(), "ecdsa-sha2-nistp256");
  settings.host_key_algorithms = "+ssh-rsa";
  settings.ciphers = "aes256-cbc,unknown";
  settings.macs = "-hmac-sha2*";
  settings.kex_algorithms = "^diffie-hellman-group1-sha1";
  const auto wanted = wanted_algorithms(kLibssh2, settings, {});
  EXPECT_EQ(wanted.host_keys.back(), "ssh-rsa");
  EXPECT_EQ(wanted.ciphers, std::vector<std::string>{"aes256-cbc"});
  EXPECT_TRUE(wanted.macs.empty());
  EXPECT_EQ(wanted.kex.front(), "diffie-hellman-group1-sha1");
}

TEST(ChooseEngine, NamesWhatTheServerLacks) {
  HostSettings settings;
  settings.host_name = "web1";
  const AlgorithmLists wanted = wanted_algorithms(kLibssh2, settings, {});
  ServerOffer offer{{"curve25519-sha256"}, {"ssh-ed25519"}, {"aes128-ctr"}, {"hmac-sha2-256"}};
  EXPECT_EQ(choose_engine(settings, offer, wanted).engine, SshEngine::libssh2);
  offer.macs = {"umac-128-etm@openssh.com"};
  const auto decision = choose_engine(settings, offer, wanted);
  EXPECT_EQ(decision.engine, SshEngine::openssh);
  EXPECT_EQ(decision.reason, "web1 offers only MACs that libssh2 lacks (umac-128-etm@openssh.com)");
}

TEST(ChooseEngine, LooksAtTheIdentitiesBeforeConnecting) {
  support::TempDir dir;
  HostSettings settings;
  settings.identity_files = {dir / "id"};
  EXPECT_EQ(choose_engine({settings}).engine, SshEngine::libssh2);
  dir.write("id-cert.pub", "ssh-ed25519-cert-v01@openssh.com AAAA");
  EXPECT_EQ(choose_engine({settings}).reason, "the certificate " + (dir / "id-cert.pub") + " needs it");
  HostSettings forwarding;
  forwarding.forward_agent = true;
  EXPECT_EQ(choose_engine({{}, forwarding}).engine, SshEngine::openssh);
}

TEST(OpensshCommand, PassesTheSameOptionsOn) {
  ConfigOptions options;
  options.config_file = "/cfg";
  options.jump = "a,b";
  options.port = 2222;
  options.identity_files = {"/k1", "/k2"};
  options.options = {"Compression=yes"};
  options.forward_agent = true;
  const auto argv = openssh_command({"-host", "me", 22}, options);
  EXPECT_EQ(argv, (std::vector<std::string>{"ssh",
                                            "-tt",
                                            "-F",
                                            "/cfg",
                                            "-J",
                                            "a,b",
                                            "-p",
                                            "2222",
                                            "-l",
                                            "me",
                                            "-i",
                                            "/k1",
                                            "-i",
                                            "/k2",
                                            "-A",
                                            "-o",
                                            "Compression=yes",
                                            "-e",
                                            "none",
                                            "--",
                                            "-host"}));
}

}  // namespace
}  // namespace transport
