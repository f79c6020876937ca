#pragma once

#include <gtest/gtest.h>

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "event/event_loop.h"
#include "tests/support/sshd.h"
#include "tests/support/temp_dir.h"
#include "transport/ssh/ssh_transport.h"

namespace support {

/// Answers questions from a list, and keeps what was asked.
class ScriptedPrompter final : public transport::SshPrompter {
 public:
  explicit ScriptedPrompter(event::EventLoop& loop) : loop_(loop) {}

  void ask(const transport::SshQuestion& question, Reply reply) override {
    questions.push_back(question);
    if (silent) return;
    std::optional<std::string> answer;
    if (!answers.empty()) {
      answer = answers.front();
      answers.pop_front();
    }
    loop_.defer([reply, answer] {
      reply(answer ? std::optional<transport::Secret>(transport::Secret(*answer)) : std::nullopt);
    });
  }
  void withdraw() override { ++withdrawn; }

  std::deque<std::string> answers;  ///< When none is left the operator declines.
  std::vector<transport::SshQuestion> questions;
  bool silent = false;  ///< The operator has gone for coffee.
  int withdrawn = 0;

 private:
  event::EventLoop& loop_;
};

/// A test that signs in to servers: home, keys and agent are its own.
class SshTest : public testing::Test {
 protected:
  SshTest();

  /// Where `connect` goes, with the server's host key known and the test's own key.
  transport::SshTransport::Target target(const Sshd& server);
  transport::SshTransport::Target target(int port);
  void know(const Sshd& server);

  void connect(transport::SshTransport::Target where);
  bool wait_for(const std::function<bool()>& done, std::chrono::milliseconds limit = std::chrono::seconds(20));
  /// Until the shell is there (false: it ended before).
  bool wait_ready();
  bool wait_closed(std::chrono::milliseconds limit = std::chrono::seconds(20));
  bool wait_output(const std::string& text);
  /// Connects, runs one command and returns its output without line ends; the end is in `closed_`.
  std::string run(transport::SshTransport::Target where, const std::string& command);

  TempDir home_;
  event::EventLoop loop_;
  ScriptedPrompter prompter_{loop_};
  std::string key_;
  std::vector<std::string> progress_;
  std::vector<transport::EngineDecision> engines_;
  bool ready_ = false;
  std::string output_;
  std::optional<transport::Closed> closed_;
  std::unique_ptr<transport::SshTransport> ssh_;
};

}  // namespace support
