// With the panel closed jms is not there: the same bytes both ways, the same sizes, the same endings.

#include <fstream>
#include <random>

#include "tests/e2e/app/session_fixture.h"
#include "tests/support/process_info.h"

namespace app {
namespace {

class PassThrough : public BareSession {
 protected:
  /// What a terminal gets to see from the first prompt on, when these lines are typed one after the other.
  std::string bytes_of(std::vector<std::string> argv, const std::vector<std::string>& lines) {
    support::PtyProgram program({.argv = std::move(argv), .environment = env_.variables(), .size = {}});
    EXPECT_TRUE(program.wait_for("$ "));
    program.settle(Ms(50));
    program.forget_output();
    for (const auto& line : lines) {
      program.send(line + "\r");
      EXPECT_TRUE(program.wait_for("$ ")) << line;
    }
    return program.output();
  }
  static std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
};

TEST_F(PassThrough, ShowsTheSameBytesAsAShellAlone) {
  const std::vector<std::string> lines = {
      "echo hello",
      "printf '\\033[1;31mred\\033[0m wide 漢字 e\\314\\201 tab\\tend\\n'",
      "printf 'no newline'",
      "printf '\\377\\376 \\200 broken utf-8\\n'",
      "printf '\\033]0;a title\\007\\033]8;;http://x\\033\\\\link\\033]8;;\\033\\\\\\n'",
      "seq 1 3000",
      "printf '\\033[5;10r\\033[?69h\\033[38:2::1:2:3m\\033[r\\033[m\\n'"};
  EXPECT_EQ(bytes_of({JMS_BINARY, "local"}, lines), bytes_of({"sh"}, lines));
}

TEST_F(PassThrough, ForwardsBinaryOutputUnchanged) {
  emulate_ = false;
  // Bytes by chance also say things that are kept back by default.
  env_.write_config("[escapes]\nclipboard = true\nreports = true\nwindow_changes = true\nfile_transfer = true\n");
  std::mt19937 random(7);
  std::string data(500'000, '\0');
  for (auto& byte : data) byte = static_cast<char>(random());
  const auto file = script("garbage", data);
  start();
  enter("stty -opost; printf begin''-; cat " + file + "; printf -- -e''nd; stty sane");
  ASSERT_TRUE(jms_->wait_for("-end", Ms(20'000)));
  const auto begin = jms_->output().find("begin-") + 6;
  EXPECT_TRUE(jms_->output().substr(begin, data.size()) == data);
}

TEST_F(PassThrough, SendsEveryByteTheOperatorTypes) {
  start();
  std::string keys;
  for (int byte = 0; byte < 256; ++byte) {
    if (byte != 0x1d) keys += static_cast<char>(byte);
  }
  const auto file = env_.home().file("typed");
  enter("stty raw -echo; printf ready''-; head -c 255 > " + file + "; stty sane; printf all''-there");
  ASSERT_TRUE(jms_->wait_for("ready-"));
  jms_->send(keys);
  ASSERT_TRUE(jms_->wait_for("all-there"));
  EXPECT_EQ(contents(file), keys);
}

TEST_F(PassThrough, SendsALongPasteWhole) {
  start();
  std::string paste;
  for (int i = 0; i < 50'000; ++i) paste += "line " + std::to_string(i) + "\n";
  const auto file = env_.home().file("pasted");
  enter("stty raw -echo; printf ready''-; head -c " + std::to_string(paste.size()) + " > " + file +
        "; stty sane; printf all''-there");
  ASSERT_TRUE(jms_->wait_for("ready-"));
  jms_->send(paste);
  ASSERT_TRUE(jms_->wait_for("all-there", Ms(20'000)));
  EXPECT_TRUE(contents(file) == paste);
}

TEST_F(PassThrough, ALoneEscapeReachesTheRemoteAtOnce) {
  start();
  enter("stty raw -echo; printf ready''-; head -c 1 | od -An -tx1; stty sane");
  ASSERT_TRUE(jms_->wait_for("ready-"));
  jms_->send("\x1b");
  EXPECT_TRUE(jms_->wait_for("1b", Ms(5000)));
}

TEST_F(PassThrough, ArrowAndFunctionKeysArriveWhole) {
  start();
  const std::string keys = "\x1b[A\x1bOP\x1b[24~\x1b[93;6u\x1b[27;5;91~\x1b[9";
  enter("stty raw -echo; printf ready''-; head -c " + std::to_string(keys.size()) + " | cat -v; stty sane");
  ASSERT_TRUE(jms_->wait_for("ready-"));
  jms_->send(keys);
  EXPECT_TRUE(jms_->wait_for("^[[A^[OP^[[24~^[[93;6u^[[27;5;91~^[[9")) << jms_->output();
}

TEST_F(PassThrough, TheShellsExitCodeBecomesOurs) {
  start();
  enter("exit 23");
  EXPECT_EQ(jms_->wait_for_exit(), (support::Ending{23, 0}));
}

TEST_F(PassThrough, AShellEndedByASignalIsReportedAsShellsDo) {
  start();
  enter("kill -KILL $$");
  EXPECT_EQ(jms_->wait_for_exit(), (support::Ending{137, 0}));
}

TEST_F(PassThrough, EndOfFileEndsTheShell) {
  start();
  jms_->send("\x04");
  EXPECT_EQ(jms_->wait_for_exit(), (support::Ending{0, 0}));
}

TEST_F(PassThrough, TheLineSettingsComeBackAfterTheShellsEnd) {
  launch({}, {"local"});
  const termios before = jms_->first_settings();
  ASSERT_TRUE(jms_->wait_for("$ "));
  EXPECT_EQ(jms_->settings().c_lflag & (ICANON | ECHO | ISIG), 0u);
  enter("exit");
  ASSERT_TRUE(jms_->wait_for_exit());
  const termios after = jms_->settings();
  EXPECT_EQ(after.c_lflag, before.c_lflag);
  EXPECT_EQ(after.c_iflag, before.c_iflag);
  EXPECT_EQ(after.c_oflag, before.c_oflag);
}

TEST_F(PassThrough, InterruptAndSuspendGoToTheRemote) {
  start();
  // The keys count once the shell has taken its line: before that the tty would throw the line away with them.
  const std::string sleeper = "sh -c 'echo aslee''p; exec sleep 100'";
  enter(sleeper);
  ASSERT_TRUE(jms_->wait_for("asleep"));
  jms_->send("\x1a");
  ASSERT_TRUE(jms_->wait_for_screen("Stopped")) << jms_->screen_text();
  ASSERT_TRUE(command("kill %1"));
  enter(sleeper);
  ASSERT_TRUE(jms_->wait_for("asleep"));
  jms_->send("\x03");
  EXPECT_TRUE(command("echo interrupted"));
}

TEST_F(PassThrough, TheRemoteHasTheTerminalsSizeAndFollowsIt) {
  start({31, 99});
  ASSERT_TRUE(command("stty size"));
  EXPECT_TRUE(shows("31 99"));
  jms_->resize({17, 61});
  EXPECT_TRUE(wait_for_remote_size({17, 61}));
}

TEST_F(PassThrough, AFullScreenProgramIsToldOfANewSize) {
  start();
  const auto file = script("watch.sh", "trap 'stty size' WINCH; echo rea''dy; while :; do sleep 0.05; done\n");
  enter("sh " + file);
  ASSERT_TRUE(jms_->wait_for("ready"));
  jms_->resize({40, 120});
  EXPECT_TRUE(jms_->wait_for("40 120"));
}

TEST_F(PassThrough, VimOpensEditsAndQuits) {
  start();
  const auto file = script("note.txt", "first line\n");
  enter("vim " + file);
  ASSERT_TRUE(jms_->wait_for_screen("first line"));
  EXPECT_TRUE(jms_->screen().alternate());
  jms_->send("osecond 漢字 line\x1b");
  ASSERT_TRUE(jms_->wait_for_screen("second 漢字 line"));
  jms_->send(":wq\r");
  ASSERT_TRUE(jms_->wait_until([&] { return !jms_->screen().alternate(); }));
  ASSERT_TRUE(command("true"));
  EXPECT_EQ(contents(file), "first line\nsecond 漢字 line\n");
}

TEST_F(PassThrough, LessPagesAndQuits) {
  start();
  ASSERT_TRUE(command("seq 1 500 > numbers"));
  enter("less numbers");
  ASSERT_TRUE(jms_->wait_until([&] { return jms_->screen().alternate() && jms_->row(22) == "23"; }));
  jms_->send("G");
  ASSERT_TRUE(jms_->wait_until([&] { return jms_->row(22) == "500"; }));
  jms_->send("q");
  ASSERT_TRUE(jms_->wait_until([&] { return !jms_->screen().alternate(); }));
  EXPECT_TRUE(command("true"));
}

TEST_F(PassThrough, AClosedTerminalWindowEndsTheSession) {
  start();
  ASSERT_TRUE(command("echo $$ > shell.pid"));
  const pid_t shell = std::stoi(contents(env_.home().file("shell.pid")));
  jms_->hang_up();
  ASSERT_TRUE(jms_->wait_for_exit());
  EXPECT_TRUE(support::process_ends_within(shell, Ms(5000)));
}

TEST_F(PassThrough, ARecordingThatCannotGoOnSaysSoOnceAndTheSessionGoesOn) {
  // Files may not grow any further, as on a full disk.
  const auto full = script("full.sh", "ulimit -f 1; trap '' XFSZ; exec '" JMS_BINARY "' local --record " +
                                          env_.home().file("session.cast") + "\n");
  jms_ = std::make_unique<support::PtyProgram>(support::PtyProgram::Options{
      .argv = {"sh", full}, .environment = env_.variables(), .size = {}, .directory = env_.home().path()});
  ASSERT_TRUE(jms_->wait_for("$ "));
  ASSERT_TRUE(command("seq 1 500"));
  const auto told = [this] { return jms_->output().find("jms: the recording ends here: writing "); };
  ASSERT_TRUE(jms_->wait_until([&] { return told() != std::string::npos; })) << jms_->output();
  ASSERT_TRUE(command("seq 501 900; echo go''es on")) << jms_->output();
  EXPECT_NE(jms_->output().find("goes on"), std::string::npos);
  EXPECT_TRUE(contents(env_.home().file("session.cast")).ends_with("\n"));
  EXPECT_EQ(jms_->output().find("recording ends", told() + 30), std::string::npos);
}

}  // namespace
}  // namespace app
