#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "tests/support/temp_dir.h"

namespace support {

/// Makes a key pair with ssh-keygen and returns the path of the private half.
std::string make_key(const TempDir& dir, const std::string& name, const std::vector<std::string>& arguments = {});
/// "type base64" of a key made so.
std::string public_half(const std::string& key_path);

/// A real server on a free port of the loopback with fresh keys and its own directory: OpenSSH's sshd, or dropbear.
class Sshd {
 public:
  struct Options {
    std::vector<std::string> host_keys{"ed25519"};  ///< Types.
    std::string config;                             ///< Lines of sshd_config that go first, and so win.
    /// Lets the user who runs the tests sign in with this password: the server runs in a mount namespace with a shadow
    /// file of its own, and the machine outside is left alone. Needs can_hide_files().
    std::string password;
    /// dropbear reads keys below the home directory only, so it gets a home of its own in the same way.
    bool dropbear = false;
  };

  Sshd() : Sshd(Options{}) {}
  explicit Sshd(Options options);
  ~Sshd();
  Sshd(const Sshd&) = delete;
  Sshd& operator=(const Sshd&) = delete;

  /// Root, and mount namespaces are allowed.
  static bool can_hide_files();

  int port() const { return port_; }
  pid_t pid() const { return pid_; }
  const TempDir& dir() const { return dir_; }
  void authorize(const std::string& key_path) const;
  /// "[127.0.0.1]:port type base64" for a known_hosts file, one line for each host key.
  std::string known_hosts_lines() const;
  std::string host_key_path(const std::string& type) const { return dir_ / ("host_" + type); }
  std::string log() const { return read_text(dir_ / "log"); }

  /// The processes that serve connections now.
  std::vector<pid_t> children() const;
  /// Sends a signal to the processes of all connections.
  void signal_connections(int number) const;
  /// The machine is gone: the listener and every connection, at once.
  void die() const;

 private:
  void write_config();
  std::string without_tty_group() const;
  std::vector<std::string> command() const;
  void launch();

  Options options_;
  TempDir dir_;
  int port_ = 0;
  pid_t pid_ = -1;
};

/// Waits until something listens on that port of the loopback; at most twenty seconds.
bool wait_until_listening(int port);

/// The name of the user who runs the tests.
std::string current_user();

}  // namespace support
