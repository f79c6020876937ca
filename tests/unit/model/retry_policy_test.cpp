#include "model/retry_policy.h"
#include "http/failure.h"

#include <gtest/gtest.h>

#include "model/dialect.h"
#include "model/http_error.h"

namespace model {
namespace {

using std::chrono::milliseconds;

TurnError status(int code) {
  return {error_kind("", code, ""), "", "", code};
}

TEST(RetryPolicy, RepeatsWhatMayClearUp) {
  for (const int code : {408, 409, 429, 500, 502, 503, 504, 529})
    EXPECT_TRUE(worth_repeating(status(code), nullptr)) << code;
  for (const int code : {400, 401, 402, 403, 404, 413, 422})
    EXPECT_FALSE(worth_repeating(status(code), nullptr)) << code;
  EXPECT_TRUE(worth_repeating({ErrorKind::connection}, nullptr));
  EXPECT_TRUE(worth_repeating({ErrorKind::overloaded, "overloaded_error"}, nullptr));
  EXPECT_FALSE(worth_repeating({ErrorKind::protocol, "invalid_json"}, nullptr));
  EXPECT_FALSE(worth_repeating({ErrorKind::time_limit}, nullptr));
}

TEST(RetryPolicy, ObeysTheServersWordFirst) {
  const http::Head yes{400, {{"x-should-retry", "true"}}}, no{529, {{"x-should-retry", "false"}}};
  EXPECT_TRUE(worth_repeating(status(400), &yes));
  EXPECT_FALSE(worth_repeating(status(529), &no));
}

TEST(RetryPolicy, WaitsAsLongAsTheServerAsks) {
  const std::time_t now = 1'790'000'000;  // Mon, 21 Sep 2026 14:13:20 GMT
  const auto wait = [&](http::Headers headers) {
    const http::Head head{429, std::move(headers)};
    return wait_before_repeat(&head, 0, {}, 0, now);
  };
  EXPECT_EQ(wait({{"retry-after-ms", "1500"}, {"retry-after", "9"}}), milliseconds(1500));
  EXPECT_EQ(wait({{"retry-after", "2"}}), milliseconds(2000));
  EXPECT_EQ(wait({{"retry-after", "0.25"}}), milliseconds(250));
  EXPECT_EQ(wait({{"retry-after", "Mon, 21 Sep 2026 14:13:30 GMT"}}), milliseconds(10'000));
  EXPECT_EQ(wait({{"retry-after", "61"}}), std::nullopt) << "too long for someone at a terminal";
  EXPECT_EQ(wait({{"retry-after", "-1"}}), milliseconds(500)) << "nonsense counts as nothing";
  EXPECT_EQ(wait({{"retry-after", "soon"}}), milliseconds(500));
}

TEST(RetryPolicy, WaitsLongerEachTimeWithJitterUpToALimit) {
  std::vector<long> waits;
  for (int done = 0; done < 7; ++done) waits.push_back(wait_before_repeat(nullptr, done, {}, 0, 0)->count());
  EXPECT_EQ(waits, (std::vector<long>{500, 1000, 2000, 4000, 8000, 8000, 8000}));
  EXPECT_EQ(wait_before_repeat(nullptr, 0, {}, 0.999, 0)->count(), 375);
}

TEST(Errors, OfTooLongAConversationAreToldApart) {
  EXPECT_EQ(error_kind("invalid_request_error", 400, "prompt is too long: 210000 tokens > 200000 maximum"),
            ErrorKind::context_too_long);
  EXPECT_EQ(error_kind("request_too_large", 413, ""), ErrorKind::context_too_long);
  EXPECT_EQ(error_kind("context_length_exceeded", 400, ""), ErrorKind::context_too_long);
  EXPECT_EQ(error_kind("exceed_context_size_error", 400, ""), ErrorKind::context_too_long);
  EXPECT_EQ(error_kind("", 400, "This model's maximum context length is 8192 tokens."), ErrorKind::context_too_long);
  EXPECT_EQ(error_kind("invalid_request_error", 400, "messages: at least one message is required"),
            ErrorKind::invalid_request);
  EXPECT_EQ(error_kind("rate_limit_error", 429, "too many tokens per minute"), ErrorKind::rate_limited);
  EXPECT_EQ(error_kind("invalid_request_error", 401, "Incorrect API key"), ErrorKind::authentication);
}

TEST(Errors, AreReadFromWhateverBodyComes) {
  const auto read = [](int code, const std::string& body) { return error_of_response({code, {}}, body, "host"); };
  EXPECT_EQ(
      read(529, R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_9"})")
          .message,
      "host answered 529 overloaded_error: Overloaded");
  EXPECT_EQ(
      read(529, R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"},"request_id":"req_9"})")
          .request_id,
      "req_9");
  EXPECT_EQ(
      read(
          400,
          R"({"error":{"message":"no","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}})")
          .param,
      "max_tokens");
  EXPECT_EQ(read(404, R"({"error":"model 'x' not found"})").message,
            "host answered 404: model 'x' not found; check the model's name and base_url");
  EXPECT_EQ(read(502, "<html><head><title>502 Bad Gateway</title>").message, "host answered 502: 502 Bad Gateway");
  EXPECT_EQ(read(500, "").message, "host answered 500");
  EXPECT_EQ(read(500, "oh\x1b[31m no\n").message, "host answered 500: oh [31m no");
  const TurnError moved = error_of_response({307, {{"location", "https://user:pw@evil.test/x?key=1"}}}, "", "host");
  EXPECT_EQ(moved.message,
            "host redirects to evil.test; requests with a key do not follow: set base_url to the right address");
}

TEST(Errors, NeverShowAKey) {
  std::string text = "Incorrect API key provided: sk-secret-1. sk-secret-1!";
  http::mask(text, "sk-secret-1");
  EXPECT_EQ(text, "Incorrect API key provided: [key]. [key]!");
}

TEST(Endpoint, TakesTheBaseAsPeopleWriteIt) {
  const auto url = [](const char* base, const char* path) { return endpoint(base, path)->url; };
  EXPECT_EQ(url("https://api.anthropic.com", "/v1/messages"), "https://api.anthropic.com/v1/messages");
  EXPECT_EQ(url("https://gw.test/claude/", "/v1/messages"), "https://gw.test/claude/v1/messages");
  EXPECT_EQ(url("https://gw.test/v1", "/v1/messages"), "https://gw.test/v1/messages");
  EXPECT_EQ(url("https://gw.test/v1/messages", "/v1/messages"), "https://gw.test/v1/messages");
  EXPECT_EQ(url("http://localhost:11434/v1", "/chat/completions"), "http://localhost:11434/v1/chat/completions");
  EXPECT_EQ(url("unix:///run/llama.sock:/v1", "/chat/completions"), "http://localhost/v1/chat/completions");
  EXPECT_EQ(endpoint("unix:///run/llama.sock", "/v1/messages")->unix_socket, "/run/llama.sock");
  EXPECT_FALSE(endpoint("ftp://x", "/"));
  EXPECT_FALSE(endpoint("https://x\r\ny", "/"));
  EXPECT_FALSE(endpoint("unix:relative", "/"));
}

}  // namespace
}  // namespace model
