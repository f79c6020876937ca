#pragma once

#include <chrono>
#include <functional>

#include "event/event_loop.h"
#include "transport/transport.h"

namespace transport {

/// The longest time that a goodbye may take: a close frame is on its way within it, or nobody would read it.
inline constexpr std::chrono::milliseconds kLongestGoodbye{1000};

/// Ends a session in order: asks it to close and serves the loop until `closed` says that it has, or the time is up.
/// A bastion then shows the session as ended, and not as running until it notices.
///
/// For whoever owns a transport and goes away, however that comes about: it throws nothing. Not from inside a callback
/// of the loop.
void hang_up(event::EventLoop& loop, Transport& transport, const std::function<bool()>& closed);

}  // namespace transport
