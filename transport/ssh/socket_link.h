#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "base/unique_fd.h"
#include "base/write_queue.h"
#include "event/child_process.h"
#include "event/deadline.h"
#include "event/fd_watch.h"
#include "event/fiber.h"
#include "transport/ssh/byte_link.h"
#include "transport/ssh/ssh_config.h"

namespace transport {

/// A connected stream socket as a link.
class SocketLink : public ByteLink {
 public:
  SocketLink(event::EventLoop& loop, base::UniqueFd socket);

  ssize_t receive(char* buffer, std::size_t size) override;
  void send(std::string_view bytes) override;
  std::size_t unsent() const override { return queue_.size(); }
  int descriptor() const override { return socket_.get(); }

 private:
  void on_socket_ready(event::Readiness ready);
  void update_interest();

  base::UniqueFd socket_;
  base::WriteQueue queue_;
  bool drained_ = true;  ///< Everything that had arrived was taken: more will be announced.
  bool broken_ = false;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  event::FdWatch watch_;
};

/// A ProxyCommand: its standard input and output are the link, its standard error the complaint.
class ProxyCommandLink final : public SocketLink {
 public:
  static base::Result<std::unique_ptr<ProxyCommandLink>> launch(event::EventLoop& loop, const std::string& command);
  ~ProxyCommandLink() override;

  std::string complaint() override;

 private:
  ProxyCommandLink(event::EventLoop& loop, base::UniqueFd socket, base::UniqueFd errors);
  void read_errors();

  base::UniqueFd errors_;
  std::string complaint_;
  event::FdWatch errors_watch_;
  std::unique_ptr<event::ChildProcess> child_;
};

/// Inside a fiber: connects to the host, trying its addresses in turn.
base::Result<std::unique_ptr<ByteLink>> connect_tcp(event::EventLoop& loop, event::Fiber& fiber,
                                                    const HostSettings& settings, std::chrono::milliseconds limit);

}  // namespace transport
