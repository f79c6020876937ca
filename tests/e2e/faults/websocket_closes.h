#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "event/event_loop.h"
#include "tests/support/jumpserver.h"
#include "tests/support/test_env.h"
#include "tests/support/ttyd_server.h"

namespace faults {

using test_server::ServerSocket;

/// One way to end, and a word of what the operator hears of it.
struct Close {
  std::string name;
  std::function<void(ServerSocket&)> make;
  std::string told;
  bool in_order = false;  ///< The session ended as sessions do: no offer to reconnect.

  friend std::ostream& operator<<(std::ostream& out, const Close& close) { return out << close.name; }
};

/// All of them, with each code.
std::vector<Close> all_closes();

/// Who speaks WebSocket to jms. Everything is served on the test's own loop.
class Bastion {
 public:
  virtual ~Bastion() = default;
  virtual std::vector<std::string> target() const = 0;
  virtual ServerSocket& socket() = 0;
};

class Ttyd final : public Bastion {
 public:
  explicit Ttyd(event::EventLoop& loop)
      : ttyd_(loop, {}),
        http_(loop, [this](const test_server::HttpRequest& request) { return ttyd_.handle(request); }) {}
  std::vector<std::string> target() const override { return {"ws://127.0.0.1:" + std::to_string(http_.port()) + "/"}; }
  ServerSocket& socket() override { return ttyd_.socket(); }

 private:
  test_server::TtydServer ttyd_;
  test_server::HttpServer http_;
};

class Koko final : public Bastion {
 public:
  Koko(event::EventLoop& loop, support::TestEnv& env) : site_(loop, {}) {
    env.set("JMS_SERVER", site_.http.url()).set("JMS_COOKIE", site_.core.open_web_session());
  }
  std::vector<std::string> target() const override { return {"--via", "ws", "jms://web-01"}; }
  ServerSocket& socket() override { return site_.koko.socket(); }

 private:
  test_server::JumpServer site_;
};

}  // namespace faults
