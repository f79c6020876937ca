#pragma once

#include <map>
#include <string>
#include <string_view>

#include "http/client.h"

namespace transport::jumpserver {

/// The cookies of one server, kept through the steps of a sign-in. One host, one path: what a browser's rules are about
/// does not arise, because nothing is ever sent elsewhere.
class CookieJar {
 public:
  /// Takes every Set-Cookie of a response; one that is expired or emptied is forgotten.
  void take(const http::Head& head);
  void set(std::string name, std::string value) { cookies_[std::move(name)] = std::move(value); }
  void clear() { cookies_.clear(); }

  /// "" when there is none.
  std::string value(const std::string& name) const;
  /// What stands before `sessionid` and `csrftoken`: "jms_" unless the server says otherwise.
  std::string prefix() const;
  std::string session() const { return value(prefix() + "sessionid"); }
  std::string csrf() const { return value(prefix() + "csrftoken"); }

  /// The Cookie header; empty when there are none.
  std::string header() const;

 private:
  void take_one(std::string_view line);

  std::map<std::string, std::string> cookies_;
};

}  // namespace transport::jumpserver
