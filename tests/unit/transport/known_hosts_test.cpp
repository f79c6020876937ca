#include "transport/ssh/known_hosts.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/base64.h"
#include "tests/support/temp_dir.h"
#include "transport/ssh/wire.h"

namespace transport {
namespace {

using Kind = HostKeyVerdict::Kind;

/// A key blob of that type with a made-up body; the matcher compares bytes.
std::string key(std::string_view type, std::string_view body) {
  std::string blob;
  put_string(blob, type);
  put_string(blob, body);
  return blob;
}

const std::string kEd = key("ssh-ed25519", "one");
const std::string kOtherEd = key("ssh-ed25519", "two");
const std::string kEcdsa = key("ecdsa-sha2-nistp256", "three");

std::string line(const std::string& names, const std::string& blob) {
  return names + " " + std::string(blob_type(blob)) + " " + base::base64_encode(blob) + "\n";
}

HostKeyVerdict check(const std::string& text, const std::string& host, int port, const std::string& blob) {
  KnownHosts known;
  known.add_text("kh", text);
  return known.check(known_host_name(host, port), port == 22 ? "" : known_host_name(host, 22), blob);
}

TEST(KnownHosts, AcceptsAKnownKeyInEveryForm) {
  EXPECT_EQ(check(line("web", kEd), "web", 22, kEd).kind, Kind::match);
  EXPECT_EQ(check(line("web", kEd), "WEB", 22, kEd).kind, Kind::match);
  EXPECT_EQ(check(line("a,web,10.0.0.1", kEd), "web", 22, kEd).kind, Kind::match);
  EXPECT_EQ(check(line("*.lab,!bad.lab", kEd), "x.lab", 22, kEd).kind, Kind::match);
  EXPECT_EQ(check(line("[web]:2222", kEd), "web", 2222, kEd).kind, Kind::match);
}

TEST(KnownHosts, KnowsNothingOfAnotherHostPortOrNegatedName) {
  EXPECT_EQ(check(line("web", kEd), "db", 22, kEd).kind, Kind::unknown);
  EXPECT_EQ(check(line("[web]:2222", kEd), "web", 22, kEd).kind, Kind::unknown);
  EXPECT_EQ(check(line("*.lab,!bad.lab", kEd), "bad.lab", 22, kEd).kind, Kind::unknown);
  EXPECT_EQ(check("", "web", 22, kEd).kind, Kind::unknown);
}

TEST(KnownHosts, AcceptsOnAnotherPortAKeyKnownForTheHostButNeverCallsItChanged) {
  EXPECT_EQ(check(line("web", kEd), "web", 2222, kEd).kind, Kind::match);
  EXPECT_EQ(check(line("web", kEd), "web", 2222, kOtherEd).kind, Kind::unknown);
}

TEST(KnownHosts, NamesTheLineOfAChangedKey) {
  const auto verdict = check("# note\n\n" + line("web", kEd), "web", 22, kOtherEd);
  EXPECT_EQ(verdict.kind, Kind::changed);
  ASSERT_EQ(verdict.lines.size(), 1u);
  EXPECT_EQ(verdict.lines[0].place(), "kh line 3");
  EXPECT_EQ(verdict.lines[0].key_blob, kEd);
}

TEST(KnownHosts, AnyMatchingKeyOfSeveralIsEnough) {
  EXPECT_EQ(check(line("web", kOtherEd) + line("web", kEd), "web", 22, kEd).kind, Kind::match);
}

TEST(KnownHosts, AKeyOfAnotherTypeIsUnknownWithTheKnownOnesListed) {
  const auto verdict = check(line("web", kEcdsa), "web", 22, kEd);
  EXPECT_EQ(verdict.kind, Kind::unknown);
  EXPECT_EQ(verdict.lines.size(), 1u);
}

TEST(KnownHosts, RefusesARevokedKeyThoughAnotherLineKnowsIt) {
  EXPECT_EQ(check(line("web", kEd) + "@revoked " + line("*", kEd), "web", 22, kEd).kind, Kind::revoked);
  EXPECT_EQ(check("@revoked " + line("*", kOtherEd) + line("web", kEd), "web", 22, kEd).kind, Kind::match);
  EXPECT_EQ(check("@revoked " + line("web", kEd), "web", 2222, kEd).kind, Kind::revoked);
}

TEST(KnownHosts, DoesNotTakeACertificateAuthorityForAKey) {
  EXPECT_EQ(check("@cert-authority " + line("*", kEd), "web", 22, kEd).kind, Kind::cert_authority);
  EXPECT_EQ(check("@cert-authority " + line("*", kOtherEd) + line("web", kEd), "web", 22, kEd).kind, Kind::match);
}

TEST(KnownHosts, SkipsJunkAndKeepsReading) {
  const std::string junk = "garbage\nweb\nweb ssh-ed25519\nweb ssh-ed25519 ????\n@odd web ssh-ed25519 AAAA\n" +
                           std::string(100'000, 'x') + "\nweb ecdsa-sha2-nistp256 " + base::base64_encode(kEd) + "\n" +
                           std::string("\0\0\1\n", 4) + "|1|broken|hash ssh-ed25519 AAAA\n";
  EXPECT_EQ(check(junk + line("web", kEd), "web", 22, kEd).kind, Kind::match);
  EXPECT_EQ(check(junk, "web", 22, kEd).kind, Kind::unknown);
  std::string crlf = line("web", kEd);
  crlf.insert(crlf.size() - 1, "\r");
  EXPECT_EQ(check(crlf, "web", 22, kEd).kind, Kind::match);
}

TEST(KnownHosts, MissingFilesAreEmptyUnreadableOnesAnError) {
  support::TempDir dir;
  EXPECT_TRUE(KnownHosts::load({dir / "none"}));
  const auto loaded = KnownHosts::load({dir.path()});  // A directory opens, and cannot be read.
  ASSERT_FALSE(loaded);
  EXPECT_NE(loaded.error().message.find("host keys cannot be checked"), std::string::npos);
}

TEST(KnownHosts, AppendsWithTightModesAndRepairsAMissingNewline) {
  support::TempDir dir;
  const std::string file = dir / ".ssh/known_hosts";
  ASSERT_TRUE(append_known_host(file, "web", kEd, HashNames::no));
  struct stat info {};
  ASSERT_EQ(stat(file.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  ASSERT_EQ(stat((dir / ".ssh").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700u);
  dir.write(".ssh/known_hosts", support::read_text(file) + "# no newline");
  ASSERT_TRUE(append_known_host(file, "[db.example]:2222", kEcdsa, HashNames::yes));
  const std::string text = support::read_text(file);
  EXPECT_EQ(text.find("db.example"), std::string::npos);
  EXPECT_EQ(check(text, "web", 22, kEd).kind, Kind::match);
  EXPECT_EQ(check(text, "db.example", 2222, kEcdsa).kind, Kind::match);
}

TEST(Wire, ReadsNothingPastTheEnd) {
  EXPECT_FALSE(WireReader(std::string_view("\xff\xff\xff\xff", 4)).string());
  EXPECT_FALSE(WireReader("abc").number());
  EXPECT_EQ(blob_type(""), "");
  EXPECT_EQ(base64_decode("AAA"), std::nullopt);
  EXPECT_EQ(base64_decode("YWI="), "ab");
}

}  // namespace
}  // namespace transport
