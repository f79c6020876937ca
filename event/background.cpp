#include "event/background.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>

#include <cstdint>
#include <stdexcept>
#include <thread>
#include <utility>

namespace event {
namespace {

base::UniqueFd make_eventfd() {
  base::UniqueFd fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!fd) throw std::runtime_error("cannot make an eventfd");
  return fd;
}

void start(base::UniqueFd finished, std::function<void()> work) {
  // Signals are the loop's business; the thread must not take one away from it.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread([finished = std::move(finished), work = std::move(work)]() mutable {
    work();
    work = nullptr;
    const std::uint64_t one = 1;
    (void)!::write(finished.get(), &one, sizeof one);
  }).detach();
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

}  // namespace

Background::Background(EventLoop& loop, std::function<void()> work, std::function<void()> done)
    : finished_(make_eventfd()), watch_(loop, finished_.get(), kRead, [this, done = std::move(done)](Readiness) {
        watch_.want(kNothing);
        const auto report = done;
        report();
      }) {
  // The thread may outlive this object, so it has a descriptor of its own.
  base::UniqueFd other(fcntl(finished_.get(), F_DUPFD_CLOEXEC, 0));
  start(std::move(other), std::move(work));
}

}  // namespace event
