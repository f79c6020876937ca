#include "tests/support/http_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <deque>
#include <optional>
#include <stdexcept>

#include "event/fd_watch.h"
#include "event/timer.h"

namespace test_server {

Reply reply(int status, const std::string& body, const std::vector<std::pair<std::string, std::string>>& headers) {
  std::string head =
      "HTTP/1.1 " + std::to_string(status) + " Status\r\ncontent-length: " + std::to_string(body.size()) + "\r\n";
  for (const auto& [name, value] : headers) head += name + ": " + value + "\r\n";
  return {{{head + "\r\n" + body}}};
}

Reply stream_reply(const std::string& body, Reply::Then then) {
  return {
      {{"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\nrequest-id: req_1\r\n\r\n" + body}},
      then};
}

class ListenWatch {
 public:
  ListenWatch(event::EventLoop& loop, int fd, std::function<void()> ready)
      : watch_(loop, fd, event::kRead, [ready = std::move(ready)](event::Readiness) { ready(); }) {}

 private:
  event::FdWatch watch_;
};

struct HttpServer::Tls {
  SSL_CTX* context = SSL_CTX_new(TLS_server_method());
  Tls(const std::string& certificate, const std::string& key) {
    if (SSL_CTX_use_certificate_chain_file(context, certificate.c_str()) != 1 ||
        SSL_CTX_use_PrivateKey_file(context, key.c_str(), SSL_FILETYPE_PEM) != 1)
      throw std::runtime_error("cannot load the test certificate");
  }
  ~Tls() { SSL_CTX_free(context); }
};

/// The stream of a connection that was taken over; outlives it.
class HttpServer::Taken final : public Stream {
 public:
  explicit Taken(Connection& connection) : connection_(&connection) {}
  void send(std::string_view bytes) override;
  std::size_t unsent() const override;
  void pause_reading(bool paused) override;
  void close(bool at_once) override;
  void cut() { connection_ = nullptr; }

 private:
  Connection* connection_;
};

class HttpServer::Connection {
 public:
  Connection(HttpServer& server, int fd, bool secure)
      : server_(server),
        fd_(fd),
        timer_(server.loop_),
        watch_(std::in_place, server.loop_, fd, event::kRead, [this](event::Readiness ready) { pump(ready); }) {
    if (secure) begin_tls();
  }
  ~Connection() {
    if (taken_) taken_->cut();
    close_socket();
  }

  void send(std::string_view bytes) {
    out_.append(bytes);
    write_some();
  }
  std::size_t unsent() const { return out_.size() - sent_; }
  void pause_reading(bool paused) {
    paused_ = paused;
    update_interest();
  }
  void close(bool at_once) {
    closing_ = true;
    if (at_once) {
      const linger hard{1, 0};
      ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
      return end();
    }
    write_some();
  }

 private:
  void begin_tls() {
    ssl_ = SSL_new(server_.tls_->context);
    SSL_set_fd(ssl_, fd_);
    SSL_set_accept_state(ssl_);
  }

  void pump(event::Readiness ready) {
    if (taken_ && paused_ && !ready.write) return;
    const bool there = (taken_ && paused_) || read_some();
    if (taken_) deliver();
    if (!there) return end();
    while (!taken_ && take_request()) {
    }
    write_some();
  }

  void deliver() {
    if (inbox_.empty()) return;
    const std::string bytes = std::exchange(inbox_, {});
    const auto held = taken_;
    const auto call = held->on_bytes;
    if (call) call(bytes);
  }

  void update_interest() {
    if (watch_) watch_->want({!paused_, unsent() > 0});
  }

  /// False when the client has gone.
  bool read_some() {
    char buffer[65536];
    for (;;) {
      ssize_t count = 0;
      if (ssl_) {
        count = SSL_read(ssl_, buffer, sizeof buffer);
        if (count <= 0) {
          const int why = SSL_get_error(ssl_, static_cast<int>(count));
          ERR_clear_error();
          return why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE;
        }
      } else {
        count = ::read(fd_, buffer, sizeof buffer);
        if (count <= 0) return count < 0 && errno == EAGAIN;
      }
      inbox_.append(buffer, static_cast<std::size_t>(count));
      if (taken_ && inbox_.size() > sizeof buffer) return true;
    }
  }

  bool take_request() {
    const auto head_end = inbox_.find("\r\n\r\n");
    if (head_end == std::string::npos || busy_) return false;
    HttpRequest request = parse_head(inbox_.substr(0, head_end));
    const auto length = request.headers.count("content-length") ? std::stoul(request.headers["content-length"]) : 0;
    if (inbox_.size() < head_end + 4 + length) return false;
    request.body = inbox_.substr(head_end + 4, length);
    inbox_.erase(0, head_end + 4 + length);
    if (request.method == "CONNECT" && server_.options_.proxy) {
      server_.connect_targets_.push_back(request.target);
      const std::string yes = "HTTP/1.1 200 Connection established\r\n\r\n";
      (void)!::write(fd_, yes.data(), yes.size());
      begin_tls();
      return false;
    }
    Reply answer = server_.handler_(request);
    steps_.assign(answer.steps.begin(), answer.steps.end());
    then_ = answer.then;
    take_over_ = std::move(answer.take_over);
    busy_ = true;
    next_step();
    return true;
  }

