// One attempt to open a WebSocket to one address, with libwebsockets on our event loop. All of libwebsockets stays in
// the .cpp file; what it does not do well is mended there (see the notes).
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "event/event_loop.h"
#include "event/timer.h"
#include "transport/websocket/lws_service.h"

struct lws;

namespace transport {

/// What a WebSocket message claims to hold.
enum class MessageKind { text, binary };

/// A WebSocket client connection. It is a heap object: released from inside one of libwebsockets' callbacks, it lives
/// on until that returns.
class LwsConnection {
 public:
  struct Target {
    std::string address;  ///< Numeric, unless a proxy is used: then the proxy looks the name up.
    int port = 0;
    std::string host;  ///< For the Host header, SNI and the certificate's name.
    bool secure = true;
    std::string path;
    std::string subprotocol;                                   ///< Empty: none offered.
    std::string origin;                                        ///< Empty: no Origin header.
    std::vector<std::pair<std::string, std::string>> headers;  ///< Further ones: Cookie, Authorization.
    std::string ca_file;                                       ///< Trusted besides the system's authorities.
    std::string proxy_address;                                 ///< Numeric; empty: straight to the host.
    int proxy_port = 0;
    std::string proxy_credentials;
    std::size_t most_message = 16 * 1024 * 1024;
  };

  /// Why there is no connection.
  struct Failure {
    enum class Stage { connect, proxy, tls, handshake };
    Stage stage = Stage::connect;
    int http_status = 0;   ///< Of an answer that was not "switch protocols"; 0 when none came.
    std::string location;  ///< Where a redirect points.
    std::string detail;    ///< In the words of the library.
  };

  /// Called from the loop; each may release the connection. After on_failed or on_closed nothing more comes.
  struct Events {
    std::function<void()> on_open;
    std::function<void(MessageKind, std::string_view)> on_message;
    std::function<void()> on_pong;
    std::function<void()> on_drained;
    std::function<void(Failure)> on_failed;
    std::function<void(int code, std::string reason)> on_closed;  ///< 1006 when no close frame came.
  };

  struct Release {
    void operator()(LwsConnection* connection) const { connection->release(); }
  };
  using Pointer = std::unique_ptr<LwsConnection, Release>;

  /// Fails when libwebsockets cannot be used at all.
  static base::Result<Pointer> open(event::EventLoop& loop, Target target, Events events);

  void send(MessageKind kind, std::string_view bytes);
  void ping();
  std::size_t unsent() const { return unsent_; }
  void read(bool wanted);
  /// Sends what waits, then the close frame.
  void close(int code, std::string_view reason);

 private:
  struct Outgoing {
    MessageKind kind;
    std::string bytes;  ///< With the room in front that libwebsockets wants.
  };

  LwsConnection(event::EventLoop& loop, Target target, Events events);
  ~LwsConnection();

  friend class LwsService;
  int on_event(lws* wsi, int reason, void* in, std::size_t size);
  int handle(lws* wsi, int reason, void* in, std::size_t size);
  void dial();
  int append_headers(lws* wsi, unsigned char** at, std::size_t room) const;
  int receive(lws* wsi, std::string_view chunk);
  int write_some(lws* wsi);
  static int write_close(lws* wsi, int code, std::string_view reason);
  void fail(lws* wsi, std::string_view detail);
  void note_peer_close(std::string_view payload);
  void report_closed();
  void release();

  event::EventLoop& loop_;
  Target target_;
  Events events_;
  std::shared_ptr<LwsService> service_;
  lws* wsi_ = nullptr;
  bool open_ = false;
  bool connected_ = false;  ///< TCP is there.
  bool over_ = false;       ///< on_failed or on_closed was called.
  bool released_ = false;
  int depth_ = 0;  ///< How deep we are inside libwebsockets.

  std::deque<Outgoing> queue_;
  std::size_t unsent_ = 0;
  bool ping_wanted_ = false;
  bool reading_ = true;
  std::optional<std::pair<int, std::string>> closing_;
  bool close_sent_ = false;

  std::string message_;  ///< The beginning of a message that comes in pieces.
  int http_status_ = 0;
  std::string location_;
  int close_code_ = 1006;
  std::string close_reason_;

  event::Timer dial_;
};

}  // namespace transport
