#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "transport/ssh/secret.h"

namespace transport {

/// One thing the operator is asked while a connection is being made.
struct SshQuestion {
  enum class Kind {
    host_key,    ///< Yes, no or the fingerprint; `text` explains the whole matter in several lines.
    passphrase,  ///< Of an identity file.
    password,
    challenge,  ///< The server's own words (keyboard-interactive): `text` is untrusted.
    local,      ///< Something else that the system's ssh wants to know: a PIN, a permission. For a person only.
  };
  Kind kind = Kind::password;
  std::string hop;          ///< "user@host" it is about.
  std::string host;         ///< The host of the hop as it is reached; empty: not known which one asks.
  std::string alias;        ///< The same as the operator calls it.
  std::string user;         ///< The user there.
  std::string note;         ///< A sentence of ours about the question, such as why a command did not answer it.
  std::string instruction;  ///< What the server says before its prompts; untrusted, may be empty.
  std::string text;         ///< The prompt.
  bool echo = false;        ///< Show what is typed.
  int attempt = 1;          ///< 2 and more: the last answer was not accepted.
};

/// Whoever can ask the operator: the screen, a panel, a test.
class SshPrompter {
 public:
  /// Nothing: the operator does not want to answer; the connection is given up.
  using Reply = std::function<void(std::optional<Secret>)>;

  virtual ~SshPrompter() = default;

  /// Shows the question. `reply` is called once, also from inside this call; one question is open at a time.
  virtual void ask(const SshQuestion& question, Reply reply) = 0;
  /// The question that is open does not matter any more; its reply must not be called.
  virtual void withdraw() = 0;

  /// Whether anybody could answer.
  virtual bool can_answer() const { return true; }
  /// Whether a command may use the operator's terminal as its own: no session is drawn on it.
  virtual bool terminal_is_free() const { return true; }
};

/// Nobody is there, or nobody is to be disturbed: what only a person could answer is not answered.
class NobodyToAsk final : public SshPrompter {
 public:
  void ask(const SshQuestion&, Reply reply) override { reply(std::nullopt); }
  void withdraw() override {}
  bool can_answer() const override { return false; }
};

}  // namespace transport
