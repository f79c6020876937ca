#include <gtest/gtest.h>

#include "model/anthropic_request.h"
#include "model/openai_decoder.h"
#include "model/openai_request.h"
#include "tests/support/model_rules.h"
#include "tests/unit/model/settings_for.h"

namespace model {
namespace {

Request question() {
  Request request;
  request.system = "You diagnose servers.";
  request.tools = {
      {"execute_command", "Run one shell command.",
       Json{{"type", "object"}, {"properties", {{"command", {{"type", "string"}}}}}, {"required", {"command"}}}},
      {"load_skill", "Load a runbook."}};
  request.messages = {user_message("Why is / full?")};
  return request;
}

int marks_in(const std::string& body) {
  int count = 0;
  for (auto at = body.find("cache_control"); at != std::string::npos; at = body.find("cache_control", at + 1)) ++count;
  return count;
}

TEST(AnthropicRequest, HasTheExactBytesOfItsFields) {
  EXPECT_EQ(
      dump_json(anthropic_body(question(), settings_for("claude-opus-5-5"))),
      R"({"model":"claude-opus-5-5","max_tokens":32000,"stream":true,)"
      R"("system":[{"type":"text","text":"You diagnose servers.","cache_control":{"type":"ephemeral"}}],)"
      R"("tools":[{"name":"execute_command","description":"Run one shell command.","input_schema":{"type":"object","properties":{"command":{"type":"string"}},"required":["command"]}},)"
      R"({"name":"load_skill","description":"Load a runbook.","input_schema":{"type":"object","properties":{}}}],)"
      R"("thinking":{"type":"adaptive","display":"summarized"},)"
      R"("messages":[{"role":"user","content":[{"type":"text","text":"Why is / full?","cache_control":{"type":"ephemeral"}}]}]})");
}

TEST(AnthropicRequest, RepeatsEveryByteButTheMarksWhenTheConversationGrows) {
  Request request = question();
  const auto unmarked = [](Json body) {
    body.erase("max_tokens");
    std::string text = dump_json(body);
    const std::string mark = R"(,"cache_control":{"type":"ephemeral"})";
    for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at)) text.erase(at, mark.size());
    return text;
  };
  std::string before = unmarked(anthropic_body(request, settings_for("claude-opus-5-5")));
  for (int round = 0; round < 30; ++round) {
    const std::string id = "t" + std::to_string(round);
    request.messages.push_back(
        {Role::assistant, {Block::thinking("", "S"), Block::tool_use(id, "execute_command", Json{{"command", "df"}})}});
    request.messages.push_back({Role::user, {Block::tool_result(id, "99%")}});
    const Json body = anthropic_body(request, settings_for("claude-opus-5-5"));
    EXPECT_FALSE(model_rules::anthropic_refuses(body));
    EXPECT_LE(marks_in(dump_json(body)), 4);
    const std::string after = unmarked(body);
    const std::string shared = before.substr(0, before.size() - 2);  // without the closing brackets
    ASSERT_TRUE(after.starts_with(shared)) << after;
    before = after;
  }
}

TEST(AnthropicRequest, LeavesNoMoreThanTwentyBlocksBetweenTheNewestMarks) {
  Request request = question();
  std::vector<Block> calls, results;
  for (int i = 0; i < 40; ++i) {
    calls.push_back(Block::tool_use("t" + std::to_string(i), "execute_command", Json::object()));
    results.push_back(Block::tool_result("t" + std::to_string(i), "x"));
  }
  request.messages.push_back({Role::assistant, calls});
  request.messages.push_back({Role::user, results});
  const Json body = anthropic_body(request, settings_for("claude-opus-5-5"));
  EXPECT_EQ(marks_in(dump_json(body)), 4);
  EXPECT_FALSE(model_rules::anthropic_refuses(body));
  EXPECT_TRUE(body["messages"].back()["content"].back().contains("cache_control"));
  EXPECT_TRUE(body["messages"].back()["content"][39 - 15].contains("cache_control"));
}

TEST(AnthropicRequest, MarksTheToolsWhenThereIsNoSystemText) {
  Request request = question();
  request.system.clear();
  const Json body = anthropic_body(request, settings_for("claude-opus-5-5"));
  EXPECT_FALSE(body.contains("system"));
  EXPECT_TRUE(body["tools"].back().contains("cache_control"));
}

