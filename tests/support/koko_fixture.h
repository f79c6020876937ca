#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/http_server.h"
#include "tests/support/koko_server.h"
#include "transport/jumpserver/koko_transport.h"

namespace test_server {

/// koko on a loopback port, with a sign-in that is a cookie: `good` is alice, `bobs` is bob.
class KokoOnLoopback {
 public:
  explicit KokoOnLoopback(event::EventLoop& loop, KokoOptions options = {})
      : koko(loop, std::move(options)), http(loop, [this](const HttpRequest& request) { return answer(request); }) {}

  transport::jumpserver::KokoTicket ticket(const std::string& token, const std::string& cookie = "good",
                                           const std::string& language = "en") const {
    transport::jumpserver::KokoTicket made;
    made.url = "ws://127.0.0.1:" + std::to_string(http.port()) + "/koko/ws/terminal/?token=" + token +
               "&disableautohash=&_=1767688200000";
    made.headers = {{"Cookie", "jms_sessionid=" + cookie + "; django_language=" + language},
                    {"Accept-Language", language}};
    made.token_id = token;
    made.host = "jump.test";
    return made;
  }
  /// A token that nobody used yet.
  std::string fresh_token() {
    const std::string id = "token-" + std::to_string(++made_);
    koko.tokens[id] = {};
    return id;
  }

  KokoServer koko;
  std::function<std::optional<Reply>(const HttpRequest&)> instead;  ///< A gateway's word, before koko sees it.
  HttpServer http;

 private:
  Reply answer(const HttpRequest& request) {
    if (instead)
      if (auto other = instead(request)) return *other;
    const auto cookie = request.headers.find("cookie");
    std::optional<std::string> owner;
    if (cookie != request.headers.end()) {
      if (cookie->second.find("jms_sessionid=good") != std::string::npos) owner = "alice";
      if (cookie->second.find("jms_sessionid=bobs") != std::string::npos) owner = "bob";
    }
    return koko.handle(request, owner);
  }

  int made_ = 0;
};

}  // namespace test_server
