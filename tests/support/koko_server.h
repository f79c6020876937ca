#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "event/event_loop.h"
#include "tests/support/http_server.h"
#include "tests/support/koko_texts.h"
#include "tests/support/websocket_server.h"

// koko's WebSocket terminal as the reference describes it, with a real shell on a real pty behind it. It records typed
// lines as a bastion does, applies command filters, and notes whatever a client must not do.
namespace test_server {

enum class KokoVersion { v4, v5 };

/// A command filter: what koko does with a line that matches.
struct KokoFilter {
  enum class Action { reject, review, warning, notify_and_warn };
  std::string pattern;
  Action action = Action::reject;
};

/// What a token opens.
struct KokoToken {
  std::string owner = "alice";
  bool used = false;
  std::string error;  ///< Not empty: core's word instead of a terminal.
};

/// One line as the bastion's record has it.
struct KokoTyped {
  std::string line;
  bool enter_alone = false;  ///< Enter came as a message of its own: the safe form.
  bool echoed = false;       ///< The text was on the screen before.
  std::string verdict;       ///< "accepted", "rejected", "reviewed", "cancelled", "warned", "declined".
};

struct KokoOptions {
  KokoVersion version = KokoVersion::v4;
  std::vector<std::string> shell = {"bash", "--norc", "--noprofile"};
  std::vector<std::string> environment = {"PS1=$ ", "LANG=C.UTF-8", "LC_ALL=C.UTF-8", "HISTFILE="};
  std::vector<KokoFilter> filters;
  std::chrono::milliseconds connecting{30};  ///< How long the counter runs.
  std::chrono::milliseconds ping_check{60'000}, ping_quiet{30'000};
  std::chrono::milliseconds read_deadline{300'000};
  std::chrono::milliseconds idle_limit{30 * 60'000}, idle_check{30'000};
  std::chrono::milliseconds longest{24 * 3600'000};
  std::chrono::milliseconds spinner{1000};
  std::size_t frame = 1024;
  bool empty_frames = true;
  int order = 0;  ///< Of TERMINAL_SESSION, title and share messages: 0 to 5.
  bool backspace_as_ctrl_h = false, ctrl_c_as_ctrl_z = false;
  bool watermark = true;
  std::vector<std::string> actions = {"connect", "upload", "download", "copy", "paste", "share"};
  std::string password_prompt;  ///< Asked in the stream before the asset is connected.
  std::string connect_error;    ///< Instead of a connection.
};

class KokoServer {
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

  // What an administrator or a reviewer does to the newest session.
  void lock(const std::string& admin);
  void unlock(const std::string& admin);
  void terminate(const std::string& admin);
  void expire_permission();
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
  bool reviewing() const;
  std::string size_seen() const;  ///< "rows cols" of the newest terminal.

  std::vector<KokoTyped> typed;
  std::vector<std::string> violations;
  std::vector<std::string> received;  ///< Types of the control messages, in order.
  std::string input;                  ///< All bytes that were let through to the newest shell.
  std::string dropped;                ///< Input that koko threw away: locked, under review.

 private:
  class Session;
  void forget(Session* session);

  event::EventLoop& loop_;
  KokoOptions options_;
  int sessions_opened_ = 0;
  std::vector<std::shared_ptr<Session>> open_;
};

}  // namespace test_server
