#include "terminal/hotkey.h"

#include <gtest/gtest.h>

#include "terminal/key_decoder.h"

namespace terminal {
namespace {

using std::chrono_literals::operator""ms;

/// What came out, in one string: the hotkey as "<HOT>".
std::string flat(const std::vector<HotkeyFilter::Event>& events) {
  std::string text;
  for (const auto& event : events) {
    text += event.kind == HotkeyFilter::Event::Kind::hotkey ? std::string("<HOT>") : event.bytes;
  }
  return text;
}

/// Feeds the bytes in two pieces, cut everywhere, and expects the same each time.
void expect_filtered(const Hotkey& hotkey, const std::string& bytes, const std::string& wanted) {
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    SCOPED_TRACE(cut);
    HotkeyFilter filter(hotkey);
    std::string got = flat(filter.feed(bytes.substr(0, cut)));
    got += flat(filter.feed(bytes.substr(cut)));
    EXPECT_EQ(got + filter.flush(), wanted);
    EXPECT_FALSE(filter.pending());
  }
  HotkeyFilter filter(hotkey);
  std::string got;
  for (const char byte : bytes) got += flat(filter.feed(std::string(1, byte)));
  EXPECT_EQ(got + filter.flush(), wanted);
}

void expect_filtered(const std::string& bytes, const std::string& wanted) {
  expect_filtered(Hotkey(), bytes, wanted);
}

Hotkey hotkey(std::string_view text) {
  const auto parsed = Hotkey::parse(text);
  EXPECT_TRUE(parsed) << text;
  return parsed.value_or(Hotkey());
}

TEST(Hotkey, IsReadFromConfigText) {
  EXPECT_EQ(hotkey("ctrl-]").bytes(), "\x1d");
  EXPECT_EQ(hotkey("ctrl-]").name(), "Ctrl+]");
  EXPECT_EQ(hotkey("Ctrl+\\").bytes(), "\x1c");
  EXPECT_EQ(hotkey("ctrl-space").bytes(), std::string(1, '\0'));
  EXPECT_EQ(hotkey("ctrl-space").name(), "Ctrl+Space");
  EXPECT_EQ(hotkey("CTRL-G").bytes(), "\x07");
  EXPECT_EQ(hotkey("alt-x").bytes(), "\x1bx");
  EXPECT_EQ(hotkey("alt-x").name(), "Alt+X");
  EXPECT_EQ(hotkey("F12").bytes(), "\x1b[24~");
  EXPECT_EQ(hotkey("f1").bytes(), "\x1bOP");
}

TEST(Hotkey, RefusesWhatNoTerminalCanTellApartAndSaysWhatIsAccepted) {
  for (const char* text : {"", "x", "ctrl-", "ctrl-m", "ctrl-i", "ctrl-[", "ctrl-1", "ctrl-xy", "alt-[", "alt-",
                           "alt-é", "f0", "f13", "f1x", "f", "hyper-x", "ctrl-\x1d"}) {
    SCOPED_TRACE(text);
    const auto parsed = Hotkey::parse(text);
    ASSERT_FALSE(parsed);
    EXPECT_NE(parsed.error().message.find("accepted are ctrl-a"), std::string::npos);
  }
}

TEST(HotkeyFilter, FindsEveryEncodingAloneAndInABurst) {
  for (const char* press :
       {"\x1d", "\x1b[93;5u", "\x1b[93;5:1u", "\x1b[93:125:93;5:1u", "\x1b[93::93;5u", "\x1b[1098::93;5u",
        "\x1b[57:93;6u", "\x1b[93;69u", "\x1b[93;133:1u", "\x1b[93;5;29u", "\x1b[27;5;93~", "\x1b[27;133;93~"}) {
    SCOPED_TRACE(press + 1);
    expect_filtered(press, "<HOT>");
    expect_filtered(std::string("ls -l\r") + press + "a\x1b[A" + press, "ls -l\r<HOT>a\x1b[A<HOT>");
  }
}

TEST(HotkeyFilter, ReportsThePressAsItWasEncoded) {
  HotkeyFilter filter{Hotkey()};
  const auto events = filter.feed("a\x1b[93;5:1ub");
  ASSERT_EQ(events.size(), 3u);
  EXPECT_EQ(events[1], (HotkeyFilter::Event{HotkeyFilter::Event::Kind::hotkey, "\x1b[93;5:1u"}));
  EXPECT_EQ(events[2].bytes, "b");
}

TEST(HotkeyFilter, SwallowsTheReleaseAndTheRepeatOfTheHotkeyOnly) {
  expect_filtered("\x1b[93;5:1u\x1b[93;5:2u\x1b[93;5:3u", "<HOT>");
  expect_filtered("\x1b[97;5:3u", "\x1b[97;5:3u");
}

TEST(HotkeyFilter, PassesEverythingElseUnchanged) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) {
    if (byte != 0x1d) all.push_back(static_cast<char>(byte));
  }
  expect_filtered(all, all);
  for (const char* other : {"\x1b",          "\x1b\x1b",    "\x1b[",         "\x1bOA",      "\x1b[1;5C",
                            "\x1b[93;6u",    "\x1b[93;7u",  "\x1b[93u",      "\x1b[92;5u",  "\x1b[27;5;92~",
                            "\x1b[27;6;93~", "\x1b[27u",    "\x1b[<0;93;5M", "\x1b[?62;5c", "\x1b]11;rgb:1/2/3\x1b\\",
                            "\x1b[24;80R",   "\x1b[193;5u", "\x1b[930;5u",   "\x1b[93;5",   "\x1b[93;5~",
                            "中文é",         "\xff\xfe"}) {
    SCOPED_TRACE(other + 1);
    expect_filtered(other, other);
  }
  const std::string endless = "\x1b[" + std::string(300, '9');
  expect_filtered(endless, endless);
}

