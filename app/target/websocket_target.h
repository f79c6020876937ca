#pragma once

#include <string>

#include "app/target/connection.h"
#include "base/result.h"
#include "event/event_loop.h"

namespace app {

/// The part of connect_to() for `ws://[user[:password]@]host[:port]/…` and `wss://…`: a terminal of ttyd.
base::Result<Connection::Factory> connect_to_ttyd(event::EventLoop& loop, const std::string& target);

}  // namespace app
