// The stand-in's own clock: requests side by side are told from requests one after another.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "event/event_loop.h"
#include "http/client.h"
#include "tests/support/core_server.h"

namespace jumpserver_test {
namespace {

using std::chrono::milliseconds;
using test_server::CoreServer;

/// A core whose answers take a while, and a client that asks it.
class CoreWithLatency : public testing::Test {
 protected:
  CoreWithLatency() { core_.site.latency = milliseconds(100); }

  void begin() {
    http::Request request;
    request.method = "GET";
    request.url = server_.url() + "/api/v1/users/profile/";
    request.headers = {{"Authorization", "Token " + core_.site.private_token}};
    http::Events events;
    events.on_end = [this](std::optional<http::Failure>) { ++ended_; };
    under_way_.push_back(client_.start(std::move(request), std::move(events)));
  }
  bool answered(int count) {
    return loop_.run_until([&] { return ended_ == count; }, std::chrono::seconds(10));
  }

  event::EventLoop loop_;
  CoreServer core_ = CoreServer::with_usual_assets();
  test_server::HttpServer server_{loop_,
                                  [this](const test_server::HttpRequest& request) { return core_.handle(request); }};
  http::Client client_{loop_};
  std::vector<std::unique_ptr<http::Client::Transfer>> under_way_;
  int ended_ = 0;
};

TEST_F(CoreWithLatency, OneAfterAnotherIsThreeInARow) {
  for (int i = 1; i <= 3; ++i) {
    begin();
    ASSERT_TRUE(answered(i));
  }
  EXPECT_EQ(core_.log.in_a_row(), 3) << core_.log.text();
}

TEST_F(CoreWithLatency, SideBySideIsOneInARow) {
  for (int i = 0; i < 3; ++i) begin();
  ASSERT_TRUE(answered(3));
  EXPECT_EQ(core_.log.in_a_row(), 1) << core_.log.text();
  EXPECT_EQ(core_.log.entries().size(), 3u);
  EXPECT_EQ(core_.log.entries()[0].path, "/api/v1/users/profile/");
}

TEST_F(CoreWithLatency, TwoSideBySideAfterOneAreTwoInARow) {
  begin();
  ASSERT_TRUE(answered(1));
  begin();
  begin();
  ASSERT_TRUE(answered(3));
  EXPECT_EQ(core_.log.in_a_row(), 2) << core_.log.text();
}

}  // namespace
}  // namespace jumpserver_test
