#include "transport/jumpserver/doors.h"

#include <algorithm>
#include <utility>

#include "base/one_line.h"

namespace transport::jumpserver {
namespace {

constexpr const char* kSlowName = "slow way";
constexpr std::chrono::seconds kSlow{5}, kSlowAge{600};

bool offers(const Json& methods, const std::string& protocol, const std::string& value) {
  const Json& list = at(methods, protocol.c_str());
  return list.is_array() && std::find(list.begin(), list.end(), Json(value)) != list.end();
}

/// The protocols in the order in which a terminal is best had.
std::vector<std::string> terminal_order(std::vector<std::string> protocols) {
  const auto rank = [](const std::string& name) { return name == "ssh" ? 0 : name == "telnet" ? 1 : 2; };
  std::erase_if(protocols, [](const std::string& name) {
    return name == "sftp" || name == "rdp" || name == "vnc" || name == "winrm" || name == "http" || name == "https";
  });
  std::stable_sort(protocols.begin(), protocols.end(),
                   [&](const auto& left, const auto& right) { return rank(left) < rank(right); });
  return protocols;
}

std::optional<Door> door_for(const Json& methods, const std::string& protocol, Via via) {
  if (via == Via::websocket)
    return offers(methods, protocol, "web_cli") ? std::optional(Door{via, protocol, "web_cli"}) : std::nullopt;
  for (const char* method : {"ssh_client", "ssh_guide"})
    if (offers(methods, protocol, method)) return Door{via, protocol, method};
  return std::nullopt;
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + base::one_line(word, 60);
  return text;
}

/// The ways to an asset, judged by what is known of the site and the sign-in.
struct DoorChoice {
  const OpenWish& wish;
  const Json& methods;
  Json settings;
  bool session;
  bool tickets = false;

  bool ssh_is_on() const { return flag_at(settings, "ssh", true); }

  std::optional<Door> door(const std::string& protocol, Via via) const {
    if (via == Via::ssh && !ssh_is_on()) return std::nullopt;
    return door_for(methods, protocol, via);
  }

  /// The WebSocket first: it tells more than bytes. It wants a web session, or a ticket of koko's.
  std::optional<Doors> doors_for(const std::string& protocol) const {
    if (wish.via != Via::automatic) {
      const auto only = door(protocol, wish.via);
      return only ? std::optional(Doors{*only, std::nullopt, ""}) : std::nullopt;
    }
    const auto websocket = door(protocol, Via::websocket), ssh = door(protocol, Via::ssh);
    if (websocket && session) return Doors{*websocket, ssh, ""};
    if (websocket && tickets)
      return Doors{*websocket, ssh, "over the WebSocket with a connect ticket: there is no web session"};
    if (!ssh) return std::nullopt;
    return Doors{*ssh, std::nullopt,
                 websocket ? "over SSH: no web session; `jms login --with web` opens the WebSocket, too"
                           : "over SSH: the site offers no WebSocket for " + base::one_line(protocol, 40)};
  }

  std::string why_none(const std::vector<std::string>& protocols) const {
    const std::string asset = base::one_line(wish.detail.asset.name, 80), names = listed(protocols);
    const auto offered = [&](Via via) {
      return std::any_of(protocols.begin(), protocols.end(),
                         [&](const std::string& protocol) { return door_for(methods, protocol, via).has_value(); });
    };
    if (wish.via != Via::websocket && !ssh_is_on() && offered(Via::ssh))
      return "the site has switched its SSH port off, so " + asset + " can be opened over the WebSocket only" + how();
    if (wish.via != Via::websocket && offered(Via::websocket))
      return "JumpServer carries " + names + " over the WebSocket only, not over SSH, so " + asset +
             " cannot be opened" + how();
    return "the site offers no terminal for " + names + " on " + asset +
           (wish.via == Via::websocket ? " over the WebSocket" : "");
  }

  std::string how() const {
    return session ? "; use `--via ws`" : ": that wants a web session; sign in with `jms login --with web`";
  }
};

}  // namespace

void SlowWay::failed(Via via, std::chrono::steady_clock::duration time) {
  if (time >= kSlow) kept_.keep(kSlowName, via == Via::ssh ? "ssh" : "ws");
}

void SlowWay::opened(Via via) {
  if (is(via)) kept_.forget(kSlowName);
}

bool SlowWay::is(Via via) const {
  return kept_.find(kSlowName, kSlowAge) == Json(via == Via::ssh ? "ssh" : "ws");
}

std::vector<Fact> DoorChooser::wanted(const Credentials& credentials, Via via) {
  std::vector<Fact> facts = {Fact::methods, Fact::settings};
  if (credentials.web.id.empty() && via == Via::automatic) facts.push_back(Fact::tickets);
  return facts;
}

CoreResult<Doors> DoorChooser::choose(ConnectionSetup& setup, const OpenWish& wish) {
  const std::string asset = base::one_line(wish.detail.asset.name, 80);
  std::vector<std::string> protocols = terminal_order(wish.detail.protocols);
  if (!wish.protocol.empty()) {
    if (std::find(protocols.begin(), protocols.end(), wish.protocol) == protocols.end())
      return refused("protocol", "\"" + base::one_line(wish.protocol, 40) + "\" is not permitted on " + asset +
                                     "; there are: " + listed(protocols));
    protocols = {wish.protocol};
  }
  if (protocols.empty())
    return refused("protocol", "none of the protocols permitted on " + asset + " (" + listed(wish.detail.protocols) +
                                   ") is a terminal");
  const bool session = !client_.credentials().web.id.empty();
  facts_.learn(setup, wanted(client_.credentials(), wish.via));
  const auto methods = facts_.get(setup, Fact::methods);
  if (!methods) return tl::unexpected(methods.error());
  DoorChoice choice{wish, *methods, facts_.get(setup, Fact::settings).value_or(Json()), session};
  if (!session && wish.via == Via::automatic)
    choice.tickets = facts_.get(setup, Fact::tickets).value_or(Json(false)) == Json(true);
  for (const auto& protocol : protocols)
    if (auto doors = choice.doors_for(protocol)) return quicker_first(std::move(*doors));
  return refused("protocol", choice.why_none(protocols));
}

/// A firewall that swallows everything costs its time limit once, not at each opening.
Doors DoorChooser::quicker_first(Doors doors) const {
  if (!doors.other || !SlowWay(facts_.kept()).is(doors.first.via)) return doors;
  std::swap(doors.first, *doors.other);
  doors.why = doors.first.via == Via::ssh ? "over SSH: the WebSocket did not answer a few minutes ago"
                                          : "over the WebSocket: the SSH port did not answer a few minutes ago";
  return doors;
}

}  // namespace transport::jumpserver
