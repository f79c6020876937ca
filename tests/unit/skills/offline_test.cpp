#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "agent/command_text.h"
#include "skills/load_skill_tool.h"
#include "skills/offline_client.h"
#include "skills/runbook.h"
#include "skills/skill_match.h"
#include "tests/support/agent_doubles.h"
#include "tests/support/agent_pairing.h"

namespace {

using skills::Judgement;
using skills::SkillIndex;
using Verdict = Judgement::Verdict;

Verdict verdict(const std::string& expectation, const std::string& output, std::optional<int> code = 0) {
  return judge(skills::parse_expectation(expectation), {output, code, {}}).verdict;
}

TEST(Expectations, AreJudgedFromTheOutput) {
  const std::string df =
      "Filesystem 1024-blocks Used Available Capacity Mounted on\n/dev/sda1 10 9 1 91% /\n/dev/sdb1 - - - - /x\n";
  EXPECT_EQ(verdict("column 5 < 90", df), Verdict::failed);
  EXPECT_EQ(verdict("column 5 < 95", df), Verdict::held);
  EXPECT_EQ(verdict("column 9 < 95", df), Verdict::unknown);
  EXPECT_EQ(verdict("value >= 10", "7 % of 100 MB"), Verdict::failed);
  EXPECT_EQ(verdict("value >= 10", "70 % of 100 MB"), Verdict::held);
  EXPECT_EQ(verdict("value < 1.5", "1.49 load"), Verdict::held);
  EXPECT_EQ(verdict("value < 1.5", "nothing"), Verdict::unknown);
  EXPECT_EQ(verdict("value < 1.5", "0,20 load per CPU, 2 CPUs"), Verdict::held) << "a German awk";
  EXPECT_EQ(verdict("value < 1.5", "20,05 load per CPU"), Verdict::failed);
  EXPECT_EQ(verdict("value < 1.5", "1,234 or 1,2,3 or ,"), Verdict::unknown);
  EXPECT_EQ(verdict("no output", ""), Verdict::held);
  EXPECT_EQ(verdict("no output", "", std::nullopt), Verdict::unknown);
  EXPECT_EQ(verdict("no output", "x\n"), Verdict::failed);
  EXPECT_EQ(verdict("output", "x\n"), Verdict::held);
  EXPECT_EQ(verdict("output", " \n"), Verdict::failed);
  EXPECT_EQ(verdict("contains \":up\"", "eth0:up"), Verdict::held);
  EXPECT_EQ(verdict("lacks \" ro,\"", "/dev/sda1 / ext4 ro,relatime"), Verdict::failed);
  EXPECT_EQ(verdict("exit 0", "", 1), Verdict::failed);
  EXPECT_EQ(verdict("exit 0", "", std::nullopt), Verdict::unknown);
  EXPECT_EQ(verdict("the moon is full", "x"), Verdict::unknown);
}

TEST(Expectations, WithNumbersThatNobodyMeansAreLeftToAPerson) {
  for (const char* odd :
       {"column 1e300 < 1", "column -1e300 < 1", "column nan < 1", "column 1.5 < 1", "column 3e9 < 1", "exit nan",
        "exit inf", "exit 1e300", "exit -1e300", "exit 0.5", "exit 1e10", "value < nan", "value < inf"}) {
    EXPECT_EQ(skills::parse_expectation(odd).kind, skills::Expectation::Kind::unknown) << odd;
    EXPECT_EQ(verdict(odd, "1 2 3", 0), Verdict::unknown) << odd;
  }
  EXPECT_EQ(verdict("value < 5", "nan inf 3"), Verdict::held) << "words, not numbers";
}

TEST(Runbook, StepsAreFencedBlocksWithTheirExpectations) {
  const auto steps = skills::parse_runbook(
      "# Title\nexpect: output\n```bash\ndf\n```\nexpect: output otherwise: it is broken\nwords\n- expect: exit 0\n"
      "```python\n# no step\nexpect: no\n```\nexpect: nobody's\n## Two\n```sh\na \\\nb\n```\n");
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].title, "Title");
  EXPECT_EQ(steps[0].command, "df");
  ASSERT_EQ(steps[0].expectations.size(), 2u);
  EXPECT_EQ(steps[0].expectations[0].otherwise, "it is broken");
  EXPECT_EQ(steps[1].title, "Two");
  EXPECT_EQ(steps[1].command, "a \\\nb");
}

