#include "tests/support/bad_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>

#include <array>
#include <stdexcept>

#include "base/write_queue.h"

namespace support {
namespace {

sockaddr_in loopback(int port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return address;
}

}  // namespace

/// One client, and the good server behind it if there is one.
struct BadServer::Connection {
  BadServer& server;
  base::UniqueFd client, good;
  base::WriteQueue to_client;
  std::unique_ptr<event::FdWatch> client_watch, good_watch;

  Connection(BadServer& owner, base::UniqueFd socket) : server(owner), client(std::move(socket)) {
    if (server.good_port_ != 0) {
      good.reset(socket_to_good());
      good_watch =
          std::make_unique<event::FdWatch>(server.loop_, good.get(), event::kRead, [this](auto) { from_good(); });
    }
    client_watch = std::make_unique<event::FdWatch>(server.loop_, client.get(), event::kReadWrite,
                                                    [this](event::Readiness ready) { from_client(ready); });
    if (server.good_port_ == 0) to_client.append(server.text_);
    if (server.good_port_ != 0 && server.after_ == 0) misbehave();
  }

  int socket_to_good() const {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const auto address = loopback(server.good_port_);
    if (connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
      throw std::runtime_error("the good server is gone");
    fcntl(fd, F_SETFL, O_NONBLOCK);
    return fd;
  }

  void from_good() {
    std::array<char, 65536> buffer;
    const std::size_t most = std::min(buffer.size(), server.after_ - server.passed_);
    const ssize_t count = ::recv(good.get(), buffer.data(), most, 0);
    if (count <= 0) {
      good_watch.reset();
      return;
    }
    server.passed_ += static_cast<std::size_t>(count);
    to_client.append({buffer.data(), static_cast<std::size_t>(count)});
    to_client.flush(client.get(), base::WriteQueue::Sink::socket);
    if (server.passed_ >= server.after_) misbehave();
  }

  void from_client(event::Readiness ready) {
    if (ready.write) {
      const auto outcome = to_client.flush(client.get(), base::WriteQueue::Sink::socket);
      if (outcome == base::WriteQueue::Outcome::failed) {
        client_watch.reset();
        return;
      }
      if (outcome == base::WriteQueue::Outcome::empty) {
        client_watch->want(event::kRead);
        if (server.good_port_ == 0) misbehave();
      }
    }
    if (!ready.read || !client_watch) return;
    std::array<char, 65536> buffer;
    const ssize_t count = ::recv(client.get(), buffer.data(), buffer.size(), 0);
    if (count == 0 || (count < 0 && errno != EAGAIN)) {
      client_watch.reset();
    } else if (count > 0 && good) {
      (void)!::send(good.get(), buffer.data(), static_cast<std::size_t>(count), MSG_NOSIGNAL);
    }
  }

  void misbehave() {
    good_watch.reset();
    if (server.then_ == Then::close) shutdown(client.get(), SHUT_RDWR);
    if (server.then_ != Then::garbage) return;
    std::string noise;
    for (unsigned i = 0; i < 4000; ++i) noise += static_cast<char>(i * 2654435761u >> 13);
    to_client.append(noise);
    to_client.flush(client.get(), base::WriteQueue::Sink::socket);
  }
};

BadServer::BadServer(event::EventLoop& loop, std::string text, Then then)
    : loop_(loop), text_(std::move(text)), then_(then) {
  listen();
}

BadServer::BadServer(event::EventLoop& loop, int good_port, std::size_t after, Then then)
    : loop_(loop), good_port_(good_port), after_(after), then_(then) {
  listen();
}

BadServer::~BadServer() = default;

void BadServer::listen() {
  listener_.reset(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  auto address = loopback(0);
  socklen_t size = sizeof address;
  if (bind(listener_.get(), reinterpret_cast<sockaddr*>(&address), size) != 0 || ::listen(listener_.get(), 8) != 0)
    throw std::runtime_error("cannot listen");
  getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &size);
  port_ = ntohs(address.sin_port);
  watch_ = std::make_unique<event::FdWatch>(loop_, listener_.get(), event::kRead, [this](auto) { accept(); });
}

void BadServer::accept() {
  base::UniqueFd client(accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (client) connections_.push_back(std::make_unique<Connection>(*this, std::move(client)));
}

}  // namespace support
