#include "app/commands/end_signals.h"

#include <signal.h>

namespace app {

EndSignals::EndSignals(event::EventLoop& loop, const std::function<void(int signal_number)>& on_end) {
  for (const int number : {SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) {
    struct sigaction before {};
    if (sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_IGN) continue;
    watches_.push_back(std::make_unique<event::SignalWatch>(loop, number, [on_end, number] { on_end(number); }));
    watches_.back()->does_not_hold_the_loop();
  }
}

}  // namespace app
