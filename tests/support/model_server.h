#pragma once

#include <deque>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/http_server.h"

namespace test_server {

/// Plays a model API on loopback: answers with what was scripted, and refuses what the real API refuses, so that a test
/// that passes has sent acceptable requests.
class ModelServer {
 public:
  enum class Api { anthropic, openai };

  ModelServer(event::EventLoop& loop, Api api, HttpServer::Options options = HttpServer::Options());

  /// Queues an answer; without one a short text turn is sent.
  void script(Reply answer) { answers_.push_back(std::move(answer)); }

  std::string base_url() const;
  HttpServer& http() { return http_; }
  const std::vector<HttpRequest>& requests() const { return requests_; }
  /// The body of request number `index`.
  nlohmann::ordered_json body(std::size_t index) const;
  /// Why requests were refused; a test of proper requests expects this to be empty.
  const std::vector<std::string>& refusals() const { return refusals_; }
  void accept_any_path() { any_path_ = true; }

 private:
  Reply answer(const HttpRequest& request);
  std::string refusal_of(const HttpRequest& request, int& status);

  Api api_;
  HttpServer http_;
  std::deque<Reply> answers_;
  std::vector<HttpRequest> requests_;
  std::vector<std::string> refusals_;
  bool any_path_ = false;
};

}  // namespace test_server
