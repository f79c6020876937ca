#include "transport/ssh/openssh_engine.h"

#include <unistd.h>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/words.h"
#include "transport/ssh/pattern.h"
#include "transport/ssh/private_key.h"

namespace transport {
namespace {

using Names = std::vector<std::string>;

bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Names in_list(const Names& supported, std::string_view patterns) {
  Names result;
  for (const auto pattern : base::split(patterns)) {
    for (const auto& name : supported)
      if (matches_pattern(name, pattern) && !contains(result, name)) result.push_back(name);
  }
  return result;
}

/// What OpenSSH would use unasked, of all that libssh2 knows. SHA-1 signatures and CBC only when the operator adds
/// them.
constexpr std::string_view kSoundKex =
    "curve25519-sha256*,ecdh-sha2-nistp*,diffie-hellman-group-exchange-sha256,diffie-hellman-group*-sha512,"
    "diffie-hellman-group14-sha256";
constexpr std::string_view kSoundHostKeys =
    "ssh-ed25519,ecdsa-sha2-nistp256,ecdsa-sha2-nistp384,ecdsa-sha2-nistp521,rsa-sha2-512,rsa-sha2-256";
constexpr std::string_view kSoundCiphers = "aes128-ctr,aes192-ctr,aes256-ctr";
constexpr std::string_view kSoundMacs = "hmac-sha2-256,hmac-sha2-512,hmac-sha1";

/// Applies a list of the configuration: plain replaces the default, + adds to it, - removes, ^ puts in front.
Names with_setting(const Names& supported, std::string_view sound, std::string_view setting) {
  const Names usual = in_list(supported, sound);
  const char mode = setting.empty() ? '+' : setting.front();
  const bool has_mode = !setting.empty() && (mode == '+' || mode == '-' || mode == '^');
  const Names named = in_list(supported, has_mode ? setting.substr(1) : setting);
  if (!has_mode && !setting.empty()) return named;
  Names result = mode == '^' ? named : Names();
  for (const auto& name : usual)
    if (mode == '+' || !contains(named, name)) result.push_back(name);
  for (const auto& name : named)
    if (mode == '+' && !contains(result, name)) result.push_back(name);
  return result;
}

/// What known_hosts calls the key that such a signature is made with.
std::string_view key_type_of(std::string_view algorithm) {
  return algorithm.starts_with("rsa-sha2-") ? "ssh-rsa" : algorithm;
}

bool share_one(const Names& wanted, const Names& offered) {
  return std::any_of(wanted.begin(), wanted.end(), [&](auto& name) { return contains(offered, name); });
}

std::string short_list(const Names& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < 3; ++i) text += (i == 0 ? "" : ", ") + names[i].substr(0, 40);
  return text + (names.size() > 3 ? ", …" : "");
}

/// Why one of the host's identities needs ssh; empty when none does.
std::string identity_reason(const HostSettings& settings) {
  if (!settings.certificate_files.empty()) return "the certificate " + settings.certificate_files.front();
  bool usable = false;
  std::string reason;
  for (const auto& path : settings.identity_files) {
    if (access((path + "-cert.pub").c_str(), R_OK) == 0) return "the certificate " + path + "-cert.pub";
    const auto file = read_key_file(path);
    if (!file || !*file) continue;
    if ((*file)->openssh_only.empty())
      usable = true;
    else if (reason.empty())
      reason = (*file)->openssh_only + " (" + path + ")";
  }
  // Beside a key that we can use, a default one that we cannot is no reason to change engines.
  return usable && !settings.identities_configured ? "" : reason;
}

}  // namespace

AlgorithmLists without_unsound(AlgorithmLists supported, int libssh2_version) {
  if (libssh2_version >= kStrictKeyExchange) return supported;
  std::erase_if(supported.macs, [](auto& name) { return name.find("-etm@") != std::string::npos; });
  std::erase_if(supported.ciphers, [](auto& name) { return name.starts_with("chacha20-poly1305"); });
  std::erase_if(supported.host_keys, [](auto& name) { return name.starts_with("rsa-sha2-"); });
  return supported;
}

