#include <gtest/gtest.h>
#include <zlib.h>

#include "model/anthropic_client.h"
#include "model/openai_client.h"
#include "tests/support/model_server.h"
#include "tests/support/model_streams.h"
#include "tests/support/test_ca.h"

namespace model {
namespace {

using namespace std::chrono_literals;
using model_streams::anthropic_event;
using model_streams::anthropic_text_turn;
using model_streams::anthropic_tool_turn;
using test_server::HttpServer;
using test_server::ModelServer;
using test_server::Reply;
using test_server::Step;
using test_server::stream_reply;

const char* const kKey = "sk-test-secret-key";
const std::string kStreamHead = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";

Reply overloaded(std::vector<std::pair<std::string, std::string>> headers = {}) {
  headers.emplace_back("content-type", "application/json");
  return test_server::reply(529, R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})",
                            headers);
}

class ModelClientTest : public testing::Test {
 protected:
  ModelClientTest() {
    unsetenv("http_proxy");
    unsetenv("https_proxy");
    unsetenv("HTTPS_PROXY");
    unsetenv("ALL_PROXY");
  }

  void serve(ModelServer::Api api = ModelServer::Api::anthropic, HttpServer::Options options = HttpServer::Options()) {
    server_ = std::make_unique<ModelServer>(loop_, api, options);
    settings_.api = api == ModelServer::Api::anthropic ? Api::anthropic : Api::openai;
    settings_.base_url = server_->base_url();
    settings_.api_key = kKey;
    settings_.model = "claude-opus-5-5";
    settings_.timing.first_wait = 5ms;
    settings_.timing.longest_wait = 20ms;
  }

  Events listening() {
    Events events;
    events.on_text = [this](std::string_view text) { text_ += text; };
    events.on_thinking = [this](std::string_view text) { thinking_ += text; };
    events.on_tool_use = [this](const ToolUse& use) { calls_.push_back(use); };
    events.on_retry = [this](const Retry& retry) { retries_.push_back(retry); };
    events.on_stall = [this](std::chrono::milliseconds) { ++stalls_; };
    events.on_done = [this](Turn turn) { turn_ = std::move(turn); };
    return events;
  }

  void start(Request request) {
    if (!client_) {
      if (settings_.api == Api::anthropic)
        client_ = std::make_unique<AnthropicClient>(loop_, settings_, [] { return 0.0; });
      else
        client_ = std::make_unique<OpenAiClient>(loop_, settings_, [] { return 0.0; });
    }
    turn_.reset();
    stream_ = client_->start(std::move(request), listening());
  }

  const Turn& ask(std::vector<Message> messages = {user_message("Why is / full?")}) {
    Request request;
    request.system = "You diagnose servers.";
    request.tools = {{"execute_command", "Run one shell command."}};
    request.messages = std::move(messages);
    start(std::move(request));
    EXPECT_FALSE(turn_) << "a callback ran inside start";
    EXPECT_TRUE(loop_.run_until([this] { return turn_.has_value(); }, 20s));
    if (!turn_) turn_.emplace();
    EXPECT_TRUE(!turn_->error || turn_->error->message.find(kKey) == std::string::npos);
    return *turn_;
  }

  event::EventLoop loop_;
  Settings settings_;
  std::unique_ptr<ModelServer> server_;
  std::unique_ptr<ModelClient> client_;
  std::unique_ptr<ModelClient::Stream> stream_;
  std::string text_, thinking_;
  std::vector<ToolUse> calls_;
  std::vector<Retry> retries_;
  int stalls_ = 0;
  std::optional<Turn> turn_;
};

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

TEST_F(ModelClientTest, UsesTheConnectionAgain) {
  serve();
  const std::string body = anthropic_text_turn();
  for (int i = 0; i < 3; ++i) server_->script(test_server::reply(200, body, {{"content-type", "text/event-stream"}}));
  for (int i = 0; i < 3; ++i) EXPECT_EQ(ask().text, "All is well.");
  EXPECT_LE(server_->http().connections(), 3);
}

