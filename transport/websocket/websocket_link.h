#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "event/event_loop.h"
#include "event/resolver.h"
#include "event/timer.h"
#include "transport/websocket/lws_connection.h"
#include "transport/websocket/websocket_url.h"

namespace transport {

/// A WebSocket to a server: messages in, messages out. Looks the name up, takes the proxy of the environment, tries
/// each address, and explains a refusal. Destroying it at any moment, also inside its callbacks, ends it.
class WebSocketLink {
 public:
  struct Request {
    WebSocketUrl url;
    std::vector<std::pair<std::string, std::string>> headers;  ///< Cookie, Authorization …
    std::string subprotocol;                                   ///< Empty: none offered.
    std::string origin;                               ///< Empty: none sent, as of a program that is no browser.
    std::string ca_file;                              ///< An authority trusted besides the system's.
    std::chrono::milliseconds connect_limit{20'000};  ///< For all of it, from the look-up to the upgrade.
    std::size_t most_message = 16 * 1024 * 1024;
  };

  /// How it ended.
  struct End {
    enum class Kind {
      refused,  ///< The server answered, but not with a WebSocket; `http_status` says how.
      failed,   ///< No connection came about.
      closed,   ///< The server sent a close frame; `code` holds its reason. Or we closed, and it agreed.
      lost,     ///< The connection broke.
    };
    Kind kind = Kind::lost;
    int http_status = 0;
    std::string location;  ///< Where a redirect points.
    int code = 0;          ///< Of the close frame; 1005 when it held none.
    std::string reason;    ///< A sentence for the operator; of a close frame, the server's own words.
  };

  /// Called from the loop, never from inside a call to the link. on_end comes once and last.
  struct Events {
    std::function<void()> on_open;
    std::function<void(MessageKind, std::string_view)> on_message;
    std::function<void()> on_drained;  ///< unsent() is zero again.
    std::function<void(End)> on_end;
  };

  WebSocketLink(event::EventLoop& loop, Request request);
  ~WebSocketLink();

  void start(Events events);

  bool is_open() const { return open_; }
  /// One message; it is never joined with another or divided.
  void send(MessageKind kind, std::string_view bytes);
  std::size_t unsent() const;
  /// A ping of the WebSocket protocol; its answer only counts as a sign of life.
  void ping();
  /// When anything last came from the server.
  std::chrono::steady_clock::time_point last_heard() const { return last_heard_; }

  void pause_reading();
  void resume_reading();

  /// Sends the close frame after what still waits. on_end follows within a second, whatever the server does.
  void close(int code = 1000, std::string_view reason = {});

 private:
  void look_up();
  void dial(std::vector<event::Address> addresses);
  void dial_next();
  LwsConnection::Target target_for(const event::Address& address) const;
  LwsConnection::Events events_for_connection();
  void on_failed(const LwsConnection::Failure& failure);
  void finish(End end);

  event::EventLoop& loop_;
  Request request_;
  Events events_;
  std::optional<HttpProxy> proxy_;
  std::unique_ptr<event::Resolver> resolver_;
  std::vector<event::Address> addresses_;  ///< Not tried yet, best last.
  LwsConnection::Pointer connection_;
  bool open_ = false;
  bool paused_ = false;
  bool closing_ = false;
  std::chrono::steady_clock::time_point last_heard_{};
  event::Timer limit_;
};

/// Stands in the explanation of a refusal that a fresh sign-in may mend.
inline constexpr std::string_view kSignInAgain = "; sign in again (HTTP ";

/// What a refused upgrade means and what to do about it, for the operator.
std::string explain_refusal(int http_status, std::string_view location, const WebSocketUrl& url);

/// What goes behind "… closed the connection": the server's own words, or what its close code means.
std::string explain_close(int code, std::string_view reason);

}  // namespace transport
