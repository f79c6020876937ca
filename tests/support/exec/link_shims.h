#pragma once

#include <deque>
#include <memory>
#include <string>

#include "event/timer.h"
#include "tests/support/passing_transport.h"

namespace support {

/// A slow link: what the remote sends arrives byte by byte, late; what we send leaves late.
class SlowTransport final : public PassingTransport {
 public:
  SlowTransport(event::EventLoop& loop, std::unique_ptr<Transport> inner, std::chrono::milliseconds delay)
      : PassingTransport(std::move(inner)), delay_(delay), timer_(loop) {}

  void start(Events events) override {
    events_ = std::move(events);
    inner_->start({[this](std::string_view bytes) { hold(bytes, false); },
                   [this](transport::Closed closed) {
                     closed_ = std::move(closed);
                     arm();
                   },
                   {}});
  }
  void send(std::string_view bytes) override { hold(bytes, true); }

 private:
  struct Held {
    std::chrono::steady_clock::time_point due;
    std::string bytes;
    bool outgoing;
  };
  void hold(std::string_view bytes, bool outgoing) {
    held_.push_back({std::chrono::steady_clock::now() + delay_ / 2, std::string(bytes), outgoing});
    arm();
  }
  void arm() {
    if (!timer_.active()) timer_.repeat(std::chrono::milliseconds(1), [this] { pump(); });
  }
  void pump() {
    const auto now = std::chrono::steady_clock::now();
    while (!held_.empty() && held_.front().due <= now) {
      const Held next = std::move(held_.front());
      held_.pop_front();
      if (next.outgoing) {
        inner_->send(next.bytes);
        continue;
      }
      for (const char c : next.bytes) events_.on_bytes(std::string_view(&c, 1));
    }
    if (!held_.empty()) return;
    timer_.stop();
    if (closed_ && events_.on_closed) events_.on_closed(*closed_);
  }

  std::chrono::milliseconds delay_;
  event::Timer timer_;
  Events events_;
  std::deque<Held> held_;
  std::optional<transport::Closed> closed_;
};

/// A link that says something of its own when told to, as a bastion does.
class TalkingTransport final : public PassingTransport {
 public:
  using PassingTransport::PassingTransport;

  void start(Events events) override {
    on_bytes_ = events.on_bytes;
    inner_->start(std::move(events));
  }
  void say(std::string_view text) const { on_bytes_(text); }

 private:
  std::function<void(std::string_view)> on_bytes_;
};

/// A link that brings the mark of one kind as often as `count` says, and what follows the last of them only on
/// release().
class HeldBehindMark final : public PassingTransport {
 public:
  HeldBehindMark(std::unique_ptr<Transport> inner, char kind, int count)
      : PassingTransport(std::move(inner)), kind_(kind), count_(count) {}

  void start(Events events) override {
    on_bytes_ = events.on_bytes;
    events.on_bytes = [this](std::string_view bytes) { pass(bytes); };
    inner_->start(std::move(events));
  }
  bool holding() const { return holding_; }
  void release() {
    holding_ = false;
    count_ = 0;
    on_bytes_(std::exchange(held_, {}));
  }

 private:
  void pass(std::string_view bytes) {
    held_ += bytes;
    if (holding_) return;
    constexpr std::size_t kKind = 24;  // ESC ] 7717 ; and 16 digits and ; come first.
    auto end = std::string::npos;
    for (auto at = held_.find("\033]7717;"); count_ > 0 && at != std::string::npos;
         at = held_.find("\033]7717;", end)) {
      end = held_.find('\007', at);
      if (end == std::string::npos) break;
      if (held_[at + kKind] == kind_ && --count_ == 0) holding_ = true;
    }
    const std::string passed = holding_ ? held_.substr(0, end + 1) : std::exchange(held_, {});
    if (holding_) held_.erase(0, end + 1);
    on_bytes_(passed);
  }

  char kind_;
  int count_;
  std::function<void(std::string_view)> on_bytes_;
  std::string held_;
  bool holding_ = false;
};

/// Plays the command filter of a bastion the way koko does: judges the line when a message is a lone Enter.
class BastionTransport final : public PassingTransport {
 public:
  using PassingTransport::PassingTransport;

  void start(Events events) override {
    events_ = std::move(events);
    inner_->start({[this](std::string_view bytes) { events_.on_bytes(bytes); },
                   [this](transport::Closed closed) { events_.on_closed(std::move(closed)); },
                   {}});
  }
  void send(std::string_view bytes) override {
    if (asking_) {
      if (bytes == "y" || bytes == "Y") {
        asking_ = false;
        say("\r\n\033[32mboss approved\033[0m");
        inner_->send("\r");
      } else if (bytes == "n" || bytes == "N") {
        asking_ = false;
        inner_->send("\x05\x15\r");
      } else {
        say("\r\n" + question_);
      }
      line_.clear();
      return;
    }
    if (bytes != "\r") {
      line_ += bytes;
      return inner_->send(bytes);
    }
    judged.push_back(line_);
    if (line_.find("forbidden-thing") != std::string::npos) {
      say("\r\n\033[31mCommand `forbidden-thing` is forbidden\n\r\033[0m");
      inner_->send("\x05\x15\r");
    } else if (line_.find("reviewed-thing") != std::string::npos) {
      ask("The command 'reviewed-thing' requires review. Continue or not [Y/n]?");
      return;
    } else if (line_.find("warned-thing") != std::string::npos) {
      ask("This command is dangerous, continue [Y/N]");
      return;
    } else {
      inner_->send(bytes);
    }
    line_.clear();
  }

  std::vector<std::string> judged;  ///< The lines as they were entered.

 private:
  void ask(std::string question) {
    asking_ = true;
    question_ = std::move(question);
    say("\r\n" + question_);
  }
  void say(const std::string& text) { events_.on_bytes(text); }

  Events events_;
  std::string line_;
  std::string question_;
  bool asking_ = false;
};

}  // namespace support
