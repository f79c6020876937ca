#include "bench/remote_exec/framed.h"

#include <stdexcept>

#include "tests/support/passing_transport.h"

namespace bench {
namespace {

constexpr std::chrono::milliseconds kFramedLimit{20'000};

bool holds_mark(std::string_view bytes, char kind) {
  static constexpr std::string_view kPrefix = "\033]7717;";
  constexpr std::size_t kNonce = 16;
  for (auto at = bytes.find(kPrefix); at != std::string_view::npos; at = bytes.find(kPrefix, at + 1)) {
    const auto tail = bytes.substr(at + kPrefix.size());
    if (tail.size() > kNonce + 1 && tail[kNonce] == ';' && tail[kNonce + 1] == kind) return true;
  }
  return false;
}

}  // namespace

/// Passes everything on and notes when.
class Framed::Watched final : public support::PassingTransport {
 public:
  Watched(Framed& owner, std::unique_ptr<Transport> inner) : PassingTransport(std::move(inner)), owner_(owner) {}

  void start(Events events) override {
    auto on_bytes = std::move(events.on_bytes);
    events.on_bytes = [this, on_bytes](std::string_view bytes) {
      note(bytes);
      on_bytes(bytes);
    };
    inner_->start(std::move(events));
  }
  void send(std::string_view bytes) override {
    auto& stamp = bytes == "\r" ? owner_.stamps_.echoed : owner_.stamps_.typed;
    stamp = Clock::now();
    if (bytes != "\r") owner_.line_length_ = bytes.size();
    owner_.seen_.clear();
    inner_->send(bytes);
  }

 private:
  void note(std::string_view bytes) {
    const auto now = Clock::now();
    auto& stamps = owner_.stamps_;
    owner_.seen_ += bytes;
    if (stamps.started == Clock::time_point{} && holds_mark(owner_.seen_, 's')) stamps.started = now;
    if (stamps.ended == Clock::time_point{} && holds_mark(owner_.seen_, 'e')) stamps.ended = now;
  }

  Framed& owner_;
};

Framed::Framed(event::EventLoop& loop, std::unique_ptr<transport::Transport> transport, bool hooks) : loop_(loop) {
  remote_exec::ExecSession::Settings settings{.size = {24, 80}};
  settings.options.hooks = hooks;
  session_ = std::make_unique<remote_exec::ExecSession>(loop, std::make_unique<Watched>(*this, std::move(transport)),
                                                        settings);
  session_->start();
}

Framed::~Framed() = default;

Framed::Times Framed::run(const std::string& command) {
  stamps_ = {};
  bool done = false, well = false;
  const auto begun = Clock::now();
  session_->run({.command = command}, {{}, {}, [&](const remote_exec::CommandResult& result) {
                                         stamps_.result = Clock::now();
                                         well = result.exit_code == 0;
                                         framing_ = remote_exec::framing_name(result.framing);
                                         done = true;
                                       }});
  if (!loop_.run_until([&] { return done && session_->shell().idle(); }, kFramedLimit) || !well)
    throw std::runtime_error("a framed command did not end well");
  const auto since = [&](Clock::time_point time) { return micros(time - begun); };
  return {since(stamps_.typed), since(stamps_.echoed), since(stamps_.started),
          since(stamps_.ended), since(stamps_.result), since(Clock::now())};
}

}  // namespace bench
