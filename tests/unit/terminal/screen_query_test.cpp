#include <gtest/gtest.h>

#include "tests/unit/terminal/screen_helpers.h"

namespace terminal {
namespace {

TEST(ScreenQuery, AnswersEachQueryOnce) {
  const std::pair<const char*, const char*> cases[] = {
      {"\x1b[c", "\x1b[?1;2c"},
      {"\x1b[0c", "\x1b[?1;2c"},
      {"\x1b[>c", "\x1b[>0;100;0c"},
      {"\x1b[=c", "\x1bP!|00000000\x1b\\"},
      {"\x1b[5n", "\x1b[0n"},
      {"\x1b[2;3H\x1b[6n", "\x1b[2;3R"},
      {"\x1b[2;3H\x1b[?6n", "\x1b[?2;3R"},
      {"\x1b[?7$p", "\x1b[?7;1$y"},
      {"\x1b[?2026$p", "\x1b[?2026;2$y"},
      {"\x1b[?1049h\x1b[?1049$p", "\x1b[?1049;1$y"},
      {"\x1b[?4242$p", "\x1b[?4242;0$y"},
      {"\x1b[4h\x1b[4$p", "\x1b[4;1$y"},
      {"\x1b[>q", "\x1bP>|jms\x1b\\"},
      {"\x1b[18t", "\x1b[8;4;10t"},
      {"\x1b[1;31m\x1bP$qm\x1b\\", "\x1bP1$r0;1;31m\x1b\\"},
      {"\x1b[2;3r\x1bP$qr\x1b\\", "\x1bP1$r2;3r\x1b\\"},
      {"\x1b[4 q\x1bP$q q\x1b\\", "\x1bP1$r4 q\x1b\\"},
      {"\x1bP\n$\aqr\x1b\\", "\x1bP1$r1;4r\x1b\\"},
      {"\x1bP$qzz\x1b\\", "\x1bP0$r\x1b\\"},
      {"\x1bP+q544e\x1b\\", "\x1bP0+r\x1b\\"},
  };
  for (const auto& [query, answer] : cases) {
    SCOPED_TRACE(query + 1);
    TestScreen screen;
    screen.feed(query);
    EXPECT_EQ(screen.take_replies(), answer);
  }
}

TEST(ScreenQuery, NeverTellsWhatTheRemoteCouldHaveSet) {
  TestScreen screen;
  screen.feed("\x1b]2;rm -rf\x07\x1b[21t\x1b[20t\x1b]52;c;?\x07\x05\x1b]10;?\x07\x1b]4;1;?\x07\x1b[0n\x1b[3;4R");
  EXPECT_EQ(screen.take_replies(), "");
}

TEST(ScreenQuery, SetsTheTitleFromOscHoweverItIsCut) {
  const std::string bytes = "\x1b]0;caf\u00E9\x1b\\a\x1b]2;two\x07";
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    SCOPED_TRACE(cut);
    TestScreen screen;
    screen.feed(bytes.substr(0, cut)).feed(bytes.substr(cut));
    EXPECT_EQ(screen.screen().title(), "two");
    EXPECT_EQ(screen.line(0), "a");
  }
}

TEST(ScreenQuery, KeepsTitlesShortAndClean) {
  TestScreen screen;
  screen.feed("\x1b]2;" + std::string(1 << 20, 'x') + "\x07ok");
  EXPECT_EQ(screen.screen().title().size(), 1024u);
  EXPECT_EQ(screen.line(0), "ok");
  screen.feed(
      "\x1b]2;a\nb\xC2\x9B"
      "c\xFF\x07");
  EXPECT_EQ(screen.screen().title(), "abc\uFFFD");
}

TEST(ScreenQuery, PushesAndPopsTitles) {
  TestScreen screen;
  screen.feed("\x1b]2;one\x07\x1b[22;0;0t\x1b]2;two\x07\x1b[23;0;0t");
  EXPECT_EQ(screen.screen().title(), "one");
  for (int i = 0; i < 1000; ++i) screen.feed("\x1b[22t");
  for (int i = 0; i < 2000; ++i) screen.feed("\x1b[23t");
  EXPECT_EQ(screen.screen().title(), "one");
}

TEST(ScreenQuery, EndsAnEndlessStringByCancelOrEscape) {
  for (const char* opening : {"\x1b]0;", "\x1bP", "\x1b_", "\x1b^", "\x1bX"}) {
    for (const char* ending : {"\x18", "\x1a", "\x1b\\", "\x1b[m"}) {
      SCOPED_TRACE(std::string(opening + 1) + " ended by " + std::to_string(ending[0]));
      TestScreen screen;
      screen.feed(opening);
      for (int i = 0; i < 100; ++i) screen.feed(std::string(10'000, 'x'));
      EXPECT_EQ(screen.lines(), "\n\n\n\n");
      screen.feed(ending).feed("ok");
      EXPECT_EQ(screen.line(0), "ok");
    }
  }
}

TEST(ScreenQuery, RemembersTheOpenLink) {
  TestScreen screen;
  screen.feed("\x1b]8;id=1;https://example.org\x1b\\text");
  EXPECT_EQ(screen.screen().modes().hyperlink, "id=1;https://example.org");
  screen.feed("\x1b]8;;\x1b\\");
  EXPECT_EQ(screen.screen().modes().hyperlink, "");
}

TEST(ScreenQuery, ExecutesControlsInsideASequenceAndIgnoresMalformedOnes) {
  TestScreen screen;
  screen.feed(
      "ab\x1b[2\r;3Hc\x1b[1;2?Hd\x1b[1$$Je\x1b[\x18"
      "f\x1b[\u00E9g");
  EXPECT_EQ(screen.lines(), "ab\n  cdefég\n\n\n");
}

TEST(ScreenQuery, IsSilentWithoutAReceiver) {
  Screen screen({.size = {.rows = 2, .cols = 4}});
  screen.write("\x1b[c\x1b[6n\x1bP$qm\x1b\\ok");
  EXPECT_EQ(row_text(screen.row(0)), "ok");
}

}  // namespace
}  // namespace terminal
