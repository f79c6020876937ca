#include "model/endpoint_check.h"

#include <gtest/gtest.h>

#include "tests/support/http_server.h"

namespace model {
namespace {

using namespace std::chrono_literals;

class EndpointCheckTest : public testing::Test {
 protected:
  EndpointReport check(Api api, const std::string& model, test_server::Reply answer) {
    test_server::HttpServer server(loop_, [&](const test_server::HttpRequest& request) {
      target_ = request.method + " " + request.target;
      return answer;
    });
    Settings settings;
    settings.api = api;
    settings.base_url = server.url() + (api == Api::openai ? "/v1" : "");
    settings.api_key = "sk-test-secret";
    settings.model = model;
    std::optional<EndpointReport> report;
    EndpointCheck check(loop_, settings, [&](EndpointReport found) { report = std::move(found); });
    EXPECT_TRUE(loop_.run_until([&] { return report.has_value(); }, 10s));
    return report.value_or(EndpointReport{});
  }

  event::EventLoop loop_;
  std::string target_;
};

TEST_F(EndpointCheckTest, FindsAddressKeyAndModelInOrder) {
  const auto report =
      check(Api::anthropic, "claude-opus-5-5", test_server::reply(200, R"({"data":[{"id":"claude-opus-5-5"}]})"));
  EXPECT_EQ(target_, "GET /v1/models");
  EXPECT_TRUE(report.reachable && report.key_accepted && report.model_known) << report.message;
}

TEST_F(EndpointCheckTest, SaysThatTheKeyIsRefusedWithoutShowingIt) {
  const auto report =
      check(Api::openai, "m", test_server::reply(401, R"({"error":{"message":"Incorrect API key: sk-test-secret"}})"));
  EXPECT_EQ(target_, "GET /v1/models");
  EXPECT_TRUE(report.reachable);
  EXPECT_FALSE(report.key_accepted);
  EXPECT_NE(report.message.find("check the API key"), std::string::npos);
  EXPECT_EQ(report.message.find("sk-test-secret"), std::string::npos);
}

TEST_F(EndpointCheckTest, SaysThatTheModelIsNotOffered) {
  const auto report =
      check(Api::openai, "qwen3", test_server::reply(200, R"({"object":"list","data":[{"id":"llama3"}]})"));
  EXPECT_FALSE(report.model_known);
  EXPECT_NE(report.message.find("does not offer the model \"qwen3\""), std::string::npos);
  EXPECT_EQ(report.models, std::vector<std::string>{"llama3"});
}

TEST_F(EndpointCheckTest, SaysThatNobodyAnswers) {
  Settings settings;
  settings.base_url = "http://127.0.0.1:1";
  std::optional<EndpointReport> report;
  EndpointCheck check(loop_, settings, [&](EndpointReport found) { report = std::move(found); });
  ASSERT_TRUE(loop_.run_until([&] { return report.has_value(); }, 10s));
  EXPECT_FALSE(report->reachable);
  EXPECT_NE(report->message.find("cannot connect to 127.0.0.1:1"), std::string::npos);
}

}  // namespace
}  // namespace model
