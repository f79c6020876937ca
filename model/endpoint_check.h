#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "http/client.h"
#include "model/settings.h"

namespace model {

/// What `jms doctor` wants to know about the model's endpoint.
struct EndpointReport {
  bool reachable = false;  ///< A server answered there.
  bool key_accepted = false;
  bool model_known = false;         ///< The server lists the configured model; also true when it cannot list any.
  std::string message;              ///< One sentence; when something is wrong it says what to do.
  std::vector<std::string> models;  ///< What the server offers, when it says so.
};

/// Asks the server for its models: proves address, key and model without spending a token. Destroying it cancels.
class EndpointCheck {
 public:
  using Done = std::function<void(EndpointReport)>;

  EndpointCheck(event::EventLoop& loop, Settings settings, Done done);

 private:
  void finish(std::optional<http::Failure> failure);
  EndpointReport judge(const std::optional<http::Failure>& failure) const;

  Settings settings_;
  Done done_;
  http::Client http_;
  std::string host_;
  http::Head head_;
  std::string body_;
  std::string wrong_;  ///< Why nothing could be asked at all.
  std::unique_ptr<http::Client::Transfer> transfer_;
};

}  // namespace model
