#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "event/event_loop.h"
#include "tests/support/http_server.h"
#include "tests/support/koko_notes.h"
#include "tests/support/koko_options.h"
#include "tests/support/koko_texts.h"
#include "tests/support/websocket_server.h"

// koko's WebSocket terminal as the reference describes it, with a real shell on a real pty behind it. It records typed
// lines as a bastion does, applies command filters, and notes whatever a client must not do.
namespace test_server {

class KokoSession;

/// Its notes are those of all its sessions.
class KokoServer : public KokoNotes {
 public:
  KokoServer(event::EventLoop& loop, KokoOptions options);
  ~KokoServer();

  /// The answer to a request below /koko/. `owner` is whom core recognises by the request, if anyone.
  Reply handle(const HttpRequest& request, const std::optional<std::string>& owner);

  /// Redeems a token, by its id; a client of core_server may put its own here.
  std::function<std::optional<KokoToken>(const std::string& id)> redeem;
  std::map<std::string, KokoToken> tokens;
  /// The environment of each shell that is opened, for tests with a home of their own. May be empty.
  std::function<void(const HttpRequest&, KokoOptions&)> before_session;

  /// v5: whom core recognises by the headers that koko shows it for a request without a session.
  std::function<std::optional<std::string>(const HttpRequest&)> owner_of_headers;
  int ticket_requests = 0;  ///< For a connect ticket, whatever came of them.
  int ticket_openings = 0;  ///< Terminals opened with one.

  // What an administrator or a reviewer does to the newest session.
  void lock(const std::string& admin);
  void unlock(const std::string& admin);
  void terminate(const std::string& admin);
  void expire_permission();
  void end_permission();  ///< The permission's last day is over: koko hangs up.
  void renew_permission();
  void approve(const std::string& reviewer);
  void refuse(const std::string& reviewer);
  void send_message(const std::string& type, const std::string& data);
  void send_output(const std::string& bytes);
  void drop();
  /// The newest session's socket, for ends that no server should make.
  ServerSocket& socket();
  void close_socket(int code, const std::string& reason);

  KokoOptions& options() { return options_; }
  int sessions() const { return sessions_opened_; }
  int open_sessions() const;
  /// As JumpServer lists them. One whose line was cut without a close frame is a ghost there until the server notices
  /// (KokoOptions::notices), one that fell silent with its line open until the read deadline.
  const std::vector<KokoListed>& session_list();
  /// Which of them are still shown as running.
  std::vector<std::string> running();
  /// The server notices what it lost.
  void notice_ghosts();
  bool reviewing() const;
  std::string size_seen() const;  ///< "rows cols" of the newest terminal.

 private:
  Reply give_ticket(const HttpRequest& request, std::optional<std::string> owner);
  std::optional<std::string> owner_of_ticket(const HttpRequest& request);
  void forget(const KokoSession* session);

  event::EventLoop& loop_;
  KokoOptions options_;
  int sessions_opened_ = 0;
  std::map<std::string, std::pair<std::string, std::string>> tickets_;  ///< To owner and token id.
  std::vector<std::shared_ptr<KokoSession>> open_;
};

}  // namespace test_server
