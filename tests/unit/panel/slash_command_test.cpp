#include "panel/slash_command.h"

#include <gtest/gtest.h>

#include "panel/completion.h"
#include "panel/fuzzy.h"

namespace panel {
namespace {

TEST(SlashCommand, EveryCommandOfTheTableParses) {
  for (const auto& command : slash_commands()) {
    const std::string text = "/" + std::string(command.name) + (command.needs_argument ? " x" : "");
    ASSERT_TRUE(is_slash_command(text));
    const auto parsed = parse_slash(text);
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_EQ(parsed->id, command.id);
    EXPECT_NE(slash_help().find(text.substr(0, text.find(' '))), std::string::npos);
  }
}

TEST(SlashCommand, TakesItsArgumentWithoutTheBlanksAroundIt) {
  const auto parsed = parse_slash("/export   json \n");
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->id, Slash::export_);
  EXPECT_EQ(parsed->argument, "json");
}

TEST(SlashCommand, SaysWhatIsWrong) {
  EXPECT_EQ(parse_slash("/hepl").error().message, "There is no /hepl; /help lists what there is.");
  EXPECT_EQ(parse_slash("/hel").error().message, "There is no /hel; did you mean /help? /help lists what there is.");
  EXPECT_EQ(parse_slash("/skill").error().message, "/skill wants NAME after it; Tab completes it.");
  EXPECT_EQ(parse_slash("/quit now").error().message, "/quit takes nothing after it.");
}

TEST(SlashCommand, LeavesPathsAndOtherTextToTheModel) {
  EXPECT_FALSE(is_slash_command("/etc/hosts is empty, why?"));
  EXPECT_FALSE(is_slash_command("what does /help do?"));
  EXPECT_FALSE(is_slash_command("/ is full"));
  EXPECT_FALSE(is_slash_command("/"));
  EXPECT_TRUE(is_slash_command("/nonsense")) << "an error line, not a question";
}

TEST(Attachments, AreWordsOfTheirOwn) {
  EXPECT_EQ(attachments_in("explain @screen, and @last please @screen"),
            (std::vector<std::string>{"@last", "@screen"}));
  EXPECT_TRUE(attachments_in("mail me@last.example or @lastly").empty());
}

TEST(Fuzzy, FitsCharactersInOrderAndPrefersBeginningsAndRuns) {
  EXPECT_FALSE(fuzzy_score("xyz", "web1"));
  EXPECT_EQ(fuzzy_score("", "anything"), 0);
  EXPECT_GT(*fuzzy_score("db", "prod-db1"), *fuzzy_score("db", "adobe"));
  EXPECT_GT(*fuzzy_score("web", "web1"), *fuzzy_score("web", "w-east-b"));
  EXPECT_TRUE(fuzzy_score("PROD db", "db1.prod"));
}

}  // namespace
}  // namespace panel
