#include "transport/ssh/ssh_connector.h"

#include <utility>

#include "transport/ssh/authenticator.h"
#include "transport/ssh/host_key_check.h"
#include "transport/ssh/socket_link.h"
#include "transport/ssh/ssh_channel.h"

namespace transport {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kUsualLimit(30);
constexpr milliseconds kBetweenAttempts(1000);

/// "bastion 1 of 2 (jump.example)", or just the host when it is the last one.
std::string hop_name(const std::vector<HostSettings>& chain, std::size_t index) {
  const std::string& host = chain[index].host_name;
  if (index + 1 == chain.size()) return host;
  return "bastion " + std::to_string(index + 1) + " of " + std::to_string(chain.size() - 1) + " (" + host + ")";
}

base::Result<std::unique_ptr<ByteLink>> first_link(ConnectionSetup& setup, const HostSettings& settings) {
  if (!settings.proxy_command.empty()) {
    auto link = ProxyCommandLink::launch(setup.loop(), settings.proxy_command);
    if (!link) return base::fail(link.error());
    return std::unique_ptr<ByteLink>(std::move(*link));
  }
  for (int attempt = 1;; ++attempt) {
    auto link = connect_tcp(setup.loop(), setup.fiber(), settings, step_limit(settings));
    if (link || attempt >= settings.connection_attempts) return link;
    if (setup.fiber().wait(kBetweenAttempts) == event::Fiber::Woken::cancelled) return link;
  }
}

/// Takes one hop from its link to a session that we are signed in on.
base::Result<Connected> sign_in(ConnectionSetup& setup, std::unique_ptr<ByteLink> link, const HostSettings& settings,
                                EngineChoice choice) {
  auto check = HostKeyCheck::prepare(settings);
  if (!check) return base::fail(check.error());
  if (const std::string place = check->cert_authority(); !place.empty() && choice == EngineChoice::automatic)
    return Connected{nullptr,
                     {SshEngine::openssh, settings.host_name + " is vouched for by a certificate authority (" + place +
                                              "), which only it can check"}};
  auto session = std::make_unique<SshSession>(setup.loop(), std::move(link), settings);
  auto decision = session->handshake(setup, check->known_types(), step_limit(settings));
  if (!decision) return base::fail(decision.error());
  if (decision->engine == SshEngine::openssh) {
    if (choice == EngineChoice::automatic) return Connected{nullptr, *decision};
    return base::fail(decision->reason + "; use ssh_engine=openssh or auto");
  }
  setup.tell("checking the host key of " + settings.host_name + "…");
  if (auto accepted = check->accept(setup, session->host_key()); !accepted) return base::fail(accepted.error());
  if (auto done = Authenticator(setup, *session).run(); !done) return base::fail(done.error());
  return Connected{std::move(session), {}};
}

}  // namespace

milliseconds step_limit(const HostSettings& settings) {
  const seconds limit = settings.connect_timeout.value_or(kUsualLimit);
  return limit.count() > 0 ? limit : kUsualLimit;
}

base::Result<Connected> connect_chain(ConnectionSetup& setup, const std::vector<HostSettings>& chain,
                                      EngineChoice choice) {
  Connected connected;
  for (std::size_t i = 0; i < chain.size(); ++i) {
    const HostSettings& hop = chain[i];
    setup.tell("connecting to " + hop_name(chain, i) + "…");
    auto link = connected.session == nullptr
                    ? first_link(setup, hop)
                    : open_tunnel(setup, std::move(connected.session), hop.host_name, hop.port, step_limit(hop));
    if (!link) return base::fail(link.error());
    auto next = sign_in(setup, std::move(*link), hop, choice);
    if (!next) return next;
    connected = std::move(*next);
    if (connected.session == nullptr) return connected;
  }
  return connected;
}

}  // namespace transport
