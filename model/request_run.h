#pragma once

// One request from the first try to the last: the single place that decides about repeating, falling back and giving
// up. Nothing is repeated once the operator has seen a part of the answer.

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "event/timer.h"
#include "model/dialect.h"

namespace model {

/// A request on its way through its attempts.
class RequestRun : public std::enable_shared_from_this<RequestRun> {
 public:
  RequestRun(event::EventLoop& loop, std::shared_ptr<http::Client> http, std::shared_ptr<Dialect> dialect,
             Request request, Events events, std::function<double()> random);

  void start();
  /// The caller has lost interest: stops everything; no callback comes afterwards.
  void drop();

 private:
  using Clock = std::chrono::steady_clock;

  void stop();
  void begin_attempt();
  TurnSink sink();
  void on_head(const http::Head& head);
  void on_bytes(std::string_view bytes);
  void on_end(std::optional<http::Failure> failure);
  void end_attempt(Turn turn);
  bool repeat_after(const Turn& turn);
  bool switch_to_fallback(const TurnError& error);
  void wait_and_repeat(const TurnError& error, std::chrono::milliseconds wait, bool fallback);
  void watch_silence();
  void on_silence();
  void abort(ErrorKind kind, std::string type, std::string message);
  Turn decoded();
  Turn failed(TurnError error);
  void finish(Turn turn);
  const http::Head* head() const { return head_ ? &*head_ : nullptr; }
  const std::string& model() const;

  std::shared_ptr<http::Client> http_;
  std::shared_ptr<Dialect> dialect_;
  Request request_;
  Events events_;
  std::function<double()> random_;
  event::Timer wait_, silence_, total_;

  std::unique_ptr<http::Client::Transfer> transfer_;
  std::unique_ptr<TurnDecoder> decoder_;
  std::optional<http::Head> head_;
  std::string error_body_;
  std::string host_;
  Clock::time_point last_byte_;
  int repeats_ = 0;
  int adaptions_ = 0;
  int overloads_ = 0;
  bool fell_back_ = false;
  bool shown_ = false;  ///< The operator has seen something of the answer.
  bool told_silence_ = false;
  bool cancelled_ = false;  ///< Nothing of the network counts any more.
  bool dropped_ = false;    ///< Nobody listens any more.
};

}  // namespace model
