#include "transport/ssh/ssh_config.h"

#include <arpa/inet.h>
#include <openssl/evp.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/log.h"
#include "base/words.h"
#include "transport/ssh/config_reader.h"
#include "transport/ssh/pattern.h"
#include "transport/ssh/token.h"

namespace transport {
namespace {

constexpr std::size_t kLongestChain = 16;

struct LocalUser {
  std::string name;
  std::string home;
};

LocalUser local_user(const ConfigOptions& options) {
  LocalUser user{options.local_user, options.home};
  if (user.name.empty() || user.home.empty()) {
    const passwd* entry = getpwuid(getuid());
    if (user.name.empty()) user.name = entry == nullptr ? "" : entry->pw_name;
    if (user.home.empty()) user.home = entry == nullptr ? "/" : entry->pw_dir;
  }
  return user;
}

bool is_address(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> buffer;
  return inet_pton(AF_INET, host.c_str(), buffer.data()) == 1 ||
         inet_pton(AF_INET6, host.substr(0, host.find('%')).c_str(), buffer.data()) == 1;
}

std::string sha1_hex(const std::string& text) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest;
  unsigned int size = 0;
  EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha1(), nullptr);
  std::string hex;
  for (unsigned int i = 0; i < size; ++i) {
    hex += "0123456789abcdef"[digest[i] >> 4];
    hex += "0123456789abcdef"[digest[i] & 15];
  }
  return hex;
}

/// Turns the raw values of one host into its settings.
class SettingsBuilder {
 public:
  SettingsBuilder(const ConfigValues& values, const LocalUser& local, std::string alias)
      : values_(values), local_(local) {
    out_.alias = std::move(alias);
  }

  base::Result<HostSettings> build();

 private:
  base::Result<void> set_address();
  void set_plain_values();
  base::Result<void> set_proxy();
  base::Result<void> set_known_hosts();
  base::Result<void> set_identities();
  base::Result<void> set_agent();
  void set_environment();

  std::string text(std::string_view keyword, std::string_view otherwise = "") const {
    const std::string* value = values_.single(keyword);
    return value == nullptr ? std::string(otherwise) : *value;
  }
  bool flag(std::string_view keyword, bool otherwise) const { return text(keyword, otherwise ? "yes" : "no") == "yes"; }
  int number(std::string_view keyword, int otherwise) const {
    const std::string* value = values_.single(keyword);
    return value == nullptr ? otherwise : std::atoi(value->c_str());
  }
  std::optional<std::chrono::seconds> seconds(std::string_view keyword) const {
    const std::string* value = values_.single(keyword);
    if (value == nullptr || *value == "none") return std::nullopt;
    return std::chrono::seconds(std::atoi(value->c_str()));
  }
  base::Result<std::string> expand_path(const std::string& path) const;

  const ConfigValues& values_;
  const LocalUser& local_;
  HostSettings out_;
  Tokens tokens_;
};

base::Result<HostSettings> SettingsBuilder::build() {
  if (auto done = set_address(); !done) return base::fail(done.error());
  set_plain_values();
  set_environment();
  for (auto step : {&SettingsBuilder::set_proxy, &SettingsBuilder::set_known_hosts, &SettingsBuilder::set_identities,
                    &SettingsBuilder::set_agent})
    if (auto done = (this->*step)(); !done) return base::fail(done.error());
  out_.openssh_only = values_.openssh_only;
  out_.ignored = values_.ignored;
  for (const auto& keyword : values_.ignored) base::log_debug("ssh_config: ignored " + keyword);
  return std::move(out_);
}

