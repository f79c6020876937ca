#include "transport/ssh/askpass_helper.h"

#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include "base/environment.h"
#include "base/unique_fd.h"
#include "transport/ssh/askpass_message.h"
#include "transport/ssh/secret.h"

// A process of its own that lives for one question, so it may wait. It says nothing of its own: its standard error is
// the terminal of ssh.

namespace transport {
namespace {

constexpr int kAnswered = 0;
constexpr int kNotAnswered = 1;

base::UniqueFd connect_to_desk(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof(address.sun_path)) return {};
  std::memcpy(address.sun_path, path.c_str(), path.size());
  base::UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!socket || ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) return {};
  return socket;
}

bool send_all(int socket, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

ssize_t receive_some(int socket, char* buffer, std::size_t size) {
  ssize_t count = 0;
  do count = ::recv(socket, buffer, size, 0);
  while (count < 0 && errno == EINTR);
  return count;
}

/// The answer without its mark; nothing when there is none.
std::optional<Secret> receive_answer(int socket) {
  char mark = 0;
  if (receive_some(socket, &mark, 1) != 1 || mark != kAskpassAnswer) return std::nullopt;
  // From here on no core dump and no debugger sees us; not before, since jms must find us in /proc to let us ask.
  prctl(PR_SET_DUMPABLE, 0);
  Secret answer;
  std::array<char, 512> buffer;
  while (true) {
    const ssize_t count = receive_some(socket, buffer.data(), buffer.size());
    if (count < 0) return std::nullopt;
    if (count == 0) return answer;
    answer.append({buffer.data(), static_cast<std::size_t>(count)});
    explicit_bzero(buffer.data(), buffer.size());
  }
}

bool print(const Secret& answer) {
  std::string_view rest = answer.view();
  while (!rest.empty()) {
    const ssize_t count = ::write(STDOUT_FILENO, rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    rest.remove_prefix(static_cast<std::size_t>(count));
  }
  return ::write(STDOUT_FILENO, "\n", 1) == 1;
}

AskpassRequest::Hint hint_of_ssh() {
  const std::string hint = base::environment("SSH_ASKPASS_PROMPT");
  if (hint == "confirm") return AskpassRequest::Hint::confirm;
  return hint == "none" ? AskpassRequest::Hint::notice : AskpassRequest::Hint::question;
}

}  // namespace

std::optional<int> run_as_askpass_helper(int argc, char** argv) {
  const std::string path = base::environment(kAskpassVariable);
  if (path.empty() || argc != 2) return std::nullopt;
  const AskpassRequest request{hint_of_ssh(), argv[1]};
  const base::UniqueFd socket = connect_to_desk(path);
  if (!socket || !send_all(socket.get(), to_wire(request))) return kNotAnswered;
  const auto answer = receive_answer(socket.get());
  return answer && print(*answer) ? kAnswered : kNotAnswered;
}

}  // namespace transport
