#include "transport/jumpserver/koko_transport.h"

#include <algorithm>
#include <utility>

#include "base/one_line.h"
#include "transport/jumpserver/json.h"

namespace transport::jumpserver {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kGoodbye(250);           // After koko's own last word, when it may have stopped reading.
constexpr milliseconds kLeaving(900);           // A koko in a flood, or on a busy machine, reads our close frame late.
constexpr milliseconds kResizePause(50);        // A window that is dragged changes its size many times.
constexpr milliseconds kLongestTransfer(5000);  // A cancelled transfer is over long before.
constexpr std::string_view kCancelTransfer = "\x18\x18\x18\x18\x18\b\b\b\b\b";

Json parse_object(const std::string& text) {
  Json value = parse_json(text);
  return value.is_object() ? value : Json::object();
}

std::string in_words(milliseconds time) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(time).count();
  return seconds < 120 ? std::to_string(seconds) + " s" : std::to_string(seconds / 60) + " min";
}

}  // namespace

KokoTransport::KokoTransport(event::EventLoop& loop, Target target, Hooks hooks)
    : loop_(loop),
      target_(std::move(target)),
      hooks_(std::move(hooks)),
      greeting_(loop),
      clock_(loop),
      resize_(loop),
      question_(loop) {}

KokoTransport::~KokoTransport() = default;

void KokoTransport::start(Events events) {
  events_ = std::move(events);
  auto url = parse_websocket_url(target_.ticket.url);
  if (!url) {
    greeting_.start(milliseconds(0), [this] {
      finish({Closed::Kind::lost, std::nullopt, "the server gave an address that cannot be read"});
    });
    return;
  }
  WebSocketLink::Request request;
  request.url = *url;
  request.headers = target_.ticket.headers;
  request.subprotocol = target_.ticket.subprotocol;
  request.ca_file = target_.ticket.ca_file;
  link_ = std::make_unique<WebSocketLink>(loop_, std::move(request));
  if (paused_) link_->pause_reading();
  const std::string host = target_.ticket.host.empty() ? url->authority() : target_.ticket.host;
  link_->start({.on_open =
                    [this, host] {
                      greeting_.start(target_.times.greeting, [this, host] {
                        finish({Closed::Kind::lost, std::nullopt,
                                host + " accepted the connection and says nothing: the sign-in belongs to another user "
                                       "than the connection token, or the service hangs; sign in again"});
                      });
                      if (const auto call = hooks_.on_progress) call("waiting for " + host + "…");
                    },
                .on_message = [this](MessageKind kind, std::string_view bytes) { on_message(kind, bytes); },
                .on_drained =
                    [this] {
                      if (const auto call = events_.on_drained) call();
                    },
                .on_end = [this](const WebSocketLink::End& end) { on_link_end(end); }});
}

void KokoTransport::on_message(MessageKind kind, std::string_view bytes) {
  heard_ = true;
  const KokoFrame frame = codec_.read(kind, bytes);
  if (frame.kind == KokoFrame::Kind::output) on_output(frame.output);
  if (frame.kind == KokoFrame::Kind::message) on_control(frame.message);
}

void KokoTransport::on_output(std::string_view bytes) {
  if (closing_) return;
  last_output_ = Clock::now();
  note_activity();
  if (in_transfer_) return;
  words_.feed(bytes);
  if (!ready_) question_.start(target_.times.asked, [this] { answer_when_asked(); });
  if (const auto call = events_.on_bytes) call(bytes);
}

void KokoTransport::on_control(const KokoMessage& message) {
  if (closing_) return;
  const std::string& type = message.type;
  if (type == "CONNECT") return on_connect(message);
  if (type == "TERMINAL_SESSION") return on_session(message);
  if (type == "TERMINAL_READY") return become_ready();
  if (type == "TERMINAL_ACTION") return on_action(message.data);
  if (type == "CLOSE") return on_terminal_closed(message.data);
  if (type == "ERROR" || type == "TERMINAL_ERROR") {
    const std::string why = message.error.empty() ? message.data : message.error;
    if (why.empty())
      return leave({Closed::Kind::lost, std::nullopt, explain_failed_opening(words_.last_words())}, kGoodbye);
    return leave({Closed::Kind::lost, std::nullopt, "the bastion refuses: " + base::one_line(why)}, kGoodbye);
  }
  if (type == "TERMINAL_SESSION_PAUSE" || type == "TERMINAL_SESSION_RESUME") {
    const bool locked = type == "TERMINAL_SESSION_PAUSE";
    const std::string who = base::one_line(text_at(parse_object(message.data), "user"));
    return tell(locked ? KokoEvent::Kind::locked : KokoEvent::Kind::unlocked,
                locked ? "the session is locked by " + who + ": what is typed is dropped until it is unlocked"
                       : "the session is unlocked by " + who);
  }
  if (type == "TERMINAL_PERM_EXPIRED")
    return tell(KokoEvent::Kind::permission_expired,
                "the permission for this asset has expired; the bastion hangs up in 10 min unless it is renewed");
  if (type == "TERMINAL_PERM_VALID")
    return tell(KokoEvent::Kind::permission_valid, "the permission for this asset is valid again");
  // Sharing, monitoring, preferences, pings and whatever a newer server says ask nothing of us.
}