base::Result<void> SettingsBuilder::set_address() {
  auto host = expand_tokens(text("hostname", out_.alias), {{'h', out_.alias}});
  if (!host) return base::fail(host.error().while_doing("HostName"));
  out_.host_name = is_address(*host) ? *host : base::lower_case(*host);
  // The name may come from a file; it is held to the same rules as one that is typed.
  const bool brackets = out_.host_name.find(':') != std::string::npos;
  const auto checked = parse_destination(brackets ? "[" + out_.host_name + "]" : out_.host_name);
  if (!checked) return base::fail(checked.error());
  out_.user = text("user", local_.name);
  out_.port = number("port", 22);
  out_.host_key_alias = base::lower_case(text("hostkeyalias"));

  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  const std::string here = name.data();
  tokens_ = {{'h', out_.host_name},
             {'p', std::to_string(out_.port)},
             {'r', out_.user},
             {'n', out_.alias},
             {'d', local_.home},
             {'u', local_.name},
             {'i', std::to_string(getuid())},
             {'l', here},
             {'L', here.substr(0, here.find('.'))},
             {'k', out_.host_key_alias.empty() ? out_.host_name : out_.host_key_alias},
             {'C', sha1_hex(here + out_.host_name + std::to_string(out_.port) + out_.user)}};
  return {};
}

void SettingsBuilder::set_plain_values() {
  out_.family = text("addressfamily", "any") == "inet"    ? AddressFamily::ipv4
                : text("addressfamily", "any") == "inet6" ? AddressFamily::ipv6
                                                          : AddressFamily::any;
  out_.bind_address = text("bindaddress");
  out_.connect_timeout = seconds("connecttimeout");
  out_.connection_attempts = std::clamp(number("connectionattempts", 1), 1, 10);
  out_.tcp_keep_alive = flag("tcpkeepalive", true);
  out_.server_alive_interval = seconds("serveraliveinterval");
  out_.server_alive_count_max = number("serveralivecountmax", 3);

  const std::string strict = text("stricthostkeychecking", "ask");
  out_.strict_host_key_checking = strict == "yes"          ? HostKeyPolicy::yes
                                  : strict == "no"         ? HostKeyPolicy::no
                                  : strict == "accept-new" ? HostKeyPolicy::accept_new
                                                           : HostKeyPolicy::ask;
  out_.hash_known_hosts = flag("hashknownhosts", false);
  out_.no_host_authentication_for_localhost = flag("nohostauthenticationforlocalhost", false);
  out_.host_key_algorithms = text("hostkeyalgorithms");
  out_.ciphers = text("ciphers");
  out_.macs = text("macs");
  out_.kex_algorithms = text("kexalgorithms");

  out_.pubkey_authentication = flag("pubkeyauthentication", true);
  out_.password_authentication = flag("passwordauthentication", true);
  out_.kbd_interactive_authentication = flag("kbdinteractiveauthentication", true);
  out_.number_of_password_prompts = number("numberofpasswordprompts", 3);
  out_.batch_mode = flag("batchmode", false);
  out_.identities_only = flag("identitiesonly", false);
  const std::string forward = base::lower_case(text("forwardagent", "no"));
  out_.forward_agent = forward != "no" && forward != "false";

  const std::string tty = text("requesttty", "auto");
  out_.request_tty = tty == "force" ? TtyRequest::force
                     : tty == "yes" ? TtyRequest::yes
                     : tty == "no"  ? TtyRequest::no
                                    : TtyRequest::automatic;
  const std::string listed = text("preferredauthentications", "publickey,keyboard-interactive,password");
  for (const auto method : base::split(listed)) out_.preferred_authentications.emplace_back(method);
}

base::Result<void> SettingsBuilder::set_proxy() {
  auto hops = parse_jump_chain(text("proxyjump", "none"));
  if (!hops) return base::fail(hops.error());
  out_.proxy_jump = std::move(*hops);
  const std::string command = text("proxycommand", "none");
  if (base::lower_case(command) != "none") {
    auto expanded = expand_tokens(command, {tokens_[0], tokens_[1], tokens_[2], tokens_[3]});
    if (!expanded) return base::fail(expanded.error().while_doing("ProxyCommand"));
    out_.proxy_command = std::move(*expanded);
  }
  const std::string remote = text("remotecommand", "none");
  if (base::lower_case(remote) != "none") {
    auto expanded = expand_tokens(remote, tokens_);
    if (!expanded) return base::fail(expanded.error().while_doing("RemoteCommand"));
    out_.remote_command = std::move(*expanded);
  }
  return {};
}

