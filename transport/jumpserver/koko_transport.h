#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "event/event_loop.h"
#include "event/timer.h"
#include "transport/jumpserver/koko_frames.h"
#include "transport/jumpserver/koko_ticket.h"
#include "transport/jumpserver/koko_words.h"
#include "transport/transport.h"
#include "transport/websocket/silence.h"
#include "transport/websocket/websocket_link.h"

namespace transport::jumpserver {

/// What koko tells about the session once the asset is connected.
struct KokoSession {
  std::string id;
  std::string asset;                 ///< "web-01(10.0.0.5)"
  std::string account;               ///< "root(root)"
  std::vector<std::string> actions;  ///< "connect", "upload", "copy" …
  bool watermark = false;
  bool backspace_as_ctrl_h = false;
  bool ctrl_c_as_ctrl_z = false;
};

/// Something the bastion did, or will do soon, beside the terminal's bytes.
struct KokoEvent {
  enum class Kind {
    session,  ///< The asset is connected; KokoTransport::session() holds what is known.
    locked,   ///< An administrator locked the session: what is typed is dropped.
    unlocked,
    permission_expired,  ///< Ten minutes are left.
    permission_valid,    ///< It came back in time.
    idle_soon,           ///< Nobody typed for long; the bastion will hang up.
    time_soon,           ///< The longest session time is nearly used up.
    transfer_refused,    ///< A zmodem transfer began and was cancelled.
    notice,              ///< Anything else worth a line.
  };
  Kind kind = Kind::notice;
  std::string text;  ///< One line for the operator.
};

/// A terminal on an asset through koko's WebSocket, in the dialect that the server speaks.
///
/// What is typed before the asset is connected is kept back: koko would let it block everything after it. Only an
/// answer to a question that koko itself asks (a password without echo) goes out at once.
class KokoTransport final : public Transport {
 public:
  /// The clocks of the protocol. The defaults are those of the reference; tests make them shorter.
  struct Times {
    std::chrono::milliseconds ping{25'000};      ///< A load balancer may give up after 30 s.
    std::chrono::milliseconds probe{90'000};     ///< Silence after which a protocol ping is sent.
    std::chrono::milliseconds dead{125'000};     ///< Silence after which the server is gone: 90 s are normal.
    std::chrono::milliseconds greeting{20'000};  ///< For CONNECT; a foreign token is met with silence.
    std::chrono::milliseconds settled{5'000};    ///< Quiet after the host's words when no TERMINAL_SESSION comes.
    std::chrono::milliseconds asked{200};        ///< Quiet after which a question is one, and not half a line.
    std::chrono::milliseconds idle_limit{30 * 60'000};
    std::chrono::milliseconds idle_warning{2 * 60'000};  ///< Before the limit.
    std::chrono::milliseconds longest{24 * 3600'000};
    std::chrono::milliseconds longest_warning{10 * 60'000};
  };
  struct Target {
    KokoTicket ticket;
    base::Size size;
    Times times;
  };
  /// Each may be empty. Called from the loop; each may destroy the transport.
  struct Hooks {
    std::function<void(const std::string&)> on_progress;
    std::function<void(const KokoEvent&)> on_event;
    std::function<void()> on_ready;  ///< The asset is connected.
  };

  KokoTransport(event::EventLoop& loop, Target target, Hooks hooks);
  ~KokoTransport() override;

  void start(Events events) override;
  void send(std::string_view bytes) override;
  std::size_t unsent() const override;
  void resize(base::Size size) override;
  void pause_reading() override;
  void resume_reading() override;
  void close() override;

  const std::optional<KokoSession>& session() const { return session_; }
  /// The bastion has said something, if only no: before that nothing but the link can have failed.
  bool heard() const { return heard_; }
  KokoDialect dialect() const { return codec_.dialect(); }

 private:
  void on_message(MessageKind kind, std::string_view bytes);
  void on_output(std::string_view bytes);
  void on_control(const KokoMessage& message);
  void on_connect(const KokoMessage& message);
  void on_session(const KokoMessage& message);
  void on_action(const std::string& action);
  void on_terminal_closed(const std::string& reason);
  void on_link_end(const WebSocketLink::End& end);
  void become_ready();
  void deliver_input(std::string_view bytes);
  void put(const KokoOutgoing& message);
  void tell(KokoEvent::Kind kind, std::string text);
  void note_activity();
  void tick();
  void warn_when_due(std::chrono::steady_clock::time_point now);
  bool waits_for_answer() const;
  void answer_when_asked();
  void leave(Closed closed, std::chrono::milliseconds patience);
  void finish(Closed closed);

  event::EventLoop& loop_;
  Target target_;
  Hooks hooks_;
  Events events_;
  KokoCodec codec_;
  std::optional<KokoSession> session_;
  bool heard_ = false;
  bool opened_ = false;  ///< INIT or create was sent.
  bool ready_ = false;
  bool paused_ = false;
  bool closing_ = false;
  bool in_transfer_ = false;  ///< zmodem bytes flow; they are not for a terminal.
  bool watermark_ = false;
  bool idle_warned_ = false, time_warned_ = false;
  Closed goodbye_;     ///< How it ended, while the close frame is under way.
  std::string early_;  ///< Typed before the asset was there.
  KokoWords words_;    ///< What koko says before it hangs up, or asks.
  std::chrono::steady_clock::time_point last_sent_, last_activity_, ready_since_, last_output_, transfer_since_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  std::unique_ptr<WebSocketLink> link_;
  std::optional<Silence> silence_;  ///< Of the bastion, from its greeting on.
  event::Timer greeting_;
  event::Timer clock_;
  event::Timer resize_;
  event::Timer question_;
};

}  // namespace transport::jumpserver
