#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "event/event_loop.h"
#include "event/fd_watch.h"

namespace support {

/// A server of the loopback that misbehaves on purpose. Lives on the test's own loop.
class BadServer {
 public:
  /// What it does when `after` bytes have gone to the client.
  enum class Then { close, stall, garbage };

  /// Says `text`, then misbehaves.
  BadServer(event::EventLoop& loop, std::string text, Then then);
  /// Stands between the client and a good server, and misbehaves after so many of its bytes.
  BadServer(event::EventLoop& loop, int good_port, std::size_t after, Then then);
  ~BadServer();

  int port() const { return port_; }
  std::size_t passed() const { return passed_; }
  bool reached() const { return !connections_.empty(); }

 private:
  struct Connection;

  void listen();
  void accept();

  event::EventLoop& loop_;
  std::string text_;
  int good_port_ = 0;
  std::size_t after_ = 0;
  Then then_;
  std::size_t passed_ = 0;
  int port_ = 0;
  base::UniqueFd listener_;
  std::unique_ptr<event::FdWatch> watch_;
  std::vector<std::unique_ptr<Connection>> connections_;
};

}  // namespace support