base::Result<std::string> SettingsBuilder::expand_path(const std::string& path) const {
  auto with_environment = expand_environment(path);
  if (!with_environment) return with_environment;
  return expand_tokens(expand_home(*with_environment, local_.home), tokens_);
}

base::Result<void> SettingsBuilder::set_known_hosts() {
  const auto fill = [&](std::string_view keyword, std::vector<std::string> otherwise, std::vector<std::string>& out) {
    const auto found = values_.first.find(keyword);
    const auto& paths = found == values_.first.end() ? otherwise : found->second;
    for (const auto& path : paths) {
      if (base::lower_case(path) == "none") continue;
      auto expanded = expand_path(path);
      if (!expanded) return base::Result<void>(base::fail(expanded.error().while_doing(keyword)));
      out.push_back(std::move(*expanded));
    }
    return base::Result<void>();
  };
  if (auto done =
          fill("userknownhostsfile", {"~/.ssh/known_hosts", "~/.ssh/known_hosts2"}, out_.user_known_hosts_files);
      !done)
    return done;
  return fill("globalknownhostsfile", {"/etc/ssh/ssh_known_hosts", "/etc/ssh/ssh_known_hosts2"},
              out_.global_known_hosts_files);
}

base::Result<void> SettingsBuilder::set_identities() {
  std::vector<std::string> names = values_.identity_files;
  out_.identities_configured = !names.empty();
  if (names.empty())
    names = {"~/.ssh/id_rsa", "~/.ssh/id_ecdsa", "~/.ssh/id_ecdsa_sk", "~/.ssh/id_ed25519", "~/.ssh/id_ed25519_sk"};
  const auto fill = [&](const std::vector<std::string>& paths, std::vector<std::string>& out) {
    for (const auto& path : paths) {
      if (base::lower_case(path) == "none") continue;
      auto expanded = expand_path(path);
      if (!expanded) return base::Result<void>(base::fail(expanded.error().while_doing("IdentityFile")));
      out.push_back(std::move(*expanded));
    }
    return base::Result<void>();
  };
  if (auto done = fill(names, out_.identity_files); !done) return done;
  return fill(values_.certificate_files, out_.certificate_files);
}

base::Result<void> SettingsBuilder::set_agent() {
  const std::string agent = text("identityagent", "SSH_AUTH_SOCK");
  const auto from_environment = [](const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
  };
  if (base::lower_case(agent) == "none") return {};
  if (agent == "SSH_AUTH_SOCK") {
    out_.identity_agent = from_environment("SSH_AUTH_SOCK");
  } else if (agent.front() == '$' && agent.size() > 1 && agent[1] != '{') {
    out_.identity_agent = from_environment(agent.c_str() + 1);
  } else {
    auto expanded = expand_path(agent);
    if (!expanded) return base::fail(expanded.error().while_doing("IdentityAgent"));
    out_.identity_agent = std::move(*expanded);
  }
  return {};
}

void SettingsBuilder::set_environment() {
  out_.send_env = values_.send_env;
  const auto found = values_.first.find("setenv");
  if (found == values_.first.end()) return;
  for (const auto& assignment : found->second) {
    const std::size_t equals = assignment.find('=');
    const std::string name = assignment.substr(0, equals);
    const bool seen =
        std::any_of(out_.set_env.begin(), out_.set_env.end(), [&](auto& variable) { return variable.first == name; });
    if (!seen) out_.set_env.emplace_back(name, assignment.substr(equals + 1));
  }
}