  static HttpRequest parse_head(const std::string& head) {
    HttpRequest request;
    const auto line_end = head.find("\r\n");
    const std::string line = head.substr(0, line_end);
    const auto first = line.find(' '), second = line.rfind(' ');
    request.method = line.substr(0, first);
    request.target = line.substr(first + 1, second - first - 1);
    for (auto at = line_end; at != std::string::npos;) {
      const auto next = head.find("\r\n", at + 2);
      const std::string field = head.substr(at + 2, next == std::string::npos ? next : next - at - 2);
      const auto colon = field.find(':');
      if (colon != std::string::npos) {
        std::string name = field.substr(0, colon);
        std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
        const auto value = field.find_first_not_of(' ', colon + 1);
        std::string& slot = request.headers[name];
        slot += (slot.empty() ? "" : ",") + (value == std::string::npos ? "" : field.substr(value));
      }
      at = next;
    }
    return request;
  }

  void next_step() {
    if (steps_.empty()) {
      if (take_over_) {
        taken_ = std::make_shared<Taken>(*this);
        std::exchange(take_over_, {})(taken_);
        return;
      }
      busy_ = false;
      if (then_ == Reply::Then::close) closing_ = true;
      if (then_ == Reply::Then::hang) busy_ = true;
      return;
    }
    const auto pause = steps_.front().pause;
    if (pause.count() == 0) {
      out_ += steps_.front().bytes;
      steps_.pop_front();
      return next_step();
    }
    timer_.start(pause, [this] {
      steps_.front().pause = {};
      next_step();
      write_some();
    });
  }

  void write_some() {
    if (ended_) return;
    const bool had = unsent() > 0;
    while (sent_ < out_.size()) {
      ssize_t count = 0;
      if (ssl_)
        count = SSL_write(ssl_, out_.data() + sent_, static_cast<int>(out_.size() - sent_));
      else
        count = ::write(fd_, out_.data() + sent_, out_.size() - sent_);
      if (count <= 0) {
        if (!ssl_ && errno != EAGAIN) return end();
        if (ssl_) {
          const int why = SSL_get_error(ssl_, static_cast<int>(count));
          ERR_clear_error();
          if (why != SSL_ERROR_WANT_READ && why != SSL_ERROR_WANT_WRITE) return end();
        }
        update_interest();
        return;
      }
      sent_ += static_cast<std::size_t>(count);
    }
    out_.clear();
    sent_ = 0;
    update_interest();
    if (closing_) {
      if (ssl_) SSL_shutdown(ssl_);
      return end();
    }
    if (!had || !taken_) return;
    const auto held = taken_;
    if (const auto call = held->on_drained) call();
  }

  void end() {
    if (std::exchange(ended_, true)) return;
    timer_.stop();
    close_socket();
    if (const auto held = std::exchange(taken_, nullptr)) {
      held->cut();
      if (const auto call = held->on_end) call();
    }
    server_.forget(this);
  }

  void close_socket() {
    watch_.reset();
    if (ssl_) SSL_free(std::exchange(ssl_, nullptr));
    if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  }

  HttpServer& server_;
  int fd_;
  event::Timer timer_;
  SSL* ssl_ = nullptr;
  std::string inbox_, out_;
  std::size_t sent_ = 0;  ///< Of out_.
  bool paused_ = false;
  std::function<void(std::shared_ptr<Stream>)> take_over_;
  std::shared_ptr<Taken> taken_;
  std::deque<Step> steps_;
  Reply::Then then_ = Reply::Then::keep;
  bool busy_ = false, closing_ = false, ended_ = false;
  std::optional<event::FdWatch> watch_;
};

void HttpServer::Taken::send(std::string_view bytes) {
  if (connection_) connection_->send(bytes);
}
std::size_t HttpServer::Taken::unsent() const {
  return connection_ ? connection_->unsent() : 0;
}
void HttpServer::Taken::pause_reading(bool paused) {
  if (connection_) connection_->pause_reading(paused);
}
void HttpServer::Taken::close(bool at_once) {
  if (connection_) connection_->close(at_once);
}

HttpServer::HttpServer(event::EventLoop& loop, Handler handler, Options options)
    : loop_(loop), handler_(std::move(handler)), options_(std::move(options)) {
  signal(SIGPIPE, SIG_IGN);
  if (!options_.certificate.empty()) tls_ = std::make_unique<Tls>(options_.certificate, options_.key);
  if (!options_.unix_path.empty()) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, options_.unix_path.c_str(), sizeof address.sun_path - 1);
    listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) throw std::runtime_error("bind");
  } else {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) throw std::runtime_error("bind");
    socklen_t size = sizeof address;
    ::getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
  }
  ::listen(listener_, 128);
  watch_ = std::make_unique<ListenWatch>(loop_, listener_, [this] { accept_one(); });
}

HttpServer::~HttpServer() {
  watch_.reset();
  open_.clear();
  ended_.clear();
  ::close(listener_);
}

std::string HttpServer::url() const {
  return std::string(tls_ && !options_.proxy ? "https" : "http") + "://127.0.0.1:" + std::to_string(port_);
}

int HttpServer::open_connections() const {
  return static_cast<int>(open_.size());
}

void HttpServer::accept_one() {
  const int fd = ::accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (fd < 0) return;
  ended_.clear();
  const int on = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  ++connections_;
  auto connection = std::make_unique<Connection>(*this, fd, tls_ && !options_.proxy);
  Connection* key = connection.get();
  open_[key] = std::move(connection);
}

void HttpServer::forget(Connection* connection) {
  // Not destroyed now: it is running.
  auto node = open_.extract(connection);
  if (!node.empty()) ended_.push_back(std::move(node.mapped()));
}

}  // namespace test_server
