// The WebSocket link against a server on loopback that does what it is told, also what it should not.
#include <gmock/gmock.h>

#include "tests/integration/transport/websocket_link_fixture.h"

namespace transport {
namespace {

using test_server::HttpRequest;
using test_server::Reply;
using test_server::ServerSocket;
using testing::HasSubstr;
using Kind = WebSocketLink::End::Kind;
using std::chrono::milliseconds;
using std::chrono::seconds;

TEST_F(WebSocketLinkTest, MessagesGoBothWaysWholeAndInOrder) {
  serve();
  ASSERT_TRUE(connect_and_wait()) << end_->reason;
  link_->send(MessageKind::text, "hello");
  link_->send(MessageKind::binary, std::string("\0\xff bytes", 8));
  link_->send(MessageKind::binary, "");
  link_->send(MessageKind::text, std::string(300'000, 'x'));
  ASSERT_TRUE(wait([this] { return received_.size() == 4; }));
  EXPECT_EQ(received_[0], "t:hello");
  EXPECT_EQ(received_[1], std::string("b:\0\xff bytes", 10));
  EXPECT_EQ(received_[2], "b:");
  EXPECT_EQ(received_[3].size(), 300'002u);
  EXPECT_EQ(link_->unsent(), 0u);
  EXPECT_GT(drained_, 0);

  socket_->send_text("one");
  socket_->send_binary("");
  socket_->send_frame(ServerSocket::Opcode::binary, false, "pie");
  socket_->send_frame(ServerSocket::Opcode::ping, true, "are you there");
  socket_->send_frame(ServerSocket::Opcode::continuation, true, "ces");
  socket_->send_binary(std::string(1'000'000, 'y'));
  ASSERT_TRUE(wait([this] { return messages_.size() == 4; })) << messages_.size();
  EXPECT_EQ(messages_[0], "t:one");
  EXPECT_EQ(messages_[1], "b:");
  EXPECT_EQ(messages_[2], "b:pieces");
  EXPECT_EQ(messages_[3], "b:" + std::string(1'000'000, 'y'));
  EXPECT_THAT(socket_->violations(), testing::IsEmpty());
}

TEST_F(WebSocketLinkTest, TheRequestHoldsWhatWasAskedAndNothingOfABrowser) {
  subprotocol_ = "JMS-KOKO";
  serve();
  auto made = request("/koko/ws/terminal/?token=1&_=2");
  made.headers = {{"Cookie", "jms_sessionid=" + std::string(5000, 'c')}, {"Authorization", "Bearer x"}};
  connect(made);
  ASSERT_TRUE(wait([this] { return opened_ || end_; })) << end_->reason;
  ASSERT_TRUE(opened_) << end_->reason;
  auto& headers = requests_[0].headers;
  EXPECT_EQ(requests_[0].target, "/koko/ws/terminal/?token=1&_=2");
  EXPECT_EQ(headers["cookie"], "jms_sessionid=" + std::string(5000, 'c'));
  EXPECT_EQ(headers["authorization"], "Bearer x");
  EXPECT_EQ(headers["host"], "127.0.0.1:" + std::to_string(server_->port()));
  EXPECT_EQ(headers["sec-websocket-protocol"], "JMS-KOKO");
  EXPECT_EQ(headers.count("origin"), 0u);
  EXPECT_EQ(headers.count("sec-websocket-extensions"), 0u);
}

TEST_F(WebSocketLinkTest, ARefusalIsExplained) {
  const struct {
    int status;
    const char* location;
    const char* words;
  } cases[] = {{302, "/core/auth/login/?next=x", "sign in"},
               {301, "/elsewhere", "/elsewhere"},
               {200, "", "web page"},
               {401, "", "credentials"},
               {403, "", "forbids"},
               {404, "", "no terminal"},
               {502, "", "maintenance"},
               {503, "", "maintenance"},
               {418, "", "HTTP 418"}};
  serve();
  for (const auto& one : cases) {
    SCOPED_TRACE(one.status);
    answer_ = [&one](const HttpRequest&) {
      std::vector<std::pair<std::string, std::string>> headers;
      if (*one.location) headers.emplace_back("Location", one.location);
      return test_server::reply(one.status, "<html>no</html>", headers);
    };
    end_.reset();
    connect(request());
    ASSERT_TRUE(wait([this] { return end_.has_value(); }));
    EXPECT_EQ(end_->kind, Kind::refused);
    EXPECT_EQ(end_->http_status, one.status);
    EXPECT_EQ(end_->location, one.location);
    EXPECT_THAT(end_->reason, HasSubstr(one.words));
  }
  EXPECT_FALSE(opened_);
}

TEST_F(WebSocketLinkTest, AClosedPortIsToldAndLeavesNothingInTheLoop) {
  serve();
  auto made = request();
  server_.reset();
  for (int i = 0; i < 3; ++i) {
    end_.reset();
    connect(made);
    ASSERT_TRUE(wait([this] { return end_.has_value(); }));
    EXPECT_EQ(end_->kind, Kind::failed);
    EXPECT_THAT(end_->reason, HasSubstr("cannot connect"));
  }
  link_.reset();
  // The destructor of the loop would hang on a handle that nobody closes.
}

TEST_F(WebSocketLinkTest, EachAddressOfANameIsTried) {
  serve();
  auto made = request();
  made.url.host = "localhost";  // ::1 comes first on many machines; nothing listens there.
  connect(made);
  ASSERT_TRUE(wait([this] { return opened_ || end_; }));
  EXPECT_TRUE(opened_) << end_->reason;
}

TEST_F(WebSocketLinkTest, AServerThatSaysNothingIsGivenUp) {
  serve();
  answer_ = [](const HttpRequest&) { return Reply{{}, Reply::Then::hang}; };
  auto made = request();
  made.connect_limit = milliseconds(200);
  connect(made);
  ASSERT_TRUE(wait([this] { return end_.has_value(); }));
  EXPECT_EQ(end_->kind, Kind::failed);
  EXPECT_THAT(end_->reason, HasSubstr("did not answer"));
}

TEST_F(WebSocketLinkTest, ACloseFrameBringsItsCodeAndReason) {
  serve();
  ASSERT_TRUE(connect_and_wait());
  socket_->close(4000, "koko:read_timeout");
  ASSERT_TRUE(wait([this] { return end_.has_value(); }));
  EXPECT_EQ(end_->kind, Kind::closed);
  EXPECT_EQ(end_->code, 4000);
  EXPECT_EQ(end_->reason, "koko:read_timeout");
}

TEST_F(WebSocketLinkTest, ABrokenConnectionIsLost) {
  serve();
  ASSERT_TRUE(connect_and_wait());
  socket_->drop();
  ASSERT_TRUE(wait([this] { return end_.has_value(); }));
  EXPECT_EQ(end_->kind, Kind::lost);
}

TEST_F(WebSocketLinkTest, ClosingSendsWhatWaitsThenTheCode) {
  serve();
  ASSERT_TRUE(connect_and_wait());
  link_->send(MessageKind::text, "last words");
  link_->close(1000);
  ASSERT_TRUE(wait([this] { return end_ && gone_; }));
  EXPECT_EQ(end_->kind, Kind::closed);
  EXPECT_EQ(received_, std::vector<std::string>{"t:last words"});
  EXPECT_EQ(socket_->close_code(), 1000);
  EXPECT_THAT(socket_->violations(), testing::IsEmpty());
}

TEST_F(WebSocketLinkTest, AServerThatDoesNotAnswerTheCloseIsLeftAfterASecond) {
  serve();
  ASSERT_TRUE(connect_and_wait());
  socket_->answers_close = false;
  const auto begun = std::chrono::steady_clock::now();
  link_->close();
  ASSERT_TRUE(wait([this] { return end_.has_value(); }));
  EXPECT_EQ(end_->kind, Kind::closed);
  EXPECT_LT(std::chrono::steady_clock::now() - begun, seconds(5));
  ASSERT_TRUE(wait([this] { return gone_; }));
}

TEST_F(WebSocketLinkTest, WhilePausedNothingIsReadAndAfterwardsNothingIsMissing) {
  serve();
  ASSERT_TRUE(connect_and_wait());
  on_message_ = [this] {
    if (messages_.size() == 1) link_->pause_reading();
  };
  std::string flood;
  for (int i = 0; i < 200; ++i) socket_->send_binary("message " + std::to_string(i));
  ASSERT_TRUE(wait([this] { return messages_.size() == 1; }));
  loop_.run_until([] { return false; }, milliseconds(100));
  EXPECT_EQ(messages_.size(), 1u);
  // The server is braked: what it sends stays on its side.
  for (int i = 0; i < 400; ++i) socket_->send_binary(std::string(100'000, 'z'));
  loop_.run_until([] { return false; }, milliseconds(200));
  EXPECT_GT(socket_->unsent(), 20'000'000u);
  link_->resume_reading();
  ASSERT_TRUE(wait([this] { return messages_.size() == 600; })) << messages_.size();
  EXPECT_EQ(messages_[199], "b:message 199");
}

TEST_F(WebSocketLinkTest, PausedDataArrivesAfterResumeWithoutAnotherWordOfTheServer) {
  serve();
  ASSERT_TRUE(connect_and_wait());
  on_message_ = [this] {
    link_->pause_reading();
    on_message_ = {};
  };
  std::string both;
  socket_->send_binary("first");
  socket_->send_binary("second");
  ASSERT_TRUE(wait([this] { return messages_.size() == 1; }));
  loop_.run_until([] { return false; }, milliseconds(50));
  link_->resume_reading();
  ASSERT_TRUE(wait([this] { return messages_.size() == 2; }));
}

TEST_F(WebSocketLinkTest, AServerThatDoesNotReadHoldsBackOurMessages) {
  serve();
  ASSERT_TRUE(connect_and_wait());
  socket_->pause_reading(true);
  for (int i = 0; i < 200; ++i) link_->send(MessageKind::binary, std::string(100'000, 'u'));
  loop_.run_until([] { return false; }, milliseconds(200));
  EXPECT_GT(link_->unsent(), 1'000'000u);
  const int before = drained_;
  socket_->pause_reading(false);
  ASSERT_TRUE(wait([this] { return received_.size() == 200; }));
  EXPECT_EQ(link_->unsent(), 0u);
  EXPECT_GT(drained_, before);
}

TEST_F(WebSocketLinkTest, AMessageThatNeverEndsIsNotCollectedForEver) {
  serve();
  auto made = request();
  made.most_message = 100'000;
  connect(made);
  ASSERT_TRUE(wait([this] { return opened_ && socket_; }));
  socket_->send_frame(ServerSocket::Opcode::binary, false, std::string(60'000, 'a'));
  socket_->send_frame(ServerSocket::Opcode::continuation, false, std::string(60'000, 'b'));
  ASSERT_TRUE(wait([this] { return end_.has_value(); }));
  EXPECT_EQ(end_->code, 1009);
  EXPECT_THAT(messages_, testing::IsEmpty());
}

TEST_F(WebSocketLinkTest, ItCanBeDestroyedInAnyOfItsCallbacksAndBetweenThem) {
  serve();
  for (int moment = 0; moment < 6; ++moment) {
    SCOPED_TRACE(moment);
    bool reached = false;
    socket_.reset();
    gone_ = false;
    auto* link = new WebSocketLink(loop_, request());
    const auto destroy = [&] {
      delete link;
      reached = true;
    };
    WebSocketLink::Events events;
    if (moment == 0) {
      link->start({});
      destroy();
    }
    if (moment == 1) events.on_open = destroy;
    if (moment == 2) events.on_message = [&](MessageKind, std::string_view) { destroy(); };
    if (moment == 3) {
      events.on_open = [&] { link->send(MessageKind::text, "x"); };
      events.on_drained = destroy;
    }
    if (moment == 4) events.on_end = [&](WebSocketLink::End) { destroy(); };
    if (moment == 5) events.on_open = [&] { loop_.defer(destroy); };
    if (moment > 0) link->start(std::move(events));
    bool told = false;
    ASSERT_TRUE(wait([&] {
      if (socket_ && !std::exchange(told, true)) {
        if (moment == 2) socket_->send_text("now");
        if (moment == 4) socket_->close(1000);
      }
      return reached;
    }));
    if (socket_ && moment != 4) {
      ASSERT_TRUE(wait([this] { return gone_; }));
    }
  }
}

TEST_F(WebSocketLinkTest, TheLoopMayEndRightAfterTheLink) {
  serve();
  {
    event::EventLoop other;
    WebSocketLink link(other, request());
    link.start({});
    EXPECT_FALSE(other.run_until([] { return false; }, milliseconds(20))) << "it lives until its time is over";
  }
  auto short_lived = std::make_unique<event::EventLoop>();
  auto link = std::make_unique<WebSocketLink>(*short_lived, request());
  link->start({});
  link.reset();
  short_lived.reset();
}

}  // namespace
}  // namespace transport
