#include <gtest/gtest.h>

#include "panel/panel.h"

namespace panel {
namespace {

using terminal::Key;
using terminal::KeyKind;

class ApprovalTest : public testing::Test {
 protected:
  void ask(const std::string& word = {}, std::chrono::milliseconds ago = std::chrono::seconds(2)) {
    panel_.ask_approval({.command = "systemctl restart nginx",
                         .target = "web1",
                         .effect = "changes",
                         .reason = "restarts a service",
                         .confirm_word = word},
                        std::chrono::steady_clock::now() - ago);
  }
  PanelAction::Kind type(std::string_view text) {
    PanelAction::Kind last = PanelAction::Kind::none;
    for (const char key : text) last = panel_.handle_key(Key::of(static_cast<char32_t>(key))).kind;
    return last;
  }
  PanelAction enter() { return panel_.handle_key(Key::of(KeyKind::enter)); }

  Panel panel_{{.target = "web1", .has_assistant = true}};
};

TEST_F(ApprovalTest, YesRunsItAndNoDoesNot) {
  ask();
  EXPECT_EQ(type("y"), PanelAction::Kind::approved);
  ask();
  EXPECT_EQ(type("n"), PanelAction::Kind::denied);
}

TEST_F(ApprovalTest, KeysThatWereOnTheirWayDoNotAnswer) {
  ask({}, std::chrono::milliseconds(0));
  EXPECT_EQ(type("y"), PanelAction::Kind::none);
}

TEST_F(ApprovalTest, DestructiveCommandsWantTheWord) {
  ask("web1");
  EXPECT_EQ(type("y"), PanelAction::Kind::none);
  EXPECT_EQ(enter().kind, PanelAction::Kind::denied) << "anything but the word is a no with a reason";
  ask("web1");
  type("web1");
  EXPECT_EQ(enter().kind, PanelAction::Kind::approved);
}

TEST_F(ApprovalTest, WordsAreANoThatTellsTheModelWhy) {
  ask();
  type("wait until midnight");
  const PanelAction action = enter();
  EXPECT_EQ(action.kind, PanelAction::Kind::denied);
  EXPECT_EQ(action.text, "wait until midnight");
}

TEST_F(ApprovalTest, CtrlCStopsAnAssistantThatWorks) {
  panel_.set_activity("running");
  EXPECT_EQ(panel_.handle_key(Key::of(U'c', terminal::kCtrl)).kind, PanelAction::Kind::cancel);
  panel_.set_activity("");
  EXPECT_EQ(panel_.handle_key(Key::of(U'c', terminal::kCtrl)).kind, PanelAction::Kind::close);
}

}  // namespace
}  // namespace panel
