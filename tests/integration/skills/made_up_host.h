#pragma once

#include <string>
#include <vector>

#include "agent/command_text.h"
#include "tests/support/temp_dir.h"

namespace skills_test {

/// A host for runbooks: files below a folder of its own in the place of /etc, /var, /proc and /sys, and no program but
/// those that were put there. What else this machine has, or how it is doing, does not show.
class MadeUpHost {
 public:
  enum class Health { well, ill };
  explicit MadeUpHost(Health health);

  /// Makes this machine's programs of these names run there, and plays the ones that need a running system.
  void install(const std::vector<std::string>& tools);
  void remove(const std::string& tool);
  /// Makes all of BusyBox run there and nothing else.
  void install_busybox();

  /// Runs a command by `shell`, with an empty home as its directory.
  struct Outcome {
    agent::CommandText command;
    std::string complaints;  ///< Its standard error.
    bool left_something = false;
  };
  Outcome run(const std::string& shell, const std::string& command) const;

 private:
  /// The command with this host's places for the machine's.
  std::string at_home(const std::string& command) const;
  void write(const std::string& path, const std::string& text) const;
  void add_certificate(const std::string& path, int days) const;
  void add_system_files(Health health) const;

  support::TempDir folder_;
  Health health_;
};

}  // namespace skills_test
