#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "event/event_loop.h"
#include "tests/e2e/app/ssh_session_fixture.h"
#include "tests/e2e/faults/witness.h"
#include "tests/support/model_server.h"
#include "tests/support/named.h"

namespace faults {

/// Where jms is when something happens to it.
enum class Phase {
  picker,
  login,
  connecting,
  passphrase,
  prompt,
  hidden_question,
  panel,
  streaming,
  approval,
  command,
  own_command,
  lost_link,
  exec
};
using Place = support::Named<Phase>;
inline constexpr Place kPhases[] = {{Phase::picker, "InTheListOfTargets"},
                                    {Phase::login, "AtAQuestionOfLogin"},
                                    {Phase::connecting, "WhileConnecting"},
                                    {Phase::passphrase, "AtAPassphrase"},
                                    {Phase::prompt, "AtThePrompt"},
                                    {Phase::hidden_question, "AtAPasswordOfTheRemote"},
                                    {Phase::panel, "WithThePanelOpen"},
                                    {Phase::streaming, "WhileAnAnswerStreams"},
                                    {Phase::approval, "WithAnApprovalOpen"},
                                    {Phase::command, "WhileACommandRuns"},
                                    {Phase::own_command, "WhileACommandOfTheOperatorRuns"},
                                    {Phase::lost_link, "WhereReconnectingIsOffered"},
                                    {Phase::exec, "InExec"}};
inline const auto kPlaceName = [](const auto& choice) { return std::string(choice.param.name); };

/// What jms leaves when it is ended in that phase; `killed`: so that it could write nothing more.
Left left_by(Phase phase, bool killed = false);

/// jms on a bare pty, brought to any phase.
class PhaseTest : public app::SshSession {
 protected:
  void bring_to(Phase phase);
  /// Waits while servers of this test answer, too; what it waits for need be no event of jms.
  [[nodiscard]] bool wait_served(const std::function<bool()>& done, Ms limit = Ms(30'000));
  /// Starts jms and waits for the screen.
  void begin(const std::vector<std::string>& arguments, const std::string& shown);
  /// Types a question into the panel.
  void ask(const std::string& question);
  /// jms ended in time and as it should, the terminal is as it was, and all the rest is whole too.
  void expect_whole(support::Ending ending, const Left& left);

  event::EventLoop loop_;
  Witness witness_{env_};
  bool controlling_ = true;  ///< The pty is the controlling terminal of jms, as terminals are.
  std::unique_ptr<support::Sshd> sshd_;

 private:
  void launch_on(const std::vector<std::string>& arguments);
  void connect_to_silence();
  void reach_passphrase();
  void lose_link();
  void begin_streaming();

  std::unique_ptr<test_server::HttpServer> silence_;
  std::unique_ptr<test_server::ModelServer> model_;
};

}  // namespace faults
