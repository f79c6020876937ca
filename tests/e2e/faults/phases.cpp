#include "tests/e2e/faults/phases.h"

#include <signal.h>

#include "tests/support/model_streams.h"

namespace faults {

Left left_by(Phase phase, bool killed) {
  switch (phase) {
    case Phase::command:
      // Nobody can write the end of what SIGKILL ended; that it began is on the disk.
      return killed ? Left{.events = Left::Events{"start"}, .marks = "x\n"} : kOneCommand;
    case Phase::own_command:
    case Phase::exec:
      return {.events = Left::Events{}, .marks = "x\n"};  // The operator's own commands are not the assistant's.
    default:
      return kNothing;
  }
}

void PhaseTest::bring_to(Phase phase) {
  switch (phase) {
    case Phase::picker:
      return begin({}, "where to?");
    case Phase::login:
      return begin({"login", "http://127.0.0.1:1"}, "User:");
    case Phase::connecting:
      return connect_to_silence();
    case Phase::passphrase:
      return reach_passphrase();
    case Phase::prompt:
      return begin({"local"}, "\n$");
    case Phase::hidden_question:
      begin({"local"}, "\n$");
      jms_->send("stty -echo; printf 'Pass''word: '; read x\r");
      ASSERT_TRUE(jms_->wait_for_screen("Password:"));
      return;
    case Phase::panel:
      begin({"local"}, "\n$");
      ASSERT_TRUE(open_panel());
      return;
    case Phase::streaming:
      return begin_streaming();
    case Phase::approval:
      begin({"local"}, "\n$");
      ASSERT_NO_FATAL_FAILURE(ask(Witness::kQuestion));
      ASSERT_TRUE(jms_->wait_for_screen("Run this on local?", Ms(30'000))) << jms_->screen_text();
      return;
    case Phase::command:
      begin({"--mode", "auto", "local"}, "\n$");
      ASSERT_NO_FATAL_FAILURE(ask(Witness::kQuestion));
      ASSERT_TRUE(jms_->wait_for_screen("frob-began", Ms(30'000))) << jms_->screen_text();
      return;
    case Phase::own_command:
      begin({"local"}, "\n$");
      ASSERT_TRUE(open_panel());
      jms_->send("!" + witness_.command() + "\r");
      ASSERT_TRUE(jms_->wait_for_screen("frob-began")) << jms_->screen_text();
      return;
    case Phase::lost_link:
      return lose_link();
    case Phase::exec:
      return begin({"exec", "local", "--", witness_.command()}, "frob-began");
  }
}

bool PhaseTest::wait_served(const std::function<bool()>& done, Ms limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (!done() && std::chrono::steady_clock::now() < end) {
    loop_.run_until([] { return false; }, Ms(5));
    jms_->wait_until([] { return false; }, Ms(5));
  }
  return done();
}

void PhaseTest::expect_whole(support::Ending ending, const Left& left) {
  static_cast<void>(wait_served([this] { return jms_->wait_for_exit(Ms(1)).has_value(); }));
  EXPECT_EQ(jms_->wait_for_exit(Ms(1)), ending) << jms_->output();
  if (ending.signal != SIGKILL) expect_restored(*jms_);
  witness_.expect_whole(left);
}

void PhaseTest::launch_on(const std::vector<std::string>& arguments) {
  std::vector<std::string> argv = {JMS_BINARY};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  jms_ = std::make_unique<support::PtyProgram>(support::PtyProgram::Options{.argv = argv,
                                                                            .environment = env_.variables(),
                                                                            .size = {24, 100},
                                                                            .directory = env_.home().path(),
                                                                            .controlling = controlling_});
}

void PhaseTest::begin(const std::vector<std::string>& arguments, const std::string& shown) {
  launch_on(arguments);
  before_ = jms_->first_settings();
  ASSERT_TRUE(jms_->wait_for_screen(shown)) << jms_->screen_text();
}

void PhaseTest::ask(const std::string& question) {
  ASSERT_TRUE(open_panel());
  jms_->send(question);
  ASSERT_TRUE(jms_->wait_for_screen(question));
  jms_->send("\r");
}

/// A server that accepts and never says who it is.
void PhaseTest::connect_to_silence() {
  silence_ = std::make_unique<test_server::HttpServer>(
      loop_, [](const test_server::HttpRequest&) { return test_server::Reply{}; });
  begin({"ssh://127.0.0.1:" + std::to_string(silence_->port())}, "127.0.0.1");
}

void PhaseTest::reach_passphrase() {
  const std::string locked = support::make_key(env_.home(), "locked", {"-N", "correct-horse"});
  sshd_ = serve_known();
  sshd_->authorize(locked);
  name("locked", sshd_->port(), locked);
  auto arguments = options();
  arguments.push_back(at("locked"));
  begin(arguments, "passphrase");
}

void PhaseTest::lose_link() {
  sshd_ = serve_known();
  name("server", sshd_->port());
  auto arguments = options();
  arguments.push_back(at("server"));
  begin(arguments, "\n$");
  sshd_->signal_connections(SIGKILL);
  ASSERT_TRUE(jms_->wait_for_screen("press r to reconnect")) << jms_->screen_text();
}

/// A model that falls silent in the middle of its answer.
void PhaseTest::begin_streaming() {
  model_ = std::make_unique<test_server::ModelServer>(loop_, test_server::ModelServer::Api::anthropic);
  env_.set("ANTHROPIC_BASE_URL", model_->base_url()).set("ANTHROPIC_API_KEY", "made-up");
  env_.write_config("[model]\nname = \"claude-opus-5-5\"\n");
  const std::string whole =
      "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n" +
      model_streams::anthropic_text_turn("It began well and then it never came to the end of its sentence.");
  const auto cut = whole.find("content_block_stop");
  model_->script({.steps = {{.bytes = whole.substr(0, cut - 7)}}, .then = test_server::Reply::Then::hang});
  begin({"local"}, "\n$");
  ASSERT_NO_FATAL_FAILURE(ask("how is it?"));
  ASSERT_TRUE(wait_served([this] { return shows("It began"); })) << jms_->screen_text();
}

}  // namespace faults
