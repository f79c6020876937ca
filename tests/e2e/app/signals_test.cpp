// However jms dies, the operator's terminal is as it was before: line settings, main screen, no mouse, no paste marks.

#include <signal.h>

#include <fstream>

#include "tests/e2e/app/session_fixture.h"
#include "tests/support/describe_modes.h"

namespace app {
namespace {

enum class Panel { closed, open };
enum class Remote { prompt, full_screen };

struct Death {
  const char* name;
  int signal_number;
  Panel panel;
  Remote remote;

  friend std::ostream& operator<<(std::ostream& out, const Death& death) { return out << death.name; }
};

class DeathTest : public BareSession, public testing::WithParamInterface<Death> {
 protected:
  /// The remote turns on whatever a terminal has, and `more`.
  void set_everything(const std::string& more) {
    launch({}, {"local"});
    before_ = jms_->first_settings();
    ASSERT_TRUE(jms_->wait_for("$ "));
    enter("printf '" + more +
          "\\033[?1000h\\033[?1006h\\033[?2004h\\033[?1004h\\033[?25l\\033[?1h\\033[31mrea''dy'; sleep 100");
    ASSERT_TRUE(jms_->wait_for_screen("ready"));
  }
  void expect_restored(int signal_number) {
    EXPECT_EQ(jms_->wait_for_exit(), (support::Ending{0, signal_number}));
    const termios after = jms_->settings();
    EXPECT_EQ(after.c_lflag, before_.c_lflag);
    EXPECT_EQ(after.c_iflag, before_.c_iflag);
    EXPECT_EQ(after.c_oflag, before_.c_oflag);
    EXPECT_EQ(support::describe(jms_->screen().modes()), support::describe(terminal::Modes{}));
  }

