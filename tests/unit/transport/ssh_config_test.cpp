#include "transport/ssh/ssh_config.h"

#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"
#include "transport/ssh/pattern.h"

namespace transport {
namespace {

class SshConfig : public testing::Test {
 protected:
  ConfigOptions options_for(const std::string& config) {
    ConfigOptions options;
    options.home = dir_.path();
    options.local_user = "me";
    options.system_config_file = dir_ / "etc_ssh_config";
    dir_.write(".ssh/config", config);
    return options;
  }
  base::Result<std::vector<HostSettings>> chain(const std::string& config, const std::string& host,
                                                const std::string& jump = "") {
    auto options = options_for(config);
    options.jump = jump;
    return resolve_chain(*parse_destination(host), options);
  }
  static std::string labels(const std::vector<HostSettings>& chain) {
    std::string text;
    for (const auto& hop : chain) text += (text.empty() ? "" : " > ") + hop.label();
    return text;
  }

  support::TempDir dir_;
};

TEST_F(SshConfig, ReadsTheUsersFileThenTheSystems) {
  auto options = options_for("Host a\n User mine\n IdentityFile ~/k\n");
  dir_.write("etc_ssh_config", "User system\nPort 2200\nIdentityFile /etc/k\n");
  const auto settings = resolve({"a", "", 0}, options);
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->label(), "mine@a:2200");
  EXPECT_EQ(settings->identity_files, (std::vector<std::string>{dir_ / "k", "/etc/k"}));
}

TEST_F(SshConfig, ListsTheHostsThatCanBeOpenedByName) {
  dir_.write(".ssh/more", "Host included\n");
  const auto hosts = configured_hosts(
      options_for("Include more\nHost web1 web2 *.example !web9\n User x\nHost web1\nMatch host web3\n User y\n"));
  ASSERT_TRUE(hosts) << hosts.error().message;
  EXPECT_EQ(*hosts, (std::vector<std::string>{"included", "web1", "web2"}));
}

TEST_F(SshConfig, NamesFileAndLineOfAnError) {
  const auto settings = resolve({"a", "", 0}, options_for("User x\n\nFrobnicate 1\n"));
  ASSERT_FALSE(settings);
  EXPECT_EQ(settings.error().message, dir_ / ".ssh/config line 3: bad configuration option: frobnicate");
}

TEST_F(SshConfig, RefusesAFileOthersMayWrite) {
  auto options = options_for("");
  dir_.write(".ssh/config", "User x\n", 0666);
  const auto settings = resolve({"a", "", 0}, options);
  ASSERT_FALSE(settings);
  EXPECT_NE(settings.error().message.find("chmod 600"), std::string::npos);
}

TEST_F(SshConfig, FollowsAChainOfJumpHosts) {
  const auto hops = chain("Host a\n User ua\nHost c\n Port 2222\n", "target", "a,b,x@c");
  ASSERT_TRUE(hops) << hops.error().message;
  EXPECT_EQ(labels(*hops), "ua@a > me@b > x@c:2222 > me@target");
}

TEST_F(SshConfig, FollowsTheJumpHostsOwnJumpHost) {
  const auto hops = chain("Host target\n ProxyJump b\nHost b\n ProxyJump a\n", "target");
  ASSERT_TRUE(hops) << hops.error().message;
  EXPECT_EQ(labels(*hops), "me@a > me@b > me@target");
}

TEST_F(SshConfig, KeepsTheProxyCommandOfTheFirstHopOnly) {
  const auto hops = chain("Host *\n ProxyCommand nc %h %p\n", "target", "a,b");
  ASSERT_TRUE(hops) << hops.error().message;
  ASSERT_EQ(hops->size(), 3u);
  EXPECT_EQ((*hops)[0].proxy_command, "nc a 22");
  EXPECT_EQ((*hops)[1].proxy_command, "");
  EXPECT_EQ((*hops)[2].proxy_command, "");
}

TEST_F(SshConfig, StopsAtALoopOfJumpHosts) {
  const auto hops = chain("Host a\n ProxyJump b\nHost b\n ProxyJump a\n", "a");
  ASSERT_FALSE(hops);
  EXPECT_NE(hops.error().message.find("loop"), std::string::npos) << hops.error().message;
}

TEST_F(SshConfig, StopsAJumpHostThatIsTheTargetItself) {
  const auto hops = chain("Host *\n ProxyJump a\n", "a");
  ASSERT_FALSE(hops);
  EXPECT_NE(hops.error().message.find("loop"), std::string::npos) << hops.error().message;
}

TEST_F(SshConfig, GivesTheCommandLinesKeysToTheTargetOnly) {
  auto options = options_for("Host a\n IdentityFile /bastion\n");
  options.jump = "a";
  options.identity_files = {"/mine"};
  options.user = "u";
  const auto hops = resolve_chain({"target", "", 0}, options);
  ASSERT_TRUE(hops);
  EXPECT_EQ((*hops)[0].identity_files, std::vector<std::string>{"/bastion"});
  EXPECT_EQ((*hops)[1].identity_files, std::vector<std::string>{"/mine"});
  EXPECT_EQ(labels(*hops), "me@a > u@target");
}

TEST_F(SshConfig, SaysWhatOnlyTheSystemsSshCanDo) {
  const auto settings = resolve({"a", "", 0}, options_for("ControlPath none\nMatch exec true\n User x\n"));
  ASSERT_TRUE(settings);
  ASSERT_EQ(settings->openssh_only.size(), 1u);
  EXPECT_EQ(settings->openssh_only[0], "Match exec (" + (dir_ / ".ssh/config line 2") + ")");
}

TEST_F(SshConfig, ExpandsTokensAndTheEnvironment) {
  setenv("JMS_TEST_DIR", "/from/env", 1);
  const auto settings = resolve({"a", "", 0}, options_for("HostName %h.lab\nUser bob\nPort 5\n"
                                                          "IdentityFile ${JMS_TEST_DIR}/%h-%p-%r-%n-%d-%u\n"));
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->identity_files[0], "/from/env/a.lab-5-bob-a-" + dir_.path() + "-me");
}

