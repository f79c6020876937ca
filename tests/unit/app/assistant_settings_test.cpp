// From config.toml to what holds on a target: rules, hosts, hooks, limits.

#include "app/assistant/assistant_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/support/temp_dir.h"

namespace app {
namespace {

using testing::HasSubstr;

constexpr const char* kWhole = R"TOML(
mode = "auto"
[[rules]]
action = "deny"
command = "reboot"
[[rules]]
action = "allow"
command = "systemctl restart nginx"
host = "web-*"
[[hosts]]
match = "prod-*"
mode = "read-only"
production = true
[[hosts]]
match = "10.9.8.7"
mode = "ask"
[[hosts]]
match = "dev-*"
mode = "auto"
[[hooks]]
event = "pre_tool"
tool = "execute_command"
command = "/usr/local/bin/guard"
[agent]
max_rounds = 20
time_limit_s = 90
max_cost_usd = 1.5
context_lines = 40
context_bytes = 4096
local_command = true
[redact]
exceptions = ["EXAMPLE"]
[[redact.patterns]]
kind = "ticket"
regex = "TCK-([0-9]{6})"
[escapes]
clipboard = true
)TOML";

class AssistantSettingsTest : public testing::Test {
 protected:
  void SetUp() override { ::setenv("JMS_CONFIG_DIR", directory_.path().c_str(), 1); }
  void TearDown() override { ::unsetenv("JMS_CONFIG_DIR"); }

  base::Result<Config> load(const std::string& text) { return load_config(directory_.write("config.toml", text)); }
  std::string complaint(const std::string& text) {
    const auto config = load(text);
    return config ? "accepted" : config.error().message;
  }
  AssistantSettings on(const std::string& target, std::optional<safety::Mode> mode = {}) {
    const auto config = load(kWhole);
    EXPECT_TRUE(config) << config.error().message;
    TargetOptions options;
    options.target = target;
    options.ssh_config = directory_.write("ssh_config", "Host db\n  HostName prod-7\n  User root\n");
    auto settings = assistant_settings(*config, options, mode);
    EXPECT_TRUE(settings) << settings.error().message;
    return *settings;
  }
  static safety::Mode mode_of(const AssistantSettings& settings) {
    return settings.permissions.mode_for(settings.where);
  }

  support::TempDir directory_;
};

TEST_F(AssistantSettingsTest, TakeEverythingFromTheConfig) {
  const auto settings = on("web-1");
  EXPECT_EQ(settings.max_rounds, 20);
  EXPECT_EQ(settings.time_limit, std::chrono::seconds(90));
  EXPECT_EQ(settings.max_cost_usd, 1.5);
  EXPECT_EQ(settings.context.terminal_lines, 40u);
  EXPECT_EQ(settings.context.terminal_bytes, 4096u);
  EXPECT_TRUE(settings.always_local_command);
  ASSERT_EQ(settings.hooks.size(), 1u);
  EXPECT_EQ(settings.hooks[0].command, "/usr/local/bin/guard");
  EXPECT_EQ(settings.redaction.patterns.size(), 1u);
  EXPECT_EQ(settings.redaction.exceptions.size(), 1u);
  EXPECT_EQ(settings.permissions.rules().size(), 2u);
  EXPECT_TRUE(load(kWhole)->escapes_clipboard);
}

TEST_F(AssistantSettingsTest, AHostsOwnModeHoldsAlsoBehindAnAlias) {
  EXPECT_EQ(mode_of(on("prod-7")), safety::Mode::ReadOnly);
  EXPECT_EQ(mode_of(on("admin@prod-7:2222")), safety::Mode::ReadOnly);
  const auto alias = on("db");
  EXPECT_EQ(mode_of(alias), safety::Mode::ReadOnly) << "ssh_config says what it really is";
  EXPECT_TRUE(alias.permissions.is_production(alias.where));
  EXPECT_EQ(alias.user, "root");
  EXPECT_EQ(mode_of(on("prod-7", safety::Mode::Auto)), safety::Mode::ReadOnly) << "no option loosens a host";
  EXPECT_EQ(mode_of(on("10.9.8.7")), safety::Mode::Ask);
  EXPECT_EQ(mode_of(on("other")), safety::Mode::Auto) << "the config's own";
  EXPECT_EQ(mode_of(on("dev-1")), safety::Mode::Auto);
  EXPECT_EQ(mode_of(on("dev-1", safety::Mode::Ask)), safety::Mode::Ask);
}

TEST_F(AssistantSettingsTest, AnAssetIsAlsoTheMachineAtItsAddress) {
  const auto config = load(kWhole);
  ASSERT_TRUE(config) << config.error().message;
  TargetOptions options;
  options.target = "jms://web-01";
  const auto settings =
      assistant_settings(*config, options, {}, {.name = "web-01", .nodes = {}, .labels = {}, .also = {"10.9.8.7", ""}});
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(mode_of(*settings), safety::Mode::Ask) << "the config names it by address";
  EXPECT_EQ(settings->where.name, "jms://web-01");
}

TEST_F(AssistantSettingsTest, SavedRulesCountToo) {
  directory_.write("rules.toml", "[[rules]]\naction = \"allow\"\ncommand = \"touch x\"\nhost = \"web-1\"\n");
  const auto settings = on("web-1");
  EXPECT_EQ(settings.permissions.rules().size(), 3u);
}

TEST_F(AssistantSettingsTest, NameTheLineOfAMistakeInAList) {
  EXPECT_THAT(complaint("[[rules]]\naction = \"allow\"\ncommand = \"sudo *\"\n"),
              testing::AllOf(HasSubstr("line 1"), HasSubstr("sudo runs whatever")));
  EXPECT_THAT(complaint("[[rules]]\naction = \"permit\"\ncommand = \"ls\"\n"), HasSubstr("allow, ask or deny"));
  EXPECT_THAT(complaint("[[rules]]\naction = \"deny\"\ncommnd = \"ls\"\n"), HasSubstr("unknown key `commnd`"));
  EXPECT_THAT(complaint("[[rules]]\naction = \"deny\"\n"), HasSubstr("`command` is missing"));
  EXPECT_THAT(complaint("[[rules]]\naction = \"deny\"\ncommand = \"ls\"\ntool = \"shell\"\n"), HasSubstr("`tool`"));
  EXPECT_THAT(complaint("[[hosts]]\nmatch = \"a\"\n[[hosts]]\nmode = \"ask\"\n"),
              testing::AllOf(HasSubstr("line 3"), HasSubstr("`match` is missing")));
  EXPECT_THAT(complaint("[[hosts]]\nmatch = \"a\"\nmode = \"wild\"\n"), HasSubstr("wild"));
  EXPECT_THAT(complaint("[[hosts]]\nmatch = \"a\"\nproduction = \"yes\"\n"), HasSubstr("true or false"));
  EXPECT_THAT(complaint("[[hooks]]\nevent = \"sometimes\"\ncommand = \"x\"\n"), HasSubstr("pre_tool"));
  EXPECT_THAT(complaint("[[redact.patterns]]\nkind = \"x\"\nregex = \"(\"\n"), HasSubstr("not a valid expression"));
  EXPECT_THAT(complaint("[redact]\nexceptions = [\"(\"]\n"), HasSubstr("not a valid expression"));
  EXPECT_THAT(complaint("rules = 3\n"), HasSubstr("[[rules]]"));
  EXPECT_THAT(complaint("mode = \"wild\"\n"), HasSubstr("read-only"));
}

}  // namespace
}  // namespace app
