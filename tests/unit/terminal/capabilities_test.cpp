#include "terminal/capabilities.h"

#include <gtest/gtest.h>

#include <map>

#include "terminal/cell.h"
#include "terminal/palette.h"

namespace terminal {
namespace {

Capabilities of(const std::string& term, const std::map<std::string, std::string>& environment = {},
                const char* codeset = "UTF-8") {
  const auto variable = [&environment](const char* name) {
    const auto found = environment.find(name);
    return found == environment.end() ? std::string() : found->second;
  };
  return Capabilities::of(term, variable, codeset);
}

TEST(Capabilities, Xterm256HasWhatItsEntrySays) {
  const auto caps = of("xterm-256color");
  EXPECT_TRUE(caps.can_draw);
  EXPECT_EQ(caps.colors, ColorDepth::palette256);
  EXPECT_TRUE(caps.background_erase);
  EXPECT_TRUE(caps.delayed_wrap);
  EXPECT_TRUE(caps.switches_wrap);
  EXPECT_TRUE(caps.cursor_shape);
  EXPECT_TRUE(caps.scrolls_region);
  EXPECT_TRUE(caps.attributes & kItalic);
  EXPECT_FALSE(caps.styled_underline);
}

TEST(Capabilities, TrueColourIsPromisedByTheEnvironmentOrTheEntry) {
  EXPECT_EQ(of("xterm-256color", {{"COLORTERM", "truecolor"}}).colors, ColorDepth::truecolor);
  EXPECT_EQ(of("xterm-256color", {{"COLORTERM", "24bit"}}).colors, ColorDepth::truecolor);
  EXPECT_EQ(of("xterm-256color", {{"COLORTERM", "yes"}}).colors, ColorDepth::palette256);
  EXPECT_EQ(of("xterm-direct").colors, ColorDepth::truecolor);
  EXPECT_EQ(of("alacritty").colors, ColorDepth::truecolor);
}

TEST(Capabilities, GnuScreenDoesNotInheritTheTrueColourOfItsTerminal) {
  EXPECT_EQ(of("screen-256color", {{"COLORTERM", "truecolor"}}).colors, ColorDepth::palette256);
  EXPECT_EQ(of("screen-256color", {{"COLORTERM", "truecolor"}, {"TMUX", "/tmp/x"}}).colors, ColorDepth::truecolor);
}

TEST(Capabilities, SmallTerminalsGetFewerColours) {
  EXPECT_EQ(of("linux").colors, ColorDepth::ansi8);
  EXPECT_EQ(of("xterm-16color").colors, ColorDepth::ansi16);
  const auto vt100 = of("vt100", {{"COLORTERM", "truecolor"}});
  EXPECT_EQ(vt100.colors, ColorDepth::mono);
  EXPECT_TRUE(vt100.can_draw) << "padding in the entry does not count";
  EXPECT_FALSE(of("linux").synchronized);
  EXPECT_FALSE(of("linux").attributes & kItalic);
}

TEST(Capabilities, ADumbTerminalDrawsNothing) {
  for (const char* term : {"dumb", "", "unknown"}) {
    EXPECT_FALSE(of(term).can_draw) << term;
    EXPECT_EQ(of(term, {{"COLORTERM", "truecolor"}}).colors, ColorDepth::mono) << term;
  }
  EXPECT_FALSE(of("vt52").can_draw) << "its movements are not ours";
}

TEST(Capabilities, AnUnknownTerminalGetsTheSafeMinimum) {
  const auto caps = of("no-such-terminal-anywhere");
  EXPECT_TRUE(caps.can_draw);
  EXPECT_EQ(caps.colors, ColorDepth::ansi8);
  EXPECT_FALSE(caps.synchronized);
  EXPECT_FALSE(caps.background_erase);
  EXPECT_FALSE(caps.attributes & kItalic);
  EXPECT_EQ(of("strange-256color").colors, ColorDepth::palette256);
  EXPECT_TRUE(of("../../etc/passwd").can_draw);
  EXPECT_TRUE(of(std::string(5000, 'x')).can_draw);
}

TEST(Capabilities, ModernTerminalsAreKnownWithoutTheirEntry) {
  const auto caps = of("xterm-kitty");
  EXPECT_EQ(caps.colors, ColorDepth::truecolor);
  EXPECT_TRUE(caps.synchronized);
  EXPECT_TRUE(caps.styled_underline);
}

TEST(Capabilities, LocaleAndWishesComeFromTheEnvironment) {
  EXPECT_TRUE(of("xterm").utf8);
  EXPECT_FALSE(of("xterm", {}, "ANSI_X3.4-1968").utf8);
  EXPECT_TRUE(of("xterm", {{"LANG", "zh_CN.UTF-8"}}).ambiguous_wide);
  EXPECT_FALSE(of("xterm", {{"LANG", "zh_CN.UTF-8"}, {"LC_ALL", "C.UTF-8"}}).ambiguous_wide);
  EXPECT_TRUE(of("xterm", {{"NO_COLOR", "1"}}).no_color);
  EXPECT_FALSE(of("xterm", {{"NO_COLOR", ""}}).no_color);
  EXPECT_EQ(of("xterm-256color", {{"NO_COLOR", "1"}}).colors, ColorDepth::palette256) << "the remote keeps its colours";
}

TEST(Palette, NearestColoursLookRight) {
  EXPECT_EQ(nearest_of_256(Color::rgb(255, 0, 0)), 196);
  EXPECT_EQ(nearest_of_256(Color::rgb(0x80, 0x80, 0x80)), 244);
  EXPECT_EQ(nearest_of_256(Color::rgb(0, 0, 0)), 16);
  EXPECT_EQ(nearest_of_256(Color::rgb(255, 255, 255)), 231);
  EXPECT_EQ(nearest_of_16(Color::rgb(250, 10, 10)), 9);
  EXPECT_EQ(nearest_of_16(Color::indexed(21)), 4);
  EXPECT_EQ(nearest_of_16(Color::indexed(240)), 8);
}

TEST(Palette, EveryPaletteColourIsItsOwnNearest) {
  for (int level = 0; level < 24; ++level) {
    const auto grey = static_cast<std::uint8_t>(8 + 10 * level);
    EXPECT_EQ(nearest_of_256(Color::rgb(grey, grey, grey)), 232 + level);
  }
}

TEST(Palette, DegradedTextIsNeverHiddenByItsBackground) {
  for (const auto depth : {ColorDepth::palette256, ColorDepth::ansi16, ColorDepth::ansi8}) {
    Capabilities caps;
    caps.colors = depth;
    for (int shade = 0; shade < 255; ++shade) {
      const auto a = static_cast<std::uint8_t>(shade);
      const auto b = static_cast<std::uint8_t>(shade + 1);
      const Style shown = degrade({Color::rgb(a, a, a), Color::rgb(b, b, b), 0}, caps);
      EXPECT_NE(shown.foreground, shown.background) << shade;
    }
  }
}

TEST(Palette, EightColoursShowBrightOnesBold) {
  Capabilities caps;
  caps.colors = ColorDepth::ansi8;
  EXPECT_EQ(degrade({Color::indexed(12), {}, 0}, caps), (Style{Color::indexed(4), {}, kBold}));
  EXPECT_EQ(degrade({Color::indexed(8), {}, 0}, caps), (Style{Color::indexed(7), {}, 0}));
  caps.colors = ColorDepth::mono;
  EXPECT_EQ(degrade({Color::indexed(12), Color::rgb(1, 2, 3), kReverse}, caps), (Style{{}, {}, kReverse}));
}

TEST(Palette, AttributesTheTerminalLacksAreLeftOut) {
  Capabilities caps;
  caps.attributes = kBold;
  EXPECT_EQ(degrade({{}, {}, kBold | kItalic | kUnderlineCurly}, caps).attributes, kBold | kUnderlineSingle);
  caps.styled_underline = true;
  EXPECT_EQ(degrade({{}, {}, kUnderlineCurly}, caps).attributes, kUnderlineCurly);
  caps.underline = false;
  EXPECT_EQ(degrade({{}, {}, kUnderlineCurly}, caps).attributes, 0);
}

}  // namespace
}  // namespace terminal
