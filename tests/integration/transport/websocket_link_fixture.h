// A WebSocket link and a server on loopback that does what it is told.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/environment.h"
#include "tests/support/http_server.h"
#include "tests/support/websocket_server.h"
#include "transport/websocket/websocket_link.h"

namespace transport {

class WebSocketLinkTest : public testing::Test {
 protected:
  void SetUp() override { support::forget_proxies(); }

  void serve(test_server::HttpServer::Options options = {}) {
    server_.emplace(
        loop_,
        [this](const test_server::HttpRequest& request) {
          requests_.push_back(request);
          if (answer_) return answer_(request);
          return test_server::upgrade(request, subprotocol_, [this](std::shared_ptr<test_server::ServerSocket> socket) {
            socket_ = std::move(socket);
            socket_->on_message = [this](bool text, const std::string& message) {
              received_.push_back((text ? "t:" : "b:") + message);
            };
            socket_->on_end = [this] { gone_ = true; };
          });
        },
        std::move(options));
  }

  WebSocketLink::Request request(const std::string& path = "/") {
    WebSocketLink::Request made;
    const bool secure = server_->url().starts_with("https");
    made.url = *parse_websocket_url((secure ? "wss://127.0.0.1:" : "ws://127.0.0.1:") +
                                    std::to_string(server_->port()) + path);
    made.subprotocol = subprotocol_;
    return made;
  }

  void connect(WebSocketLink::Request made) {
    link_ = std::make_unique<WebSocketLink>(loop_, std::move(made));
    link_->start({.on_open = [this] { opened_ = true; },
                  .on_message =
                      [this](MessageKind kind, std::string_view bytes) {
                        messages_.push_back((kind == MessageKind::text ? "t:" : "b:") + std::string(bytes));
                        if (on_message_) on_message_();
                      },
                  .on_drained = [this] { ++drained_; },
                  .on_end = [this](WebSocketLink::End end) { end_ = std::move(end); }});
  }
  bool wait(const std::function<bool()>& done) { return loop_.run_until(done, std::chrono::seconds(10)); }
  bool connect_and_wait() {
    connect(request());
    return wait([this] { return (opened_ && socket_) || end_; }) && opened_;
  }

  event::EventLoop loop_;
  std::optional<test_server::HttpServer> server_;
  std::function<test_server::Reply(const test_server::HttpRequest&)> answer_;
  std::string subprotocol_;
  std::vector<test_server::HttpRequest> requests_;
  std::shared_ptr<test_server::ServerSocket> socket_;
  std::vector<std::string> received_, messages_;
  std::function<void()> on_message_;
  std::unique_ptr<WebSocketLink> link_;
  bool opened_ = false, gone_ = false;
  int drained_ = 0;
  std::optional<WebSocketLink::End> end_;
};

}  // namespace transport