TEST(Destination, ReadsWhatOperatorsType) {
  const auto check = [](const char* text, const Destination& expected) {
    const auto found = parse_destination(text);
    ASSERT_TRUE(found) << text << ": " << found.error().message;
    EXPECT_EQ(*found, expected) << text;
  };
  check("host", {"host", "", 0});
  check("me@host:2222", {"host", "me", 2222});
  check("ssh://me@host:2222/", {"host", "me", 2222});
  check("ssh://a%40b@host", {"host", "a@b", 0});
  check("JMS-1a2b@bastion", {"bastion", "JMS-1a2b", 0});
  check("me@root@10.0.0.1@jump.example", {"jump.example", "me@root@10.0.0.1", 0});
  check("[::1]:22", {"::1", "", 22});
  check("fe80::1%eth0", {"fe80::1%eth0", "", 0});
}

TEST(Destination, RefusesWhatAShellOrSshWouldMisread) {
  for (const char* text : {"", "-oProxyCommand=x", "a b", "$(id)", "`id`", "a;b", "me@", "@host", "-l@host", "host:0",
                           "host:99999", "[::1", "x|y", "a\nb", "u`id`@host"})
    EXPECT_FALSE(parse_destination(text)) << text;
}

TEST(Pattern, StaysFastWithManyStars) {
  EXPECT_FALSE(matches_pattern(std::string(2000, 'a'), "*a*a*a*a*a*a*a*a*a*a*a*a*b"));
  EXPECT_TRUE(matches_pattern("abcabc", "*bc"));
  EXPECT_TRUE(matches_pattern("", "*"));
  EXPECT_FALSE(matches_pattern("ab", "a?c"));
}

}  // namespace
}  // namespace transport
