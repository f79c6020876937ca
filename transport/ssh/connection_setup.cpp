#include "transport/ssh/connection_setup.h"

#include <memory>
#include <utility>

namespace transport {

std::optional<Secret> ConnectionSetup::ask(const SshQuestion& question) {
  /// Outlives the wait when the question is withdrawn and somebody replies all the same.
  struct Answer {
    event::Fiber* fiber = nullptr;
    bool given = false;
    std::optional<Secret> text;
  };
  const auto answer = std::make_shared<Answer>(Answer{fiber_, false, std::nullopt});
  const auto begin = std::chrono::steady_clock::now();
  fiber_->run_outside([&] {
    prompter_.ask(question, [answer](std::optional<Secret> text) {
      if (answer->given || answer->fiber == nullptr) return;
      answer->given = true;
      answer->text = std::move(text);
      answer->fiber->wake();
    });
  });
  while (!answer->given && fiber_->wait() != event::Fiber::Woken::cancelled) {
  }
  answer->fiber = nullptr;
  time_asking_ += std::chrono::steady_clock::now() - begin;
  if (!answer->given) prompter_.withdraw();
  if (!answer->text) declined_ = true;
  return std::move(answer->text);
}

void ConnectionSetup::tell(const std::string& what) {
  if (!progress_) return;
  fiber_->run_outside([&] {
    const auto call = progress_;  // It may destroy us, and itself with us.
    call(what);
  });
}

}  // namespace transport
