// The koko that tests play with: a client that does it wrong is found out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/koko_fixture.h"

namespace transport::jumpserver {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test_server::KokoOnLoopback;
using testing::Contains;

TEST(KokoServerTest, AnInitWithAWrongIdOpensNothingAndIsNoted) {
  event::EventLoop loop;
  KokoOnLoopback server(loop);
  const auto ticket = server.ticket(server.fresh_token());
  WebSocketLink::Request request;
  request.url = *parse_websocket_url(ticket.url);
  request.headers = ticket.headers;
  WebSocketLink link(loop, request);
  int texts = 0, binaries = 0;
  link.start({.on_open = {},
              .on_message =
                  [&](MessageKind kind, std::string_view) {
                    ++(kind == MessageKind::text ? texts : binaries);
                    link.send(
                        MessageKind::text,
                        R"({"id":"wrong","type":"TERMINAL_INIT","data":"{\"cols\":80,\"rows\":24,\"code\":\"\"}"})");
                  },
              .on_drained = {},
              .on_end = {}});
  ASSERT_TRUE(loop.run_until([&] { return !server.koko.violations.empty(); }, seconds(5)));
  loop.run_until([] { return false; }, milliseconds(100));
  EXPECT_EQ(texts, 1);
  EXPECT_EQ(binaries, 0);
  EXPECT_THAT(server.koko.violations, Contains("TERMINAL_INIT with a wrong id"));
}

/// A client that opens a terminal by hand and leaves it in its own way.
class KokoLeftBy : public testing::Test {
 protected:
  void open() {
    const auto ticket = server_.ticket(server_.fresh_token());
    WebSocketLink::Request request;
    request.url = *parse_websocket_url(ticket.url);
    request.headers = ticket.headers;
    link_ = std::make_unique<WebSocketLink>(loop_, request);
    link_->start({.on_open = {},
                  .on_message = [this](MessageKind kind, std::string_view bytes) { take(kind, bytes); },
                  .on_drained = {},
                  .on_end = {}});
    ASSERT_TRUE(loop_.run_until([this] { return seen_.find("$ ") != std::string::npos; }, seconds(5)));
    ASSERT_EQ(server_.koko.running().size(), 1u);
  }
  void take(MessageKind kind, std::string_view bytes) {
    if (kind == MessageKind::binary) seen_ += bytes;
    const auto message = nlohmann::json::parse(bytes, nullptr, false);
    if (kind != MessageKind::text || message.value("type", "") != "CONNECT") return;
    const nlohmann::json init = {
        {"id", message["id"]}, {"type", "TERMINAL_INIT"}, {"data", R"({"cols":80,"rows":24,"code":""})"}};
    link_->send(MessageKind::text, init.dump());
  }
  bool left() {
    return loop_.run_until([this] { return !server_.koko.ends.empty(); }, seconds(5));
  }

  event::EventLoop loop_;
  KokoOnLoopback server_{loop_};
  std::unique_ptr<WebSocketLink> link_;
  std::string seen_;
};

TEST_F(KokoLeftBy, ACloseFrameIsFinishedAtOnce) {
  open();
  link_->close(1000);
  ASSERT_TRUE(left());
  EXPECT_EQ(server_.koko.ends[0].code, 1000);
  EXPECT_TRUE(server_.koko.running().empty());
}

TEST_F(KokoLeftBy, ALostLinkLeavesAGhostUntilTheServerNotices) {
  open();
  server_.koko.options().notices = milliseconds(300);
  server_.koko.drop();
  ASSERT_TRUE(left());
  EXPECT_EQ(server_.koko.ends[0].code, 1006);
  EXPECT_EQ(server_.koko.ends[0].session, server_.koko.session_list()[0].id);
  EXPECT_EQ(server_.koko.running().size(), 1u);
  EXPECT_TRUE(loop_.run_until([this] { return server_.koko.running().empty(); }, seconds(5)));
}

TEST_F(KokoLeftBy, ASilentClientIsListedUntilTheReadDeadlineAndThenCutOffWithoutAWord) {
  server_.koko.options().read_deadline = milliseconds(600);
  open();
  ASSERT_TRUE(left());
  EXPECT_EQ(server_.koko.ends[0].code, 1006);
  EXPECT_TRUE(server_.koko.running().empty());
}

}  // namespace
}  // namespace transport::jumpserver
