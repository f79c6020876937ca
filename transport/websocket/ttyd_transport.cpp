#include "transport/websocket/ttyd_transport.h"

#include <utility>

#include "base/base64.h"
#include "base/one_line.h"

namespace transport {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr std::size_t kMostHeld = 256 * 1024;
constexpr std::size_t kTtydPiece = 16 * 1024;
constexpr milliseconds kResizePause(50);
constexpr int kNormal = 1000;
constexpr int kPolicy = 1008;

std::string size_members(base::Size size) {
  return R"("columns":)" + std::to_string(size.cols) + R"(,"rows":)" + std::to_string(size.rows) + "}";
}

}  // namespace

std::string ttyd_path(const std::string& page) {
  const auto query = page.find('?');
  std::string path = page.substr(0, query);
  if (!path.ends_with("/ws")) path += path.ends_with('/') ? "ws" : "/ws";
  return query == std::string::npos ? path : path + page.substr(query);
}

TtydTransport::TtydTransport(event::EventLoop& loop, Target target, Hooks hooks)
    : loop_(loop), target_(std::move(target)), hooks_(std::move(hooks)), clock_(loop), resize_(loop), deliver_(loop) {}

void TtydTransport::start(Events events) {
  events_ = std::move(events);
  // Later: a callback never comes from inside the call that asked for it.
  deliver_.start(milliseconds(0), [this] {
    if (target_.url.user.empty() || !target_.url.password.empty() || !hooks_.ask_password) return connect();
    const auto ask = hooks_.ask_password;
    ask([this, alive = std::weak_ptr<bool>(alive_)](std::optional<std::string> password) {
      if (alive.expired() || closing_) return;
      if (!password) return finish({Closed::Kind::lost, std::nullopt, "no password was given"});
      target_.url.password = std::move(*password);
      connect();
    });
  });
}

void TtydTransport::connect() {
  WebSocketLink::Request request;
  request.url = target_.url;
  request.url.path = ttyd_path(target_.url.path);
  request.subprotocol = "tty";
  request.ca_file = target_.ca_file;
  const std::string login = target_.url.user + ":" + target_.url.password;
  if (!target_.url.user.empty()) request.headers = {{"Authorization", "Basic " + base::base64_encode(login)}};
  link_ = std::make_unique<WebSocketLink>(loop_, std::move(request));
  if (const auto call = hooks_.on_progress) call("connecting to " + target_.url.authority() + "…");
  link_->start({.on_open = [this] { on_open(); },
                .on_message = [this](MessageKind, std::string_view bytes) { on_message(bytes); },
                .on_drained =
                    [this] {
                      if (const auto call = events_.on_drained) call();
                    },
                .on_end = [this](const WebSocketLink::End& end) { on_end(end); }});
}

void TtydTransport::on_open() {
  // ttyd's token is the same user and password once more; without -c it is empty.
  const std::string token =
      target_.url.user.empty() ? "" : base::base64_encode(target_.url.user + ":" + target_.url.password);
  link_->send(MessageKind::binary, R"({"AuthToken":")" + token + R"(",)" + size_members(target_.size));
  silence_.emplace(Clock::now(), target_.ping, target_.dead);
  clock_.repeat(target_.ping, [this] { tick(); });
}

void TtydTransport::on_message(std::string_view bytes) {
  if (bytes.empty() || closing_) return;
  const std::weak_ptr<bool> alive = alive_;
  if (!std::exchange(ready_, true)) {
    if (const auto call = hooks_.on_ready) call();
    if (alive.expired()) return;
    const std::string early = std::exchange(early_, {});
    if (!early.empty()) send(early);
  }
  // '1' is the window's title, '2' the preferences of a browser.
  if (bytes.front() == '0') on_output(bytes.substr(1));
}

void TtydTransport::on_output(std::string_view bytes) {
  if (!paused_ && held_.empty()) {
    if (const auto call = events_.on_bytes; call && !bytes.empty()) call(bytes);
    return;
  }
  held_ += bytes;
  // A server that does not pause when it is asked to is braked the hard way.
  if (held_.size() > kMostHeld) link_->pause_reading();
}

