#include "transport/ssh/askpass_desk.h"

#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/log.h"

namespace transport {
namespace {

constexpr std::size_t kMostVisitors = 8;       // At once; a helper lives for one question.
constexpr int kMostAdmitted = 400;             // In all: sixteen hops that ask for everything.
constexpr std::chrono::seconds kTimeToAsk(5);  // A helper asks at once.
constexpr int kMostAtOnce = 32;                // Accepted before the loop gets its turn.

base::Result<base::UniqueFd> listen_at(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path)) return base::fail("the path " + path + " is too long for a socket");
  std::memcpy(address.sun_path, path.c_str(), path.size());
  base::UniqueFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket || ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 ||
      ::listen(socket.get(), static_cast<int>(kMostVisitors)) != 0)
    return base::fail_errno("making a socket for the questions of ssh");
  return socket;
}

}  // namespace

base::Result<std::unique_ptr<AskpassDesk>> AskpassDesk::open(event::EventLoop& loop, Events events) {
  auto directory = PrivateDirectory::make();
  if (!directory) return base::fail(directory.error());
  auto socket = listen_at(directory->socket_path());
  if (!socket) return base::fail(socket.error());
  return std::unique_ptr<AskpassDesk>(
      new AskpassDesk(loop, std::move(*directory), std::move(*socket), std::move(events)));
}

AskpassDesk::AskpassDesk(event::EventLoop& loop, PrivateDirectory directory, base::UniqueFd socket, Events events)
    : loop_(loop),
      directory_(std::move(directory)),
      socket_(std::move(socket)),
      events_(std::move(events)),
      watch_(loop, socket_.get(), event::kRead, [this](event::Readiness) { accept_all(); }) {}

AskpassDesk::~AskpassDesk() = default;

void AskpassDesk::accept_all() {
  for (int i = 0; i < kMostAtOnce; ++i) {
    base::UniqueFd socket(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket) return;
    if (!admit(std::move(socket))) base::log_info("somebody who may not has knocked at the questions of ssh");
  }
}

/// Who may not ask is not even read from, and so cannot keep the place of one who may.
bool AskpassDesk::admit(base::UniqueFd socket) {
  ucred peer{};
  socklen_t size = sizeof(peer);
  if (::getsockopt(socket.get(), SOL_SOCKET, SO_PEERCRED, &peer, &size) != 0) return false;
  if (peer.uid != ::geteuid() || ssh_ == 0 || visitors_.size() >= kMostVisitors) return false;
  const auto descent = descent_from(peer.pid, ssh_);
  if (!descent || ++admitted_ > kMostAdmitted) return false;
  auto visitor = std::make_unique<Visitor>();
  visitor->socket = std::move(socket);
  visitor->descent = *descent;
  visitor->deadline = std::make_unique<event::Timer>(loop_);
  visitor->deadline->start(kTimeToAsk, [this, guest = visitor.get()] { drop(*guest); });
  visitor->watch.emplace(loop_, visitor->socket.get(), event::kRead,
                         [this, guest = visitor.get()](event::Readiness) { read(*guest); });
  visitors_.push_back(std::move(visitor));
  return true;
}

void AskpassDesk::read(Visitor& visitor) {
  std::array<char, 4096> buffer;
  while (true) {
    const ssize_t count = ::recv(visitor.socket.get(), buffer.data(), buffer.size(), 0);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    // The end, or anything after the request: whoever asked has gone, or is none of ours.
    if (count <= 0 || visitor.request) return drop(visitor);
    visitor.received.append(buffer.data(), static_cast<std::size_t>(count));
    const AskpassArrival arrival = read_askpass_request(visitor.received);
    if (arrival.state == AskpassArrival::State::broken) return drop(visitor);
    if (arrival.state == AskpassArrival::State::complete) return heard(visitor, arrival.request);
  }
}

void AskpassDesk::heard(Visitor& visitor, const AskpassRequest& request) {
  visitor.request = request;
  std::string().swap(visitor.received);
  visitor.deadline->stop();
  if (request.hint == AskpassRequest::Hint::notice) return events_.on_notice(request.prompt);
  waiting_.push_back(&visitor);
  next();
}

void AskpassDesk::next() {
  if (asking_ != nullptr || waiting_.empty()) return;
  asking_ = waiting_.front();
  waiting_.pop_front();
  events_.on_question({*asking_->request, asking_->descent});
}

void AskpassDesk::answer(const Secret& text) {
  if (asking_ == nullptr) return;
  // It fits into the empty buffer of a socket; of one who does not take it nothing is kept.
  iovec parts[2] = {{const_cast<char*>(&kAskpassAnswer), 1},
                    {const_cast<char*>(text.view().data()), text.view().size()}};
  msghdr message{};
  message.msg_iov = parts;
  message.msg_iovlen = 2;
  (void)!::sendmsg(asking_->socket.get(), &message, MSG_NOSIGNAL | MSG_DONTWAIT);
  refuse();
}

/// Closing without an answer is the refusal.
void AskpassDesk::refuse() {
  Visitor* visitor = std::exchange(asking_, nullptr);
  if (visitor == nullptr) return;
  drop(*visitor);
  loop_.defer([this, alive = std::weak_ptr<bool>(alive_)] {
    if (!alive.expired()) next();
  });
}

void AskpassDesk::drop(Visitor& visitor) {
  const bool was_asking = asking_ == &visitor;
  if (was_asking) asking_ = nullptr;
  std::erase(waiting_, &visitor);
  std::erase_if(visitors_, [&](auto& one) { return one.get() == &visitor; });
  if (!was_asking) return;
  events_.on_withdrawn();
  next();
}

}  // namespace transport
