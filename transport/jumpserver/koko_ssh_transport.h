#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "event/event_loop.h"
#include "event/timer.h"
#include "transport/jumpserver/koko_words.h"
#include "transport/transport.h"

namespace transport::jumpserver {

/// koko's terminal over SSH: the same words as over its WebSocket, without the messages beside them. The asset is
/// connected when koko sets the window's title, or when the host has spoken; until then what is typed is kept back,
/// but for answers to koko's own questions. Why a session ended or never came about is read from koko's words.
class KokoSshTransport final : public Transport {
 public:
  /// The defaults suit koko; tests make them shorter.
  struct Times {
    std::chrono::milliseconds asked{200};      ///< Quiet after which a question is one, and not half a line.
    std::chrono::milliseconds prompt{300};     ///< Quiet behind a prompt, where no title was set.
    std::chrono::milliseconds words{1'000};    ///< Quiet behind other words of the host.
    std::chrono::milliseconds silence{5'000};  ///< With nothing to read at all.
  };

  /// `on_ready`: the asset is connected. May be empty.
  KokoSshTransport(event::EventLoop& loop, std::unique_ptr<Transport> inner, std::function<void()> on_ready,
                   Times times);

  /// The SSH session itself stands: koko begins to connect to the asset.
  void on_signed_in();

  void start(Events events) override;
  void send(std::string_view bytes) override;
  std::size_t unsent() const override { return early_.size() + inner_->unsent(); }
  void resize(base::Size size) override { inner_->resize(size); }
  void pause_reading() override { inner_->pause_reading(); }
  void resume_reading() override { inner_->resume_reading(); }
  void close() override;

 private:
  using Clock = std::chrono::steady_clock;

  void on_bytes(std::string_view bytes);
  void on_closed(Closed closed);
  void look();
  void become_ready();
  std::string why_lost(const std::string& reason) const;
  std::string why_ended() const;

  std::unique_ptr<Transport> inner_;
  std::function<void()> on_ready_;
  Times times_;
  Events events_;
  KokoWords words_;
  std::string early_;  ///< Typed before the asset was there.
  bool signed_in_ = false;
  bool prompt_seen_ = false;  ///< At the end of some piece; ssh's own words may have come since.
  bool ready_ = false;
  bool closing_ = false;
  Clock::time_point last_output_ = Clock::now();
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  event::Timer clock_;
};

}  // namespace transport::jumpserver
