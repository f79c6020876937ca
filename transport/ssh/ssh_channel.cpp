#include "transport/ssh/ssh_channel.h"

#include <libssh2.h>
#include <signal.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace transport {
namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kChannelPiece = 64 * 1024;
constexpr std::size_t kMostPerTurn = 512 * 1024;   // Then the keyboard gets its turn.
constexpr std::size_t kMostUnderway = 256 * 1024;  // Of what the link has not taken yet.
constexpr std::size_t kBurst = 16 * 1024;          // One that lies there and one that comes are mirrored in one packet.
constexpr milliseconds kBurstPause(20);            // In which a server that mirrors shows that it does.
constexpr milliseconds kBurstPatience(1000);       // One that shows nothing is not waited for any longer.
constexpr std::size_t kKeptCapacity = 256 * 1024;

constexpr std::pair<std::string_view, int> kSignals[] = {
    {"ABRT", SIGABRT}, {"ALRM", SIGALRM}, {"FPE", SIGFPE},   {"HUP", SIGHUP},   {"ILL", SIGILL},
    {"INT", SIGINT},   {"KILL", SIGKILL}, {"PIPE", SIGPIPE}, {"QUIT", SIGQUIT}, {"SEGV", SIGSEGV},
    {"TERM", SIGTERM}, {"USR1", SIGUSR1}, {"USR2", SIGUSR2}};

}  // namespace

SshChannel::SshChannel(SshSession& session, _LIBSSH2_CHANNEL* channel, Pace pace)
    : session_(session),
      channel_(channel),
      pace_(pace),
      burst_left_(kBurst),
      burst_timer_(session.loop()),
      life_timer_(session.loop()),
      close_timer_(session.loop()) {}

void SshChannel::start(Events events) {
  events_ = std::move(events);
  session_.set_on_ready([this] { pump(); });
  pump_soon();
}

void SshChannel::send(std::string_view bytes) {
  if (on_closed_) return;
  queue_ += bytes;
  // A write takes in what has arrived meanwhile, and no event tells of that again: it is read, and what went wrong
  // reported, from the loop.
  const std::weak_ptr<bool> alive = alive_;
  if (!pumping_) write_some();
  if (!alive.expired()) pump_soon();
}

void SshChannel::resume_reading() {
  paused_ = false;
  pump_soon();
}

void SshChannel::resize(base::Size size) {
  wanted_size_ = size;
  pump_requests();
  pump_soon();  // As after a write.
}

void SshChannel::pump_soon() {
  if (std::exchange(pump_planned_, true)) return;
  session_.loop().defer([this, alive = std::weak_ptr<bool>(alive_)] {
    if (alive.expired()) return;
    pump_planned_ = false;
    pump();
  });
}

void SshChannel::pump() {
  if (pumping_) return;
  const std::weak_ptr<bool> alive = alive_;
  pumping_ = true;
  pump_requests();
  const bool had_unsent = unsent() > 0;
  const bool fine = write_some() && (on_closed_ ? pump_close()
                                     : ended_   ? true
                                     : paused_  ? pump_without_reading()
                                                : read_some());
  if (!fine || alive.expired()) return;
  pumping_ = false;
  const auto drained = had_unsent && unsent() == 0 ? events_.on_drained : nullptr;
  if (drained) drained();
}

bool SshChannel::write_some() {
  while (unsent() > 0 && session_.link().unsent() < kMostUnderway) {
    if (pace_ == Pace::bursts && burst_left_ == 0) {
      wait_for_next_burst();
      break;
    }
    const std::size_t size = pace_ == Pace::bursts ? std::min(unsent(), burst_left_) : unsent();
    const ssize_t count = libssh2_channel_write(channel_, queue_.data() + sent_, size);
    if (count == LIBSSH2_ERROR_EAGAIN || count == 0) break;
    if (count < 0) {
      lose(static_cast<int>(count));
      return false;
    }
    sent_ += static_cast<std::size_t>(count);
    if (pace_ == Pace::bursts) burst_left_ -= static_cast<std::size_t>(count);
  }
  if (unsent() == 0 || sent_ > kKeptCapacity) {
    queue_.erase(0, sent_);
    sent_ = 0;
    if (queue_.empty() && queue_.capacity() > kKeptCapacity) std::string().swap(queue_);
  }
  return true;
}

/// libssh2 takes no packet over 40,000 bytes, and a busy server mirrors all that has piled up in one: so the next burst
/// begins when the last one has gone its way.
void SshChannel::wait_for_next_burst() {
  if (burst_timer_.active()) return;
  burst_ended_ = Clock::now();
  ++questions_;  // One that is under way already stands in front of the burst.
  pump_soon();   // The question goes behind the burst.
  burst_timer_.repeat(kBurstPause, [this] {
    if (!burst_has_arrived()) return;
    burst_timer_.stop();
    burst_left_ = kBurst;
    burst_mirror_ = session_.mirrored();
    pump();
  });
}

/// A server that answers questions has read the burst when it answers the one behind it; one that mirrors has mirrored
/// all of it.
bool SshChannel::burst_has_arrived() const {
  const bool late = Clock::now() - burst_ended_ >= kBurstPatience;
  if (questions_ > 0) return late && !answers_;
  const auto mirrored = session_.mirrored() - burst_mirror_;
  const bool half_way = mirrored > 0 && mirrored < kBurst;
  return late || !half_way;
}

