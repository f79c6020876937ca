#pragma once

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace transport {

/// The bytes under one SSH session: a socket, or a channel of the session before it.
///
/// Sending always takes everything: libssh2 must repeat a send that would block with the very same arguments before it
/// may do anything else, so it never gets to see one. The owner looks at unsent() and holds back.
class ByteLink {
 public:
  virtual ~ByteLink() = default;

  /// Up to `size` bytes; 0 at the end; -EAGAIN when there is nothing now; another negative errno when it broke.
  virtual ssize_t receive(char* buffer, std::size_t size) = 0;
  virtual void send(std::string_view bytes) = 0;
  virtual std::size_t unsent() const = 0;

  /// A descriptor libssh2 may hold on to; it never reads or writes it.
  virtual int descriptor() const = 0;
  /// What went wrong below, when there is more to say than an errno ("nc: connection refused").
  virtual std::string complaint() { return ""; }

  /// Called from the loop when there may be bytes to receive, and when unsent() went back to zero.
  void set_on_ready(std::function<void()> callback) { on_ready_ = std::move(callback); }

  /// Tells whoever listens to look again. The callback is copied first: it may replace itself or destroy the link.
  void announce() {
    if (const auto callback = on_ready_) callback();
  }

 private:
  std::function<void()> on_ready_;
};

}  // namespace transport