TEST(BuiltInRunbooks, HaveStepsThatCanAllBeJudgedAndFitTheRounds) {
  const SkillIndex index({});
  for (const auto& skill : index.skills()) {
    const auto steps = skills::parse_runbook(index.body(skill).value());
    EXPECT_GE(steps.size(), 5u) << skill.name;
    EXPECT_LE(steps.size(), 7u) << skill.name << ": load, steps and report must fit ten rounds";
    for (const auto& step : steps) {
      EXPECT_FALSE(step.expectations.empty()) << skill.name << ": " << step.title;
      EXPECT_EQ(step.command.find('\n'), std::string::npos) << "one line is typed";
      EXPECT_LT(step.command.size(), 510u) << "BusyBox takes no longer line";
      // In German mawk reads 0.75 as 0 and writes 0,00.
      for (auto awk = step.command.find("awk '"); awk != std::string::npos; awk = step.command.find("awk '", awk + 1))
        EXPECT_EQ(step.command.rfind("LC_ALL=C ", awk), awk - 9) << step.command;
      for (const auto& expectation : step.expectations)
        EXPECT_NE(expectation.kind, skills::Expectation::Kind::unknown) << expectation.text;
    }
  }
}

TEST(SkillMatch, FindsTheRunbookAnOperatorMeans) {
  const SkillIndex index({});
  const std::pair<const char*, const char*> cases[] = {
      {"why is the disk full?", "disk-full"},
      {"No space left on device when I write to /var", "disk-full"},
      {"磁盘满了怎么办", "disk-full"},
      {"the server is slow, load average is 40", "high-load"},
      {"CPU is at 100%", "high-load"},
      {"系统负载高", "high-load"},
      {"who was killed by the OOM killer?", "memory-pressure"},
      {"we are running out of memory", "memory-pressure"},
      {"内存不足", "memory-pressure"},
      {"DNS does not resolve", "network-trouble"},
      {"packet loss on eth0", "network-trouble"},
      {"网络不通", "network-trouble"},
      {"nginx service is down", "service-down"},
      {"which systemd units failed?", "service-down"},
      {"服务挂了", "service-down"},
      {"is any TLS certificate about to expire?", "certificate-expiry"},
      {"证书过期了吗", "certificate-expiry"},
      {"follow disk-full please", "disk-full"},
  };
  for (const auto& [question, expected] : cases) {
    const auto* found = skills::best_match(index, question);
    ASSERT_TRUE(found) << question;
    EXPECT_EQ(found->name, expected) << question;
  }
  for (const char* question : {"", "hello", "what is the meaning of life?", "who are you", "write me a poem", "你好"})
    EXPECT_FALSE(skills::best_match(index, question)) << question;
}

/// The whole agent with the offline engine in place of a model.
struct OfflineRig : support::Rig {
  SkillIndex index{{}};
  skills::OfflineClient offline{index, clock};
  skills::LoadSkillTool load{index, clock};

  agent::Ending answer_offline(const std::string& text) {
    agent::Question question;
    question.text = text;
    const agent::Agent agent({offline, {&run, &read, &load}, policy, clock}, options);
    exchange = agent.ask(conversation, question, recorder);
    pump();
    return recorder.end.value().ending;
  }
};

TEST(OfflineClient, FollowsARunbookThroughTheNormalTools) {
  OfflineRig rig;
  std::vector<std::string> commands;
  rig.run.result = [&](const std::string& command) {
    commands.push_back(command);
    const bool df = command.starts_with("df -P -k");
    return agent::ToolResult{agent::describe_command(
        {df ? "Filesystem 1024-blocks Used Available Capacity Mounted\n/dev/sda1 100 97 3 97% /\n" : "", 0, {}})};
  };
  EXPECT_EQ(rig.answer_offline("Why is the disk full?"), agent::Ending::completed);
  const auto steps = skills::parse_runbook(rig.index.body(*rig.index.find("disk-full")).value());
  ASSERT_EQ(commands.size(), steps.size() + 1);
  EXPECT_THAT(commands[0], testing::HasSubstr("command -v df; ")) << "first it sees which programs are there";
  for (std::size_t i = 0; i < steps.size(); ++i) EXPECT_EQ(commands[i + 1], steps[i].command);
  EXPECT_THAT(rig.recorder.shown, testing::HasSubstr("not a language model"));
  EXPECT_THAT(rig.recorder.shown, testing::HasSubstr("- a file system is more than 90 % full"));
  EXPECT_THAT(rig.recorder.shown, testing::HasSubstr("found: /dev/sda1 100 97 3 97% /"));
  EXPECT_TRUE(rig.recorder.limits.empty());
  EXPECT_EQ(rig.recorder.count("turn intent_nudge"), 0);
  EXPECT_EQ(support::history_refused(rig.conversation.messages()), std::nullopt);

  commands.clear();
  EXPECT_EQ(rig.answer_offline("And is there memory pressure?"), agent::Ending::completed);
  EXPECT_GE(commands.size(), 5u) << "the second question starts anew";
  EXPECT_EQ(support::history_refused(rig.conversation.messages()), std::nullopt);
}

