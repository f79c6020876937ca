#pragma once

#include <string>
#include <vector>

#include "transport/ssh/handshake_sniffer.h"
#include "transport/ssh/ssh_config.h"

namespace transport {

/// Who speaks SSH for us.
enum class SshEngine { libssh2, openssh };
/// The setting `ssh_engine`.
enum class EngineChoice { automatic, libssh2, openssh };

/// Which engine, and why in a few words; `reason` is empty when there is nothing to tell.
struct EngineDecision {
  SshEngine engine = SshEngine::libssh2;
  std::string reason;
};

/// The algorithms of one connection as libssh2 can use them, most wanted first.
struct AlgorithmLists {
  std::vector<std::string> kex, host_keys, ciphers, macs;
};

/// The first libssh2 with strict key exchange, 1.11.1, as LIBSSH2_VERSION_NUM counts.
inline constexpr int kStrictKeyExchange = 0x010b01;

/// What may be used of what a libssh2 has. Before strict key exchange a listener can cut the beginning of a connection
/// that uses encrypt-then-MAC or chacha20-poly1305 (CVE-2023-48795), so these stay unused, whatever the settings say.
/// RSA host keys go by the same version: the system's ssh has them too, and one condition is easier to trust than two.
AlgorithmLists without_unsound(AlgorithmLists supported, int libssh2_version);

/// What libssh2 can do, brought into the order and limits that the settings ask for. Host-key types that are known for
/// the host come first: another one would make a known host look new.
AlgorithmLists wanted_algorithms(const AlgorithmLists& supported, const HostSettings& settings,
                                 const std::vector<std::string>& known_host_key_types);

/// Decides before anything is sent, from the settings and the identity files they name.
EngineDecision choose_engine(const std::vector<HostSettings>& chain);

/// Decides when the server's offer is known, before the operator is asked for anything.
EngineDecision choose_engine(const HostSettings& settings, const ServerOffer& offer, const AlgorithmLists& wanted);

/// The system's ssh with the same destination and options, for a pty of ours.
std::vector<std::string> openssh_command(const Destination& destination, const ConfigOptions& options);

}  // namespace transport
