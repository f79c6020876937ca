#include "transport/ssh/socket_link.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <utility>

#include "transport/ssh/config_words.h"

namespace transport {
namespace {

constexpr std::size_t kLongestComplaint = 400;

/// The last line of what a program wrote to its standard error, printable characters only.
std::string last_line(std::string_view text) {
  text = trim_right(text, kConfigSpace);
  const std::size_t start = text.rfind('\n');
  std::string line;
  for (const char c : start == std::string_view::npos ? text : text.substr(start + 1))
    if (static_cast<unsigned char>(c) >= ' ' && c != 0x7f) line += c;
  return line;
}

}  // namespace

SocketLink::SocketLink(event::EventLoop& loop, base::UniqueFd socket)
    : socket_(std::move(socket)),
      watch_(loop, socket_.get(), event::kRead, [this](event::Readiness ready) { on_socket_ready(ready); }) {}

ssize_t SocketLink::receive(char* buffer, std::size_t size) {
  while (true) {
    const ssize_t count = ::recv(socket_.get(), buffer, size, 0);
    if (count >= 0) return count;
    if (errno == EINTR) continue;
    if (errno != EAGAIN && errno != EWOULDBLOCK) return -errno;
    drained_ = true;
    update_interest();
    return -EAGAIN;
  }
}

void SocketLink::send(std::string_view bytes) {
  if (broken_) return;  // The next receive tells why.
  const bool direct = queue_.empty();
  queue_.append(bytes);
  if (!direct) return;
  if (queue_.flush(socket_.get(), base::WriteQueue::Sink::socket) == base::WriteQueue::Outcome::failed) {
    queue_.clear();
    broken_ = true;
  }
  update_interest();
}

void SocketLink::on_socket_ready(event::Readiness ready) {
  const std::weak_ptr<bool> alive = alive_;
  bool worth_telling = ready.read;
  if (ready.write && !queue_.empty()) {
    if (queue_.flush(socket_.get(), base::WriteQueue::Sink::socket) == base::WriteQueue::Outcome::failed) {
      queue_.clear();
      broken_ = true;
    }
    worth_telling = worth_telling || queue_.empty();
  }
  if (ready.read) drained_ = false;
  if (worth_telling) announce();
  // Nobody took what is there (a question is open): to be told again and again would be a busy loop.
  if (!alive.expired()) update_interest();
}

void SocketLink::update_interest() {
  const event::Readiness wanted{drained_, !queue_.empty() && !broken_};
  watch_.want(wanted);
}

base::Result<std::unique_ptr<ProxyCommandLink>> ProxyCommandLink::launch(event::EventLoop& loop,
                                                                         const std::string& command) {
  int pair[2], errors[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return base::fail_errno("starting ProxyCommand");
  base::UniqueFd ours(pair[0]), theirs(pair[1]);
  if (pipe2(errors, O_CLOEXEC) != 0) return base::fail_errno("starting ProxyCommand");
  base::UniqueFd read_errors(errors[0]), write_errors(errors[1]);
  fcntl(ours.get(), F_SETFL, O_NONBLOCK);
  fcntl(read_errors.get(), F_SETFL, O_NONBLOCK);

  event::ChildProcess::Spawn spawn;
  spawn.argv = {"/bin/sh", "-c", "exec " + command};
  spawn.stdin_fd = theirs.get();
  spawn.stdout_fd = theirs.get();
  spawn.stderr_fd = write_errors.get();
  auto child = event::ChildProcess::spawn(loop, spawn, nullptr);
  if (!child) return base::fail(child.error().while_doing("ProxyCommand"));
  std::unique_ptr<ProxyCommandLink> link(new ProxyCommandLink(loop, std::move(ours), std::move(read_errors)));
  link->child_ = std::move(*child);
  return link;
}

ProxyCommandLink::ProxyCommandLink(event::EventLoop& loop, base::UniqueFd socket, base::UniqueFd errors)
    : SocketLink(loop, std::move(socket)),
      errors_(std::move(errors)),
      errors_watch_(loop, errors_.get(), event::kRead, [this](event::Readiness) { read_errors(); }) {}

ProxyCommandLink::~ProxyCommandLink() {
  child_->kill_group(SIGHUP);
}

void ProxyCommandLink::read_errors() {
  std::array<char, 1024> buffer;
  const ssize_t count = ::read(errors_.get(), buffer.data(), buffer.size());
  if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) errors_watch_.want(event::kNothing);
  if (count <= 0) return;
  complaint_.append(buffer.data(), static_cast<std::size_t>(count));
  if (complaint_.size() > kLongestComplaint) complaint_.erase(0, complaint_.size() - kLongestComplaint);
}

std::string ProxyCommandLink::complaint() {
  read_errors();  // The end of its output may be seen before its last words.
  const std::string line = last_line(complaint_);
  return line.empty() ? "the ProxyCommand ended" : "the ProxyCommand says: " + line;
}

}  // namespace transport
