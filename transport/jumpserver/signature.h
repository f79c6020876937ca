#pragma once

#include <ctime>
#include <string>
#include <string_view>

namespace transport::jumpserver {

/// An access key: the id is no secret, the secret is.
struct AccessKey {
  std::string id;
  std::string secret;

  bool empty() const { return id.empty() || secret.empty(); }
};

/// What of a request is signed.
struct SignedParts {
  std::string method;
  std::string target;  ///< Path and query, as sent.
  std::string accept;  ///< Empty: not signed.
  std::string date;    ///< As the Date header has it.
};

/// The Authorization header of a request. Content type and length are never signed: servers up to 4.10.19 answer 500.
std::string signature_header(const AccessKey& key, const SignedParts& parts);

/// "Tue, 06 Jan 2026 08:30:00 GMT"
std::string http_date(std::time_t when);

}  // namespace transport::jumpserver