TEST_F(ModelClientTest, RepeatsAndTellsTheWait) {
  serve();
  server_->script(overloaded({{"retry-after-ms", "30"}}));
  server_->script(overloaded());
  server_->script(
      stream_reply(anthropic_event(R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})")));
  server_->script({{}, Reply::Then::close});
  EXPECT_EQ(ask().text, "All is well.");
  ASSERT_EQ(retries_.size(), 4u);
  EXPECT_EQ(retries_[0].wait, 30ms);
  EXPECT_EQ(retries_[0].attempt, 1);
  EXPECT_EQ(retries_[0].reason.status, 529);
  EXPECT_EQ(retries_[1].wait, 10ms);
  EXPECT_EQ(retries_[2].reason.type, "overloaded_error");
  EXPECT_EQ(retries_[3].reason.kind, ErrorKind::connection);
  EXPECT_EQ(server_->requests().size(), 5u);
}

TEST_F(ModelClientTest, GivesUpAfterTheConfiguredNumberOfRepeats) {
  serve();
  settings_.timing.retries = 2;
  for (int i = 0; i < 5; ++i) server_->script(overloaded());
  const Turn& turn = ask();
  EXPECT_EQ(turn.outcome, Outcome::error);
  EXPECT_EQ(turn.error->kind, ErrorKind::overloaded);
  EXPECT_EQ(server_->requests().size(), 3u);
}

TEST_F(ModelClientTest, DoesNotRepeatWhatCannotSucceed) {
  serve();
  server_->script(test_server::reply(
      401,
      R"({"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key sk-test-secret-key"}})"));
  const Turn& turn = ask();
  EXPECT_EQ(turn.error->kind, ErrorKind::authentication);
  EXPECT_NE(turn.error->message.find("check the API key"), std::string::npos);
  EXPECT_NE(turn.error->message.find("[key]"), std::string::npos);
  EXPECT_TRUE(retries_.empty());
}

TEST_F(ModelClientTest, DoesNotWaitLongerThanAnOperatorWould) {
  serve();
  server_->script(overloaded({{"retry-after", "3600"}}));
  EXPECT_EQ(ask().error->kind, ErrorKind::overloaded);
  EXPECT_TRUE(retries_.empty());
}

TEST_F(ModelClientTest, NeverRepeatsOnceTextWasShown) {
  serve();
  const std::string body = anthropic_tool_turn();
  const std::string part = body.substr(0, body.find("the disk"));
  server_->script(stream_reply(part));
  const Turn lost = ask();
  EXPECT_EQ(lost.error->type, "connection_lost");
  EXPECT_EQ(lost.text, "Checking ");
  EXPECT_TRUE(lost.replay.empty());
  server_->script(
      stream_reply(part.substr(0, part.rfind("event:")) +
                   anthropic_event(R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})")));
  const Turn failed = ask();
  EXPECT_EQ(failed.error->kind, ErrorKind::overloaded);
  EXPECT_TRUE(retries_.empty());
  EXPECT_EQ(server_->requests().size(), 2u);
}

TEST_F(ModelClientTest, ExecutesNothingWhenTheConnectionIsCutAtAnyEvent) {
  serve();
  settings_.timing.retries = 0;
  const std::string body = anthropic_tool_turn();
  const auto end = body.find("event: message_stop");
  for (std::size_t cut = 0; cut < end; cut += 37) {
    server_->script(stream_reply(body.substr(0, cut)));
    const Turn& turn = ask();
    ASSERT_FALSE(turn.ok()) << cut;
    ASSERT_TRUE(turn.error) << cut;
    for (const auto& use : turn.tool_uses) ASSERT_FALSE(use.executable) << cut;
    ASSERT_TRUE(turn.replay.empty());
  }
  EXPECT_TRUE(calls_.empty());
}

TEST_F(ModelClientTest, SwitchesToTheFallbackModelAfterRepeatedOverload) {
  serve();
  settings_.fallback_model = "claude-sonnet-5-5";
  settings_.timing.overloads_before_fallback = 2;
  server_->script(overloaded());
  server_->script(overloaded());
  EXPECT_EQ(ask().text, "All is well.");
  ASSERT_EQ(retries_.size(), 2u);
  EXPECT_FALSE(retries_[0].fallback);
  EXPECT_TRUE(retries_[1].fallback);
  EXPECT_EQ(retries_[1].model, "claude-sonnet-5-5");
  EXPECT_EQ(server_->body(2)["model"], "claude-sonnet-5-5");
}

TEST_F(ModelClientTest, TellsOfSilenceAndGivesUp) {
  serve();
  settings_.timing.retries = 0;
  settings_.timing.stall_note = 40ms;
  settings_.timing.stall_abort = 120ms;
  server_->script({{{kStreamHead}}, Reply::Then::hang});
  const Turn& turn = ask();
  EXPECT_EQ(turn.error->kind, ErrorKind::stalled);
  EXPECT_EQ(stalls_, 1);
}

TEST_F(ModelClientTest, AnyByteEndsTheSilence) {
  serve();
  settings_.timing.stall_note = 150ms;
  settings_.timing.stall_abort = 300ms;
  Reply slow{{{kStreamHead}}, Reply::Then::close};
  for (int i = 0; i < 10; ++i) slow.steps.push_back({": still here\n", 60ms});
  slow.steps.push_back({anthropic_text_turn(), 60ms});
  server_->script(slow);
  EXPECT_EQ(ask().text, "All is well.");
  EXPECT_EQ(stalls_, 0);
}

TEST_F(ModelClientTest, EndsAnAnswerThatNeverEnds) {
  serve();
  settings_.timing.total = 200ms;
  Reply endless{{{kStreamHead}}, Reply::Then::hang};
  for (int i = 0; i < 200; ++i) endless.steps.push_back({anthropic_event(R"({"type":"ping"})"), 10ms});
  server_->script(endless);
  EXPECT_EQ(ask().error->kind, ErrorKind::time_limit);
}

TEST_F(ModelClientTest, EndsWhileWaitingForARepeatToo) {
  serve();
  settings_.timing.total = 100ms;
  server_->script(overloaded({{"retry-after", "30"}}));
  const Turn& turn = ask();
  EXPECT_EQ(turn.error->kind, ErrorKind::time_limit);
  EXPECT_EQ(server_->requests().size(), 1u);
}

TEST_F(ModelClientTest, CancelsInEveryPhase) {
  serve();
  Request request;
  request.messages = {user_message("q")};
  const auto quiet = [this] {
    loop_.run_until([] { return false; }, 30ms);
    EXPECT_FALSE(turn_);
    EXPECT_EQ(server_->http().open_connections(), 0);
  };
  start(request);  // before anything was sent
  stream_.reset();
  quiet();

  server_->script({{{kStreamHead + anthropic_tool_turn().substr(0, 900)}}, Reply::Then::hang});  // in the middle
  start(request);
  ASSERT_TRUE(loop_.run_until([this] { return server_->requests().size() == 1; }, 5s));
  loop_.run_until([this] { return !thinking_.empty(); }, 5s);
  stream_.reset();
  quiet();

  server_->script(overloaded({{"retry-after", "30"}}));  // while waiting
  start(request);
  ASSERT_TRUE(loop_.run_until([this] { return retries_.size() == 1; }, 5s));
  stream_.reset();
  client_.reset();
  quiet();
}

TEST_F(ModelClientTest, MayBeCancelledInsideItsOwnCallback) {
  serve();
  client_ = std::make_unique<AnthropicClient>(loop_, settings_);
  Request request;
  request.messages = {user_message("q")};
  for (const std::string where : {"text", "thinking", "usage", "tool", "done"}) {
    server_->script(stream_reply(anthropic_tool_turn()));
    std::string seen;
    const auto stop_at = [&](const std::string& name) {
      seen += name + " ";
      if (name == where) stream_.reset();
    };
    Events events;
    events.on_text = [&](std::string_view) { stop_at("text"); };
    events.on_thinking = [&](std::string_view) { stop_at("thinking"); };
    events.on_usage = [&](const Usage&) { stop_at("usage"); };
    events.on_tool_use = [&](const ToolUse&) { stop_at("tool"); };
    events.on_done = [&](Turn) { stop_at("done"); };
    stream_ = client_->start(request, std::move(events));
    ASSERT_TRUE(loop_.run_until([&] { return !stream_; }, 5s)) << where;
    loop_.run_until([] { return false; }, 10ms);
    EXPECT_TRUE(seen.ends_with(where + " ")) << seen;
  }
}

TEST_F(ModelClientTest, NamesPagesAndErrorsThatComeWithStatus200) {
  serve();
  settings_.timing.retries = 0;
  server_->script(
      test_server::reply(200, "<html><title>Captive portal</title></html>", {{"content-type", "text/html"}}));
  EXPECT_NE(ask().error->message.find("Captive portal"), std::string::npos);
  server_->script(test_server::reply(200, R"({"type":"error","error":{"type":"api_error","message":"inner"}})",
                                     {{"content-type", "application/json"}}));
  EXPECT_EQ(ask().error->type, "api_error");
  server_->script(test_server::reply(302, "", {{"location", "https://elsewhere.test/login"}}));
  EXPECT_NE(ask().error->message.find("redirects to elsewhere.test"), std::string::npos);
  EXPECT_EQ(server_->requests().size(), 3u) << "the key went nowhere else";
}

std::string gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()) + 64, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

TEST_F(ModelClientTest, UnpacksWhatARudeProxyPacked) {
  serve();
  server_->script(test_server::reply(200, gzip(anthropic_text_turn()),
                                     {{"content-encoding", "gzip"}, {"content-type", "text/event-stream"}}));
  EXPECT_EQ(ask().text, "All is well.");
  server_->script(test_server::reply(200, gzip(anthropic_text_turn()), {{"content-type", "text/event-stream"}}));
  EXPECT_NE(ask().error->message.find("compressed"), std::string::npos);
}

TEST_F(ModelClientTest, IsNotFilledUpByAnArchiveBomb) {
  serve();
  settings_.timing.retries = 0;
  server_->script(
      test_server::reply(200, gzip("data: " + std::string(64u << 20, 'x')), {{"content-encoding", "gzip"}}));
  const Turn& turn = ask();
  ASSERT_TRUE(turn.error);
  EXPECT_FALSE(turn.ok());
}

TEST_F(ModelClientTest, GivesUpOnAHugeEvent) {
  serve();
  server_->script(stream_reply("data: " + std::string(10 << 20, 'x') + "\n\n"));
  EXPECT_EQ(ask().error->type, "event_too_large");
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

TEST_F(ModelClientTest, NamesAServerThatIsNotThere) {
  serve();
  settings_.timing.retries = 1;
  settings_.base_url = "http://127.0.0.1:1";
  const Turn& turn = ask();
  EXPECT_EQ(turn.error->kind, ErrorKind::connection);
  EXPECT_NE(turn.error->message.find("cannot connect to 127.0.0.1:1"), std::string::npos);
  EXPECT_EQ(retries_.size(), 1u);
}

TEST_F(ModelClientTest, ReachesAServerOnAUnixSocket) {
  test_server::TestCa folder;
  HttpServer::Options options;
  options.unix_path = folder.folder() + "/model.sock";
  serve(ModelServer::Api::openai, options);
  settings_.base_url = "unix://" + options.unix_path + ":/v1";
  EXPECT_EQ(ask().text, "All is well.");
}

TEST_F(ModelClientTest, ChecksCertificatesAgainstTheNamedCa) {
  test_server::TestCa ca, other;
  HttpServer::Options options;
  options.certificate = ca.certificate();
  options.key = ca.key();
  serve(ModelServer::Api::anthropic, options);
  settings_.ca_file = ca.ca_file();
  EXPECT_EQ(ask().text, "All is well.");
  client_.reset();
  for (const std::string& file : {other.ca_file(), std::string()}) {
    settings_.ca_file = file;
    const Turn& refused = ask();
    ASSERT_TRUE(refused.error);
    EXPECT_NE(refused.error->message.find("is not trusted"), std::string::npos) << refused.error->message;
    EXPECT_NE(refused.error->message.find("ca_file"), std::string::npos);
    EXPECT_TRUE(retries_.empty());
    client_.reset();
  }
  settings_.ca_file = "/no/such/ca.pem";
  EXPECT_NE(ask().error->message.find("/no/such/ca.pem"), std::string::npos);
  EXPECT_EQ(server_->requests().size(), 1u) << "no key was sent to a server that could not prove itself";
}

TEST_F(ModelClientTest, GoesThroughTheProxyOfTheEnvironment) {
  test_server::TestCa ca;
  HttpServer::Options options;
  options.certificate = ca.certificate();
  options.key = ca.key();
  options.proxy = true;
  serve(ModelServer::Api::anthropic, options);
  settings_.ca_file = ca.ca_file();
  settings_.base_url = "https://model.test";
  setenv("HTTPS_PROXY", server_->http().url().c_str(), 1);
  const Turn turn = ask();
  setenv("NO_PROXY", "model.test", 1);
  client_.reset();
  settings_.timing.retries = 0;
  const Turn direct = ask();
  unsetenv("HTTPS_PROXY");
  unsetenv("NO_PROXY");
  EXPECT_EQ(turn.text, "All is well.") << (turn.error ? turn.error->message : "");
  EXPECT_EQ(server_->http().connect_targets(), std::vector<std::string>{"model.test:443"});
  ASSERT_TRUE(direct.error) << "without the proxy that host does not exist";
  EXPECT_NE(direct.error->message.find("cannot find the host model.test"), std::string::npos) << direct.error->message;
}

TEST_F(ModelClientTest, GoesThroughAConfiguredProxyWithPlainHttp) {
  serve();
  settings_.proxy = server_->http().url();
  settings_.base_url = "http://model.test";
  EXPECT_EQ(ask().text, "All is well.");
  EXPECT_EQ(server_->requests()[0].target, "http://model.test/v1/messages");
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
