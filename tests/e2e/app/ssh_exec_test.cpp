// `jms exec` over SSH, as a script uses it: no terminal, nobody to ask.

#include <signal.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/e2e/app/ssh_session_fixture.h"
#include "tests/support/free_port.h"

namespace app {
namespace {

class SshExecTest : public SshSession {
 protected:
  SshExecTest() : server_(serve()) { name("server", server_->port()); }

  std::vector<std::string> exec(const std::vector<std::string>& more) {
    auto argv = options();
    argv.insert(argv.begin(), {JMS_BINARY, "exec"});
    argv.push_back(at("server"));
    argv.insert(argv.end(), more.begin(), more.end());
    return argv;
  }
  support::CommandOutput run(const std::vector<std::string>& more, std::string input = {}) {
    return support::run_command({.argv = exec(more), .environment = env_.variables(), .input = std::move(input)});
  }
  static nlohmann::json parse(const std::string& line) { return nlohmann::json::parse(line, nullptr, false); }

  std::unique_ptr<support::Sshd> server_;
};

TEST_F(SshExecTest, GivesTheOutputAndTheExitCode) {
  know(*server_);
  const auto result = run({"--", "printf 'one\\ntwo\\n'; (exit 9)"});
  EXPECT_EQ(result.out, "one\ntwo\n");
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.code, 9);
}

TEST_F(SshExecTest, AsJsonIsOneLine) {
  know(*server_);
  const auto result = run({"--json", "--", "echo hi; (exit 4)"});
  const auto json = parse(result.out);
  ASSERT_TRUE(json.is_object()) << result.out << result.err;
  EXPECT_EQ(json["output"], "hi\n");
  EXPECT_EQ(json["exit_code"], 4);
  EXPECT_EQ(json["command"], "echo hi; (exit 4)");
  EXPECT_EQ(result.code, 4);
}

TEST_F(SshExecTest, ABatchRunsInOneSession) {
  know(*server_);
  const auto result = run({"--batch"}, "{\"command\":\"cd / && mine=kept\"}\n{\"command\":\"pwd; echo $mine\"}\n");
  EXPECT_EQ(result.code, 0) << result.err;
  std::istringstream lines(result.out);
  std::string first, second;
  std::getline(lines, first);
  std::getline(lines, second);
  ASSERT_TRUE(parse(first).is_object() && parse(second).is_object()) << result.out;
  EXPECT_EQ(parse(first)["exit_code"], 0);
  EXPECT_EQ(parse(second)["output"], "/\nkept\n");
}

TEST_F(SshExecTest, ACommandThatTakesTooLongIs124) {
  know(*server_);
  const auto result = run({"--timeout", "1", "--", "echo begun; sleep 60"});
  EXPECT_EQ(result.code, 124) << result.err;
  EXPECT_EQ(result.out, "begun\n");
}

TEST_F(SshExecTest, LeavesStandardInputToOthers) {
  know(*server_);
  auto argv = exec({"--", "echo hi"});
  argv.insert(argv.begin(), {"sh", "-c", "\"$@\"; cat", "sh"});
  const auto result = support::run_command({.argv = argv, .environment = env_.variables(), .input = "the rest\n"});
  EXPECT_EQ(result.out, "hi\nthe rest\n") << result.err;
}

TEST_F(SshExecTest, AnUnknownHostKeyIsRefusedWithASentence) {
  const auto result = run({"--", "echo in"});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("host key of " + at("127.0.0.1")), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("connect once with `jms`"), std::string::npos) << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_EQ(support::read_text(known_hosts_), "# hosts of this test\n");
}

TEST_F(SshExecTest, APassphraseThatNobodyCanTypeIsASentence) {
  know(*server_);
  config_.clear();
  name("server", server_->port(), support::make_key(env_.home(), "locked", {"-N", "correct-horse"}));
  server_->authorize(env_.home().file("locked"));
  const auto result = run({"--", "echo in"});
  EXPECT_EQ(result.code, 1);
  EXPECT_NE(result.err.find("passphrase"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("ssh-agent"), std::string::npos) << result.err;
}

TEST_F(SshExecTest, ARefusedConnectionIsASentence) {
  config_.clear();
  name("server", support::free_port());
  const auto result = run({"--", "echo in"});
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_NE(result.err.find("nothing listens there"), std::string::npos) << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

TEST_F(SshExecTest, ABatchThatCannotConnectFails) {
  config_.clear();
  name("server", support::free_port());
  const auto result = run({"--batch"}, "{\"command\":\"echo one\"}\n{\"command\":\"echo two\"}\n");
  EXPECT_EQ(result.code, 1);
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 1) << "nothing is tried after the end of the link";
  EXPECT_NE(parse(result.out)["note"].get<std::string>().find("nothing listens there"), std::string::npos)
      << result.out;
}

TEST_F(SshExecTest, CtrlCLeavesAStallingServerAtOnce) {
  know(*server_);
  kill(server_->pid(), SIGSTOP);
  auto arguments = exec({"--", "echo in"});
  arguments.erase(arguments.begin());
  launch({}, arguments);
  ASSERT_TRUE(jms_->wait_for("connecting")) << jms_->output();
  jms_->send("\x03");
  EXPECT_EQ(jms_->wait_for_exit(Ms(5000)), (support::Ending{130, 0})) << jms_->output();
  kill(server_->pid(), SIGCONT);
}

}  // namespace
}  // namespace app
