#include "app/config/config.h"
#include "app/config/exec_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/support/temp_dir.h"

namespace app {
namespace {

class ConfigTest : public testing::Test {
 protected:
  void SetUp() override {
    path_ = std::filesystem::path(testing::TempDir()) / ("jms-config-" + std::to_string(::getpid()) + ".toml");
  }
  void TearDown() override { std::filesystem::remove(path_); }

  base::Result<Config> load(const std::string& text) {
    std::ofstream(path_) << text;
    return load_config(path_.string());
  }
  /// The message of a config that must be refused, without the file's name.
  std::string complaint(const std::string& text) {
    const auto config = load(text);
    if (config) return "accepted";
    EXPECT_TRUE(config.error().message.starts_with(path_.string())) << config.error().message;
    return config.error().message.substr(path_.string().size());
  }

  std::filesystem::path path_;
};

TEST_F(ConfigTest, RefusesAFileThatOthersCanWrite) {
  ASSERT_TRUE(load("hint = false\n"));
  for (const auto perms : {std::filesystem::perms::group_write, std::filesystem::perms::others_write}) {
    std::filesystem::permissions(path_, perms, std::filesystem::perm_options::add);
    EXPECT_NE(complaint("hint = false\n").find("can be written by others"), std::string::npos);
    std::filesystem::permissions(path_, perms, std::filesystem::perm_options::remove);
  }
  EXPECT_TRUE(load("hint = false\n"));
}

TEST_F(ConfigTest, ReadsEveryKey) {
  const auto config = load(
      "hotkey = \"f12\"\nlanguage = \"zh\"\ntheme = \"high-contrast\"\nhint = false\nshell = "
      "\"/bin/dash\"\nscrollback_lines = 500\n");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->hotkey.name(), "F12");
  EXPECT_EQ(config->language, "zh");
  EXPECT_EQ(config->theme, panel::ThemeName::high_contrast);
  EXPECT_FALSE(config->hint);
  EXPECT_EQ(config->shell, "/bin/dash");
  EXPECT_EQ(config->scrollback_lines, 500u);
}

TEST_F(ConfigTest, NamesFileLineAndKeyOfAMistake) {
  EXPECT_EQ(complaint("hint = true\n\nhotkez = \"x\"\n"), ":3: unknown key `hotkez`; see jms-config(5) for the keys");
  EXPECT_EQ(complaint("hint = 3\n"), ":1: `hint`: wants true or false");
  EXPECT_EQ(complaint("scrollback_lines = -1\n"), ":1: `scrollback_lines`: wants a number from 0 to 1000000");
  EXPECT_TRUE(complaint("language = \"fr\"\n").starts_with(":1: `language`: wants"));
  EXPECT_TRUE(complaint("theme = \"neon\"\n").starts_with(":1: `theme`: wants \"auto\", \"dark\""));
  EXPECT_TRUE(complaint("\nhotkey = \"ctrl-nonsense\"\n").starts_with(":2: `hotkey`: "));
  EXPECT_TRUE(complaint("hint = true\nshell = \"open\n").starts_with(":2: "));
}

TEST_F(ConfigTest, ReadsHowCommandsAreRun) {
  const auto config = load(
      "[exec]\nencodings = [\"old-*=GB18030\"]\nhooks = [\"web*\"]\nquit_key = [\"*\"]\nquiet = [\"sw1\"]\n"
      "output_mb = 8\n");
  ASSERT_TRUE(config) << config.error().message;
  const auto of = [&](const char* host) { return exec_options(*config, {.place = {.name = host}}, "/outputs"); };
  EXPECT_EQ(of("old-1").encoding, "GB18030");
  EXPECT_EQ(of("web1").encoding, "");
  EXPECT_TRUE(of("web1").hooks);
  EXPECT_FALSE(of("old-1").hooks);
  EXPECT_TRUE(of("old-1").quit_key);
  EXPECT_TRUE(of("sw1").quiet_level);
  EXPECT_EQ(of("sw1").output.file_cap, 8u << 20);
  EXPECT_EQ(complaint("[exec]\nencodings = [\"a=NO-SUCH\"]\n"),
            ":2: `exec.encodings`: names an unknown encoding in \"a=NO-SUCH\"");
}

TEST_F(ConfigTest, ReadsTheModelTable) {
  const auto config = load(
      "[model]\nprovider = \"openai\"\nname = \"m\"\nheaders = [\"X-Team: sre\"]\nstall_abort_s = 5\ninput_price = "
      "1.5\n"
      "thinking = \"off\"\n");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->model_provider, "openai");
  EXPECT_EQ(config->model_headers, std::vector<std::string>{"X-Team: sre"});
  EXPECT_EQ(config->model_stall_abort_s, 5);
  EXPECT_EQ(config->model_input_price, 1.5);
  EXPECT_EQ(complaint("[model]\nthinking = \"maybe\"\n"), ":2: `model.thinking`: wants \"auto\", \"on\" or \"off\"");
  EXPECT_EQ(complaint("[model]\nnonsense = 1\n"), ":2: unknown key `model.nonsense`; see jms-config(5) for the keys");
}

