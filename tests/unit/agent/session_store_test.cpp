#include "agent/session_store.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "tests/support/agent_doubles.h"
#include "tests/support/agent_pairing.h"

namespace {

using agent::Ending;
using support::call_turn;
using support::error_turn;
using support::Rig;
using support::text_turn;

class SessionStoreTest : public testing::Test {
 protected:
  SessionStoreTest() {
    char path[] = "/tmp/jms-sessions-XXXXXX";
    directory_ = ::mkdtemp(path);
  }
  ~SessionStoreTest() override { std::filesystem::remove_all(directory_); }

  std::unique_ptr<agent::SessionStore> keep(Rig& rig) {
    agent::SessionStore::Options options{directory_, "ssh://web1", "2026-11-16", [](std::string_view text) {
                                           std::string out(text);
                                           for (auto at = out.find("hunter2"); at != std::string::npos;
                                                at = out.find("hunter2"))
                                             out.replace(at, 7, "<secret 1>");
                                           return out;
                                         }};
    auto store = agent::SessionStore::create(std::move(options));
    EXPECT_TRUE(store);
    rig.conversation.set_journal(store->get());
    return std::move(*store);
  }

  std::string file(const std::string& id) const { return directory_ + "/" + id + ".jsonl"; }

  std::string directory_;
};

std::string all_text(const std::vector<model::Message>& messages) {
  std::string out;
  for (const auto& message : messages) out += model::dump_json(model::to_json(message)) + "\n";
  return out;
}

TEST_F(SessionStoreTest, AFailureIsToldOnceAndTheAnswerComesAllTheSame) {
  Rig rig;
  std::vector<std::string> told;
  auto store = agent::SessionStore::create(
      {directory_, "ssh://web1", "2026-11-16", {}, [&](const base::Error& why) { told.push_back(why.message); }});
  ASSERT_TRUE(store);
  rig.conversation.set_journal(store->get());
  std::filesystem::remove_all(directory_);
  rig.client.script = {text_turn("Fine.")};
  EXPECT_EQ(rig.answer("How is it?"), Ending::completed);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_NE(told[0].find(directory_), std::string::npos) << told[0];
  EXPECT_FALSE((*store)->health());
}

TEST_F(SessionStoreTest, AConversationComesBackWithoutSecretsAndThinking) {
  Rig rig;
  const auto store = keep(rig);
  rig.run.result = [](const std::string&) { return agent::ToolResult{"password=hunter2"}; };
  rig.client.script = {call_turn({{"a", "execute_command", {{"command", "echo hunter2"}}}}),
                       text_turn("It is hunter2.")};
  ASSERT_EQ(rig.answer("What is hunter2?", "terminal hunter2"), Ending::completed);
  ASSERT_TRUE(store->health());

  const auto loaded = agent::load_session(directory_, store->id());
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->messages.size(), rig.conversation.messages().size());
  EXPECT_EQ(loaded->damaged_lines, 0u);
  const auto text = all_text(loaded->messages);
  EXPECT_EQ(text.find("hunter2"), std::string::npos);
  EXPECT_EQ(text.find("\"thinking\""), std::string::npos);
  EXPECT_NE(text.find("<secret 1>"), std::string::npos);
  EXPECT_EQ(support::history_refused(loaded->messages), std::nullopt);

