#include "skills/step_tools.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using skills::absent_tools;
using skills::tool_checks;
using skills::tools_of;
using skills::tools_without;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(StepTools, AreTheProgramsAStepNames) {
  EXPECT_THAT(tools_of("df -P | grep -v x | sort | grep y"), ElementsAre("df", "grep", "sort"));
  EXPECT_THAT(tools_of("echo a; printf b; [ -r x ] && test -e y; cd /; true"), IsEmpty());
  EXPECT_THAT(tools_of("timeout 5 openssl s_client; sudo dmesg; nice -n 5 du"),
              ElementsAre("timeout", "openssl", "sudo", "dmesg", "nice"));
  EXPECT_THAT(tools_of("command -v openssl; which ss; type ip; command lsof"), ElementsAre("lsof"));
  EXPECT_THAT(tools_of("ls -l \"$(readlink -f x)\" <(cat y)"), ElementsAre("readlink", "cat", "ls"));
  EXPECT_THAT(tools_of("for f in *; do if [ -r $f ]; then wc $f; else stat $f; fi; done"), ElementsAre("wc", "stat"));
  EXPECT_THAT(tools_of("f() { uname; }; f; $x y; /opt/tool -v; 'a b'"), ElementsAre("/opt/tool"));
  EXPECT_THAT(tools_of("LC_ALL=C ls"), ElementsAre("ls"));
  EXPECT_THAT(tools_of(""), IsEmpty());
}

struct Missing {
  const char* command;
  const char* without;
  std::vector<std::string> lacking;
  bool works;
};

TEST(StepTools, DecideWhatAStepIsWorthWhereOneIsMissing) {
  const Missing rows[] = {
      {"du /var | sort | head", "sort", {"sort"}, false},
      {"du /var | sort | head", "awk", {}, true},
      {"ss -l 2>/dev/null || netstat -l || cat /proc/net/tcp", "ss", {}, true},
      {"ss -l || netstat -l", "netstat", {}, true},
      {"systemctl --failed || echo 'no systemd here'", "systemctl", {"systemctl"}, false},
      {"uname -a; lsb_release -a", "lsb_release", {"lsb_release"}, true},
      {"command -v openssl || echo 'not installed'", "openssl", {}, true},
      {"if command -v ss; then ss -l; else netstat -l; fi", "netstat", {}, true},
      {"if command -v ss; then ss -l; else netstat -l; fi", "ss", {}, true},
      {"if command -v ss; then ss -l; else echo none; fi", "ss", {"ss"}, false},
      {"for f in *; do [ -r $f ] && openssl x509 <$f; done", "openssl", {"openssl"}, false},
      {"case $x in a) ip a;; *) ifconfig;; esac", "ip", {}, true},
      {"journalctl | grep -c x", "journalctl", {"journalctl"}, false},
      {"timeout 5 openssl s_client", "openssl", {"openssl"}, false},
      {"df -h && lsblk", "lsblk", {"lsblk"}, true},
      {"df 'unfinished", "df", {}, true},
  };
  for (const auto& row : rows) {
    const auto found = tools_without(row.command, {row.without});
    EXPECT_EQ(found.lacking, row.lacking) << row.command << " without " << row.without;
    EXPECT_EQ(found.works, row.works) << row.command << " without " << row.without;
  }
}

TEST(StepTools, AreAskedForInLinesThatBusyBoxTakes) {
  EXPECT_THAT(tool_checks({"df", "awk"}), ElementsAre("command -v df; command -v awk; true"));
  EXPECT_THAT(tool_checks({}), IsEmpty());
  const std::vector<std::string> many(100, "some-program");
  const auto checks = tool_checks(many);
  EXPECT_GT(checks.size(), 5u);
  for (const auto& check : checks) EXPECT_LT(check.size(), 510u);
}

TEST(StepTools, AreAbsentWhenTheCheckShowsOthersAndNotThem) {
  const std::vector<std::string> tools = {"df", "ls", "awk", "[", "ss"};
  EXPECT_THAT(absent_tools(tools, "/bin/df\r\nalias ls='ls --color'\r\nawk\n["), ElementsAre("ss"));
  EXPECT_THAT(absent_tools(tools, "/bin/sdf\n/bin/awk\n"), ElementsAre("[", "df", "ls", "ss"));
  EXPECT_THAT(absent_tools(tools, "Command not found.\n"), IsEmpty());
  EXPECT_THAT(absent_tools({}, "x"), IsEmpty());
}

}  // namespace
