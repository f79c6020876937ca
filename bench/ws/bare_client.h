#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace bench {

/// The plainest client that libwebsockets allows: its own context and loop, one connection, no queue to speak of.
class BareClient {
 public:
  BareClient(int port, const std::string& path);
  ~BareClient();

  void send(std::string_view message);
  /// Serves the connection until `done`, which is asked after each message.
  void run_until(const std::function<bool()>& done);

  std::size_t received = 0;  ///< Bytes of binary messages.

 private:
  struct Impl;
  Impl* impl_;
};

}  // namespace bench
