#include "transport/websocket/websocket_link.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>

namespace transport {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kCloseFrameLimit(1000);
constexpr int kAbnormal = 1006;

bool is_redirect(int status) {
  return status >= 300 && status < 400;
}

}  // namespace

std::string explain_refusal(int status, std::string_view location, const WebSocketUrl& url) {
  const std::string host = url.authority();
  const std::string number = " (HTTP " + std::to_string(status) + ")";
  if (is_redirect(status)) {
    if (location.find("login") != std::string_view::npos)
      return "you are not signed in to " + host + ", or the sign-in has expired; sign in again" + number;
    return host + " sends us elsewhere, to " + std::string(location.substr(0, 200)) + "; use that address" + number;
  }
  switch (status) {
    case 200:
      return host + " answers with a web page, not with a WebSocket; check the address and its path" + number;
    case 401:
      return host + " does not accept the credentials, or wants some; sign in again" + number;
    case 403:
      return host +
             " forbids this connection: this account may not use it, or a gateway in front of it blocks "
             "WebSockets; ask its administrator" +
             number;
    case 404:
      return host + " has no terminal at this address; check the path, or whether the service is installed" + number;
    case 407:
      return "a proxy on the way to " + host + " wants a user and password; put them into https_proxy" + number;
    case 429:
      return host + " has had too many requests; wait a moment and try again" + number;
    case 500:
      return host + " failed inside; its administrator finds the cause in its log" + number;
    case 502:
    case 503:
    case 504:
      return "the gateway at " + host +
             " answers, but the service behind it does not: it is starting, down or in maintenance; try again later" +
             number;
    default:
      return host + " refuses the WebSocket" + number;
  }
}

std::string explain_close(int code, std::string_view reason) {
  if (!reason.empty()) return ": " + std::string(reason);
  const auto meaning = [code] {
    switch (code) {
      case 1001:
        return ": it is shutting down or restarting";
      case 1002:
        // libwebsockets tells 1012 to 1014, which are younger than its list, as this one.
        return ": it restarts or is overloaded, or one side did not keep to the protocol; try again later";
      case 1003:
      case 1007:
        return ": it could not read what was sent to it";
      case 1008:
        return ": its policy does not allow it";
      case 1009:
        return ": a message was too long for it";
      case 1011:
        return ": it failed inside";
      default:
        return "";
    }
  };
  return meaning() + (" (" + std::to_string(code) + ")");
}

WebSocketLink::WebSocketLink(event::EventLoop& loop, Request request)
    : loop_(loop), request_(std::move(request)), limit_(loop) {}

WebSocketLink::~WebSocketLink() = default;

void WebSocketLink::start(Events events) {
  events_ = std::move(events);
  limit_.start(request_.connect_limit, [this] {
    finish({End::Kind::failed,
            0,
            {},
            0,
            request_.url.authority() + " did not answer within " +
                std::to_string((request_.connect_limit.count() + 999) / 1000) + " s"});
  });
  look_up();
}

void WebSocketLink::look_up() {
  auto proxy = proxy_from_environment(request_.url);
  std::string trouble = proxy ? "" : proxy.error().message;
  if (trouble.empty() && !request_.ca_file.empty() && ::access(request_.ca_file.c_str(), R_OK) != 0)
    trouble = "cannot read the certificate authority's file " + request_.ca_file;
  if (!trouble.empty()) {
    limit_.start(milliseconds(0), [this, trouble] { finish({End::Kind::failed, 0, {}, 0, trouble}); });
    return;
  }
  proxy_ = *proxy;
  const std::string& host = proxy_ ? proxy_->host : request_.url.host;
  resolver_ = std::make_unique<event::Resolver>(
      loop_, host, proxy_ ? proxy_->port : request_.url.port, AF_UNSPEC,
      [this, host](base::Result<std::vector<event::Address>> found) {
        if (!found || found->empty())
          return finish({End::Kind::failed,
                         0,
                         {},
                         0,
                         "cannot find the address of " + host + (found ? "" : ": " + found.error().message)});
        dial(std::move(*found));
      });
}

void WebSocketLink::dial(std::vector<event::Address> addresses) {
  addresses_ = std::move(addresses);
  std::reverse(addresses_.begin(), addresses_.end());
  dial_next();
}

void WebSocketLink::dial_next() {
  const event::Address address = addresses_.back();
  addresses_.pop_back();
  auto opened = LwsConnection::open(loop_, target_for(address), events_for_connection());
  if (!opened) return finish({End::Kind::failed, 0, {}, 0, opened.error().message});
  connection_ = std::move(*opened);
  if (paused_) connection_->read(false);
}

