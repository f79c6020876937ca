#include "safety/sanitizer.h"

#include <gtest/gtest.h>

#include <random>

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

TEST(Sanitizer, LosesNoLineInsideASequence) {
  EXPECT_EQ(sanitize("a\x1b[3\n1mb"), "a\nb");
  EXPECT_EQ(sanitize("a\x1b[31éb"), "aéb");
  EXPECT_EQ(sanitize("a\x1b]0;never closed\nnext\n"), "a\nnext\n");
  EXPECT_EQ(sanitize("a\x1b]52;c;" + std::string(2 << 20, 'Q') + "\x07z"), "az");
  EXPECT_EQ(sanitize("a\x1b[" + std::string(2000, '0') + "mz"), "az");
  EXPECT_EQ(sanitize("\xE4\xB8\x1b\xAD"), "\uFFFD\uFFFD\uFFFD") << "halves of a character around half a sequence";
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
  EXPECT_EQ(filtered("\x1b]0;t\x1b]52;c;aGk=\x07x"), "\x1b]0;t\x18x") << "hidden behind a title that is not closed";
  EXPECT_EQ(filtered("\x1b]0;t\xC2\x9C\x1b]52;c;aGk=\x07x"), "\x1b]0;t\xC2\x9Cx");
  EXPECT_EQ(filtered("\x1b]0;t\xC2\x9D"
                     "52;c;aGk=\x07x"),
            "\x1b]0;t\x18x");
}

TEST(EscapeFilter, SeesThroughWaysToHideARequest) {
  const auto filtered = [](const std::string& text) {
    EscapeFilter filter;
    std::string scratch;
    const std::string whole(filter.pass(text, scratch));
    EscapeFilter slow;
    std::string out;
    for (const char c : text) out += slow.feed(std::string_view(&c, 1));
    EXPECT_EQ(whole, out) << "the pieces make a difference";
    return whole;
  };
  const std::string zeros(80, '0');
  EXPECT_EQ(filtered("a\x1b[\n21tb"), "ab") << "a control inside the sequence";
  EXPECT_EQ(filtered("a\x1b[" + zeros + "21tb"), "ab") << "leading zeros";
  EXPECT_EQ(filtered("a\x1b[" + std::string(2000, '0') + "21tb"), "ab") << "longer than is held back";
  EXPECT_EQ(filtered("a\x1b]" + zeros +
                     "52;c;aGk=\x07"
                     "b"),
            "ab");
  EXPECT_EQ(filtered("a\x1b]5\n2;c;aGk=\x07"
                     "b"),
            "ab");
  EXPECT_EQ(filtered("a\x1b[?\xC2\x9B"
                     "21tb"),
            "a\x1b[?\x18"
            "b")
      << "a second introducer inside the first";
  EXPECT_EQ(filtered("a\x1b[1;1;5;5;1*yb"), "ab") << "a checksum of the screen's content";
  EXPECT_EQ(filtered("\x1bPtmux;\x1b\x1b]52;c;aGk=\x07\x1b\\"), "\x1bPtmux;\x1b\x18\x1b\\") << "wrapped for tmux";
  // A request in two halves, with another one between them that is taken out.
  const std::string between = "\x1b]52;c;aGk=\x07";
  EXPECT_EQ(filtered("\x1b" + between + "[21t"), "\x1b\x18[21t");
  EXPECT_EQ(filtered("\x1b[2" + between + "1t"),
            "\x1b[2\x18"
            "1t");
  EXPECT_EQ(filtered("\x1b]5" + between + "2;c;aGk=\x07"),
            "\x1b]5\x18"
            "2;c;aGk=\x07");
  EXPECT_EQ(filtered("\xC2" + between +
                     "\x9B"
                     "21t"),
            "\xC2\x18\x9B"
            "21t");
  EXPECT_EQ(filtered("\xC2\x05\x9B"
                     "21t"),
            "\xC2\x18\x9B"
            "21t");
  EXPECT_EQ(filtered("\xC2" + between), "\xC2\x18") << "behind half a character";
  EXPECT_EQ(filtered("\x1b\x05[21t"), "") << "a control between ESC and what follows it";
  EXPECT_EQ(filtered("\x1b[\x05"
                     "31m"),
            "\x1b[31m");
}

