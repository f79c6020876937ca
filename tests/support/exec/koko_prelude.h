#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "event/timer.h"
#include "tests/support/passing_transport.h"

namespace support {

/// koko over SSH: what it writes until the asset is connected, cut anywhere and as slow as wanted; then the real shell.
/// Notes what is typed before that.
class KokoPrelude final : public PassingTransport {
 public:
  struct Piece {
    std::string bytes;
    std::chrono::milliseconds after{0};  ///< The silence in front of it.
  };

  /// The asset counts as connected when `opening` bytes of the pieces were shown.
  KokoPrelude(event::EventLoop& loop, std::unique_ptr<Transport> inner, std::vector<Piece> pieces, std::size_t opening)
      : PassingTransport(std::move(inner)), pieces_(pieces.begin(), pieces.end()), opening_(opening), timer_(loop) {}

  void start(Events events) override {
    events_ = std::move(events);
    next();
  }
  void send(std::string_view bytes) override {
    if (!connected()) too_early_ += bytes;
    inner_->send(bytes);
  }
  void close() override {
    timer_.stop();
    if (pieces_.empty()) return inner_->close();
    events_.on_closed({});
  }

  bool connected() const { return opening_ == 0; }
  const std::string& too_early() const { return too_early_; }

 private:
  void next() {
    if (pieces_.empty()) return inner_->start(std::move(events_));
    timer_.start(pieces_.front().after, [this] {
      const Piece piece = std::move(pieces_.front());
      pieces_.pop_front();
      opening_ -= std::min(opening_, piece.bytes.size());
      events_.on_bytes(piece.bytes);
      next();
    });
  }

  std::deque<Piece> pieces_;
  Events events_;
  std::size_t opening_;  ///< So many bytes are left until the asset is there.
  std::string too_early_;
  event::Timer timer_;
};

/// What koko writes while it connects, in a random order and language: counters and banners. The title comes last, when
/// it is connected.
std::string random_koko_opening(std::mt19937& random);

std::string random_title(std::mt19937& random);

/// The same in random pieces. `stall` stands in front of some of them, wherever they were cut.
std::vector<KokoPrelude::Piece> random_pieces(std::mt19937& random, const std::string& bytes, int stalls,
                                              std::chrono::milliseconds stall);

}  // namespace support
