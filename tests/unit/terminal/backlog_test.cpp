// A Screen fed through a Backlog must end up exactly like one that was fed every byte.

#include "terminal/backlog.h"

#include <gtest/gtest.h>

#include <random>

#include "terminal/screen.h"

namespace terminal {
namespace {

Screen::Options options(base::Size size, std::size_t scrollback) {
  Screen::Options made;
  made.size = size;
  made.scrollback_lines = scrollback;
  return made;
}

std::string scrollback_of(const Screen& screen) {
  return screen.text(screen.first_line(), screen.end_line());
}

::testing::AssertionResult same(const Screen& wanted, const Screen& actual) {
  if (scrollback_of(wanted) != scrollback_of(actual)) return ::testing::AssertionFailure() << "the text differs";
  for (int row = 0; row < wanted.size().rows; ++row) {
    if (wanted.row(row) == actual.row(row)) continue;
    return ::testing::AssertionFailure() << "row " << row << ": wanted '" << row_text(wanted.row(row)) << "', got '"
                                         << row_text(actual.row(row)) << "'";
  }
  const auto rows = static_cast<std::uint64_t>(wanted.size().rows);
  const std::uint64_t lines = wanted.end_line() - wanted.first_line();
  if (lines != actual.end_line() - actual.first_line()) return ::testing::AssertionFailure() << "scrollback length";
  for (std::uint64_t line = 0; line + rows < lines; ++line) {
    if (wanted.line_row(wanted.first_line() + line) == actual.line_row(actual.first_line() + line)) continue;
    return ::testing::AssertionFailure() << "scrollback line " << line << " differs";
  }
  if (!(wanted.modes() == actual.modes())) return ::testing::AssertionFailure() << "pen or modes differ";
  if (!(wanted.cursor() == actual.cursor())) return ::testing::AssertionFailure() << "cursor differs";
  if (wanted.alternate() != actual.alternate()) return ::testing::AssertionFailure() << "alternate screen differs";
  return ::testing::AssertionSuccess();
}

std::string flood(int lines, int first = 0) {
  std::string bytes;
  for (int i = 0; i < lines; ++i) bytes += "line " + std::to_string(first + i) + " of the flood\r\n";
  return bytes;
}

TEST(Backlog, AFloodOfTextIsMostlySkipped) {
  Screen screen(options({24, 80}, 100));
  Screen whole(options({24, 80}, 100));
  Backlog backlog(screen, {1 << 20, 1024});
  const std::string bytes = flood(20'000);
  backlog.append(bytes);
  EXPECT_LT(backlog.pending(), 8'000u);
  EXPECT_EQ(backlog.pending() + backlog.skipped_bytes(), bytes.size());
  backlog.catch_up_fully();
  EXPECT_EQ(backlog.pending(), 0u);
  whole.write(bytes);
  EXPECT_TRUE(same(whole, screen));
  EXPECT_EQ(screen.end_line(), whole.end_line()) << "without wrapped rows the numbers agree too";
}

TEST(Backlog, LongLinesCountAsTheRowsTheyWrapInto) {
  Screen screen(options({24, 80}, 1000));
  Screen whole(options({24, 80}, 1000));
  Backlog backlog(screen, {1 << 18, 4096});
  std::string bytes;
  for (int i = 0; i < 1000; ++i) bytes += std::to_string(i) + std::string(1200, 'x') + "\r\n";
  backlog.append(bytes);
  EXPECT_GT(backlog.skipped_bytes(), bytes.size() / 2);
  EXPECT_LT(backlog.pending(), 100'000u);
  backlog.catch_up_fully();
  whole.write(bytes);
  EXPECT_TRUE(same(whole, screen));
}

TEST(Backlog, TheColourInForceIsCarriedOverWhatIsSkipped) {
  Screen screen(options({5, 40}, 10));
  Screen whole(options({5, 40}, 10));
  Backlog backlog(screen, {1 << 20, 256});
  const std::string bytes = "\033[0;1;31mred from here\r\n\033[44m" + flood(500);
  backlog.append(bytes);
  EXPECT_GT(backlog.skipped_bytes(), 0u);
  backlog.catch_up_fully();
  whole.write(bytes);
  EXPECT_TRUE(same(whole, screen));
  EXPECT_EQ(screen.row(0).cells[0].style, (Style{Color::indexed(1), Color::indexed(4), kBold}));
}

TEST(Backlog, MemoryIsBoundedWhenNothingCanBeSkipped) {
  Screen screen(options({24, 80}, 100));
  Backlog backlog(screen, {64 * 1024, 4096});
  for (int i = 0; i < 200; ++i) {
    backlog.append(std::string(5000, 'x'));  // One endless line.
    ASSERT_LE(backlog.pending(), 64u * 1024);
  }
  EXPECT_EQ(backlog.skipped_bytes(), 0u);
  Backlog moving(screen, {64 * 1024, 4096});
  for (int i = 0; i < 200; ++i) {
    moving.append("\033[5;5H" + flood(100));
    ASSERT_LE(moving.pending(), 64u * 1024);
  }
}

TEST(Backlog, ItCatchesUpInSlices) {
  Screen screen(options({24, 80}, 1000));
  Backlog backlog(screen);
  const std::string bytes = flood(100);
  backlog.append(bytes);
  std::size_t slices = 0;
  while (!backlog.catch_up(500)) ++slices;
  EXPECT_EQ(slices, bytes.size() / 500);
  EXPECT_NE(scrollback_of(screen).find("line 99 of the flood"), std::string::npos);
}

TEST(Backlog, NothingIsSkippedWhileMarginsOrASequenceAreOpen) {
  for (const char* opening : {"\033[2;10r", "\033]0;title that goes on", "\033[3"}) {
    Screen screen(options({24, 80}, 10));
    Screen whole(options({24, 80}, 10));
    Backlog backlog(screen, {1 << 20, 512});
    backlog.append(opening);
    backlog.catch_up_fully();
    backlog.append(flood(300));
    EXPECT_EQ(backlog.skipped_bytes(), 0u) << testing::PrintToString(opening);
    backlog.catch_up_fully();
    whole.write(opening + flood(300));
    EXPECT_TRUE(same(whole, screen));
  }
}

/// Terminal output from few ingredients: mostly floods of plain lines, now and then something that is not plain.
class RandomOutput {
 public:
  explicit RandomOutput(unsigned seed) : random_(seed) {}

  int below(int limit) { return std::uniform_int_distribution<int>(0, limit - 1)(random_); }

  std::string next() {
    if (below(4) == 0) return pick(kStrange);
    std::string bytes;
    for (int lines = below(120); lines >= 0; --lines) bytes += line();
    return bytes;
  }

 private:
  std::string pick(const std::vector<std::string>& from) {
    return from[static_cast<std::size_t>(below(static_cast<int>(from.size())))];
  }

  std::string line() {
    std::string made;
    if (below(12) == 0) made = std::string(static_cast<std::size_t>(below(90)), 'w');
    for (int pieces = below(6); pieces > 0; --pieces) made += pick(kPlain);
    return made + "\r\n";
  }

  const std::vector<std::string> kPlain = {
      "a",       "word ",    "\t",   "\r",   "\033[31m",   "\033[m", "\033[0;44m", "\033[1;4m",        "\033[K",
      "\033[1K", "\033[2K",  "漢字", "é",    "e\u0301",    "😀",      "\u0301",     "\033[38;2;1;2;3m", "\033[58:5:3m",
      "\033[7m", "\xe4\xb8", "\xff", "\x9b", "0123456789", "\n",     "\033[39m",   "\033[00m"};
  const std::vector<std::string> kStrange = {"\033[3;4H",
                                             "\033[2J",
                                             "\033[H",
                                             "\033[2;4r",
                                             "\033[r",
                                             "\033[?1049h",
                                             "\033[?1049l",
                                             "\033[5b",
                                             "\033[?7l",
                                             "\033[?7h",
                                             "\033[4h",
                                             "\033[4l",
                                             "\033]0;title\007",
                                             "\033]8;;http://x\033\\",
                                             "\033[",
                                             "\033",
                                             "\xe4",
                                             "\b",
                                             "\033[2A",
                                             "\033[?6h",
                                             "\033[?6l",
                                             "\033(0",
                                             "\033(B",
                                             "\033[20h",
                                             "\033[20l",
                                             "\033c",
                                             "\0337",
                                             "\0338",
                                             "unfinished",
                                             "\033[3L",
                                             "\033[2M",
                                             "\033[!p",
                                             "\033[3J",
                                             "\0337\033[r",
                                             "\016",
                                             "\017"};
  std::mt19937 random_;
};

TEST(Backlog, WhateverComesTheScreenIsTheSameAsWithEveryByte) {
  std::uint64_t skipped = 0;
  std::uint64_t total = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE(seed);
    RandomOutput output(seed);
    // From three columns on: with two, a wide character alone fills a row, and Screen depends on how bytes are cut.
    const auto made = options({2 + output.below(8), 3 + output.below(40)}, static_cast<std::size_t>(output.below(25)));
    Screen screen(made);
    Screen whole(made);
    const BacklogLimits limits{static_cast<std::size_t>(500 + output.below(20'000)),
                               static_cast<std::size_t>(16 + output.below(200))};
    Backlog backlog(screen, limits);
    for (int step = 0; step < 40; ++step) {
      const std::string bytes = output.next();
      total += bytes.size();
      whole.write(bytes);
      for (std::string_view rest = bytes; !rest.empty();) {
        const auto size = std::min<std::size_t>(rest.size(), static_cast<std::size_t>(1 + output.below(300)));
        backlog.append(rest.substr(0, size));
        rest.remove_prefix(size);
        if (output.below(12) == 0) backlog.catch_up(static_cast<std::size_t>(output.below(200)));
        ASSERT_LE(backlog.pending(), limits.bytes + limits.chunk);
      }
      if (output.below(6) != 0) continue;
      backlog.catch_up_fully();
      ASSERT_TRUE(same(whole, screen)) << "step " << step;
    }
    backlog.catch_up_fully();
    ASSERT_TRUE(same(whole, screen));
    skipped += backlog.skipped_bytes();
  }
  EXPECT_GT(skipped, total / 10) << "or this proves little";
}

}  // namespace
}  // namespace terminal
