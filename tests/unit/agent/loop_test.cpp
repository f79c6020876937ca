// The agent's loop from question to answer: tools, approvals, failing calls.
#include <gmock/gmock.h>

#include "tests/unit/agent/loop_helpers.h"

namespace {

using agent::ContinueReason;
using agent::Ending;
using support::call_turn;
using support::command;
using support::expect_paired;
using support::Rig;
using support::script_commands;
using support::text_turn;

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
  script_commands(rig, 6);
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
  script_commands(rig, 5, "cat ");
  rig.client.script.push_back(text_turn("Nothing is there."));
  EXPECT_EQ(rig.answer("?"), Ending::completed);
}

}  // namespace
