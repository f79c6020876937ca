// The small parts around the loop: schema, hooks, reminders, nudges, what is printed and recorded.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/command_text.h"
#include "agent/event_writer.h"
#include "agent/schema.h"
#include "agent/untrusted.h"
#include "tests/support/agent_doubles.h"
#include "tests/support/agent_pairing.h"

namespace {

using agent::Effect;
using agent::Ending;
using support::call_turn;
using support::Rig;
using support::text_turn;

TEST(Schema, NamesWhatIsWrong) {
  const model::Json schema = {{"type", "object"},
                              {"properties",
                               {{"command", {{"type", "string"}, {"minLength", 1}}},
                                {"timeout_s", {{"type", "integer"}, {"minimum", 1}, {"maximum", 600}}},
                                {"how", {{"enum", {"a", "b"}}}}}},
                              {"required", {"command"}},
                              {"additionalProperties", false}};
  EXPECT_TRUE(agent::check_input(schema, {{"command", "df"}, {"timeout_s", 30}, {"how", "a"}}));
  const std::pair<model::Json, std::string> wrong[] = {
      {nullptr, "JSON object"},
      {model::Json::object(), "`command` is required"},
      {{{"command", 1}}, "`command` must be a string"},
      {{{"command", ""}}, "must not be empty"},
      {{{"command", "df"}, {"timeout_s", 601}}, "at most 600"},
      {{{"command", "df"}, {"timeout_s", "5"}}, "must be an integer"},
      {{{"command", "df"}, {"how", "c"}}, "one of"},
      {{{"command", "df"}, {"cwd", "/"}}, "no parameter `cwd`"},
  };
  for (const auto& [input, words] : wrong) {
    const auto checked = agent::check_input(schema, input);
    ASSERT_FALSE(checked) << input;
    EXPECT_THAT(checked.error().message, testing::HasSubstr(words));
  }
}

TEST(Nudge, KnowsAnnouncedStepsInTwoLanguages) {
  for (const char* text :
       {"Let me check the disk usage.", "The disk is full. I'll look at /var next.", "I’ll run df.",
        "Here it is:", "Checking...", "Looking…", "Now let me see", "I will check the logs", "让我检查一下磁盘",
        "好的。我来看看日志。", "接下来我会查看内存使用情况。", "检查结果如下：", "正在检查……"})
    EXPECT_TRUE(agent::announces_step(text)) << text;
  for (const char* text :
       {"The disk is full.", "Let me know if you need more.", "Shall I check the logs?", "", "I'll be happy to help.",
        "The disk is full: /var/log holds 40 GB.", "磁盘已满。", "如有需要请让我知道。", "Let me check. It is full."})
    EXPECT_FALSE(agent::announces_step(text)) << text;
}

TEST(Reminders, SayImportantThingsFirstAndEachOnlyWhenDue) {
  agent::Reminders reminders;
  reminders.set(agent::ReminderKind::tool_hint, "hint");
  reminders.set(agent::ReminderKind::mode_change, "mode");
  EXPECT_EQ(reminders.take_due(), "<reminder>\nmode\nhint\n</reminder>");
  EXPECT_EQ(reminders.take_due(), "");
  reminders.set(agent::ReminderKind::mode_change, "mode");
  EXPECT_EQ(reminders.take_due(), "") << "the same again is not news";
  reminders.set(agent::ReminderKind::skill_change, "skills");
  EXPECT_EQ(reminders.take_due(), "<reminder>\nskills\n</reminder>");
  int quiet = 0;
  while (reminders.take_due().empty() && quiet < 100) ++quiet;
  EXPECT_LT(quiet, 20) << "the mode is said again after a while";
  reminders.repeat_all();
  EXPECT_EQ(reminders.take_due(), "<reminder>\nmode\nskills\nhint\n</reminder>");
}

/// Hooks whose outcome the test chose beforehand, by command.
struct ScriptedHooks : agent::HookRunner {
  explicit ScriptedHooks(agent::Clock& with) : clock(with) {}
  struct Pending : Run {
    std::unique_ptr<agent::Clock::Alarm> alarm;
  };
  std::unique_ptr<Run> start(const std::string& command, std::string input, std::chrono::milliseconds,
                             std::function<void(agent::HookOutput)> done) override {
    inputs.push_back(input);
    auto run = std::make_unique<Pending>();
    run->alarm = clock.after(std::chrono::milliseconds(0), [=, this] { done(outcome.at(command)); });
    return run;
  }
  agent::Clock& clock;
  std::map<std::string, agent::HookOutput> outcome;
  std::vector<std::string> inputs;
};

TEST(Hooks, MayBlockACallWithAReason) {
  const std::pair<agent::HookOutput, std::string> blocking[] = {
      {{true, false, 2, "not on Fridays"}, "not on Fridays"},
      {{true, false, 0, R"({"decision":"block","reason":"frozen"})"}, "frozen"},
      {{true, true, 0, ""}, "did not finish within 5 s"},
      {{false, false, 0, ""}, "could not be started"},
      {{true, false, 1, "oops"}, "failed with code 1"},
  };
  for (const auto& [output, reason] : blocking) {
    SCOPED_TRACE(reason);
    Rig rig;
    ScriptedHooks runner(rig.clock);
    runner.outcome = {{"guard", output}, {"fine", {}}};
    agent::Hooks hooks(
        {{agent::HookEvent::pre_tool, "*", "fine"}, {agent::HookEvent::pre_tool, "execute_command", "guard"}}, runner);
    rig.hooks = &hooks;
    rig.client.script = {call_turn({{"a", "execute_command", {{"command", "df"}}}}), text_turn("Done.")};
    EXPECT_EQ(rig.answer("?"), Ending::completed);
    EXPECT_EQ(rig.run.started, 0);
    EXPECT_THAT(rig.recorder.results.at(0).content, testing::HasSubstr(reason));
    EXPECT_THAT(runner.inputs.at(1), testing::HasSubstr(R"("tool":"execute_command","input":{"command":"df"})"));
  }
}

TEST(Hooks, AfterAToolMayAddAWordAndMustNotBreakAnything) {
  Rig rig;
  ScriptedHooks runner(rig.clock);
  runner.outcome = {{"note", {true, false, 2, "remember the ticket"}}, {"broken", {true, false, 7, ""}}};
  agent::Hooks hooks({{agent::HookEvent::post_tool, "", "broken"}, {agent::HookEvent::post_tool, "", "note"}}, runner);
  rig.hooks = &hooks;
  rig.client.script = {call_turn({{"a", "read_output", {{"command", "1"}}}, {"b", "read_output", {{"command", "2"}}}}),
                       text_turn("Done.")};
  EXPECT_EQ(rig.answer("?"), Ending::completed);
  ASSERT_EQ(rig.recorder.results.size(), 2u);
  for (const auto& result : rig.recorder.results)
    EXPECT_THAT(result.content, testing::HasSubstr("remember the ticket"));
  EXPECT_EQ(rig.recorder.notices.size(), 2u);
}

struct ListAuditor : agent::Auditor {
  base::Result<void> record(const agent::AuditEntry& entry) override {
    if (broken) return base::fail("the disk is full");
    entries.push_back(entry);
    return {};
  }
  bool broken = false;
  std::vector<agent::AuditEntry> entries;
};

TEST(Audit, RecordsEachCallBeforeAndAfterAndRefusalsToo) {
  Rig rig;
  ListAuditor auditor;
  rig.auditor = &auditor;
  rig.run.effect = Effect::changes;
  int asked = 0;
  rig.recorder.on_approval = [&](const auto&, auto answer) { answer({++asked == 1, "no"}); };
  rig.client.script = {
      call_turn({{"a", "execute_command", {{"command", "one"}}}, {"b", "execute_command", {{"command", "two"}}}}),
      text_turn("Done.")};
  rig.answer("why?");
  using Event = agent::AuditEntry::Event;
  ASSERT_EQ(auditor.entries.size(), 3u);
  EXPECT_EQ(auditor.entries[0].event, Event::start);
  EXPECT_EQ(auditor.entries[0].subject, "one");
  EXPECT_EQ(auditor.entries[0].by, agent::DecidedBy::operator_choice);
  EXPECT_EQ(auditor.entries[0].question, "why?");
  EXPECT_EQ(auditor.entries[1].event, Event::end);
  EXPECT_EQ(auditor.entries[2].event, Event::refused);
  EXPECT_EQ(auditor.entries[2].subject, "two");
}

TEST(Audit, ACallThatIsGivenUpHasAnEndThatSaysSo) {
  for (const bool destroyed : {false, true}) {
    Rig rig;
    ListAuditor auditor;
    rig.auditor = &auditor;
    rig.client.script = {call_turn({{"a", "execute_command", {{"command", "one"}}}})};
    rig.ask("why?");
    while (rig.run.started == 0) ASSERT_TRUE(rig.step());
    destroyed ? rig.exchange.reset() : rig.exchange->cancel();
    ASSERT_EQ(auditor.entries.size(), 2u);
    EXPECT_EQ(auditor.entries[1].event, agent::AuditEntry::Event::end);
    EXPECT_EQ(auditor.entries[1].subject, "one");
    EXPECT_TRUE(auditor.entries[1].given_up);
  }
}

TEST(Audit, WhatCannotBeRecordedDoesNotRun) {
  for (const auto effect : {Effect::changes, Effect::read_only}) {
    Rig rig;
    ListAuditor auditor;
    auditor.broken = true;
    rig.auditor = &auditor;
    rig.run.effect = effect;
    rig.recorder.on_approval = [](const auto&, auto answer) { answer({true, {}}); };
    rig.client.script = {call_turn({{"a", "execute_command", {{"command", "one"}}}}), text_turn("Done.")};
    EXPECT_EQ(rig.answer("?"), Ending::completed);
    EXPECT_EQ(rig.run.started, 0);
    EXPECT_FALSE(rig.recorder.notices.empty());
  }
}

TEST(Results, AreCutToTheirBudgetAndMadeValid) {
  Rig rig;
  rig.run.result = [](const std::string& what) {
    if (what == "long") return agent::ToolResult{"head" + std::string(100'000, 'x') + "tail"};
    if (what == "bad") return agent::ToolResult{"\xff\xfe caf\xc3"};
    return agent::ToolResult{" \n"};
  };
  rig.client.script = {
      call_turn({{"a", "execute_command", {{"command", "long"}}}, {"b", "execute_command", {{"command", "bad"}}}}),
      call_turn({{"c", "execute_command", {{"command", "blank"}}}}), text_turn("Done.")};
  EXPECT_EQ(rig.answer("?"), Ending::completed);
  EXPECT_LT(rig.recorder.results[0].content.size(), 31'000u);
  EXPECT_THAT(rig.recorder.results[0].content, testing::StartsWith("head"));
  EXPECT_THAT(rig.recorder.results[0].content, testing::EndsWith("tail"));
  EXPECT_EQ(rig.recorder.results[1].content, "\uFFFD\uFFFD caf\uFFFD");
  EXPECT_EQ(rig.recorder.results[2].content, "(no output)");
}

TEST(CommandText, IsReadBackAsWritten) {
  const agent::CommandText samples[] = {
      {"a\nb\n", 0, ""}, {"", 1, ""}, {"x\n", std::nullopt, "timed out after 30 s"}, {"[exit 0]\n", 3, "0.2 s"}};
  for (const auto& sample : samples) {
    const auto back = agent::parse_command(agent::describe_command(sample));
    EXPECT_EQ(back.output, sample.output);
    EXPECT_EQ(back.exit_code, sample.exit_code);
    EXPECT_EQ(back.note, sample.note);
  }
  EXPECT_EQ(agent::parse_command("no last line").exit_code, std::nullopt);
}

TEST(Untrusted, AFenceIsTakenOffAgain) {
  EXPECT_EQ(agent::inside_fence(agent::fence("a\nb", "1f")), "a\nb");
  EXPECT_EQ(agent::inside_fence("plain"), "plain");
  EXPECT_EQ(agent::random_tag().size(), 16u);
  EXPECT_NE(agent::random_tag(), agent::random_tag());
}

TEST(EventWriter, PrintsOneObjectPerLineAndEndsWithDone) {
  Rig rig;
  std::vector<model::Json> events;
  agent::EventWriter writer([&](const std::string& line) {
    EXPECT_EQ(line.find('\n'), std::string::npos);
    events.push_back(*model::parse_json(line));
  });
  rig.run.effect = Effect::changes;
  rig.client.script = {call_turn({{"a", "execute_command", {{"command", "touch x\ny"}}}}, "Trying."),
                       text_turn("Not allowed.")};
  const auto agent = rig.agent();
  agent::Question question;
  question.text = "?";
  const auto exchange = agent.ask(rig.conversation, question, writer);
  rig.pump();
  std::string types;
  for (const auto& event : events) types += event.at("type").get<std::string>() + " ";
  EXPECT_EQ(types, "thinking text usage tool_call approval tool_result text usage done ");
  EXPECT_EQ(events.back().at("reason"), "completed");
  EXPECT_EQ(events[3].at("class"), "changes");
  EXPECT_EQ(events[5].at("is_error"), true);
}

}  // namespace