/// What the command line says goes first, since the first value wins.
base::Result<void> seed_from_command_line(ConfigReader& reader, ConfigValues& values, const Destination& destination,
                                          const ConfigOptions& options) {
  const std::string& user = options.user.empty() ? destination.user : options.user;
  const int port = options.port == 0 ? destination.port : options.port;
  if (!user.empty()) values.first["user"] = {user};
  if (port != 0) values.first["port"] = {std::to_string(port)};
  values.identity_files = options.identity_files;
  if (options.forward_agent) values.first["forwardagent"] = {"yes"};
  if (!options.jump.empty()) {
    if (auto hops = parse_jump_chain(options.jump); !hops) return base::fail(hops.error().while_doing("option -J"));
    values.first["proxyjump"] = {options.jump};
  }
  for (const auto& line : options.options)
    if (auto done = reader.read_option(line); !done) return done;
  return {};
}

base::Result<void> read_files(ConfigReader& reader, const ConfigOptions& options, const LocalUser& local) {
  using Trust = ConfigReader::Trust;
  if (base::lower_case(options.config_file) == "none") return {};
  if (!options.config_file.empty()) return reader.read_file(options.config_file, Trust::user_file, true);
  if (auto done = reader.read_file(local.home + "/.ssh/config", Trust::user_file, false); !done) return done;
  return reader.read_file(options.system_config_file, Trust::system_file, false);
}

}  // namespace

std::string HostSettings::label() const {
  return to_text({host_name, user, port == 22 ? 0 : port});
}

base::Result<HostSettings> resolve(const Destination& destination, const ConfigOptions& options) {
  const LocalUser local = local_user(options);
  ConfigValues values;
  ConfigReader reader({destination.host, local.name, local.home}, values);
  if (auto done = seed_from_command_line(reader, values, destination, options); !done) return base::fail(done.error());
  if (auto done = read_files(reader, options, local); !done) return base::fail(done.error());
  if (reader.wants_final_pass()) {
    const auto so_far = SettingsBuilder(values, local, destination.host).build();
    if (!so_far) return so_far;
    reader.begin_final_pass(so_far->host_name);
    if (auto done = read_files(reader, options, local); !done) return base::fail(done.error());
  }
  return SettingsBuilder(values, local, destination.host).build();
}

base::Result<std::vector<std::string>> configured_hosts(const ConfigOptions& options) {
  const LocalUser local = local_user(options);
  ConfigValues values;
  ConfigReader reader({"", local.name, local.home}, values);
  if (auto done = read_files(reader, options, local); !done) return base::fail(done.error());
  return std::move(values.host_names);
}

base::Result<std::vector<HostSettings>> resolve_chain(const Destination& destination, const ConfigOptions& options) {
  ConfigOptions for_target = options;
  if (options.files_for_hops_only) for_target.config_file = "none";
  auto target = resolve(destination, for_target);
  if (!target) return base::fail(target.error());
  ConfigOptions for_hops;  // Only what ssh hands on to the ssh it starts for a jump host.
  for_hops.config_file = options.config_file;
  for_hops.system_config_file = options.system_config_file;
  for_hops.home = options.home;
  for_hops.local_user = options.local_user;

  std::vector<HostSettings> chain;
  chain.push_back(std::move(*target));
  std::vector<Destination> before = chain.front().proxy_jump;
  while (!before.empty()) {
    if (chain.size() + before.size() > kLongestChain)
      return base::fail("the chain of jump hosts to " + destination.host +
                        " has more than 16 hops; look for a loop in ProxyJump");
    // Hops that were listed together are reached one through the other; only the first may bring its own way.
    std::vector<HostSettings> hops;
    for (std::size_t i = 0; i < before.size(); ++i) {
      for_hops.jump = i == 0 ? "" : "none";
      auto hop = resolve(before[i], for_hops);
      if (!hop) return base::fail(hop.error().while_doing("jump host " + before[i].host));
      if (i > 0) hop->proxy_command.clear();
      hops.push_back(std::move(*hop));
    }
    const HostSettings& next = chain.front();
    if (hops.back().host_name == next.host_name && hops.back().port == next.port && hops.back().user == next.user)
      return base::fail("jump host loop via " + next.label() + "; check ProxyJump");
    before = hops.front().proxy_jump;
    chain.insert(chain.begin(), std::make_move_iterator(hops.begin()), std::make_move_iterator(hops.end()));
  }
  return chain;
}

}  // namespace transport
