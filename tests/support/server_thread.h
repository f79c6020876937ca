#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <thread>

#include "event/event_loop.h"

namespace test_server {

/// Servers in a thread and on a loop of their own, for tests that wait for a program.
class ServerThread {
 public:
  /// `build` runs in the thread and gives what is to live there; the constructor returns when it is built.
  explicit ServerThread(std::function<std::shared_ptr<void>(event::EventLoop&)> build);
  ~ServerThread();

 private:
  std::atomic<bool> over_ = false;
  std::thread thread_;
};

}  // namespace test_server
