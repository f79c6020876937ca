#include "transport/hang_up.h"

#include <exception>

#include "base/log.h"

namespace transport {

void hang_up(event::EventLoop& loop, Transport& transport, const std::function<bool()>& closed) {
  try {
    transport.close();
    // What nobody reads any more must not stand in front of the server's answer.
    transport.resume_reading();
    loop.run_until(closed, kLongestGoodbye);
  } catch (const std::exception& error) {
    base::log_error(std::string("while hanging up: ") + error.what());
  }
}

}  // namespace transport
