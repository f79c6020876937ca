#include "transport/ssh/agent_client.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "event/fiber_wait.h"
#include "transport/ssh/wire.h"

namespace transport {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kLargestAnswer = 256 * 1024;  // What ssh takes.
constexpr std::size_t kMostIdentities = 100;
constexpr milliseconds kListLimit(5'000);
constexpr milliseconds kSignLimit(120'000);  // A person may have to confirm, or to find a token.
enum Message : char { kRequestIdentities = 11, kIdentitiesAnswer = 12, kSignRequest = 13, kSignResponse = 14 };

}  // namespace

base::Result<AgentClient> AgentClient::connect(event::EventLoop& loop, event::Fiber& fiber,
                                               const std::string& socket_path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (socket_path.size() >= sizeof address.sun_path) return base::fail("the agent's socket path is too long");
  std::memcpy(address.sun_path, socket_path.data(), socket_path.size());
  base::UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket || ::connect(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof address) != 0)
    return base::fail_errno("the SSH agent at " + socket_path);
  return AgentClient(loop, fiber, std::move(socket));
}

base::Result<std::string> AgentClient::request(std::string_view message, milliseconds limit) {
  std::string out;
  put_string(out, message);
  const event::Deadline deadline(limit);
  const auto wait = [&](event::Readiness wanted) -> base::Result<void> {
    switch (event::wait_ready(*loop_, *fiber_, socket_.get(), wanted, deadline)) {
      case event::Fiber::Woken::by_deadline:
        return base::fail("the SSH agent does not answer");
      case event::Fiber::Woken::cancelled:
        return base::fail("cancelled");
      default:
        return {};
    }
  };
  while (!out.empty()) {
    const ssize_t count = ::send(socket_.get(), out.data(), out.size(), MSG_NOSIGNAL);
    if (count >= 0)
      out.erase(0, static_cast<std::size_t>(count));
    else if (errno != EAGAIN && errno != EINTR)
      return base::fail_errno("writing to the SSH agent");
    else if (auto ready = wait(event::kWrite); !ready)
      return base::fail(ready.error());
  }
  std::string answer;
  std::array<char, 16384> buffer;
  while (true) {
    WireReader reader(answer);
    const auto size = reader.number();
    if (size && *size > kLargestAnswer) return base::fail("the SSH agent sends nonsense");
    if (size && reader.rest().size() >= *size) return answer.substr(4, *size);
    const ssize_t count = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
    if (count == 0) return base::fail("the SSH agent closed the connection");
    if (count > 0)
      answer.append(buffer.data(), static_cast<std::size_t>(count));
    else if (errno != EAGAIN && errno != EINTR)
      return base::fail_errno("reading from the SSH agent");
    else if (auto ready = wait(event::kRead); !ready)
      return base::fail(ready.error());
  }
}

base::Result<std::vector<AgentClient::Identity>> AgentClient::identities() {
  const auto answer = request(std::string(1, kRequestIdentities), kListLimit);
  if (!answer) return base::fail(answer.error());
  WireReader reader(*answer);
  const auto kind = reader.byte();
  const auto count = reader.number();
  if (!kind || *kind != kIdentitiesAnswer || !count) return base::fail("the SSH agent refuses to list its keys");
  std::vector<Identity> found;
  for (std::uint32_t i = 0; i < *count && i < kMostIdentities; ++i) {
    const auto blob = reader.string(), comment = reader.string();
    if (!blob || !comment) return base::fail("the SSH agent sends nonsense");
    found.push_back({std::string(*blob), std::string(*comment)});
  }
  return found;
}

base::Result<std::string> AgentClient::sign(std::string_view key_blob, std::string_view data, std::uint32_t flags) {
  std::string message(1, kSignRequest);
  put_string(message, key_blob);
  put_string(message, data);
  put_number(message, flags);
  const auto answer = request(message, kSignLimit);
  if (!answer) return answer;
  WireReader reader(*answer);
  const auto kind = reader.byte();
  const auto signature = reader.string();
  if (!kind || *kind != kSignResponse || !signature) return base::fail("the SSH agent refuses to sign");
  WireReader inside(*signature);
  const auto algorithm = inside.string(), bare = inside.string();
  if (!algorithm || !bare) return base::fail("the SSH agent sends nonsense");
  return std::string(*bare);
}

}  // namespace transport