void TtydTransport::on_end(const WebSocketLink::End& end) {
  using Kind = WebSocketLink::End::Kind;
  if (closing_ || (end.kind == Kind::closed && end.code == kNormal))
    return finish({Closed::Kind::ended, closing_ ? std::nullopt : std::optional<int>(0), ""});
  const std::string host = target_.url.authority();
  if (end.kind == Kind::closed && end.code == kPolicy && !ready_)
    return finish({Closed::Kind::lost, std::nullopt, host + " does not accept this user and password"});
  if (end.http_status == 401)
    return finish({Closed::Kind::lost, std::nullopt,
                   host + (target_.url.user.empty() ? " wants a user and password: write ws://user@host/"
                                                    : " does not accept this user and password")});
  if (ready_ && end.kind == Kind::lost)
    // ttyd says no more than this when its program fails.
    return finish({Closed::Kind::lost, std::nullopt, "the remote program ended with an error, or " + end.reason});
  finish({Closed::Kind::lost, std::nullopt,
          end.kind == Kind::closed
              ? host + " closed the connection" + explain_close(end.code, base::one_line(end.reason))
              : end.reason});
}

void TtydTransport::put(char command, std::string_view payload) {
  if (link_ && link_->is_open()) link_->send(MessageKind::binary, std::string(1, command) + std::string(payload));
}

void TtydTransport::send(std::string_view bytes) {
  if (closing_) return;
  if (!ready_) {
    if (early_.size() + bytes.size() <= kMostEarly) early_ += bytes;
    return;
  }
  for (; bytes.size() > kTtydPiece; bytes.remove_prefix(kTtydPiece)) put('0', bytes.substr(0, kTtydPiece));
  put('0', bytes);
}

std::size_t TtydTransport::unsent() const {
  return early_.size() + (link_ ? link_->unsent() : 0);
}

void TtydTransport::resize(base::Size size) {
  target_.size = size;
  if (!ready_ || resize_.active()) return;
  resize_.start(kResizePause, [this] { put('1', "{" + size_members(target_.size)); });
}

void TtydTransport::pause_reading() {
  if (!std::exchange(paused_, true)) put('2', "");
}

void TtydTransport::resume_reading() {
  if (!std::exchange(paused_, false) || !link_) return;
  put('3', "");
  deliver_.start(milliseconds(0), [this] {
    if (paused_) return;
    link_->resume_reading();
    const std::string held = std::exchange(held_, {});
    if (const auto call = events_.on_bytes; call && !held.empty()) call(held);
  });
}

void TtydTransport::close() {
  if (std::exchange(closing_, true)) return;
  // Nothing to close yet: the end is reported all the same, but not from inside this call.
  if (!link_) return deliver_.start(milliseconds(0), [this] { finish({Closed::Kind::ended, std::nullopt, ""}); });
  link_->resume_reading();
  link_->close();
}

void TtydTransport::tick() {
  const auto silence = silence_->at_tick(Clock::now(), link_->last_heard());
  if (closing_ || held_.size() > kMostHeld) return;
  if (silence >= target_.dead)
    return finish({Closed::Kind::lost, std::nullopt,
                   "nothing came from " + target_.url.authority() + " for long: the connection is dead"});
  link_->ping();
}

void TtydTransport::finish(Closed closed) {
  closing_ = true;
  clock_.stop();
  resize_.stop();
  // What was held back is older than the end.
  const std::weak_ptr<bool> alive = alive_;
  const std::string held = std::exchange(held_, {});
  if (const auto call = events_.on_bytes; call && !held.empty()) call(held);
  if (alive.expired()) return;
  deliver_.stop();
  const auto report = std::move(events_.on_closed);
  events_ = {};
  hooks_ = {};
  if (report) report(std::move(closed));
}

}  // namespace transport
