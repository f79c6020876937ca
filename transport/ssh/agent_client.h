#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"
#include "event/fiber.h"

namespace transport {

/// Talks to an ssh-agent from inside a fiber: others may take their time (a confirmation, a PIN) without holding up the
/// loop. libssh2's own agent code blocks, and cannot ask for RSA signatures that today's servers accept.
class AgentClient {
 public:
  struct Identity {
    std::string key_blob;
    std::string comment;
  };
  /// Flags of SSH_AGENTC_SIGN_REQUEST.
  static constexpr std::uint32_t kRsaSha256 = 2;
  static constexpr std::uint32_t kRsaSha512 = 4;

  static base::Result<AgentClient> connect(event::EventLoop& loop, event::Fiber& fiber, const std::string& socket_path);

  base::Result<std::vector<Identity>> identities();
  /// The bare signature, without the name of its algorithm.
  base::Result<std::string> sign(std::string_view key_blob, std::string_view data, std::uint32_t flags);

 private:
  AgentClient(event::EventLoop& loop, event::Fiber& fiber, base::UniqueFd socket)
      : loop_(&loop), fiber_(&fiber), socket_(std::move(socket)) {}
  base::Result<std::string> request(std::string_view message, std::chrono::milliseconds limit);

  event::EventLoop* loop_;
  event::Fiber* fiber_;
  base::UniqueFd socket_;
};

}  // namespace transport
