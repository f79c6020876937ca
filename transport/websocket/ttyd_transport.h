#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "event/event_loop.h"
#include "event/timer.h"
#include "transport/transport.h"
#include "transport/websocket/silence.h"
#include "transport/websocket/websocket_link.h"

namespace transport {

/// A terminal of ttyd (`tty` protocol): a program on a pty behind a WebSocket.
class TtydTransport final : public Transport {
 public:
  struct Target {
    WebSocketUrl url;     ///< Of the page; `/ws` is added to its path. User and password are for ttyd's -c.
    std::string ca_file;  ///< Trusted besides the system's.
    base::Size size;
    std::chrono::milliseconds ping{20'000};
    std::chrono::milliseconds dead{60'000};  ///< Silence after which the server is gone.
  };
  /// Each may be empty; each may destroy the transport.
  struct Hooks {
    std::function<void(const std::string&)> on_progress;
    std::function<void()> on_ready;
    /// Asks for the password of a user that came without one; nothing as answer gives up.
    std::function<void(std::function<void(std::optional<std::string>)>)> ask_password;
  };

  TtydTransport(event::EventLoop& loop, Target target, Hooks hooks);

  void start(Events events) override;
  void send(std::string_view bytes) override;
  std::size_t unsent() const override;
  void resize(base::Size size) override;
  void pause_reading() override;
  void resume_reading() override;
  void close() override;

 private:
  void connect();
  void on_open();
  void on_message(std::string_view bytes);
  void on_output(std::string_view bytes);
  void on_end(const WebSocketLink::End& end);
  void put(char command, std::string_view payload);
  void tick();
  void finish(Closed closed);

  event::EventLoop& loop_;
  Target target_;
  Hooks hooks_;
  Events events_;
  bool ready_ = false;
  bool paused_ = false;
  bool closing_ = false;
  std::string early_;  ///< Typed before the program was started.
  std::string held_;   ///< Came after we asked the server to pause.
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  std::unique_ptr<WebSocketLink> link_;
  std::optional<Silence> silence_;  ///< Of the server, once it is there.
  event::Timer clock_;
  event::Timer resize_;
  event::Timer deliver_;
};

/// The path of ttyd's WebSocket below the page that the operator named.
std::string ttyd_path(const std::string& page);

}  // namespace transport
