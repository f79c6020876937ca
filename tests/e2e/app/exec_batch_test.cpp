// `jms exec --batch`: lines come from anywhere, and waiting for one holds nothing up.
#include <gmock/gmock.h>
#include <signal.h>

#include "tests/e2e/app/command_fixture.h"
#include "tests/e2e/app/session_fixture.h"
#include "tests/support/eventually.h"
#include "tests/support/process_info.h"

namespace app {
namespace {

using testing::HasSubstr;

class BatchAtATerminal : public BareSession {
 protected:
  /// Runs one command, so that jms is waiting for the next line.
  void run_one() {
    launch({24, 120}, {"exec", "local", "--batch"});
    enter(R"({"command":"echo fir''st"})");
    ASSERT_TRUE(jms_->wait_for(R"("output":"first\n")")) << jms_->output();
    ASSERT_TRUE(jms_->wait_for("}\r\n"));
  }
};

TEST_F(BatchAtATerminal, CtrlCWhileItWaitsForALineEndsIt) {
  ASSERT_NO_FATAL_FAILURE(run_one());
  jms_->send("\x03");
  EXPECT_EQ(jms_->wait_for_exit(), (support::Ending{130, 0})) << jms_->output();
}

TEST_F(BatchAtATerminal, CtrlCBeforeTheFirstLineEndsIt) {
  launch({24, 120}, {"exec", "local", "--batch"});
  // Until jms holds the signal it ends by it, as any program does.
  ASSERT_TRUE(support::eventually([this] { return support::catches(jms_->pid(), SIGINT); }));
  jms_->send("\x03");
  EXPECT_EQ(jms_->wait_for_exit(), (support::Ending{130, 0})) << jms_->output();
}

TEST_F(BatchAtATerminal, CtrlCInACommandStopsOnlyThatCommand) {
  ASSERT_NO_FATAL_FAILURE(run_one());
  enter(R"({"command":"echo beg''un > begun; sleep 100"})");
  ASSERT_TRUE(support::eventually([this] { return std::filesystem::exists(env_.home().file("begun")); }));
  jms_->send("\x03");
  ASSERT_TRUE(jms_->wait_for(R"("status":"interrupted")")) << jms_->output();
  enter(R"({"command":"echo sec''ond"})");
  EXPECT_TRUE(jms_->wait_for(R"("output":"second\n")")) << jms_->output();
  jms_->send("\x04");
  EXPECT_EQ(jms_->wait_for_exit(), (support::Ending{0, 0})) << jms_->output();
}

TEST_F(BatchAtATerminal, SigtermWhileItWaitsForALineEndsIt) {
  ASSERT_NO_FATAL_FAILURE(run_one());
  jms_->kill(SIGTERM);
  EXPECT_EQ(jms_->wait_for_exit(), (support::Ending{0, SIGTERM})) << jms_->output();
}

class BatchInAScript : public CommandTest {
 protected:
  /// What comes of a script in which `$0` is the program; it runs in the test's home.
  support::CommandOutput sh(const std::string& script, std::string input = {}) const {
    return support::run_command({.argv = {"sh", "-c", "cd \"$HOME\" || exit; " + script, JMS_BINARY},
                                 .environment = env_.variables(),
                                 .input = std::move(input)});
  }
  static std::string command(const std::string& line) { return Json{{"command", line}}.dump(); }
};

TEST_F(BatchInAScript, ReadsAFileAndALastLineWithoutANewline) {
  const auto file = env_.home().write("lines", command("echo one") + "\n\n" + command("echo two"));
  const auto result = sh("\"$0\" exec local --batch < " + file);
  EXPECT_EQ(result.code, 0) << result.err;
  const auto found = json_lines(result.out);
  ASSERT_EQ(found.size(), 2u) << result.out;
  EXPECT_EQ(found[0]["output"], "one\n");
  EXPECT_EQ(found[1]["output"], "two\n");
}

TEST_F(BatchInAScript, ReadsAPipeAsItComesAndALastLineWithoutANewline) {
  // The second half of a line comes after the first command has run.
  const auto result = sh("{ printf '%s\\n%.12s' '" + command("echo one > here") + "' '" + command("echo two") +
                         "'; until test -e here; do sleep 0.02; done; printf '%s' '" + command("echo two").substr(12) +
                         "'; } | \"$0\" exec local --batch");
  EXPECT_EQ(result.code, 0) << result.err;
  const auto found = json_lines(result.out);
  ASSERT_EQ(found.size(), 2u) << result.out;
  EXPECT_EQ(found[1]["output"], "two\n");
}

TEST_F(BatchInAScript, NothingToReadIsTheEnd) {
  const auto result = sh("\"$0\" exec local --batch < /dev/null");
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, "");
}

TEST_F(BatchInAScript, ManyLinesAtOnceAreAllRun) {
  std::string lines;
  for (int i = 0; i < 20; ++i)
    lines += command("echo line-" + std::to_string(i) + " # " + std::string(8000, 'x')) + "\n";
  const auto result = run({"exec", "local", "--batch"}, lines);
  EXPECT_EQ(result.code, 0) << result.err;
  const auto found = json_lines(result.out);
  ASSERT_EQ(found.size(), 20u);
  EXPECT_EQ(found.back()["output"], "line-19\n");
}

TEST_F(BatchInAScript, LeavesTheInputAsItWasForTheNextReader) {
  // Whoever shares the pipe would read "resource temporarily unavailable" from one that was left non-blocking.
  const auto result =
      sh("echo '{\"command\":\"true\"}' | "
         "{ grep flags /proc/self/fdinfo/0; \"$0\" exec local --batch > /dev/null; grep flags /proc/self/fdinfo/0; }");
  const auto flags = lines(result.out);
  ASSERT_EQ(flags.size(), 2u) << result.out << result.err;
  EXPECT_EQ(flags[0], flags[1]);
}

}  // namespace
}  // namespace app
