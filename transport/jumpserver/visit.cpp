#include "transport/jumpserver/visit.h"

#include <algorithm>

#include "base/one_line.h"
#include "transport/jumpserver/directory.h"

namespace transport::jumpserver {

bool could_come_from_age(const CoreError& error) {
  if (error.kind == CoreError::Kind::not_found) return true;
  if (error.kind != CoreError::Kind::refused) return false;
  const std::string& code = error.code;
  return !code.starts_with("acl_") && !code.starts_with("review") && code != "perm_expired" && code != "no_ssh" &&
         code != "no_face_feature" && code != "rejected" && code != "closed";
}

CoreResult<void> Visit::renew(ConnectionSetup& setup) {
  doors.reset();
  facts.forget(Fact::methods);
  facts.forget(Fact::nodes);
  auto found = Directory(client, facts).find(setup, wish.detail.asset.id, Directory::Age::new_only, {Fact::methods});
  if (!found) return tl::unexpected(found.error());
  const Asset &before = wish.detail.asset, &now = found->detail.asset;
  const std::string name = base::one_line(before.name, 80);
  // The rules of hosts judge by these, and whoever made them has gone on with the old ones.
  if (before.name != now.name || before.address != now.address || before.nodes != now.nodes ||
      before.labels != now.labels)
    return refused("changed", name + " was changed in JumpServer a moment ago; open it again");
  const auto usable = usable_accounts(found->detail);
  const auto same = [&](auto matches) {
    const auto account = std::find_if(usable.begin(), usable.end(), matches);
    if (account != usable.end()) wish.account = *account;
    return account != usable.end();
  };
  const Account had = wish.account;
  if (!same([&](const Account& one) { return one.alias == had.alias; }) &&
      !same([&](const Account& one) { return one.name == had.name && one.username == had.username; }))
    return refused("perm_account_invalid", "the account " + base::one_line(had.label(), 80) + " on " + name +
                                               " is not permitted to you any more; see `jms assets --accounts " + name +
                                               "`");
  wish.detail = std::move(found->detail);
  wish.old = false;
  return {};
}

}  // namespace transport::jumpserver