TEST(AnthropicRequest, AsksForThinkingAsEachModelWantsIt) {
  const auto thinking = [](const std::string& model, ThinkingWish wish) {
    Settings settings = settings_for(model);
    settings.thinking = wish;
    const Json body = anthropic_body(question(), settings);
    EXPECT_FALSE(model_rules::anthropic_refuses(body)) << model;
    return body.contains("thinking") ? dump_json(body["thinking"]) : std::string("omitted");
  };
  using enum ThinkingWish;
  const std::string shown = R"({"type":"adaptive","display":"summarized"})";
  EXPECT_EQ(thinking("claude-sonnet-5-5", automatic), shown);
  EXPECT_EQ(thinking("claude-opus-5-5", off), "omitted") << "it cannot be switched off there";
  EXPECT_EQ(thinking("claude-opus-5", off), R"({"type":"disabled"})");
  EXPECT_EQ(thinking("claude-opus-4-6", automatic), R"({"type":"adaptive"})");
  EXPECT_EQ(thinking("claude-haiku-4-5-20251001", automatic), "omitted");
  EXPECT_EQ(thinking("claude-haiku-4-5", on), R"({"type":"enabled","budget_tokens":8000})");
  EXPECT_EQ(thinking("some-gateway-model", on), "omitted");
}

TEST(AnthropicRequest, OmitsABudgetWhenTheOpenToolLoopHasNoThinking) {
  Request request = question();
  request.messages.push_back({Role::assistant, {Block::tool_use("a", "execute_command", Json::object())}});
  request.messages.push_back({Role::user, {Block::tool_result("a", "x")}});
  Settings settings = settings_for("claude-haiku-4-5");
  settings.thinking = ThinkingWish::on;
  EXPECT_FALSE(anthropic_body(request, settings).contains("thinking"));
}

TEST(AnthropicRequest, SendsOneCredentialAndAppendsBetas) {
  Settings settings = settings_for("m");
  settings.betas = {"one-2026-01-01"};
  settings.api_key = "sk-key";
  settings.auth_token = "token";
  EXPECT_EQ(anthropic_headers(settings),
            (http::Headers{
                {"anthropic-version", "2023-06-01"}, {"x-api-key", "sk-key"}, {"anthropic-beta", "one-2026-01-01"}}));
  settings.api_key.clear();
  EXPECT_EQ(anthropic_headers(settings), (http::Headers{{"anthropic-version", "2023-06-01"},
                                                        {"authorization", "Bearer token"},
                                                        {"anthropic-beta", "one-2026-01-01,oauth-2025-04-20"}}));
}

TEST(AnthropicRequest, CapsTheOutputAtWhatTheModelGives) {
  Request request = question();
  request.max_tokens = 1'000'000;
  EXPECT_EQ(anthropic_body(request, settings_for("claude-haiku-4-5"))["max_tokens"], 64'000);
  EXPECT_EQ(anthropic_body(request, settings_for("unknown"))["max_tokens"], 1'000'000);
}

TEST(OpenAiRequest, WritesCallsAndResultsInItsOwnForm) {
  Request request = question();
  request.messages.push_back({Role::assistant,
                              {Block::tool_use("a", "execute_command", Json{{"command", "df"}}),
                               Block::tool_use("b", "load_skill", Json::object())}});
  request.messages.push_back(
      {Role::user, {Block::tool_result("a", "99%"), Block::tool_result("b", "none", true), Block::text("Hurry.")}});
  request.parallel_tools = false;
  const Json body = openai_body(request, settings_for("m"), {}, "here");
  EXPECT_FALSE(model_rules::openai_refuses(body));
  EXPECT_EQ(
      dump_json(body["messages"]),
      R"([{"role":"system","content":"You diagnose servers."},{"role":"user","content":"Why is / full?"},)"
      R"({"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"execute_command","arguments":"{\"command\":\"df\"}"}},{"id":"b","type":"function","function":{"name":"load_skill","arguments":"{}"}}]},)"
      R"({"role":"tool","tool_call_id":"a","content":"99%"},{"role":"tool","tool_call_id":"b","content":"ERROR: none"},{"role":"user","content":"Hurry."}])");
  EXPECT_EQ(dump_json(body["stream_options"]), R"({"include_usage":true})");
  EXPECT_EQ(body["parallel_tool_calls"], false);
  EXPECT_FALSE(body.contains("max_tokens"));
}

