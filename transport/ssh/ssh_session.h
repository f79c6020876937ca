#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "transport/ssh/byte_link.h"
#include "transport/ssh/connection_setup.h"
#include "transport/ssh/handshake_sniffer.h"
#include "transport/ssh/openssh_engine.h"
#include "transport/ssh/ssh_config.h"

struct _LIBSSH2_SESSION;

namespace transport {

/// Why the libssh2 that was loaded cannot be used by what was built for another one; empty: it can.
std::string libssh2_mismatch();

/// One libssh2 session over a link, from the first byte to a session that is ready for authentication, and the ground
/// that authentication and channels stand on. Bounded in memory: libssh2 allocates through it.
class SshSession {
 public:
  SshSession(event::EventLoop& loop, std::unique_ptr<ByteLink> link, HostSettings settings);
  ~SshSession();
  SshSession(const SshSession&) = delete;
  SshSession& operator=(const SshSession&) = delete;

  /// Banners, key exchange. `known_types` are the host-key types to ask for first. The decision is `openssh` when the
  /// server offers nothing that libssh2 has; the session is then of no further use.
  base::Result<EngineDecision> handshake(ConnectionSetup& setup, const std::vector<std::string>& known_types,
                                         std::chrono::milliseconds limit);

  std::string host_key() const;
  const std::string& banner() const { return sniffer_.banner(); }
  const HostSettings& settings() const { return settings_; }
  event::EventLoop& loop() { return loop_; }
  _LIBSSH2_SESSION* native() { return session_; }
  ByteLink& link() { return *link_; }

  /// Inside a fiber: repeats a libssh2 call until it does not return EAGAIN any more. The operator's time does not
  /// count against `limit`. kTimedOut and kCancelled end the wait.
  int repeat(ConnectionSetup& setup, std::chrono::milliseconds limit, const std::function<int()>& call);
  static constexpr int kTimedOut = -10'001;
  static constexpr int kCancelled = -10'002;

  /// After setup: called from the loop when the session should be pumped.
  void set_on_ready(std::function<void()> callback) { link_->set_on_ready(std::move(callback)); }

  /// True when the link ended, the server said goodbye, or abandon() was called.
  bool is_over() const { return over_ || !goodbye_.empty(); }
  /// From now on libssh2 finds a dead link: every call ends at once.
  void abandon() { over_ = true; }
  /// The sentence for what ended the session while `doing` ("checking the password"); `status` is libssh2's.
  std::string failure(int status, std::string_view doing) const;

  std::chrono::steady_clock::time_point last_received() const { return last_received_; }
  /// Bytes of SSH_MSG_IGNORE so far: what OpenSSH sends instead of an echo in a password prompt, as much as was typed.
  std::uint64_t mirrored() const { return mirrored_; }

  /// While set, what libssh2 frees is wiped first: it may be a password.
  void set_wiping(bool on) { wiping_ = on; }
  void* allocate(std::size_t size);

  /// What keyboard-interactive calls, from inside the libssh2 call.
  struct Challenge {
    std::string name, instruction;
    struct Prompt {
      std::string text;
      bool echo = false;
    };
    std::vector<Prompt> prompts;
  };
  using Answers = std::vector<Secret>;
  std::function<Answers(const Challenge&)> on_challenge;

 private:
  friend struct SessionCallbacks;

  ssize_t receive(char* buffer, std::size_t size);
  ssize_t take_received(ssize_t count, const char* buffer);
  void release(void* memory);
  void* resize(void* memory, std::size_t size);
  void release_leftovers();
  void set_methods(const AlgorithmLists& wanted);
  AlgorithmLists supported() const;

  event::EventLoop& loop_;
  std::unique_ptr<ByteLink> link_;
  HostSettings settings_;
  HandshakeSniffer sniffer_;
  AlgorithmLists wanted_;
  EngineDecision decision_;
  struct Block;
  Block* blocks_ = nullptr;  ///< Everything libssh2 holds: it forgets some of it when a handshake is cut off.
  std::size_t allocated_ = 0;
  bool wiping_ = false;
  bool over_ = false;
  std::optional<ssize_t> end_;  ///< What the link's end looked like: 0 or -errno.
  bool end_told_ = false;
  std::uint64_t mirrored_ = 0;
  std::string goodbye_;  ///< The text of the server's DISCONNECT.
  std::chrono::steady_clock::time_point last_received_ = std::chrono::steady_clock::now();
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  _LIBSSH2_SESSION* session_ = nullptr;
};

}  // namespace transport
