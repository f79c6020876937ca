#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "transport/ssh/agent_client.h"
#include "transport/ssh/connection_setup.h"
#include "transport/ssh/private_key.h"
#include "transport/ssh/ssh_session.h"

namespace transport {

/// Proves to one server who we are: keys of the agent, identity files, keyboard-interactive, password, in the order of
/// PreferredAuthentications, through as many factors as the server wants. Runs inside the setup's fiber.
class Authenticator {
 public:
  Authenticator(ConnectionSetup& setup, SshSession& session) : setup_(setup), session_(session) {}

  base::Result<void> run();

 private:
  enum class Outcome {
    success,
    partial,    ///< Accepted, and the server wants more.
    exhausted,  ///< This way does not work.
    over,       ///< The connection ended or the operator gave up; `end_` says it.
  };
  struct Candidate {
    std::string label;  ///< For the list of what was tried.
    std::string key_blob;
    bool from_agent = false;
    std::optional<KeyFile> file;
  };

  Outcome ask_methods();
  std::string next_method() const;
  Outcome try_method(const std::string& method);

  Outcome try_keys();
  void collect_candidates();
  void collect_from_agent(std::vector<KeyFile>& files);
  Outcome try_candidate(Candidate& candidate);
  base::Result<std::string> sign(Candidate& candidate, const std::string& algorithm, std::string_view data);
  base::Result<void> unlock_candidate(Candidate& candidate);
  base::Result<std::optional<PrivateKey>> unlock_beside(const KeyFile& file, Secret passphrase);

  Outcome try_password();
  Outcome try_interactive();
  SshSession::Answers answer(const SshSession::Challenge& challenge, int& asked);

  /// What a refusal was: of the whole way, or a first factor accepted.
  Outcome after_refusal();
  Outcome lost(int status, std::string_view doing);
  bool is_refusal(int status) const;
  std::string summary() const;

  ConnectionSetup& setup_;
  SshSession& session_;
  std::vector<std::string> methods_;  ///< What the server takes now.
  std::vector<std::string> finished_;
  std::vector<std::string> tried_;
  std::vector<Candidate> candidates_;
  std::size_t next_candidate_ = 0;
  bool collected_ = false;
  std::optional<AgentClient> agent_;
  std::optional<PrivateKey> unlocked_;
  std::string end_;
};

}  // namespace transport
