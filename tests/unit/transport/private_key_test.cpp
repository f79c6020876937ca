#include "transport/ssh/private_key.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/base64.h"
#include "tests/support/run_program.h"
#include "tests/support/temp_dir.h"
#include "transport/ssh/bcrypt_pbkdf.h"
#include "transport/ssh/wire.h"

namespace transport {
namespace {

using support::run_program;

struct KeyKind {
  const char* type;
  const char* bits;
  const char* format;  ///< -m of ssh-keygen; empty: OpenSSH's own.
  const char* cipher;  ///< -Z; empty: not encrypted.

  /// "ecdsa_256_PEM_encrypted_x": letters, digits and lines only, as gtest wants them.
  std::string name() const {
    std::string words = std::string(type) + "_" + bits + (*format ? std::string("_") + format : "") +
                        (*cipher ? std::string("_encrypted_") + cipher : "");
    for (char& c : words)
      if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    return words;
  }
  friend std::ostream& operator<<(std::ostream& out, const KeyKind& kind) { return out << kind.name(); }
};

class PrivateKeyFile : public testing::TestWithParam<KeyKind> {};

TEST_P(PrivateKeyFile, IsReadUnlockedAndSigns) {
  const KeyKind kind = GetParam();
  support::TempDir dir;
  const bool encrypted = *kind.cipher != '\0';
  std::vector<std::string> argv{"ssh-keygen", "-q", "-t", kind.type,   "-b", kind.bits,
                                "-C",         "",   "-f", dir / "key", "-N"};
  argv.push_back(encrypted ? "open sesame" : "");
  if (*kind.format != '\0') argv.insert(argv.end(), {"-m", kind.format});
  if (encrypted && *kind.format == '\0') argv.insert(argv.end(), {"-Z", kind.cipher});
  ASSERT_EQ(run_program(argv).exit_code, 0);

  const auto file = read_key_file(dir / "key");
  ASSERT_TRUE(file) << file.error().message;
  ASSERT_TRUE(*file);
  EXPECT_EQ((*file)->encrypted, encrypted);
  EXPECT_NE((*file)->public_blob, "");
  if (encrypted) {
    const auto wrong = unlock(**file, "wrong");
    ASSERT_TRUE(wrong) << wrong.error().message;
    EXPECT_FALSE(*wrong);
  }
  const auto key = unlock(**file, encrypted ? "open sesame" : "");
  ASSERT_TRUE(key) << key.error().message;
  ASSERT_TRUE(*key);
  EXPECT_EQ((*key)->public_blob(), (*file)->public_blob);
  const std::string line = support::read_text(dir / "key.pub");
  EXPECT_EQ(line.find((*key)->type() + " " + base::base64_encode((*key)->public_blob())), 0u) << line;
  const auto signature = (*key)->sign("rsa-sha2-512", "some data");
  ASSERT_TRUE(signature) << signature.error().message;
  EXPECT_GE(signature->size(), 64u);
}

INSTANTIATE_TEST_SUITE_P(Kinds, PrivateKeyFile,
                         testing::Values(KeyKind{"ed25519", "256", "", ""}, KeyKind{"ed25519", "256", "", "aes256-ctr"},
                                         KeyKind{"ed25519", "256", "", "aes256-gcm@openssh.com"},
                                         KeyKind{"ecdsa", "256", "", ""}, KeyKind{"ecdsa", "384", "", "aes256-cbc"},
                                         KeyKind{"ecdsa", "521", "PEM", ""}, KeyKind{"ecdsa", "256", "PEM", "x"},
                                         KeyKind{"ecdsa", "256", "PKCS8", "x"}, KeyKind{"rsa", "2048", "", ""},
                                         KeyKind{"rsa", "2048", "", "aes128-ctr"}, KeyKind{"rsa", "2048", "PEM", ""},
                                         KeyKind{"rsa", "2048", "PEM", "x"}, KeyKind{"rsa", "2048", "PKCS8", ""},
                                         KeyKind{"rsa", "2048", "PKCS8", "x"}),
                         [](const auto& one) { return one.param.name(); });

TEST(PrivateKey, RefusesAFileThatOthersMayRead) {
  support::TempDir dir;
  run_program({"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", dir / "key"});
  chmod((dir / "key").c_str(), 0644);
  const auto file = read_key_file(dir / "key");
  ASSERT_FALSE(file);
  EXPECT_NE(file.error().message.find("chmod 600"), std::string::npos);
}

TEST(PrivateKey, KnowsMissingPublicAndBrokenFilesApart) {
  support::TempDir dir;
  EXPECT_FALSE(*read_key_file(dir / "none"));
  run_program({"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", dir / "key"});
  const auto only_public = read_key_file(dir / "key.pub");
  ASSERT_TRUE(only_public && *only_public);
  EXPECT_EQ((*only_public)->format, KeyFile::Format::public_only);
  EXPECT_FALSE(read_key_file(dir.write("junk", "hello\n")));
  std::string text = support::read_text(dir / "key");
  for (std::size_t cut = 0; cut < text.size(); cut += 7) {
    const auto file = read_key_file(dir.write("cut", text.substr(0, cut)));
    if (file && *file) {
      EXPECT_FALSE(unlock(**file, "")) << cut;
    }
  }
}

TEST(PrivateKey, DerivesKeysWithManyRounds) {
  // Two blocks and two rounds differ from one, and the output is stable.
  const std::string one = bcrypt_pbkdf("pass", "salt", 4, 48);
  EXPECT_EQ(one, bcrypt_pbkdf("pass", "salt", 4, 48));
  EXPECT_NE(one, bcrypt_pbkdf("pass", "salt", 5, 48));
  EXPECT_EQ(one.size(), 48u);
}

}  // namespace
}  // namespace transport
