#include "tests/support/free_port.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cstddef>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/unique_fd.h"

namespace support {
namespace {

// Below the range from which the kernel takes ports for connections: none of those ever sits on ours.
constexpr int kFirst = 20'000;
constexpr int kLast = 32'000;

/// The name in the abstract namespace is taken until this program ends, however it ends.
bool reserve(int port) {
  static std::vector<base::UniqueFd> kept;
  base::UniqueFd holder(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const std::string name = "jms-test-port-" + std::to_string(port);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  name.copy(address.sun_path + 1, name.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  if (::bind(holder.get(), reinterpret_cast<sockaddr*>(&address), size) != 0) return false;
  kept.push_back(std::move(holder));
  return true;
}

bool is_free(int port) {
  const base::UniqueFd probe(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return ::bind(probe.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
}

}  // namespace

int free_port() {
  std::random_device random;
  for (int tries = 0; tries < 1000; ++tries) {
    const int port = std::uniform_int_distribution<int>(kFirst, kLast)(random);
    if (reserve(port) && is_free(port)) return port;
  }
  throw std::runtime_error("no free port");
}

}  // namespace support
