#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "event/event_loop.h"

// A small HTTP/1.1 server on the test's own event loop, on a loopback port or a unix socket, with or without TLS. It
// answers with scripts: bytes, pauses, an abrupt end.
namespace test_server {

struct HttpRequest {
  std::string method, target;
  std::map<std::string, std::string> headers;  ///< Names in lower case; repeated ones joined with a comma.
  std::string body;
};

/// One step of an answer: wait, then send.
struct Step {
  std::string bytes;
  std::chrono::milliseconds pause{0};
};

/// A connection that left HTTP behind: bytes in, bytes out. The server owns the socket; whoever took the stream keeps
/// it alive as long as it likes.
class Stream {
 public:
  virtual ~Stream() = default;
  virtual void send(std::string_view bytes) = 0;
  virtual std::size_t unsent() const = 0;
  virtual void pause_reading(bool paused) = 0;
  /// Ends the connection once everything is sent; `at_once` ends it with a reset.
  virtual void close(bool at_once = false) = 0;

  std::function<void(std::string_view)> on_bytes;
  std::function<void()> on_drained;
  std::function<void()> on_end;  ///< The client is gone.
};

/// What goes over the wire, exactly.
struct Reply {
  std::vector<Step> steps;
  enum class Then { keep, close, hang } then = Then::keep;
  std::function<void(std::shared_ptr<Stream>)> take_over;  ///< Set: after the steps the connection is no longer HTTP.
};

/// A whole response with a content-length.
Reply reply(int status, const std::string& body, const std::vector<std::pair<std::string, std::string>>& headers = {});
/// An event stream that ends with the connection.
Reply stream_reply(const std::string& body, Reply::Then then = Reply::Then::close);

class HttpServer {
 public:
  using Handler = std::function<Reply(const HttpRequest&)>;

  struct Options {
    std::string certificate, key;  ///< PEM files; empty: no TLS.
    std::string unix_path;         ///< Instead of a port.
    bool proxy = false;            ///< Takes CONNECT and then plays the server itself, with TLS.
  };

  HttpServer(event::EventLoop& loop, Handler handler, Options options);
  HttpServer(event::EventLoop& loop, Handler handler) : HttpServer(loop, std::move(handler), Options()) {}
  ~HttpServer();

  int port() const { return port_; }
  /// "http://127.0.0.1:PORT" (https with TLS).
  std::string url() const;
  int connections() const { return connections_; }
  int open_connections() const;
  const std::vector<std::string>& connect_targets() const { return connect_targets_; }

 private:
  class Connection;
  class Taken;
  struct Tls;

  void accept_one();
  void forget(Connection* connection);

  event::EventLoop& loop_;
  Handler handler_;
  Options options_;
  std::unique_ptr<Tls> tls_;
  int listener_ = -1;
  int port_ = 0;
  int connections_ = 0;
  std::vector<std::string> connect_targets_;
  std::unique_ptr<class ListenWatch> watch_;
  std::map<Connection*, std::unique_ptr<Connection>> open_;
  std::vector<std::unique_ptr<Connection>> ended_;
};

}  // namespace test_server