/// Terminals take DEL for not there; some do not know C1 controls and then see text where others see a string.
TEST(EscapeFilter, IsNotMisledByWhatTerminalsSkip) {
  const auto filtered = [](const std::string& text) {
    EscapeFilter filter, slow;
    std::string scratch, out;
    const std::string whole(filter.pass(text, scratch));
    for (const char c : text) out += slow.feed(std::string_view(&c, 1));
    EXPECT_EQ(whole, out) << "the pieces make a difference";
    return whole;
  };
  EXPECT_EQ(filtered("a\x1b\x7f]52;c;aGk=\x07z"), "az");
  EXPECT_EQ(filtered("a\x1b]5\x7f"
                     "2;c;aGk=\x07z"),
            "az");
  EXPECT_EQ(filtered("a\x1b\x7f[21tz"), "az");
  EXPECT_EQ(filtered("\xC2\x9D"
                     "0;t\x05u\x07z"),
            "\xC2\x9D"
            "0;tu\x07z");
  EXPECT_EQ(filtered("\x1bPq\x05\x1b\\z"), "\x1bPq\x1b\\z");
}

TEST(EscapeFilter, PassesStringsHoweverLong) {
  for (const char* head : {"\x1b]0;", "\x1b]8;;http://x/", "\x1b]52;c;", "\x1bPq", "\x1b_Gf=100;"}) {
    const std::string text = "a" + std::string(head) + std::string(200'000, 'Q') + "\r\nQ\x1b\\z";
    EscapeFilter filter({.clipboard = true}), pieces({.clipboard = true});
    std::string scratch, out;
    EXPECT_TRUE(filter.pass(text, scratch) == text) << head + 1;
    for (std::size_t at = 0; at < text.size(); at += 1000) out += pieces.pass(text.substr(at, 1000), scratch);
    EXPECT_TRUE(out == text) << head + 1;
  }
}

TEST(EscapeFilter, KeepsWhatOnlyLooksLikeARequest) {
  for (const std::string& text : std::vector<std::string>{
           "\x1b[1;1;5;5;7$t", "\x1b[>1;2t", "\x1b[18t", "\x1b[2\x18t", "\x1b[38;2;1;2;3;48;2;4;5;6mx",
           "\x1b]8;;x\x1b\\l", "\x1b]10;?\x07", "\x1b[c\x1b[>c\x1b[6n", "caf\xC3\xA9 \xC2\xB5s \xE4\xB8\xAD",
           "\x1b(B\x1b)0\x1b=\x1b>"}) {
    EscapeFilter filter;
    std::string scratch;
    EXPECT_EQ(filter.pass(text, scratch), text);
    EscapeFilter slow;
    std::string out;
    for (const char c : text) out += slow.feed(std::string_view(&c, 1));
    EXPECT_EQ(out + slow.finish(), text);
  }
}

TEST(EscapeFilter, GivesTheSameInAnyPiecesAndNeverLetsARequestThrough) {
  // Words from which a stream is put together; the last ones are what must not come out whole.
  const std::vector<std::string> words = {
      "x",    "\x1b",   "[",  "]",     "2",        "1",        "5",        ";",        "t",       "m",
      "\x07", "\x1b\\", "\n", "\xC2",  "\x9B",     "\x9D",     "\x18",     "?",        "*",       "y",
      "c",    "0",      "P",  "tmux;", "\x1b[21t", "\x1b]52;", "\x1b]0;t", "\x1b[31m", "\xC3\xA9"};
  std::mt19937 random(11);
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    for (unsigned i = 0; i < 12; ++i) text += words[random() % words.size()];
    EscapeFilter whole;
    std::string scratch;
    std::string once(whole.pass(text, scratch));
    once += whole.finish();
    EscapeFilter pieces;
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t length = 1 + random() % 4;
      out += pieces.pass(std::string_view(text).substr(at, length), scratch);
      at += length;
    }
    out += pieces.finish();
    ASSERT_EQ(once, out) << testing::PrintToString(text);
    EscapeFilter again;
    std::string twice = again.feed(once);
    twice += again.finish();
    ASSERT_EQ(twice, once) << "something came through: " << testing::PrintToString(text);
  }
}

TEST(EscapeFilter, CopiesNothingWhenNothingIsRemoved) {
  EscapeFilter filter;
  std::string scratch;
  const std::string_view text = "plain \x1b[1mbold\x1b[0m\r\n";
  EXPECT_EQ(filter.pass(text, scratch).data(), text.data());
}

}  // namespace
}  // namespace safety