TEST(HotkeyFilter, FindsTheHotkeyRightAfterABrokenSequence) {
  expect_filtered("\x1b[93;\x1d", "\x1b[93;<HOT>");
  expect_filtered("\x1b\x1b[93;5u", "\x1b<HOT>");
  expect_filtered("\x1b[9\x1b[27;5;93~", "\x1b[9<HOT>");
}

TEST(HotkeyFilter, LeavesTheHotkeyAloneInsideABracketedPaste) {
  expect_filtered("\x1b[200~a\x1d\x1b[93;5ub\x1b[201~\x1d", "\x1b[200~a\x1d\x1b[93;5ub\x1b[201~<HOT>");
  expect_filtered("\x1b[200~\x1b[201\x1d\x1b\x1b[201~\x1d", "\x1b[200~\x1b[201\x1d\x1b\x1b[201~<HOT>");
  expect_filtered("\x1b[200~\x1b[200~\x1d\x1b[201~\x1d", "\x1b[200~\x1b[200~\x1d\x1b[201~<HOT>");
}

TEST(HotkeyFilter, KnowsThePasteBracketAlsoWhenItsBeginningWasFlushed) {
  HotkeyFilter filter{Hotkey()};
  EXPECT_TRUE(filter.feed("\x1b").empty());
  EXPECT_EQ(filter.flush(), "\x1b");
  EXPECT_EQ(flat(filter.feed("[200~\x1d")), "[200~\x1d");
  EXPECT_TRUE(filter.in_paste());
  filter.leave_paste();
  EXPECT_EQ(flat(filter.feed("\x1d")), "<HOT>");
}

TEST(HotkeyFilter, HoldsBackOnlyWhatCanStillBecomeTheHotkey) {
  const auto holds = [](const Hotkey& key, std::string_view bytes) {
    HotkeyFilter filter(key);
    filter.feed(bytes);
    return filter.pending();
  };
  for (const char* held : {"\x1b", "\x1b[", "\x1b[9", "\x1b[93", "\x1b[93;", "\x1b[93;5", "\x1b[93;5:3", "\x1b[2",
                           "\x1b[27;5;9", "abc\x1b"}) {
    EXPECT_TRUE(holds(Hotkey(), held)) << held + 1;
  }
  for (const char* passed : {"a", "\x1bO", "\x1bx", "\x1b]", "\x1b[A", "\x1b[<", "\x1b[?", "\x1b[1;", "\x1b[200;",
                             "\x1b[[", "\x1b[M", "\xe4"}) {
    EXPECT_FALSE(holds(Hotkey(), passed)) << passed;
  }
  EXPECT_TRUE(holds(hotkey("f1"), "\x1bO"));
  EXPECT_TRUE(holds(hotkey("f12"), "\x1b[2"));
  EXPECT_FALSE(holds(hotkey("f12"), "\x1b[3"));
  EXPECT_FALSE(holds(hotkey("f12"), "\x1b[25"));
}

