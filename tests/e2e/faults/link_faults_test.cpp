// The SSH link fails before, during and after a command, of `jms exec`, of `jms ask` and of a session's assistant: no
// hang, the truth about what is known, nothing run twice, every record whole, and the next start works.

#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>

#include "tests/e2e/faults/phases.h"
#include "tests/support/model_streams.h"

namespace faults {
namespace {

enum class Moment { before, during, after, half_open, died_whole };
enum class Way { exec, ask, session };
using LinkCase = std::tuple<support::Named<Moment>, support::Named<Way>>;

class LinkFault : public PhaseTest, public testing::WithParamInterface<LinkCase> {
 protected:
  static Moment moment() { return std::get<0>(GetParam()).value; }
  static Way way() { return std::get<1>(GetParam()).value; }

  void SetUp() override {
    sshd_ = moment() == Moment::before ? serve_without_prompt() : serve_known();
    name("server", sshd_->port());
  }
  /// A server that lets everybody in and never gets to a prompt.
  std::unique_ptr<support::Sshd> serve_without_prompt() const {
    auto silent = plain_shell();
    silent.config = "ForceCommand echo up >> " + env_.home().file("up") + "; sleep 60";
    auto server = std::make_unique<support::Sshd>(silent);
    server->authorize(key_);
    know(*server);
    return server;
  }
  std::vector<std::string> arguments() const {
    std::vector<std::string> words = options();
    if (way() == Way::exec) words.insert(words.begin(), "exec");
    if (way() == Way::ask) words.insert(words.begin(), {"ask", "--yes-changes"});
    if (way() == Way::session) words.insert(words.end(), {"--mode", "auto"});
    if (moment() == Moment::half_open)
      words.insert(words.end(), {"-o", "ServerAliveInterval=1", "-o", "ServerAliveCountMax=1"});
    if (way() == Way::exec && moment() == Moment::after) words.push_back("--batch");
    words.push_back(at("server"));
    if (way() == Way::exec && moment() != Moment::after) words.insert(words.end(), {"--", witness_.command()});
    if (way() == Way::ask) words.push_back(Witness::kQuestion);
    return words;
  }

  /// Gets to the moment, whatever the way.
  void come_to_it() {
    if (moment() == Moment::after && way() != Way::exec) script_two_commands();
    launch({24, 100}, arguments());
    if (moment() == Moment::before) {
      ASSERT_TRUE(wait_served([this] { return std::filesystem::exists(env_.home().file("up")); })) << jms_->output();
      return;
    }
    if (way() == Way::session) {
      ASSERT_TRUE(jms_->wait_for_screen("\n$")) << jms_->screen_text();
      ASSERT_NO_FATAL_FAILURE(ask(Witness::kQuestion));
    }
    if (moment() == Moment::after) return come_after_it();
    // On the screen it is known to have begun; `jms ask` shows no output, so what the server has passed on must do.
    int idle = 0;
    const auto began = [&] {
      if (witness_.marks() != "x\n") return false;
      if (way() != Way::ask) return shows("frob-began");
      return (idle = server_waits() ? idle + 1 : 0) >= 10;
    };
    ASSERT_TRUE(wait_served(began)) << jms_->screen_text();
  }
  /// Nothing lies before the server's processes: each is asleep in a call.
  bool server_waits() const {
    const auto processes = sshd_->children();
    return std::all_of(processes.begin(), processes.end(), [](pid_t process) {
      return !support::read_text("/proc/" + std::to_string(process) + "/syscall").starts_with("running");
    });
  }
  /// One command, and when the model has seen its result, the same once more.
  void script_two_commands() {
    const std::string input = Json{{"command", witness_.short_command()}}.dump();
    env_.set("ANTHROPIC_BASE_URL", model_.base_url()).set("ANTHROPIC_API_KEY", "made-up");
    env_.write_config("[model]\nname = \"claude-opus-5-5\"\n");
    model_.script(test_server::stream_reply(model_streams::anthropic_call_turn("toolu_1", "execute_command", input)));
    auto late = test_server::stream_reply(model_streams::anthropic_call_turn("toolu_2", "execute_command", input));
    late.steps.front().pause = Ms(300);
    model_.script(late);
  }
  void come_after_it() {
    if (way() == Way::exec) {
      jms_->send(batch_line());
      ASSERT_TRUE(jms_->wait_for("\"exit_code\":0")) << jms_->output();
    } else {
      ASSERT_TRUE(wait_served([this] { return model_.requests().size() == 2; })) << jms_->screen_text();
    }
    EXPECT_EQ(witness_.marks(), "x\n");
  }
  std::string batch_line() const { return Json{{"command", witness_.short_command()}}.dump() + "\n"; }

