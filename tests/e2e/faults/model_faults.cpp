#include "tests/e2e/faults/model_faults.h"

#include <future>

#include "tests/support/model_streams.h"

namespace faults {

using test_server::Reply;

namespace {

constexpr const char* kHead = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

/// An answer that breaks off after that share of the wire.
Reply cut(const std::string& wire, double share, Reply::Then then = Reply::Then::close) {
  const auto length = static_cast<std::size_t>(static_cast<double>(wire.size()) * share);
  return {.steps = {{.bytes = wire.substr(0, length)}}, .then = then};
}

std::string call_of(ModelApi api, const std::string& command) {
  const std::string input = nlohmann::json{{"command", command}}.dump();
  return api == ModelApi::anthropic ? model_streams::anthropic_call_turn("toolu_9", "execute_command", input)
                                    : model_streams::openai_call_turn("call_9", "execute_command", input);
}

std::string text_of(ModelApi api, const std::string& text) {
  return api == ModelApi::anthropic ? model_streams::anthropic_text_turn(text) : model_streams::openai_text_turn(text);
}

/// The wire up to where an OpenAI-style answer says that it is whole; what follows there is only figures.
std::string unfinished(const std::string& wire) {
  const auto end = wire.find("\"finish_reason\":\"");
  return wire.substr(0, end);
}

}  // namespace

Reply model_error(int status, const std::string& type) {
  return test_server::reply(status,
                            R"({"type":"error","error":{"type":")" + type + R"(","message":"made up by the test"}})",
                            {{"content-type", "application/json"}, {"retry-after", "0"}});
}

std::vector<ModelFailure> model_failures(ModelApi api) {
  const std::string text = unfinished(kHead + text_of(api, "Half an answer is no answer."));
  const std::string call = unfinished(kHead + call_of(api, "echo never >> /dev/null"));
  std::vector<ModelFailure> all = {
      {.name = "ClosesWithoutAWord", .reply = {.steps = {}, .then = Reply::Then::close}},
      {.name = "ClosesInTheHead", .reply = cut(kHead, 0.5)},
      {.name = "ClosesAfterTheHead", .reply = cut(kHead, 1)},
      {.name = "ClosesEarlyInTheText", .reply = cut(text, 0.3)},
      {.name = "ClosesLateInTheText", .reply = cut(text, 0.8)},
      {.name = "ClosesInTheMiddleOfACall", .reply = cut(call, 0.6)},
      {.name = "ClosesBeforeTheEndOfACall", .reply = cut(call, 0.85)},
      {.name = "FallsSilentBeforeTheHead", .reply = {.steps = {}, .then = Reply::Then::hang}},
      {.name = "FallsSilentInTheText", .reply = cut(text, 0.5, Reply::Then::hang)},
      {.name = "IsOverloaded", .reply = model_error(529, "overloaded_error"), .told = "made up by the test"},
      {.name = "LimitsTheRate", .reply = model_error(429, "rate_limit_error"), .told = "made up by the test"},
      {.name = "FailsInside", .reply = model_error(500, "api_error"), .told = "made up by the test"},
      {.name = "IsBehindABrokenGateway",
       .reply = test_server::reply(502, "<html>Bad Gateway</html>", {{"content-type", "text/html"}})},
      {.name = "SpeaksHtmlWithSuccess",
       .reply = test_server::reply(200, "<html>Log in</html>", {{"content-type", "text/html"}}),
       .told = "web page"},
      {.name = "SendsGarbage",
       .reply = {.steps = {{.bytes = std::string("\x00\xff\x16\x03\x01garbage\n", 12)}}, .then = Reply::Then::close},
       .told = "does not answer in HTTP"},
      {.name = "RefusesTheConnection", .gone = true}};
  for (auto& failure : all) {
    failure.api = api;
    failure.name += api == ModelApi::anthropic ? "" : "InTheStyleOfOpenAi";
  }
  return all;
}

void ModelFaultTest::serve(Api api, const std::string& more) {
  api_ = api;
  going_ = false;
  marks_then_ = witness_.marks();
  server_ = std::make_unique<test_server::ModelServer>(loop_, api);
  point_to(server_->base_url());
  env_.write_config("[model]\nname = \"claude-opus-5-5\"\n" + more);
}

void ModelFaultTest::point_to(const std::string& url) {
  const std::string prefix = api_ == Api::anthropic ? "ANTHROPIC" : "OPENAI";
  env_.set(prefix + "_BASE_URL", url).set(prefix + "_API_KEY", "made-up");
}

void ModelFaultTest::model_says(const std::string& text) {
  server_->script(test_server::stream_reply(text_of(api_, text)));
}

void ModelFaultTest::model_runs_the_command() {
  server_->script(test_server::stream_reply(call_of(api_, witness_.short_command())));
  marks_then_ += "x\n";
}

void ModelFaultTest::model_fails(const ModelFailure& failure) {
  for (int i = 0; i < 4; ++i) server_->script(failure.reply);
  going_ = failure.gone;
  go_when_due();
}

void ModelFaultTest::go_when_due() {
  if (going_ && witness_.marks() == marks_then_) server_.reset();
}

support::CommandOutput ModelFaultTest::ask_headless() {
  auto result = std::async(std::launch::async, [this] {
    return support::run_command({.argv = {JMS_BINARY, "ask", "--yes-changes", "local", "count once"},
                                 .environment = env_.variables(),
                                 .input = {}});
  });
  const auto ready = [&result] { return result.wait_for(std::chrono::seconds(0)) == std::future_status::ready; };
  // The end of the program is no event of this loop.
  while (!ready()) {
    loop_.run_until(ready, Ms(10));
    go_when_due();
  }
  return result.get();
}

}  // namespace faults
