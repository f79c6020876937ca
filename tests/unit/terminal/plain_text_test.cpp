#include "terminal/plain_text.h"

#include <gtest/gtest.h>

namespace terminal {
namespace {

std::string line_of(std::size_t length) {
  std::string line(length, 'x');
  line += "\r\n";
  return line;
}

TEST(PlainText, LogLinesArePlain) {
  const auto text = look_at("first\r\nsecond line\r\n\r\n", 80);
  EXPECT_TRUE(text.plain);
  EXPECT_TRUE(text.prints);
  EXPECT_FALSE(text.colors);
  EXPECT_EQ(text.line_feeds, 3u);
  EXPECT_EQ(text.rows, 3u);
}

TEST(PlainText, WrappedRowsAreCountedAndAFullRowIsNotWrapped) {
  EXPECT_EQ(look_at(line_of(80), 80).rows, 1u);
  EXPECT_EQ(look_at(line_of(81), 80).rows, 2u);
  EXPECT_EQ(look_at(line_of(801), 80).rows, 11u);
  EXPECT_EQ(look_at("xxxx\t" + line_of(78), 80).rows, 1u) << "never too many";
}

TEST(PlainText, ColoursErasingTabsAndUnicodeArePlain) {
  const auto text = look_at("\033[1;31mred\033[0m\tand \033[38:2::1:2:3m漢字 é\033[K\rover\r\n", 80);
  EXPECT_TRUE(text.plain);
  EXPECT_TRUE(text.colors);
}

TEST(PlainText, AnythingElseIsNot) {
  for (const char* bytes :
       {"\033[2J\r\n", "\033[?25l\r\n", "\033]0;t\007\r\n", "\033[>4;2m\r\n", "\033[5b\r\n", "a\bb\r\n", "\x0e\r\n",
        "\x7f\r\n", "\xc2\x9b\r\n", "\033\r\n", "\033[3\r\n", "\033[31", "\a\r\n"}) {
    EXPECT_FALSE(look_at(bytes, 80).plain) << testing::PrintToString(bytes);
  }
}

TEST(PlainText, OnlyAWholeLineEndsAPlainPiece) {
  for (const char* bytes : {"", "\n", "\r", "line", "line\n", "line\r\nrest", "line\r\n\033[m"}) {
    EXPECT_FALSE(look_at(bytes, 80).plain) << testing::PrintToString(bytes);
  }
}

TEST(PlainText, EverySpecialByteIsFoundAtEveryPlace) {
  for (std::size_t length = 1; length < 40; ++length) {
    for (std::size_t at = 0; at < length; ++at) {
      for (const char special : {'\x01', '\x1f', '\x7f', '\b'}) {
        std::string bytes(length, '~');
        bytes[at] = special;
        EXPECT_FALSE(look_at(bytes + "\r\n", 80).plain) << length << " " << at;
        bytes[at] = '\n';
        EXPECT_EQ(look_at(bytes + "\r\n", 80).line_feeds, 2u) << length << " " << at;
      }
    }
  }
}

TEST(PlainText, ThePenComesFromTheLastResetOn) {
  const std::string bytes = "\033[31mx\033[0;1my\033[4m\033[Kz\r\n";
  const auto text = look_at(bytes, 80);
  EXPECT_EQ(pen_changes(bytes.substr(text.pen_from)), "\033[0;1m\033[4m");
  EXPECT_EQ(look_at("\033[31m\033[m\r\n", 80).pen_from, 5u);
  EXPECT_EQ(look_at("\033[31m\033[;1m\r\n", 80).pen_from, 5u);
  EXPECT_EQ(look_at("\033[31m\033[01m\r\n", 80).pen_from, 0u);
  EXPECT_EQ(pen_changes(bytes), "\033[31m\033[0;1m\033[4m");
}

}  // namespace
}  // namespace terminal
