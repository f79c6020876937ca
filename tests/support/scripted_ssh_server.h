#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "tests/support/temp_dir.h"

namespace support {

/// An SSH server with a script for how one signs in, for what no sshd can be made to do without touching the machine:
/// passwords, several rounds of questions, factors one after the other. A process of its own, on libssh.
class ScriptedSshServer {
 public:
  struct Prompt {
    std::string text;
    bool echo = false;
    std::string answer;
  };
  struct Script {
    std::string password;                     ///< Empty: not offered.
    std::vector<std::vector<Prompt>> rounds;  ///< keyboard-interactive; empty: not offered.
    bool password_first = false;              ///< The password is a first factor, the questions the second.
    std::string instruction = "Two steps.";
  };

  explicit ScriptedSshServer(const Script& script);
  ~ScriptedSshServer();

  int port() const { return port_; }
  std::string host_key_path() const { return dir_ / "host"; }
  /// "[127.0.0.1]:port ssh-… …" for a known_hosts file.
  std::string known_hosts_line() const;
  /// Every password and answer that clients gave, right or wrong, one line each: "password guess", "answer 123456".
  std::vector<std::string> given() const;

 private:
  TempDir dir_;
  int port_;
  pid_t pid_;
};

}  // namespace support
