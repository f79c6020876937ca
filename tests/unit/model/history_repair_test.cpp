#include "model/history_repair.h"

#include <gtest/gtest.h>

#include <random>

#include "model/anthropic_request.h"
#include "model/openai_request.h"
#include "tests/support/model_rules.h"
#include "tests/unit/model/settings_for.h"

namespace model {
namespace {

Message assistant(std::vector<Block> blocks) {
  return {Role::assistant, std::move(blocks)};
}
Message user(std::vector<Block> blocks) {
  return {Role::user, std::move(blocks)};
}
Block call(const std::string& id) {
  return Block::tool_use(id, "run", Json{{"command", "id"}});
}

std::string shape(const std::vector<Message>& messages) {
  std::string out;
  for (const auto& message : messages) {
    out += message.role == Role::user ? "U(" : "A(";
    for (const auto& block : message.blocks) {
      out += string_at(block.wire(), "type");
      if (!block.call_id().empty()) out += ":" + std::string(block.call_id());
      if (block.is_error()) out += "!";
      out += " ";
    }
    out += ") ";
  }
  return out;
}

const std::vector<Message> kValid = {
    user_message("Why is / full?"),
    assistant({Block::thinking("", "S"), Block::text("Checking."), call("a"), call("b")}),
    user({Block::tool_result("a", "99%"), Block::tool_result("b", "no", true), Block::text("Go on.")}),
    assistant({Block::text("Logs.")}),
    user_message("Thanks."),
};

TEST(HistoryRepair, LeavesAValidConversationAlone) {
  EXPECT_EQ(repaired(kValid, Api::anthropic), kValid);
  EXPECT_EQ(repaired(kValid, Api::openai), kValid);
}

TEST(HistoryRepair, AnswersCallsThatHaveNoResult) {
  EXPECT_EQ(shape(repaired({user_message("q"), assistant({call("a"), call("b")}), user({Block::tool_result("b", "x")})},
                           Api::anthropic)),
            "U(text ) A(tool_use:a tool_use:b ) U(tool_result:a! tool_result:b ) ");
  EXPECT_EQ(shape(repaired({user_message("q"), assistant({call("a")})}, Api::anthropic)),
            "U(text ) A(tool_use:a ) U(tool_result:a! ) ");
  EXPECT_EQ(
      shape(repaired({user_message("q"), assistant({call("a")}), assistant({Block::text("t")}), user_message("q")},
                     Api::anthropic)),
      "U(text ) A(tool_use:a ) U(tool_result:a! ) A(text ) U(text ) ");
}

TEST(HistoryRepair, DropsResultsWithoutACall) {
  EXPECT_EQ(shape(repaired({user({Block::tool_result("x", "1"), Block::text("q")})}, Api::anthropic)), "U(text ) ");
  EXPECT_EQ(
      shape(repaired({user_message("q"), assistant({call("a")}),
                      user({Block::tool_result("a", "1"), Block::tool_result("a", "2"), Block::tool_result("z", "3")})},
                     Api::anthropic)),
      "U(text ) A(tool_use:a ) U(tool_result:a ) ");
  EXPECT_EQ(shape(repaired({user_message("q"), assistant({Block::text("t")}), user({Block::tool_result("a", "1")})},
                           Api::anthropic)),
            "U(text ) A(text ) U(text ) ");
}

TEST(HistoryRepair, PutsResultsFirstAndCallsLast) {
  EXPECT_EQ(shape(repaired({user_message("q"), assistant({call("a"), Block::text("t")}),
                            user({Block::text("u"), Block::tool_result("a", "1")})},
                           Api::anthropic)),
            "U(text ) A(text tool_use:a ) U(tool_result:a text ) ");
}

TEST(HistoryRepair, DropsEmptyTextAndUnsignedThinkingAndClosesATurnThatEndsInThinking) {
  EXPECT_EQ(
      shape(repaired({user_message("q"), assistant({Block::thinking("hm", ""), Block::text(" \n")}), user_message("r")},
                     Api::anthropic)),
      "U(text text ) ");
  EXPECT_EQ(
      shape(repaired({user_message("q"), assistant({Block::thinking("", "S")}), user_message("r")}, Api::anthropic)),
      "U(text ) A(thinking text ) U(text ) ");
}

TEST(HistoryRepair, MakesIdsValidAndUniqueOnBothSides) {
  const auto messages =
      repaired({user_message("q"), assistant({call("functions.run:0"), call("")}),
                user({Block::tool_result("functions.run:0", "1"), Block::tool_result("", "2")}),
                assistant({call("functions.run:0")}), user({Block::tool_result("functions.run:0", "3")})},
               Api::anthropic);
  EXPECT_EQ(shape(messages),
            "U(text ) A(tool_use:functions_run_0 tool_use:call ) U(tool_result:functions_run_0 tool_result:call ) "
            "A(tool_use:functions_run_0_2 ) U(tool_result:functions_run_0_2 ) ");
  EXPECT_EQ(messages[2].blocks[1].text(), "2");
  EXPECT_EQ(messages[4].blocks[0].text(), "3");
}

TEST(HistoryRepair, EndsWithTheUserUnlessTheServerPaused) {
  EXPECT_EQ(shape(repaired({user_message("q"), assistant({Block::text("t")})}, Api::anthropic)),
            "U(text ) A(text ) U(text ) ");
  Message paused = assistant(
      {Block(Json{{"type", "server_tool_use"}, {"id", "srvtoolu_1"}, {"name", "web"}, {"input", Json::object()}})});
  paused.paused = true;
  EXPECT_EQ(repaired({user_message("q"), paused}, Api::anthropic).back().role, Role::assistant);
  EXPECT_EQ(shape(repaired({}, Api::anthropic)), "U(text ) ");
  EXPECT_EQ(shape(repaired({assistant({Block::text("t")}), user_message("q")}, Api::anthropic)),
            "U(text ) A(text ) U(text ) ");
}

/// Any conversation at all, mostly broken.
std::vector<Message> random_history(std::mt19937& random) {
  const auto id = [&] { return std::vector<std::string>{"a", "b", "c.1", "", "a_2"}[random() % 5]; };
  const auto text = [&] {
    return std::vector<std::string>{"words", "", " \n", "\xC2\xA0", "\xFF", "磁盘"}[random() % 6];
  };
  std::vector<Message> messages;
  for (auto count = random() % 9; count > 0; --count) {
    Message message{random() % 2 ? Role::user : Role::assistant, {}};
    if (random() % 8 == 0) message.origin = "here";
    for (auto blocks = random() % 6; blocks > 0; --blocks) {
      switch (random() % 10) {
        case 0:
        case 1:
          message.blocks.push_back(Block::text(text()));
          break;
        case 2:
          message.blocks.push_back(Block::thinking(text(), random() % 2 ? "S" : ""));
          break;
        case 3:
          message.blocks.emplace_back(Json{{"type", "redacted_thinking"}, {"data", "d"}});
          break;
        case 4:
        case 5:
          message.blocks.push_back(Block::tool_use(id(),
                                                   random() % 5   ? "run"
                                                   : random() % 2 ? ""
                                                                  : "bad name",
                                                   random() % 4 ? Json::object() : Json(nullptr)));
          break;
        case 6:
        case 7:
          message.blocks.push_back(Block::tool_result(id(), text(), random() % 2));
          break;
        case 8:
          message.blocks.emplace_back(Json{{"type", "tool_result"},
                                           {"tool_use_id", id()},
                                           {"content", Json::array({Json{{"type", "text"}, {"text", text()}}})},
                                           {"cache_control", Json{{"type", "ephemeral"}}}});
          break;
        default:
          message.blocks.push_back(Block::text("t").with("cache_control", Json{{"type", "ephemeral"}}));
      }
    }
    messages.push_back(std::move(message));
  }
  return messages;
}

TEST(HistoryRepair, MakesEveryConversationAcceptableAndRepairingTwiceChangesNothing) {
  std::mt19937 random(5);
  for (int round = 0; round < 1500; ++round) {
    const auto history = random_history(random);
    SCOPED_TRACE(shape(history));
    for (const Api api : {Api::anthropic, Api::openai}) {
      const auto once = repaired(history, api);
      ASSERT_EQ(repaired(once, api), once) << shape(once);
    }
    Request request;
    request.messages = history;
    const Json claude = *parse_json(dump_json(anthropic_body(request, settings_for("claude-opus-5-5"))));
    const auto refused = model_rules::anthropic_refuses(claude);
    ASSERT_FALSE(refused) << *refused << "\n" << dump_json(claude);
    const Json other = *parse_json(dump_json(openai_body(request, settings_for("m"), {}, "here")));
    const auto refused_too = model_rules::openai_refuses(other);
    ASSERT_FALSE(refused_too) << *refused_too << "\n" << dump_json(other);
  }
}

TEST(HistoryRepair, RepairsTheBeginningTheSameWhenTheConversationGrows) {
  std::mt19937 random(6);
  for (int round = 0; round < 1000; ++round) {
    auto history = random_history(random);
    history.push_back(user_message("question"));
    const auto before = repaired(history, Api::anthropic);
    history.push_back(assistant({Block::text("answer"), call("a")}));
    history.push_back(user({Block::tool_result("a", "x")}));
    const auto after = repaired(history, Api::anthropic);
    ASSERT_GE(after.size(), before.size());
    for (std::size_t i = 0; i < before.size(); ++i) ASSERT_EQ(after[i], before[i]) << shape(after);
  }
}

}  // namespace
}  // namespace model
