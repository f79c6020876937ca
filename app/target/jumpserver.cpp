#include "app/target/jumpserver.h"

#include <signal.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "app/config/state_dir.h"
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

/// The secrets that the config points at. Asked for only when they are needed: a password manager may ask back.
base::Result<void> add_configured(js::Credentials& credentials, const JumpServerProfile& profile) {
  const auto secret = read_secret(profile.secret_key, "jumpserver.secret_key");
  if (!secret) return base::fail(secret.error());
  const auto token = read_secret(profile.token, "jumpserver.token");
  if (!token) return base::fail(token.error());
  const auto cookie = read_secret(profile.cookie, "jumpserver.cookie");
  if (!cookie) return base::fail(cookie.error());
  if (!secret->empty()) credentials.key = {profile.access_key, *secret};
  if (!token->empty()) {
    credentials.token = js::token_from_text(*token);
    credentials.token_expires = 0;
  }
  if (!cookie->empty()) credentials.web = {*cookie, "", "jms_"};
  return {};
}

void add_environment(js::Credentials& credentials) {
  const js::AccessKey key{environment("JMS_ACCESS_KEY"), environment("JMS_SECRET_KEY")};
  if (!key.empty()) credentials.key = key;
  if (const std::string token = environment("JMS_TOKEN"); !token.empty()) {
    credentials.token = js::token_from_text(token);
    credentials.token_expires = 0;
  }
  if (const std::string cookie = environment("JMS_COOKIE"); !cookie.empty()) credentials.web = {cookie, "", "jms_"};
}

}  // namespace

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
  access.password = profile->password;

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
  if (lookup == Lookup::with_credentials) {
    if (at_configured)
      if (auto added = add_configured(credentials, *profile); !added) return base::fail(added.error());
    if (name.empty()) add_environment(credentials);
  }
  access.settings.credentials = std::move(credentials);
  access.settings.ca_file = environment("JMS_CA_FILE").empty() ? profile->ca_file : environment("JMS_CA_FILE");
  return access;
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
      : access(std::move(from)), done(std::move(then)), setup(loop, nobody, {}), client(loop, access.settings) {}

  void run() {
    auto assets = js::Directory(client).assets(setup, {});
    // A list that cannot be kept is still a list.
    if (assets) (void)access.cache().save(*assets);
    setup.fiber().run_outside([&] {
      const Done call = std::move(done);
      if (call) call(std::move(assets));
    });
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
