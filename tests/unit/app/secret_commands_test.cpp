#include "app/assistant/secret_commands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/support/run_command.h"
#include "tests/support/temp_dir.h"

namespace app {
namespace {

using testing::HasSubstr;

TEST(SecretCommands, PutAValueWhereItsPlaceholderStandsWhateverTheQuotes) {
  safety::SecretBook book;
  const std::string value = "it's; touch \"$HOME\" `x` $(id) \\ *";
  const auto name = book.placeholder("password", value, "db");
  for (const std::string& command :
       std::vector<std::string>{"printf %s " + name, "printf %s '" + name + "'", "printf %s \"" + name + "\"",
                                "printf %s --p=" + name, "printf %s 'a'\\''" + name + "'"}) {
    const auto restored = with_secrets(command, book, "db");
    ASSERT_TRUE(restored) << restored.error().message;
    EXPECT_THAT(support::run_command({.argv = {"/bin/sh", "-c", *restored}}).out, testing::EndsWith(value)) << command;
  }
}

TEST(SecretCommands, PutAValueInThatNoShellTakesForSyntax) {
  support::TempDir directory;
  const auto mark = directory.file("broken-out");
  for (const std::string& value :
       {std::string("a\\'; touch MARK #'"), std::string("a\\"), std::string("a\\\\"), std::string("\\'"),
        std::string("'\\''; touch MARK; '"), std::string("\\\"; touch MARK; \""), std::string("(touch MARK)"),
        std::string("`touch MARK` $(touch MARK) $HOME ~ * ? {a,b}"), std::string("it's #1; a\\nb %s &|<>")}) {
    safety::SecretBook book;
    auto given = value;
    if (const auto at = given.find("MARK"); at != std::string::npos) given.replace(at, 4, mark);
    const auto name = book.placeholder("password", given, "db");
    for (const std::string& command : std::vector<std::string>{
             "/usr/bin/printf %s " + name, "/usr/bin/printf %s '" + name + "'", "/usr/bin/printf %s \"" + name + "\"",
             "/usr/bin/printf %s -p=" + name, "/usr/bin/printf '%s\\n' '' " + name}) {
      const auto restored = with_secrets(command, book, "db");
      ASSERT_TRUE(restored) << restored.error().message;
      for (const char* shell :
           {"/bin/sh", "/usr/bin/bash", "/usr/bin/zsh", "/usr/bin/mksh", "/usr/bin/fish", "/usr/bin/tcsh"}) {
        if (::access(shell, X_OK) != 0) continue;
        auto out = support::run_command({.argv = {shell, "-c", *restored}}).out;
        if (out.ends_with('\n')) out.pop_back();
        EXPECT_THAT(out, testing::EndsWith(given)) << shell << ": " << *restored;
        EXPECT_NE(::access(mark.c_str(), F_OK), 0) << shell << ": " << *restored;
      }
    }
  }
}

TEST(SecretCommands, RefuseAPlaceInWhichShellsSeeDifferentQuotes) {
  safety::SecretBook book;
  const auto name = book.placeholder("password", "hunter2", "db");
  EXPECT_FALSE(with_secrets("echo 'a\\' " + name, book, "db"));
  EXPECT_FALSE(with_secrets("echo 'a\\\\' " + name, book, "db"));
  EXPECT_FALSE(with_secrets("echo 'a\\" + name + "'", book, "db"));
  EXPECT_TRUE(with_secrets("printf '%s\\n' " + name, book, "db"));
}

TEST(SecretCommands, NeverSendASecretElsewhereOrIntoWhatCannotBeFollowed) {
  safety::SecretBook book;
  const auto name = book.placeholder("password", "hunter2", "db");
  const auto line = book.placeholder("password", "two\nlines", "db");
  const auto bang = book.placeholder("password", "wow!", "db");
  EXPECT_FALSE(with_secrets("echo " + name, book, "web"));
  EXPECT_FALSE(with_secrets("echo <secret:password:99>", book, "db"));
  EXPECT_FALSE(with_secrets("echo $(echo " + name + ")", book, "db"));
  EXPECT_FALSE(with_secrets("cat <<E\n" + name + "\nE", book, "db"));
  EXPECT_FALSE(with_secrets("echo $'" + name + "'", book, "db"));
  EXPECT_FALSE(with_secrets("echo " + line, book, "db"));
  EXPECT_FALSE(with_secrets("echo \"" + bang + "\"", book, "db")) << "history expansion";
  EXPECT_EQ(*with_secrets("echo plain $(date)", book, "db"), "echo plain $(date)");
}

TEST(SecretCommands, MaskOutputBeforeItIsKeptHoweverItIsCut) {
  const auto redactor = safety::Redactor::create();
  ASSERT_TRUE(redactor);
  const std::string text = "key AKIAIOSFODNN7EXAMPLQ here\npassword=correct-horse-battery\n";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    safety::SecretBook book;
    RedactingFilter filter(*redactor, book, "db");
    std::string out = filter.feed(text.substr(0, cut));
    out += filter.feed(text.substr(cut));
    out += filter.finish();
    EXPECT_EQ(out.find("AKIAIOSFODNN7EXAMPLQ"), std::string::npos) << cut;
    EXPECT_EQ(out.find("correct-horse"), std::string::npos) << cut;
  }
}

}  // namespace
}  // namespace app