  void break_it() {
    if (moment() == Moment::died_whole) return sshd_->die();
    sshd_->signal_connections(moment() == Moment::half_open ? SIGSTOP : SIGKILL);
    // The batch goes on as if nothing had been: the line is not tried on a link that is gone.
    if (moment() == Moment::after && way() == Way::exec) jms_->send(batch_line());
  }
  void expect_told() {
    if (way() == Way::session) {
      ASSERT_TRUE(wait_served([this] { return shows("press r to reconnect"); })) << jms_->screen_text();
      EXPECT_FALSE(panel_is_open());
      jms_->send("q");
      return;
    }
    ASSERT_TRUE(wait_served([this] { return jms_->wait_for_exit(Ms(1)).has_value(); })) << jms_->output();
    if (way() == Way::exec && moment() != Moment::before) {
      EXPECT_THAT(jms_->output(), testing::HasSubstr(moment() == Moment::after ? "disconnected" : "may or may not"));
    } else {
      EXPECT_THAT(jms_->output(), testing::HasSubstr("jms: "));
    }
  }
  /// The assistant may try its next command and hear that the link is gone; that it never ran is what counts.
  Left left() const {
    if (way() == Way::exec) return moment() == Moment::before ? kNothing : left_by(Phase::exec);
    return {.events = std::nullopt, .marks = moment() == Moment::before ? "" : "x\n"};
  }
  void expect_nothing_is_known_of_the_end() const {
    const auto records = witness_.records();
    if (moment() != Moment::before) {
      EXPECT_GE(records.size(), 2u);
    }
    const std::size_t known = moment() == Moment::after ? 2 : 0;  // The first command ended before the link did.
    for (std::size_t i = known; i < records.size(); ++i) EXPECT_TRUE(records[i]["exit_code"].is_null()) << records[i];
  }
  /// 125 says that the command may have run. Before the prompt jms may or may not have come to the point of typing it.
  void expect_code(int code) const {
    if (way() != Way::exec) {
      EXPECT_EQ(code, 1);
    } else if (moment() == Moment::before) {
      EXPECT_THAT(code, testing::AnyOf(1, 125));
    } else {
      EXPECT_EQ(code, 125);
    }
  }
  /// The machine is back: another server on another port.
  void expect_next_connection() {
    sshd_ = serve_known();
    config_.clear();
    name("server", sshd_->port());
    auto words = options();
    words.insert(words.begin(), "exec");
    words.insert(words.end(), {at("server"), "--", "echo back"});
    const auto again = witness_.run(words);
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(again.out, "back\n");
  }

  using Json = nlohmann::json;
  test_server::ModelServer model_{loop_, test_server::ModelServer::Api::anthropic};
};

TEST_P(LinkFault, LeavesEverythingWhole) {
  ASSERT_NO_FATAL_FAILURE(come_to_it());
  break_it();
  ASSERT_NO_FATAL_FAILURE(expect_told());
  if (moment() == Moment::half_open) sshd_->signal_connections(SIGCONT);
  ASSERT_TRUE(wait_served([this] { return jms_->wait_for_exit(Ms(1)).has_value(); }));
  const auto ending = *jms_->wait_for_exit();
  expect_code(ending.code);
  if (way() != Way::exec) expect_nothing_is_known_of_the_end();
  expect_next_connection();
  expect_whole({ending.code, 0}, left());
}

INSTANTIATE_TEST_SUITE_P(
    Every, LinkFault,
    testing::Combine(testing::Values(support::Named{Moment::before, "KilledBeforeThePrompt"},
                                     support::Named{Moment::during, "KilledWhileACommandRuns"},
                                     support::Named{Moment::after, "KilledAfterACommand"},
                                     support::Named{Moment::half_open, "SilentWhileACommandRuns"},
                                     support::Named{Moment::died_whole, "DeadWithItsServer"}),
                     testing::Values(support::Named{Way::exec, "InExec"}, support::Named{Way::ask, "InAsk"},
                                     support::Named{Way::session, "InASession"})),
    [](const auto& choice) { return std::string(std::get<0>(choice.param).name) + std::get<1>(choice.param).name; });

}  // namespace
}  // namespace faults