  struct stat info {};
  ASSERT_EQ(::stat(file(store->id()).c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST_F(SessionStoreTest, CancelledQuestionsAreNotInIt) {
  Rig rig;
  const auto store = keep(rig);
  rig.client.script = {text_turn("One.")};
  rig.answer("first");
  rig.client.script = {call_turn({{"a", "execute_command", {{"command", "x"}}}})};
  rig.ask("second");
  rig.pump(3);
  rig.exchange->cancel();
  const auto loaded = agent::load_session(directory_, store->id());
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->messages.size(), 2u);
}

TEST_F(SessionStoreTest, FollowsCompactionAndSnipping) {
  Rig rig;
  rig.options.snip = {4, 2, 1'000};
  const auto store = keep(rig);
  for (int i = 0; i < 9; ++i) {
    rig.client.script = {text_turn("Answer " + std::to_string(i))};
    rig.answer("Question " + std::to_string(i), "some terminal text");
  }
  rig.client.script = {error_turn(model::ErrorKind::context_too_long), text_turn("the summary"), text_turn("Last.")};
  rig.answer("the last");
  const auto loaded = agent::load_session(directory_, store->id());
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->messages.size(), rig.conversation.messages().size());
  EXPECT_EQ(loaded->boundaries.size(), 1u);
  EXPECT_EQ(loaded->damaged_lines, 0u);
}

TEST_F(SessionStoreTest, ATornLineCostsOnlyItself) {
  Rig rig;
  auto store = keep(rig);
  rig.client.script = {text_turn("One.")};
  rig.answer("first");
  const std::string id = store->id();
  std::ofstream(file(id), std::ios::app) << R"({"type":"message","message":{"ro)";

  auto loaded = agent::load_session(directory_, id.substr(0, 15));
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->damaged_lines, 1u);
  ASSERT_EQ(loaded->messages.size(), 2u);

  Rig again;
  again.conversation.restore(loaded->messages);
  auto resumed = agent::SessionStore::resume({directory_, "ssh://web1", "", nullptr}, id);
  ASSERT_TRUE(resumed);
  again.conversation.set_journal(resumed->get());
  again.client.script = {text_turn("Two.")};
  EXPECT_EQ(again.answer("second"), Ending::completed);
  EXPECT_EQ(again.client.requests[0].messages.size(), 3u);
  loaded = agent::load_session(directory_, id);
  ASSERT_TRUE(loaded);
  EXPECT_EQ(loaded->messages.size(), 4u);
  EXPECT_THAT(describe_session(*loaded), testing::HasSubstr("> second\nTwo."));
}

TEST_F(SessionStoreTest, ACallThatLostItsInputIsStillShown) {
  std::ofstream(file("2026-ab")) << R"({"type":"message","message":{"role":"user","content":"why?"}})"
                                 << "\n"
                                 << R"({"type":"message","message":{"role":"assistant","content":[)"
                                 << R"({"type":"tool_use","id":"a","name":"execute_command"}]}})"
                                 << "\n";
  const auto session = agent::load_session(directory_, "2026-ab");
  ASSERT_TRUE(session);
  EXPECT_THAT(agent::describe_session(*session), testing::HasSubstr("* execute_command"));
}

TEST_F(SessionStoreTest, ListsTheNewestFirstWithItsFirstQuestion) {
  for (const char* question : {"older", "newer"}) {
    Rig rig;
    const auto store = keep(rig);
    rig.client.script = {text_turn("One.")};
    rig.answer(question);
    const timespec when{question == std::string("older") ? 1'000 : 2'000, 0};
    const timespec times[2] = {when, when};
    ASSERT_EQ(::utimensat(AT_FDCWD, file(store->id()).c_str(), times, 0), 0);
  }
  std::ofstream(directory_ + "/junk.jsonl") << "no json\n";
  const auto sessions = agent::list_sessions(directory_);
  ASSERT_TRUE(sessions);
  ASSERT_EQ(sessions->size(), 3u);
  EXPECT_EQ((*sessions)[1].title, "newer");
  EXPECT_EQ((*sessions)[2].title, "older");
  EXPECT_EQ((*sessions)[2].target, "ssh://web1");
}

TEST_F(SessionStoreTest, RefusesADirectoryThatOthersCanRead) {
  ASSERT_EQ(::chmod(directory_.c_str(), 0755), 0);
  const auto store = agent::SessionStore::create({directory_, "", "", nullptr});
  ASSERT_FALSE(store);
  EXPECT_THAT(store.error().message, testing::HasSubstr("chmod 700"));
}

TEST_F(SessionStoreTest, AnIdNeverLeavesTheDirectory) {
  EXPECT_FALSE(agent::load_session(directory_, "../../etc/passwd"));
  EXPECT_FALSE(agent::load_session(directory_, ""));
}

}  // namespace
