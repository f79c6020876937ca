#pragma once

// HTTP on the event loop: libcurl does the protocol, event/ does the waiting. Certificates are always checked;
// redirects are not followed, so that a key never travels to another host.

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "event/event_loop.h"

namespace http {

using Headers = std::vector<std::pair<std::string, std::string>>;

/// What to ask of which server.
struct Request {
  std::string method = "POST";
  std::string url;
  std::string unix_socket;  ///< Connect here instead of to the URL's host.
  Headers headers;
  std::string body;
  std::string ca_file;  ///< Trusted besides the system's; empty: none.
  std::string proxy;    ///< Empty: what the environment says.
  std::chrono::milliseconds connect_timeout{10'000};
  std::string address_setting = "base_url";  ///< What the operator calls the URL and the CA file, for messages.
  std::string ca_setting = "ca_file";
};

/// Status and headers of a response.
struct Head {
  int status = 0;
  Headers headers;  ///< Names in lower case.

  std::string_view header(std::string_view name) const;
};

/// Why there is no (whole) response.
struct Failure {
  std::string message;     ///< Names the host, the cause and what to do; never a header or a key.
  bool transient = false;  ///< Another try may help.
};

/// What happens to a request. Callbacks run from the event loop.
struct Events {
  std::function<void(const Head&)> on_head;
  std::function<void(std::string_view)> on_bytes;
  std::function<void(std::optional<Failure>)> on_end;  ///< Once, last.
};

/// Makes requests. Connections are kept and used again.
class Client {
 public:
  /// One request in flight. Destroying it cancels and closes; safe inside a callback.
  class Transfer {
   public:
    virtual ~Transfer() = default;
  };

  explicit Client(event::EventLoop& loop);
  ~Client();

  /// Starts the request and returns at once. What cannot even begin is reported through `on_end`, too.
  [[nodiscard]] std::unique_ptr<Transfer> start(Request request, Events events);

 private:
  class Multi;
  class Job;
  class Handle;
  std::shared_ptr<Multi> multi_;
};

}  // namespace http
