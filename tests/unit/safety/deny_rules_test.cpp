// A deny rule holds for the command as the shell will run it, however it is written; where that cannot be known, the
// operator is asked although the mode would not ask.
#include <gtest/gtest.h>

#include "safety/permission_rules.h"

namespace safety {
namespace {

using Answer = Permission::Answer;

class DenyRules : public ::testing::Test {
 protected:
  DenyRules() {
    rules_.set_mode(Mode::Auto);
    EXPECT_TRUE(rules_.add({RuleAction::Deny, "execute_command", "systemctl stop *"}));
    EXPECT_TRUE(rules_.add({RuleAction::Deny, "execute_command", "docker restart web", "web*"}));
  }
  Permission decide(std::string command) const {
    return rules_.decide({.command = std::move(command), .target = {"web01", {}, {}}});
  }
  Answer answer(std::string command) const { return decide(std::move(command)).answer; }

  PermissionRules rules_;
};

TEST_F(DenyRules, MatchTheWordsThatTheShellWillMake) {
  for (const char* denied :
       {"systemctl stop nginx", "x=systemctl; $x stop nginx", "{systemctl,stop,nginx}", "systemctl {stop,} nginx",
        "docker {restart,} web", "for i in stop; do systemctl $i nginx; done", "systemctl$IFS'stop'$IFS'nginx'",
        "s\\ystemctl stop nginx", "/usr/bin/systemctl stop nginx", "$(echo systemctl) stop nginx", "systemctl stop $x",
        "systemctl stop \"$(cat unit)\"", "X=1 systemctl stop nginx", "echo `systemctl stop nginx`",
        "if true; then systemctl stop nginx; fi", "f() { systemctl stop nginx; }; f"}) {
    EXPECT_EQ(answer(denied), Answer::Refuse) << denied;
    EXPECT_EQ(decide(denied).decided_by, "rule") << denied;
  }
}

TEST_F(DenyRules, SeeThroughProgramsThatRunPrograms) {
  for (const char* denied : {"pkexec systemctl stop nginx",
                             "strace -f systemctl stop nginx",
                             "systemd-run systemctl stop nginx",
                             "systemd-run --unit=x -- systemctl stop nginx",
                             "unshare systemctl stop nginx",
                             "unshare --mount systemctl stop nginx",
                             "find / -maxdepth 0 -exec systemctl stop nginx ';'",
                             "find / -maxdepth 0 -ok systemctl stop nginx ';'",
                             "sudo -u root systemctl stop nginx",
                             "setpriv systemctl stop nginx",
                             "env -i A=b systemctl stop nginx",
                             "exec -a x systemctl stop nginx",
                             "ssh localhost systemctl stop nginx",
                             "ssh localhost 'systemctl stop nginx'",
                             "perf stat systemctl stop nginx",
                             "sh -c 'systemctl stop nginx'",
                             "eval systemctl stop nginx",
                             "su -c 'systemctl stop nginx'",
                             "watch systemctl stop nginx",
                             "find . -exec docker restart web ';'",
                             "sudo sudo sudo sudo sudo sudo sudo sudo sudo sudo systemctl stop nginx"}) {
    EXPECT_EQ(answer(denied), Answer::Refuse) << denied;
  }
}

TEST_F(DenyRules, AreNotPassedByOptionsInBetween) {
  for (const char* denied : {"systemctl --no-block stop nginx", "systemctl -q --now stop nginx",
                             "systemctl -H localhost stop nginx", "systemctl --host localhost stop nginx",
                             "docker -D restart -t 1 web", "docker restart web --time=1", "docker restart -t1 web"}) {
    EXPECT_EQ(answer(denied), Answer::Refuse) << denied;
  }
}

TEST_F(DenyRules, HoldBehindAnyNumberOfOtherCommands) {
  for (const int others : {10, 199, 200, 201, 900}) {
    std::string command;
    for (int i = 0; i < others; ++i) command += "true;";
    EXPECT_EQ(answer(command + "systemctl stop nginx"), Answer::Refuse) << others;
  }
  std::string endless;
  for (int i = 0; i < 40'000; ++i) endless += "true;";
  const auto decision = decide(endless + "systemctl stop nginx");
  EXPECT_NE(decision.answer, Answer::Run);
}

TEST_F(DenyRules, AskAboutWhatMayBecomeTheDeniedCommand) {
  for (const char* unclear : {"$x stop nginx",
                              "\"$x\" stop nginx",
                              "systemctl $x",
                              "systemctl \"$x\" nginx",
                              "systemctl s${x}p nginx",
                              "for i in start stop; do systemctl $i nginx; done",
                              "systemct[l] stop nginx",
                              "/usr/bin/s* stop nginx",
                              "systemctl st?p nginx",
                              "$x",
                              "$x y z",
                              "eval \"$x\"",
                              "sudo $x",
                              "sh -c \"$x\"",
                              "echo stop nginx | xargs systemctl",
                              "echo systemctl stop nginx | xargs env",
                              "echo systemctl stop nginx | xargs -I{} sh -c '{}'",
                              "echo systemctl stop nginx | sh",
                              "sh <<< \"$x\"",
                              "sh -s < /tmp/x",
                              "echo systemctl stop nginx | at now",
                              "python3 -c 'import os; os.system(\"systemctl stop nginx\")'",
                              "perl -e 'exec \"system\".\"ctl\", \"stop\"'",
                              "script -c 'systemctl stop nginx' /dev/null",

                              "tmux new-session -d 'systemctl stop nginx'",
                              "env -S 'systemctl stop nginx'",
                              "alias s='systemctl stop nginx'",
                              "trap 'systemctl stop nginx' EXIT",
                              "PROMPT_COMMAND='systemctl stop nginx'",
                              "PAGER='systemctl stop nginx' git log",
                              "capsh -- systemctl stop nginx",
                              "f() { systemctl \"$@\"; }; f stop nginx",
                              "touch x # ; systemctl stop nginx",
                              "!sys",
                              "echo ${x@P}",
                              "docker restart \"$x\""}) {
    const auto decision = decide(unclear);
    EXPECT_TRUE(decision.answer == Answer::Ask || decision.answer == Answer::AskTwice) << unclear;
    EXPECT_TRUE(decision.maybe_denied) << unclear;
  }
}

TEST_F(DenyRules, LeaveTheRestAlone) {
  for (const char* other : {"systemctl status nginx",
                            "systemctl restart nginx",
                            "systemctl restart stop",
                            "docker restart db",
                            "docker restart web db",
                            "docker stop web",
                            "echo systemctl stop nginx",
                            "grep 'systemctl stop' /var/log/auth.log",
                            "for f in /var/log/*.log; do wc -l \"$f\"; done",
                            "touch systemctl",
                            "mkdir -p /tmp/$x",
                            "touch \"$f\"",
                            "sudo systemctl restart \"$unit\"",
                            "timeout 5 curl -s http://127.0.0.1/ | head",
                            "sed -i 's/^#a/b/' /tmp/x",
                            "find /var -name '*.log' -exec gzip {} +",
                            "ps aux | awk '{print $2}'",
                            "sudo touch /etc/systemctl.conf",
                            "journalctl -u nginx | tail -5",
                            "df -h; touch x",
                            "ls -l \"$(command -v docker)\"",
                            "bash deploy.sh",
                            "make"}) {
    EXPECT_EQ(answer(other), Answer::Run) << other << ": " << decide(other).reason;
  }
  EXPECT_EQ(rules_.decide({.command = "docker restart web", .target = {"db01", {}, {}}}).answer, Answer::Run)
      << "the rule is for other hosts";
  EXPECT_EQ(rules_.decide({.tool = "local_command", .command = "$x stop nginx", .target = {"web01", {}, {}}}).answer,
            Answer::Run)
      << "no rule for that tool";
}

TEST(DenyRulesOfOneWord, MeanTheProgramAndNotAWordOfAnother) {
  PermissionRules rules;
  rules.set_mode(Mode::Auto);
  ASSERT_TRUE(rules.add({RuleAction::Deny, "execute_command", "touch *"}));
  ASSERT_TRUE(rules.add({RuleAction::Deny, "execute_command", "install"}));
  const auto answer = [&](const char* command) { return rules.decide({.command = command, .target = {"h"}}).answer; };
  for (const char* other : {"docker touch x", "mkdir touch", "apt-get install nginx", "apt-get install", "ls touch"})
    EXPECT_EQ(answer(other), Answer::Run) << other;
  for (const char* unclear : {"npm install", "unheard-of touch x"}) EXPECT_EQ(answer(unclear), Answer::Ask) << unclear;
  for (const char* denied :
       {"touch x", "sudo touch x", "nice -n 5 touch", "find . -exec touch {} +", "ls | xargs touch"})
    EXPECT_EQ(answer(denied), Answer::Refuse) << denied;
}

TEST_F(DenyRules, WinOverAllowRulesAndModes) {
  ASSERT_TRUE(rules_.add({RuleAction::Allow, "execute_command", "systemctl stop nginx"}));
  ASSERT_TRUE(rules_.add({RuleAction::Allow, "execute_command", "touch x"}));
  EXPECT_EQ(answer("touch x"), Answer::Run);
  for (const auto mode : {Mode::ReadOnly, Mode::Ask, Mode::Auto}) {
    rules_.set_mode(mode);
    EXPECT_EQ(answer("systemctl stop nginx"), Answer::Refuse);
    EXPECT_EQ(answer("systemctl --quiet stop nginx"), Answer::Refuse);
  }
}

TEST(AskRules, AskAlsoWhereTheWordsAreNotPlain) {
  PermissionRules rules;
  rules.set_mode(Mode::Auto);
  ASSERT_TRUE(rules.add({RuleAction::Ask, "execute_command", "systemctl restart *"}));
  for (const char* asked :
       {"systemctl restart nginx", "x=restart; systemctl $x nginx", "systemctl --quiet restart nginx",
        "pkexec systemctl restart nginx", "systemctl $x nginx"}) {
    const auto decision = rules.decide({.command = asked, .target = {"web01", {}, {}}});
    EXPECT_EQ(decision.answer, Answer::Ask) << asked;
    EXPECT_EQ(decision.decided_by, "rule") << asked;
    EXPECT_FALSE(decision.maybe_denied) << asked;
  }
}

}  // namespace
}  // namespace safety
