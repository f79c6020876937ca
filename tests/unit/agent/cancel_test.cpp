#include <gtest/gtest.h>

#include "tests/support/agent_doubles.h"
#include "tests/support/agent_pairing.h"

namespace {

using agent::Ending;
using support::call_turn;
using support::error_turn;
using support::Rig;
using support::text_turn;

/// A rig that has answered one question and has a long script for the next: tools, approvals, a compaction.
std::unique_ptr<Rig> busy_rig() {
  auto rig = std::make_unique<Rig>();
  rig->client.script = {text_turn("Hello.")};
  rig->answer("first");
  rig->run.effect = agent::Effect::changes;
  rig->client.script = {call_turn({{"a", "read_output", {{"command", "1"}}}, {"b", "read_output", {{"command", "2"}}}}),
                        call_turn({{"c", "execute_command", {{"command", "touch x"}}}}, "Now a change."),
                        error_turn(model::ErrorKind::context_too_long),
                        text_turn("a summary"),
                        text_turn("cut", model::StopReason::max_tokens),
                        text_turn("Let me check."),
                        text_turn("Done.")};
  return rig;
}

/// Does the next thing; false when the question has ended.
bool step(Rig& rig) {
  if (rig.step()) return true;
  if (auto answer = std::exchange(rig.recorder.pending_approval, nullptr)) {
    answer({true, {}});
    return true;
  }
  return false;
}

TEST(Cancel, AtEveryStepTheConversationIsAsBefore) {
  int steps = 0;
  {
    auto rig = busy_rig();
    rig->ask("second");
    while (step(*rig)) ++steps;
    ASSERT_EQ(rig->recorder.end->ending, Ending::completed);
  }
  ASSERT_GT(steps, 15);
  for (int at = 0; at < steps - 1; ++at) {
    SCOPED_TRACE(at);
    auto rig = busy_rig();
    const auto before = rig->conversation.messages();
    rig->ask("second");
    for (int i = 0; i < at; ++i) step(*rig);
    ASSERT_FALSE(rig->recorder.end);
    rig->exchange->cancel();
    ASSERT_TRUE(rig->recorder.end);
    EXPECT_EQ(rig->recorder.end->ending, Ending::aborted);
    EXPECT_EQ(rig->conversation.messages(), before);
    EXPECT_TRUE(rig->conversation.boundaries().empty());
    EXPECT_EQ(rig->run.open + rig->read.open, 0) << "tools are stopped";
    EXPECT_FALSE(rig->client.busy()) << "the stream is closed";

    const auto told = rig->recorder.log.size();
    while (step(*rig)) {
    }
    EXPECT_EQ(rig->recorder.log.size(), told) << "nothing comes afterwards";

    rig->client.script = {text_turn("A new answer.")};
    EXPECT_EQ(rig->answer("third"), Ending::completed);
    EXPECT_EQ(support::history_refused(rig->conversation.messages()), std::nullopt);
  }
}

TEST(Cancel, FromInsideAnyCallbackIsSafe) {
  std::vector<std::string> seen;
  {
    auto rig = busy_rig();
    rig->recorder.log.clear();
    rig->ask("second");
    while (step(*rig)) {
    }
    seen = rig->recorder.log;
  }
  for (std::size_t at = 0; at + 1 < seen.size(); ++at) {
    SCOPED_TRACE(seen[at]);
    for (const bool destroy : {false, true}) {
      auto rig = busy_rig();
      const auto before = rig->conversation.messages();
      rig->recorder.log.clear();
      std::size_t heard = 0;
      rig->recorder.at_each = [&](const std::string&) {
        if (heard++ == at) destroy ? rig->exchange.reset() : rig->exchange->cancel();
      };
      rig->ask("second");
      while (step(*rig)) {
      }
      EXPECT_EQ(rig->conversation.messages(), before);
      EXPECT_EQ(rig->recorder.end.has_value(), !destroy) << "whoever destroys it hears nothing";
      EXPECT_EQ(rig->run.open + rig->read.open, 0);
    }
  }
}

TEST(Cancel, DestroyingTheExchangeInsideItsEndIsSafe) {
  Rig rig;
  rig.client.script = {text_turn("Done.")};
  rig.recorder.at_end = [&] { rig.exchange.reset(); };
  rig.ask("?");
  rig.pump();
  EXPECT_FALSE(rig.exchange);
  EXPECT_EQ(rig.conversation.messages().size(), 2u);
}

TEST(Cancel, WaitsForAToolThatMustFinish) {
  Rig rig;
  rig.run.interrupt = agent::InterruptBehavior::finish_first;
  rig.client.script = {
      call_turn({{"a", "execute_command", {{"command", "1"}}}, {"b", "execute_command", {{"command", "2"}}}})};
  rig.ask("?");
  while (rig.run.open == 0) ASSERT_TRUE(rig.step());
  rig.exchange->cancel();
  EXPECT_FALSE(rig.recorder.end);
  EXPECT_EQ(rig.run.open, 1);
  rig.pump();
  EXPECT_EQ(rig.recorder.end->ending, Ending::aborted);
  EXPECT_EQ(rig.run.started, 1) << "nothing more is started";
  EXPECT_TRUE(rig.conversation.messages().empty());
}

TEST(Cancel, ALateApprovalDoesNothing) {
  Rig rig;
  rig.run.effect = agent::Effect::changes;
  rig.client.script = {call_turn({{"a", "execute_command", {{"command", "touch x"}}}})};
  rig.ask("?");
  rig.pump();
  ASSERT_TRUE(rig.recorder.pending_approval);
  rig.exchange->cancel();
  rig.recorder.pending_approval({true, {}});
  rig.pump();
  EXPECT_EQ(rig.run.started, 0);
}

TEST(Cancel, ASecondAnswerToAnApprovalDoesNothing) {
  Rig rig;
  rig.run.effect = agent::Effect::changes;
  rig.client.script = {call_turn({{"a", "execute_command", {{"command", "touch x"}}}}), text_turn("Done.")};
  rig.ask("?");
  rig.pump();
  const auto answer = rig.recorder.pending_approval;
  answer({false, "no"});
  answer({true, {}});
  rig.pump();
  EXPECT_EQ(rig.run.started, 0);
}

}  // namespace
