#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "event/event_loop.h"
#include "tests/support/http_server.h"
#include "tests/support/websocket_server.h"

// ttyd 1.7 as the reference describes it, with a real program on a real pty. Debian has no package of the original.
namespace test_server {

struct TtydOptions {
  std::vector<std::string> program = {"bash", "--norc", "--noprofile"};
  std::vector<std::string> environment = {"PS1=$ ", "LANG=C.UTF-8", "LC_ALL=C.UTF-8", "HISTFILE="};
  std::string credential;  ///< -c user:password
  bool writable = true;    ///< -W
  std::string base;        ///< -b, such as "/shell"
};

class TtydServer {
 public:
  TtydServer(event::EventLoop& loop, TtydOptions options);
  ~TtydServer();

  Reply handle(const HttpRequest& request);

  std::vector<std::string> violations;
  std::vector<std::string> resizes;
  int pauses = 0, resumes = 0;
  int open_sessions() const { return static_cast<int>(open_.size()); }
  void drop();
  /// The newest session's socket, for ends that no server should make.
  ServerSocket& socket();

 private:
  class Session;
  event::EventLoop& loop_;
  TtydOptions options_;
  std::vector<std::shared_ptr<Session>> open_;
};

/// ttyd on a port of its own.
struct TtydOnLoopback {
  explicit TtydOnLoopback(event::EventLoop& loop, TtydOptions options = {}, HttpServer::Options listen = {})
      : ttyd(loop, std::move(options)),
        http(
            loop, [this](const HttpRequest& request) { return ttyd.handle(request); }, std::move(listen)) {}

  TtydServer ttyd;
  HttpServer http;
};

}  // namespace test_server
