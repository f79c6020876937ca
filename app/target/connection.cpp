#include "app/target/connection.h"

#include <utility>

#include "base/log.h"
#include "transport/hang_up.h"

namespace app {
namespace {

// A connection that is there sooner says nothing.
constexpr std::chrono::milliseconds kPatience{300};
constexpr char kInterruptKey = '\x03';
constexpr char kEndOfInputKey = '\x04';

}  // namespace

Connection::Connection(event::EventLoop& loop, Factory factory, Events events)
    : loop_(loop),
      factory_(std::move(factory)),
      events_(std::move(events)),
      question_([this](std::string_view text) {
        clear_progress();
        events_.show(text);
      }),
      progress_timer_(loop) {}

base::Result<void> Connection::open(base::Size size) {
  size_ = size;
  state_ = State::connecting;
  auto made = factory_(size, question_,
                       {.on_progress = [this](const std::string& what) { progress(what); },
                        .on_remark = [this](const std::string& line) { remark(line); },
                        .on_ready = [this] { on_ready(); },
                        .on_notice = [this](const transport::SessionNotice& notice) { on_notice(notice); },
                        .on_way = [this](const std::string& line) { remark(line); }});
  if (!made) return base::fail(made.error());
  transport_ = std::move(*made);
  transport_->start({.on_bytes =
                         [this](std::string_view bytes) {
                           if (leaving_) return;
                           clear_progress();
                           base::log_content("received", bytes);
                           events_.on_bytes(bytes);
                         },
                     .on_closed = [this](transport::Closed closed) { on_closed(std::move(closed)); },
                     .on_drained =
                         [this] {
                           if (!leaving_) events_.on_drained();
                         }});
  if (paused_) transport_->pause_reading();
  return {};
}

void Connection::on_ready() {
  if (leaving_) return;
  clear_progress();
  base::log_info("the session is open");
  state_ = State::running;
  was_there_ = true;
  events_.on_ready();
}

void Connection::on_closed(transport::Closed closed) {
  if (leaving_) {
    // The transport is in the middle of its last callback.
    loop_.defer([gone = std::shared_ptr<transport::Transport>(std::move(transport_))] {});
    return;
  }
  clear_progress();
  base::log_info(closed.kind == transport::Closed::Kind::lost ? "the session is lost: " + closed.reason
                                                              : "the session has ended");
  question_.withdraw();
  // The transport is in the middle of its last callback.
  loop_.defer([gone = std::shared_ptr<transport::Transport>(std::move(transport_))] {});
  // A host that is still away when the operator tries again may be back the next time.
  if (closed.kind != transport::Closed::Kind::lost || !was_there_) {
    state_ = State::over;
    return events_.on_end(std::move(closed));
  }
  state_ = State::lost;
  events_.on_lost(closed.reason);
  events_.show("\r\njms: " + closed.reason +
               "\r\njms: press r to reconnect (a new shell; nothing is sent again), q to leave\r\n");
}

std::string_view Connection::take_input(std::string_view bytes) {
  if (question_.open()) bytes = question_.type(bytes);
  if (state_ == State::connecting && bytes.find(kInterruptKey) != std::string_view::npos) {
    events_.on_abort();
    return {};
  }
  if (state_ != State::lost) return bytes;
  // Key by key, however they arrive together; what follows the choice was typed for a shell that is gone.
  for (const char key : bytes)
    if (choose(key)) break;
  return {};
}

/// One key at the offer to reconnect; false when it means nothing there.
bool Connection::choose(char key) {
  switch (key) {
    case 'r':
    case 'R':
      events_.show("jms: reconnecting…\r\n");
      if (auto opened = open(size_); !opened)
        on_closed({transport::Closed::Kind::lost, std::nullopt, opened.error().message});
      return true;
    case 'q':
    case 'Q':
    case kInterruptKey:
    case kEndOfInputKey:
      state_ = State::over;
      events_.on_end({transport::Closed::Kind::lost, std::nullopt, ""});
      return true;
    default:
      return false;
  }
}

void Connection::close() {
  if (std::exchange(leaving_, true) || !transport_) return;
  clear_progress();
  question_.withdraw();
  transport_->close();
}

void Connection::hang_up() {
  leaving_ = true;
  clear_progress();
  if (transport_) transport::hang_up(loop_, *transport_, [this] { return !transport_; });
  transport_.reset();
}

void Connection::send(std::string_view bytes) {
  if (transport_ && !leaving_) transport_->send(bytes);
}

void Connection::resize(base::Size size) {
  size_ = size;
  if (transport_) transport_->resize(size);
}

void Connection::pause_reading(bool paused) {
  paused_ = paused;
  if (transport_) paused ? transport_->pause_reading() : transport_->resume_reading();
}

void Connection::progress(const std::string& what) {
  if (leaving_) return;
  base::log_debug(what);
  progress_ = "jms: " + what;
  if (progress_shown_) return events_.show(std::string(kClearLine) + progress_);
  if (progress_timer_.active()) return;
  progress_timer_.start(kPatience, [this] {
    if (question_.open() || state_ != State::connecting) return;
    progress_shown_ = true;
    events_.show(std::string(kClearLine) + progress_);
  });
}

void Connection::clear_progress() {
  progress_timer_.stop();
  if (std::exchange(progress_shown_, false)) events_.show(kClearLine);
}

void Connection::on_notice(const transport::SessionNotice& notice) {
  if (leaving_) return;
  if (state_ == State::running) events_.show("\r\n");  // The cursor stands behind a prompt, or anywhere.
  remark(notice.text);
  events_.on_notice(notice);
}

void Connection::remark(const std::string& line) {
  if (leaving_) return;
  clear_progress();
  base::log_info(line);
  events_.show("jms: " + line + "\r\n");
}

}  // namespace app
