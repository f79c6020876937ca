#include "app/assistant/question_history.h"

#include <gtest/gtest.h>

#include "app/target/recent_targets.h"
#include "tests/support/temp_dir.h"

namespace app {
namespace {

TEST(QuestionHistory, ComesBackInAnotherSessionWithSecretsMasked) {
  const support::TempDir state;
  const auto mask = [](std::string_view text) {
    std::string result(text);
    if (const auto at = result.find("hunter2"); at != std::string::npos) result.replace(at, 7, "<secret>");
    return result;
  };
  ASSERT_TRUE(QuestionHistory(state.path(), mask).add("why is\n“it” slow?"));
  ASSERT_TRUE(QuestionHistory(state.path(), mask).add("the password is hunter2"));
  EXPECT_EQ(*QuestionHistory(state.path(), mask).load(),
            (std::vector<std::string>{"why is\n“it” slow?", "the password is <secret>"}));
  EXPECT_EQ(support::read_text(state / "history").find("hunter2"), std::string::npos);
}

TEST(QuestionHistory, LinesThatAreNoneOfOursAreLeftOut) {
  const support::TempDir state;
  state.write("history", "garbage\n{\"a\":1}\n\"good\"\n");
  EXPECT_EQ(*QuestionHistory(state.path(), nullptr).load(), std::vector<std::string>{"good"});
}

TEST(RecentTargets, ComeBackTheNewestFirstAndOnceWithTheWayToThem) {
  const support::TempDir state;
  const RecentTargets recent(state.path());
  TargetOptions behind;
  behind.target = "web1";
  behind.jump = "bastion";
  behind.port = 2222;
  ASSERT_TRUE(recent.add({.target = "local"}));
  ASSERT_TRUE(recent.add(behind));
  ASSERT_TRUE(recent.add({.target = "db1"}));
  ASSERT_TRUE(recent.add(behind));
  const auto loaded = recent.load();
  ASSERT_EQ(loaded.size(), 3u);
  EXPECT_EQ(loaded[0].target, "web1");
  EXPECT_EQ(loaded[0].jump, "bastion");
  EXPECT_EQ(loaded[0].port, 2222);
  EXPECT_EQ(loaded[1].target, "db1");
  EXPECT_EQ(loaded[2].target, "local");
}

}  // namespace
}  // namespace app
