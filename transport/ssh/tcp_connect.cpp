#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

#include "event/fiber_wait.h"
#include "event/resolver.h"
#include "transport/ssh/socket_link.h"

namespace transport {
namespace {

using event::Fiber;
using std::chrono::milliseconds;

constexpr const char* kCancelled = "cancelled";

int to_family(AddressFamily family) {
  return family == AddressFamily::ipv4 ? AF_INET : family == AddressFamily::ipv6 ? AF_INET6 : AF_UNSPEC;
}

base::Result<std::vector<event::Address>> resolve_host(event::EventLoop& loop, Fiber& fiber, const std::string& host,
                                                       int port, AddressFamily family,
                                                       const event::Deadline& deadline) {
  std::optional<base::Result<std::vector<event::Address>>> found;
  const event::Resolver resolver(loop, host, port, to_family(family), [&](auto result) {
    found = std::move(result);
    fiber.wake();
  });
  while (!found) {
    switch (fiber.wait(deadline.left())) {
      case Fiber::Woken::by_deadline:
        return base::fail("the name server does not answer for " + host + "; check the network and try again");
      case Fiber::Woken::cancelled:
        return base::fail(kCancelled);
      default:
        break;
    }
  }
  return std::move(*found);
}

void set_options(int socket, const HostSettings& settings) {
  const int on = 1;
  setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (settings.tcp_keep_alive) setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
}

/// The errno of the attempt; 0 when it worked, ECANCELED when the operator gave up.
int try_address(event::EventLoop& loop, Fiber& fiber, int socket, const event::Address& address,
                const event::Deadline& deadline) {
  if (::connect(socket, address.get(), address.size) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  while (true) {
    const auto woken = event::wait_ready(loop, fiber, socket, event::kWrite, deadline);
    if (woken == Fiber::Woken::by_deadline) return ETIMEDOUT;
    if (woken == Fiber::Woken::cancelled) return ECANCELED;
    int error = 0;
    socklen_t size = sizeof error;
    getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
    if (error != 0) return error;
    sockaddr_storage peer{};
    socklen_t peer_size = sizeof peer;
    if (getpeername(socket, reinterpret_cast<sockaddr*>(&peer), &peer_size) == 0) return 0;
  }
}

std::string advice(int error) {
  if (error == ECONNREFUSED) return "nothing listens there; check the port";
  if (error == ETIMEDOUT) return "no answer; check the address, a firewall or a VPN";
  if (error == EHOSTUNREACH || error == ENETUNREACH) return "no route; check the network or a VPN";
  return std::generic_category().message(error);
}

}  // namespace

base::Result<std::unique_ptr<ByteLink>> connect_tcp(event::EventLoop& loop, Fiber& fiber, const HostSettings& settings,
                                                    milliseconds limit) {
  auto addresses =
      resolve_host(loop, fiber, settings.host_name, settings.port, settings.family, event::Deadline(limit));
  if (!addresses) return base::fail(addresses.error());
  std::optional<event::Address> from;
  if (!settings.bind_address.empty()) {
    auto local = resolve_host(loop, fiber, settings.bind_address, 0, settings.family, event::Deadline(limit));
    if (!local) return base::fail(local.error().while_doing("BindAddress"));
    from = local->front();
  }
  int error = 0;
  std::string tried;
  for (const auto& address : *addresses) {
    base::UniqueFd socket(::socket(address.get()->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!socket) return base::fail_errno("opening a socket");
    if (from && ::bind(socket.get(), from->get(), from->size) != 0)
      return base::fail_errno("connecting from " + settings.bind_address);
    error = try_address(loop, fiber, socket.get(), address, event::Deadline(limit));
    if (error == ECANCELED) return base::fail(kCancelled);
    if (error == 0) {
      set_options(socket.get(), settings);
      return std::make_unique<SocketLink>(loop, std::move(socket));
    }
    tried += (tried.empty() ? "" : ", ") + address.text();
  }
  return base::fail("cannot connect to " + settings.host_name + " port " + std::to_string(settings.port) + " (" +
                    tried + "): " + advice(error));
}

}  // namespace transport
