#include "safety/permission_rules.h"

#include <gtest/gtest.h>

namespace safety {
namespace {

using Answer = Permission::Answer;

Answer decide(const PermissionRules& rules, std::string command, std::string host = "web01") {
  return rules.decide({.command = std::move(command), .target = {host, {"/Default/Web"}, {"env=test"}}}).answer;
}

TEST(PermissionRules, FollowTheMode) {
  PermissionRules rules;
  EXPECT_EQ(decide(rules, "df -h"), Answer::Run);
  EXPECT_EQ(decide(rules, "touch x"), Answer::Ask);
  EXPECT_EQ(decide(rules, "rm -rf x"), Answer::AskTwice);
  rules.set_mode(Mode::Auto);
  EXPECT_EQ(decide(rules, "touch x"), Answer::Run);
  EXPECT_EQ(decide(rules, "rm -rf x"), Answer::AskTwice);
  rules.set_mode(Mode::ReadOnly);
  EXPECT_EQ(decide(rules, "df -h"), Answer::Run);
  EXPECT_EQ(decide(rules, "touch x"), Answer::Refuse);
  EXPECT_EQ(decide(rules, "rm -rf x"), Answer::Refuse);
}

TEST(PermissionRules, ModesOfHostsAreNeverLooserThanTheSessions) {
  PermissionRules rules;
  rules.set_mode(Mode::Auto);
  rules.add_host_mode({"prod-*", Mode::ReadOnly, true});
  rules.add_host_mode({"label:env=test", Mode::Ask, false});
  rules.add_host_mode({"node:/Default/Db*", Mode::ReadOnly, true});
  EXPECT_EQ(rules.mode_for({"prod-db", {}, {}}), Mode::ReadOnly);
  EXPECT_TRUE(rules.is_production({"prod-db", {}, {}}));
  EXPECT_EQ(rules.mode_for({"x", {}, {"env=test"}}), Mode::Ask);
  EXPECT_EQ(rules.mode_for({"x", {"/Default/Web", "/Default/Db/1"}, {}}), Mode::ReadOnly);
  EXPECT_EQ(rules.mode_for({"dev", {}, {}}), Mode::Auto);
  rules.set_mode(Mode::ReadOnly);
  EXPECT_EQ(rules.mode_for({"x", {}, {"env=test"}}), Mode::ReadOnly);
}

TEST(PermissionRules, AllowExactlyWhatTheyName) {
  PermissionRules rules;
  ASSERT_TRUE(rules.add({RuleAction::Allow, "execute_command", "systemctl restart nginx"}));
  ASSERT_TRUE(rules.add({RuleAction::Allow, "execute_command", "kubectl rollout restart *", "k8s-*"}));
  EXPECT_EQ(decide(rules, "systemctl restart nginx"), Answer::Run);
  EXPECT_EQ(decide(rules, "/usr/bin/systemctl  'restart' nginx 2>/dev/null"), Answer::Run);
  EXPECT_EQ(decide(rules, "df -h; systemctl restart nginx"), Answer::Run);
  for (const char* other :
       {"systemctl restart mysql", "systemctl restart nginx mysql", "systemctl restart nginx; touch x",
        "systemctl restart nginx > f", "systemctl restart $x", "X=1 systemctl restart nginx",
        "systemctl restart nginx $(touch x)", "sudo systemctl restart nginx", "systemctl restart ngin[x]",
        "systemctl restart nginx # ; touch x", "systemctl restart nginx; echo ${x@P}"}) {
    EXPECT_EQ(decide(rules, other), Answer::Ask) << other;
  }
  EXPECT_EQ(decide(rules, "kubectl rollout restart deploy/x -n y", "k8s-1"), Answer::Run);
  EXPECT_EQ(decide(rules, "kubectl rollout restart deploy/x -n y", "web01"), Answer::Ask);
}

TEST(PermissionRules, DenyWinsAndSeesThroughWrappers) {
  PermissionRules rules;
  ASSERT_TRUE(rules.add({RuleAction::Allow, "execute_command", "touch *"}));
  ASSERT_TRUE(rules.add({RuleAction::Deny, "execute_command", "touch /etc/*"}));
  ASSERT_TRUE(rules.add({RuleAction::Deny, "execute_command", "reboot"}));
  ASSERT_TRUE(rules.add({RuleAction::Deny, "execute_command", "curl *"}));
  EXPECT_EQ(decide(rules, "touch /tmp/x"), Answer::Run);
  EXPECT_EQ(decide(rules, "touch /etc/x"), Answer::Refuse);
  for (const char* denied : {"sudo reboot", "ls; reboot", "env -i reboot", "sh -c 'reboot'", "echo $(reboot)",
                             "curl http://x", "curl $x", "sudo -n curl http://x | cat", "/sbin/reboot", "r'e'boot"}) {
    EXPECT_EQ(decide(rules, denied), Answer::Refuse) << denied;
  }
}

TEST(PermissionRules, RefuseToKeepDangerousRules) {
  PermissionRules rules;
  for (const char* pattern : {"*",         "* *",       "sys* x",           "bash *",      "bash",        "sh -c *",
                              "python3 *", "python3",   "perl *",           "sudo *",      "sudo",        "sudo bash *",
                              "eval *",    "env *",     "xargs *",          "ssh *",       "find *",      "awk *",
                              "git *",     "kubectl *", "docker *",         "systemctl *", "rm -rf *",    "rm *",
                              "dd *",      "ls; rm x",  "ls | sh",          "touch $x",    "touch $(x)",  "X=1 ls",
                              "ls > f",    "",          "kubectl delete *", "nohup *",     "/bin/bash *", "make *"}) {
    const auto added = rules.add({RuleAction::Allow, "execute_command", pattern});
    EXPECT_FALSE(added) << pattern;
  }
  EXPECT_TRUE(rules.rules().empty());
  for (const char* pattern : {"touch *", "systemctl restart *", "sudo systemctl restart nginx",
                              "python3 /opt/report.py", "kubectl scale * --replicas=2", "git pull"}) {
    EXPECT_TRUE(rules.add({RuleAction::Allow, "execute_command", pattern})) << pattern;
  }
  EXPECT_TRUE(rules.add({RuleAction::Deny, "execute_command", "bash *"})) << "a deny rule may be as wide as it likes";
}

TEST(PermissionRules, LocalCommandsAskOnceRemoteTextWasRead) {
  PermissionRules rules;
  rules.set_mode(Mode::Auto);
  PermissionRequest request{.tool = "local_command", .command = "df -h", .target = {"local", {}, {}}, .tainted = true};
  const auto first = rules.decide(request);
  EXPECT_EQ(first.answer, Answer::Ask);
  EXPECT_NE(first.reason.find("remote"), std::string::npos);
  ASSERT_TRUE(rules.add({RuleAction::Allow, "local_command", "df *"}));
  EXPECT_EQ(rules.decide(request).answer, Answer::Ask) << "a pattern does not name that exact command";
  ASSERT_TRUE(rules.add({RuleAction::Allow, "local_command", "df -h"}));
  EXPECT_EQ(rules.decide(request).answer, Answer::Run);
  request.tainted = false;
  request.command = "ls";
  EXPECT_EQ(rules.decide(request).answer, Answer::Run);
}

TEST(PermissionRules, OffersTheExactRuleForAlways) {
  const auto rule = exact_rule("execute_command", "systemctl restart nginx", {"web01", {}, {}});
  ASSERT_TRUE(rule);
  EXPECT_EQ(rule->pattern, "systemctl restart nginx");
  EXPECT_EQ(rule->host, "web01");
  EXPECT_FALSE(exact_rule("execute_command", "touch a; touch b", {}));
  EXPECT_FALSE(exact_rule("execute_command", "rm -rf x", {}));
  EXPECT_FALSE(exact_rule("execute_command", "bash", {}));
}

TEST(PermissionRules, AllowTheSystemsProgramAndNoOtherOfThatName) {
  PermissionRules rules;
  ASSERT_TRUE(rules.add({RuleAction::Allow, "execute_command", "touch x"}));
  ASSERT_TRUE(rules.add({RuleAction::Allow, "execute_command", "/opt/app/deploy.sh now"}));
  EXPECT_EQ(decide(rules, "/usr/bin/touch x"), Answer::Run);
  EXPECT_EQ(decide(rules, "/tmp/touch x"), Answer::Ask);
  EXPECT_EQ(decide(rules, "./touch x"), Answer::Ask);
  EXPECT_EQ(decide(rules, "/opt/app/deploy.sh now"), Answer::Run);
  EXPECT_EQ(decide(rules, "/tmp/deploy.sh now"), Answer::Ask);
  EXPECT_EQ(decide(rules, "deploy.sh now"), Answer::Ask);
  ASSERT_TRUE(rules.add({RuleAction::Deny, "execute_command", "/opt/app/deploy.sh *"}));
  EXPECT_EQ(decide(rules, "/tmp/deploy.sh now"), Answer::Refuse) << "a denial means every program of that name";
}

TEST(PermissionRules, ReadOnlyModeHoldsForLocalCommandsToo) {
  PermissionRules rules;
  rules.set_mode(Mode::ReadOnly);
  PermissionRequest request{.tool = "local_command", .command = "touch x", .target = {"h"}, .tainted = true};
  EXPECT_EQ(rules.decide(request).answer, Answer::Refuse);
  ASSERT_TRUE(rules.add({RuleAction::Allow, "local_command", "touch x"}));
  EXPECT_EQ(rules.decide(request).answer, Answer::Refuse);
}

TEST(PermissionRules, KnowAHostByAllItsNames) {
  PermissionRules rules;
  rules.add_host_mode({"prod-*", Mode::ReadOnly, true});
  rules.add_host_mode({"web", std::nullopt, true});
  const Target alias{.name = "root@db:2222", .also = {"db", "prod-7.example"}};
  EXPECT_EQ(rules.mode_for(alias), Mode::ReadOnly);
  EXPECT_EQ(rules.host_mode({.name = "web"}), std::nullopt) << "only marked";
  EXPECT_TRUE(rules.is_production({.name = "web"}));
  EXPECT_EQ(rules.mode_for({.name = "web"}), Mode::Ask);
}

TEST(PermissionRules, AnExactRuleMeansNothingElse) {
  EXPECT_FALSE(exact_rule("execute_command", "touch 'a*'", {"h"})) << "in a rule it would be a pattern";
  const auto rule = exact_rule("execute_command", "touch x", {.name = "root@[::1]:22"});
  ASSERT_TRUE(rule);
  EXPECT_TRUE(matches_target(rule->host, {.name = "root@[::1]:22"}));
  EXPECT_FALSE(matches_target(rule->host, {.name = "root@::22"}));
}

}  // namespace
}  // namespace safety
