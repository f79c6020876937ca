// Shells within shells, and clients with prompts of their own.
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/support/exec/shell_session.h"

namespace remote_exec {
namespace {

using std::chrono::milliseconds;
using support::request;
using support::shell_named;
using support::ShellSession;

TEST(Nested, AShellInAShellIsProvenAndLeftAgain) {
  for (const char* inner :
       {"dash -i", "zsh -f", "bash --norc", "busybox ash -i", "mksh -i", "tcsh -f", "fish --no-config"}) {
    SCOPED_TRACE(inner);
    ShellSession s(shell_named("bash", {"PS1=outer$ "}));
    s.run("echo ready");
    const auto opened = s.run(inner);
    EXPECT_EQ(opened.status, Status::done);
    EXPECT_EQ(opened.reason, Reason::end_not_seen) << s.screen_text();
    EXPECT_EQ(opened.exit_code, std::nullopt);
    EXPECT_EQ(s.run("echo inside").output, "inside\n") << s.screen_text();
    auto leave = request("exit");
    leave.session_end = SessionEnd::agreed;
    const auto left = s.run(leave);
    EXPECT_EQ(left.status, Status::done) << s.screen_text();
    EXPECT_EQ(s.run("echo $BASH_VERSION | cut -c1").output, "5\n") << s.screen_text();
  }
}

TEST(Nested, AShellTheOperatorOpenedIsProvenAnew) {
  ShellSession s(shell_named("bash"));
  s.run("echo ready");
  ASSERT_TRUE(s.wait_idle());
  s.session->type("fish --no-config\r");
  ASSERT_TRUE(s.wait([&] {
    return look_at(s.session->screen()).before_cursor.ends_with("# ") ||
           look_at(s.session->screen()).before_cursor.ends_with("> ");
  }));
  EXPECT_EQ(s.run("echo in fish; echo $status").output, "in fish\n0\n") << s.screen_text();
  EXPECT_EQ(s.session->shell().memory().dialect->shell, Shell::fish);
}

TEST(Nested, AnotherShellBehindTheSamePromptRunsNothingAndIsThenKnown) {
  ShellSession s(shell_named("bash"));
  s.run("echo ready");
  ASSERT_TRUE(s.wait_idle());
  s.session->type("exec tcsh -f\r");
  const std::string first_prompt = getuid() == 0 ? "# " : "> ";
  ASSERT_TRUE(s.wait([&] { return look_at(s.session->screen()).before_cursor == first_prompt; }));
  s.session->type("set prompt='$ '\r");
  ASSERT_TRUE(s.wait([&] { return look_at(s.session->screen()).before_cursor == "$ "; }));
  const auto first = s.run("echo wrong words");
  EXPECT_EQ(first.status, Status::rejected) << s.screen_text();
  EXPECT_EQ(first.exit_code, std::nullopt);
  EXPECT_EQ(s.run("echo right words").output, "right words\n") << s.screen_text();
  EXPECT_EQ(s.session->shell().memory().dialect->shell, Shell::csh);
}

TEST(Clients, SqliteIsSpokenToAtItsPrompt) {
  ShellSession s({"sqlite3", {"sqlite3", ":memory:"}});
  const auto made = s.run("create table t(a); insert into t values (1),(2);");
  EXPECT_EQ(made.status, Status::done) << s.screen_text();
  EXPECT_EQ(made.framing, Framing::prompt);
  EXPECT_EQ(made.exit_code, std::nullopt);
  EXPECT_EQ(s.run("select * from t;").output, "1\n2\n");
  EXPECT_EQ(s.run("select * from t").reason, Reason::refused);
  EXPECT_EQ(s.run("select 'x' from t where a='1;").reason, Reason::continuation);
}

TEST(Clients, PythonIsSpokenToAtItsPrompt) {
  ShellSession s({"python", {"/usr/bin/python3", "-q"}});
  EXPECT_EQ(s.run("print(6*7)").output, "42\n") << s.screen_text();
  EXPECT_EQ(s.run("import time; print('a'); time.sleep(20)", milliseconds(500)).status, Status::timeout);
  EXPECT_EQ(s.run("print('still here')").output, "still here\n");
}

/// It never came back from the first blank line.
TEST(Clients, BlankLinesAreOutputLikeAnyOther) {
  ShellSession sqlite({"sqlite3", {"sqlite3", ":memory:"}});
  EXPECT_EQ(sqlite.run("select 'a' union all select '' union all select '' union all select 'b';").output,
            "a\n\n\nb\n");
  EXPECT_EQ(sqlite.run("select '';").output, "\n");
  ShellSession python({"python", {"/usr/bin/python3", "-q"}});
  EXPECT_EQ(python.run("print('a\\n\\n\\nb\\n')").output, "a\n\n\nb\n\n") << python.screen_text();
}

/// A switch: knows two commands, pages its output, complains about everything else.
const char* const kDevice = R"(
import sys, tty, os
tty.setraw(0)
name = sys.argv[1]
def out(text): os.write(1, text.replace('\n', '\r\n').encode())
def key(): return os.read(0, 1).decode()
out(name)
line = ''
while True:
    c = key()
    if c == '\r':
        out('\n')
        word = line.strip()
        if word == 'display version':
            for n in range(1, 31):
                out('row %d\n' % n)
                if n % 10 == 0 and n < 30:
                    out('  ---- More ----'); key(); out('\x1b[16D                \x1b[16D')
        elif word == 'super':
            out('Password: ')
            while key() != '\r': pass
            out('\nNow privileged.\n')
        elif word == 'system-view':
            name = '[' + name.strip('<>') + ']'
        elif word:
            out("      ^\nError: Unrecognized command found at '^' position.\n")
        line = ''
        out(name)
    elif c == '\x15': line = ''
    elif c == '\x03': line = ''; out('\n' + name)
    else: line += c; out(c)
)";

TEST(Clients, ANetworkDeviceIsSpokenToAtItsPromptAndItsPagesAreTurned) {
  ShellSession s({"device", {"/usr/bin/python3", "-c", kDevice, "<HUAWEI>"}});
  const auto result = s.run("display version");
  std::string rows;
  for (int i = 1; i <= 30; ++i) rows += "row " + std::to_string(i) + "\n";
  EXPECT_EQ(result.output, rows) << s.screen_text();
  EXPECT_EQ(result.framing, Framing::prompt);
  EXPECT_EQ(result.exit_code, std::nullopt);
  EXPECT_EQ(s.run("system-view").status, Status::done);
  EXPECT_NE(s.run("nonsense").output.find("Unrecognized command"), std::string::npos);
}

/// The panel was not told, so the operator would have typed the secret into it.
TEST(Clients, ASecretThatADeviceAsksForIsTheOperatorsToType) {
  ShellSession s({"device", {"/usr/bin/python3", "-c", kDevice, "<HUAWEI>"}});
  s.run("system-view");
  s.begin(request("super", true, milliseconds(1500)));
  ASSERT_TRUE(s.wait([&] { return !s.states.empty() && s.states.back() == RunState::needs_input; })) << s.screen_text();
  EXPECT_FALSE(s.wait([&] { return s.result.has_value(); }, milliseconds(2500))) << "the time is the operator's";
  s.session->type("hidden\r");
  ASSERT_TRUE(s.wait([&] { return s.result.has_value(); }));
  EXPECT_EQ(status_name(s.result->status), status_name(Status::done));
  EXPECT_EQ(s.result->output, "Password: \nNow privileged.\n") << s.screen_text();
  EXPECT_EQ(s.run("super").reason, Reason::password);
}

}  // namespace
}  // namespace remote_exec
