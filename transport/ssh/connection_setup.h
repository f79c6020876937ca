#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "event/fiber.h"
#include "transport/ssh/ssh_prompter.h"

namespace transport {

/// What the steps of making a connection share: the fiber they run in, the operator, the progress line.
/// Everything here is called from inside the fiber.
class ConnectionSetup {
 public:
  using Progress = std::function<void(const std::string&)>;

  ConnectionSetup(event::EventLoop& loop, SshPrompter& prompter, Progress progress)
      : loop_(loop), prompter_(prompter), progress_(std::move(progress)) {}

  event::EventLoop& loop() { return loop_; }
  event::Fiber& fiber() { return *fiber_; }
  void set_fiber(event::Fiber* fiber) { fiber_ = fiber; }

  /// Asks the operator and waits. Nothing when there is no answer.
  std::optional<Secret> ask(const SshQuestion& question);
  /// Whether anybody could answer.
  bool can_ask() const { return prompter_.can_answer(); }
  /// Whether a command may use the operator's terminal as its own.
  bool terminal_is_free() const { return prompter_.terminal_is_free(); }
  /// "connecting to bastion 1 of 2…"
  void tell(const std::string& what);

  /// Passphrases that unlocked a key, by its path: the next hop may use the same one. Wiped with the setup.
  std::map<std::string, Secret>& passphrases() { return passphrases_; }

  /// How long the operator has been thinking so far, which no time limit counts.
  std::chrono::steady_clock::duration time_asking() const { return time_asking_; }
  /// The operator declined to answer a question: nothing else should be asked.
  bool declined() const { return declined_; }

 private:
  event::EventLoop& loop_;
  SshPrompter& prompter_;
  Progress progress_;
  event::Fiber* fiber_ = nullptr;
  std::chrono::steady_clock::duration time_asking_{};
  bool declined_ = false;
  std::map<std::string, Secret> passphrases_;
};

}  // namespace transport
