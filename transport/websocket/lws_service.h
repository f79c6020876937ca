// libwebsockets on our loop. Its context is made once for each loop and lives as long as that: to end one, version 4.1
// closes a descriptor of its own twice, and in between that number may already belong to something else.
#pragma once

#include <compare>
#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "base/result.h"
#include "event/event_loop.h"

struct lws;
struct lws_context;
struct lws_protocols;
struct lws_vhost;

namespace transport {

class LwsConnection;

/// libwebsockets' part in one event loop.
class LwsService {
 public:
  /// What connections must have in common to share settings inside libwebsockets ("vhost").
  struct HostKey {
    bool secure = true;
    std::string ca_file;
    std::string subprotocol;
    std::string proxy_address;  ///< Numeric; empty: none.
    int proxy_port = 0;
    std::string proxy_credentials;

    auto operator<=>(const HostKey&) const = default;
  };

  /// The loop's own; made when it is first wanted.
  static base::Result<std::shared_ptr<LwsService>> of(event::EventLoop& loop);
  ~LwsService();
  LwsService(const LwsService&) = delete;
  LwsService& operator=(const LwsService&) = delete;

  lws_context* context() { return context_; }
  /// Nothing when the settings do not work.
  lws_vhost* host_for(const HostKey& key);
  static const char* protocol_name(const std::string& subprotocol) {
    return subprotocol.empty() ? "jms" : subprotocol.c_str();
  }

  /// Makes libwebsockets look at what changed from outside its callbacks.
  void wake();

  /// When a connection attempt is refused, libwebsockets 4.1 closes the socket and forgets the libuv handle that
  /// watched it; the loop could then never be closed. To be called while `wsi` is still there.
  void close_stray_handles(lws* wsi);

  /// From libwebsockets' callback to the connection it is about.
  static int pass_on(LwsConnection& connection, lws* wsi, int reason, void* in, std::size_t size);

 private:
  explicit LwsService(event::EventLoop& loop);
  bool create();

  /// What libwebsockets keeps pointing at.
  struct Host {
    HostKey key;
    std::unique_ptr<lws_protocols[]> protocols;
    lws_vhost* vhost = nullptr;
  };

  event::EventLoop& loop_;
  lws_context* context_ = nullptr;
  int pipe_fd_ = -1;  ///< The descriptor that would be closed twice.
  std::map<HostKey, Host> hosts_;
};

}  // namespace transport
