#include <gtest/gtest.h>

#include "panel/panel.h"

namespace panel {
namespace {

using terminal::Key;
using terminal::KeyKind;
using Kind = PanelAction::Kind;
using std::chrono::milliseconds;

class ApprovalTest : public testing::Test {
 protected:
  ApprovalView view() {
    ApprovalView view;
    view.command = "systemctl restart nginx";
    view.target = "web1";
    view.effect = "changes";
    view.reason = "restarts a service";
    return view;
  }
  /// Asks, and lets the keyboard be quiet for long enough.
  void ask(ApprovalView asked) {
    panel_.ask_approval(std::move(asked));
    now_ += milliseconds(600);
  }
  PanelAction press(char32_t key) { return panel_.handle_key(Key::of(key)); }
  PanelAction type(std::string_view text) {
    PanelAction last;
    for (const char key : text) last = press(static_cast<char32_t>(key));
    return last;
  }
  PanelAction enter() { return panel_.handle_key(Key::of(KeyKind::enter)); }
  bool shows(std::string_view text, base::Size size = {24, 80}) {
    terminal::Frame frame(size);
    panel_.set_terminal_size(size);
    panel_.draw(frame, panel_.layout().area(size));
    for (const auto& row : frame.rows)
      if (terminal::row_text(row).find(text) != std::string::npos) return true;
    return false;
  }

