// Every slash command on the real binary.

#include <filesystem>

#include "tests/e2e/app/input_fixture.h"

namespace app {
namespace {

TEST_F(InputTest, TheListsAndFiguresAreShown) {
  open();
  jms_->send("\x1b[23~");  // F11: the whole terminal, so that the lists fit
  ASSERT_TRUE(type_and_see("/help\r", "/doctor"));
  EXPECT_TRUE(sees("check terminal, config and endpoints"));
  ASSERT_TRUE(type_and_see("/skills\r", "disk-full"));
  ASSERT_TRUE(type_and_see("/cost\r", "Tokens: 0 in"));
  ASSERT_TRUE(type_and_see("/context\r", "Context: about"));
  ASSERT_TRUE(type_and_see("/sessions\r", "No other conversations are kept."));
  ASSERT_TRUE(type_and_see("/audit\r", "Nothing was run yet."));
  ASSERT_TRUE(type_and_see("/hooks\r", "No hooks are configured."));
  ASSERT_TRUE(type_and_see("/model\r", "offline answers."));
  ASSERT_TRUE(type_and_see("/theme\r", "Themes: auto, dark"));
  ASSERT_TRUE(type_and_see("/theme mono\r", "Theme: mono."));
  ASSERT_TRUE(type_and_see("/export\r", "There is no conversation to export yet."));
  ASSERT_TRUE(type_and_see("/compact\r", "offline engine"));
}

TEST_F(InputTest, TheThemeOfTheConfigHoldsFromTheStart) {
  const auto color_of_title = [this] {
    for (int row = 0; row < jms_->screen().size().rows; ++row)
      for (const auto& cell : jms_->screen().row(row).cells)
        if (cell.chars[0] == U'j' && cell.style.attributes == terminal::kBold) return cell.style.foreground;
    return terminal::Color();
  };
  env_.write_config("theme = \"light\"\n");
  open();
  EXPECT_EQ(color_of_title(), terminal::Color::indexed(30));
  ASSERT_TRUE(type_and_see("/theme dark\r", "Theme: dark."));
  EXPECT_EQ(color_of_title(), terminal::Color::indexed(6));
}

TEST_F(InputTest, AnUnknownCommandIsAnErrorLineAndNoQuestion) {
  serve_model();
  open();
  ASSERT_TRUE(type_and_see("/hel\r", "did you mean /help?"));
  ASSERT_TRUE(type_and_see("/frobnicate now\r", "There is no /frobnicate"));
  EXPECT_TRUE(server_->requests().empty());
}

TEST_F(InputTest, ModeChangesWhatMayRun) {
  open();
  ASSERT_TRUE(type_and_see("/mode\r", "Mode: ask."));
  ASSERT_TRUE(type_and_see("/mode read-only\r", "Mode: read-only."));
  ASSERT_TRUE(type_and_see("/mode nonsense\r", "nonsense"));
  ASSERT_TRUE(type_and_see("/mode\r", "Mode: read-only."));
}

TEST_F(InputTest, ASkillIsFollowedByName) {
  open();
  ASSERT_TRUE(type_and_see("/skill nothing-of-this-name\r", "There is no skill nothing-of-this-name"));
  jms_->send("/skill disk-full\r");
  EXPECT_TRUE(sees("says what each finding points to", Ms(60'000))) << jms_->screen_text();
  ASSERT_TRUE(type_and_see("/audit\r", "read-only"));
}

TEST_F(InputTest, AConversationIsExportedForgottenAndTakenUpAgain) {
  serve_model();
  model_says("The answer is blue.");
  model_says("Still blue.");
  open();
  ASSERT_TRUE(type_and_see("which colour?\r", "The answer is blue."));
  ASSERT_TRUE(type_and_see("/export md\r", "Written to "));
  ASSERT_TRUE(type_and_see("/export json\r", ".json"));
  ASSERT_TRUE(type_and_see("/export pdf\r", "There is no format pdf"));
  int exported = 0;
  for (const auto& file : std::filesystem::directory_iterator(env_.home().path()))
    if (file.path().filename().string().starts_with("jms-")) {
      ++exported;
      EXPECT_THAT(support::read_text(file.path().string()), testing::HasSubstr("The answer is blue."));
    }
  EXPECT_EQ(exported, 2);
  ASSERT_TRUE(type_and_see("/clear\r", "A new conversation"));
  EXPECT_FALSE(shows("The answer is blue."));
  ASSERT_TRUE(type_and_see("/sessions\r", "which colour?"));
  ASSERT_TRUE(type_and_see("/resume\r", "Going on with"));
  ASSERT_TRUE(sees("The answer is blue."));
  ASSERT_TRUE(type_and_see("still?\r", "Still blue."));
  EXPECT_THAT(server_->body(1)["messages"].dump(), testing::HasSubstr("which colour?"));
}

TEST_F(InputTest, CompactionAndTheModelCanBeChanged) {
  serve_model();
  model_says("First answer.");
  model_says("<summary>They greeted each other.</summary>");
  model_says("By the other model.");
  open();
  ASSERT_TRUE(type_and_see("hello\r", "First answer."));
  ASSERT_TRUE(type_and_see("/compact\r", "summar")) << jms_->screen_text();
  ASSERT_TRUE(wait_until([this] { return server_->requests().size() == 2; }));
  ASSERT_TRUE(type_and_see("/model claude-haiku-4-5\r", "claude-haiku-4-5 answers."));
  ASSERT_TRUE(type_and_see("again\r", "By the other model."));
  EXPECT_EQ(server_->body(2)["model"], "claude-haiku-4-5");
}

TEST_F(InputTest, TheDoctorChecksFromWithin) {
  open();
  jms_->send("\x1b[23~/doctor\r");
  EXPECT_TRUE(sees("ok   state")) << jms_->screen_text();
}

TEST_F(InputTest, QuitEndsTheSession) {
  open();
  jms_->send("/quit\r");
  const auto ending = jms_->wait_for_exit();
  ASSERT_TRUE(ending);
  EXPECT_EQ(ending->code, 0);
}

}  // namespace
}  // namespace app
