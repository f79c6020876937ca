#include "event/reaper.h"

#include <signal.h>
#include <sys/wait.h>

#include <memory>

namespace event {

void Reaper::take(EventLoop& loop, pid_t child) {
  static const char key = 0;
  auto reaper = std::static_pointer_cast<Reaper>(loop.kept(&key));
  if (!reaper) loop.keep(&key, reaper = std::make_shared<Reaper>());
  reaper->add(loop, child);
}

void Reaper::add(EventLoop& loop, pid_t child) {
  children_.push_back(child);
  if (!sigchld_) {
    sigchld_.emplace(loop, SIGCHLD, [this] { reap(); });
    // A child that does not end when it is told to must not keep us from ending.
    sigchld_->does_not_hold_the_loop();
  }
  reap();  // It may have ended before the watch was set.
}

void Reaper::reap() {
  std::erase_if(children_, [](pid_t child) { return ::waitpid(child, nullptr, WNOHANG) != 0; });
  if (children_.empty()) sigchld_.reset();
}

}  // namespace event
