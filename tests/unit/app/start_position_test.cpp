#include "app/session/start_position.h"

#include <gtest/gtest.h>

namespace app {
namespace {

TEST(StartPosition, TakesTheReportOutOfTheInputWhereverItIsCut) {
  const std::string input = "ls\x1b[A\x1b[12;34Rxy";
  for (std::size_t cut = 0; cut <= input.size(); ++cut) {
    SCOPED_TRACE(cut);
    StartPosition start;
    std::string rest = start.filter(input.substr(0, cut));
    rest += start.filter(input.substr(cut));
    EXPECT_EQ(rest, "ls\x1b[Axy");
    ASSERT_TRUE(start.position());
    EXPECT_EQ(start.position()->row, 11);
    EXPECT_EQ(start.position()->col, 33);
  }
}

TEST(StartPosition, LeavesLaterReportsToTheRemoteThatAskedForThem) {
  StartPosition start;
  EXPECT_EQ(start.filter("\x1b[1;1R\x1b[5;6R"), "\x1b[5;6R");
  EXPECT_EQ(start.filter("\x1b[7;8R"), "\x1b[7;8R");
}

TEST(StartPosition, GivesBackAnEscapeThatWasNotTheBeginningOfAReport) {
  StartPosition start;
  EXPECT_EQ(start.filter("a\x1b"), "a");
  EXPECT_TRUE(start.holding());
  EXPECT_EQ(start.flush(), "\x1b");
  EXPECT_EQ(start.filter("\x1b[1;2A"), "\x1b[1;2A");
}

TEST(StartPosition, NoReportNamesAPlaceThatIsNotThere) {
  for (const std::string input : {"\x1b[-4;2R", "\x1b[3;-1R", "\x1b[123456;1R"}) {
    StartPosition start;
    EXPECT_EQ(start.filter(input) + start.flush(), input);
    EXPECT_FALSE(start.position()) << input.substr(1);
  }
  StartPosition start;  // Wrong, but an answer: it must not be typed into the remote.
  EXPECT_EQ(start.filter("\x1b[0;0Rx"), "x");
  ASSERT_TRUE(start.position());
  EXPECT_EQ(start.position()->row, 0);
  EXPECT_EQ(start.position()->col, 0);
}

TEST(StartPosition, AColourTooLongToBeOneIsLeftAloneHoweverItIsCut) {
  const std::string input = "\x1b]11;rgb:" + std::string(60, 'f') + "\ax";
  for (std::size_t cut = 0; cut <= input.size(); ++cut) {
    StartPosition start;
    std::string rest = start.filter(input.substr(0, cut));
    rest += start.filter(input.substr(cut));
    EXPECT_EQ(rest + start.flush(), input) << cut;
  }
}

TEST(StartPosition, TakesTheBackgroundsColourOutOfTheInputToo) {
  StartPosition start;
  EXPECT_EQ(start.filter("ls\x1b]11;rgb:ffff/ff"), "ls");
  EXPECT_EQ(start.filter("ff/eeee\x1b"), "");
  EXPECT_EQ(start.filter("\\\x1b[3;1R\r"), "\r");
  ASSERT_TRUE(start.position());
  EXPECT_EQ(start.position()->row, 2);
  EXPECT_EQ(start.light_background(), true);
}

TEST(StartPosition, WhatIsTypedAfterAColourIsNoPartOfIt) {
  StartPosition start;
  EXPECT_EQ(start.filter("\x1b]11;rgb:ff/ff\aff"), "ff");
  EXPECT_FALSE(start.light_background());
}

TEST(StartPosition, LeavesAColourThatIsNotItsOwnToTheRemote) {
  StartPosition start;
  start.filter("\x1b[1;1R");
  EXPECT_EQ(start.filter("\x1b]11;rgb:0000/0000/0000\a"), "\x1b]11;rgb:0000/0000/0000\a");
}

TEST(StartPosition, TellsLightFromDark) {
  EXPECT_EQ(reads_as_light("\x1b]11;rgb:00/00/00\a"), false);
  EXPECT_EQ(reads_as_light("\x1b]11;rgb:1e1e/1e1e/2e2e\a"), false);
  EXPECT_EQ(reads_as_light("\x1b]11;rgb:fdfd/f6f6/e3e3\a"), true);
  EXPECT_EQ(reads_as_light("\x1b]11;rgb:f\a"), std::nullopt);
}

}  // namespace
}  // namespace app
