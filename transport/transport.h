#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/size.h"

namespace transport {

/// How much of what is typed before the session stands is kept for it.
inline constexpr std::size_t kMostEarly = 64 * 1024;

/// How a session ended.
struct Closed {
  enum class Kind {
    ended,  ///< The remote shell ended by itself; `exit_code` says how.
    lost,   ///< The link broke, or never came up; `reason` says why.
  };
  Kind kind = Kind::ended;
  std::optional<int> exit_code;  ///< 128 + signal when a signal ended the shell; nothing when unknown.
  std::string reason;            ///< A sentence for the operator; may be empty for a plain end.
};

/// A remote terminal as bytes in and bytes out.
///
/// Nothing here blocks. Callbacks come from the event loop, never from inside a call to the transport; on_closed comes
/// once and last. Either callback may destroy the transport.
class Transport {
 public:
  struct Events {
    std::function<void(std::string_view)> on_bytes;
    std::function<void(Closed)> on_closed;
    std::function<void()>
        on_drained;  ///< unsent() went back to zero after send() could not deliver at once. May be empty.
  };

  virtual ~Transport() = default;

  virtual void start(Events events) = 0;

  /// Takes all of `bytes` and delivers them in order. The caller looks at unsent() and holds back when it grows.
  virtual void send(std::string_view bytes) = 0;
  /// Bytes taken by send() that the remote has not accepted yet.
  virtual std::size_t unsent() const = 0;

  virtual void resize(base::Size size) = 0;

  /// Flow control: while paused nothing is read, so the remote is braked and our memory stays bounded.
  virtual void pause_reading() = 0;
  virtual void resume_reading() = 0;

  /// Ends the session; on_closed follows.
  virtual void close() = 0;
};

}  // namespace transport
