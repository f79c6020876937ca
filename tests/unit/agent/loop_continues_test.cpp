// Why the agent's loop asks the model again, and when it does not: errors, cut answers, nudges, compaction, hooks.
#include <gmock/gmock.h>

#include "tests/unit/agent/loop_helpers.h"

namespace {

using agent::ContinueReason;
using agent::Ending;
using support::call_turn;
using support::command;
using support::error_turn;
using support::expect_paired;
using support::Rig;
using support::text_turn;

TEST(Loop, AModelErrorOnTheFirstTurnLeavesNoTrace) {
  Rig rig;
  rig.client.script = {error_turn(model::ErrorKind::authentication, "the key was refused")};
  EXPECT_EQ(rig.answer("?"), Ending::model_error);
  EXPECT_EQ(rig.recorder.end->note, "the key was refused");
  EXPECT_TRUE(rig.conversation.messages().empty());
}

TEST(Loop, AModelErrorAfterToolsKeepsWhatHappened) {
  Rig rig;
  rig.client.script = {call_turn({{"a", "execute_command", command("df")}}), error_turn(model::ErrorKind::billing)};
  EXPECT_EQ(rig.answer("?"), Ending::model_error);
  EXPECT_EQ(rig.conversation.messages().size(), 4u);
  expect_paired(rig);
}

TEST(Loop, AnAnswerLostOnTheWayIsAskedForOnceMore) {
  Rig rig;
  auto lost = text_turn("half an ans");
  lost.outcome = model::Outcome::incomplete;
  lost.replay.clear();
  rig.client.script = {lost, text_turn("A whole answer.")};
  EXPECT_EQ(rig.answer("?"), Ending::completed);
  EXPECT_EQ(rig.recorder.count("retry"), 1);
  EXPECT_EQ(rig.recorder.states.back().reason, ContinueReason::retry_after_error);
  EXPECT_EQ(rig.recorder.states.back().round, 1) << "a repeat is the same round";
  rig.client.script = {lost, lost};
  EXPECT_EQ(rig.answer("again?"), Ending::model_error);
  expect_paired(rig);
}

TEST(Loop, ARefusalIsForgotten) {
  Rig rig;
  rig.client.script = {text_turn("Fine."), text_turn("I can", model::StopReason::refusal)};
  rig.answer("first");
  EXPECT_EQ(rig.answer("second"), Ending::refused);
  EXPECT_EQ(rig.conversation.messages().size(), 2u);
  expect_paired(rig);
}

TEST(Loop, GoesOnAfterTheOutputLimitAtMostThreeTimes) {
  Rig rig;
  rig.client.script = {text_turn("part one", model::StopReason::max_tokens), text_turn("part two")};
  EXPECT_EQ(rig.answer("?"), Ending::completed);
  EXPECT_EQ(rig.recorder.states.back().reason, ContinueReason::output_limit);
  EXPECT_GT(rig.client.requests.back().max_tokens, 0);
  for (int i = 0; i < 5; ++i) rig.client.script.push_back(text_turn("endless", model::StopReason::max_tokens));
  EXPECT_EQ(rig.answer("?"), Ending::completed);
  EXPECT_EQ(rig.client.script.size(), 1u);
  EXPECT_THAT(rig.recorder.end->note, testing::HasSubstr("cut off"));
  expect_paired(rig);
}

TEST(Loop, ACallCutByTheOutputLimitIsAnsweredNotRun) {
  Rig rig;
  auto cut = call_turn({{"a", "execute_command", model::Json::object(), false}});
  cut.stop = model::StopReason::max_tokens;
  rig.client.script = {cut, text_turn("Done.")};
  EXPECT_EQ(rig.answer("?"), Ending::completed);
  EXPECT_EQ(rig.run.started, 0);
  expect_paired(rig);
}

TEST(Loop, NudgesAnAnnouncedStepAtMostTwice) {
  Rig rig;
  for (int i = 0; i < 4; ++i) rig.client.script.push_back(text_turn("Let me check the disk."));
  EXPECT_EQ(rig.answer("?"), Ending::completed);
  EXPECT_EQ(rig.client.requests.size(), 3u);
  EXPECT_EQ(rig.recorder.states.back().reason, ContinueReason::intent_nudge);
  expect_paired(rig);
}

TEST(Loop, NudgesInChineseWhenTheModelSpeaksChinese) {
  Rig rig;
  rig.client.script = {text_turn("我来检查一下磁盘。"), text_turn("磁盘已满。")};
  EXPECT_EQ(rig.answer("为什么？"), Ending::completed);
  EXPECT_THAT(std::string(rig.client.requests[1].messages.back().blocks[0].text()),
              testing::HasSubstr("请现在就调用工具"));
}

TEST(Loop, AnEmptyAnswerIsAskedAboutOnce) {
  Rig rig;
  rig.client.script = {text_turn(""), text_turn(""), text_turn("never")};
  EXPECT_EQ(rig.answer("?"), Ending::completed);
  EXPECT_EQ(rig.client.requests.size(), 2u);
  expect_paired(rig);
}

TEST(Loop, APausedTurnGoesOnWithoutAUserMessage) {
  Rig rig;
  rig.client.script = {text_turn("searching", model::StopReason::pause_turn), text_turn("found")};
  EXPECT_EQ(rig.answer("?"), Ending::completed);
  EXPECT_TRUE(rig.client.requests[1].messages.back().paused);
  EXPECT_EQ(rig.recorder.states.back().reason, ContinueReason::paused_turn);
}

TEST(Loop, InputTypedMeanwhileGoesWithTheNextResults) {
  Rig rig;
  rig.client.script = {call_turn({{"a", "execute_command", command("df")}}), text_turn("Done.")};
  rig.ask("?");
  rig.clock.fire_one();
  rig.exchange->add_input("look at /var too");
  rig.pump();
  EXPECT_THAT(std::string(rig.client.requests[1].messages.back().blocks.back().text()),
              testing::HasSubstr("look at /var too"));
  EXPECT_EQ(rig.recorder.end->unsent, "");
  expect_paired(rig);
}

TEST(Loop, InputThatNobodyAnsweredComesBackAsTheNextQuestion) {
  Rig rig;
  rig.client.script = {text_turn("Done.")};
  rig.ask("?");
  rig.exchange->add_input("and why?");
  rig.pump();
  EXPECT_EQ(rig.recorder.end->unsent, "and why?");
}

TEST(Loop, CompactsWhenTheModelSaysTooLongAndAsksAgain) {
  Rig rig;
  rig.client.script = {text_turn("Fine."), error_turn(model::ErrorKind::context_too_long),
                       text_turn("Findings: the disk is full."), text_turn("The answer.")};
  rig.answer("first");
  EXPECT_EQ(rig.answer("second"), Ending::completed);
  EXPECT_EQ(rig.recorder.states.back().reason, ContinueReason::compaction_retry);
  ASSERT_EQ(rig.recorder.compactions.size(), 2u);
  EXPECT_EQ(rig.recorder.compactions[1].stage, agent::Compaction::Stage::done);
  ASSERT_EQ(rig.conversation.boundaries().size(), 1u);
  const auto& first = rig.client.requests.back().messages[0];
  EXPECT_THAT(std::string(first.blocks[0].text()), testing::HasSubstr("the disk is full"));
  EXPECT_EQ(agent::question_text(first), "second");
  expect_paired(rig);
}

TEST(Loop, CompactsReactivelyOnlyOnce) {
  Rig rig;
  rig.client.script = {error_turn(model::ErrorKind::context_too_long), text_turn("summary"),
                       error_turn(model::ErrorKind::context_too_long)};
  EXPECT_EQ(rig.answer("?"), Ending::model_error);
  EXPECT_TRUE(rig.conversation.messages().empty());
}

TEST(Loop, AHookMaySendTheModelBackOnce) {
  struct Runner : agent::HookRunner {
    std::unique_ptr<Run> start(const std::string&, std::string input, std::chrono::milliseconds,
                               std::function<void(agent::HookOutput)> done) override {
      inputs.push_back(input);
      waiting = std::move(done);
      return std::make_unique<Run>();
    }
    std::vector<std::string> inputs;
    std::function<void(agent::HookOutput)> waiting;
  } runner;
  agent::Hooks hooks({{agent::HookEvent::post_answer, "", "check"}}, runner);
  Rig rig;
  rig.hooks = &hooks;
  rig.client.script = {text_turn("Short."), text_turn("Longer.")};
  rig.ask("?");
  rig.pump();
  ASSERT_TRUE(runner.waiting);
  std::exchange(runner.waiting, nullptr)({true, false, 2, "say more"});
  rig.pump();
  EXPECT_EQ(rig.recorder.states.back().reason, ContinueReason::hook_feedback);
  ASSERT_TRUE(runner.waiting);
  std::exchange(runner.waiting, nullptr)({true, false, 2, "still more"});
  EXPECT_EQ(rig.recorder.end->ending, Ending::completed);
  EXPECT_THAT(runner.inputs[0], testing::HasSubstr("\"answer\":\"Short.\""));
  expect_paired(rig);
}

}  // namespace
