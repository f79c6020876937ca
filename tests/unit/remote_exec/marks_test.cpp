#include "remote_exec/marks.h"

#include <gtest/gtest.h>

#include <random>
#include <regex>
#include <vector>

namespace remote_exec {
namespace {

const Nonce kNonce(0x0123456789abcdef);
const std::string kStart = "\033]7717;0123456789abcdef;s\007";
const std::string kEnd = "\033]7717;0123456789abcdef;e;2\007";

struct Collected final : MarkScanner::Sink {
  std::string text;
  std::vector<Mark> marks;
  std::vector<std::size_t> places;  ///< How much text came before each mark.

  void on_text(std::string_view bytes) override { text += bytes; }
  void on_mark(const Mark& mark) override {
    marks.push_back(mark);
    places.push_back(text.size());
  }
};

TEST(MarkScanner, FindsMarksCutAtEveryByte) {
  const std::string stream = "echo\r\n" + kStart + "total 0\r\nno newline" + kEnd + "\033[?2004h$ ";
  for (std::size_t first = 0; first <= stream.size(); ++first) {
    for (std::size_t second = first; second <= stream.size(); ++second) {
      Collected got;
      MarkScanner scanner(kNonce);
      scanner.feed(std::string_view(stream).substr(0, first), got);
      scanner.feed(std::string_view(stream).substr(first, second - first), got);
      scanner.feed(std::string_view(stream).substr(second), got);
      ASSERT_EQ(got.text, "echo\r\ntotal 0\r\nno newline\033[?2004h$ ") << first << ' ' << second;
      ASSERT_EQ(got.marks.size(), 2u);
      ASSERT_EQ(got.marks[0].kind, MarkKind::start);
      ASSERT_EQ(got.marks[1].kind, MarkKind::end);
      ASSERT_EQ(got.marks[1].payload, "2");
      ASSERT_EQ(got.places[0], 6u);
    }
  }
}

TEST(MarkScanner, PassesLookAlikesUnchanged) {
  for (const std::string& text :
       {std::string("\033]7717;0123456789abcdee;e;0\007"), std::string("\033]7717;0123456789abcdef;x;0\007"),
        std::string("\033]7717;0123456789abcdef;e;0\033\\"), std::string("\033]7717;0123456789abcdef;e;\n\007"),
        std::string("\033]7717;0123456789abcdef;e0\007"), std::string("\033\033]7717;\007"),
        "\033]7717;0123456789abcdef;e;" + std::string(MarkScanner::kMaxPayload + 1, '1') + "\007",
        std::string("\\033]7717;0123456789abcdef;e;0\\007"), std::string("]7717;0123456789abcdef;e;0\007")}) {
    Collected got;
    MarkScanner scanner(kNonce);
    for (const char c : text) scanner.feed(std::string_view(&c, 1), got);
    got.on_text(scanner.give_up());
    EXPECT_EQ(got.text, text);
    EXPECT_TRUE(got.marks.empty()) << text;
  }
}

TEST(MarkScanner, FindsAMarkRightBehindAHalfOne) {
  Collected got;
  MarkScanner scanner(kNonce);
  scanner.feed("\033]7717;0123456789abcdef;" + kEnd, got);
  ASSERT_EQ(got.marks.size(), 1u);
  EXPECT_EQ(got.text, "\033]7717;0123456789abcdef;");
}

TEST(MarkScanner, TakesNoTwoHalvesForOne) {
  const std::string probe = "\033]7717;0123456789abcdef;p;ok";
  const std::string stream = probe + probe + "\007" + probe + "\033\\" + probe + "\030\007" + probe + "\b\007";
  for (const std::size_t piece : {stream.size(), std::size_t{1}}) {
    Collected got;
    MarkScanner scanner(kNonce);
    for (std::size_t at = 0; at < stream.size(); at += piece) scanner.feed(stream.substr(at, piece), got);
    ASSERT_EQ(got.marks.size(), 1u);
    EXPECT_EQ(got.marks[0].payload, "ok");
    EXPECT_EQ(got.places[0], probe.size());
  }
}

TEST(MarkScanner, TheTypedLineNeverMatches) {
  Collected got;
  MarkScanner scanner(kNonce);
  scanner.feed("printf '" + mark_format(kNonce, MarkKind::end, "%s") + "' \"$?\"", got);
  EXPECT_TRUE(got.marks.empty());
}

TEST(MarkScanner, NeverMisframesRandomOutputInRandomPieces) {
  std::mt19937 random(20240607);
  const std::vector<std::string> pieces = {"\033",
                                           "\033]7717;",
                                           "\033]7717;0123456789abcdef",
                                           "\033]7717;0123456789abcdef;",
                                           "\033]7717;0123456789abcdef;e",
                                           "\033]7717;0123456789abcdef;e;0",
                                           "\007",
                                           ";e;0\007",
                                           "\033]7717;fedcba9876543210;e;0\007",
                                           "text\r\n",
                                           "\033[31m",
                                           ";",
                                           "s",
                                           "0"};
  for (int round = 0; round < 3000; ++round) {
    std::string output;
    const int count = static_cast<int>(random() % 12);
    for (int i = 0; i < count; ++i) output += pieces[random() % pieces.size()];
    // The command does not know the nonce, so whole true marks are not among what it can print.
    static const std::regex true_mark("\033\\]7717;0123456789abcdef;(s|e;[0-9]{1,10}|p(;[ -~]*)?)\007");
    if (std::regex_search(output, true_mark)) continue;
    const std::string stream = kStart + output + kEnd + "$ ";
    Collected got;
    MarkScanner scanner(kNonce);
    for (std::size_t at = 0; at < stream.size();) {
      const std::size_t size = 1 + random() % 9;
      scanner.feed(std::string_view(stream).substr(at, size), got);
      at += size;
    }
    ASSERT_EQ(got.text, output + "$ ");
    ASSERT_EQ(got.marks.size(), 2u);
    ASSERT_EQ(got.places[1], output.size());
    ASSERT_EQ(got.marks[1].payload, "2");
  }
}

TEST(Nonce, IsFreshEachTime) {
  EXPECT_NE(Nonce::fresh(), Nonce::fresh());
  EXPECT_EQ(Nonce::fresh().text().size(), 16u);
}

}  // namespace
}  // namespace remote_exec
