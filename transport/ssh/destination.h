#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace transport {

/// Where the operator wants to go, as typed: `[user@]host[:port]`. Empty user and port 0 are left to the configuration.
struct Destination {
  std::string host;
  std::string user;
  int port = 0;

  friend bool operator==(const Destination&, const Destination&) = default;
};

/// Reads `user@host`, `host:2222`, `[::1]:22`, a bare IPv6 address or `ssh://user@host:port`. The user is everything
/// before the last `@`, since JumpServer's names hold some themselves. Refuses what a shell or ssh could misread.
base::Result<Destination> parse_destination(std::string_view text);

/// Reads `a,user@b:2222,c`, and `none` as an empty chain.
base::Result<std::vector<Destination>> parse_jump_chain(std::string_view text);

/// The reverse: "user@host:port" with only what is set.
std::string to_text(const Destination& destination);

}  // namespace transport
