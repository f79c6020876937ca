// Every step of the built-in runbooks, run by bash with a host's usual programs and by BusyBox with nothing but its
// own, on hosts of the test's own making.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "agent/command_text.h"
#include "skills/load_skill_tool.h"
#include "skills/offline_client.h"
#include "skills/runbook.h"
#include "skills/skill_index.h"
#include "skills/step_tools.h"
#include "tests/integration/skills/made_up_host.h"
#include "tests/support/agent_doubles.h"

namespace skills_test {
namespace {

using Health = MadeUpHost::Health;

struct Case {
  std::string skill;
  skills::Step step;
  friend std::ostream& operator<<(std::ostream& out, const Case& one) {
    return out << one.skill << ": " << one.step.title;
  }
};

std::vector<Case> all_steps() {
  std::vector<Case> cases;
  const skills::SkillIndex index({});
  for (const auto& skill : index.skills())
    for (const auto& step : skills::parse_runbook(index.body(skill).value())) cases.push_back({skill.name, step});
  return cases;
}

std::vector<std::string> tools_of_all() {
  std::set<std::string> tools;
  for (const auto& one : all_steps()) {
    const auto named = skills::tools_of(one.step.command);
    tools.insert(named.begin(), named.end());
  }
  return {tools.begin(), tools.end()};
}

class RunbookStep : public testing::TestWithParam<Case> {
 protected:
  void expect_quiet_and_harmless(const MadeUpHost::Outcome& outcome) {
    EXPECT_NE(outcome.command.exit_code, 2) << "the shell does not understand it";
    EXPECT_LT(outcome.command.exit_code, 124);
    EXPECT_EQ(outcome.complaints, "") << "it complains";
    EXPECT_FALSE(outcome.left_something) << "it leaves something behind";
    EXPECT_LT(outcome.command.output.size(), 20'000u) << "it prints too much";
  }
};

TEST_P(RunbookStep, RunsQuietlyInBash) {
  for (const auto health : {Health::well, Health::ill}) {
    MadeUpHost host(health);
    host.install(tools_of_all());
    expect_quiet_and_harmless(host.run("/bin/bash", GetParam().step.command));
  }
}

TEST_P(RunbookStep, RunsQuietlyInBusyBox) {
  for (const auto health : {Health::well, Health::ill}) {
    MadeUpHost host(health);
    host.install_busybox();
    expect_quiet_and_harmless(host.run("/bin/busybox sh", GetParam().step.command));
  }
}

INSTANTIATE_TEST_SUITE_P(All, RunbookStep, testing::ValuesIn(all_steps()), [](const auto& one) {
  std::string name = one.param.skill + "_" + std::to_string(one.index);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

/// The verdicts of a report, "held" or "**did not hold**" or "cannot be judged" for each expectation, by step; a step
/// that was not run has "not run".
using Verdicts = std::vector<std::vector<std::string>>;

Verdicts verdicts_in(const std::string& report) {
  Verdicts out;
  std::istringstream lines(report);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(std::to_string(out.size() + 1) + ". ")) out.emplace_back();
    if (!line.starts_with("   - ") || out.empty()) continue;
    out.back().push_back(line.substr(5, line.find(':') - 5));
  }
  return out;
}

/// The agent with the offline engine, its commands run by a shell of a made-up host.
struct RunbookRig : support::Rig {
  skills::SkillIndex index{{}};
  skills::OfflineClient offline{index, clock};
  skills::LoadSkillTool load{index, clock};

  std::string follow(const std::string& skill, const MadeUpHost& host, const std::string& shell) {
    run.result = [&](const std::string& command) {
      return agent::ToolResult{agent::describe_command(host.run(shell, command).command)};
    };
    agent::Question question;
    question.text = "follow " + skill + " please";
    const agent::Agent agent({offline, {&run, &read, &load}, policy, clock}, options);
    exchange = agent.ask(conversation, question, recorder);
    pump();
    EXPECT_EQ(recorder.end.value().ending, agent::Ending::completed);
    EXPECT_TRUE(recorder.limits.empty()) << "it needs more rounds than a question has";
    return recorder.shown;
  }
};

class Runbook : public testing::TestWithParam<std::string> {
 protected:
  static std::vector<std::string> tools() {
    std::vector<std::string> out;
    for (const auto& one : all_steps())
      if (one.skill == GetParam())
        for (const auto& tool : skills::tools_of(one.step.command))
          if (std::find(out.begin(), out.end(), tool) == out.end()) out.push_back(tool);
    return out;
  }
  static std::size_t count(const Verdicts& verdicts, const std::string& word) {
    std::size_t n = 0;
    for (const auto& step : verdicts) n += static_cast<std::size_t>(std::count(step.begin(), step.end(), word));
    return n;
  }
};

TEST_P(Runbook, FindsWhatIsWrongAndNothingWhereAllIsWell) {
  for (const auto health : {Health::well, Health::ill}) {
    MadeUpHost host(health);
    host.install(tools());
    const auto report = RunbookRig().follow(GetParam(), host, "/bin/bash");
    const auto verdicts = verdicts_in(report);
    EXPECT_GE(verdicts.size(), 5u) << report;
    EXPECT_EQ(count(verdicts, "**did not hold**") > 0, health == Health::ill) << report;
    EXPECT_EQ(count(verdicts, "not run"), 0u) << report;
  }
}

// Whatever is missing: what a step shows without it is no finding, and no all-clear either.
TEST_P(Runbook, WithoutOneOfItsProgramsSaysSoAndFindsNothingElse) {
  ASSERT_FALSE(tools().empty());
  for (const auto health : {Health::well, Health::ill}) {
    MadeUpHost host(health);
    host.install(tools());
    const auto whole = verdicts_in(RunbookRig().follow(GetParam(), host, "/bin/bash"));
    for (const auto& tool : tools()) {
      SCOPED_TRACE("without " + tool + (health == Health::well ? ", all well" : ", ill"));
      host.remove(tool);
      const auto report = RunbookRig().follow(GetParam(), host, "/bin/bash");
      host.install({tool});
      const auto verdicts = verdicts_in(report);
      ASSERT_EQ(verdicts.size(), whole.size()) << report;
      const bool lacks =
          count(verdicts, "not run") + count(verdicts, "cannot be judged") > count(whole, "cannot be judged");
      EXPECT_EQ(report.find("`" + tool + "` is not installed there") != std::string::npos, lacks) << report;
      for (std::size_t i = 0; i < whole.size(); ++i)
        if (verdicts[i].front() != "not run" && verdicts[i].front() != "cannot be judged") {
          EXPECT_EQ(verdicts[i], whole[i]) << report;
        }
    }
  }
}

TEST_P(Runbook, IsFollowedByBusyBoxWithNothingElse) {
  MadeUpHost host(Health::ill);
  host.install_busybox();
  const auto report = RunbookRig().follow(GetParam(), host, "/bin/busybox sh");
  EXPECT_GE(verdicts_in(report).size(), 5u) << report;
  if (GetParam() == "certificate-expiry") {
    EXPECT_THAT(report, testing::HasSubstr("   - not run: `openssl` is not installed there")) << report;
  }
}

std::vector<std::string> all_skills() {
  std::vector<std::string> names;
  const skills::SkillIndex index({});
  for (const auto& skill : index.skills()) names.push_back(skill.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, Runbook, testing::ValuesIn(all_skills()), [](const auto& one) {
  std::string name = one.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace skills_test