void KokoTransport::on_connect(const KokoMessage& message) {
  if (std::exchange(opened_, true)) return;
  greeting_.stop();
  watermark_ = flag_at(at(parse_object(message.data), "setting"), "SECURITY_WATERMARK_ENABLED", false);
  put(codec_.open_terminal(target_.size));
  const milliseconds tick_time = std::max(milliseconds(5), target_.times.ping / 10);
  silence_.emplace(Clock::now(), tick_time, target_.times.dead);
  clock_.repeat(tick_time, [this] { tick(); });
  if (const auto call = hooks_.on_progress) call("the bastion connects to the asset…");
}

void KokoTransport::on_session(const KokoMessage& message) {
  const Json data = parse_object(message.data);
  const Json& about = at(data, "session");
  KokoSession session{text_at(about, "id"), base::one_line(text_at(about, "asset")),
                      base::one_line(text_at(about, "account"))};
  for (const Json& action : at(at(data, "permission"), "actions"))
    if (action.is_string()) session.actions.push_back(base::one_line(action.get<std::string>()));
  session.watermark = watermark_;
  session.backspace_as_ctrl_h = flag_at(data, "backspaceAsCtrlH", false);
  session.ctrl_c_as_ctrl_z = flag_at(data, "ctrlCAsCtrlZ", false);
  session_ = std::move(session);
  const std::weak_ptr<bool> alive = alive_;
  become_ready();
  if (alive.expired()) return;
  std::string line = "connected to " + session_->asset + " as " + session_->account;
  const auto may = [this](const char* action) {
    return std::find(session_->actions.begin(), session_->actions.end(), action) != session_->actions.end();
  };
  if (!session_->actions.empty() && (!may("copy") || !may("paste"))) line += "; copying text from it is not permitted";
  if (session_->watermark) line += "; the site asks for a watermark: screens of it are confidential";
  tell(KokoEvent::Kind::session, std::move(line));
}

void KokoTransport::on_action(const std::string& action) {
  if (action == "ZMODEM_END") in_transfer_ = false;
  if (action != "ZMODEM_START" || std::exchange(in_transfer_, true)) return;
  transfer_since_ = Clock::now();
  for (const auto& message : codec_.input(kCancelTransfer)) put(message);
  tell(KokoEvent::Kind::transfer_refused,
       "a file transfer (zmodem) began and was cancelled; copy files with scp or sftp through the bastion");
}

void KokoTransport::become_ready() {
  if (std::exchange(ready_, true)) return;
  ready_since_ = last_activity_ = Clock::now();
  const std::weak_ptr<bool> alive = alive_;
  if (const auto call = hooks_.on_ready) call();
  if (alive.expired()) return;
  const std::string early = std::exchange(early_, {});
  if (!early.empty()) deliver_input(early);
}

void KokoTransport::on_terminal_closed(const std::string& reason) {
  const std::string words = words_.parting_words();
  const std::string told = explain_end(koko_end(reason.empty() ? words : reason), words);
  if (!told.empty()) return leave({Closed::Kind::lost, std::nullopt, told}, kGoodbye);
  if (!ready_) return leave({Closed::Kind::lost, std::nullopt, explain_failed_opening(words_.last_words())}, kGoodbye);
  leave({Closed::Kind::ended, std::nullopt, ""}, kGoodbye);
}

/// The terminal is over. koko leaves the socket to us and must hear nothing more but the close frame, which it may
/// never answer: it has stopped reading.
void KokoTransport::leave(Closed closed, milliseconds patience) {
  closing_ = true;
  goodbye_ = std::move(closed);
  link_->resume_reading();
  link_->close();
  greeting_.start(patience, [this] { finish(goodbye_); });
}

void KokoTransport::on_link_end(const WebSocketLink::End& end) {
  using Kind = WebSocketLink::End::Kind;
  if (closing_) return finish(goodbye_);
  std::string why = base::one_line(end.reason);
  if (end.kind == Kind::closed)
    why = "the bastion closed the connection" + explain_close(end.code, why.substr(why.starts_with("koko:") ? 5 : 0));
  if (end.kind == Kind::failed) why.insert(0, kBastionOutOfReach);
  if (end.kind == Kind::lost && opened_) why += kMayStillBeListed;
  finish({Closed::Kind::lost, std::nullopt, std::move(why)});
}

