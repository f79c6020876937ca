// The real binary against a whole JumpServer: however jms leaves, the bastion hears that the session is over. A session
// that ends without a close frame stays in JumpServer's list as running.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <memory>
#include <ostream>

#include "tests/integration/jumpserver/jms_program.h"
#include "tests/support/jumpserver.h"
#include "tests/support/model_server.h"
#include "tests/support/model_streams.h"
#include "tests/support/server_thread.h"

namespace jumpserver_test {
namespace {

using std::chrono::milliseconds;
using test_server::JumpServer;
using test_server::KokoOptions;
using test_server::KokoVersion;
using test_server::ServedJumpServer;
using testing::IsEmpty;

class SessionEnds : public testing::TestWithParam<KokoVersion>, protected JmsProgram {
 protected:
  void serve(KokoOptions options = {}) {
    options.version = GetParam();
    server_ = std::make_unique<ServedJumpServer>(options);
    env_.set("JMS_SERVER", server_->url());
    server_->with([this](JumpServer& site) { env_.set("JMS_COOKIE", site.core.open_web_session()); });
  }
  /// A model that runs one command and then says something.
  void serve_model(const std::string& command) {
    model_ = std::make_unique<test_server::ServerThread>([&](event::EventLoop& loop) {
      auto model = std::make_shared<test_server::ModelServer>(loop, test_server::ModelServer::Api::anthropic);
      const nlohmann::json input = {{"command", command}};
      model->script(
          test_server::stream_reply(model_streams::anthropic_call_turn("toolu_1", "execute_command", input.dump())));
      model->script(test_server::stream_reply(model_streams::anthropic_text_turn("Done.")));
      env_.set("ANTHROPIC_BASE_URL", model->base_url()).set("ANTHROPIC_API_KEY", "made-up");
      return model;
    });
    env_.write_config("[model]\nname = \"claude-opus-5-5\"\n");
  }
  static Words exec(const std::string& command, const Words& options = {}) {
    Words words = {"exec", "--via", "ws"};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"jms://web-01", "--", command});
    return words;
  }
  /// The codes of the close frames that came, once nothing is open any more.
  std::vector<int> ends() {
    std::vector<int> codes;
    EXPECT_TRUE(
        server_->wait([](JumpServer& site) { return site.koko.open_sessions() == 0 && !site.koko.ends.empty(); }));
    server_->with([&](JumpServer& site) {
      for (const auto& end : site.koko.ends) codes.push_back(end.code);
    });
    return codes;
  }
  void expect_goodbye() {
    EXPECT_EQ(ends(), std::vector<int>{1000});
    EXPECT_THAT(server_->violations(), IsEmpty());
  }
  /// Something that was typed has reached the shell.
  bool typed(const std::string& text) {
    return server_->wait([&](JumpServer& site) { return site.koko.input.find(text) != std::string::npos; });
  }

  std::unique_ptr<ServedJumpServer> server_;
  std::unique_ptr<test_server::ServerThread> model_;
};

TEST_P(SessionEnds, AfterACommand) {
  serve();
  EXPECT_EQ(run(exec("echo fine")).out, "fine\n");
  expect_goodbye();
}

TEST_P(SessionEnds, AfterABatch) {
  serve();
  EXPECT_EQ(run({"exec", "--via", "ws", "jms://web-01", "--batch"}, "{\"command\":\"true\"}\n").code, 0);
  expect_goodbye();
}

TEST_P(SessionEnds, AfterABatchLineThatIsWrong) {
  serve();
  EXPECT_EQ(run({"exec", "--via", "ws", "jms://web-01", "--batch"}, "{\"command\":\"true\"}\nnonsense\n").code, 2);
  expect_goodbye();
}

TEST_P(SessionEnds, AfterACommandThatTookTooLong) {
  serve();
  EXPECT_EQ(run(exec("sleep 100", {"--timeout", "0.5"})).code, 124);
  expect_goodbye();
}

TEST_P(SessionEnds, WhenNobodyReadsTheOutputAnyMore) {
  serve();
  const std::string line = std::string("'") + JMS_BINARY + "' exec --via ws jms://web-01 -- 'seq 1 1000000' | head -1";
  const auto result = support::run_command({.argv = {"sh", "-c", line}, .environment = env_.variables(), .input = {}});
  EXPECT_EQ(result.out, "1\n") << result.err;
  expect_goodbye();
}