AlgorithmLists wanted_algorithms(const AlgorithmLists& supported, const HostSettings& settings,
                                 const Names& known_host_key_types) {
  AlgorithmLists wanted;
  wanted.kex = with_setting(supported.kex, kSoundKex, settings.kex_algorithms);
  wanted.ciphers = with_setting(supported.ciphers, kSoundCiphers, settings.ciphers);
  wanted.macs = with_setting(supported.macs, kSoundMacs, settings.macs);
  const Names types = with_setting(supported.host_keys, kSoundHostKeys, settings.host_key_algorithms);
  std::copy_if(types.begin(), types.end(), std::back_inserter(wanted.host_keys),
               [&](auto& type) { return contains(known_host_key_types, key_type_of(type)); });
  std::copy_if(types.begin(), types.end(), std::back_inserter(wanted.host_keys),
               [&](auto& type) { return !contains(known_host_key_types, key_type_of(type)); });
  return wanted;
}

EngineDecision choose_engine(const std::vector<HostSettings>& chain) {
  for (const auto& hop : chain) {
    if (!hop.openssh_only.empty()) return {SshEngine::openssh, hop.openssh_only.front() + " needs it"};
    if (hop.forward_agent) return {SshEngine::openssh, "agent forwarding needs it"};
    if (const std::string reason = identity_reason(hop); !reason.empty())
      return {SshEngine::openssh, reason + " needs it"};
  }
  return {};
}

EngineDecision choose_engine(const HostSettings& settings, const ServerOffer& offer, const AlgorithmLists& wanted) {
  const std::tuple<const Names&, const Names&, const char*> checks[] = {
      {wanted.kex, offer.kex, "key exchange"},
      {wanted.host_keys, offer.host_keys, "host keys"},
      {wanted.ciphers, offer.ciphers, "ciphers"},
      {wanted.macs, offer.macs, "MACs"}};
  for (const auto& [ours, theirs, what] : checks)
    if (!share_one(ours, theirs))
      return {SshEngine::openssh,
              settings.host_name + " offers only " + what + " that libssh2 lacks (" + short_list(theirs) + ")"};
  return {};
}

namespace {

using Argv = std::vector<std::string>;

void add_option(Argv& argv, const char* flag, const std::string& value) {
  argv.emplace_back(flag);
  argv.push_back(value);
}

/// A word for the shell that runs a ProxyCommand, which reads % for itself.
std::string proxy_word(std::string_view word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : c == '%' ? "%%" : std::string(1, c);
  return quoted + "'";
}

/// What ssh's own -J would run, but with a configuration file that the destination does not get.
std::string jump_command(const ConfigOptions& options) {
  const auto hops = parse_jump_chain(options.jump);
  if (!hops || hops->empty()) return "none";
  const Destination& last = hops->back();
  std::string command = "ssh";
  const auto add = [&](const char* flag, const std::string& value) {
    command += std::string(" ") + flag + " " + proxy_word(value);
  };
  if (!options.config_file.empty()) add("-F", options.config_file);
  if (const std::size_t before = options.jump.rfind(','); before != std::string::npos)
    add("-J", options.jump.substr(0, before));
  if (last.port != 0) add("-p", std::to_string(last.port));
  if (!last.user.empty()) add("-l", last.user);
  return command + " -W '[%h]:%p' -- " + proxy_word(last.host);
}

}  // namespace

std::vector<std::string> openssh_command(const Destination& destination, const ConfigOptions& options) {
  Argv argv{"ssh", "-tt"};
  const bool bare = options.files_for_hops_only;
  if (bare || !options.config_file.empty()) add_option(argv, "-F", bare ? "none" : options.config_file);
  if (!options.jump.empty() && bare) add_option(argv, "-o", "ProxyCommand=" + jump_command(options));
  if (!options.jump.empty() && !bare) add_option(argv, "-J", options.jump);
  const int port = options.port == 0 ? destination.port : options.port;
  const std::string& user = options.user.empty() ? destination.user : options.user;
  if (port != 0) add_option(argv, "-p", std::to_string(port));
  if (!user.empty()) add_option(argv, "-l", user);
  for (const auto& file : options.identity_files) add_option(argv, "-i", file);
  if (options.forward_agent) argv.emplace_back("-A");
  for (const auto* list : {&options.openssh_options, &options.options})
    for (const auto& option : *list) add_option(argv, "-o", option);
  // The panel's key must never meet ssh's own escape character.
  add_option(argv, "-e", "none");
  argv.emplace_back("--");
  argv.push_back(destination.host);
  return argv;
}

}  // namespace transport
