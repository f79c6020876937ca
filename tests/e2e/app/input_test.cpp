// The panel's input on the real binary: several lines, history across sessions, search, chips, completion, the queue.

#include "tests/e2e/app/input_fixture.h"

namespace app {
namespace {

constexpr std::string_view kUp = "\x1b[A";
constexpr std::string_view kAltEnter = "\x1b\r";

TEST_F(InputTest, HistoryReachesIntoTheNextSessionWithSecretsMasked) {
  open();
  ASSERT_TRUE(type_and_see("/cost\r", "Tokens:"));
  ASSERT_TRUE(type_and_see("/context\r", "Context: about"));
  ASSERT_TRUE(type_and_see("!echo key AKIAIOSFODNN7EXAMPLE\r", "done"));
  leave();
  const std::string kept = support::read_text(env_.home() / "state/jms/history");
  EXPECT_EQ(kept.find("AKIAIOSFODNN7EXAMPLE"), std::string::npos) << kept;

  open();
  ASSERT_TRUE(type_and_see(std::string(kUp), "!echo key <secret"));
  ASSERT_TRUE(type_and_see(std::string(kUp), "› /context"));
  ASSERT_TRUE(
      type_and_see("\x03\x12"
                   "cos",
                   "search: cos"));
  ASSERT_TRUE(sees("/cost"));
  ASSERT_TRUE(type_and_see("\r", "› /cost")) << "taken into the input, not run";
  EXPECT_FALSE(shows("Tokens:"));
}

TEST_F(InputTest, SeveralLinesGoOutAsOneQuestion) {
  serve_model();
  model_says("Both lines came.");
  open();
  jms_->send("first line" + std::string(kAltEnter) + "second line\\\rthird line");
  ASSERT_TRUE(sees("third line"));
  EXPECT_NE(row_with("› first line"), "");
  jms_->send("\r");
  ASSERT_TRUE(sees("Both lines came."));
  EXPECT_THAT(newest_message(0), testing::HasSubstr("first line\\nsecond line\\nthird line"));
}

TEST_F(InputTest, ALargePasteIsAChipAndGoesOutWhole) {
  serve_model();
  model_says("A long log.");
  open();
  std::string log;
  for (int i = 0; i < 300; ++i) log += "log line " + std::to_string(i) + "\n";
  jms_->send("look at \x1b[200~" + log + "\x1b[201~ please");
  ASSERT_TRUE(sees("look at [pasted 300 lines, ")) << jms_->screen_text();
  jms_->send("\r");
  ASSERT_TRUE(sees("A long log."));
  EXPECT_THAT(newest_message(0),
              testing::AllOf(testing::HasSubstr("log line 0\\n"), testing::HasSubstr("log line 299\\n")));
  EXPECT_FALSE(shows("log line 299"));
  jms_->send("\x1b[200~" + log + "\x1b[201~");
  ASSERT_TRUE(wait_until([this] { return row_with("› [pasted 300").size() > 0; }));
  jms_->send("\x7f");
  EXPECT_TRUE(wait_until([this] { return row_with("› [pasted 300").empty(); })) << "it goes as one";
}

TEST_F(InputTest, CompletesCommandsSkillsAndAttachments) {
  open();
  ASSERT_TRUE(type_and_see("/", "these commands and the keys"));
  ASSERT_TRUE(type_and_see("ski", "follow this runbook now"));
  ASSERT_TRUE(type_and_see("\x03/skill disk", "disk-full"));
  ASSERT_TRUE(type_and_see("\t", "› /skill disk-full"));
  ASSERT_TRUE(type_and_see("\x03why @la\t", "› why @last"));
}

TEST_F(InputTest, AttachmentsReachTheModelAsData) {
  serve_model();
  model_says("It says marker-42.");
  start({40, 100});
  ASSERT_TRUE(command("echo marker-$((6*7))"));
  ASSERT_TRUE(open_panel());
  jms_->send("explain @screen\r");
  ASSERT_TRUE(sees("It says marker-42.")) << jms_->screen_text();
  EXPECT_THAT(newest_message(0), testing::AllOf(testing::HasSubstr("@screen"), testing::HasSubstr("marker-42")));
}

TEST_F(InputTest, WhatIsTypedWhileTheAssistantWorksWaitsVisiblyAndCanBeTakenBack) {
  serve_model();
  const support::Gate gate(env_.home(), "gate");
  model_runs("echo agent-began; " + gate.wait() + "; echo agent-over");
  model_says("Finished with both.");
  open();
  jms_->send("start\r");
  ASSERT_TRUE(sees("agent-began"));
  ASSERT_TRUE(type_and_see("also this\r", "queued: also this"));
  ASSERT_TRUE(type_and_see("not this\r", "queued: not this"));
  jms_->send(kUp);
  ASSERT_TRUE(wait_until([this] { return !shows("queued: not this") && !row_with("› not this").empty(); }));
  jms_->send("\x03");
  ASSERT_TRUE(wait_until([this] { return row_with("› not this").empty(); }));
  gate.open();
  ASSERT_TRUE(sees("Finished with both.")) << jms_->screen_text();
  EXPECT_THAT(newest_message(1),
              testing::AllOf(testing::HasSubstr("also this"), testing::Not(testing::HasSubstr("not this"))));
  EXPECT_FALSE(shows("queued:"));
}

TEST_F(InputTest, NothingTypedInThePanelReachesTheShell) {
  open();
  jms_->send("echo leaked" + std::string(kAltEnter) + "more\x1b[A\x1b[B\x12xx\x1b\x03");
  ASSERT_TRUE(wait_until([this] { return !shows("search:"); }));
  jms_->settle();
  ASSERT_TRUE(close_panel("\x1d"));
  pause(kNotQuickly);
  EXPECT_FALSE(shows("leaked")) << jms_->screen_text();
}

}  // namespace
}  // namespace app
