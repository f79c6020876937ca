#include "model/request_run.h"
#include "http/failure.h"

#include <ctime>
#include <utility>

#include "base/log.h"
#include "model/http_error.h"
#include "model/retry_policy.h"

namespace model {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMaxRequestBody = 32u << 20;  // what the API takes
constexpr std::size_t kMaxErrorBody = 64u << 10;
constexpr int kMaxAdaptions = 6;

std::string seconds(milliseconds time) {
  return std::to_string((time.count() + 500) / 1000) + " s";
}

bool is_success(const http::Head& head) {
  return head.status >= 200 && head.status < 300;
}

}  // namespace

RequestRun::RequestRun(event::EventLoop& loop, std::shared_ptr<http::Client> http, std::shared_ptr<Dialect> dialect,
                       Request request, Events events, std::function<double()> random)
    : http_(std::move(http)),
      dialect_(std::move(dialect)),
      request_(std::move(request)),
      events_(std::move(events)),
      random_(std::move(random)),
      wait_(loop),
      silence_(loop),
      total_(loop) {}

const std::string& RequestRun::model() const {
  return request_.model.empty() ? dialect_->settings().model : request_.model;
}

void RequestRun::start() {
  const Timing& timing = dialect_->settings().timing;
  total_.start(timing.total, [this, limit = timing.total] {
    abort(ErrorKind::time_limit, "time_limit",
          "the answer was not complete after " + seconds(limit) + "; it was given up");
  });
  wait_.start(milliseconds(0), [this] { begin_attempt(); });
}

void RequestRun::drop() {
  dropped_ = true;
  stop();
}

void RequestRun::stop() {
  cancelled_ = true;
  wait_.stop();
  silence_.stop();
  total_.stop();
  transfer_.reset();
}

void RequestRun::begin_attempt() {
  const auto self = shared_from_this();
  head_.reset();
  error_body_.clear();
  auto http = dialect_->prepare(request_);
  if (!http) return end_attempt(failed({ErrorKind::settings, "settings", http.error().message}));
  host_ = http->unix_socket.empty() ? http::shown_host(http->url) : http->unix_socket;
  if (http->body.size() > kMaxRequestBody)
    return end_attempt(failed({ErrorKind::context_too_long, "request_too_large",
                               "the conversation has outgrown the 32 MB a request may have; compact it"}));
  decoder_ = dialect_->decoder(sink());
  transfer_ =
      http_->start(std::move(*http), {[this](const http::Head& found) { on_head(found); },
                                      [this](std::string_view bytes) { on_bytes(bytes); },
                                      [this](std::optional<http::Failure> failure) { on_end(std::move(failure)); }});
  last_byte_ = Clock::now();
  told_silence_ = false;
  watch_silence();
}

TurnSink RequestRun::sink() {
  TurnSink pieces;
  pieces.text = [this](std::string_view text) {
    if (cancelled_) return;
    shown_ = true;
    if (events_.on_text) events_.on_text(text);
  };
  pieces.thinking = [this](std::string_view text) {
    if (cancelled_ || !events_.on_thinking) return;
    shown_ = true;
    events_.on_thinking(text);
  };
  pieces.usage = [this](const Usage& usage) {
    if (!cancelled_ && events_.on_usage) events_.on_usage(usage);
  };
  return pieces;  // calls are told when the turn has ended well: a repeat must not show them twice
}

void RequestRun::on_head(const http::Head& found) {
  head_ = found;
  last_byte_ = Clock::now();
  base::log_debug(host_ + " answers " + std::to_string(found.status) + " for " + model());
}

void RequestRun::on_bytes(std::string_view bytes) {
  const auto self = shared_from_this();
  last_byte_ = Clock::now();
  if (std::exchange(told_silence_, false)) watch_silence();
  if (!head_ || !is_success(*head_)) {
    if (error_body_.size() < kMaxErrorBody) error_body_.append(bytes.substr(0, kMaxErrorBody - error_body_.size()));
    return;
  }
  decoder_->feed(bytes);
  if (!cancelled_ && decoder_->finished()) end_attempt(decoded());
}

void RequestRun::on_end(std::optional<http::Failure> failure) {
  const auto self = shared_from_this();
  if (head_ && !is_success(*head_)) return end_attempt(failed(error_of_response(*head_, error_body_, host_)));
  if (!head_) {
    const bool transient = failure && failure->transient;
    return end_attempt(failed({transient ? ErrorKind::connection : ErrorKind::settings,
                               transient ? "connection_failed" : "cannot_connect",
                               failure ? failure->message : host_ + " closed the connection without an answer"}));
  }
  Turn turn = decoded();
  if (turn.outcome == Outcome::incomplete)
    turn.error = TurnError{ErrorKind::connection, "connection_lost",
                           failure ? failure->message : host_ + " ended the answer before it was complete"};
  end_attempt(std::move(turn));
}

