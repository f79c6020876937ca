#pragma once

#include <chrono>
#include <string>

#include "app/config/secret_source.h"
#include "base/result.h"
#include "transport/ssh/connection_setup.h"

namespace app {

/// How long a command may take: whoever unlocks a password manager needs a moment, a session on the screen cannot ask.
inline constexpr std::chrono::seconds kSecretCommandLimit{120};

/// read_secret() inside a fiber: the loop goes on while a command runs, Ctrl-C ends it, and so does the limit. Where no
/// session is drawn on the terminal, the command may ask there; elsewhere it has none, and its last words stand in the
/// error.
base::Result<std::string> fetch_secret(transport::ConnectionSetup& setup, const SecretSource& source,
                                       const std::string& setting,
                                       std::chrono::milliseconds limit = kSecretCommandLimit);

}  // namespace app
