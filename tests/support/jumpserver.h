#pragma once

#include <functional>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/core_server.h"
#include "tests/support/koko_server.h"

namespace test_server {

/// A whole JumpServer on one port: core's REST API and koko's WebSocket, which knows core's web sessions and uses its
/// tokens up.
class JumpServer {
 public:
  JumpServer(event::EventLoop& loop, KokoOptions options);

  CoreServer core = CoreServer::with_usual_assets();
  KokoServer koko;
  HttpServer http;

 private:
  Reply answer(const HttpRequest& request);
  void describe(const CoreServer::Token& found, KokoToken& token) const;
};

/// The same in a thread of its own, for tests that wait for a program.
class ServedJumpServer {
 public:
  explicit ServedJumpServer(KokoOptions options);
  ~ServedJumpServer();

  const std::string& url() const { return url_; }
  /// Does something with the server, in its thread; returns when it is done.
  void with(const std::function<void(JumpServer&)>& action);
  /// Waits until the server is as wanted; false when it is not in time.
  bool wait(const std::function<bool(JumpServer&)>& wanted);
  std::vector<std::string> violations();

 private:
  void serve(KokoOptions options, std::promise<std::string>& ready);

  std::string url_;
  std::mutex mutex_;
  std::vector<std::function<void(JumpServer&)>> actions_;
  bool over_ = false;
  std::thread thread_;
};

}  // namespace test_server
