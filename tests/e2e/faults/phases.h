#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "event/event_loop.h"
#include "tests/e2e/app/ssh_session_fixture.h"
#include "tests/support/describe_modes.h"
#include "tests/support/model_server.h"
#include "tests/support/model_streams.h"
#include "tests/support/run_command.h"

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
  command
};
inline constexpr std::pair<Phase, const char*> kPhases[] = {
    {Phase::picker, "InTheListOfTargets"},   {Phase::login, "AtAQuestionOfLogin"},
    {Phase::connecting, "WhileConnecting"},  {Phase::passphrase, "AtAPassphrase"},
    {Phase::prompt, "AtThePrompt"},          {Phase::hidden_question, "AtAPasswordOfTheRemote"},
    {Phase::panel, "WithThePanelOpen"},      {Phase::streaming, "WhileAnAnswerStreams"},
    {Phase::approval, "WithAnApprovalOpen"}, {Phase::command, "WhileACommandRuns"}};

/// jms on a bare pty, brought to any phase. The assistant's command leaves a mark each time it runs.
class PhaseTest : public app::SshSession {
 protected:
  using Json = nlohmann::json;

  PhaseTest() {
    env_.home().write("config/jms/skills/slow-frobnicator/SKILL.md",
                      "---\nname: slow-frobnicator\ndescription: Find out why the frobnicator is slow.\n---\n"
                      "## 1. Wait\n```bash\necho x >> marks; echo frob''-began; sleep 60\n```\nexpect: exit 0\n"
                      "## 2. Look\n```bash\necho sec''ond\n```\nexpect: exit 0\n");
  }

  void bring_to(Phase phase) {
    std::filesystem::remove(env_.home().file("marks"));
    switch (phase) {
      case Phase::picker:
        begin({}, "where to?");
        return;
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
        ASSERT_NO_FATAL_FAILURE(ask("why is the frobnicator slow?"));
        ASSERT_TRUE(jms_->wait_for_screen("Run this on local?", Ms(30'000))) << jms_->screen_text();
        return;
      case Phase::command:
        begin({"--mode", "auto", "local"}, "\n$");
        ASSERT_NO_FATAL_FAILURE(ask("why is the frobnicator slow?"));
        ASSERT_TRUE(jms_->wait_for_screen("frob-began", Ms(30'000))) << jms_->screen_text();
        return;
    }
  }

  void expect_terminal_restored() {
    const termios after = jms_->settings();
    EXPECT_EQ(after.c_lflag, before_.c_lflag);
    EXPECT_EQ(after.c_iflag, before_.c_iflag);
    EXPECT_EQ(after.c_oflag, before_.c_oflag);
    EXPECT_EQ(support::describe(jms_->screen().modes()), support::describe(terminal::Modes{}));
  }
  support::CommandOutput run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), JMS_BINARY);
    return support::run_command({.argv = arguments, .environment = env_.variables(), .input = {}});
  }
  /// The events of the record, in order, after it was found whole.
  std::vector<std::string> recorded() {
    std::vector<std::string> events;
    if (!std::filesystem::exists(env_.home().file("state/jms/audit/audit.jsonl"))) return events;
    const auto verified = run({"audit", "verify"});
    EXPECT_EQ(verified.code, 0) << verified.err;
    std::istringstream lines(run({"audit", "list"}).out);
    for (std::string line; std::getline(lines, line);)
      events.push_back(Json::parse(line, nullptr, false).value("event", "?"));
    return events;
  }
  std::string marks() const {
    const std::string file = env_.home().file("marks");
    return std::filesystem::exists(file) ? support::read_text(file) : "";
  }
  void expect_next_start_works() {
    const std::string before = marks();
    env_.unset("ANTHROPIC_BASE_URL").unset("ANTHROPIC_API_KEY");
    start();
    EXPECT_TRUE(command("echo ag''ain"));
    EXPECT_EQ(run({"ask", "local", "is the disk full?"}).code, 0);
    recorded();
    EXPECT_EQ(marks(), before) << "nothing runs again";
  }

 private:
  void begin(const std::vector<std::string>& arguments, const std::string& shown) {
    launch({24, 100}, arguments);
    before_ = jms_->first_settings();
    ASSERT_TRUE(jms_->wait_for_screen(shown)) << jms_->screen_text();
  }
  void ask(const std::string& question) {
    ASSERT_TRUE(open_panel());
    jms_->send(question);
    ASSERT_TRUE(jms_->wait_for_screen(question));
    jms_->send("\r");
  }
  /// A server that accepts and never says who it is.
  void connect_to_silence() {
    silence_ = std::make_unique<test_server::HttpServer>(
        loop_, [](const test_server::HttpRequest&) { return test_server::Reply{}; });
    begin({"ssh://127.0.0.1:" + std::to_string(silence_->port())}, "127.0.0.1");
  }
  void reach_passphrase() {
    if (!sshd_) {
      locked_ = support::make_key(env_.home(), "locked", {"-N", "correct-horse"});
      sshd_ = serve_known();
      sshd_->authorize(locked_);
      name("locked", sshd_->port(), locked_);
    }
    auto arguments = options();
    arguments.push_back(at("locked"));
    begin(arguments, "passphrase");
  }
  /// A model that falls silent in the middle of its answer.
  void begin_streaming() {
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
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!shows("It began") && std::chrono::steady_clock::now() < end) {
      loop_.run_until([] { return false; }, Ms(5));
      jms_->wait_until([] { return false; }, Ms(5));
    }
    ASSERT_TRUE(shows("It began")) << jms_->screen_text();
  }

  event::EventLoop loop_;
  std::unique_ptr<test_server::HttpServer> silence_;
  std::unique_ptr<test_server::ModelServer> model_;
  std::unique_ptr<support::Sshd> sshd_;
  std::string locked_;
};

}  // namespace faults
