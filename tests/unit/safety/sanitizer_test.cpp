#include "safety/sanitizer.h"

#include <gtest/gtest.h>

#include "safety/escape_filter.h"

namespace safety {
namespace {

TEST(Sanitizer, LeavesPrintableTextAlone) {
  EXPECT_EQ(sanitize("héllo 中文 😀\nnext"), "héllo 中文 😀\nnext");
  EXPECT_EQ(sanitize("a\tb\n\tc"), "a       b\n        c");
  EXPECT_EQ(sanitize("a\r\nb"), "a\nb");
}

TEST(Sanitizer, RemovesEscapeSequencesOfEveryKind) {
  EXPECT_EQ(sanitize("\x1b[31mred\x1b[0m"), "red");
  EXPECT_EQ(sanitize("a\x1b]0;title\x07"
                     "b"),
            "ab");
  EXPECT_EQ(sanitize("a\x1b]52;c;aGk=\x1b\\b"), "ab");
  EXPECT_EQ(sanitize("a\x1bPq#0;2\x1b\\b"), "ab");
  EXPECT_EQ(sanitize("a\x1b_Gf=100\x1b\\b"), "ab");
  EXPECT_EQ(sanitize("a\x1b(Bb\x1b"
                     "7c"),
            "abc");
  EXPECT_EQ(sanitize("a\xC2\x9B"
                     "31mb"),
            "ab");
  EXPECT_EQ(sanitize("a\xC2\x9D"
                     "0;t\xC2\x9C"
                     "b"),
            "ab");
  EXPECT_EQ(sanitize("\x1b[6n\x1b[c"), "");
}

TEST(Sanitizer, RemovesOrShowsWhatHides) {
  EXPECT_EQ(sanitize("a\xE2\x80\xAE"
                     "b\xE2\x80\x8B"
                     "c\xEF\xBB\xBF"),
            "abc");
  EXPECT_EQ(sanitize("a\xF3\xA0\x81\xA1\xEF\xB8\x8F"), "a");
  EXPECT_EQ(sanitize("a\xE2\x80\xAE"
                     "b",
                     Unprintable::Shown),
            "a<U+202E>b");
  EXPECT_EQ(sanitize("a\x08"
                     "b\x7f",
                     Unprintable::Shown),
            "a<U+0008>b<U+007F>");
  EXPECT_EQ(sanitize("bad \xff\x9b"
                     "x"),
            "bad \uFFFD\uFFFDx");
  EXPECT_EQ(sanitize_line("a\nb\x1b[2J"), "a b");
}

TEST(Sanitizer, GivesTheSameForAnyPieces) {
  const std::string text =
      "a\x1b[31mé\x1b]0;中\x1b\\b\xE2\x80\xAE\xC2\x9B"
      "1m\tc\n\xF0\x9F\x98\x80";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    Sanitizer sanitizer;
    auto out = sanitizer.feed(text.substr(0, cut));
    out += sanitizer.feed(text.substr(cut));
    EXPECT_EQ(out + sanitizer.finish(), sanitize(text)) << cut;
  }
}

TEST(Sanitizer, ShowsEveryByteOfACommand) {
  EXPECT_EQ(show_every_byte("ls\t-l\nrm"), "ls<U+0009>-l\nrm");
  EXPECT_EQ(show_every_byte("ls\xC2\xA0x\xE2\x80\x8B\xff"), "ls<U+00A0>x<U+200B><FF>");
}

TEST(EscapeFilter, PassesOrdinaryOutputUnchangedInAnyPieces) {
  const std::string text =
      "\x1b[1;31mhi\x1b[0m \x1b]0;title\x07 \x1b]8;;http://x\x1b\\l\x1b]8;;\x1b\\ \x1bPq\x1b\\ é\xC2\xA9 \x1b[22;0t "
      "\x1b[18t\x1b[?2004h\x1b"
      "7";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    EscapeFilter filter;
    auto out = filter.feed(text.substr(0, cut));
    out += filter.feed(text.substr(cut));
    EXPECT_EQ(out + filter.finish(), text) << cut;
  }
}

TEST(EscapeFilter, DropsDangerousRequestsUnlessAllowed) {
  const auto filtered = [](std::string_view text, EscapePolicy policy = {}) {
    EscapeFilter filter(policy);
    std::string out;
    for (const char c : text) out += filter.feed(std::string_view(&c, 1));
    return out + filter.finish();
  };
  for (const std::string_view request : {"\x1b]52;c;aGk=\x07", "\x1b]52;c;?\x1b\\", "\x1b[21t", "\x1b[20t", "\x05",
                                         "\x1b]50;font\x07", "\x1b[8;10;10t", "\x1b[2t", "\x1b]1337;File=x:aGk=\x07",
                                         "\xC2\x9D"
                                         "52;c;aGk=\x07",
                                         "\xC2\x9B"
                                         "21t"}) {
    EXPECT_EQ(filtered("a" + std::string(request) + "b"), "ab");
    EXPECT_EQ(filtered("a" + std::string(request) + "b", {true, true, true, true}), "a" + std::string(request) + "b");
  }
  EXPECT_EQ(filtered("\x1b]52;c;aGk=\x1b[31mx"), "\x1b[31mx") << "a string that another sequence cuts off";
  EXPECT_EQ(filtered("\x1b]0;t\x1b]52;c;aGk=\x07x"), "\x1b]0;tx") << "hidden behind a title that is not closed";
  EXPECT_EQ(filtered("\x1b]0;t\xC2\x9C\x1b]52;c;aGk=\x07x"), "\x1b]0;t\xC2\x9Cx");
  EXPECT_EQ(filtered("\x1b]0;t\xC2\x9D"
                     "52;c;aGk=\x07x"),
            "\x1b]0;tx");
}

}  // namespace
}  // namespace safety
