#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/agent_doubles.h"
#include "support/agent_pairing.h"

namespace {

using agent::ContinueReason;
using agent::Ending;
using agent::LimitAnswer;
using support::call_turn;
using support::error_turn;
using support::history_refused;
using support::Rig;
using support::text_turn;

model::Json command(const std::string& text) {
  return {{"command", text}};
}

void expect_paired(const Rig& rig) {
  EXPECT_EQ(history_refused(rig.conversation.messages()), std::nullopt);
  for (const auto& request : rig.client.requests) EXPECT_EQ(history_refused(request.messages), std::nullopt);
}

TEST(Loop, AnswersAQuestionWithoutTools) {
  Rig rig;
  rig.client.script = {text_turn("All is well.")};
  EXPECT_EQ(rig.answer("How are you?"), Ending::completed);
  EXPECT_EQ(rig.recorder.shown, "All is well.");
  ASSERT_EQ(rig.conversation.messages().size(), 2u);
  EXPECT_EQ(rig.recorder.end->rounds, 1);
  expect_paired(rig);
}

TEST(Loop, NothingHappensInsideTheCallThatAsks) {
  Rig rig;
  rig.options.max_rounds = 0;
  rig.ask("?");
  EXPECT_FALSE(rig.recorder.end);
  rig.pump();
  EXPECT_EQ(rig.recorder.end->ending, Ending::disabled);
  EXPECT_TRUE(rig.conversation.messages().empty());
}

TEST(Loop, RunsAToolAndSendsItsResultBack) {
  Rig rig;
  rig.client.script = {call_turn({{"a", "execute_command", command("df -h")}}, "Checking."), text_turn("Full.")};
  EXPECT_EQ(rig.answer("Why?"), Ending::completed);
  ASSERT_EQ(rig.client.requests.size(), 2u);
  const auto& results = rig.client.requests[1].messages.back().blocks;
  ASSERT_FALSE(results.empty());
  EXPECT_EQ(results[0].call_id(), "a");
  EXPECT_EQ(results[0].text(), "<untrusted-tag>\nresult of df -h\n</untrusted-tag>");
  EXPECT_EQ(rig.recorder.states.back().reason, ContinueReason::next_turn);
  EXPECT_TRUE(rig.conversation.tainted());
  expect_paired(rig);
}

TEST(Loop, AnswersAllCallsOfATurnInOneMessageInTheirOrder) {
  Rig rig;
  rig.client.script = {call_turn({{"a", "read_output", command("1")},
                                  {"b", "execute_command", command("2")},
                                  {"c", "read_output", command("3")},
                                  {"d", "read_output", command("4")}}),
                       text_turn("Done.")};
  EXPECT_EQ(rig.answer("?"), Ending::completed);
  const auto& blocks = rig.client.requests[1].messages.back().blocks;
  ASSERT_EQ(blocks.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(blocks[i].call_id(), std::string(1, static_cast<char>('a' + i)));
  EXPECT_EQ(rig.read.most_open, 2) << "c and d run side by side, a alone because b follows";
  EXPECT_EQ(rig.run.most_open, 1);
  expect_paired(rig);
}

TEST(Loop, TheTerminalIsOneLane) {
  Rig rig;
  rig.client.script = {call_turn({{"a", "execute_command", command("1")}, {"b", "execute_command", command("2")}}),
                       text_turn("Done.")};
  EXPECT_EQ(rig.answer("?"), Ending::completed);
  EXPECT_EQ(rig.run.started, 2);
  EXPECT_EQ(rig.run.most_open, 1);
}

TEST(Loop, TellsTheModelWhatIsWrongWithACall) {
  Rig rig;
  rig.client.script = {call_turn({{"a", "no_such_tool", command("x")},
                                  {"b", "execute_command", {{"cmd", "x"}}},
                                  {"c", "execute_command", command("rm -rf /var"), false}}),
                       text_turn("Done.")};
  EXPECT_EQ(rig.answer("?"), Ending::completed);
  EXPECT_EQ(rig.run.started, 0);
  EXPECT_TRUE(rig.recorder.approvals.empty()) << "bad input never reaches an approval";
  const auto& blocks = rig.client.requests[1].messages.back().blocks;
  EXPECT_THAT(std::string(blocks[0].text()), testing::HasSubstr("The tools are: execute_command, read_output"));
  EXPECT_THAT(std::string(blocks[1].text()), testing::HasSubstr("`command` is required"));
  EXPECT_THAT(std::string(blocks[2].text()), testing::HasSubstr("cut off"));
  for (const auto& block : blocks) EXPECT_TRUE(block.is_error());
  expect_paired(rig);
}

TEST(Loop, AsksBeforeAChangeAndRunsItWhenAllowed) {
  Rig rig;
  rig.run.effect = agent::Effect::changes;
  rig.client.script = {call_turn({{"a", "execute_command", command("touch x")}}), text_turn("Done.")};
  rig.ask("?");
  rig.pump();
  ASSERT_EQ(rig.recorder.approvals.size(), 1u);
  EXPECT_EQ(rig.recorder.approvals[0].subject, "touch x");
  EXPECT_EQ(rig.run.started, 0);
  rig.recorder.pending_approval({true, {}});
  rig.pump();
  EXPECT_EQ(rig.run.started, 1);
  EXPECT_EQ(rig.recorder.end->ending, Ending::completed);
}

TEST(Loop, ThreeDenialsInARowEndIt) {
  Rig rig;
  rig.run.effect = agent::Effect::changes;
  rig.recorder.on_approval = [](const auto&, auto answer) { answer({false, "no"}); };
  rig.client.script = {call_turn({{"a", "execute_command", command("1")}, {"b", "execute_command", command("2")}}),
                       call_turn({{"c", "execute_command", command("3")}, {"d", "execute_command", command("4")}}),
                       text_turn("never asked")};
  EXPECT_EQ(rig.answer("?"), Ending::denied);
  EXPECT_EQ(rig.recorder.approvals.size(), 3u) << "the fourth is not even asked about";
  EXPECT_EQ(rig.run.started, 0);
  EXPECT_EQ(rig.client.requests.size(), 2u);
  EXPECT_FALSE(rig.recorder.end->note.empty());
  expect_paired(rig);
}

TEST(Loop, AnAllowedCallForgetsEarlierDenials) {
  Rig rig;
  rig.run.effect = agent::Effect::changes;
  int asked = 0;
  rig.recorder.on_approval = [&](const auto&, auto answer) { answer({++asked % 3 == 0, "no"}); };
  for (int i = 0; i < 6; ++i)
    rig.client.script.push_back(call_turn({{"c" + std::to_string(i), "execute_command", command(std::to_string(i))}}));
  rig.client.script.push_back(text_turn("Done."));
  EXPECT_EQ(rig.answer("?"), Ending::completed);
}

TEST(Loop, TheSameFailingCallThreeTimesInARowEndsIt) {
  Rig rig;
  rig.run.result = [](const std::string&) { return agent::ToolResult{"no such file", true}; };
  for (int i = 0; i < 4; ++i)
    rig.client.script.push_back(call_turn({{"c" + std::to_string(i), "execute_command", command("cat x")}}));
  EXPECT_EQ(rig.answer("?"), Ending::repeated_failure);
  EXPECT_EQ(rig.client.requests.size(), 3u);
  expect_paired(rig);
}

TEST(Loop, DifferentFailingCallsDoNotEndIt) {
  Rig rig;
  rig.run.result = [](const std::string&) { return agent::ToolResult{"no such file", true}; };
  for (int i = 0; i < 5; ++i)
    rig.client.script.push_back(
        call_turn({{"c" + std::to_string(i), "execute_command", command("cat " + std::to_string(i))}}));
  rig.client.script.push_back(text_turn("Nothing is there."));
  EXPECT_EQ(rig.answer("?"), Ending::completed);
}

TEST(Loop, StopsAtTheRoundLimit) {
  Rig rig;
  rig.options.max_rounds = 3;
  rig.recorder.on_limit = [](const auto&) { return LimitAnswer::stop; };
  for (int i = 0; i < 5; ++i)
    rig.client.script.push_back(call_turn({{"c" + std::to_string(i), "execute_command", command(std::to_string(i))}}));
  EXPECT_EQ(rig.answer("?"), Ending::round_limit);
  EXPECT_EQ(rig.client.requests.size(), 3u);
  EXPECT_EQ(rig.recorder.end->rounds, 3);
  EXPECT_EQ(rig.conversation.messages().back().role, model::Role::assistant);
  EXPECT_THAT(std::string(rig.client.requests[2].messages.back().blocks.back().text()),
              testing::HasSubstr("last round"));
  expect_paired(rig);
}

TEST(Loop, TheOperatorMayLetItGoOnButNeverBeyondAHundredRounds) {
  Rig rig;
  rig.recorder.on_limit = [](const auto&) { return LimitAnswer::go_on; };
  for (int i = 0; i < 150; ++i)
    rig.client.script.push_back(call_turn({{"c" + std::to_string(i), "execute_command", command(std::to_string(i))}}));
  EXPECT_EQ(rig.answer("?"), Ending::round_limit);
  EXPECT_EQ(rig.client.requests.size(), 100u);
  EXPECT_EQ(rig.recorder.limits.size(), 9u);
  expect_paired(rig);
}

TEST(Loop, AConfiguredLimitAboveTheCapIsCapped) {
  Rig rig;
  rig.options.max_rounds = 1'000;
  for (int i = 0; i < 120; ++i)
    rig.client.script.push_back(call_turn({{"c" + std::to_string(i), "execute_command", command(std::to_string(i))}}));
  EXPECT_EQ(rig.answer("?"), Ending::round_limit);
  EXPECT_EQ(rig.client.requests.size(), 100u);
}

TEST(Loop, TheTimeLimitStopsARunningTool) {
  Rig rig;
  rig.recorder.on_limit = [](const auto&) { return LimitAnswer::stop; };
  rig.client.script = {call_turn({{"a", "execute_command", command("sleep 999")}, {"b", "read_output", command("x")}})};
  rig.ask("?");
  while (rig.run.open == 0) ASSERT_TRUE(rig.step());
  rig.clock.advance(std::chrono::minutes(5));
  ASSERT_TRUE(rig.clock.fire_one());
  ASSERT_TRUE(rig.recorder.end);
  EXPECT_EQ(rig.recorder.end->ending, Ending::time_limit);
  EXPECT_EQ(rig.run.open, 0);
  EXPECT_EQ(rig.read.started, 0);
  expect_paired(rig);
}

TEST(Loop, TheTimeLimitStopsAStream) {
  Rig rig;
  rig.recorder.on_limit = [](const auto&) { return LimitAnswer::stop; };
  rig.client.script = {text_turn("too late")};
  rig.ask("?");
  rig.clock.fire_one();
  rig.client.deliver_one();
  rig.clock.advance(std::chrono::minutes(6));
  rig.pump();
  EXPECT_EQ(rig.recorder.end->ending, Ending::time_limit);
  EXPECT_FALSE(rig.client.busy());
  expect_paired(rig);
}

TEST(Loop, WorkGoesOnWhileTheOperatorIsAskedAboutTheTime) {
  Rig rig;
  rig.client.script = {text_turn("just in time")};
  rig.ask("?");
  rig.clock.fire_one();
  rig.clock.advance(std::chrono::minutes(5));
  rig.clock.fire_one();
  EXPECT_EQ(rig.recorder.limits.size(), 1u);
  rig.pump();
  EXPECT_EQ(rig.recorder.end->ending, Ending::completed);
  rig.recorder.pending_limit(LimitAnswer::stop);  // Too late: nothing happens.
  EXPECT_EQ(rig.recorder.count("end time_limit"), 0);
}

TEST(Loop, MoreTimeCanBeGivenMoreThanOnce) {
  Rig rig;
  rig.recorder.on_limit = [](const auto&) { return LimitAnswer::go_on; };
  for (int i = 0; i < 5; ++i)
    rig.client.script.push_back(call_turn({{"c" + std::to_string(i), "execute_command", command(std::to_string(i))}}));
  rig.client.script.push_back(text_turn("Done."));
  rig.ask("?");
  while (rig.step()) rig.clock.advance(std::chrono::minutes(2));
  EXPECT_EQ(rig.recorder.end->ending, Ending::completed);
  EXPECT_GE(rig.recorder.limits.size(), 2u);
}

TEST(Loop, TheOperatorsThinkingTimeDoesNotCount) {
  Rig rig;
  rig.run.effect = agent::Effect::changes;
  rig.client.script = {call_turn({{"a", "execute_command", command("touch x")}}), text_turn("Done.")};
  rig.ask("?");
  rig.pump();
  ASSERT_TRUE(rig.recorder.pending_approval);
  rig.clock.advance(std::chrono::hours(2));
  EXPECT_EQ(rig.pump(), 0);
  rig.recorder.pending_approval({true, {}});
  rig.pump();
  EXPECT_EQ(rig.recorder.end->ending, Ending::completed);
  EXPECT_TRUE(rig.recorder.limits.empty());
}

TEST(Loop, StopsWhenTheBudgetIsUsedUp) {
  Rig rig;
  rig.options.max_total_tokens = 200;
  rig.recorder.on_limit = [](const auto&) { return LimitAnswer::stop; };
  for (int i = 0; i < 5; ++i)
    rig.client.script.push_back(call_turn({{"c" + std::to_string(i), "execute_command", command(std::to_string(i))}}));
  EXPECT_EQ(rig.answer("?"), Ending::budget_limit);
  EXPECT_EQ(rig.client.requests.size(), 2u);
  expect_paired(rig);
}

TEST(Loop, CountsCostInMoneyWhenPricesAreKnown) {
  Rig rig;
  rig.options.max_cost_usd = 0.001;
  rig.options.model_info.input_price = 10;
  rig.options.model_info.output_price = 10;
  rig.recorder.on_limit = [](const auto&) { return LimitAnswer::stop; };
  rig.client.script = {call_turn({{"a", "execute_command", command("1")}})};
  EXPECT_EQ(rig.answer("?"), Ending::budget_limit);
  ASSERT_TRUE(rig.recorder.end->spent.cost_usd);
  EXPECT_NEAR(*rig.recorder.end->spent.cost_usd, 0.0011, 1e-6);
}

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
