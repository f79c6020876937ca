// The matcher against `ssh-keygen -F`, the fingerprints against `ssh-keygen -lf`, with real keys.

#include <gtest/gtest.h>

#include <random>
#include <sstream>

#include "tests/support/run_program.h"
#include "tests/support/temp_dir.h"
#include "transport/ssh/known_hosts.h"
#include "transport/ssh/wire.h"

namespace transport {
namespace {

using support::run_program;

class KnownHostsOracle : public testing::Test {
 protected:
  /// "type base64" of a fresh key.
  std::string make_key(const std::string& name, const std::string& type, const std::string& bits) {
    run_program({"ssh-keygen", "-q", "-t", type, "-b", bits, "-N", "", "-C", "", "-f", dir_ / name});
    std::string text = support::read_text(dir_ / (name + ".pub"));
    while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
    return text;
  }
  std::vector<int> lines_by_ssh(const std::string& host) {
    const auto found = run_program({"ssh-keygen", "-F", host, "-f", dir_ / "kh"});
    std::vector<int> lines;
    std::istringstream stream(found.output);
    for (std::string line; std::getline(stream, line);)
      if (const auto at = line.find(" found: line "); line.starts_with("# Host ") && at != std::string::npos)
        lines.push_back(std::stoi(line.substr(at + 13)));
    return lines;
  }
  std::vector<int> lines_by_us(const std::string& host) {
    const auto known = KnownHosts::load({dir_ / "kh"});
    std::vector<int> lines;
    for (const auto& line : known->lines_for(host)) lines.push_back(line.line);
    return lines;
  }

  support::TempDir dir_;
};

TEST_F(KnownHostsOracle, FingerprintsAreThoseOfSshKeygen) {
  for (const auto& [type, bits] : {std::pair("ed25519", "256"), {"ecdsa", "384"}, {"rsa", "2048"}}) {
    const std::string text = make_key(type, type, bits);
    const auto blob = base64_decode(text.substr(text.find(' ') + 1));
    ASSERT_TRUE(blob);
    const auto printed = run_program({"ssh-keygen", "-lf", dir_ / (std::string(type) + ".pub")}).output;
    EXPECT_NE(printed.find(" " + fingerprint(*blob) + " "), std::string::npos) << printed;
    EXPECT_NE(printed.find("(" + key_type_label(blob_type(*blob)) + ")"), std::string::npos) << printed;
  }
}

TEST_F(KnownHostsOracle, FindsTheLinesThatSshFinds) {
  const std::vector<std::string> keys{make_key("a", "ed25519", "256"), make_key("b", "ecdsa", "256"),
                                      make_key("c", "rsa", "1024")};
  const std::vector<std::string> hosts{"web", "db.lab", "[web]:2222", "10.0.0.1", "x", "ab", "bad.lab", "::1"};
  const std::vector<std::string> patterns{"web",      "WEB",        "web,db.lab", "*.lab",  "*.lab,!bad.lab",
                                          "!web,*",   "[web]:2222", "w?b",        "10.0.*", "x",
                                          "[*]:2222", "*",          ",,web",      "::1,ab", "we b"};
  std::mt19937 random(7);
  for (int round = 0; round < 25; ++round) {
    std::string text;
    for (int i = 0; i < 12; ++i) {
      static const char* kMarkers[] = {"", "", "", "", "@revoked ", "@cert-authority ", "@odd ", "  ", "# "};
      text += kMarkers[random() % std::size(kMarkers)] + patterns[random() % patterns.size()] + " " +
              keys[random() % keys.size()] + (random() % 4 == 0 ? " comment here" : "") +
              (random() % 6 == 0 ? "\r\n" : "\n");
      if (random() % 5 == 0) text += "junk line\n\n|1|x|y ssh-rsa AAAA\n";
    }
    dir_.write("kh", text);
    if (round % 3 == 0) run_program({"ssh-keygen", "-q", "-H", "-f", dir_ / "kh"});
    for (const auto& host : hosts) EXPECT_EQ(lines_by_us(host), lines_by_ssh(host)) << host << "\n" << text;
    if (HasFailure()) break;
  }
}

TEST_F(KnownHostsOracle, SshFindsWhatWeAppend) {
  const std::string text = make_key("a", "ed25519", "256");
  const auto blob = base64_decode(text.substr(text.find(' ') + 1));
  ASSERT_TRUE(append_known_host(dir_ / "kh", "[web]:2222", *blob, HashNames::yes));
  ASSERT_TRUE(append_known_host(dir_ / "kh", "db", *blob, HashNames::no));
  EXPECT_EQ(lines_by_ssh("[web]:2222"), std::vector<int>{1});
  EXPECT_EQ(lines_by_ssh("db"), std::vector<int>{2});
}

}  // namespace
}  // namespace transport
