// Any bytes, cut anywhere, with resizes in between: the same outcome for every cut, no crash, no growth.
#include <gtest/gtest.h>

#include <random>

#include "tests/unit/terminal/screen_helpers.h"

namespace terminal {
namespace {

/// Everything a Screen shows and keeps, as one string to compare.
std::string whole_state(TestScreen& test) {
  Screen& screen = test.screen();
  std::string state = dump_json(screen, true);
  for (int row = 0; row < screen.size().rows; ++row) state += screen.row(row).wrapped ? 'w' : '-';
  const Modes& modes = screen.modes();
  state += screen.text(screen.first_line(), screen.end_line()) + screen.line_at_cursor();
  state += make_plain(modes) + restore_modes(modes) + std::to_string(modes.alternate_mode);
  state += screen.between_sequences() ? "between" : "inside";
  state += screen.scrolls_plainly() ? "plain" : "special";
  return state + test.take_replies();
}

const std::string kCorpus[] = {
    "0123456789ab\r\n\x1b[3J中文\u0301\x1b[3b\x1b[31mred\x1b[mplain\r\n\n\n\n",
    "\x1b[?1049h\x1b[2;3r\x1b[?6h\x1b[H\x1b[38;2;1;2;3;48:2::4:5:6;58;5;7;4:3;1mX\x1b[K\n\n\x1b[?1049l",
    "\x1b]0;title \u00E9\x1b\\a\x1b]8;;http://x\x07"
    "b\x1bP$qm\x1b\\\x1b[6n\x1b[c\x1b_apc\x1b\\c",
    "\x1b[?69h\x1b[3;6s\x1b[1;3Habcdefgh\r\n\x1b[4hij\x1b[4l\x1b[?69l\x1b(0lqk\x1b(B\x0e\x0fz",
    "a\xE2\x82"
    "b\xF0\x9F\x98\x80\xFF\xC2\x85\x1b[H\xC2\x85\x1b[K\xE4\xB8\x1b[Cx",
    "0123456789\n0123456789\x1b[K\x1b[4;1H0123456789\nX\b\b\t\x1b"
    "7\x1b[?7l0123456789中\x1b"
    "8\x1b[?7hY",
    "\x1b[1;2\r3H\x1b[5\x18g\x1b[?1;25;1000;1006h\x1b[>1u\x1b[22t\x1b]2;x\x07\x1b[23t\x1b[!p\x1b#8\x1b[2J",
    "\x1b[20h1\n2\n3\x1b[20l\x1b[5;5f\x1b[L\x1b[M\x1b[@\x1b[P\x1b[S\x1b[T\x1b[ @\x1b[ A\x1b[2X\x1bM\x1b"
    "9\x1b"
    "6",
};

TEST(ScreenStorm, TheOutcomeDoesNotDependOnWhereTheBytesAreCut) {
  for (const std::string& bytes : kCorpus) {
    TestScreen whole;
    whole.feed(bytes);
    const std::string expected = whole_state(whole);
    for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
      SCOPED_TRACE(cut);
      TestScreen two;
      two.feed(std::string_view(bytes).substr(0, cut)).feed(std::string_view(bytes).substr(cut));
      ASSERT_EQ(whole_state(two), expected);
    }
    TestScreen single;
    for (const char byte : bytes) single.feed(std::string_view(&byte, 1));
    EXPECT_EQ(whole_state(single), expected);
  }
}

/// Makes bytes that look enough like a terminal's to reach every corner.
class Hostile {
 public:
  explicit Hostile(unsigned seed) : random_(seed) {}

  int number(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }

  std::string bytes() {
    std::string out;
    for (int i = number(12); i >= 0; --i) out += piece();
    return out;
  }

 private:
  std::string parameters() {
    static const char* const kNumbers[] = {"", "0", "1", "2", "3", "5", "7", "24", "80", "9999", "4294967296", "25"};
    std::string out;
    const int count = number(20) == 0 ? 40 : number(4);
    for (int i = 0; i < count; ++i) out += std::string(i == 0 ? "" : number(6) == 0 ? ":" : ";") + kNumbers[number(12)];
    return out;
  }

  std::string csi() {
    static const char* const kLeaders[] = {"", "", "", "", "?", "?", ">", "=", "<"};
    static const char* const kIntermediates[] = {"", "", "", "", "", "$", " ", "'", "\"", "!", "#"};
    return std::string("\x1b[") + kLeaders[number(9)] + parameters() + kIntermediates[number(11)] +
           static_cast<char>('@' + number(63));
  }

