// Which JumpServer, with which credentials: config, environment and the sign-in that `jms login` kept, brought
// together.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/config/config.h"
#include "base/result.h"
#include "event/event_loop.h"
#include "transport/jumpserver/asset_cache.h"
#include "transport/jumpserver/connection_token.h"
#include "transport/jumpserver/core_client.h"
#include "transport/jumpserver/credentials.h"

namespace app {

/// A server and what opens it.
struct JumpServerAccess {
  std::string profile;
  std::string directory;  ///< Where sign-ins and lists are kept.
  transport::jumpserver::CoreClient::Settings settings;
  transport::jumpserver::Via via = transport::jumpserver::Via::automatic;
  SecretSource password, otp;  ///< For signing in.

  /// What the config names besides: credentials that a command prints or a file holds.
  std::string access_key;
  SecretSource secret_key, token, cookie;
  bool takes_environment = false;  ///< JMS_TOKEN and its like stand above all others.

  bool has_sources() const { return !(secret_key.empty() && token.empty() && cookie.empty()); }
  /// Whether the environment holds a credential that counts here: nobody can be asked for another one.
  bool from_environment() const;
  /// Puts what commands and files give into the credentials. Without a fiber to wait in (null) only the files.
  base::Result<void> fetch(transport::ConnectionSetup* setup);

  transport::jumpserver::CredentialFile file() const {
    return transport::jumpserver::CredentialFile(directory, profile);
  }
  transport::jumpserver::AssetCache cache() const {
    const auto& credentials = settings.credentials;
    return transport::jumpserver::AssetCache(directory, profile, credentials.server, credentials.user);
  }
};

/// Whether credentials are wanted, or only where the server is. What commands and files hold comes with
/// JumpServerAccess::fetch().
enum class Lookup { server_only, with_credentials };

/// The profile that `--profile` names; with none, what the environment says, else `[jumpserver]`, else the sign-in that
/// was kept last. With `--profile` the environment's credentials stay out: they belong to another server. The server
/// is empty when nothing names one.
base::Result<JumpServerAccess> jumpserver_access(const Config& config, const std::string& profile, Lookup lookup);

/// Whether looking up its credentials runs a command: a password manager may ask on a terminal that is ours by then.
bool runs_commands(const Config& config, const std::string& profile);

/// The names of all JumpServers there are: of the config, and of kept sign-ins. "default" comes first, when it is one.
std::vector<std::string> jumpserver_profiles(const Config& config);

/// "auto", "ws" or "ssh".
base::Result<transport::jumpserver::Via> via_named(const std::string& name);

/// Runs `body` in a fiber and serves the loop until it has ended. Ctrl-C cancels what it waits for; so do SIGTERM and
/// SIGHUP, which are returned for the caller to die by (0: neither came).
int run_in_fiber(event::EventLoop& loop, transport::SshPrompter& prompter,
                 std::function<void(const std::string&)> progress,
                 const std::function<void(transport::ConnectionSetup&)>& body);

/// Fetches the list of assets behind the operator's back and keeps it for the next picker. Destroying it stops it.
class AssetRefresh {
 public:
  using Done = std::function<void(transport::jumpserver::CoreResult<std::vector<transport::jumpserver::Asset>>)>;

  AssetRefresh(event::EventLoop& loop, JumpServerAccess access, Done done);
  ~AssetRefresh();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace app
