#include "panel/conversation.h"

#include <gtest/gtest.h>

#include "panel/insert.h"
#include "panel/shell_colors.h"
#include "tests/unit/panel/ended_card.h"

namespace panel {
namespace {

std::vector<std::string> view(Conversation& conversation, int rows, int width = 40) {
  std::vector<std::string> lines;
  for (const auto& row : conversation.view(width, rows)) lines.push_back(row.line ? text_of(*row.line) : "");
  return lines;
}
using Rows = std::vector<std::string>;

TEST(Conversation, ShowsACallWithTheBeginningOfItsOutput) {
  Conversation conversation{Signs{}};
  conversation.begin_card("1", Card::Place::remote, "df -h");
  EXPECT_EQ(view(conversation, 5), (Rows{"⚡ df -h  running"}));
  conversation.card("1")->finish(ended(0, "a\nb\nc\nd\ne\n"));
  EXPECT_EQ(view(conversation, 9), (Rows{"⚡ df -h  ✓ · 1.2 s", "│ a", "│ b", "│ c", "│ 2 more lines, Ctrl+O unfolds"}));
  EXPECT_TRUE(conversation.toggle_fold());
  EXPECT_EQ(view(conversation, 9), (Rows{"⚡ df -h  ✓ · 1.2 s", "│ a", "│ b", "│ c", "│ d", "│ e"}));
}

TEST(Conversation, TellsAnExitCodeThatIsNotNought) {
  Conversation conversation{Signs{}};
  conversation.begin_card("1", Card::Place::local, "false").finish(ended(1, ""));
  EXPECT_EQ(view(conversation, 5)[0], "🖥  false  ✗ exit 1 · 1.2 s");
  Card::End unknown = ended(0, "");
  unknown.exit_code.reset();
  conversation.begin_card("2", Card::Place::remote, "x").finish(unknown);
  EXPECT_EQ(view(conversation, 5)[1], "⚡ x  ✓ exit code unknown · 1.2 s");
}

TEST(Conversation, FoldsThinkingToOneRow) {
  Conversation conversation{Signs{}};
  conversation.think("first\nsecond\n");
  conversation.think("third");
  EXPECT_EQ(view(conversation, 5), (Rows{"✻ thinking ▸ Ctrl+O"}));
  conversation.toggle_fold();
  EXPECT_EQ(view(conversation, 5), (Rows{"✻ thinking", "│ first", "│ second", "│ third"}));
}

TEST(Conversation, StaysWhereItWasScrolledTo) {
  Conversation conversation{Signs{}};
  for (int i = 0; i < 50; ++i) conversation.note("note " + std::to_string(i));
  view(conversation, 5);
  conversation.scroll(-10);
  const auto before = view(conversation, 5);
  EXPECT_EQ(before[0], "note 35");
  EXPECT_EQ(conversation.below(), 10);
  for (int i = 0; i < 20; ++i) conversation.answer("more words\n\n");
  EXPECT_EQ(view(conversation, 5), before);
  conversation.scroll(1000);
  EXPECT_TRUE(conversation.following());
}

TEST(Conversation, KeepsItsPlaceWhenTheWidthChanges) {
  Conversation conversation{Signs{}};
  for (int i = 0; i < 50; ++i) conversation.note("number-" + std::to_string(i) + " with quite a few words behind it");
  view(conversation, 5, 60);
  conversation.scroll(-20);
  const auto top = view(conversation, 5, 60)[0];
  EXPECT_EQ(view(conversation, 5, 20)[0].substr(0, 9), top.substr(0, 9));
}

TEST(Conversation, FindsTextUpwardsAndDownwards) {
  Conversation conversation{Signs{}};
  for (int i = 0; i < 100; ++i) conversation.note(i % 25 == 3 ? "The Needle " + std::to_string(i) : "hay");
  view(conversation, 10);
  using Direction = Conversation::Direction;
  const auto shows = [&](const std::string& text) {
    const auto lines = view(conversation, 10);
    return std::find(lines.begin(), lines.end(), text) != lines.end();
  };
  EXPECT_TRUE(conversation.find("needle", Direction::older));
  EXPECT_TRUE(shows("The Needle 78"));
  EXPECT_TRUE(conversation.find("needle", Direction::older));
  EXPECT_TRUE(shows("The Needle 53"));
  EXPECT_TRUE(conversation.find("needle", Direction::newer));
  EXPECT_TRUE(shows("The Needle 78"));
  EXPECT_FALSE(conversation.find("nothing", Direction::older));
}

TEST(Conversation, NumbersOnlyTheCodeSinceTheLastQuestion) {
  Conversation conversation{Signs{}};
  conversation.ask("one?");
  conversation.answer("```\nold\n```\n");
  view(conversation, 20);
  ASSERT_TRUE(conversation.code(1));
  conversation.ask("two?");
  conversation.answer("```\nnew\n```\n");
  conversation.note("between");
  conversation.answer("```\nsecond\n```\n");
  view(conversation, 20);
  EXPECT_EQ(conversation.code(1)->text, "new\n");
  EXPECT_EQ(conversation.code(2)->text, "second\n");
  EXPECT_FALSE(conversation.code(3));
  EXPECT_FALSE(conversation.code(0));
}

TEST(Conversation, ForgetsTheOldestWhenItIsTooMuch) {
  Conversation conversation{Signs{}};
  for (std::size_t i = 0; i < Conversation::kMaxBlocks + 100; ++i) conversation.note("n" + std::to_string(i));
  EXPECT_EQ(view(conversation, 10'000).size(), Conversation::kMaxBlocks);
}

TEST(Insert, TakesOneLineAndJoinsWholeOnes) {
  EXPECT_EQ(*insertable("df -h\n"), "df -h");
  EXPECT_EQ(*insertable("$ uptime\n"), "uptime");
  EXPECT_EQ(*insertable("# look\ncd /tmp\nls -l  # all\n"), "cd /tmp; ls -l");
  EXPECT_EQ(*insertable("sleep 1 &\nls\n"), "sleep 1 & ls");
}

TEST(Insert, RefusesWhatWouldMeanSomethingElse) {
  EXPECT_FALSE(insertable("for i in 1 2; do\n  echo $i\ndone\n"));
  EXPECT_FALSE(insertable("cat <<END\nx\nEND\n"));
  EXPECT_FALSE(insertable("echo 'a\nb'\n"));
  EXPECT_FALSE(insertable("ls\x1b[2J"));
  EXPECT_FALSE(insertable("ls\x03"));
  EXPECT_FALSE(insertable("\n\n# only words\n"));
}

TEST(ShellColors, LoseNoCharacter) {
  for (const std::string_view text :
       {"df -h | tail -1", "A=1 sudo rm -rf \"$HOME\"/x && echo 'ok' # done", "echo \"unfinished", "$( (",
        "if true; then x; fi", "cat <<E\nbody $x\nE\n", "a\\", "\xff\xfe"})
    EXPECT_EQ(text_of(color_shell(text)), text);
}

TEST(ShellColors, TellTheCommandFromItsWords) {
  const auto spans = color_shell("sudo rm -rf \"$x\"");
  EXPECT_EQ(spans[0], (Span{"sudo", Role::command, 0}));
}

}  // namespace
}  // namespace panel
