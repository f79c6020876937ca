#include "transport/jumpserver/kept_answers.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/support/temp_dir.h"

namespace transport::jumpserver {
namespace {

using std::chrono::seconds;

class KeptAnswersTest : public testing::Test {
 protected:
  KeptAnswersTest() {
    alice_.server = "https://jump.example.com";
    alice_.user = "alice";
    alice_.key = {"key-id", "key-secret"};
    alice_.token = {"Bearer", "token-value"};
    alice_.web.id = "session-value";
  }

  KeptAnswers answers(const Credentials& who) const { return KeptAnswers(dir_.path(), "default", who); }
  std::string path() const { return KeptAnswers::path_of(dir_.path(), "default"); }
  void keep(const std::string& what, const Json& answer) const {
    auto kept = answers(alice_);
    kept.keep(what, answer);
    kept.save();
  }
  std::string text() const { return support::read_text(path()); }

  support::TempDir dir_;
  Credentials alice_;
};

TEST_F(KeptAnswersTest, OutliveTheRun) {
  keep("nodes", {{"1", "/Default"}});
  EXPECT_EQ(answers(alice_).find("nodes", seconds(60)), Json({{"1", "/Default"}}));
  EXPECT_FALSE(answers(alice_).find("methods", seconds(60)));
}

TEST_F(KeptAnswersTest, AreTheOwnersAloneAndHoldNoCredential) {
  keep("nodes", "x");
  struct stat info {};
  ASSERT_EQ(::stat(path().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  for (const char* secret : {"key-secret", "token-value", "session-value"})
    EXPECT_EQ(text().find(secret), std::string::npos) << secret;
}

TEST_F(KeptAnswersTest, OfAnotherSignInCountAsNone) {
  keep("nodes", "x");
  const auto found = [&](auto change) {
    Credentials other = alice_;
    change(other);
    return answers(other).find("nodes", seconds(60)).has_value();
  };
  EXPECT_TRUE(found([](Credentials&) {}));
  EXPECT_FALSE(found([](Credentials& who) { who.server = "https://other.example.com"; }));
  EXPECT_FALSE(found([](Credentials& who) { who.user = "bob"; }));
  EXPECT_FALSE(found([](Credentials& who) { who.org = "other"; }));
  EXPECT_FALSE(found([](Credentials& who) { who.key.id = "other"; }));
  EXPECT_FALSE(found([](Credentials& who) { who.token.value = "other"; }));
  EXPECT_FALSE(found([](Credentials& who) { who.web.id = "other"; }));
}

TEST_F(KeptAnswersTest, AreLeftBehindBySigningInAsSomebodyElse) {
  keep("nodes", "alice's");
  Credentials whose = alice_;
  auto kept = answers(whose);
  EXPECT_TRUE(kept.find("nodes", seconds(60)));
  whose.token.value = "bob's";
  EXPECT_FALSE(kept.find("nodes", seconds(60)));
  kept.keep("methods", "bob's");
  kept.save();
  EXPECT_FALSE(answers(alice_).find("methods", seconds(60)));
  EXPECT_TRUE(answers(whose).find("methods", seconds(60)));
}

TEST_F(KeptAnswersTest, AgeAndComeFromNoOtherClock) {
  keep("nodes", "x");
  const auto aged = [&](long by) {
    Json file = Json::parse(text());
    file["answers"]["nodes"]["at"] = std::time(nullptr) - by;
    std::ofstream(path()) << file;
    return answers(alice_).find("nodes", seconds(60)).has_value();
  };
  EXPECT_TRUE(aged(50));
  EXPECT_FALSE(aged(70));
  EXPECT_FALSE(aged(-3600));
}

TEST_F(KeptAnswersTest, ThatAreDamagedOrReadableByOthersAreNone) {
  keep("nodes", "x");
  const std::string whole = text();
  for (std::size_t size = 0; size + 2 < whole.size(); ++size) {
    std::ofstream(path()) << whole.substr(0, size);
    EXPECT_FALSE(answers(alice_).find("nodes", seconds(60))) << size;
  }
  for (const char* other : {"[]", "7", "null", R"({"owner":7,"answers":[]})"}) {
    std::ofstream(path()) << other;
    EXPECT_FALSE(answers(alice_).find("nodes", seconds(60))) << other;
  }
  std::ofstream(path()) << whole;
  ASSERT_TRUE(answers(alice_).find("nodes", seconds(60)));
  ASSERT_EQ(::chmod(path().c_str(), 0644), 0);
  EXPECT_FALSE(answers(alice_).find("nodes", seconds(60)));
}

TEST_F(KeptAnswersTest, AreBounded) {
  auto kept = answers(alice_);
  for (int i = 0; i < 2000; ++i) kept.keep("asset " + std::to_string(i), "x");
  kept.save();
  EXPECT_LE(Json::parse(text())["answers"].size(), 256u);
  kept.keep("nodes", std::string(20u << 20, 'n'));
  kept.save();
  EXPECT_LT(text().size(), 1u << 20);
}

TEST_F(KeptAnswersTest, WithoutAFileLastAsLongAsTheRun) {
  KeptAnswers kept;
  kept.keep("nodes", "x");
  kept.save();
  EXPECT_TRUE(kept.find("nodes", seconds(60)));
  kept.forget("nodes");
  EXPECT_FALSE(kept.find("nodes", seconds(60)));
}

}  // namespace
}  // namespace transport::jumpserver