Turn RequestRun::decoded() {
  Turn turn = decoder_->finish();
  turn.request_id =
      one_line(head_->header("request-id").empty() ? head_->header("x-request-id") : head_->header("request-id"), 100);
  if (turn.error) turn.error->request_id = turn.request_id;
  return turn;
}

Turn RequestRun::failed(TurnError error) {
  Turn turn;
  turn.outcome = Outcome::error;
  turn.request_id = error.request_id;
  turn.error = std::move(error);
  return turn;
}

void RequestRun::end_attempt(Turn turn) {
  if (cancelled_) return;
  silence_.stop();
  transfer_.reset();
  decoder_.reset();
  if (turn.error) {
    http::mask(turn.error->message, dialect_->settings().api_key);
    http::mask(turn.error->message, dialect_->settings().auth_token);
    if (repeat_after(turn)) return;
  }
  finish(std::move(turn));
}

bool RequestRun::repeat_after(const Turn& turn) {
  if (shown_ || cancelled_) return false;
  const TurnError& error = *turn.error;
  if (error.status != 0 && adaptions_ < kMaxAdaptions && dialect_->adapt(error, request_)) {
    ++adaptions_;
    wait_.start(milliseconds(0), [this] { begin_attempt(); });
    return true;
  }
  if (!worth_repeating(error, head()) || repeats_ >= dialect_->settings().timing.retries) return false;
  if (error.type == "tool_use_failed" && repeats_ > 0) return false;
  const bool fallback = switch_to_fallback(error);
  const auto wait = wait_before_repeat(head(), repeats_, dialect_->settings().timing, random_(), std::time(nullptr));
  if (!wait && !fallback) return false;
  wait_and_repeat(error, fallback ? milliseconds(0) : *wait, fallback);
  return true;
}

bool RequestRun::switch_to_fallback(const TurnError& error) {
  const Settings& settings = dialect_->settings();
  overloads_ = error.kind == ErrorKind::overloaded ? overloads_ + 1 : 0;
  if (fell_back_ || settings.fallback_model.empty() || settings.fallback_model == model()) return false;
  if (overloads_ < settings.timing.overloads_before_fallback) return false;
  fell_back_ = true;
  request_.model = settings.fallback_model;
  return true;
}

void RequestRun::wait_and_repeat(const TurnError& error, milliseconds wait, bool fallback) {
  ++repeats_;
  wait_.start(wait, [this] { begin_attempt(); });
  if (!events_.on_retry) return;
  events_.on_retry({repeats_, dialect_->settings().timing.retries, wait, error, model(), fallback});
}

/// One timer, set for the next moment that matters; bytes only note the time.
void RequestRun::watch_silence() {
  const Timing& timing = dialect_->settings().timing;
  const auto limit = told_silence_ ? timing.stall_abort : std::min(timing.stall_note, timing.stall_abort);
  const auto due = std::chrono::ceil<milliseconds>(last_byte_ + limit - Clock::now());
  silence_.start(std::max(due, milliseconds(1)), [this] { on_silence(); });
}

void RequestRun::on_silence() {
  const auto self = shared_from_this();
  const Timing& timing = dialect_->settings().timing;
  const auto silent = std::chrono::duration_cast<milliseconds>(Clock::now() - last_byte_);
  if (silent >= timing.stall_abort)
    return abort(ErrorKind::stalled, "stalled",
                 host_ + " has sent nothing for " + seconds(silent) + "; it was given up");
  const bool tell = silent >= timing.stall_note && !told_silence_;
  if (tell) told_silence_ = true;
  watch_silence();
  if (tell && events_.on_stall) events_.on_stall(silent);
}

void RequestRun::abort(ErrorKind kind, std::string type, std::string message) {
  const auto self = shared_from_this();
  if (cancelled_) return;
  Turn turn = decoder_ && head_ ? decoded() : Turn{};
  turn.outcome = Outcome::error;
  turn.error = TurnError{kind, std::move(type), std::move(message)};
  for (auto& use : turn.tool_uses) use.executable = false;
  turn.replay.clear();
  head_.reset();
  end_attempt(std::move(turn));
}

void RequestRun::finish(Turn turn) {
  const auto self = shared_from_this();
  turn.origin = dialect_->origin(model());
  if (turn.model.empty()) turn.model = model();
  stop();
  const Events events = std::move(events_);
  events_ = {};
  if (turn.ok() && events.on_tool_use) {
    for (const auto& use : turn.tool_uses) {
      events.on_tool_use(use);
      if (dropped_) return;
    }
  }
  if (events.on_done) events.on_done(std::move(turn));
}

}  // namespace model
