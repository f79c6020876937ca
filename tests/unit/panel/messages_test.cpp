#include "panel/messages.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "base/utf8.h"

namespace panel {
namespace {

/// The numbers of the places that are filled in.
std::multiset<char> places(std::string_view text) {
  std::multiset<char> found;
  for (std::size_t at = 0; at + 2 < text.size(); ++at)
    if (text[at] == '{' && text[at + 2] == '}') found.insert(text[at + 1]);
  return found;
}

std::set<char> kinds(const std::multiset<char>& all) {
  return {all.begin(), all.end()};
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto [code, bytes] = base::decode_utf8(text);
    if (code == 0xFFFD) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

/// Puts the language and the environment back.
class MessagesTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"}) ::unsetenv(name);
  }
  void TearDown() override { use_language(Language::english); }
};

TEST_F(MessagesTest, EveryTextIsThereInBothLanguagesWithTheSamePlaces) {
  for (std::size_t at = 0; at < kMessageCount; ++at) {
    const auto message = static_cast<Message>(at);
    const auto english = raw_text(message, Language::english);
    const auto chinese = raw_text(message, Language::chinese);
    EXPECT_FALSE(english.empty()) << "row " << at;
    EXPECT_FALSE(chinese.empty()) << english;
    EXPECT_EQ(kinds(places(english)), kinds(places(chinese))) << english;
    EXPECT_TRUE(is_utf8(chinese)) << english;
  }
}

TEST_F(MessagesTest, ValuesAreFilledInAndNotLookedInto) {
  EXPECT_EQ(say(Message::hint_send, {"Ctrl+]"}), "send Ctrl+]");
  EXPECT_EQ(say(Message::retrying, {"{1}", "busy"}), "Trying again in {1} s: busy");
  EXPECT_EQ(say(Message::hint_send), "send ") << "a place without a value is empty";
}

TEST_F(MessagesTest, TheLanguageIsTheConfiguredOneOrTheLocales) {
  EXPECT_EQ(operators_language(""), Language::english);
  ::setenv("LANG", "zh_CN.UTF-8", 1);
  EXPECT_EQ(operators_language(""), Language::chinese);
  EXPECT_EQ(operators_language("en"), Language::english);
  ::setenv("LC_MESSAGES", "C", 1);
  EXPECT_EQ(operators_language(""), Language::english) << "LC_MESSAGES beats LANG";
  EXPECT_EQ(operators_language("zh"), Language::chinese);
  ::setenv("LC_ALL", "zh_TW", 1);
  EXPECT_EQ(operators_language(""), Language::chinese) << "LC_ALL beats both";
}

TEST_F(MessagesTest, TextFollowsTheLanguageInUse) {
  use_language(Language::chinese);
  EXPECT_EQ(say(Message::hint_close), "关闭");
}

}  // namespace
}  // namespace panel
