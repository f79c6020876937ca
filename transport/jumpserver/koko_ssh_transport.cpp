#include "transport/jumpserver/koko_ssh_transport.h"

#include <utility>

namespace transport::jumpserver {
namespace {

constexpr std::chrono::milliseconds kLook{50};

}  // namespace

KokoSshTransport::KokoSshTransport(event::EventLoop& loop, std::unique_ptr<Transport> inner,
                                   std::function<void()> on_ready, Times times)
    : inner_(std::move(inner)), on_ready_(std::move(on_ready)), times_(times), clock_(loop) {}

void KokoSshTransport::start(Events events) {
  events_ = std::move(events);
  inner_->start({.on_bytes = [this](std::string_view bytes) { on_bytes(bytes); },
                 .on_closed = [this](Closed closed) { on_closed(std::move(closed)); },
                 .on_drained =
                     [this] {
                       if (const auto call = events_.on_drained) call();
                     }});
}

void KokoSshTransport::on_signed_in() {
  if (std::exchange(signed_in_, true)) return;
  last_output_ = Clock::now();
  clock_.repeat(kLook, [this] { look(); });
}

void KokoSshTransport::on_bytes(std::string_view bytes) {
  words_.feed(bytes);
  last_output_ = Clock::now();
  prompt_seen_ = prompt_seen_ || words_.at_prompt();
  const std::weak_ptr<bool> alive = alive_;
  if (signed_in_ && !ready_ && words_.titled()) become_ready();
  if (alive.expired()) return;
  if (const auto call = events_.on_bytes) call(bytes);
}

/// Where koko sets no title, silence tells half a line from a whole one.
void KokoSshTransport::look() {
  const auto quiet = Clock::now() - last_output_;
  if (words_.at_prompt()) {
    if (quiet >= times_.prompt) become_ready();
  } else if (words_.asks()) {
    if (quiet >= times_.asked && !early_.empty()) inner_->send(std::exchange(early_, {}));
  } else if (quiet >= (words_.empty() ? times_.silence : times_.words)) {
    if (words_.empty() || words_.host_spoke()) become_ready();
  }
}

void KokoSshTransport::become_ready() {
  ready_ = true;
  clock_.stop();
  const std::weak_ptr<bool> alive = alive_;
  if (const auto call = std::exchange(on_ready_, nullptr)) call();
  if (alive.expired()) return;
  const std::string early = std::exchange(early_, {});
  if (!early.empty()) inner_->send(early);
}

void KokoSshTransport::send(std::string_view bytes) {
  if (ready_) return inner_->send(bytes);
  if (early_.size() + bytes.size() <= kMostEarly) early_ += bytes;
}

void KokoSshTransport::close() {
  closing_ = true;
  clock_.stop();
  inner_->close();
}

void KokoSshTransport::on_closed(Closed closed) {
  clock_.stop();
  // A prompt that was there for a moment only: the asset was connected all the same.
  const std::weak_ptr<bool> alive = alive_;
  if (!closing_ && !ready_ && signed_in_ && prompt_seen_) become_ready();
  if (alive.expired()) return;
  if (!closing_) {
    if (closed.kind == Closed::Kind::lost)
      closed.reason = why_lost(closed.reason);
    else if (std::string why = why_ended(); !why.empty())
      closed = {Closed::Kind::lost, std::nullopt, std::move(why)};
  }
  if (const auto call = std::exchange(events_, {}).on_closed) call(std::move(closed));
}

/// Before the sign-in the SSH engine's own sentence says it all.
std::string KokoSshTransport::why_lost(const std::string& reason) const {
  return signed_in_ ? reason + std::string(kMayStillBeListed) : reason;
}

/// koko closes its channel in order whatever happened; only its words tell.
std::string KokoSshTransport::why_ended() const {
  const std::string words = words_.parting_words();
  if (std::string told = explain_end(koko_end(words), words); !told.empty()) return told;
  return ready_ ? "" : explain_failed_opening(words_.last_words());
}

}  // namespace transport::jumpserver