  std::string mode() {
    static const char* const kModes[] = {"?1",    "?5",    "?6",    "?7",    "?25", "?47", "?69", "?1047", "?1048",
                                         "?1049", "?1000", "?2004", "?2026", "4",   "20",  "?12", "?66",   "?1006"};
    return std::string("\x1b[") + kModes[number(18)] + (number(2) == 0 ? "h" : "l");
  }

  std::string piece() {
    static const char* const kText[] = {"中", "e\u0301", "👨\u200D👩", "\xC2\x85", "\xE2\x82", "\xFF", "\u3164", "─"};
    switch (number(10)) {
      case 0:
        return kText[number(8)];
      case 1:
        return std::string(static_cast<std::size_t>(number(90)), static_cast<char>('a' + number(26)));
      case 2:
        return std::string(1, static_cast<char>(number(256)));
      case 3:
        return std::string("\x1b") + static_cast<char>(0x20 + number(96));
      case 4:
        return std::string("\x1b") + "()*+#%-"[number(7)] + static_cast<char>('0' + number(75));
      case 5:
        return mode();
      case 6:
        return "\x1b]" + std::to_string(number(12)) + ";text" + (number(3) != 0 ? "\x07" : "");
      case 7:
        return number(4) != 0 ? "\r\n" : "\x1bP$qm\x1b\\";
      default:
        return csi();
    }
  }

  std::mt19937 random_;
};

void expect_sound(const Screen& screen) {
  const base::Size size = screen.size();
  ASSERT_TRUE(screen.cursor().row >= 0 && screen.cursor().row < size.rows);
  ASSERT_TRUE(screen.cursor().col >= 0 && screen.cursor().col < size.cols);
  for (int index = 0; index < size.rows; ++index) {
    const std::vector<Cell>& cells = screen.row(index).cells;
    ASSERT_EQ(cells.size(), static_cast<std::size_t>(size.cols));
    for (std::size_t col = 0; col < cells.size(); ++col) {
      const bool after_wide = col > 0 && cells[col - 1].width == 2;
      ASSERT_EQ(cells[col].width == 0, after_wide) << "a half of a wide character at column " << col;
      ASSERT_FALSE(cells[col].width == 2 && col + 1 == cells.size());
    }
  }
}

TEST(ScreenStorm, HostileBytesAndResizesLeaveASoundScreen) {
  constexpr int kSessions = 60;
  for (unsigned seed = 0; seed < kSessions; ++seed) {
    SCOPED_TRACE(seed);
    Hostile hostile(seed);
    TestScreen test({.rows = 1 + hostile.number(10), .cols = 2 + hostile.number(20)}, 50);
    for (int step = 0; step < 150; ++step) {
      test.feed(hostile.bytes());
      if (hostile.number(8) == 0) test.screen().resize({.rows = hostile.number(12), .cols = hostile.number(30)});
      expect_sound(test.screen());
      if (testing::Test::HasFatalFailure()) return;
    }
    test.screen().line_at_cursor();
    test.screen().text(0, test.screen().end_line());
  }
}

TEST(ScreenStorm, HostileBytesGiveTheSameScreenForAnyCut) {
  for (unsigned seed = 1000; seed < 1030; ++seed) {
    SCOPED_TRACE(seed);
    Hostile hostile(seed);
    std::string bytes;
    for (int i = 0; i < 40; ++i) bytes += hostile.bytes();
    TestScreen whole({.rows = 6, .cols = 20});
    whole.feed(bytes);
    TestScreen pieces({.rows = 6, .cols = 20});
    for (std::string_view rest = bytes; !rest.empty();) {
      const auto size = std::min<std::size_t>(rest.size(), 1 + static_cast<std::size_t>(hostile.number(9)));
      pieces.feed(rest.substr(0, size));
      rest.remove_prefix(size);
    }
    ASSERT_EQ(whole_state(pieces), whole_state(whole));
  }
}

TEST(ScreenStorm, OneWriteMayBeAsLongAsItLikes) {
  TestScreen screen;
  std::string line(10 << 20, 'x');
  line += "\r\nend";
  screen.feed(line);
  EXPECT_EQ(screen.line(3), "end");
}

TEST(ScreenStorm, HighBytesWithoutEndAreBounded) {
  TestScreen screen;
  for (int i = 0; i < 100; ++i) screen.feed(std::string(10'000, '\xF0')).feed(std::string(10'000, '\x80'));
  screen.feed("\r\nend");
  EXPECT_EQ(screen.line(3), "end");
}

}  // namespace
}  // namespace terminal