TEST_F(ConfigTest, RefusesANamedFileThatIsNotThere) {
  const auto config = load_config("/no/such/config.toml");
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().message, "cannot read the config file /no/such/config.toml");
}

TEST_F(ConfigTest, ReadsJumpServersAndTheirProfiles) {
  const auto config = load(
      "[jumpserver]\nserver = \"https://a.test\"\nuser = \"alice\"\naccess_key = \"k\"\nsecret_key_command = \"pass "
      "k\"\n"
      "via = \"ssh\"\n[[jumpserver.profiles]]\nname = \"lab\"\nserver = \"https://b.test\"\ncookie_file = \"/c\"\n");
  ASSERT_TRUE(config) << config.error().message;
  ASSERT_EQ(config->jumpserver.size(), 2u);
  EXPECT_EQ(config->jumpserver[0].name, "default");
  EXPECT_EQ(config->jumpserver[0].secret_key.command, "pass k");
  EXPECT_EQ(config->jumpserver[0].via, "ssh");
  EXPECT_EQ(config->jumpserver[1].name, "lab");
  EXPECT_EQ(config->jumpserver[1].cookie.file, "/c");
  EXPECT_TRUE(config->jumpserver[1].user.empty());
}

TEST_F(ConfigTest, TellsMistakesInJumpServersWithTheirPlace) {
  EXPECT_EQ(complaint("[jumpserver]\nserve = \"x\"\n"),
            ":2: unknown key `jumpserver.serve`; see jms-config(5) for the keys");
  EXPECT_EQ(complaint("[jumpserver]\nvia = \"pigeon\"\n"), ":2: `jumpserver.via`: wants \"auto\", \"ws\" or \"ssh\"");
  EXPECT_EQ(complaint("[jumpserver]\nserver = 7\n"), ":2: `jumpserver.server`: wants a string in quotes");
  EXPECT_EQ(complaint("[[jumpserver.profiles]]\nserver = \"https://x\"\n"),
            ":1: a profile wants a `name`, for `--profile NAME`");
  EXPECT_EQ(complaint("[[jumpserver.profiles]]\nname = \"default\"\n"),
            ":1: there are two JumpServer profiles called `default`");
  EXPECT_EQ(complaint("[jumpserver]\nprofiles = 3\n"), ":2: write each profile as [[jumpserver.profiles]]");
}

TEST_F(ConfigTest, TellsMistakesInSshCredentialsWithTheirPlace) {
  EXPECT_THAT(complaint("[[ssh.credentials]]\npassword_command = \"x\"\n"), testing::HasSubstr("`host` is missing"));
  EXPECT_THAT(complaint("[[ssh.credentials]]\nhost = \"*\"\n"), testing::HasSubstr("it names nothing that answers"));
  EXPECT_THAT(complaint("[[ssh.credentials]]\nhost = \"*\"\npassword = \"x\"\n"),
              testing::HasSubstr("`password` does not belong into this file; use `password_command`"));
  EXPECT_THAT(complaint("[[ssh.credentials]]\nhost = \"*\"\ntoken_command = \"x\"\n"),
              testing::HasSubstr("unknown key `token_command`"));
}

TEST(ConfigDocuments, NameEveryKey) {
  const std::string example = support::read_text(JMS_SOURCE_DIR "/docs/config.example.toml");
  const std::string manual = support::read_text(JMS_SOURCE_DIR "/docs/man/jms-config.5");
  for (const auto& key : config_keys()) {
    const std::string name = key.substr(key.find('.') + 1);
    EXPECT_NE(example.find(name), std::string::npos) << key;
    EXPECT_NE(manual.find(name), std::string::npos) << key;
  }
}

TEST(ConfigDocuments, TheExampleIsAConfig) {
  const auto config = load_config(JMS_SOURCE_DIR "/docs/config.example.toml");
  EXPECT_TRUE(config) << config.error().message;
}

}  // namespace
}  // namespace app