bool SshChannel::read_some() {
  const std::weak_ptr<bool> alive = alive_;
  std::array<char, kChannelPiece> buffer;
  for (std::size_t total = 0; !paused_;) {
    const ssize_t count = libssh2_channel_read(channel_, buffer.data(), buffer.size());
    if (count == LIBSSH2_ERROR_EAGAIN) return true;
    if (count < 0) {
      lose(static_cast<int>(count));
      return false;
    }
    if (count == 0) {
      if (libssh2_channel_eof(channel_) == 0) return true;
      ended_ = true;
      if (const auto call = events_.on_end) call();
      return !alive.expired();
    }
    const auto call = events_.on_bytes;  // Copied: it may destroy us.
    call({buffer.data(), static_cast<std::size_t>(count)});
    if (alive.expired()) return false;
    total += static_cast<std::size_t>(count);
    if (total >= kMostPerTurn) {
      // What is decrypted already does not make the socket readable again.
      pump_soon();
      return true;
    }
  }
  return true;
}

bool SshChannel::pump_without_reading() {
  // Keeps the session alive (rekeying, the server's own keep-alive) while the data waits within its window.
  const int status = libssh2_channel_wait_eof(channel_);
  if (status == 0 || status == LIBSSH2_ERROR_EAGAIN) return true;
  if (!session_.is_over()) return true;
  paused_ = false;  // What came before the end is still to be read.
  pump_soon();
  return true;
}

void SshChannel::pump_requests() {
  if (wanted_size_ &&
      libssh2_channel_request_pty_size(channel_, wanted_size_->cols, wanted_size_->rows) != LIBSSH2_ERROR_EAGAIN)
    wanted_size_.reset();
  // A channel request that wants an answer, and whose answer libssh2 takes off its list: any answer is a sign of life.
  // (Answers to its keepalive@libssh2.org pile up in libssh2 1.10.)
  while (questions_ > 0 && libssh2_channel_setenv(channel_, "JMS_ALIVE", "1") != LIBSSH2_ERROR_EAGAIN) {
    --questions_;
    answers_ = true;
  }
}

void SshChannel::keep_alive(milliseconds interval, int count) {
  interval_ = interval;
  most_unanswered_ = count;
  life_timer_.repeat(interval, [this] { check_life(); });
}

void SshChannel::check_life() {
  const auto now = std::chrono::steady_clock::now();
  // Any byte since the last question is an answer, however late this turn of the loop comes.
  if (session_.last_received() >= asked_at_) unanswered_ = 0;
  if (now - session_.last_received() < interval_) return;
  if (unanswered_ >= most_unanswered_) {
    session_.abandon();
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(interval_ * (most_unanswered_ + 1));
    const auto report = events_.on_lost;
    life_timer_.stop();
    if (report)
      report(session_.settings().label() + " has not answered for " + std::to_string(seconds.count()) +
             " seconds; the link is taken for dead: reconnect when the network is back");
    return;
  }
  if (unanswered_++ == 0) asked_at_ = now;
  questions_ = std::max(questions_, 1);
  pump();
}

void SshChannel::close(milliseconds limit, std::function<void()> done) {
  on_closed_ = std::move(done);
  paused_ = false;
  close_timer_.start(limit, [this] {
    const auto report = std::exchange(on_closed_, nullptr);
    if (report) report();
  });
  pump_soon();
}

bool SshChannel::pump_close() {
  if (libssh2_channel_close(channel_) == LIBSSH2_ERROR_EAGAIN) return true;
  close_timer_.stop();
  pumping_ = false;
  const std::weak_ptr<bool> alive = alive_;
  if (const auto report = std::exchange(on_closed_, nullptr)) report();
  return !alive.expired();
}

int SshChannel::exit_code() const {
  const std::string name = exit_signal();
  if (name.empty()) return libssh2_channel_get_exit_status(channel_);
  const auto* found =
      std::find_if(std::begin(kSignals), std::end(kSignals), [&](auto& one) { return one.first == name; });
  return found == std::end(kSignals) ? 255 : 128 + found->second;
}

std::string SshChannel::exit_signal() const {
  char* name = nullptr;
  std::size_t size = 0;
  if (libssh2_channel_get_exit_signal(channel_, &name, &size, nullptr, nullptr, nullptr, nullptr) != 0 ||
      name == nullptr)
    return "";
  std::string text(name, size);
  libssh2_free(session_.native(), name);
  return text;
}

void SshChannel::lose(int status) {
  session_.abandon();
  life_timer_.stop();
  burst_timer_.stop();
  const auto closed = std::exchange(on_closed_, nullptr);
  const auto lost = events_.on_lost;
  const std::string reason = session_.failure(status, "the session was open");
  // From the loop: whoever sends must not find the channel gone when the call returns.
  session_.loop().defer([alive = std::weak_ptr<bool>(alive_), closed, lost, reason] {
    if (alive.expired()) return;
    if (closed)
      closed();
    else if (lost)
      lost(reason);
  });
}

}  // namespace transport
