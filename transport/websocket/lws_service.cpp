#include "transport/websocket/lws_service.h"

#include <fcntl.h>
#include <libwebsockets.h>
#include <unistd.h>
#include <uv.h>

#include <cstdlib>
#include <set>

#include "transport/websocket/lws_connection.h"

namespace transport {
namespace {

constexpr std::size_t kServiceBuffer = 64 * 1024;  // Read at once, and room for a request with a long cookie.
constexpr unsigned kMostConnections = 64;
// libwebsockets closes its handles in two rounds, each of which takes a turn of the loop.
constexpr int kTurnsToClose = 4;
const char kKey = 0;

int on_event(lws* wsi, lws_callback_reasons reason, void*, void* in, std::size_t size);

std::set<uv_handle_t*> poll_handles(uv_loop_t* loop) {
  std::set<uv_handle_t*> found;
  uv_walk(
      loop,
      [](uv_handle_t* handle, void* into) {
        if (handle->type == UV_POLL) static_cast<std::set<uv_handle_t*>*>(into)->insert(handle);
      },
      &found);
  return found;
}

}  // namespace

base::Result<std::shared_ptr<LwsService>> LwsService::of(event::EventLoop& loop) {
  if (auto kept = loop.kept(&kKey)) return std::static_pointer_cast<LwsService>(kept);
  std::shared_ptr<LwsService> made(new LwsService(loop));
  if (!made->create())
    return base::fail("the WebSocket library cannot be started; install the package libwebsockets-evlib-uv");
  loop.keep(&kKey, made);
  return made;
}

LwsService::LwsService(event::EventLoop& loop) : loop_(loop) {}

bool LwsService::create() {
  // Nothing of libwebsockets' own log may reach the terminal that jms draws on.
  lws_set_log_level(0, nullptr);
  lws_context_creation_info info{};
  void* loops[] = {loop_.native()};
  info.foreign_loops = loops;
  info.port = CONTEXT_PORT_NO_LISTEN;
  info.gid = static_cast<gid_t>(-1);
  info.uid = static_cast<uid_t>(-1);
  info.fd_limit_per_thread = kMostConnections;  // Otherwise tables for every descriptor the process may have.
  info.pt_serv_buf_size = kServiceBuffer;
  info.max_http_header_data = 16 * 1024;
  info.options = LWS_SERVER_OPTION_LIBUV | LWS_SERVER_OPTION_EXPLICIT_VHOSTS | LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
  const auto before = poll_handles(loop_.native());
  context_ = lws_create_context(&info);
  if (!context_) return false;
  for (uv_handle_t* handle : poll_handles(loop_.native()))
    if (!before.count(handle)) uv_fileno(handle, &pipe_fd_);
  return true;
}

LwsService::~LwsService() {
  if (!context_) return;
  lws_context_destroy(context_);
  // The number that is closed once more in the turns below gets a descriptor of ours, so that it hits nothing else.
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const int held = pipe_fd_ < 0 || nothing == pipe_fd_ ? nothing : ::fcntl(nothing, F_DUPFD_CLOEXEC, pipe_fd_);
  if (held != nothing) ::close(nothing);
  for (int turn = 0; turn < kTurnsToClose; ++turn) uv_run(loop_.native(), UV_RUN_NOWAIT);
  lws_context_destroy(context_);
  if (held != pipe_fd_) ::close(held);
}

lws_vhost* LwsService::host_for(const HostKey& key) {
  if (const auto known = hosts_.find(key); known != hosts_.end()) return known->second.vhost;
  Host& host = hosts_[key];
  host.key = key;
  host.protocols = std::make_unique<lws_protocols[]>(2);
  // The name is held by the map's entry, which stays where it is.
  host.protocols[0].name = protocol_name(hosts_.find(key)->first.subprotocol);
  host.protocols[0].callback = on_event;
  host.protocols[0].rx_buffer_size = kServiceBuffer;

  lws_context_creation_info info{};
  info.port = CONTEXT_PORT_NO_LISTEN;
  info.protocols = host.protocols.get();
  const std::string name = "jms-" + std::to_string(hosts_.size());
  info.vhost_name = name.c_str();
  info.options = LWS_SERVER_OPTION_LIBUV;
  if (key.secure) info.options |= LWS_SERVER_OPTION_DO_SSL_GLOBAL_INIT;
  if (!key.ca_file.empty()) info.client_ssl_ca_filepath = key.ca_file.c_str();
  // Always set: libwebsockets would look at http_proxy by itself, without no_proxy.
  std::string proxy = key.proxy_address;
  if (proxy.find(':') != std::string::npos) proxy = "[" + proxy + "]";
  if (!key.proxy_credentials.empty()) proxy = key.proxy_credentials + "@" + proxy;
  info.http_proxy_address = proxy.c_str();
  info.http_proxy_port = static_cast<unsigned>(key.proxy_port);
  host.vhost = lws_create_vhost(context_, &info);
  if (!host.vhost) hosts_.erase(key);
  const auto made = hosts_.find(key);
  return made == hosts_.end() ? nullptr : made->second.vhost;
}

void LwsService::wake() {
  lws_cancel_service(context_);
}

void LwsService::close_stray_handles(lws* wsi) {
  uv_walk(
      loop_.native(),
      [](uv_handle_t* handle, void* owner) {
        if (handle->type != UV_POLL || handle->data != owner || uv_is_closing(handle) || uv_is_active(handle)) return;
        uv_close(handle, [](uv_handle_t* closed) { std::free(closed); });
      },
      wsi);
}

int LwsService::pass_on(LwsConnection& connection, lws* wsi, int reason, void* in, std::size_t size) {
  return connection.on_event(wsi, reason, in, size);
}

namespace {

int on_event(lws* wsi, lws_callback_reasons reason, void*, void* in, std::size_t size) {
  auto* connection = wsi ? static_cast<LwsConnection*>(lws_get_opaque_user_data(wsi)) : nullptr;
  return connection ? LwsService::pass_on(*connection, wsi, reason, in, size) : 0;
}

}  // namespace
}  // namespace transport
