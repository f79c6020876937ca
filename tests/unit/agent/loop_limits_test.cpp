// Where the agent's loop stops: rounds, time and money.
#include <gmock/gmock.h>

#include "tests/unit/agent/loop_helpers.h"

namespace {

using agent::Ending;
using agent::LimitAnswer;
using support::call_turn;
using support::command;
using support::expect_paired;
using support::Rig;
using support::script_commands;
using support::text_turn;

TEST(Loop, StopsAtTheRoundLimit) {
  Rig rig;
  rig.options.max_rounds = 3;
  rig.recorder.on_limit = [](const auto&) { return LimitAnswer::stop; };
  script_commands(rig, 5);
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
  script_commands(rig, 150);
  EXPECT_EQ(rig.answer("?"), Ending::round_limit);
  EXPECT_EQ(rig.client.requests.size(), 100u);
  EXPECT_EQ(rig.recorder.limits.size(), 9u);
  expect_paired(rig);
}

TEST(Loop, AConfiguredLimitAboveTheCapIsCapped) {
  Rig rig;
  rig.options.max_rounds = 1'000;
  script_commands(rig, 120);
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
  script_commands(rig, 5);
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
  script_commands(rig, 5);
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

}  // namespace
