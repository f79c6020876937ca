#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "event/event_loop.h"
#include "event/timer.h"
#include "terminal/screen.h"
#include "tests/support/koko_command_filter.h"
#include "tests/support/koko_notes.h"
#include "tests/support/koko_options.h"
#include "tests/support/koko_texts.h"
#include "tests/support/koko_wire.h"
#include "tests/support/websocket_server.h"
#include "transport/pty_transport.h"

namespace test_server {

/// One terminal of koko's from the greeting to CLOSE: the counter while the asset is connected, the shell on its pty,
/// the clocks, the administrator. Bytes go through the wire, typed lines through the filter.
class KokoSession : public std::enable_shared_from_this<KokoSession> {
 public:
  KokoSession(event::EventLoop& loop, KokoNotes& notes, KokoOptions options, const std::string& language,
              std::shared_ptr<ServerSocket> socket);

  /// Greets the client, or says why not. `owner` is who asks, `token` what core knows of the token, if anything.
  void start(std::optional<KokoToken> token, const std::string& token_id, const std::string& owner);
  std::function<void()> on_end;  ///< The client is gone.

  void lock(const std::string& admin);
  void unlock(const std::string& admin);
  void terminate(const std::string& admin);
  void end_permission();
  void decide(bool yes, const std::string& reviewer) { filter_.decide(yes, reviewer); }
  void message(const std::string& type, const std::string& data) { wire_.message(type, data); }
  void output(const std::string& bytes);

  bool reviewing() const { return filter_.reviewing(); }
  ServerSocket& socket() { return *socket_; }
  base::Size size() const { return size_; }

 private:
  using Clock = std::chrono::steady_clock;

  KokoWire::Events wire_events();
  void listen();
  void note_end();
  void list();
  KokoListed* listed();
  bool let_go();
  void refuse(const std::string& error);
  std::string greeting(const std::string& owner) const;
  void on_message(bool text, const std::string& bytes);
  void on_input(const std::string& bytes);
  void take_password(const std::string& bytes);
  void begin_connecting();
  std::string who() const { return token_.account + "(" + token_.username + ")"; }
  std::string where() const { return token_.asset + "(" + token_.address + ")"; }
  void fail_to_connect();
  void host_output(const std::string& bytes);
  void to_shell(const std::string& bytes);
  void open(base::Size size);
  void resize(base::Size size);
  void count();
  void connect();
  void announce();
  std::string session_data() const;
  void start_shell(std::unique_ptr<transport::PtyTransport> shell);
  void tick();
  void hang_up(const std::string& words, const std::string& reason);
  void end(const std::string& reason);
  void violation(const std::string& what) { notes_.violations.push_back(what); }

  event::EventLoop& loop_;
  KokoNotes& notes_;
  KokoOptions options_;
  const KokoTexts& texts_;
  std::shared_ptr<ServerSocket> socket_;
  KokoWire wire_;
  terminal::Screen screen_{{.size = {24, 80}}};  ///< The terminal as it is, with its width.
  KokoCommandFilter filter_;
  std::unique_ptr<transport::PtyTransport> pty_;
  base::Size size_{24, 80};
  bool greeted_ = false, connected_ = false, closed_ = false, locked_ = false, asking_password_ = false;
  KokoToken token_;
  std::string id_;  ///< In JumpServer's list; empty before the terminal was asked for.
  std::string password_;
  int counted_ = 0;
  Clock::time_point last_data_, last_activity_, started_, last_ping_ = Clock::now();
  event::Timer counter_, clock_;
};

}  // namespace test_server