TEST(HotkeyFilter, FindsOtherHotkeysInTheirEncodings) {
  const auto all_found = [](const Hotkey& key, std::initializer_list<std::string> presses) {
    for (const auto& press : presses) {
      SCOPED_TRACE(press);
      expect_filtered(key, "x" + press + "y", "x<HOT>y");
    }
  };
  all_found(hotkey("ctrl-\\"), {"\x1c", "\x1b[92;5u", "\x1b[27;5;92~"});
  all_found(hotkey("ctrl-space"), {std::string(1, '\0'), "\x1b[32;5u", "\x1b[27;5;32~"});
  all_found(hotkey("ctrl-g"), {"\x07", "\x1b[103;5u", "\x1b[27;5;103~"});
  all_found(hotkey("ctrl-^"), {"\x1e", "\x1b[54;6u", "\x1b[54:94;6u", "\x1b[27;6;94~", "\x1b[94;5u"});
  all_found(hotkey("ctrl-_"), {"\x1f", "\x1b[45;6u", "\x1b[27;6;95~"});
  all_found(hotkey("alt-x"), {"\x1bx", "\x1b[120;3u", "\x1b[27;3;120~"});
  all_found(hotkey("f12"), {"\x1b[24~", "\x1b[24;1:1~", "\x1b[24;129~"});
  all_found(hotkey("f1"), {"\x1bOP", "\x1b[P", "\x1b[1;129P", "\x1b[11~", "\x1b[[A"});
  all_found(hotkey("f3"), {"\x1bOR", "\x1b[13~", "\x1b[[C"});
  expect_filtered(hotkey("f3"), "\x1b[1;1R", "\x1b[1;1R");
  expect_filtered(hotkey("f12"), "\x1b[24;2~\x1b[24;5~\x1b[23~", "\x1b[24;2~\x1b[24;5~\x1b[23~");
  expect_filtered(hotkey("alt-x"), "\x1d\x1by", "\x1d\x1by");
}

TEST(Hotkey, IsTheSameKeyForTheDecoder) {
  for (const char* press : {"\x1d", "\x1b[93;5u", "\x1b[27;5;93~", "\x1b[1098::93;5u"}) {
    KeyDecoder decoder;
    const auto keys = decoder.feed(press);
    ASSERT_EQ(keys.size(), 1u);
    EXPECT_TRUE(Hotkey().matches(keys[0]));
  }
}

TEST(DoublePress, SendsTheSecondQuickPressThroughInTheRemotesEncoding) {
  const DoublePress::TimePoint start{};
  DoublePress presses{Hotkey()};
  EXPECT_EQ(presses.press(start, "\x1b[93;5u"), DoublePress::Outcome::toggle);
  EXPECT_EQ(presses.press(start + 400ms), DoublePress::Outcome::send_through);
  EXPECT_EQ(presses.bytes(), "\x1b[93;5u");
  EXPECT_EQ(presses.press(start + 500ms), DoublePress::Outcome::toggle) << "a third press begins anew";
  EXPECT_EQ(presses.press(start + 600ms, "\x1d"), DoublePress::Outcome::send_through);
  EXPECT_EQ(presses.bytes(), "\x1d");
}

TEST(DoublePress, TakesASlowSecondPressAsAnotherFirst) {
  const DoublePress::TimePoint start{};
  DoublePress presses{Hotkey()};
  EXPECT_EQ(presses.press(start), DoublePress::Outcome::toggle);
  EXPECT_EQ(presses.press(start + 401ms), DoublePress::Outcome::toggle);
  EXPECT_EQ(presses.press(start + 500ms), DoublePress::Outcome::send_through);
  EXPECT_EQ(presses.bytes(), "\x1d") << "both seen by the panel: the plain encoding";
}

}  // namespace
}  // namespace terminal
