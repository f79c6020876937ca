#pragma once

#include <sys/socket.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "event/background.h"

namespace event {

/// One address of a host, ready for connect().
struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;

  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
  std::string text() const;  ///< "10.0.0.1" or "::1".
};

/// Looks up a host name without holding up the loop. Destroying it gives up the look-up.
class Resolver {
 public:
  using Done = std::function<void(base::Result<std::vector<Address>>)>;

  /// `family` is AF_UNSPEC, AF_INET or AF_INET6.
  Resolver(EventLoop& loop, const std::string& host, int port, int family, Done done);

 private:
  std::unique_ptr<Background> work_;
};

}  // namespace event