TEST_P(SessionEnds, WhenTheRemoteShellIsKilled) {
  serve();
  const auto result = run(exec("sh -c 'kill -9 $PPID'", {"--json"}));
  EXPECT_EQ(result.code, 125);
  EXPECT_NE(result.out.find(R"("status":"disconnected")"), std::string::npos) << result.out;
  expect_goodbye();
}

TEST_P(SessionEnds, WhenTheAssetCannotBeReached) {
  KokoOptions options;
  options.connect_error = "Connection refused";
  serve(options);
  EXPECT_EQ(run(exec("true")).code, 1);
  expect_goodbye();
}

TEST_P(SessionEnds, BySignalsWhileACommandRuns) {
  for (const int number : {SIGTERM, SIGHUP, SIGQUIT, SIGINT}) {
    serve();
    const auto jms = at_terminal(exec("sleep 100"));
    ASSERT_TRUE(typed("sleep 100")) << jms->output();
    jms->kill(number);
    const auto ending = jms->wait_for_exit();
    ASSERT_TRUE(ending);
    if (number == SIGINT)
      EXPECT_EQ(ending->code, 130);
    else
      EXPECT_EQ(ending->signal, number);
    expect_goodbye();
  }
}

TEST_P(SessionEnds, BySignalsWhileTheBastionConnects) {
  KokoOptions options;
  options.connecting = std::chrono::hours(1);
  for (const int number : {SIGTERM, SIGHUP, SIGQUIT, SIGINT}) {
    serve(options);
    const auto jms = at_terminal(exec("true"));
    // Its terminal was asked for: from then on JumpServer lists the session.
    ASSERT_TRUE(server_->wait([](JumpServer& site) { return site.koko.size_seen() == "24 120"; })) << jms->output();
    jms->kill(number);
    const auto ending = jms->wait_for_exit();
    ASSERT_TRUE(ending);
    if (number == SIGINT)
      EXPECT_EQ(ending->code, 130);
    else
      EXPECT_EQ(ending->signal, number);
    expect_goodbye();
  }
}

TEST_P(SessionEnds, AfterAnAnswer) {
  serve();
  serve_model("echo looked");
  EXPECT_EQ(run({"ask", "--via", "ws", "--mode", "auto", "jms://web-01", "what is there?"}).out, "Done.\n");
  expect_goodbye();
}

TEST_P(SessionEnds, BySignalsWhileTheAgentsCommandRuns) {
  for (const int number : {SIGTERM, SIGHUP, SIGQUIT, SIGINT}) {
    serve();
    serve_model("sleep 100");
    const auto jms = at_terminal({"ask", "--via", "ws", "--mode", "auto", "jms://web-01", "what is there?"});
    ASSERT_TRUE(typed("sleep 100")) << jms->output();
    jms->kill(number);
    const auto ending = jms->wait_for_exit();
    ASSERT_TRUE(ending) << jms->output();
    if (number == SIGINT)
      EXPECT_EQ(ending->code, 130);
    else
      EXPECT_EQ(ending->signal, number);
    expect_goodbye();
  }
}

// ---- At a terminal

TEST_P(SessionEnds, WhenTheShellExits) {
  serve();
  const auto jms = at_terminal({"--via", "ws", "jms://web-01"});
  ASSERT_TRUE(jms->wait_for("$ ")) << jms->output();
  jms->send("exit\r");
  EXPECT_EQ(jms->wait_for_exit(), (support::Ending{0, 0}));
  expect_goodbye();
}

TEST_P(SessionEnds, ByQuitInThePanel) {
  serve();
  const auto jms = at_terminal({"--via", "ws", "jms://web-01"});
  ASSERT_TRUE(jms->wait_for("$ ")) << jms->output();
  jms->send("\x1d");
  jms->settle();
  jms->send("/quit\r");
  EXPECT_EQ(jms->wait_for_exit(), (support::Ending{0, 0})) << jms->screen_text();
  expect_goodbye();
}

TEST_P(SessionEnds, BySignals) {
  for (const int number : {SIGTERM, SIGHUP, SIGQUIT, SIGINT}) {
    serve();
    const auto jms = at_terminal({"--via", "ws", "jms://web-01"});
    ASSERT_TRUE(jms->wait_for("$ ")) << jms->output();
    jms->kill(number);
    EXPECT_EQ(jms->wait_for_exit(), (support::Ending{0, number}));
    expect_goodbye();
  }
}

