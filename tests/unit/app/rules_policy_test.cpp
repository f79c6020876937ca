// The rules an operator keeps: the file they stand in, and what answers in the panel make of them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cerrno>
#include <csignal>
#include <fstream>

#include "app/assistant/rules_file.h"
#include "app/assistant/safety_bridge.h"
#include "tests/support/temp_dir.h"

namespace app {
namespace {

using agent::ApprovalScope;
using agent::Decision;
using testing::ElementsAre;
using testing::HasSubstr;

class RulesPolicyTest : public testing::Test {
 protected:
  std::string path() const { return directory_.file("jms/rules.toml"); }
  RulesPolicy policy(safety::Mode mode = safety::Mode::Ask) const {
    safety::PermissionRules permissions;
    permissions.set_mode(mode);
    const auto saved = load_rules(path());
    EXPECT_TRUE(saved) << saved.error().message;
    for (const auto& rule : saved.value_or(std::vector<safety::Rule>())) EXPECT_TRUE(permissions.add(rule));
    return RulesPolicy(
        {.target = {.name = "web01"}, .user = "deploy", .permissions = permissions, .rules_path = path()});
  }
  static agent::ApprovalRequest wish(const std::string& command, const std::string& tool = "execute_command") {
    agent::ApprovalRequest request;
    request.tool = tool;
    request.subject = command;
    request.classification = command_classifier()(command);
    request.place = tool == "local_command" ? agent::Place::operator_machine : agent::Place::remote;
    request.tainted = true;
    return request;
  }

