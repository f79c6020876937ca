#include "skills/skill_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "skills/load_skill_tool.h"
#include "skills/report.h"
#include "tests/support/agent_doubles.h"

namespace {

namespace fs = std::filesystem;
using skills::Scope;
using skills::SkillIndex;

class SkillIndexTest : public testing::Test {
 protected:
  SkillIndexTest() {
    char path[] = "/tmp/jms-skills-XXXXXX";
    root_ = ::mkdtemp(path);
  }
  ~SkillIndexTest() override { fs::remove_all(root_); }

  void write(const std::string& file, const std::string& text) {
    const fs::path path = root_ / file;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  SkillIndex index() { return SkillIndex({{root_ / "user", Scope::user}, {root_ / "project", Scope::project}}); }
  static std::string skill(const std::string& name, const std::string& description) {
    return "---\nname: " + name + "\ndescription: " + description + "\n---\n# Body of " + name + "\n";
  }

  fs::path root_;
};

TEST_F(SkillIndexTest, ReadsFrontMatterAsPeopleWriteIt) {
  const std::pair<const char*, std::string> files[] = {
      {"plain", "---\nname: plain\ndescription: Does it.\n---\nbody"},
      {"crlf", "---\r\nname: crlf\r\ndescription: Does it.\r\n---\r\nbody"},
      {"bom", "\xEF\xBB\xBF---\nname: bom\ndescription: Does it.\n---\nbody"},
      {"folded", "---\nname: folded\ndescription: >-\n  Does\n  it.\n---\nbody"},
      {"literal", "---\nname: literal\ndescription: |\n  Does it.\n---\nbody"},
      {"colon", "---\nname: colon\ndescription: Use when: it breaks, see \"x\"\n  and more: of it\n---\nbody"},
      {"quoted", "---\nname: 'quoted'\ndescription: \"Does: it\"\n---\nbody"},
      {"unknown", "---\nname: unknown\ndescription: Does it.\nflavour: sweet\nversion: 1\n---\nbody"},
      {"lists", "---\nname: lists\ndescription: Does it.\nallowed-tools: [Read, Bash]\nmetadata:\n  n: 1\n---\nbody"},
      {"blanks", "---  \nname: blanks\ndescription: Does --- it.\n--- \t\nbody\n---\nmore"},
      {"no-name", "---\ndescription: Does it.\n---\nbody"},
      {"long", "---\nname: long\ndescription: " + std::string(1'500, 'd') + "\n---\nbody"},
  };
  for (const auto& [name, text] : files) write("user/" + std::string(name) + "/SKILL.md", text);
  write("user/Odd Folder/skill.md", "---\nname: Odd Name\ndescription: Does it.\n---\nbody");
  const auto found = index();
  for (const auto& problem : found.problems()) EXPECT_FALSE(problem.fatal) << problem.path << problem.text;
  for (const auto& [name, text] : files) {
    const auto* one = found.find(name);
    ASSERT_TRUE(one) << name;
    EXPECT_EQ(found.body(*one).value().substr(0, 4), "body") << name;
  }
  EXPECT_EQ(found.find("colon")->front.description, "Use when: it breaks, see \"x\" and more: of it");
  EXPECT_EQ(found.find("folded")->front.description, "Does it.");
  EXPECT_EQ(found.find("lists")->front.allowed_tools.size(), 2u);
  EXPECT_EQ(found.body(*found.find("blanks")).value(), "body\n---\nmore");
  EXPECT_FALSE(found.find("long")->front.warnings.empty());
  EXPECT_TRUE(found.find("Odd Name")) << "by its own name";
  EXPECT_TRUE(found.find("Odd Folder")) << "and by its folder's";
}

TEST_F(SkillIndexTest, BrokenSkillsAreReportedAndNeverFatal) {
  write("user/none/SKILL.md", "no front matter");
  write("user/open/SKILL.md", "---\nname: open\n");
  write("user/mute/SKILL.md", "---\nname: mute\n---\nbody");
  write("user/list/SKILL.md", "---\n- a\n- b\n---\nbody");
  write("user/yaml/SKILL.md", "---\nname: [\ndescription: {\n---\nbody");
  write("user/deep/SKILL.md", "---\nname: deep\ndescription: " + std::string(30'000, '[') + "\n---\n");
  write("user/binary/SKILL.md", "---\nname: \xff\xfe\ndescription: \x01\x02\n---\n" + std::string(3, '\0'));
  fs::create_directories(root_ / "user/pipe");
  ::mkfifo((root_ / "user/pipe/SKILL.md").c_str(), 0600);
  write("user/good/SKILL.md", skill("good", "Works."));
  const auto found = index();
  EXPECT_TRUE(found.find("good"));
  EXPECT_GE(found.problems().size(), 6u);
  EXPECT_THAT(list_text(found), testing::HasSubstr("broken: "));
}

TEST_F(SkillIndexTest, TheSameFileByAnotherWayIsOneSkillAndANameTakenIsANote) {
  write("user/one/SKILL.md", skill("one", "The user's."));
  write("project/one/SKILL.md", skill("one", "The project's."));
  fs::create_directory_symlink(root_ / "user/one", root_ / "project/two");
  const auto found = index();
  EXPECT_EQ(found.find("one")->front.description, "The user's.");
  EXPECT_FALSE(found.find("two"));
  ASSERT_EQ(found.problems().size(), 1u);
  EXPECT_FALSE(found.problems()[0].fatal);
  EXPECT_THAT(found.problems()[0].text, testing::HasSubstr("hidden by the user skill"));
}

TEST_F(SkillIndexTest, TheIndexFitsItsBudgetInAStableOrder) {
  for (int i = 0; i < 60; ++i)
    write("user/skill-" + std::to_string(i) + "/SKILL.md", skill("skill-" + std::to_string(i), std::string(400, 'd')));
  const auto found = index();
  for (const std::size_t budget : {40'000u, 8'000u, 4'000u, 1'500u, 300u}) {
    const auto text = found.index_text(budget);
    EXPECT_LE(text.size(), budget + 80) << budget;
    EXPECT_EQ(text, index().index_text(budget));
    EXPECT_FALSE(text.empty());
  }
  EXPECT_EQ(SkillIndex::budget_for(200'000), 8'000u);
}

TEST_F(SkillIndexTest, ASkillMayHideFromTheModel) {
  write("user/secret/SKILL.md", "---\nname: secret\ndescription: x\ndisable-model-invocation: true\n---\nb");
  EXPECT_EQ(index().index_text(10'000).find("secret"), std::string::npos);
}

TEST_F(SkillIndexTest, ChangesOnDiskBecomeAReminder) {
  write("user/stays/SKILL.md", skill("stays", "Stays."));
  write("user/goes/SKILL.md", skill("goes", "Goes."));
  write("user/turns/SKILL.md", skill("turns", "Turns."));
  auto found = index();
  EXPECT_EQ(found.refresh(), "");
  fs::remove_all(root_ / "user/goes");
  write("user/turns/SKILL.md", skill("turns", "Turns into something else."));
  write("user/comes/SKILL.md", skill("comes", "Comes."));
  const auto text = found.refresh();
  EXPECT_THAT(text, testing::HasSubstr("New skills can be loaded:\n- comes: Comes."));
  EXPECT_THAT(text, testing::HasSubstr("changed; load them again before using them: turns"));
  EXPECT_THAT(text, testing::HasSubstr("no longer exist: goes"));
  EXPECT_EQ(found.refresh(), "");
}

TEST_F(SkillIndexTest, LoadsABodyListsFilesAndStaysInsideTheFolder) {
  write("user/one/SKILL.md", skill("one", "Does it."));
  write("user/one/scripts/run.sh", "echo hello\n");
  write("secret.txt", "secret\n");
  fs::create_symlink(root_ / "secret.txt", root_ / "user/one/leak.txt");
  const auto found = index();
  support::FakeClock clock;
  skills::LoadSkillTool tool(found, clock);
  const auto load = [&](const model::Json& input) {
    agent::ToolResult result;
    const auto run = tool.start(input, [&](agent::ToolResult done) { result = std::move(done); });
    clock.fire_one();
    return result;
  };
  const auto body = load({{"name", "one"}});
  EXPECT_FALSE(body.is_error);
  EXPECT_THAT(body.content, testing::HasSubstr("scripts/run.sh"));
  EXPECT_THAT(body.content, testing::EndsWith("---\n# Body of one\n"));
  EXPECT_THAT(load({{"name", "one"}, {"file", "scripts/run.sh"}}).content, testing::EndsWith("echo hello\n"));
  for (const char* path :
       {"../../secret.txt", "leak.txt", "/etc/passwd", "scripts/../../../secret.txt", "nothing", "scripts"})
    EXPECT_TRUE(load({{"name", "one"}, {"file", path}}).is_error) << path;
  const auto unknown = load({{"name", "../one"}});
  EXPECT_TRUE(unknown.is_error);
  EXPECT_THAT(unknown.content, testing::HasSubstr("The skills are: certificate-expiry, disk-full"));
}

TEST_F(SkillIndexTest, CheckFindsWhatIsWrong) {
  write("user/fine/SKILL.md", skill("fine", "Fine."));
  write("user/Wrong/SKILL.md", skill("Wr ong", "Loads with warnings."));
  write("user/bad/SKILL.md", "nothing");
  EXPECT_TRUE(skills::check(root_ / "user/fine").ok());
  EXPECT_TRUE(skills::check(root_ / "user/fine/SKILL.md").ok());
  const auto all = skills::check(root_ / "user");
  EXPECT_EQ(all.skills, 3);
  EXPECT_EQ(all.errors.size(), 1u);
  EXPECT_GE(all.warnings.size(), 2u);
  EXPECT_FALSE(skills::check(root_ / "nowhere").ok());
}

TEST(BuiltInSkills, AreSixAndFlawless) {
  const SkillIndex found({});
  EXPECT_EQ(found.skills().size(), 6u);
  EXPECT_TRUE(found.problems().empty());
  EXPECT_TRUE(skills::check(std::string(JMS_SOURCE_DIR) + "/skills").ok());
  EXPECT_TRUE(skills::check(std::string(JMS_SOURCE_DIR) + "/skills").warnings.empty());
  EXPECT_THAT(skills::show(found, "disk-full").value(), testing::HasSubstr("scope: built-in"));
  EXPECT_EQ(skills::list_json(found)["skills"].size(), 6u);
}

}  // namespace