LwsConnection::Target WebSocketLink::target_for(const event::Address& address) const {
  LwsConnection::Target target;
  target.address = proxy_ ? request_.url.host : address.text();
  target.port = request_.url.port;
  target.host = request_.url.authority();
  target.secure = request_.url.secure;
  target.path = request_.url.path;
  target.subprotocol = request_.subprotocol;
  target.origin = request_.origin;
  target.headers = request_.headers;
  target.ca_file = request_.ca_file;
  target.most_message = request_.most_message;
  if (proxy_) {
    target.proxy_address = address.text();
    target.proxy_port = proxy_->port;
    target.proxy_credentials = proxy_->credentials;
  }
  return target;
}

LwsConnection::Events WebSocketLink::events_for_connection() {
  LwsConnection::Events events;
  events.on_open = [this] {
    limit_.stop();
    open_ = true;
    last_heard_ = std::chrono::steady_clock::now();
    if (const auto call = events_.on_open) call();
  };
  events.on_message = [this](MessageKind kind, std::string_view bytes) {
    last_heard_ = std::chrono::steady_clock::now();
    if (const auto call = events_.on_message) call(kind, bytes);
  };
  events.on_pong = [this] { last_heard_ = std::chrono::steady_clock::now(); };
  events.on_drained = [this] {
    if (const auto call = events_.on_drained) call();
  };
  events.on_failed = [this](const LwsConnection::Failure& failure) { on_failed(failure); };
  events.on_closed = [this](int code, std::string reason) {
    // When we close, the answer to our close frame is not told apart from a hang-up.
    const bool orderly = code != kAbnormal || closing_;
    finish({orderly ? End::Kind::closed : End::Kind::lost,
            0,
            {},
            code,
            orderly ? std::move(reason) : "the connection to " + request_.url.authority() + " broke"});
  };
  return events;
}

void WebSocketLink::on_failed(const LwsConnection::Failure& failure) {
  using Stage = LwsConnection::Failure::Stage;
  const std::string host = request_.url.authority();
  if (failure.stage == Stage::connect && !addresses_.empty()) return dial_next();
  End end{End::Kind::failed, failure.http_status, failure.location, 0, {}};
  switch (failure.stage) {
    case Stage::connect:
      end.reason = proxy_
                       ? "the proxy " + proxy_->host + ":" + std::to_string(proxy_->port) +
                             " of the environment cannot be reached"
                       : "cannot connect to " + host + ": nothing accepts connections there, or a firewall is between";
      break;
    case Stage::proxy:
      end.reason = "the proxy " + proxy_->host + ":" + std::to_string(proxy_->port) +
                   " of the environment does not let us "
                   "through to " +
                   host;
      break;
    case Stage::tls:
      end.reason = "the TLS connection to " + host + " is not safe and was given up: " + failure.detail +
                   "; if the server has a certificate of your company, name its authority's file (ca_file)";
      break;
    case Stage::handshake:
      end.kind = failure.http_status ? End::Kind::refused : End::Kind::failed;
      end.reason = failure.http_status ? explain_refusal(failure.http_status, failure.location, request_.url)
                                       : host + " does not speak WebSocket: " + failure.detail;
      break;
  }
  finish(std::move(end));
}

void WebSocketLink::send(MessageKind kind, std::string_view bytes) {
  if (connection_) connection_->send(kind, bytes);
}

std::size_t WebSocketLink::unsent() const {
  return connection_ ? connection_->unsent() : 0;
}

void WebSocketLink::ping() {
  if (open_ && connection_) connection_->ping();
}

void WebSocketLink::pause_reading() {
  paused_ = true;
  if (connection_) connection_->read(false);
}

void WebSocketLink::resume_reading() {
  paused_ = false;
  last_heard_ = std::chrono::steady_clock::now();
  if (connection_) connection_->read(true);
}

void WebSocketLink::close(int code, std::string_view reason) {
  if (closing_) return;
  closing_ = true;
  if (open_) connection_->close(code, reason);
  limit_.start(open_ ? kCloseFrameLimit : milliseconds(0), [this, code] {
    finish({End::Kind::closed, 0, {}, code, {}});
  });
}

void WebSocketLink::finish(End end) {
  limit_.stop();
  resolver_.reset();
  connection_.reset();
  open_ = false;
  const auto call = std::move(events_.on_end);
  events_ = {};
  if (call) call(std::move(end));
}

}  // namespace transport
