#include "panel/target_picker.h"

#include <gtest/gtest.h>

#include "terminal/key_decoder.h"

namespace panel {
namespace {

using Outcome = TargetPicker::Outcome;

std::vector<PickerGroup> groups() {
  return {
      {"recent", {{.target = "db10", .user = "root"}, {.target = "web1", .user = "deploy", .hops = "bastion"}}},
      {"~/.ssh/config",
       {{.target = "db1", .user = "postgres", .hops = "bastion, edge"}, {.target = "mail", .labels = {"env=prod"}}}}};
}

Outcome type(TargetPicker& picker, std::string_view bytes) {
  terminal::KeyDecoder decoder;
  auto keys = decoder.feed(bytes);
  for (const auto& key : decoder.flush()) keys.push_back(key);
  Outcome last = Outcome::none;
  for (const auto& key : keys) last = picker.handle_key(key);
  return last;
}

std::vector<std::string> drawn(TargetPicker& picker, base::Size size) {
  terminal::Frame frame(size);
  picker.draw(frame);
  std::vector<std::string> lines;
  for (const auto& row : frame.rows) lines.push_back(terminal::row_text(row));
  return lines;
}

TEST(TargetPicker, ListsRecentsFirstThenTheOtherSources) {
  TargetPicker picker(groups(), {}, "");
  const auto text = drawn(picker, {12, 70});
  EXPECT_EQ(text[0], " jms: where to?");
  EXPECT_EQ(text[1], " ›");
  EXPECT_EQ(text[2], " recent");
  EXPECT_EQ(text[3], "   db10                                 root");
  EXPECT_EQ(text[4], "   web1                                 deploy · via bastion");
  EXPECT_EQ(text[5], " ~/.ssh/config");
  EXPECT_EQ(text[6], "   db1                                  postgres · via bastion, edge");
  EXPECT_EQ(text[7], "   mail                                 env=prod");
  EXPECT_EQ(text[11], " Enter open · Esc leave · Up/Down choose · type to search");
}

TEST(TargetPicker, MarksWhatFitsBestWhereverItStands) {
  TargetPicker picker(groups(), {}, "");
  type(picker, "web");
  EXPECT_EQ(picker.selected().target, "web1");
  type(picker, "\x15prod");
  EXPECT_EQ(picker.selected().target, "mail") << "labels count too";
  EXPECT_EQ(type(picker, "\r"), Outcome::chosen);
  EXPECT_FALSE(picker.typed());
}

TEST(TargetPicker, MovesTheMarkAndStaysInTheList) {
  TargetPicker picker(groups(), {}, "");
  type(picker, "\x1b[A");
  EXPECT_EQ(picker.selected().target, "db10");
  type(picker, "\x1b[B\x1b[B");
  EXPECT_EQ(picker.selected().target, "db1");
  type(picker, "\x1b[B\x1b[B\x1b[B");
  EXPECT_EQ(picker.selected().target, "mail");
}

TEST(TargetPicker, OpensANameThatStandsInNoList) {
  TargetPicker picker(groups(), {}, "");
  type(picker, "root@new.example");
  EXPECT_EQ(type(picker, "\r"), Outcome::chosen);
  EXPECT_TRUE(picker.typed());
  EXPECT_EQ(picker.selected().target, "root@new.example");
}

TEST(TargetPicker, LeavesOnEsc) {
  TargetPicker picker({}, {}, "");
  EXPECT_EQ(type(picker, "\r"), Outcome::none) << "nothing to open";
  EXPECT_EQ(type(picker, "\x1b"), Outcome::left);
}

TEST(TargetPicker, WorksAt40x10WithGuidance) {
  TargetPicker picker(groups(), {}, "No model is configured: the assistant works offline.");
  const auto text = drawn(picker, {10, 40});
  EXPECT_EQ(text[3], "   db10                  root");
  EXPECT_EQ(text[4], "   web1                  deploy · via …");
  EXPECT_EQ(text[8], " No model is configured: the assistant…");
  EXPECT_EQ(text[9], " Enter open · Esc leave");
}

TEST(TargetPicker, ScrollsALongListAndDrawsAtAnySize) {
  PickerGroup many{"hosts", {}};
  for (int i = 0; i < 500; ++i) many.entries.push_back({.target = "host" + std::to_string(i)});
  TargetPicker picker({many}, {}, "help");
  for (int i = 0; i < 499; ++i) type(picker, "\x1b[B");
  const auto text = drawn(picker, {10, 40});
  EXPECT_EQ(text[7], "   host499");
  for (int rows = 1; rows < 12; ++rows)
    for (int cols = 1; cols < 50; cols += 3) {
      terminal::Frame frame({rows, cols});
      picker.draw(frame);
      EXPECT_LT(frame.cursor.col, cols);
      EXPECT_LT(frame.cursor.row, rows);
    }
}

}  // namespace
}  // namespace panel