TEST(OfflineClient, AStepWhoseProgramIsMissingIsNotRunAndNoFinding) {
  OfflineRig rig;
  std::vector<std::string> commands;
  rig.run.result = [&](const std::string& command) {
    commands.push_back(command);
    if (commands.size() > 1) return agent::ToolResult{agent::describe_command({"/dev/sda1 1 2 3 4% /\n", 0, {}})};
    return agent::ToolResult{agent::describe_command(
        {"/usr/bin/df\ngrep\n/usr/bin/sort\nalias ls='ls --color=auto'\n/usr/bin/head\n/bin/find\n", 0, {}})};
  };
  EXPECT_EQ(rig.answer_offline("Why is the disk full?"), agent::Ending::completed);
  for (const auto& command : commands) EXPECT_FALSE(command.starts_with("du ")) << command;
  EXPECT_THAT(rig.recorder.shown, testing::HasSubstr("3. Largest directories below /var\n"
                                                     "   - not run: `du` is not installed there\n"));
  EXPECT_THAT(rig.recorder.shown, testing::HasSubstr("1 steps were not run"));
}

TEST(OfflineClient, ACheckOfProgramsThatFailedTellsNothing) {
  for (const char* answer : {"", "command: Command not found.\ncommand: Command not found.\n"}) {
    OfflineRig rig;
    int commands = 0;
    rig.run.result = [&](const std::string&) {
      ++commands;
      return agent::ToolResult{agent::describe_command({answer, 0, {}})};
    };
    EXPECT_EQ(rig.answer_offline("Why is the disk full?"), agent::Ending::completed);
    EXPECT_EQ(commands, 7) << "every step was tried";
    EXPECT_THAT(rig.recorder.shown, testing::Not(testing::HasSubstr("not installed")));
  }
}

TEST(OfflineClient, SaysWhatWasNotAllowedToRun) {
  OfflineRig rig;
  rig.run.effect = agent::Effect::changes;
  rig.policy = support::ModePolicy(agent::Mode::ask, true);
  EXPECT_EQ(rig.answer_offline("disk full"), agent::Ending::denied);
  EXPECT_EQ(rig.run.started, 0);
}

TEST(OfflineClient, WithoutAMatchItListsWhatItCanDo) {
  OfflineRig rig;
  EXPECT_EQ(rig.answer_offline("What is the meaning of life?"), agent::Ending::completed);
  EXPECT_THAT(rig.recorder.shown, testing::HasSubstr("not a language model"));
  EXPECT_THAT(rig.recorder.shown, testing::HasSubstr("- `high-load`"));
  EXPECT_EQ(rig.run.started, 0);
}

TEST(OfflineClient, ReportsAStepThatFailedAsNotRun) {
  OfflineRig rig;
  int n = 0;
  rig.run.result = [&](const std::string&) {
    if (++n == 3) return agent::ToolResult{"the connection was lost", true};
    return agent::ToolResult{agent::describe_command({"", std::nullopt, "timed out after 30 s"})};
  };
  EXPECT_EQ(rig.answer_offline("disk full"), agent::Ending::completed);
  EXPECT_THAT(rig.recorder.shown, testing::HasSubstr("not run: the connection was lost"));
  EXPECT_THAT(rig.recorder.shown, testing::HasSubstr("1 steps were not run"));
  EXPECT_THAT(rig.recorder.shown, testing::HasSubstr("note: timed out after 30 s"));
}

}  // namespace
