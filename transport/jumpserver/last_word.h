#pragma once

#include "event/event_loop.h"
#include "http/client.h"

namespace transport::jumpserver {

/// Sends a request for whose answer nobody waits, from somebody who is about to leave. It goes out while the loop
/// turns; when the loop ends before, its end waits for it, two seconds at most.
void send_last_word(event::EventLoop& loop, http::Request request);

}  // namespace transport::jumpserver