TEST(OpenAiRequest, SendsBackExactlyWhatTheServerGave) {
  OpenAiDecoder decoder({});
  decoder.feed(
      "data: "
      "{\"choices\":[{\"delta\":{\"reasoning_content\":\"Hm\",\"tool_calls\":[{\"id\":\"functions.f:0\",\"function\":{"
      "\"name\":\"f\",\"arguments\":\"{ \\\"x\\\": 1.0 }\"},"
      "\"extra_content\":{\"s\":1}}]}}]}\n\ndata: [DONE]\n\n");
  Turn turn = decoder.finish();
  turn.origin = "here";
  Request request = question();
  request.messages.push_back(turn.message());
  request.messages.push_back({Role::user, {Block::tool_result("functions.f:0", "ok")}});
  const Json here = openai_body(request, settings_for("m"), {}, "here")["messages"][2];
  EXPECT_EQ(
      dump_json(here),
      R"({"role":"assistant","content":null,"tool_calls":[{"id":"functions.f:0","type":"function","function":{"name":"f","arguments":"{ \"x\": 1.0 }"},"extra_content":{"s":1}}],"reasoning_content":"Hm"})");
  EXPECT_FALSE(openai_body(request, settings_for("m"), {}, "elsewhere")["messages"][2].contains("reasoning_content"));
  const Json claude = anthropic_body(request, settings_for("claude-opus-5-5"));
  EXPECT_FALSE(model_rules::anthropic_refuses(claude)) << dump_json(claude);
  EXPECT_EQ(message_from_json(to_json(turn.message())), turn.message()) << "and a session file keeps it";
}

TEST(OpenAiRequest, LearnsWhatAServerDoesNotTake) {
  OpenAiQuirks quirks;
  const auto learn = [&](const std::string& message, const std::string& param) {
    return learn_from({ErrorKind::invalid_request, "unsupported_parameter", message, 400}, param, quirks);
  };
  EXPECT_TRUE(learn("Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.", "max_tokens"));
  EXPECT_TRUE(quirks.max_completion_tokens);
  EXPECT_TRUE(learn("unknown field stream_options", ""));
  EXPECT_TRUE(quirks.no_stream_options);
  EXPECT_FALSE(learn("unknown field stream_options", "")) << "the second time it is an error";
  EXPECT_FALSE(learn("Something else", ""));
  EXPECT_TRUE(learn("content: expected string, got null", ""));
  EXPECT_TRUE(quirks.empty_content);
}

TEST(ModelTable, FindsModelsUnderTheirVariousNames) {
  ModelTable table;
  EXPECT_EQ(table.find("claude-haiku-4-5-20251001").context_window, 200'000);
  EXPECT_EQ(table.find("anthropic/claude-opus-5-5").input_price, 4);
  EXPECT_EQ(table.find("claude-opus-5").input_price, 5);
  EXPECT_FALSE(table.knows("claude-opus-5-9")) << "a newer model is not taken for an older one";
  EXPECT_EQ(table.find("qwen3").context_window, 128'000);
  table.set("qwen3", {.context_window = 32'000});
  EXPECT_EQ(table.find("qwen3").context_window, 32'000);
}

TEST(ModelTable, ReckonsTheCostOfAllFourKinds) {
  const Usage usage{
      .input = 1000, .cache_write = 3000, .cache_write_1h = 1000, .cache_read = 10'000, .output = 100, .thinking = 0};
  const auto cost = cost_of(usage, ModelTable().find("claude-opus-4-6"));
  ASSERT_TRUE(cost);
  EXPECT_NEAR(*cost, (1000 + 2000 * 1.25 + 1000 * 2 + 10'000 * 0.1) * 5e-6 + 100 * 25e-6, 1e-9);
  EXPECT_FALSE(cost_of(usage, ModelTable().find("qwen3")));
}

TEST(TokenEstimate, IsCorrectedByWhatTheServerReports) {
  TokenEstimate estimate;
  std::string text;
  for (int i = 0; i < 500; ++i) text += "The disk is full because old logs were kept. ";
  const long first = estimate.tokens(text);
  EXPECT_GT(first, 3500);
  EXPECT_LT(first, 7500);
  for (int i = 0; i < 8; ++i) estimate.correct(estimate.tokens(text), 9000);
  EXPECT_NEAR(static_cast<double>(estimate.tokens(text)), 9000, 200);
}

}  // namespace
}  // namespace model