void KokoTransport::send(std::string_view bytes) {
  if (closing_ || !link_) return;
  if (ready_) return deliver_input(bytes);
  if (early_.size() + bytes.size() <= kMostEarly) early_ += bytes;
  if (!question_.active()) answer_when_asked();
}

/// True when koko itself waits for an answer before the asset is connected. Half a counter or banner is no question:
/// that is seen by its words, and by the silence behind them.
bool KokoTransport::waits_for_answer() const {
  return opened_ && codec_.has_terminal() && words_.asks();
}

void KokoTransport::answer_when_asked() {
  if (ready_ || closing_ || early_.empty() || !waits_for_answer()) return;
  deliver_input(std::exchange(early_, {}));
}

void KokoTransport::deliver_input(std::string_view bytes) {
  if (!codec_.has_terminal()) {
    early_.insert(0, bytes);
    return;
  }
  std::string mapped(bytes);
  if (session_ && session_->backspace_as_ctrl_h) std::replace(mapped.begin(), mapped.end(), '\x7f', '\b');
  if (session_ && session_->ctrl_c_as_ctrl_z) std::replace(mapped.begin(), mapped.end(), '\x03', '\x1a');
  for (const auto& message : codec_.input(mapped)) put(message);
  note_activity();
}

void KokoTransport::put(const KokoOutgoing& message) {
  last_sent_ = Clock::now();
  link_->send(message.kind, message.bytes);
}

std::size_t KokoTransport::unsent() const {
  return early_.size() + (link_ ? link_->unsent() : 0);
}

void KokoTransport::resize(base::Size size) {
  target_.size = size;
  if (!opened_ || closing_ || resize_.active()) return;
  resize_.start(kResizePause, [this] {
    if (!codec_.has_terminal() || closing_) return;
    put(codec_.resize(target_.size));
    note_activity();
  });
}

void KokoTransport::pause_reading() {
  paused_ = true;
  if (link_) link_->pause_reading();
}

void KokoTransport::resume_reading() {
  paused_ = false;
  if (link_) link_->resume_reading();
}

void KokoTransport::close() {
  if (closing_ || !link_) return;
  if (opened_ && codec_.has_terminal()) put(codec_.close_terminal());
  leave({Closed::Kind::ended, std::nullopt, ""}, kLeaving);
}

void KokoTransport::tell(KokoEvent::Kind kind, std::string text) {
  if (const auto call = hooks_.on_event) call({kind, std::move(text)});
}

/// What resets the bastion's idle clock: typing, output, a new size. Pings do not.
void KokoTransport::note_activity() {
  last_activity_ = Clock::now();
  idle_warned_ = false;
}

void KokoTransport::tick() {
  const auto now = Clock::now();
  const Times& times = target_.times;
  if (closing_) return;
  if (now - last_sent_ >= times.ping) put(codec_.ping());
  if (in_transfer_ && now - transfer_since_ > kLongestTransfer) in_transfer_ = false;
  const auto silence = silence_->at_tick(now, link_->last_heard());
  if (!paused_) {
    if (silence >= times.dead)
      return finish({Closed::Kind::lost, std::nullopt,
                     "nothing came from the bastion for " + in_words(times.dead) + ": the connection is dead" +
                         std::string(kMayStillBeListed)});
    if (silence >= times.probe) link_->ping();
  }
  if (!ready_) {
    const bool quiet = now - last_output_ >= times.settled;
    if (quiet && codec_.has_terminal() && words_.host_spoke() && !words_.asks()) become_ready();
    return;
  }
  warn_when_due(now);
}

void KokoTransport::warn_when_due(Clock::time_point now) {
  const Times& times = target_.times;
  const std::weak_ptr<bool> alive = alive_;
  if (!time_warned_ && now - ready_since_ >= times.longest - times.longest_warning) {
    time_warned_ = true;
    tell(KokoEvent::Kind::time_soon, "this session has lasted nearly as long as the bastion allows; it hangs up in " +
                                         in_words(times.longest_warning));
    if (alive.expired()) return;
  }
  // A site may allow less idle time than we would warn ahead.
  const auto idle_warning = std::min(times.idle_warning, times.idle_limit / 2);
  if (idle_warned_ || now - last_activity_ < times.idle_limit - idle_warning) return;
  idle_warned_ = true;
  tell(KokoEvent::Kind::idle_soon, "nothing has happened here for long; the bastion hangs up in " +
                                       in_words(idle_warning) + " unless a key is pressed");
}

void KokoTransport::finish(Closed closed) {
  closing_ = true;
  greeting_.stop();
  clock_.stop();
  resize_.stop();
  question_.stop();
  link_.reset();  // Nothing of ours lingers, whatever the owner does with us.
  const auto report = std::move(events_.on_closed);
  events_ = {};
  hooks_ = {};
  if (report) report(std::move(closed));
}

}  // namespace transport::jumpserver
