#include "terminal/query_filter.h"

#include <gtest/gtest.h>

namespace terminal {
namespace {

TEST(QueryFilter, DropsWhatMakesATerminalAnswer) {
  for (const char* query : {"\x1b[c",          "\x1b[0c",
                            "\x1b[>c",         "\x1b[=0c",
                            "\x1b[5n",         "\x1b[6n",
                            "\x1b[?6n",        "\x1b[?2026$p",
                            "\x1b[4$p",        "\x1b[>q",
                            "\x1b[>0q",        "\x1b[?u",
                            "\x1b[14t",        "\x1b[21t",
                            "\x1bZ",           "\x05",
                            "\x1bP$qm\x1b\\",  "\x1bP+q544e\x1b\\",
                            "\x1b]11;?\x07",   "\x1b]4;1;?\x1b\\",
                            "\x1b]52;c;?\x07", "\x1b_Gi=31,a=q;AAAA\x1b\\",
                            "\x1b[?4m"}) {
    SCOPED_TRACE(query + 1);
    EXPECT_EQ(without_queries(std::string("a") + query + "b"), "ab");
  }
}

TEST(QueryFilter, KeepsEverythingElse) {
  for (const char* kept : {"plain", "\x1b[31mred\x1b[0m", "\x1b[2 q", "\x1b[>4;2m", "\x1b[>4n", "\x1b[8;24;80t",
                           "\x1b[!p", "\x1b[>1u", "\x1b]0;title\x07", "\x1b]8;;http://x/\x1b\\link", "\x1b(0qqq\x1b(B",
                           "\x1b[3S", "\x1bP1;2|17/ab\x1b\\", "\0337\0338"}) {
    SCOPED_TRACE(kept + 1);
    EXPECT_EQ(without_queries(kept), kept);
  }
}

TEST(QueryFilter, DropsAQueryThatIsNotInOnePiece) {
  EXPECT_EQ(without_queries("a\x1b[6\nnb"), "a\nb");  // A terminal obeys the line feed and goes on reading.
  EXPECT_EQ(without_queries("a\x1b\r[\x7f" + std::string("cb")), "a\rb");
  EXPECT_EQ(without_queries("\x1b\n]11;?\x07x"), "\nx");
  EXPECT_EQ(without_queries("\x1bP\x07$qm\x1b\\x"), "x");
  EXPECT_EQ(without_queries("\x1b[3\x05" + std::string("1mx")), "\x1b[31mx");
  EXPECT_EQ(without_queries("\x1b[\x18" + std::string("6n")), "\x1b[\x18" + std::string("6n"));
}

TEST(QueryFilter, WhatWasBrokenOffBeforeAQueryDoesNotSwallowWhatFollows) {
  EXPECT_EQ(without_queries("a\x1b\x1b[cb"), "ab");
  EXPECT_EQ(without_queries("a\x1b[3\x1b[6nb"), "ab");
  EXPECT_EQ(without_queries("a\x1b]0;title\x1b[6nb"), "ab");
  EXPECT_EQ(without_queries("a\x1b]0;title\x1b\\\x1b[6nb"), "a\x1b]0;title\x1b\\b");
}

TEST(QueryFilter, ReadsStringsToTheirEndHoweverLong) {
  const std::string clipboard = "\x1b]52;c;" + std::string(100'000, 'Q') + "\x07";
  EXPECT_EQ(without_queries("a" + clipboard + "b"), "a" + clipboard + "b");
  EXPECT_EQ(without_queries("a\x1b]4;1;" + std::string(100'000, '0') + ";7;?\x1b\\b"), "ab");
}

TEST(QueryFilter, KeepsASequenceThatIsCutOff) {
  EXPECT_EQ(without_queries("a\x1b"), "a\x1b");
  EXPECT_EQ(without_queries("a\x1b[3"), "a\x1b[3");
  EXPECT_EQ(without_queries("a\x1b]0;tit"), "a\x1b]0;tit");
}

}  // namespace
}  // namespace terminal
