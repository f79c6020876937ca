#include "app/target/jumpserver.h"

#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "app/config/state_dir.h"
#include "app/target/fetch_secret.h"
#include "app/target/sign_in_desk.h"
#include "base/environment.h"
#include "event/fiber.h"
#include "event/signal_watch.h"
#include "transport/jumpserver/directory.h"

namespace app {
namespace {

using base::environment;

namespace js = transport::jumpserver;

base::Result<JumpServerProfile> configured(const Config& config, const std::string& name, bool kept) {
  const std::string wanted = name.empty() ? "default" : name;
  const auto found = std::find_if(config.jumpserver.begin(), config.jumpserver.end(),
                                  [&](const JumpServerProfile& profile) { return profile.name == wanted; });
  if (found != config.jumpserver.end()) return *found;
  JumpServerProfile profile;
  profile.name = wanted;
  if (name.empty() || kept) return profile;
  std::string names;
  for (const auto& known : config.jumpserver) names += (names.empty() ? "" : ", ") + known.name;
  return base::fail("no JumpServer profile `" + name + "`; " +
                    (names.empty() ? "sign in with `jms login SERVER --profile " + name + "`" : "there are: " + names));
}

void add_environment(js::Credentials& credentials) {
  const js::AccessKey key{environment("JMS_ACCESS_KEY"), environment("JMS_SECRET_KEY")};
  if (!key.empty()) credentials.key = key;
  if (const std::string token = environment("JMS_TOKEN"); !token.empty()) {
    credentials.token = js::token_from_text(token);
    credentials.token_expires = 0;
  }
  if (const std::string cookie = environment("JMS_COOKIE"); !cookie.empty())
    credentials.web = js::session_from_text(cookie);
}

/// One secret of the config; "" when it is none, or a command and there is no fiber to wait in.
base::Result<std::string> one_secret(transport::ConnectionSetup* setup, const SecretSource& source,
                                     const std::string& setting) {
  if (!setup && !source.command.empty()) return std::string();
  return setup ? fetch_secret(*setup, source, setting) : read_secret(source, setting);
}

}  // namespace

bool JumpServerAccess::from_environment() const {
  return takes_environment && !(environment("JMS_TOKEN").empty() && environment("JMS_COOKIE").empty() &&
                                (environment("JMS_ACCESS_KEY").empty() || environment("JMS_SECRET_KEY").empty()));
}

base::Result<void> JumpServerAccess::fetch(transport::ConnectionSetup* setup) {
  js::Credentials& credentials = settings.credentials;
  const auto secret = one_secret(setup, secret_key, "jumpserver.secret_key");
  if (!secret) return base::fail(secret.error());
  const auto bearer = one_secret(setup, token, "jumpserver.token");
  if (!bearer) return base::fail(bearer.error());
  const auto session = one_secret(setup, cookie, "jumpserver.cookie");
  if (!session) return base::fail(session.error());
  if (!secret->empty()) credentials.key = {access_key, *secret};
  if (!bearer->empty()) {
    credentials.token = js::token_from_text(*bearer);
    credentials.token_expires = 0;
  }
  if (!session->empty()) credentials.web = js::session_from_text(*session);
  if (takes_environment) add_environment(credentials);
  return {};
}

base::Result<js::Via> via_named(const std::string& name) {
  if (name.empty() || name == "auto") return js::Via::automatic;
  if (name == "ws") return js::Via::websocket;
  if (name == "ssh") return js::Via::ssh;
  return base::fail("no way `" + name + "`; there are auto, ws and ssh");
}

base::Result<JumpServerAccess> jumpserver_access(const Config& config, const std::string& name, Lookup lookup) {
  const auto state = state_dir();
  if (!state) return base::fail(state.error());
  JumpServerAccess access;
  access.profile = name.empty() ? "default" : name;
  access.directory = *state + "/jumpserver";
  auto kept = access.file().load();
  if (!kept && lookup == Lookup::with_credentials) return base::fail(kept.error());
  if (!kept) kept = js::Credentials();
  const auto profile = configured(config, name, lookup == Lookup::server_only || !kept->server.empty());
  if (!profile) return base::fail(profile.error());
  const auto via = via_named(profile->via);
  if (!via) return base::fail(via.error());
  access.via = *via;

  js::Credentials credentials;
  const std::string named = name.empty() ? environment("JMS_SERVER") : "";
  std::string server = !named.empty() ? named : !profile->server.empty() ? profile->server : kept->server;
  if (!server.empty()) {
    auto normal = js::normal_server(server);
    if (!normal) return base::fail(normal.error());
    server = *normal;
  }
  // A sign-in belongs to the server it was made for and is sent to no other.
  if (server == kept->server) credentials = *kept;
  credentials.server = server;
  const bool at_configured = named.empty() || js::normal_server(profile->server).value_or("") == server;
  if (at_configured && !profile->user.empty()) credentials.user = profile->user;
  if (at_configured && !profile->org.empty()) credentials.org = profile->org;
  // What the config knows about one server is told to no other.
  if (at_configured) {
    access.password = profile->password;
    access.otp = profile->otp;
  }
  if (lookup == Lookup::with_credentials) {
    if (at_configured) {
      access.access_key = profile->access_key;
      access.secret_key = profile->secret_key;
      access.token = profile->token;
      access.cookie = profile->cookie;
    }
    access.takes_environment = name.empty();
    if (access.takes_environment) add_environment(credentials);
  }
  access.settings.credentials = std::move(credentials);
  access.settings.ca_file = environment("JMS_CA_FILE").empty() ? profile->ca_file : environment("JMS_CA_FILE");
  if (!name.empty()) access.settings.login += " --profile " + name;
  if (lookup == Lookup::with_credentials) access.settings.sign_in_again = sign_in_again_for(access);
  return access;
}

std::vector<std::string> jumpserver_profiles(const Config& config) {
  std::vector<std::string> names;
  const auto add = [&names](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (const auto& known : config.jumpserver)
    if (!known.server.empty()) add(known.name);
  std::vector<std::string> kept;
  if (const auto state = state_dir()) kept = js::kept_profiles(*state + "/jumpserver");
  if (!environment("JMS_SERVER").empty()) kept.push_back("default");
  for (const auto& name : kept) add(name);
  if (const auto first = std::find(names.begin(), names.end(), "default"); first != names.end())
    std::rotate(names.begin(), first, first + 1);
  return names;
}

bool runs_commands(const Config& config, const std::string& profile) {
  const std::string wanted = profile.empty() ? "default" : profile;
  return std::any_of(config.jumpserver.begin(), config.jumpserver.end(), [&](const JumpServerProfile& known) {
    return known.name == wanted &&
           !(known.secret_key.command.empty() && known.token.command.empty() && known.cookie.command.empty());
  });
}

int run_in_fiber(event::EventLoop& loop, transport::SshPrompter& prompter,
                 std::function<void(const std::string&)> progress,
                 const std::function<void(transport::ConnectionSetup&)>& body) {
  transport::ConnectionSetup setup(loop, prompter, std::move(progress));
  bool done = false;
  event::Fiber fiber(loop, [&] {
    body(setup);
    done = true;
    loop.stop();
  });
  setup.set_fiber(&fiber);
  int ended_by = 0;
  const auto end_by = [&](int signal_number) {
    ended_by = signal_number;
    fiber.cancel();
  };
  const event::SignalWatch interrupted(loop, SIGINT, [&] { fiber.cancel(); }),
      ended(loop, SIGTERM, [&] { end_by(SIGTERM); }), hung_up(loop, SIGHUP, [&] { end_by(SIGHUP); });
  fiber.wake();
  while (!done) loop.run();
  return ended_by;
}

/// The fiber and what it works with; the fiber goes first.
struct AssetRefresh::State {
  State(event::EventLoop& loop, JumpServerAccess from, Done then)
      : access(std::move(from)),
        done(std::move(then)),
        setup(loop, nobody, {}),
        client(loop, {.credentials = access.settings.credentials, .ca_file = access.settings.ca_file}) {}

  void run() {
    auto assets = fetch();
    // A list that cannot be kept is still a list.
    if (assets) (void)access.cache().save(*assets);
    setup.fiber().run_outside([&] {
      const Done call = std::move(done);
      if (call) call(std::move(assets));
    });
  }

  js::CoreResult<std::vector<js::Asset>> fetch() {
    if (auto fetched = access.fetch(&setup); !fetched)
      return tl::unexpected(js::CoreError{js::CoreError::Kind::refused, 0, "", fetched.error().message});
    client.use(access.settings.credentials);
    return js::Directory(client).assets(setup, {});
  }

  JumpServerAccess access;
  Done done;
  transport::NobodyToAsk nobody;  ///< Nothing is asked behind the operator's back.
  transport::ConnectionSetup setup;
  js::CoreClient client;
  std::unique_ptr<event::Fiber> fiber;
};

AssetRefresh::AssetRefresh(event::EventLoop& loop, JumpServerAccess access, Done done)
    : state_(std::make_unique<State>(loop, std::move(access), std::move(done))) {
  state_->fiber = std::make_unique<event::Fiber>(loop, [state = state_.get()] { state->run(); });
  state_->setup.set_fiber(state_->fiber.get());
  state_->fiber->wake();
}

AssetRefresh::~AssetRefresh() = default;

}  // namespace app