  Panel::Time now_{std::chrono::hours(1)};
  Panel panel_{{.target = "web1", .has_assistant = true, .clock = [this] { return now_; }}};
};

TEST_F(ApprovalTest, YesRunsItAndNoDoesNot) {
  ask(view());
  EXPECT_EQ(press(U'y').kind, Kind::approved);
  EXPECT_FALSE(panel_.approval_open());
  ask(view());
  EXPECT_EQ(press(U'n').kind, Kind::none) << "first it may be said why";
  EXPECT_EQ(enter().kind, Kind::denied);
  EXPECT_TRUE(shows("Not run."));
}

TEST_F(ApprovalTest, ShowsEverythingTheOperatorAnswersFor) {
  ApprovalView full = view();
  full.user = "root";
  full.purpose = "load the new configuration";
  full.check = "systemctl is-active nginx";
  full.backup = "cp -a /etc/nginx /root/nginx.bak";
  full.rollback = "systemctl reload nginx";
  full.recorded = "the line as shown";
  ask(full);
  for (const auto* words : {"systemctl restart nginx", "changes: restarts a service", "where: web1 as root",
                            "purpose: load the new configuration", "check: systemctl is-active nginx",
                            "backup: cp -a /etc/nginx /root/nginx.bak", "rollback: systemctl reload nginx",
                            "recorded: the line as shown", "Run this on web1?", "y run it"})
    EXPECT_TRUE(shows(words, {50, 100})) << words;
}

TEST_F(ApprovalTest, KeysThatWereOnTheirWayDoNotAnswerAndAreNotLost) {
  panel_.ask_approval(view());
  EXPECT_EQ(press(U'y').kind, Kind::none);
  now_ += milliseconds(400);
  EXPECT_EQ(press(U'e').kind, Kind::none) << "the keyboard has not been quiet for half a second";
  now_ += milliseconds(400);
  EXPECT_EQ(press(U's').kind, Kind::none);
  EXPECT_EQ(panel_.input().text(), "yes") << "what was being typed goes on being typed";
  now_ += milliseconds(600);
  EXPECT_EQ(press(U'y').kind, Kind::approved);
  EXPECT_EQ(panel_.input().text(), "yes");
}

TEST_F(ApprovalTest, OtherKeysMeanNothing) {
  ask(view());
  for (const char key : std::string_view("bcdfghijklmopqrstuvwxz YN1"))
    EXPECT_EQ(press(static_cast<char32_t>(key)).kind, Kind::none) << key;
  EXPECT_EQ(enter().kind, Kind::none);
  EXPECT_TRUE(panel_.approval_open());
}

TEST_F(ApprovalTest, DestructiveCommandsWantTheHostsName) {
  ApprovalView rm = view();
  rm.destructive = true;
  rm.confirm_word = "web1";
  rm.may_last = true;
  rm.always_rule = "allow rm";
  ask(rm);
  EXPECT_EQ(press(U's').kind, Kind::none) << "never for longer than once";
  EXPECT_EQ(press(U'a').kind, Kind::none);
  EXPECT_EQ(press(U'y').kind, Kind::none);
  type("web2");
  EXPECT_EQ(enter().kind, Kind::none);
  EXPECT_TRUE(shows("That is not it. Type web1"));
  type("web1");
  EXPECT_EQ(enter().kind, Kind::approved);
}

TEST_F(ApprovalTest, ANoteTellsTheModelWhyNot) {
  ask(view());
  press(U'n');
  type("wait until midnight");
  const PanelAction action = enter();
  EXPECT_EQ(action.kind, Kind::denied);
  EXPECT_EQ(action.text, "wait until midnight");
  EXPECT_TRUE(shows("Not run: wait until midnight"));
}

TEST_F(ApprovalTest, ForThisSessionOrForAlwaysWithTheRuleShown) {
  ApprovalView lasting = view();
  lasting.may_last = true;
  lasting.always_rule = "allow systemctl restart nginx on web1";
  ask(lasting);
  EXPECT_EQ(press(U's').scope, PanelAction::Scope::session);
  ask(lasting);
  EXPECT_EQ(press(U'a').kind, Kind::none);
  EXPECT_TRUE(shows("rule: allow systemctl restart nginx on web1"));
  const PanelAction action = press(U'y');
  EXPECT_EQ(action.kind, Kind::approved);
  EXPECT_EQ(action.scope, PanelAction::Scope::always);
}

TEST_F(ApprovalTest, WhatMayNotLastIsNotOffered) {
  ApprovalView once = view();
  once.always_refused = "sudo is never allowed as a whole";
  ask(once);
  EXPECT_EQ(press(U's').kind, Kind::none);
  EXPECT_EQ(press(U'a').kind, Kind::none);
  EXPECT_FALSE(shows("this session"));
  EXPECT_TRUE(shows("sudo is never allowed as a whole"));
}

TEST_F(ApprovalTest, TheCommandCanBeEditedFirst) {
  ask(view());
  press(U'e');
  for (int i = 0; i < 5; ++i) panel_.handle_key(Key::of(KeyKind::backspace));
  type("apache2");
  const PanelAction action = enter();
  EXPECT_EQ(action.kind, Kind::edited);
  EXPECT_EQ(action.text, "systemctl restart apache2");
}

TEST_F(ApprovalTest, EscGoesBackOneStepAndThenCloses) {
  ask(view());
  press(U'n');
  EXPECT_EQ(panel_.handle_key(Key::of(KeyKind::escape)).kind, Kind::none);
  EXPECT_EQ(panel_.handle_key(Key::of(KeyKind::escape)).kind, Kind::close);
  EXPECT_TRUE(panel_.approval_open()) << "closed is not answered";
}

TEST_F(ApprovalTest, ALongCommandIsReadFromItsBeginning) {
  ApprovalView long_one = view();
  long_one.command = "first-word";
  for (int i = 0; i < 60; ++i) long_one.command += "\necho line-" + std::to_string(i);
  ask(long_one);
  EXPECT_TRUE(shows("first-word"));
  EXPECT_FALSE(shows("line-59"));
  for (int i = 0; i < 12; ++i) panel_.handle_key(Key::of(KeyKind::page_down));
  EXPECT_TRUE(shows("line-59"));
}

TEST_F(ApprovalTest, TheRollbackOfWhatRanStaysOneKeyAway) {
  ApprovalView change = view();
  change.rollback = "systemctl reload nginx";
  ask(change);
  press(U'y');
  EXPECT_FALSE(shows("Alt+R")) << "allowed is not run";
  EXPECT_EQ(panel_.handle_key(Key::of(U'r', terminal::kAlt)).kind, Kind::none);
  panel_.offer_rollback(change.rollback);
  EXPECT_TRUE(shows("Alt+R puts the rollback on the prompt"));
  const PanelAction action = panel_.handle_key(Key::of(U'r', terminal::kAlt));
  EXPECT_EQ(action.kind, Kind::insert);
  EXPECT_EQ(action.text, "systemctl reload nginx");
}

TEST_F(ApprovalTest, ALimitIsAskedAboutTheSameWay) {
  panel_.set_activity("waits");
  panel_.ask_limit("Ten rounds are done.");
  EXPECT_EQ(press(U'y').kind, Kind::none) << "on its way already";
  now_ += milliseconds(600);
  EXPECT_TRUE(shows("Ten rounds are done."));
  EXPECT_EQ(press(U'y').kind, Kind::go_on);
  panel_.ask_limit("Five minutes are over.");
  now_ += milliseconds(600);
  EXPECT_EQ(press(U'n').kind, Kind::stop_here);
}

TEST_F(ApprovalTest, CtrlCStopsAtOnce) {
  panel_.set_activity("waits");
  panel_.ask_approval(view());
  EXPECT_EQ(panel_.handle_key(Key::of(U'c', terminal::kCtrl)).kind, Kind::cancel) << "on its way or not";
}

TEST_F(ApprovalTest, CtrlCStopsAnAssistantThatWorks) {
  panel_.set_activity("running");
  EXPECT_EQ(panel_.handle_key(Key::of(U'c', terminal::kCtrl)).kind, Kind::cancel);
  panel_.set_activity("");
  EXPECT_EQ(panel_.handle_key(Key::of(U'c', terminal::kCtrl)).kind, Kind::close);
}

}  // namespace
}  // namespace panel
