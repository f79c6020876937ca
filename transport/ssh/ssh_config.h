#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "transport/ssh/destination.h"

namespace transport {

enum class HostKeyPolicy { ask, yes, no, accept_new };
enum class TtyRequest { automatic, force, yes, no };
enum class AddressFamily { any, ipv4, ipv6 };

/// Everything that decides how one host is reached, tokens and `~` expanded.
struct HostSettings {
  std::string alias;  ///< As typed or listed in a chain.
  std::string host_name;
  std::string user;
  int port = 22;
  AddressFamily family = AddressFamily::any;
  std::string bind_address;

  std::vector<Destination> proxy_jump;  ///< Hops as configured for this host; resolve_chain() follows them.
  std::string proxy_command;            ///< Ready for the shell; empty: none.
  std::optional<std::chrono::seconds> connect_timeout;
  int connection_attempts = 1;
  bool tcp_keep_alive = true;
  std::optional<std::chrono::seconds> server_alive_interval;  ///< Nothing: not said; 0: off.
  int server_alive_count_max = 3;

  HostKeyPolicy strict_host_key_checking = HostKeyPolicy::ask;
  std::vector<std::string> user_known_hosts_files;
  std::vector<std::string> global_known_hosts_files;
  std::string host_key_alias;
  bool hash_known_hosts = false;
  bool no_host_authentication_for_localhost = false;
  std::string host_key_algorithms, ciphers, macs, kex_algorithms;  ///< As written, with +, - or ^; empty: default.

  bool pubkey_authentication = true;
  bool password_authentication = true;
  bool kbd_interactive_authentication = true;
  std::vector<std::string> preferred_authentications;
  int number_of_password_prompts = 3;
  bool batch_mode = false;
  std::vector<std::string> identity_files;
  bool identities_configured = false;  ///< Named by the operator, not the defaults: a missing one is worth a word.
  bool identities_only = false;
  std::vector<std::string> certificate_files;
  std::string identity_agent;  ///< Path of the agent's socket; empty: there is none.
  bool forward_agent = false;

  TtyRequest request_tty = TtyRequest::automatic;
  std::vector<std::string> send_env;  ///< Patterns of names.
  std::vector<std::pair<std::string, std::string>> set_env;
  std::string remote_command;

  std::vector<std::string> openssh_only;  ///< What was asked for and only the system's ssh can do; with file and line.
  std::vector<std::string> ignored;       ///< Keywords without effect here; with file and line.

  /// "user@host" or "user@host:2222", for messages.
  std::string label() const;
};

/// What the command line and the surroundings add to the configuration files.
struct ConfigOptions {
  std::string config_file;                  ///< -F; empty: ~/.ssh/config, then the system's. "none": no file.
  std::vector<std::string> identity_files;  ///< -i
  std::string jump;                         ///< -J
  std::string user;                         ///< -l
  int port = 0;                             ///< -p
  std::vector<std::string> options;         ///< -o
  bool forward_agent = false;               ///< -A
  /// The configuration files are for the jump hosts alone; the destination takes what stands here and nothing else.
  bool files_for_hops_only = false;
  std::vector<std::string> openssh_options;  ///< Further -o for the system's ssh, of things that libssh2 never does.
  std::string home;                          ///< Empty: from the user database, as ssh takes it.
  std::string local_user;                    ///< Likewise.
  std::string system_config_file = "/etc/ssh/ssh_config";
};

/// The settings of one host, as `ssh -G` would print them.
base::Result<HostSettings> resolve(const Destination& destination, const ConfigOptions& options);

/// The hops on the way, in the order they are connected, the destination last. As with ssh, what was given on the
/// command line (-i, -l, -p, -o) holds for the destination only, and the first hop's own ProxyJump is followed.
base::Result<std::vector<HostSettings>> resolve_chain(const Destination& destination, const ConfigOptions& options);

/// The names that the Host lines of these files give in full: what an operator can open by name.
base::Result<std::vector<std::string>> configured_hosts(const ConfigOptions& options);

}  // namespace transport
