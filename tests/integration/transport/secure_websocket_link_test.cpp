// WebSocket links over TLS and through proxies.
#include <gmock/gmock.h>

#include "tests/integration/transport/websocket_link_fixture.h"
#include "tests/support/test_ca.h"

namespace transport {
namespace {

using support::EnvironmentVariable;
using test_server::HttpRequest;
using test_server::HttpServer;
using testing::HasSubstr;
using Kind = WebSocketLink::End::Kind;

class SecureWebSocketLinkTest : public WebSocketLinkTest {
 protected:
  void serve_tls(bool proxy = false) {
    HttpServer::Options options;
    options.certificate = ca_.certificate();
    options.key = ca_.key();
    options.proxy = proxy;
    serve(std::move(options));
  }
  test_server::TestCa ca_;
};

TEST_F(SecureWebSocketLinkTest, ATrustedServerIsUsed) {
  serve_tls();
  auto made = request();
  made.ca_file = ca_.ca_file();
  connect(made);
  ASSERT_TRUE(wait([this] { return (opened_ && socket_) || end_; }));
  ASSERT_TRUE(opened_) << end_->reason;
  socket_->send_binary(std::string(500'000, 's'));
  link_->send(MessageKind::binary, std::string(500'000, 't'));
  ASSERT_TRUE(wait([this] { return messages_.size() == 1 && received_.size() == 1; }));
}

TEST_F(SecureWebSocketLinkTest, AnUnknownAuthorityGetsNoCookie) {
  serve_tls();
  auto made = request();
  made.headers = {{"Cookie", "jms_sessionid=secret"}};
  connect(made);
  ASSERT_TRUE(wait([this] { return end_.has_value(); }));
  EXPECT_EQ(end_->kind, Kind::failed);
  EXPECT_THAT(end_->reason, HasSubstr("TLS"));
  EXPECT_THAT(end_->reason, HasSubstr("authority"));
  EXPECT_TRUE(requests_.empty());
}

TEST_F(SecureWebSocketLinkTest, ACertificateOfAnotherNameIsRefused) {
  serve_tls();
  auto made = request();
  made.ca_file = ca_.ca_file();
  made.url.host = "127.0.0.2";
  connect(made);
  ASSERT_TRUE(wait([this] { return end_.has_value(); }));
  EXPECT_EQ(end_->kind, Kind::failed);
  EXPECT_TRUE(requests_.empty());
}

TEST_F(SecureWebSocketLinkTest, AMissingAuthorityFileIsNamed) {
  serve_tls();
  auto made = request();
  made.ca_file = "/nonexistent/ca.pem";
  connect(made);
  ASSERT_TRUE(wait([this] { return end_.has_value(); }));
  EXPECT_THAT(end_->reason, HasSubstr("/nonexistent/ca.pem"));
}

TEST_F(SecureWebSocketLinkTest, TheProxyOfTheEnvironmentIsUsedAndNoProxyIsHeard) {
  serve_tls(true);
  const EnvironmentVariable proxy("https_proxy", "http://127.0.0.1:" + std::to_string(server_->port()));
  auto made = request();
  made.url = *parse_websocket_url("wss://model.test:4443/x");
  made.ca_file = ca_.ca_file();
  connect(made);
  ASSERT_TRUE(wait([this] { return opened_ || end_; }));
  ASSERT_TRUE(opened_) << end_->reason;
  EXPECT_EQ(server_->connect_targets(), std::vector<std::string>{"model.test:4443"});
  EXPECT_EQ(requests_.at(0).headers["host"], "model.test:4443");

  const EnvironmentVariable direct("no_proxy", "example.com,.test");
  connect(made);
  ASSERT_TRUE(wait([this] { return end_.has_value(); }));
  EXPECT_THAT(end_->reason, HasSubstr("cannot find the address of model.test"));
}

TEST_F(SecureWebSocketLinkTest, AProxyThatRefusesIsNamed) {
  serve();
  answer_ = [](const HttpRequest&) { return test_server::reply(403, "no"); };
  const EnvironmentVariable proxy("https_proxy", "127.0.0.1:" + std::to_string(server_->port()));
  auto made = request();
  made.url = *parse_websocket_url("wss://model.test/x");
  connect(made);
  ASSERT_TRUE(wait([this] { return end_.has_value(); }));
  EXPECT_THAT(end_->reason, HasSubstr("proxy"));
}

}  // namespace
}  // namespace transport
