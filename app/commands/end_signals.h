#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "event/event_loop.h"
#include "event/signal_watch.h"

namespace app {

/// The signals that end a command without a terminal: SIGTERM, SIGHUP, SIGQUIT, and SIGPIPE when nobody reads its
/// output any more. Whoever has a session open takes a moment to close it, and then dies by the signal. One that was
/// ignored when jms began (nohup) stays so.
class EndSignals {
 public:
  EndSignals(event::EventLoop& loop, const std::function<void(int signal_number)>& on_end);

 private:
  std::vector<std::unique_ptr<event::SignalWatch>> watches_;
};

}  // namespace app
