// The koko that tests play with: a client that does it wrong is found out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

}  // namespace
}  // namespace transport::jumpserver
