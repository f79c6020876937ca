#include <utility>

#include "app/target/sign_in_desk.h"

namespace app {
namespace {

namespace js = transport::jumpserver;

/// How the kept sign-in was made; files of earlier versions do not say so.
std::string way_of(const js::Credentials& kept) {
  if (!kept.with.empty()) return kept.with;
  if (!kept.key.empty()) return "key";
  if (kept.token.keyword == "Token" && !kept.token.value.empty()) return "token";
  return "password";
}

bool same(const js::Credentials& left, const js::Credentials& right) {
  return left.key.id == right.key.id && left.key.secret == right.key.secret && left.token.value == right.token.value &&
         left.web.id == right.web.id;
}

/// Somebody who can answer: a person, or the command that gives the password.
bool can_be_asked(transport::ConnectionSetup& setup, const JumpServerAccess& access, const std::string& with) {
  const bool by_password = with == "password" || with == "web";
  const bool by_itself = by_password && !access.password.empty() && !access.settings.credentials.user.empty();
  return setup.can_ask() || by_itself;
}

js::CoreResult<js::Credentials> again(transport::ConnectionSetup& setup, JumpServerAccess access,
                                      const js::Credentials& old, const js::CoreError& why) {
  // What the config's commands and files gave: they may give something else by now.
  if (access.has_sources()) {
    if (auto fetched = access.fetch(&setup); !fetched)
      return tl::unexpected(js::CoreError{js::CoreError::Kind::refused, 0, "", fetched.error().message});
    js::Credentials fresh = access.settings.credentials;
    if (!same(fresh, old)) return fresh;
    return tl::unexpected(why);
  }
  if (access.from_environment()) return tl::unexpected(why);
  const auto kept = access.file().load();
  // The place for a sign-in is taken by another server's, when JMS_SERVER names one for once.
  if (kept && !kept->server.empty() && kept->server != old.server) return tl::unexpected(why);
  // Somebody else may have signed in again meanwhile, in another window.
  if (kept && kept->has_any() && !same(*kept, old)) return *kept;
  const std::string with = kept ? way_of(*kept) : "password";
  access.settings.credentials.user = old.user;
  access.settings.credentials.org = old.org;
  if (!can_be_asked(setup, access, with)) return tl::unexpected(why);
  const std::string ended = why.message.substr(0, why.message.find("; sign in again"));
  auto outcome = SignInDesk(setup, std::move(access)).sign_in(with, ended + ".");
  if (!outcome) return tl::unexpected(outcome.error());
  return std::move(outcome->credentials);
}

}  // namespace

js::CoreClient::SignInAgain sign_in_again_for(const JumpServerAccess& access) {
  return [access](transport::ConnectionSetup& setup, const js::Credentials& old, const js::CoreError& why) {
    return again(setup, access, old, why);
  };
}

}  // namespace app