TEST_P(SessionEnds, WhenTheWindowIsClosed) {
  serve();
  const auto jms = at_terminal({"--via", "ws", "jms://web-01"});
  ASSERT_TRUE(jms->wait_for("$ ")) << jms->output();
  jms->hang_up();
  ASSERT_TRUE(jms->wait_for_exit());
  expect_goodbye();
}

TEST_P(SessionEnds, ByInterruptWhileTheBastionConnects) {
  KokoOptions options;
  options.connecting = std::chrono::hours(1);
  serve(options);
  const auto jms = at_terminal({"--via", "ws", "jms://web-01"});
  ASSERT_TRUE(jms->wait_for("Connecting to")) << jms->output();
  jms->send("\x03");
  EXPECT_EQ(jms->wait_for_exit(), (support::Ending{130, 0}));
  expect_goodbye();
}

TEST_P(SessionEnds, InAFlood) {
  serve();
  const auto jms = at_terminal({"--via", "ws", "jms://web-01"});
  ASSERT_TRUE(jms->wait_for("$ ")) << jms->output();
  jms->send("yes\r");
  ASSERT_TRUE(jms->wait_for("y\r\ny\r\ny\r\n"));
  jms->kill(SIGTERM);
  EXPECT_EQ(jms->wait_for_exit(), (support::Ending{0, SIGTERM}));
  expect_goodbye();
}

TEST_P(SessionEnds, ByLeavingAfterAnAdministratorEndedIt) {
  serve();
  const auto jms = at_terminal({"--via", "ws", "jms://web-01"});
  ASSERT_TRUE(jms->wait_for("$ ")) << jms->output();
  server_->with([](JumpServer& site) { site.koko.terminate("Root Admin"); });
  ASSERT_TRUE(jms->wait_for("press r to reconnect")) << jms->output();
  expect_goodbye();  // At once, not when the operator chooses.
  jms->send("q");
  ASSERT_TRUE(jms->wait_for_exit());
}

TEST_P(SessionEnds, ALostLinkIsClosedOnOurSideAndToldWithWhatTheBastionMayShow) {
  serve();
  const auto jms = at_terminal({"--via", "ws", "jms://web-01"});
  ASSERT_TRUE(jms->wait_for("$ ")) << jms->output();
  server_->with([](JumpServer& site) { site.koko.drop(); });
  ASSERT_TRUE(jms->wait_for("the bastion may list the old session as running until it notices")) << jms->output();
  EXPECT_EQ(ends(), std::vector<int>{1006});
  jms->send("q");
  ASSERT_TRUE(jms->wait_for_exit());
}

/// Nothing can be asked of a process that is killed; the kernel closes its connection, and no more.
TEST_P(SessionEnds, AKillLeavesAClosedConnectionWithoutAWord) {
  serve();
  const auto jms = at_terminal({"--via", "ws", "jms://web-01"});
  ASSERT_TRUE(jms->wait_for("$ ")) << jms->output();
  jms->kill(SIGKILL);
  EXPECT_EQ(jms->wait_for_exit(), (support::Ending{0, SIGKILL}));
  EXPECT_EQ(ends(), std::vector<int>{1006});
}

/// A bastion that says nothing more does not keep jms for long.
TEST_P(SessionEnds, ASilentBastionDelaysTheEndByLessThanASecond) {
  serve();
  const auto jms = at_terminal({"--via", "ws", "jms://web-01"});
  ASSERT_TRUE(jms->wait_for("$ ")) << jms->output();
  server_->with([](JumpServer& site) { site.koko.socket().pause_reading(true); });
  const auto begun = std::chrono::steady_clock::now();
  jms->kill(SIGTERM);
  EXPECT_EQ(jms->wait_for_exit(), (support::Ending{0, SIGTERM}));
  EXPECT_LT(std::chrono::steady_clock::now() - begun, milliseconds(1000));
}

INSTANTIATE_TEST_SUITE_P(Dialects, SessionEnds, testing::Values(KokoVersion::v4, KokoVersion::v5),
                         [](const auto& one) { return one.param == KokoVersion::v4 ? "V4" : "V5"; });

}  // namespace
}  // namespace jumpserver_test
