#pragma once

#include <ctime>
#include <string>
#include <vector>

#include "base/result.h"
#include "transport/jumpserver/signature.h"

namespace transport::jumpserver {

/// A token for the Authorization header.
struct Token {
  std::string keyword = "Bearer";  ///< "Bearer" for one that ends after a day, "Token" for a private one.
  std::string value;
};

/// A browser-style session: the only thing that opens the WebSocket of v3 and v4.
struct WebSession {
  std::string id;               ///< The value of jms_sessionid.
  std::string csrf;             ///< Wanted for every change; empty: fetched when it is needed.
  std::string prefix = "jms_";  ///< Of the cookies' names.
};

/// One server and what opens it. Everything but `server`, `user` and the key's id is secret.
struct Credentials {
  std::string server;  ///< "https://jump.example.com", without a slash at the end.
  std::string user;    ///< As far as it is known.
  std::string org;     ///< X-JMS-ORG; empty: the server's choice.
  AccessKey key;
  Token token;
  WebSession web;
  std::time_t token_expires = 0;  ///< 0: unknown.
  std::string with;               ///< How it was got: "password", "web", "key", "token", "cookie"; empty: unknown.

  bool has_any() const { return !key.empty() || !token.value.empty() || !web.id.empty(); }
};

/// "https://host[:port]" from what people write: the scheme may be missing, a path of the web UI may follow.
/// Plain http is refused except to a loopback address: every request carries a credential.
base::Result<std::string> normal_server(const std::string& written);

/// Reads `JMS_TOKEN`: "Bearer x" and "Token x" say what they are; a bare one of 36 characters is a bearer token.
Token token_from_text(const std::string& text);

/// Reads what people copy out of a browser: the value of jms_sessionid alone, `name=value`, or a whole Cookie header.
WebSession session_from_text(const std::string& text);

/// "2026/01/06 08:35:00 +0000"; 0 when it is something else.
std::time_t parse_time(const std::string& text);

/// A sign-in kept in a file that only its owner may read (0600, in a 0700 folder); one that others can read is refused.
class CredentialFile {
 public:
  /// `directory` is the state directory's `jumpserver`.
  CredentialFile(std::string directory, const std::string& profile);

  /// Credentials with an empty server when there is no file.
  base::Result<Credentials> load() const;
  base::Result<void> save(const Credentials& credentials) const;
  /// True when there was something to forget.
  base::Result<bool> remove() const;
  const std::string& path() const { return path_; }

 private:
  std::string directory_;
  std::string path_;
};

/// The profiles whose sign-ins are kept in `directory`, in the order of their names.
std::vector<std::string> kept_profiles(const std::string& directory);

}  // namespace transport::jumpserver
