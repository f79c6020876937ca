#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/config/config.h"
#include "app/target/secret_command.h"
#include "event/event_loop.h"
#include "transport/ssh/ssh_prompter.h"

namespace app {

/// Answers the questions of SSH hosts with the operator's commands (`[[ssh.credentials]]`) before the operator is
/// asked: for a hop that their pattern names and nothing else, never about a host key, and a password once only.
class SshAnswers final : public transport::SshPrompter {
 public:
  SshAnswers(event::EventLoop& loop, std::vector<SshCredentials> credentials)
      : loop_(loop), credentials_(std::move(credentials)) {}

  /// For a new connection: what no command answers goes to `whoever`, who must outlive the connection.
  transport::SshPrompter& before(transport::SshPrompter& whoever);

  void ask(const transport::SshQuestion& question, Reply reply) override;
  void withdraw() override;
  bool can_answer() const override { return outer_ && outer_->can_answer(); }
  bool terminal_is_free() const override { return outer_ && outer_->terminal_is_free(); }

 private:
  /// What could answer, and how the config calls it.
  struct Source {
    std::string setting;  ///< "password"
    SecretSource secret;
    int most = 1;  ///< How often it answers the same question.
  };

  std::optional<Source> source_for(const transport::SshQuestion& question) const;
  void run(const Source& source, const transport::SshQuestion& question, Reply reply);
  void ask_person(transport::SshQuestion question, const std::string& note, Reply reply);

  event::EventLoop& loop_;
  std::vector<SshCredentials> credentials_;
  transport::SshPrompter* outer_ = nullptr;
  bool outer_asked_ = false;
  std::map<std::string, int> answered_;  ///< How often each question of this connection got an answer from here.
  std::unique_ptr<SecretCommand> running_;
};

/// Which of a hop's secrets a server's own prompt asks for: the password, or else a one-time code.
bool asks_for_password(const std::string& prompt);

}  // namespace app
