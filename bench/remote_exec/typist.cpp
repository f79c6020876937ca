#include "bench/remote_exec/typist.h"

#include <stdexcept>

namespace bench {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kSilence{300};
constexpr milliseconds kAnswerLimit{10'000};

}  // namespace

Typist::Typist(event::EventLoop& loop, std::unique_ptr<transport::Transport> transport)
    : loop_(loop), transport_(std::move(transport)) {
  transport_->start({[this](std::string_view bytes) {
                       seen_ += bytes;
                       last_byte_ = Clock::now();
                     },
                     [](const transport::Closed&) {},
                     {}});
  wait_for_silence();
  // Shells differ in what they draw behind the prompt's text, so its last bytes are learned.
  seen_.clear();
  transport_->send("true\r");
  wait_for_silence();
  prompt_ = seen_.substr(seen_.rfind('\n') + 1);
}

void Typist::wait_for_silence() {
  const bool came =
      loop_.run_until([this] { return !seen_.empty() && Clock::now() - last_byte_ > kSilence; }, kAnswerLimit);
  if (!came) throw std::runtime_error("the shell shows no prompt");
}

double Typist::send_and_wait(std::string_view bytes, const std::function<bool()>& done) {
  seen_.clear();
  const auto begun = Clock::now();
  transport_->send(bytes);
  if (!loop_.run_until(done, kAnswerLimit)) throw std::runtime_error("the shell does not answer");
  return micros(Clock::now() - begun);
}

double Typist::enter(const std::string& line) {
  return send_and_wait(line + "\r", [this] { return at_prompt(); });
}

Typist::Exchange Typist::type_then_enter(const std::string& line) {
  Exchange exchange;
  exchange.echo = send_and_wait(line, [&] {
    // Line editors put their own sequences between the letters; the last letter stands nowhere else in the line.
    return seen_.size() >= line.size() && seen_.find(line.back()) != std::string::npos;
  });
  exchange.prompt = send_and_wait("\r", [this] { return at_prompt(); });
  return exchange;
}

}  // namespace bench
