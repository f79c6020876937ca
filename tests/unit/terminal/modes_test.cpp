#include "terminal/modes.h"

#include <gtest/gtest.h>

#include "tests/support/named.h"
#include "tests/unit/terminal/screen_helpers.h"

namespace terminal {
namespace {

constexpr base::Size kSize = {.rows = 10, .cols = 30};

constexpr support::Named<const char*> kCases[] = {
    {"", "Plain"},
    {"\x1b[?25l\x1b[3 q", "HiddenBarCursor"},
    {"\x1b[?1h\x1b=\x1b[?12h", "ApplicationKeysAndBlink"},
    {"\x1b[?7l\x1b[4h\x1b[20h\x1b[?5h", "NoWrapInsertNewlineReverse"},
    {"\x1b[2;8r\x1b[?6h", "RegionAndOrigin"},
    {"\x1b[?69h\x1b[3;20s\x1b[2;8r\x1b[?6h", "MarginsRegionAndOrigin"},
    {"\x1b[?69h", "MarginsAlone"},
    {"\x1b[?1003;1006h\x1b[?1004h\x1b[?2004h\x1b[?1007h", "MouseMotionFocusAndPaste"},
    {"\x1b[?9h", "MouseX10"},
    {"\x1b[?1000;1016h", "MouseInPixels"},
    {"\x1b[?2026h", "SynchronizedOutput"},
    {"\x1b[>5u\x1b[>4;2m", "KeyFlags"},
    {"\x1b(0\x1b)A\x1b*0\x0e", "CharacterSets"},
    {"\x1b+0\x1bo", "CharacterSetOfG3"},
    {"\x1b[1;2;3;5;7;8;9;53;4:3;38;5;200;48:2::1:2:3;58:5:9m", "EveryRendition"},
    {"\x1b[21;91;104m", "BrightColours"},
    {"\x1b]8;id=7;https://example.org/\x1b\\", "Hyperlink"},
    {"\x1b[3g\x1b[5G\x1bH\x1b[20G\x1bH", "TabStops"},
};

class ModesRoundTrip : public testing::TestWithParam<support::Named<const char*>> {};

TEST_P(ModesRoundTrip, MakePlainMakesAnyTerminalPlain) {
  TestScreen remote(kSize);
  remote.feed(GetParam().value);
  const Modes before = remote.screen().modes();
  remote.feed(make_plain(before));
  Modes plain = remote.screen().modes();
  // What does not disturb a painted panel may stay; the key flags stay on the stack, switched off.
  for (int& flags : plain.kitty_keyboard) EXPECT_EQ(flags, 0);
  plain.kitty_keyboard.clear();
  plain.cursor_visible = true;
  plain.cursor_blink.reset();
  plain.cursor_style = 0;
  plain.tab_stops_changed = false;
  plain.tab_stops.clear();
  EXPECT_EQ(plain.charsets[0], 'B');
  plain.charsets = Modes{}.charsets;
  plain.underline_color.clear();
  EXPECT_EQ(plain, Modes{});
}

TEST_P(ModesRoundTrip, RestoreModesBringsThemBack) {
  TestScreen remote(kSize);
  remote.feed(GetParam().value);
  const Modes before = remote.screen().modes();
  remote.feed(make_plain(before)).feed(restore_modes(before));
  EXPECT_EQ(remote.screen().modes(), before);
}

TEST_P(ModesRoundTrip, RestoreModesSetsUpAFreshTerminal) {
  TestScreen remote(kSize);
  remote.feed(GetParam().value);
  TestScreen fresh(kSize);
  fresh.feed(restore_modes(remote.screen().modes()));
  EXPECT_EQ(fresh.screen().modes(), remote.screen().modes());
}

TEST_P(ModesRoundTrip, CursorToFindsThePlaceInWhateverModes) {
  TestScreen remote(kSize);
  remote.feed(GetParam().value);
  remote.feed(cursor_to(remote.screen().modes(), 4, 6));
  EXPECT_EQ(remote.at(), std::make_pair(4, 6));
}

INSTANTIATE_TEST_SUITE_P(Modes, ModesRoundTrip, testing::ValuesIn(kCases),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace terminal
