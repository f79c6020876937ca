#include "tests/support/server_thread.h"

#include <chrono>
#include <future>

namespace test_server {

ServerThread::ServerThread(std::function<std::shared_ptr<void>(event::EventLoop&)> build) {
  std::promise<void> built;
  auto ready = built.get_future();
  thread_ = std::thread([this, &built, build = std::move(build)] {
    event::EventLoop loop;
    const auto servers = build(loop);
    built.set_value();
    while (!over_) loop.run_until([this] { return over_.load(); }, std::chrono::milliseconds(50));
  });
  ready.get();
}

ServerThread::~ServerThread() {
  over_ = true;
  thread_.join();
}

}  // namespace test_server
