// Whole answers of both APIs, and requests that the server accepts or that are changed until it does.
#include "tests/integration/model/model_client_fixture.h"
#include "tests/support/model_streams.h"

namespace model {
namespace {

using model_streams::anthropic_tool_turn;
using test_server::ModelServer;
using test_server::stream_reply;

TEST_F(ModelClientTest, StreamsAnAnswerAndTheNextRequestIsAcceptable) {
  serve();
  server_->script(stream_reply(anthropic_tool_turn()));
  const Turn turn = ask();
  EXPECT_EQ(turn.outcome, Outcome::complete);
  EXPECT_EQ(text_, "Checking the disk… 😀 磁盘\n");
  EXPECT_EQ(thinking_, "Look at \"df\" first.");
  ASSERT_EQ(calls_.size(), 1u);
  EXPECT_TRUE(calls_[0].executable);
  EXPECT_EQ(turn.request_id, "req_1");
  EXPECT_EQ(turn.usage.prompt(), 61 + 7 + 900);

  const Turn second =
      ask({user_message("Why is / full?"), turn.message(), {Role::user, {Block::tool_result("toolu_A1", "99%")}}});
  EXPECT_EQ(second.text, "All is well.");
  EXPECT_TRUE(server_->refusals().empty()) << server_->refusals()[0];
  EXPECT_EQ(server_->body(0)["system"], server_->body(1)["system"]);
  EXPECT_EQ(server_->body(0)["tools"], server_->body(1)["tools"]);
  EXPECT_EQ(server_->requests()[0].headers.at("x-api-key"), kKey);
  EXPECT_EQ(server_->requests()[0].headers.at("accept-encoding"), "identity");
}

TEST_F(ModelClientTest, StreamsFromAnOpenAiServerAndSendsReasoningBack) {
  serve(ModelServer::Api::openai);
  server_->script(stream_reply(model_streams::openai_tool_turn()));
  const Turn turn = ask();
  EXPECT_EQ(turn.stop, StopReason::tool_use);
  ASSERT_EQ(calls_.size(), 1u);
  ask({user_message("Why is / full?"), turn.message(), {Role::user, {Block::tool_result("call_1", "99%")}}});
  EXPECT_TRUE(server_->refusals().empty()) << server_->refusals()[0];
  EXPECT_EQ(server_->body(1)["messages"][2]["reasoning_content"], "Look at df.");
}

TEST_F(ModelClientTest, ABrokenHistoryIsRepairedBeforeItIsSent) {
  serve();
  ask({{Role::assistant, {Block::text(" "), Block::tool_use("bad id", "x", Json())}},
       {Role::user, {Block::tool_result("gone", "")}}});
  EXPECT_TRUE(server_->refusals().empty()) << server_->refusals()[0];
  EXPECT_EQ(turn_->text, "All is well.");
}

TEST_F(ModelClientTest, LeavesOutWhatAServerDoesNotKnow) {
  serve(ModelServer::Api::openai);
  settings_.max_tokens = 500;
  server_->script(test_server::reply(
      400, R"({"error":{"message":"Unsupported parameter","param":"max_tokens","code":"unsupported_parameter"}})"));
  server_->script(test_server::reply(400, R"({"error":{"message":"unknown field stream_options"}})"));
  EXPECT_EQ(ask().text, "All is well.");
  EXPECT_TRUE(retries_.empty()) << "this is no failure to show";
  EXPECT_EQ(server_->body(2)["max_completion_tokens"], 500);
  EXPECT_FALSE(server_->body(2).contains("stream_options"));
  ask();
  EXPECT_FALSE(server_->body(3).contains("stream_options")) << "remembered";
}

TEST_F(ModelClientTest, LeavesOutThinkingOptionsThatAModelRefuses) {
  serve();
  server_->script(test_server::reply(
      400,
      R"({"type":"error","error":{"type":"invalid_request_error","message":"thinking.type: adaptive thinking is not supported on this model"}})"));
  EXPECT_EQ(ask().text, "All is well.");
  EXPECT_FALSE(server_->body(1).contains("thinking"));
}

TEST_F(ModelClientTest, DropsOldThinkingWhenItsSignatureIsRefused) {
  serve();
  const std::vector<Message> history = {
      user_message("q"), {Role::assistant, {Block::thinking("hm", "bound"), Block::text("a")}}, user_message("r")};
  const auto refusal = test_server::reply(
      400,
      R"({"type":"error","error":{"type":"invalid_request_error","message":"Invalid `signature` in `thinking` block. The block is bound to a different conversation"}})");
  server_->script(refusal);
  EXPECT_EQ(ask(history).text, "All is well.");
  EXPECT_EQ(server_->body(0)["messages"][1]["content"].size(), 2u);
  EXPECT_EQ(server_->body(1)["messages"][1]["content"].size(), 1u);
  EXPECT_EQ(ask(history).text, "All is well.");
  EXPECT_EQ(server_->requests().size(), 3u) << "the next request does not fail first";
  server_->script(refusal);
  EXPECT_EQ(ask(history).error->kind, ErrorKind::invalid_request) << "no second try with the same history";
}

TEST_F(ModelClientTest, TellsContextTooLongApart) {
  serve();
  server_->script(test_server::reply(
      400,
      R"({"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 1000001 tokens > 1000000 maximum"}})"));
  EXPECT_EQ(ask().error->kind, ErrorKind::context_too_long);
  const Turn& large = ask({user_message(std::string(33u << 20, 'x'))});
  EXPECT_EQ(large.error->kind, ErrorKind::context_too_long);
  EXPECT_EQ(server_->requests().size(), 1u) << "what is too large is not even sent";
}

TEST_F(ModelClientTest, SaysWhatIsMissing) {
  serve();
  settings_.api_key.clear();
  EXPECT_NE(ask().error->message.find("ANTHROPIC_API_KEY"), std::string::npos);
  EXPECT_EQ(turn_->error->kind, ErrorKind::settings);
}

TEST_F(ModelClientTest, SendsExtraHeadersButNeverASmuggledOne) {
  serve();
  settings_.extra_headers = {
      {"X-Team", "sre"}, {"Authorization", "Bearer gateway"}, {"anthropic-beta", "oauth-2025-04-20"}};
  ask();
  EXPECT_TRUE(server_->refusals().empty()) << "the operator's credential replaces ours";
  EXPECT_EQ(server_->requests()[0].headers.at("x-team"), "sre");
  client_.reset();
  settings_.extra_headers = {{"x-team", "sre\r\nx-evil: 1"}};
  settings_.timing.retries = 0;
  EXPECT_NE(ask().error->message.find("line break"), std::string::npos);
}

TEST_F(ModelClientTest, SendsABearerTokenWithItsBeta) {
  serve();
  settings_.api_key.clear();
  settings_.auth_token = "oauth-token-value";
  EXPECT_EQ(ask().text, "All is well.");
  EXPECT_TRUE(server_->refusals().empty());
  EXPECT_EQ(server_->requests()[0].headers.count("x-api-key"), 0u);
}

}  // namespace
}  // namespace model
