#include "bench/ws/bare_client.h"

#include <libwebsockets.h>

#include <stdexcept>

namespace bench {

struct BareClient::Impl {
  BareClient* owner = nullptr;
  lws_context* context = nullptr;
  lws* wsi = nullptr;
  bool open = false, failed = false;
  std::string pending;

  static int on_event(lws* wsi, lws_callback_reasons reason, void*, void* in, std::size_t size) {
    auto* self = static_cast<Impl*>(lws_context_user(lws_get_context(wsi)));
    switch (reason) {
      case LWS_CALLBACK_CLIENT_ESTABLISHED:
        self->open = true;
        break;
      case LWS_CALLBACK_CLIENT_CONNECTION_ERROR:
      case LWS_CALLBACK_CLIENT_CLOSED:
        self->failed = true;
        break;
      case LWS_CALLBACK_CLIENT_RECEIVE:
        if (lws_frame_is_binary(wsi)) self->owner->received += size;
        (void)in;
        break;
      case LWS_CALLBACK_CLIENT_WRITEABLE:
        if (!self->pending.empty()) {
          auto* data = reinterpret_cast<unsigned char*>(self->pending.data()) + LWS_PRE;
          lws_write(wsi, data, self->pending.size() - LWS_PRE, LWS_WRITE_BINARY);
          self->pending.clear();
        }
        break;
      default:
        break;
    }
    return 0;
  }
};

BareClient::BareClient(int port, const std::string& path) : impl_(new Impl) {
  static const lws_protocols protocols[] = {{"bare", Impl::on_event, 0, 65536, 0, nullptr, 0},
                                            {nullptr, nullptr, 0, 0, 0, nullptr, 0}};
  lws_set_log_level(0, nullptr);
  impl_->owner = this;
  lws_context_creation_info info{};
  info.port = CONTEXT_PORT_NO_LISTEN;
  info.protocols = protocols;
  info.user = impl_;
  info.gid = static_cast<gid_t>(-1);
  info.uid = static_cast<uid_t>(-1);
  info.pt_serv_buf_size = 65536;
  info.http_proxy_address = "";
  impl_->context = lws_create_context(&info);
  lws_client_connect_info connect{};
  connect.context = impl_->context;
  connect.address = "127.0.0.1";
  connect.port = port;
  connect.path = path.c_str();
  connect.host = "127.0.0.1";
  connect.local_protocol_name = "bare";
  connect.pwsi = &impl_->wsi;
  lws_client_connect_via_info(&connect);
  run_until([this] { return impl_->open; });
}

BareClient::~BareClient() {
  lws_context_destroy(impl_->context);
  delete impl_;
}

void BareClient::send(std::string_view message) {
  impl_->pending.assign(LWS_PRE, '\0');
  impl_->pending += message;
  lws_callback_on_writable(impl_->wsi);
}

void BareClient::run_until(const std::function<bool()>& done) {
  while (!done()) {
    if (impl_->failed) throw std::runtime_error("the bare client lost its connection");
    lws_service(impl_->context, 0);
  }
}

}  // namespace bench
