// How much of our own a web request carries, and to whom: an address that was written out can take data away too.
#pragma once

#include <string_view>

namespace safety {

/// Whether the host of this address is surely this machine or its own network: loopback, a private address, a name
/// without dots or under a suffix that the public does not resolve. When in doubt: no.
bool stays_inside(std::string_view url);

/// Whether the address is longer than those of pages and health checks are: a query, a path or a host name that could
/// hold data.
bool carries_much(std::string_view url);

/// The same for a header, a cookie or another value that is sent along.
inline bool long_value(std::string_view value) {
  return value.size() > 96;
}

}  // namespace safety