  support::TempDir directory_;
};

TEST_F(RulesPolicyTest, FollowsTheModesWithAndWithoutAnOperator) {
  using Kind = Decision::Kind;
  using safety::Mode;
  constexpr auto kReads = "df -h", kChanges = "touch x", kDestroys = "rm -rf /srv";
  const struct {
    Mode mode;
    std::string command;
    Kind asked, headless, allowed;  ///< With an operator; with none; with none and --yes-changes.
  } cases[] = {
      {Mode::ReadOnly, kReads, Kind::allow, Kind::allow, Kind::allow},
      {Mode::ReadOnly, kChanges, Kind::deny, Kind::deny, Kind::deny},
      {Mode::ReadOnly, kDestroys, Kind::deny, Kind::deny, Kind::deny},
      {Mode::Ask, kReads, Kind::allow, Kind::allow, Kind::allow},
      {Mode::Ask, kChanges, Kind::ask, Kind::deny, Kind::allow},
      {Mode::Ask, kDestroys, Kind::ask, Kind::deny, Kind::deny},
      {Mode::Auto, kReads, Kind::allow, Kind::allow, Kind::allow},
      {Mode::Auto, kChanges, Kind::allow, Kind::allow, Kind::allow},
      {Mode::Auto, kDestroys, Kind::ask, Kind::deny, Kind::deny},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.command + " in mode " + std::to_string(static_cast<int>(one.mode)));
    safety::PermissionRules modes;
    modes.set_mode(one.mode);
    const auto decides = [&](bool headless, bool allow_changes) {
      return RulesPolicy({.target = {.name = "web01"},
                          .user = "deploy",
                          .permissions = modes,
                          .rules_path = {},
                          .headless = headless,
                          .allow_changes = allow_changes})
          .decide(wish(one.command))
          .kind;
    };
    EXPECT_EQ(decides(false, false), one.asked);
    EXPECT_EQ(decides(true, false), one.headless);
    EXPECT_EQ(decides(true, true), one.allowed);
  }
}

TEST_F(RulesPolicyTest, TheApprovalShowsWhereAsWhomAndTheRuleThatWouldBeSaved) {
  auto request = wish("systemctl restart nginx");
  policy().describe(request);
  EXPECT_EQ(request.target, "web01");
  EXPECT_EQ(request.user, "deploy");
  EXPECT_EQ(request.always_rule, "allow execute_command \"systemctl restart nginx\" on web01");
  EXPECT_TRUE(request.may_last);
  EXPECT_EQ(request.taint, "");

  auto piped = wish("touch a; touch b");
  policy().describe(piped);
  EXPECT_EQ(piped.always_rule, "");
  EXPECT_THAT(piped.always_refused, HasSubstr("one plain command"));
  EXPECT_TRUE(piped.may_last);

  auto destructive = wish("rm -rf /srv");
  policy().describe(destructive);
  EXPECT_EQ(destructive.always_rule, "");
  EXPECT_FALSE(destructive.may_last);

  auto local = wish("ls", "local_command");
  policy().describe(local);
  EXPECT_EQ(local.target, "this machine");
  EXPECT_THAT(local.taint, HasSubstr("remote host was read"));
}

TEST_F(RulesPolicyTest, AlwaysIsKnownToTheNextSession) {
  auto first = policy();
  ASSERT_EQ(first.decide(wish("systemctl restart nginx")).kind, Decision::Kind::ask);
  ASSERT_TRUE(first.remember(wish("systemctl restart nginx"), ApprovalScope::always));
  ASSERT_TRUE(first.remember(wish("systemctl restart nginx"), ApprovalScope::always)) << "once is enough";
  auto second = policy();
  const auto decision = second.decide(wish("systemctl restart nginx"));
  EXPECT_EQ(decision.kind, Decision::Kind::allow);
  EXPECT_EQ(decision.by, agent::DecidedBy::rule);
  EXPECT_EQ(second.decide(wish("systemctl restart mysql")).kind, Decision::Kind::ask);
  EXPECT_EQ(load_rules(path())->size(), 1u);
  struct stat info {};
  ASSERT_EQ(::stat(path().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST_F(RulesPolicyTest, AlwaysIsRefusedForWhatRunsAnything) {
  auto rules = policy();
  for (const char* command : {"sudo bash", "bash", "python3", "eval x", "rm -rf /srv", "touch a | tee b"}) {
    const auto kept = rules.remember(wish(command), ApprovalScope::always);
    EXPECT_FALSE(kept) << command;
  }
  EXPECT_TRUE(load_rules(path())->empty());
}

TEST_F(RulesPolicyTest, ThisSessionHoldsForTheExactCommandAndThisSession) {
  auto first = policy();
  ASSERT_TRUE(first.remember(wish("touch a | tee b"), ApprovalScope::session));
  EXPECT_EQ(first.decide(wish("touch a | tee b")).kind, Decision::Kind::allow);
  EXPECT_EQ(first.decide(wish("touch a | tee c")).kind, Decision::Kind::ask);
  first.set_mode(safety::Mode::ReadOnly);
  EXPECT_EQ(first.decide(wish("touch a | tee b")).kind, Decision::Kind::deny) << "the mode is stricter";
  EXPECT_EQ(policy().decide(wish("touch a | tee b")).kind, Decision::Kind::ask);
  EXPECT_FALSE(first.remember(wish("rm -rf /srv"), ApprovalScope::session));
}

TEST_F(RulesPolicyTest, AfterRemoteTextALocalCommandAsksUnlessARuleNamesIt) {
  auto rules = policy(safety::Mode::Auto);
  EXPECT_EQ(rules.decide(wish("ls -l", "local_command")).kind, Decision::Kind::ask);
  ASSERT_TRUE(rules.remember(wish("ls -l", "local_command"), ApprovalScope::always));
  EXPECT_EQ(rules.decide(wish("ls -l", "local_command")).kind, Decision::Kind::allow);
  EXPECT_EQ(rules.decide(wish("ls -la", "local_command")).kind, Decision::Kind::ask);
}

TEST_F(RulesPolicyTest, ASecretGoesIntoACommandOnlyWhenSomebodySawIt) {
  for (const auto mode : {safety::Mode::ReadOnly, safety::Mode::Ask, safety::Mode::Auto})
    EXPECT_EQ(policy(mode).decide(wish("echo '<secret:password:1>'")).kind, Decision::Kind::ask);
  auto rules = policy(safety::Mode::Auto);
  EXPECT_EQ(rules.decide(wish("mysql -p'<secret:password:1>' -e 'flush logs'")).kind, Decision::Kind::ask);
  ASSERT_TRUE(rules.remember(wish("mysql -p'<secret:password:1>' -e 'flush logs'"), ApprovalScope::session));
  EXPECT_EQ(rules.decide(wish("mysql -p'<secret:password:1>' -e 'flush logs'")).kind, Decision::Kind::allow);
  auto request = wish("echo '<secret:password:1>'");
  rules.describe(request);
  EXPECT_EQ(request.always_rule, "");
  EXPECT_FALSE(rules.remember(request, ApprovalScope::always));
}

TEST_F(RulesPolicyTest, WithoutAnOperatorASecretAndWhatMayBeDeniedAreRefused) {
  safety::PermissionRules permissions;
  permissions.set_mode(safety::Mode::Auto);
  ASSERT_TRUE(permissions.add({safety::RuleAction::Deny, "execute_command", "systemctl stop *"}));
  RulesPolicy automatic({.target = {.name = "web01"}, .permissions = permissions, .headless = true});
  EXPECT_EQ(automatic.decide(wish("touch x")).kind, Decision::Kind::allow);
  EXPECT_EQ(automatic.decide(wish("mysql -p'<secret:password:1>'")).kind, Decision::Kind::deny);
  EXPECT_EQ(automatic.decide(wish("systemctl $x nginx")).kind, Decision::Kind::deny);

  RulesPolicy permitted(
      {.target = {.name = "web01"}, .permissions = permissions, .headless = true, .allow_changes = true});
  EXPECT_EQ(permitted.decide(wish("touch x")).kind, Decision::Kind::allow);
  EXPECT_EQ(permitted.decide(wish("systemctl $x nginx")).kind, Decision::Kind::deny)
      << "--yes-changes says yes to changes, not to what a rule denies";
}

TEST_F(RulesPolicyTest, WhatMayBecomeADeniedCommandAsksEveryTime) {
  ASSERT_TRUE(save_rule(path(), {safety::RuleAction::Deny, "execute_command", "systemctl stop *", "*"}));
  auto rules = policy(safety::Mode::Auto);
  ASSERT_TRUE(rules.remember(wish("systemctl $x nginx"), ApprovalScope::session));
  EXPECT_EQ(rules.decide(wish("systemctl $x nginx")).kind, Decision::Kind::ask);
}

TEST_F(RulesPolicyTest, ARuleThatDoesNotFitOnTheDiskLeavesTheFileAsItWas) {
  ASSERT_TRUE(save_rule(path(), {safety::RuleAction::Deny, "execute_command", "curl *", "*"}));
  const auto before = support::read_text(path());
  ::signal(SIGXFSZ, SIG_IGN);
  struct rlimit unlimited {};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &unlimited), 0);
  const struct rlimit full { before.size() + 20, unlimited.rlim_max };
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &full), 0);
  errno = EBADF;  // What an earlier call left there is not the reason.
  const auto saved = save_rule(path(), {safety::RuleAction::Allow, "execute_command", "touch x", "*"});
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &unlimited), 0);
  ASSERT_FALSE(saved);
  EXPECT_THAT(saved.error().message, HasSubstr("File too large"));
  EXPECT_EQ(support::read_text(path()), before);
  const auto loaded = load_rules(path());
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->size(), 1u);
}

TEST_F(RulesPolicyTest, AFileThatOthersCanWriteIsNotUsed) {
  ASSERT_TRUE(save_rule(path(), {safety::RuleAction::Allow, "execute_command", "touch x", "web01"}));
  ASSERT_EQ(::chmod(path().c_str(), 0666), 0);
  const auto loaded = load_rules(path());
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().message, HasSubstr("chmod 600"));
}

TEST_F(RulesPolicyTest, ABrokenFileIsAnErrorAndNotAnEmptyOne) {
  ASSERT_TRUE(save_rule(path(), {safety::RuleAction::Deny, "execute_command", "curl *", "*"}));
  std::ofstream(path(), std::ios::app) << "[[rules]]\naction = \"allow\"\ncommand = \"bash *\"\n";
  const auto loaded = load_rules(path());
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().message, HasSubstr("bash runs whatever"));
  EXPECT_FALSE(save_rule(path(), {safety::RuleAction::Allow, "execute_command", "touch y", "*"}));
}

}  // namespace
}  // namespace app
