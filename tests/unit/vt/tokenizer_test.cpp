#include "vt/tokenizer.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/unit/vt/tokens_helper.h"
#include "vt/csi.h"

namespace vt {
namespace {

using namespace std::string_literals;

struct Example {
  std::string bytes, tokens;
};

/// In one piece, byte by byte and by threes.
void expect_tokens(const Example& example, C1 c1 = C1::text) {
  SCOPED_TRACE(testing::PrintToString(example.bytes));
  for (const std::size_t piece : {std::string::npos, std::size_t{1}, std::size_t{3}})
    EXPECT_EQ(tokens(example.bytes, c1, piece), example.tokens) << "by " << piece;
}

TEST(Tokenizer, TellsTextControlsAndSequencesApart) {
  const Example examples[] = {
      {"", ""},
      {"plain 中文 \xff", "text(plain 中文 \xff)"},
      {"a\r\n", "text(a) control(13) control(10)"},
      {"\0\x7f"s, "control(0) control(127)"},
      {"a\033[1;31mb", "text(a) csi(\033[1;31m) text(b)"},
      {"\033[?25h\033[2 q", "csi(\033[?25h) csi(\033[2 q)"},
      {"\0337\033(0\033=", "escape(\0337) escape(\033(0) escape(\033=)"},
      {"\033]0;t\a\033]8;;x\033\\", "osc(\033]0;t\a) osc(\033]8;;x\033\\)"},
      {"\033Pq\033\\\033_G\033\\\033^p\033\\\033Xs\033\\",
       "dcs(\033Pq\033\\) apc(\033_G\033\\) pm(\033^p\033\\) sos(\033Xs\033\\)"},
  };
  for (const auto& example : examples) expect_tokens(example);
}

TEST(Tokenizer, CarriesOutControlsInTheMiddleOfASequence) {
  const Example examples[] = {
      {"\033[3\n1m", "control(10) csi(\033[31m)"}, {"\033\r[c", "control(13) csi(\033[c)"},
      {"\033(\b0", "control(8) escape(\033(0)"},   {"\033\0[\x7f"s + "c", "csi(\033[c)"},
      {"\033\x7f" + "b"s, "escape(\033b)"},
  };
  for (const auto& example : examples) expect_tokens(example);
}

TEST(Tokenizer, LeavesControlsInAStringThere) {
  const Example examples[] = {
      {"\033]0;a\r\nb\ac", "osc(\033]0;a\r\nb\a) text(c)"},
      {"\033Pa\ab\033\\", "dcs(\033Pa\ab\033\\)"},
      {"\033]5\0002;\x7f\a"s, "osc(\033]5\0002;\x7f\a)"s},
  };
  for (const auto& example : examples) expect_tokens(example);
}

TEST(Tokenizer, TellsWhatWasBrokenOff) {
  expect_tokens({"\033[3\033[m", "csi(\033[3) broken csi(\033[m)"});
  expect_tokens({"\033\033[m", "escape(\033) broken csi(\033[m)"});
  expect_tokens({"\033[3é", "csi(\033[3) broken text(é)"});
  expect_tokens({"\033é", "escape(\033) broken text(é)"});
  expect_tokens({"\033[2\030t", "csi(\033[2\030) cancelled text(t)"});
  expect_tokens({"\033]0;t\032x", "osc(\033]0;t\032) cancelled text(x)"});
  expect_tokens({"\033]0;t\033[m", "osc(\033]0;t) broken csi(\033[m)"});
  expect_tokens({"\033]0;t\033\033\\", "osc(\033]0;t) broken escape(\033) broken escape(\033\\)"});
  expect_tokens({"\033]0;t", "osc(\033]0;t) unfinished"});
  expect_tokens({"\033]0;t\033", "osc(\033]0;t) unfinished escape(\033) unfinished"});
  expect_tokens({"a\033[3", "text(a) csi(\033[3) unfinished"});
}

TEST(Tokenizer, TakesC1ForTextOrForControls) {
  const Example as_text[] = {
      {"a\xc2\x9b" + "31m"s, "text(a\xc2\x9b" + "31m)"s},
      {"\033]0;t\xc2\x9cu\a", "osc(\033]0;t\xc2\x9cu\a)"},
  };
  for (const auto& example : as_text) expect_tokens(example);
  const Example as_controls[] = {
      {"a\xc2\x9b" + "31mb"s, "text(a) csi(\xc2\x9b" + "31m) text(b)"s},
      {"\xc2\x9d" + "0;t\xc2\x9cu"s, "osc(\xc2\x9d" + "0;t\xc2\x9c) text(u)"s},
      {"\xc2\x90q\033\\", "dcs(\xc2\x90q\033\\)"},
      {"\xc2\x84", "escape(\xc2\x84)"},
      {"\xc2\xa9\xc2", "text(\xc2\xa9\xc2)"},
      {"\xc2\033[m", "text(\xc2) csi(\033[m)"},
      {"\x9b" + "31m"s, "text(\x9b" + "31m)"s},
      {"\033]0;\xc2\xa9\a", "osc(\033]0;\xc2\xa9\a)"},
      {"\033]0;\xc2\xc2", "osc(\033]0;\xc2\xc2) unfinished"},
      {"\033]0;t\xc2\x9b" + "21t"s, "osc(\033]0;t) broken csi(\xc2\x9b" + "21t)"s},
      {"\033[?\xc2\x9b" + "21t"s, "csi(\033[?) broken csi(\xc2\x9b" + "21t)"s},
  };
  for (const auto& example : as_controls) expect_tokens(example, C1::controls);
}

TEST(Tokenizer, ReadsWhatIsTooLongToItsEnd) {
  const std::string most = "\033[" + std::string(kMostSequence - 3, '0') + "m";
  expect_tokens({most + "x", "csi(" + most + ") text(x)"});
  const std::string kept = "\033[" + std::string(kMostSequence - 3, '0');
  expect_tokens({kept + "00mx", "csi(" + kept + "m) cut text(x)"});
  const std::string title = "\033]0;" + std::string(kMostString - 2, 't');
  expect_tokens({title + "\ax", "osc(" + title + "\a) text(x)"});
  expect_tokens({title + "uu\ax", "osc(" + title + "\a) cut text(x)"});
  const std::string odd = "\033]0;" + std::string(kMostString - 2, '\xc2');
  expect_tokens({odd + "\xc2\xc2\ax", "osc(" + odd + "\a) cut text(x)"}, C1::controls);
}

TEST(Tokenizer, HandsOutAllOfALongString) {
  const std::string clipboard = "\033]52;c;" + std::string(100'000, 'Q');
  for (const std::size_t piece : {std::string::npos, std::size_t{4097}, std::size_t{1}}) {
    const std::string said = tokens(clipboard + "\a", C1::controls, piece, true);
    EXPECT_TRUE(said.starts_with("all(" + clipboard + ") osc(")) << piece;
  }
}

TEST(Tokenizer, GivesTheSameForAnyCut) {
  const std::vector<std::string> words = {
      "x",    "\033", "[", "]", "P",    "2",   ";",  "m", "\a",       "\033\\",   "\n",   "\xc2", "\x9b",   "\x9d",
      "\x9c", "\x18", "?", "$", "\x7f", "\0"s, "中", "_", "\033[31m", "\033]0;t", "\x90", "(",    "\033[1", "text\r"};
  std::mt19937 random(7);
  for (int round = 0; round < 20'000; ++round) {
    std::string bytes;
    for (unsigned i = 0; i < 14; ++i) bytes += words[random() % words.size()];
    const C1 c1 = round % 2 == 0 ? C1::text : C1::controls;
    ASSERT_EQ(tokens(bytes, c1, 1 + random() % 4, true), tokens(bytes, c1, std::string::npos, true))
        << testing::PrintToString(bytes);
  }
}

/// Text and controls alone, as a reader of lines puts them together.
struct Lines final : LineSink {
  void text(std::string_view run) override { read += run; }
  void control(char byte) override {
    if (byte == '\n') read += byte;
  }
  void sequence(const Sequence&) override {}
  std::string read;
};

std::string lines(std::string_view bytes, std::size_t piece) {
  Lines sink;
  Tokenizer tokenizer;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(piece, bytes.size())))
    tokenizer.feed(bytes.substr(0, piece), sink);
  tokenizer.finish(sink);
  return sink.read;
}

TEST(LineSink, LosesNoLineToAStringThatNobodyClosed) {
  std::string flood;
  for (int i = 0; i < 2000; ++i) flood += "line " + std::to_string(i) + "\n";
  for (const std::size_t piece : {std::string::npos, std::size_t{1}, std::size_t{5000}}) {
    EXPECT_EQ(lines("a\033]0;title\ab", piece), "ab");
    EXPECT_EQ(lines("a\033]0;title\033[mb", piece), "ab") << "no line in it";
    EXPECT_EQ(lines("a\033]0;title\r\nnext\n", piece), "a\nnext\n");
    EXPECT_EQ(lines("a\033]0;title\nnext\033[mb", piece), "a\nnextb");
    EXPECT_EQ(lines("a\033Pq\n\n\033\\b", piece), "ab") << "closed: an image";
    EXPECT_EQ(lines("a\033]0;title\n" + flood, piece), "a\n" + flood);
    EXPECT_EQ(lines("a\033]52;c;" + std::string(100'000, 'Q') + "\ab", piece), "ab") << "long, but no lines";
  }
}

TEST(Csi, IsTakenApart) {
  Csi csi;
  ASSERT_TRUE(csi.read("\033[?1;;25$p"));
  EXPECT_EQ(csi.key(), Csi::key('?', '$', 'p'));
  EXPECT_EQ(csi.count, 3);
  EXPECT_EQ(csi.get(0, 9), 1);
  EXPECT_EQ(csi.get(1, 9), 9);
  EXPECT_EQ(csi.get(2, 9), 25);
  ASSERT_TRUE(csi.read("\033[38:2::1m"));
  EXPECT_EQ(csi.count, 4);
  EXPECT_TRUE(csi.is_joined(1) && csi.is_joined(2) && csi.is_joined(3) && !csi.is_joined(0));
  ASSERT_TRUE(csi.read("\033[m"));
  EXPECT_EQ(csi.count, 0);
  ASSERT_TRUE(csi.read("\xc2\x9b" + "999999999999H"s));
  EXPECT_EQ(csi.get(0, 0), Csi::kMaxValue);
  for (const char* odd : {"\033[1?h", "\033[1$$p", "\033[ 1q", "\033[??1h"}) EXPECT_FALSE(csi.read(odd)) << odd + 1;
}

TEST(Csi, IgnoresParametersBeyondTheMost) {
  std::string raw = "\033[1";
  for (int i = 0; i < 100; ++i) raw += ";7";
  Csi csi;
  ASSERT_TRUE(csi.read(raw + "m"));
  EXPECT_EQ(csi.count, Csi::kMaxParams);
  EXPECT_EQ(csi.get(Csi::kMaxParams - 1, 0), 7);
}

}  // namespace
}  // namespace vt
