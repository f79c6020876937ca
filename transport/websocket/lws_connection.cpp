#include "transport/websocket/lws_connection.h"

#include <libwebsockets.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <exception>

namespace transport {
namespace {

constexpr int kMostWritesATurn = 16;      // So that a long queue does not keep reading from its turn.
constexpr std::size_t kMostReason = 123;  // A control frame holds 125 bytes, two of them the code.
// The number that libwebsockets' public header leaves out between the others.
constexpr auto kWriteClose = static_cast<lws_write_protocol>(4);
constexpr int kNoStatus = 1005;
constexpr int kTooBig = 1009;

}  // namespace

LwsConnection::LwsConnection(event::EventLoop& loop, Target target, Events events)
    : loop_(loop), target_(std::move(target)), events_(std::move(events)), dial_(loop) {}

LwsConnection::~LwsConnection() = default;

base::Result<LwsConnection::Pointer> LwsConnection::open(event::EventLoop& loop, Target target, Events events) {
  auto service = LwsService::of(loop);
  if (!service) return base::fail(service.error());
  Pointer made(new LwsConnection(loop, std::move(target), std::move(events)));
  made->service_ = *service;
  // A callback never comes from inside the call that asked for it.
  made->dial_.start(std::chrono::milliseconds(0), [self = made.get()] { self->dial(); });
  return made;
}

void LwsConnection::dial() {
  lws_vhost* host = service_->host_for({target_.secure, target_.ca_file, target_.subprotocol, target_.proxy_address,
                                        target_.proxy_port, target_.proxy_credentials});
  lws_client_connect_info info{};
  info.context = service_->context();
  info.vhost = host;
  info.address = target_.address.c_str();
  info.port = target_.port;
  info.ssl_connection = target_.secure ? LCCSCF_USE_SSL : 0;
  info.path = target_.path.c_str();
  info.host = target_.host.c_str();
  info.origin = target_.origin.empty() ? nullptr : target_.origin.c_str();
  info.protocol = target_.subprotocol.empty() ? nullptr : target_.subprotocol.c_str();
  info.local_protocol_name = LwsService::protocol_name(target_.subprotocol);
  info.opaque_user_data = this;
  info.pwsi = &wsi_;
  ++depth_;
  const lws* made = host ? lws_client_connect_via_info(&info) : nullptr;
  if (!made && !over_) fail(nullptr, "the WebSocket library could not begin");
  --depth_;
  if (released_) delete this;
}

int LwsConnection::on_event(lws* wsi, int reason, void* in, std::size_t size) {
  ++depth_;
  int result = 0;
  try {
    result = handle(wsi, reason, in, size);
  } catch (...) {
    loop_.fail_with(std::current_exception());
    result = -1;
  }
  --depth_;
  if (!released_) return result;
  if (depth_ == 0) {
    lws_set_opaque_user_data(wsi, nullptr);
    delete this;
  }
  const bool may_end_it = reason == LWS_CALLBACK_CLIENT_RECEIVE || reason == LWS_CALLBACK_CLIENT_WRITEABLE ||
                          reason == LWS_CALLBACK_CLIENT_ESTABLISHED || reason == LWS_CALLBACK_CLIENT_RECEIVE_PONG;
  return may_end_it ? -1 : result;
}

int LwsConnection::handle(lws* wsi, int reason, void* in, std::size_t size) {
  switch (reason) {
    case LWS_CALLBACK_WSI_CREATE:
      connected_ = true;
      return 0;
    case LWS_CALLBACK_CLIENT_APPEND_HANDSHAKE_HEADER:
      return append_headers(wsi, static_cast<unsigned char**>(in), size);
    case LWS_CALLBACK_CLIENT_HTTP_REDIRECT:
      http_status_ = static_cast<int>(size);
      location_ = static_cast<const char*>(in);
      return 1;  // Never followed: a redirect here means "sign in", or a wrong address.
    case LWS_CALLBACK_ESTABLISHED_CLIENT_HTTP:
      http_status_ = static_cast<int>(lws_http_client_http_response(wsi));
      return http_status_ == 101 ? 0 : -1;
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
      if (lws_get_socket_fd(wsi) < 0) service_->close_stray_handles(wsi);
      fail(wsi, {static_cast<const char*>(in ? in : ""), in ? size : 0});
      return 0;
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
      open_ = true;
      if (!reading_) lws_rx_flow_control(wsi, 0);
      if (!queue_.empty() || closing_) lws_callback_on_writable(wsi);
      if (const auto call = events_.on_open) call();
      return 0;
    case LWS_CALLBACK_CLIENT_RECEIVE:
      return receive(wsi, {static_cast<const char*>(in), size});
    case LWS_CALLBACK_CLIENT_RECEIVE_PONG:
      if (const auto call = events_.on_pong) call();
      return 0;
    case LWS_CALLBACK_CLIENT_WRITEABLE:
      return write_some(wsi);
    case LWS_CALLBACK_WS_PEER_INITIATED_CLOSE:
      note_peer_close({static_cast<const char*>(in), size});
      return close_sent_ ? -1 : 0;  // An answer to ours is not answered.
    case LWS_CALLBACK_CLIENT_CLOSED:
      report_closed();
      return 0;
    default:
      return 0;
  }
}

int LwsConnection::append_headers(lws* wsi, unsigned char** at, std::size_t room) const {
  // The last moment before the cookie leaves. libwebsockets lets a certificate pass that is not valid yet; we do not.
  if (target_.secure) {
    SSL* ssl = lws_get_ssl(wsi);
    if (!ssl || SSL_get_verify_result(ssl) != X509_V_OK) return -1;
  }
  unsigned char* end = *at + room;
  for (const auto& [name, value] : target_.headers) {
    const std::string field = name + ":";
    if (lws_add_http_header_by_name(wsi, reinterpret_cast<const unsigned char*>(field.c_str()),
                                    reinterpret_cast<const unsigned char*>(value.data()),
                                    static_cast<int>(value.size()), at, end) != 0)
      return -1;
  }
  return 0;
}

int LwsConnection::receive(lws* wsi, std::string_view chunk) {
  if (over_) return -1;
  const MessageKind kind = lws_frame_is_binary(wsi) ? MessageKind::binary : MessageKind::text;
  const bool whole = lws_is_final_fragment(wsi) && lws_remaining_packet_payload(wsi) == 0;
  const auto call = events_.on_message;
  if (whole && message_.empty()) {
    if (call) call(kind, chunk);
    return 0;
  }
  if (message_.size() + chunk.size() > target_.most_message) {
    close_code_ = kTooBig;
    close_reason_ = "a message of the server is larger than can be held";
    write_close(wsi, kTooBig, {});
    return -1;
  }
  message_.append(chunk);
  if (!whole) return 0;
  const std::string message = std::exchange(message_, {});
  if (call) call(kind, message);
  return 0;
}

int LwsConnection::write_some(lws* wsi) {
  if (!open_) return 0;
  for (int written = 0; !queue_.empty() && written < kMostWritesATurn && !lws_send_pipe_choked(wsi); ++written) {
    Outgoing next = std::move(queue_.front());
    queue_.pop_front();
    const std::size_t size = next.bytes.size() - LWS_PRE;
    auto* data = reinterpret_cast<unsigned char*>(next.bytes.data()) + LWS_PRE;
    unsent_ -= size;
    if (lws_write(wsi, data, size, next.kind == MessageKind::text ? LWS_WRITE_TEXT : LWS_WRITE_BINARY) < 0) return -1;
    if (queue_.empty())
      if (const auto call = events_.on_drained) call();
    if (released_) return -1;
  }
  if (!queue_.empty()) {
    lws_callback_on_writable(wsi);
    return 0;
  }
  if (closing_ && !std::exchange(close_sent_, true)) return write_close(wsi, closing_->first, closing_->second);
  if (std::exchange(ping_wanted_, false)) {
    unsigned char buffer[LWS_PRE + 1];
    if (lws_write(wsi, buffer + LWS_PRE, 0, LWS_WRITE_PING) < 0) return -1;
  }
  return 0;
}

/// The close frame by our own hand: with libuv, Debian's libwebsockets hangs up before it sends the one it was asked
/// for.
int LwsConnection::write_close(lws* wsi, int code, std::string_view reason) {
  std::string frame(LWS_PRE, '\0');
  frame += static_cast<char>(code >> 8);
  frame += static_cast<char>(code & 0xff);
  frame += reason.substr(0, kMostReason);
  auto* data = reinterpret_cast<unsigned char*>(frame.data()) + LWS_PRE;
  return lws_write(wsi, data, frame.size() - LWS_PRE, kWriteClose) < 0 ? -1 : 0;
}

void LwsConnection::fail(lws* wsi, std::string_view detail) {
  if (std::exchange(over_, true)) return;
  Failure failure;
  failure.http_status = http_status_;
  failure.location = location_;
  failure.detail = detail.substr(0, detail.find_last_not_of(std::string_view("\r\n\0", 3)) + 1);
  SSL* ssl = wsi && target_.secure ? lws_get_ssl(wsi) : nullptr;
  if (http_status_ != 0) {
    failure.stage = Failure::Stage::handshake;
  } else if (!connected_) {
    failure.stage = Failure::Stage::connect;
  } else if (detail.find("proxy") != std::string_view::npos) {
    failure.stage = Failure::Stage::proxy;
  } else if (ssl && SSL_get_verify_result(ssl) != X509_V_OK) {
    failure.stage = Failure::Stage::tls;
    failure.detail = X509_verify_cert_error_string(SSL_get_verify_result(ssl));
  } else {
    failure.stage =
        target_.secure && !(ssl && SSL_is_init_finished(ssl)) ? Failure::Stage::tls : Failure::Stage::handshake;
  }
  wsi_ = nullptr;
  if (const auto call = std::move(events_.on_failed)) call(std::move(failure));
}

void LwsConnection::note_peer_close(std::string_view payload) {
  close_code_ = kNoStatus;
  if (payload.size() < 2) return;
  close_code_ = static_cast<unsigned char>(payload[0]) * 256 + static_cast<unsigned char>(payload[1]);
  close_reason_ = payload.substr(2);
}

void LwsConnection::report_closed() {
  wsi_ = nullptr;
  open_ = false;
  if (std::exchange(over_, true)) return;
  if (const auto call = std::move(events_.on_closed)) call(close_code_, close_reason_);
}

void LwsConnection::send(MessageKind kind, std::string_view bytes) {
  if (over_ || closing_) return;
  std::string padded;
  padded.reserve(LWS_PRE + bytes.size());
  padded.assign(LWS_PRE, '\0');
  padded.append(bytes);
  unsent_ += bytes.size();
  queue_.push_back({kind, std::move(padded)});
  if (open_ && wsi_) lws_callback_on_writable(wsi_);
}

void LwsConnection::ping() {
  ping_wanted_ = true;
  if (open_ && wsi_) lws_callback_on_writable(wsi_);
}

void LwsConnection::read(bool wanted) {
  if (std::exchange(reading_, wanted) == wanted) return;
  if (open_ && wsi_) lws_rx_flow_control(wsi_, wanted ? 1 : 0);
}

void LwsConnection::close(int code, std::string_view reason) {
  if (over_ || closing_) return;
  closing_.emplace(code, std::string(reason));
  if (open_ && wsi_) lws_callback_on_writable(wsi_);
}

void LwsConnection::release() {
  events_ = {};
  over_ = true;
  released_ = true;
  if (depth_ > 0) return;  // Whoever called us deletes.
  if (wsi_) {
    lws_set_opaque_user_data(wsi_, nullptr);
    lws_set_timeout(wsi_, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
    service_->wake();
  }
  delete this;
}

}  // namespace transport
