// What a script reads of `jms exec --json` and `--batch` when the SSH link fails.

#include <signal.h>

#include <future>

#include "tests/e2e/faults/phases.h"
#include "tests/support/eventually.h"

namespace faults {
namespace {

class ExecFault : public PhaseTest {
 protected:
  ExecFault() {
    sshd_ = serve_known();
    name("server", sshd_->port());
  }
  std::future<support::CommandOutput> exec(const std::string& mode, const std::vector<std::string>& command,
                                           const std::string& input = {}) {
    auto words = options();
    words.insert(words.begin(), {"exec", mode});
    words.push_back(at("server"));
    words.insert(words.end(), command.begin(), command.end());
    return std::async(std::launch::async, [this, words, input] { return witness_.run(words, input); });
  }
  [[nodiscard]] bool wait_until_it_runs() const {
    return support::eventually([this] { return witness_.marks() == "x\n"; });
  }
  static void expect_unknown(const support::CommandOutput& result) {
    const auto json = nlohmann::json::parse(result.out, nullptr, false);
    ASSERT_TRUE(json.is_object()) << result.out << result.err;
    EXPECT_EQ(json["status"], "disconnected");
    EXPECT_TRUE(json["exit_code"].is_null());
    EXPECT_EQ(result.code, 125);
  }
};

TEST_F(ExecFault, AResultThatIsUnknownSaysSo) {
  auto running = exec("--json", {"--", witness_.command()});
  ASSERT_TRUE(wait_until_it_runs());
  sshd_->signal_connections(SIGKILL);
  expect_unknown(running.get());
  const auto again = exec("--json", {"--", "echo back"}).get();
  EXPECT_EQ(nlohmann::json::parse(again.out, nullptr, false).value("output", ""), "back\n") << again.err;
  witness_.expect_whole(left_by(Phase::exec));
}

TEST_F(ExecFault, TheRestOfABatchIsNotTried) {
  const auto line = [](const std::string& command) { return nlohmann::json{{"command", command}}.dump() + "\n"; };
  auto running = exec("--batch", {}, line(witness_.command()) + line(witness_.short_command()));
  ASSERT_TRUE(wait_until_it_runs());
  sshd_->signal_connections(SIGKILL);
  expect_unknown(running.get());
  witness_.expect_whole(left_by(Phase::exec));
}

TEST_F(ExecFault, AServerThatIsGoneIsASentenceUntilItIsBack) {
  auto running = exec("--json", {"--", witness_.command()});
  ASSERT_TRUE(wait_until_it_runs());
  sshd_->die();
  expect_unknown(running.get());
  EXPECT_EQ(exec("--json", {"--", "true"}).get().code, 1);
  sshd_ = serve_known();
  config_.clear();
  name("server", sshd_->port());
  EXPECT_EQ(exec("--json", {"--", "true"}).get().code, 0);
  witness_.expect_whole(left_by(Phase::exec));
}

}  // namespace
}  // namespace faults
