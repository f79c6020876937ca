#include "panel/panel.h"

#include <gtest/gtest.h>

#include "base/utf8.h"
#include "terminal/key_decoder.h"

namespace panel {
namespace {

using Kind = PanelAction::Kind;

Panel::Options options(std::string target = "local") {
  Panel::Options result;
  result.target = std::move(target);
  return result;
}

/// Types bytes as the operator's terminal sends them; the action of the last key that had one.
PanelAction type(Panel& panel, std::string_view bytes) {
  terminal::KeyDecoder decoder;
  auto keys = decoder.feed(bytes);
  for (const auto& key : decoder.flush()) keys.push_back(key);
  PanelAction last;
  for (const auto& key : keys) {
    if (auto action = panel.handle_key(key); action.kind != Kind::none) last = std::move(action);
  }
  return last;
}

/// The frame after the panel was drawn at the bottom of a terminal full of 'x'.
terminal::Frame drawn(Panel& panel, base::Size size) {
  terminal::Frame frame(size);
  for (int row = 0; row < size.rows; ++row) frame.put_text(row, 0, std::string(size.cols, 'x'), {}, size.cols);
  panel.set_terminal_size(size);
  panel.draw(frame, panel.layout().area(size));
  return frame;
}

std::vector<std::string> lines(const terminal::Frame& frame) {
  std::vector<std::string> result;
  for (const auto& row : frame.rows) result.push_back(terminal::row_text(row));
  return result;
}

std::string repeated(std::string_view text, int times) {
  std::string result;
  while (times-- > 0) result += text;
  return result;
}

bool shows(const terminal::Frame& frame, std::string_view text) {
  for (const auto& line : lines(frame)) {
    if (line.find(text) != std::string::npos) return true;
  }
  return false;
}

TEST(Panel, TakesTwoFifthsOfTheHeightButAtLeastEightRowsAndLeavesTheSessionOne) {
  EXPECT_EQ(PanelLayout::default_height({24, 80}), 10);
  EXPECT_EQ(PanelLayout::default_height({50, 80}), 20);
  EXPECT_EQ(PanelLayout::default_height({10, 40}), 8);
  EXPECT_EQ(PanelLayout::default_height({8, 40}), 7);
  EXPECT_EQ(PanelLayout::default_height({5, 20}), 4);
  EXPECT_EQ(PanelLayout::default_height({2, 20}), 1);
  EXPECT_EQ(PanelLayout::default_height({1, 20}), 1);
}

TEST(Panel, DrawsItselfAt80x24) {
  Panel panel(options());
  const auto frame = drawn(panel, {24, 80});
  const auto text = lines(frame);
  EXPECT_EQ(text[13], repeated("x", 80)) << "the session's last visible row";
  EXPECT_EQ(text[14], "── jms · local " + repeated("─", 65));
  EXPECT_EQ(text[15], "   Nothing you type here reaches the session above; it stays live.");
  EXPECT_EQ(text[16], "   Ctrl+] or Esc goes back to it. Ctrl+] twice, quickly, sends Ctrl+] to it.");
  EXPECT_EQ(text[17], "   No model is configured: questions are kept here, not answered.");
  EXPECT_EQ(text[20], "");
  EXPECT_EQ(text[21], repeated("─", 80));
  EXPECT_EQ(text[22], " ›");
  EXPECT_EQ(text[23], " Esc close · Alt+T type above · F11 full · Ctrl+] twice send Ctrl+]");
  EXPECT_EQ(frame.cursor.row, 22);
  EXPECT_EQ(frame.cursor.col, 3);
  EXPECT_TRUE(frame.cursor.visible);
}

TEST(Panel, DrawsItselfAt40x10) {
  Panel panel(options());
  type(panel, "df -h");
  const auto frame = drawn(panel, {10, 40});
  const auto text = lines(frame);
  EXPECT_EQ(text[1], repeated("x", 40));
  EXPECT_EQ(text[2], "── jms · local " + repeated("─", 25));
  EXPECT_EQ(text[3], "   Nothing you type here reaches the");
  EXPECT_EQ(text[7], repeated("─", 40));
  EXPECT_EQ(text[8], " › df -h");
  EXPECT_EQ(text[9], " Enter keep · Esc close · Ctrl+C clear");
  EXPECT_EQ(frame.cursor.col, 8);
}

TEST(Panel, DrawsItselfAt20x5) {
  Panel panel(options("root@a-very-long-host-name"));
  type(panel, "中文中文中文中文中文");
  const auto frame = drawn(panel, {5, 20});
  const auto text = lines(frame);
  EXPECT_EQ(text[0], repeated("x", 20));
  EXPECT_EQ(text[1], "── jms · root@a-… ──");
  EXPECT_EQ(text[2], "   Nothing you type");
  EXPECT_EQ(text[3], " … 中文") << "one row of the two that the text has";
  EXPECT_EQ(text[4], " Enter keep");
  EXPECT_EQ(frame.cursor.row, 3);
  EXPECT_EQ(frame.cursor.col, 7);
}

TEST(Panel, DrawsInsideItsAreaAtAnySize) {
  for (int rows = 1; rows <= 12; ++rows) {
    for (int cols = 1; cols <= 24; ++cols) {
      SCOPED_TRACE(std::to_string(cols) + "x" + std::to_string(rows));
      Panel panel(options());
      type(panel, "中文 question\rand more 中文中文中文中文");
      const auto frame = drawn(panel, {rows, cols});
      const int height = PanelLayout::default_height({rows, cols});
      for (int row = 0; row < rows - height; ++row) {
        EXPECT_EQ(terminal::row_text(frame.rows[row]), repeated("x", cols));
      }
      EXPECT_GE(frame.cursor.row, rows - height);
      EXPECT_LT(frame.cursor.row, rows);
      EXPECT_GE(frame.cursor.col, 0);
      EXPECT_LT(frame.cursor.col, cols);
    }
  }
  terminal::Frame frame({4, 10});
  Panel panel(options());
  panel.draw(frame, {4, 0, {0, 10}});
  panel.draw(frame, {0, 0, {3, 0}});
}

TEST(Panel, DrawsBesideOtherColumnsOnlyItsOwn) {
  terminal::Frame frame({10, 40});
  for (int row = 0; row < 10; ++row) frame.put_text(row, 0, repeated("x", 40), {}, 40);
  Panel panel(options());
  panel.draw(frame, {0, 20, {10, 20}});
  for (const auto& line : lines(frame)) EXPECT_EQ(line.substr(0, 20), repeated("x", 20));
}

TEST(Panel, KeepsWhatIsSubmittedAndSaysThatNobodyAnswers) {
  Panel panel(options());
  const auto action = type(panel, "why is the disk full?\r");
  EXPECT_EQ(action.kind, Kind::submitted);
  EXPECT_EQ(action.text, "why is the disk full?");
  const auto frame = drawn(panel, {24, 80});
  EXPECT_TRUE(shows(frame, " › why is the disk full?"));
  EXPECT_TRUE(shows(frame, "No model is configured, so this was kept here and sent nowhere."));
  EXPECT_EQ(lines(frame)[22], " ›");
}

TEST(Panel, LeavesTheAnswerToAnAssistantThatIsThere) {
  auto with_assistant = options();
  with_assistant.has_assistant = true;
  Panel panel(with_assistant);
  EXPECT_FALSE(shows(drawn(panel, {24, 80}), "No model"));
  type(panel, "uptime?\r");
  panel.add(Speaker::assistant, "Three days.");
  const auto frame = drawn(panel, {24, 80});
  EXPECT_FALSE(shows(frame, "No model"));
  EXPECT_TRUE(shows(frame, "   Three days."));
}

TEST(Panel, SubmitsNothingBlank) {
  Panel panel(options());
  EXPECT_EQ(type(panel, "\r").kind, Kind::none);
  EXPECT_EQ(type(panel, "  \r").kind, Kind::none);
}

TEST(Panel, ClosesOnEscAndOnTheHotkeyAndKeepsTheLine) {
  Panel panel(options());
  EXPECT_EQ(type(panel, "half\x1b").kind, Kind::close);
  EXPECT_EQ(type(panel, "\x1d").kind, Kind::close);
  EXPECT_EQ(type(panel, "\x1b[93;5u").kind, Kind::close);
  EXPECT_TRUE(shows(drawn(panel, {24, 80}), " › half"));
}

TEST(Panel, DropsTheLineOnCtrlCAndClosesWhenThereIsNone) {
  Panel panel(options());
  EXPECT_EQ(type(panel, "half\x03").kind, Kind::none);
  EXPECT_FALSE(shows(drawn(panel, {24, 80}), "half"));
  EXPECT_EQ(type(panel, "\x03").kind, Kind::close);
}

TEST(Panel, AsksForARepaintOnCtrlL) {
  Panel panel(options());
  EXPECT_EQ(type(panel, "\x0c").kind, Kind::repaint);
}

TEST(Panel, IgnoresRepliesFocusAndUnknownSequences) {
  Panel panel(options());
  EXPECT_EQ(type(panel, "\x1b[?62;22c\x1b]11;rgb:0/0/0\x07\x1b[I\x1b[O\x1b[99~\x1b[24;80R").kind, Kind::none);
  EXPECT_EQ(lines(drawn(panel, {24, 80}))[22], " ›");
}

TEST(Panel, ShowsAPasteWithItsLineBreaksAndSubmitsIt) {
  Panel panel(options());
  type(panel, "\x1b[200~one\rtwo\x1b[201~");
  const auto text = lines(drawn(panel, {24, 80}));
  EXPECT_EQ(text[21], " › one");
  EXPECT_EQ(text[22], "   two");
  EXPECT_EQ(type(panel, "\r").text, "one\ntwo");
}

TEST(Panel, TellsWhatAPasteLost) {
  Panel panel(options());
  type(panel, "\x1b[200~" + std::string(1024 * 1024 + 4464, 'a') + "\x1b[201~");
  EXPECT_TRUE(shows(drawn(panel, {24, 80}), "The input holds 1024 KB; 4464 bytes more were left out."));
}

TEST(Panel, ScrollsBackAndStaysThereWhenSomethingIsAdded) {
  Panel panel(options());
  for (int i = 0; i < 40; ++i) panel.add(Speaker::assistant, "answer " + std::to_string(i));
  auto frame = drawn(panel, {24, 80});
  EXPECT_TRUE(shows(frame, "answer 39"));
  EXPECT_TRUE(shows(frame, "PgUp older"));
  type(panel, "\x1b[5~");
  frame = drawn(panel, {24, 80});
  EXPECT_TRUE(shows(frame, "answer 34"));
  EXPECT_FALSE(shows(frame, "answer 39"));
  EXPECT_TRUE(shows(frame, "PgDn newer"));
  panel.add(Speaker::assistant, "late");
  const auto moved = lines(drawn(panel, {24, 80}));
  for (int row = 14; row < 21; ++row)
    EXPECT_EQ(moved[row], lines(frame)[row]) << "the view does not move under the reader";
  EXPECT_TRUE(moved[21].find("more") != std::string::npos) << "but it is said that there is more: " << moved[21];
  for (int i = 0; i < 100; ++i) type(panel, "\x1b[<64;1;1M");
  EXPECT_TRUE(shows(drawn(panel, {24, 80}), "answer 0"));
  type(panel, "question\r");
  EXPECT_TRUE(shows(drawn(panel, {24, 80}), "question"));
}

TEST(Panel, HoldsABoundedConversation) {
  Panel panel(options());
  for (int i = 0; i < 3000; ++i) panel.add(Speaker::assistant, repeated("many words ", 100) + std::to_string(i));
  auto frame = drawn(panel, {24, 80});
  EXPECT_TRUE(shows(frame, "2999"));
  type(panel, "\x1b[1;5H");
  frame = drawn(panel, {24, 80});
  EXPECT_FALSE(shows(frame, "PgUp older"));
  EXPECT_TRUE(shows(frame, "many words"));
}

TEST(Panel, UsesOnlyAsciiSignsWithoutUtf8) {
  auto plain = options();
  plain.theme.unicode = false;
  Panel panel(plain);
  type(panel, "\x1b[200~" + repeated("long\r", 40) + "\x1b[201~");
  panel.add(Speaker::operator_, "asked");
  const auto frame = drawn(panel, {24, 80});
  for (const auto& line : lines(frame)) {
    for (const char byte : line) EXPECT_LT(static_cast<unsigned char>(byte), 0x80) << line;
  }
  EXPECT_EQ(lines(frame)[14], "-- jms - local " + repeated("-", 65));
}

TEST(Panel, UsesOnlyBoldWithoutColour) {
  auto plain = options();
  plain.theme.color = false;
  Panel panel(plain);
  type(panel, "question\rmore");
  for (const auto& row : drawn(panel, {24, 80}).rows) {
    for (const auto& cell : row.cells) {
      EXPECT_TRUE(cell.style.foreground.is_default());
      EXPECT_TRUE(cell.style.background.is_default());
      EXPECT_EQ(cell.style.attributes & ~terminal::kBold, 0);
    }
  }
}

TEST(Panel, NamesTheConfiguredHotkey) {
  auto other = options();
  other.hotkey = *terminal::Hotkey::parse("f12");
  Panel panel(other);
  EXPECT_TRUE(shows(drawn(panel, {24, 80}), "F12 or Esc goes back"));
  EXPECT_EQ(type(panel, "\x1b[24~").kind, Kind::close);
  EXPECT_EQ(type(panel, "\x1d").kind, Kind::none);
}

TEST(Panel, DrawsNoControlsOfATargetsName) {
  Panel panel(options("evil\x1b]0;x\x07\nname"));
  const auto frame = drawn(panel, {24, 80});
  for (const auto& row : frame.rows) {
    for (const auto& cell : row.cells) EXPECT_TRUE(cell.chars[0] == 0 || cell.chars[0] >= 0x20);
  }
}

}  // namespace
}  // namespace panel
