// A model client with a scripted server on loopback, and what the client told.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/anthropic_client.h"
#include "model/openai_client.h"
#include "tests/support/environment.h"
#include "tests/support/model_server.h"

namespace model {

inline const char* const kKey = "sk-test-secret-key";
inline const std::string kStreamHead = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";

inline test_server::Reply overloaded(std::vector<std::pair<std::string, std::string>> headers = {}) {
  headers.emplace_back("content-type", "application/json");
  return test_server::reply(529, R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})",
                            headers);
}

class ModelClientTest : public testing::Test {
 protected:
  ModelClientTest() { support::forget_proxies(); }

  void serve(test_server::ModelServer::Api api = test_server::ModelServer::Api::anthropic,
             test_server::HttpServer::Options options = test_server::HttpServer::Options()) {
    server_ = std::make_unique<test_server::ModelServer>(loop_, api, options);
    settings_.api = api == test_server::ModelServer::Api::anthropic ? Api::anthropic : Api::openai;
    settings_.base_url = server_->base_url();
    settings_.api_key = kKey;
    settings_.model = "claude-opus-5-5";
    settings_.timing.first_wait = std::chrono::milliseconds(5);
    settings_.timing.longest_wait = std::chrono::milliseconds(20);
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
    EXPECT_TRUE(loop_.run_until([this] { return turn_.has_value(); }, std::chrono::seconds(20)));
    if (!turn_) turn_.emplace();
    EXPECT_TRUE(!turn_->error || turn_->error->message.find(kKey) == std::string::npos);
    return *turn_;
  }

  event::EventLoop loop_;
  Settings settings_;
  std::unique_ptr<test_server::ModelServer> server_;
  std::unique_ptr<ModelClient> client_;
  std::unique_ptr<ModelClient::Stream> stream_;
  std::string text_, thinking_;
  std::vector<ToolUse> calls_;
  std::vector<Retry> retries_;
  int stalls_ = 0;
  std::optional<Turn> turn_;
};

}  // namespace model
