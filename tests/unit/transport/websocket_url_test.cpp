#include "transport/websocket/websocket_url.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/support/environment.h"
#include "transport/websocket/ttyd_transport.h"

namespace transport {
namespace {

TEST(WebSocketUrl, IsTakenApart) {
  const auto url = parse_websocket_url("wss://us%65r:p%40ss@jump.example.com:8443/koko/ws/?token=1#x");
  ASSERT_TRUE(url);
  EXPECT_TRUE(url->secure);
  EXPECT_EQ(url->user, "user");
  EXPECT_EQ(url->password, "p@ss");
  EXPECT_EQ(url->host, "jump.example.com");
  EXPECT_EQ(url->port, 8443);
  EXPECT_EQ(url->path, "/koko/ws/?token=1");
  EXPECT_EQ(url->authority(), "jump.example.com:8443");
  EXPECT_EQ(parse_websocket_url("ws://h")->port, 80);
  EXPECT_EQ(parse_websocket_url("WS://h")->path, "/");
  EXPECT_EQ(parse_websocket_url("wss://h?a=b")->path, "/?a=b");
  EXPECT_EQ(parse_websocket_url("ws://[::1]:7681/")->host, "::1");
  EXPECT_EQ(parse_websocket_url("ws://[::1]:7681/")->authority(), "[::1]:7681");
}

TEST(WebSocketUrl, ABadOneIsRefusedWithoutRepeatingThePassword) {
  for (const char* text : {"http://h/", "ws://", "ws://:80/", "ws://h:0/", "ws://h:99999/", "ws://h:x/", "ws://[::1/",
                           "ws://u:secret@h:x/", "ws://h/a b", "ws://h/a\r\nX: y", "ws://h\r\n/"}) {
    const auto url = parse_websocket_url(text);
    ASSERT_FALSE(url) << text;
    EXPECT_EQ(url.error().message.find("secret"), std::string::npos);
  }
}

TEST(WebSocketUrl, TheProxyFollowsTheEnvironment) {
  const auto url = *parse_websocket_url("wss://a.example.com/");
  support::forget_proxies();
  EXPECT_FALSE(*proxy_from_environment(url));
  setenv("https_proxy", "http://us%65r:pw@proxy:3128/", 1);
  EXPECT_EQ((*proxy_from_environment(url))->host, "proxy");
  EXPECT_EQ((*proxy_from_environment(url))->port, 3128);
  EXPECT_EQ((*proxy_from_environment(url))->credentials, "user:pw");
  for (const char* list : {"example.com", ".example.com", "x, EXAMPLE.com", "*"}) {
    setenv("no_proxy", list, 1);
    EXPECT_FALSE(*proxy_from_environment(url)) << list;
  }
  setenv("no_proxy", "ample.com", 1);
  EXPECT_TRUE(*proxy_from_environment(url));
  setenv("https_proxy", "socks5://proxy:1080", 1);
  EXPECT_FALSE(proxy_from_environment(url));
  unsetenv("https_proxy");
  unsetenv("no_proxy");
}

TEST(WebSocketUrl, IsShownWithoutItsPassword) {
  EXPECT_EQ(without_password("ws://ops:word@host:81/a?b=c"), "ws://ops@host:81/a?b=c");
  EXPECT_EQ(without_password("WSS://ops:w:o@rd@[::1]:81/"), "WSS://ops@[::1]:81/");
  EXPECT_EQ(without_password("ws://ops:@host"), "ws://ops@host");
  EXPECT_EQ(without_password("ws://:word@host#x"), "ws://@host#x");
  for (const char* same :
       {"ws://host:81/x:y@z", "ws://ops@host:81/", "ws://[::1]:81/", "ops:x@host", "jms://a:b@c", "local", "", "ws://"})
    EXPECT_EQ(without_password(same), same);
}

TEST(Ttyd, TheSocketIsBelowThePage) {
  EXPECT_EQ(ttyd_path("/"), "/ws");
  EXPECT_EQ(ttyd_path("/shell"), "/shell/ws");
  EXPECT_EQ(ttyd_path("/shell/"), "/shell/ws");
  EXPECT_EQ(ttyd_path("/shell/ws"), "/shell/ws");
  EXPECT_EQ(ttyd_path("/?arg=x"), "/ws?arg=x");
}

}  // namespace
}  // namespace transport
