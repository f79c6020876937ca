// The drivers that the end-to-end tests stand on, tried on programs everybody knows.

#include <gtest/gtest.h>
#include <signal.h>

#include "tests/support/process_info.h"
#include "tests/support/pty_program.h"
#include "tests/support/run_command.h"
#include "tests/support/tmux.h"

namespace support {
namespace {

class PtyProgramTest : public testing::Test {
 protected:
  PtyProgram launch(std::vector<std::string> argv, base::Size size = {}) {
    return PtyProgram({.argv = std::move(argv), .environment = env_.variables(), .size = size});
  }
  TestEnv env_;
};

TEST_F(PtyProgramTest, TypesAndReadsInTurn) {
  auto shell = launch({"sh"});
  ASSERT_TRUE(shell.wait_for("$ "));
  shell.send("echo a''b\r");
  ASSERT_TRUE(shell.wait_for("ab\r\n"));
  ASSERT_TRUE(shell.wait_for("$ "));
  shell.send("exit 7\r");
  EXPECT_EQ(shell.wait_for_exit(), (Ending{7, 0}));
}

TEST_F(PtyProgramTest, ReportsTheSignalThatEndedTheProgram) {
  auto shell = launch({"sh", "-c", "echo up; exec sleep 100"});
  ASSERT_TRUE(shell.wait_for("up"));
  shell.kill(SIGTERM);
  EXPECT_EQ(shell.wait_for_exit(), (Ending{0, SIGTERM}));
}

TEST_F(PtyProgramTest, KeepsWhatAProgramWroteJustBeforeItsEnd) {
  auto shell = launch({"sh", "-c", "seq 1 20000; printf last"});
  ASSERT_TRUE(shell.wait_for_exit());
  EXPECT_TRUE(shell.output().ends_with("20000\r\nlast"));
}

TEST_F(PtyProgramTest, ShowsTheLineSettingsAProgramLeftBehind) {
  auto shell = launch({"sh", "-c", "read line; stty raw -echo"});
  EXPECT_NE(shell.settings().c_lflag & ICANON, 0u);
  shell.send("go\r");
  ASSERT_TRUE(shell.wait_for_exit());
  EXPECT_EQ(shell.settings().c_lflag & ICANON, 0u);
}

TEST_F(PtyProgramTest, DrawsVimAndComesBackFromIt) {
  auto vim = launch({"vim", "-u", "NONE", env_.home().write("note", "hello from a file\n")});
  ASSERT_TRUE(vim.wait_for_screen("hello from a file"));
  EXPECT_TRUE(vim.screen().alternate());
  vim.send(":q!\r");
  EXPECT_EQ(vim.wait_for_exit(), (Ending{0, 0}));
  EXPECT_FALSE(vim.screen().alternate());
}

TEST_F(PtyProgramTest, TellsTheProgramItsSize) {
  auto shell = launch({"sh", "-c", "stty size; read x; stty size"}, {30, 101});
  ASSERT_TRUE(shell.wait_for("30 101"));
  shell.resize({12, 40});
  shell.send("\r");
  EXPECT_TRUE(shell.wait_for("12 40"));
}

TEST_F(PtyProgramTest, AnswersACursorQueryOnce) {
  auto shell = launch({"sh", "-c", "stty -icanon -echo; printf '\\033[6n'; head -c 6 | od -c"});
  EXPECT_TRUE(shell.wait_for("033   [   1   ;   1   R"));
  EXPECT_EQ(shell.answers(), "\x1b[1;1R");
}

TEST_F(PtyProgramTest, AHangUpReachesTheProgram) {
  auto shell = launch({"sh", "-c", "echo up; exec sleep 100"});
  ASSERT_TRUE(shell.wait_for("up"));
  shell.hang_up();
  EXPECT_EQ(shell.wait_for_exit(), (Ending{0, SIGHUP}));
}

class TmuxTest : public testing::Test {
 protected:
  TestEnv env_;
};

TEST_F(TmuxTest, ShowsWhatWasTyped) {
  Tmux tmux(env_, {10, 40});
  tmux.start({"sh"});
  ASSERT_TRUE(tmux.wait_for_text("^\\$"));
  tmux.type("stty size; printf '\\033[31mred\\033[m\\n'");
  tmux.send_keys({"Enter"});
  ASSERT_TRUE(tmux.wait_for_text("^10 40\nred"));
  EXPECT_NE(tmux.capture(Tmux::Part::screen, Tmux::Look::with_escapes).find("\x1b[31mred"), std::string::npos);
  tmux.resize({20, 70});
  tmux.type("stty size");
  tmux.send_keys({"Enter"});
  EXPECT_TRUE(tmux.wait_for_text("^20 70$"));
  tmux.type("exit 3");
  tmux.send_keys({"Enter"});
  EXPECT_EQ(tmux.wait_for_exit(), 3);
}

TEST_F(TmuxTest, SendsRawBytesUnchanged) {
  Tmux tmux(env_);
  tmux.start({"sh", "-c", "stty raw -echo; printf ready; head -c 8 | od -c"});
  ASSERT_TRUE(tmux.wait_for_text("ready"));
  tmux.send_raw("\x1d\x1b[93;5u");
  EXPECT_TRUE(tmux.wait_for_text("035 033   \\[   9   3   ;   5   u"));
}

TEST_F(TmuxTest, KeepsHistory) {
  Tmux tmux(env_);
  // tmux may drop the last output of a program that ends at once: this one stays until its output was seen.
  tmux.start({"sh", "-c", "seq 1 200; read x"});
  ASSERT_TRUE(tmux.wait_for_text("^200$"));
  EXPECT_TRUE(tmux.capture(Tmux::Part::with_history).starts_with("1\n2\n3\n"));
}

TEST(RunCommand, GivesBothOutputsAndTheCode) {
  const auto result = run_command({.argv = {"sh", "-c", "cat; echo bad >&2; exit 5"},
                                   .environment = TestEnv().variables(),
                                   .input = std::string(100'000, 'x')});
  EXPECT_EQ(result.out, std::string(100'000, 'x'));
  EXPECT_EQ(result.err, "bad\n");
  EXPECT_EQ(result.code, 5);
}

TEST(ProcessInfo, ReadsMemoryOfALiveProcess) {
  EXPECT_GT(process_status(::getpid(), "VmRSS").value_or(0), 100);
  EXPECT_FALSE(process_status(::getpid(), "NoSuchField"));
}

}  // namespace
}  // namespace support