 private:
  termios before_{};
};

std::vector<Death> deaths() {
  static std::vector<std::string> names;
  names.reserve(64);
  std::vector<Death> all;
  for (const auto& [signal_name, number] : {std::pair{"Term", SIGTERM},
                                            {"Hup", SIGHUP},
                                            {"Segv", SIGSEGV},
                                            {"Abrt", SIGABRT},
                                            {"Bus", SIGBUS},
                                            {"Quit", SIGQUIT}}) {
    for (const Panel panel : {Panel::closed, Panel::open}) {
      for (const Remote remote : {Remote::prompt, Remote::full_screen}) {
        names.push_back(std::string(signal_name) + (panel == Panel::open ? "WithThePanelOpen" : "") +
                        (remote == Remote::full_screen ? "InAFullScreenProgram" : ""));
        all.push_back({names.back().c_str(), number, panel, remote});
      }
    }
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(By, DeathTest, testing::ValuesIn(deaths()),
                         [](const auto& choice) { return choice.param.name; });

TEST_P(DeathTest, LeavesTheTerminalAsItWas) {
  const bool full_screen = GetParam().remote == Remote::full_screen;
  ASSERT_NO_FATAL_FAILURE(set_everything(full_screen ? "\\033[?1049h\\033[2J\\033[H" : ""));
  jms_->settle(Ms(50));
  if (GetParam().panel == Panel::open) {
    ASSERT_TRUE(open_panel());
  }
  jms_->kill(GetParam().signal_number);
  expect_restored(GetParam().signal_number);
}

class SuddenDeathTest : public DeathTest {};

INSTANTIATE_TEST_SUITE_P(By, SuddenDeathTest,
                         testing::Values(Death{"Term", SIGTERM, Panel::closed, Remote::full_screen},
                                         Death{"Segv", SIGSEGV, Panel::closed, Remote::full_screen}),
                         [](const auto& choice) { return choice.param.name; });

TEST_P(SuddenDeathTest, LeavesTheTerminalAsItWasThoughTheRemoteChangedItJustBefore) {
  ASSERT_NO_FATAL_FAILURE(set_everything("\\033[?1049h\\033[2J\\033[H"));
  jms_->kill(GetParam().signal_number);
  expect_restored(GetParam().signal_number);
}

class SuspendTest : public BareSession {
 protected:
  /// jms as a job of an interactive bash, which takes the terminal while jms is stopped.
  void start_as_a_job() {
    script(".bashrc", "PS1='outer> '\n");
    const auto job = script("job.sh", "PS1='$ ' exec '" JMS_BINARY "' local\n");
    jms_ = std::make_unique<support::PtyProgram>(support::PtyProgram::Options{
        .argv = {"bash", "-i"}, .environment = env_.variables(), .size = {}, .directory = env_.home().path()});
    ASSERT_TRUE(jms_->wait_for("outer> "));
    enter("sh " + job);
    ASSERT_TRUE(jms_->wait_for("$ "));
    ASSERT_TRUE(command("echo $PPID > jms.pid"));
    std::ifstream(env_.home().file("jms.pid")) >> pid_;
    ASSERT_GT(pid_, 1);
  }
  /// Stops jms from outside, looks at what bash has then, and lets jms go on.
  void suspend_and_resume() {
    ::kill(pid_, SIGTSTP);
    ASSERT_TRUE(jms_->wait_for("Stopped")) << jms_->screen_text();
    ASSERT_TRUE(jms_->wait_for("outer> "));
    EXPECT_FALSE(jms_->screen().alternate());
    EXPECT_EQ(jms_->screen().modes().mouse_tracking, 0);
    enter("stty -a | grep -o ' icanon'; echo cook''ed");
    ASSERT_TRUE(jms_->wait_for("cooked"));
    EXPECT_TRUE(shows("\n icanon\n")) << jms_->screen_text();
    enter("fg");
    ASSERT_TRUE(jms_->wait_for("job.sh\r\n"));
  }

  pid_t pid_ = 0;
};

TEST_F(SuspendTest, TheShellOutsideGetsACookedTerminalAndJmsComesBack) {
  ASSERT_NO_FATAL_FAILURE(start_as_a_job());
  ASSERT_TRUE(command("printf '\\033[?1000h'"));
  ASSERT_NO_FATAL_FAILURE(suspend_and_resume());
  EXPECT_TRUE(jms_->wait_until([&] { return jms_->screen().modes().mouse_tracking == 1000; }));
  EXPECT_TRUE(command("echo back")) << jms_->screen_text();
}

TEST_F(SuspendTest, AnOpenPanelIsThereAgain) {
  ASSERT_NO_FATAL_FAILURE(start_as_a_job());
  ASSERT_TRUE(open_panel());
  ASSERT_NO_FATAL_FAILURE(suspend_and_resume());
  ASSERT_TRUE(wait_for_panel()) << jms_->screen_text();
  jms_->settle(Ms(50));
  ASSERT_TRUE(close_panel());
  EXPECT_TRUE(command("echo back")) << jms_->screen_text();
}

TEST_F(BareSession, DeathInAFloodLeavesTheTerminalUsable) {
  launch({}, {"local"});
  const termios before = jms_->first_settings();
  ASSERT_TRUE(jms_->wait_for("$ "));
  enter("yes a line of a flood");
  ASSERT_TRUE(jms_->wait_until([&] { return jms_->output().size() > 500'000; }));
  jms_->kill(SIGTERM);
  EXPECT_EQ(jms_->wait_for_exit(), (support::Ending{0, SIGTERM}));
  EXPECT_EQ(jms_->settings().c_lflag, before.c_lflag);
}

TEST_F(BareSession, DeathWithAStoppedTerminalDoesNotHang) {
  launch({}, {"local"});
  const termios before = jms_->first_settings();
  ASSERT_TRUE(jms_->wait_for("$ "));
  enter("yes a line of a flood");
  jms_->stay_deaf(Ms(300));
  jms_->kill(SIGTERM);
  jms_->stay_deaf(Ms(3000));  // returns as soon as it ended
  EXPECT_EQ(jms_->wait_for_exit(Ms(1000)), (support::Ending{0, SIGTERM}));
  EXPECT_EQ(jms_->settings().c_lflag, before.c_lflag);
}

}  // namespace
}  // namespace app
