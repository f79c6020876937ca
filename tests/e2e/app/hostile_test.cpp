// Remotes that flood, garble or never finish, terminals that stop or change size all the time: memory stays bounded
// and the session is usable afterwards.

#include <random>

#include "tests/e2e/app/session_fixture.h"
#include "tests/support/process_info.h"
#include "tests/support/sanitized.h"

namespace app {
namespace {

class HostileTest : public BareSession {
 protected:
  long resident_mb() const { return support::process_status(jms_->pid(), "VmRSS").value_or(-1) / 1024; }
  void expect_bounded_memory() {
    if (support::sanitized_build()) return;
    EXPECT_LT(resident_mb(), 48);
  }
  void expect_survives(const std::string& garbage) {
    answer_queries_ = false;  // else the answers are typed into the shell
    const auto file = script("garbage", garbage);
    start();
    enter("cat " + file + "; printf '\\033\\\\\\033c'; echo garbage''-over");
    ASSERT_TRUE(jms_->wait_for("garbage-over", Ms(30'000)));
    expect_bounded_memory();
    expect_usable();
  }
};

TEST_F(HostileTest, SurvivesALineOfTenMegabytes) {
  start();
  ASSERT_TRUE(command("head -c 10000000 /dev/zero | tr '\\0' x", Ms(30'000)));
  expect_bounded_memory();
  expect_usable();
}

TEST_F(HostileTest, SurvivesATitleWithoutAnEnd) {
  start();
  enter("printf '\\033]0;'; head -c 20000000 /dev/zero | tr '\\0' t; printf '\\007'; echo title''-over");
  ASSERT_TRUE(jms_->wait_for("title-over", Ms(30'000)));
  expect_bounded_memory();
  expect_usable();
}

TEST_F(HostileTest, SurvivesADeviceControlStringWithoutAnEnd) {
  start();
  enter("printf '\\033P'; head -c 5000000 /dev/zero | tr '\\0' q; printf '\\033\\\\'; echo string''-over");
  ASSERT_TRUE(jms_->wait_for("string-over", Ms(30'000)));
  expect_bounded_memory();
  expect_usable();
}

TEST_F(HostileTest, SurvivesBinaryGarbage) {
  std::mt19937 random(11);
  std::string data(2'000'000, '\0');
  for (auto& byte : data) byte = static_cast<char>(random());
  expect_survives(data);
}

TEST_F(HostileTest, SurvivesEscapeHeavyGarbage) {
  std::mt19937 random(12);
  const std::string alphabet =
      "\x1b\x1b\x1b[[]P;;:?>!0123456789mHJKrhlbdGAcnX@LMSTt\x9b\x9d\x90\x07\xe6\xbc\xa2 \n\r\t\b\x0e\x0f(0)B78=";
  std::string data;
  for (int i = 0; i < 1'000'000; ++i) data += alphabet[random() % alphabet.size()];
  expect_survives(data);
}

TEST_F(HostileTest, SurvivesBrokenUtf8) {
  std::string data;
  for (int i = 0; i < 20'000; ++i) data += "\xf0\x9f\x92 \xc3 \xed\xa0\x80 \xc0\xaf \xff\xfe \xe6\xbc\n";
  const auto file = script("broken", data);
  start();
  ASSERT_TRUE(command("cat " + file));
  expect_usable();
}

TEST_F(HostileTest, SurvivesTheSequencesKnownToKillLibvterm) {
  start();
  ASSERT_TRUE(command("printf '\\033[38:2:1:2:3:4;48:2:1:2:3:4;58:2:1:2:3:4;4:3;1;2;3;4;5;6;7;8;9m\\033[m'"));
  ASSERT_TRUE(command("printf '\\033c\\033[5b\\033[999999999999b'"));
  ASSERT_TRUE(command("printf '\\033P$qxx\\033\\\\\\033[99999999999999999999;1H\\033[H'"));
  expect_usable();
}

TEST_F(HostileTest, SurvivesAFloodOfCombiningMarks) {
  start();
  const auto file = script("marks", [] {
    std::string text = "a";
    for (int i = 0; i < 20'000; ++i) text += "\xcc\x81";
    return text + "\n";
  }());
  ASSERT_TRUE(command("cat " + file));
  expect_usable();
}

TEST_F(HostileTest, SurvivesAStormOfSizes) {
  start();
  enter("while :; do echo storm storm storm storm; done");
  ASSERT_TRUE(jms_->wait_for("storm\r\n"));
  const base::Size sizes[] = {{1, 1}, {2, 2}, {5, 20}, {200, 500}, {24, 80}, {1, 200}, {100, 1}, {50, 132}};
  for (int round = 0; round < 10; ++round) {
    for (const auto size : sizes) {
      jms_->resize(size);
      pause(Ms(1));
    }
  }
  jms_->resize({24, 80});
  jms_->send("\x03");
  EXPECT_TRUE(wait_for_remote_size({24, 80})) << jms_->screen_text();
  expect_bounded_memory();
  expect_usable();
}

TEST_F(HostileTest, SurvivesAStormOfSizesWithThePanelOpen) {
  start();
  ASSERT_TRUE(command("seq 1 100"));
  ASSERT_TRUE(open_panel());
  for (int round = 0; round < 10; ++round) {
    for (const base::Size size : {base::Size{1, 1}, {5, 20}, {200, 500}, {2, 2}, {30, 90}}) {
      jms_->resize(size);
      pause(Ms(2));
    }
  }
  jms_->resize({24, 80});
  ASSERT_TRUE(wait_for_panel());
  jms_->settle(Ms(50));
  ASSERT_TRUE(close_panel());
  EXPECT_TRUE(wait_for_remote_size({24, 80})) << jms_->screen_text();
  expect_usable();
}

TEST_F(HostileTest, MemoryStaysBoundedWhileTheTerminalIsStopped) {
  start();
  enter("yes a line of a flood that nobody reads");
  ASSERT_TRUE(jms_->wait_until([&] { return jms_->output().size() > 200'000; }));
  jms_->stay_deaf(Ms(1500));
  expect_bounded_memory();
  jms_->send("\x03");
  ASSERT_TRUE(command("true"));
  expect_usable();
}

TEST_F(HostileTest, MemoryStaysBoundedInAFloodUnderThePanel) {
  start();
  const support::Gate gate(env_.home(), "gate");
  enter(gate.wait() + "; yes a line of a flood under the panel | head -c 20000000; echo flood''-over");
  pause(Ms(50));
  ASSERT_TRUE(open_panel());
  gate.open();
  ASSERT_TRUE(jms_->wait_for_screen("flood-over", Ms(60'000)));
  expect_bounded_memory();
  ASSERT_TRUE(close_panel());
  EXPECT_TRUE(jms_->wait_for_screen("flood-over")) << jms_->screen_text();
  expect_usable();
}

TEST_F(HostileTest, ARemoteThatDoesNotReadDoesNotBlockTheRest) {
  start();
  enter("stty raw -echo; printf ready''-; sleep 1; stty sane; printf awake''-");
  ASSERT_TRUE(jms_->wait_for("ready-"));
  jms_->send(std::string(300'000, 'x'));
  ASSERT_TRUE(open_panel());
  ASSERT_TRUE(close_panel());
  EXPECT_TRUE(jms_->wait_for("awake-"));
}

TEST_F(HostileTest, AFloodOfQueriesDoesNotLockUp) {
  start();
  enter(
      "stty raw -echo; i=0; while [ $i -lt 20000 ]; do printf '\\033[6n\\033[c'; i=$((i+1)); done; "
      "stty sane; exec sh -c 'printf \\\\033c; echo queries-o\"\"ver; exec cat >/dev/null'");
  ASSERT_TRUE(jms_->wait_for("queries-over", Ms(30'000)));
  expect_bounded_memory();
  EXPECT_TRUE(open_panel());
}

TEST_F(HostileTest, KeepsTenThousandLinesInSixMegabytesOfItsOwn) {
  if (support::sanitized_build()) GTEST_SKIP() << "a sanitizer's memory says nothing";
  start();
  ASSERT_TRUE(command("seq -f '%06g some words of a log line, not too short, not too long at all' 1 10100"));
  jms_->settle();
  // The pages of libraries are shared with others and say nothing about the lines.
  EXPECT_LE(support::process_status(jms_->pid(), "RssAnon").value_or(1'000'000), 6 * 1024);
}

}  // namespace
}  // namespace app
