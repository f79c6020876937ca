// The assistant as the panel's commands use it: mode, model, conversation, records, skills; with a model API on
// loopback that refuses what the real one refuses, and a session that only echoes.

#include "app/assistant/assistant.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "event/timer.h"
#include "tests/support/model_server.h"
#include "tests/support/model_streams.h"
#include "tests/support/temp_dir.h"

namespace app {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// A command that ends at once with its own words as output.
class EchoRun final : public agent::Tool::Run {
 public:
  EchoRun(event::EventLoop& loop, std::string command, std::function<void(remote_exec::CommandResult)> done)
      : timer_(loop) {
    timer_.start(std::chrono::milliseconds(0), [command = std::move(command), done = std::move(done)] {
      remote_exec::CommandResult result;
      result.output = "ran " + command + "\n";
      result.exit_code = 0;
      done(std::move(result));
    });
  }

 private:
  event::Timer timer_;
};

/// Lets the loop stop at the end, and answers approvals as the test says.
class Watcher final : public agent::Observer {
 public:
  explicit Watcher(event::EventLoop& loop) : loop_(loop) {}
  void on_approval_wanted(const agent::ApprovalRequest& request,
                          std::function<void(agent::ApprovalAnswer)> answer) override {
    asked.push_back(request);
    answer(reply);
  }
  void on_notice(std::string_view notice) override { notices.emplace_back(notice); }
  void on_end(const agent::End& end) override {
    ending = end.ending;
    loop_.stop();
  }
  std::vector<agent::ApprovalRequest> asked;
  std::vector<std::string> notices;
  agent::ApprovalAnswer reply = agent::ApprovalAnswer::yes();
  std::optional<agent::Ending> ending;

 private:
  event::EventLoop& loop_;
};

class AssistantApi : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("JMS_CONFIG_DIR", home_.file("config").c_str(), 1);
    ::setenv("JMS_STATE_DIR", home_.file("state").c_str(), 1);
    ::setenv("HOME", home_.path().c_str(), 1);
    screen_.write("prompt$ tail app.log\r\ndisk is full\r\n");
    settings_.rules_path = home_.file("config/rules.toml");
    open();
  }
  void TearDown() override {
    EXPECT_THAT(server_.refusals(), testing::IsEmpty());
    for (const char* name : {"JMS_CONFIG_DIR", "JMS_STATE_DIR"}) ::unsetenv(name);
  }
  void open() {
    ModelSetup setup;
    setup.provider = Provider::anthropic;
    setup.settings.base_url = server_.base_url();
    setup.settings.api_key = "a-key";
    setup.settings.model = "claude-opus-5-5";
    assistant_ = std::make_unique<Assistant>(
        loop_, Assistant::Options{.target = "web01", .settings = settings_, .outputs = home_.file("state/outputs")},
        setup,
        Assistant::Surroundings{
            [this](remote_exec::ExecRequest request, std::function<void(remote_exec::CommandResult)> done) {
              return std::make_unique<EchoRun>(loop_, request.command, std::move(done));
            },
            [this]() -> const terminal::Screen& { return screen_; }, [] { return "bash, framing: line"; }});
    const auto opened = assistant_->open();
    ASSERT_TRUE(opened) << opened.error().message;
  }
  void model_says(const std::string& text) {
    server_.script(test_server::stream_reply(model_streams::anthropic_text_turn(text)));
  }
  void model_runs(const std::string& command) {
    const model::Json input = {{"command", command}};
    server_.script(
        test_server::stream_reply(model_streams::anthropic_call_turn("toolu_1", "execute_command", input.dump())));
  }
  /// Asks and serves the loop until the end; what the model got last.
  std::string ask(const std::string& question) {
    watcher_.ending.reset();
    assistant_->ask(question, watcher_);
    serve();
    return server_.requests().empty() ? "" : server_.requests().back().body;
  }
  void serve() {
    ASSERT_TRUE(loop_.run_until([this] { return watcher_.ending.has_value(); }, std::chrono::seconds(20)));
  }

  support::TempDir home_;
  event::EventLoop loop_;
  test_server::ModelServer server_{loop_, test_server::ModelServer::Api::anthropic};
  terminal::Screen screen_{{.size = {10, 60}, .scrollback_lines = 100}};
  AssistantSettings settings_;
  Watcher watcher_{loop_};
  std::unique_ptr<Assistant> assistant_;
};

TEST_F(AssistantApi, AConversationThatCannotBeKeptIsToldOnce) {
  std::filesystem::remove_all(home_.file("state/sessions"));
  model_says("It is fine.");
  ask("how is it?");
  EXPECT_EQ(watcher_.ending, agent::Ending::completed);
  ASSERT_EQ(watcher_.notices.size(), 1u);
  EXPECT_THAT(watcher_.notices[0], AllOf(HasSubstr("not kept"), HasSubstr("state/sessions")));
  model_says("Still fine.");
  ask("and now?");
  EXPECT_EQ(watcher_.notices.size(), 1u);
}

TEST_F(AssistantApi, AQuestionCarriesRecordsAndAttachmentsOnceAndMasked) {
  assistant_->add_shell_record({"uptime", "load average: 9\npassword=correct-horse-battery\n", 0});
  assistant_->add_shell_record({"cat big", std::string(10'000, 'x'), 0});
  assistant_->attach("@sel", "the operator marked this");
  model_says("I see.");
  const std::string first = ask("why? token=abcdefghijklmnopqrstuvwxyz123456");
  EXPECT_THAT(first, AllOf(HasSubstr("load average: 9"), HasSubstr("\\n---\\n"), HasSubstr("the operator marked this"),
                           HasSubstr("disk is full"), HasSubstr("bash, framing: line"), HasSubstr("untrusted-")));
  EXPECT_THAT(first, AllOf(Not(HasSubstr("correct-horse")), Not(HasSubstr("abcdefghijklmnopqrstuvwxyz123456"))));
  EXPECT_THAT(first, Not(HasSubstr(std::string(2'100, 'x')))) << "a record has at most 2,048 bytes";
  model_says("Still.");
  const std::string second = ask("and now?");
  EXPECT_THAT(second, AllOf(Not(HasSubstr("load average: 9")), Not(HasSubstr("the operator marked this"))));
}

TEST_F(AssistantApi, SecretsOfTheOperatorsOwnMachineDoNotTravelToTheTarget) {
  assistant_->add_shell_record({"cat ~/.my.cnf", "password=correct-horse-battery\n", 0});
  model_says("I see.");
  EXPECT_THAT(ask("look"), HasSubstr("<secret:password:1>"));
  model_runs("mysql -p'<secret:password:1>'");
  model_says("It was not run.");
  EXPECT_THAT(ask("use it"), AllOf(HasSubstr("came from another host"), Not(HasSubstr("ran mysql"))));
}

TEST_F(AssistantApi, TheModeIsSetAtRunTimeAndTheModelHearsOfIt) {
  EXPECT_EQ(assistant_->mode(), safety::Mode::Ask);
  model_says("Yes.");
  EXPECT_THAT(ask("one"), HasSubstr("The mode is ask."));
  EXPECT_EQ(assistant_->set_mode(safety::Mode::ReadOnly), safety::Mode::ReadOnly);
  model_runs("touch x");
  model_says("Refused.");
  EXPECT_THAT(ask("two"), AllOf(HasSubstr("The mode is read-only."), HasSubstr("read-only mode: creates")));
  EXPECT_TRUE(watcher_.asked.empty());
}

TEST_F(AssistantApi, AHostsOwnModeCannotBeLoosened) {
  settings_.where = {.name = "web01", .nodes = {}, .labels = {"env=prod"}, .also = {}};
  settings_.permissions.add_host_mode({"label:env=prod", safety::Mode::ReadOnly, true});
  open();
  EXPECT_TRUE(assistant_->production());
  EXPECT_EQ(assistant_->set_mode(safety::Mode::Auto), safety::Mode::ReadOnly);
  assistant_->set_place({.name = "web01"});
  EXPECT_FALSE(assistant_->production());
  EXPECT_EQ(assistant_->mode(), safety::Mode::Auto);
}

TEST_F(AssistantApi, AlwaysIsAskedOnceAndNeverAgain) {
  watcher_.reply = agent::ApprovalAnswer::yes(agent::ApprovalScope::always);
  for (int i = 0; i < 2; ++i) {
    model_runs("systemctl restart nginx");
    model_says("Done.");
    EXPECT_THAT(ask("restart it"), HasSubstr("ran systemctl restart nginx"));
  }
  ASSERT_EQ(watcher_.asked.size(), 1u);
  EXPECT_EQ(watcher_.asked[0].target, "web01");
  EXPECT_EQ(watcher_.asked[0].always_rule, "allow execute_command \"systemctl restart nginx\" on web01");
  EXPECT_THAT(support::read_text(settings_.rules_path), HasSubstr("systemctl restart nginx"));
}

TEST_F(AssistantApi, AnEditedCommandIsWhatRunsAndWhatIsRecorded) {
  watcher_.reply = agent::ApprovalAnswer::with_edit("systemctl reload nginx");
  model_runs("systemctl restart nginx");
  model_says("Done.");
  EXPECT_THAT(ask("restart it"), AllOf(HasSubstr("ran systemctl reload nginx"), HasSubstr("The operator changed")));
  EXPECT_THAT(support::read_text(home_.file("state/audit/audit.jsonl")),
              AllOf(HasSubstr("systemctl reload nginx"), Not(HasSubstr("systemctl restart nginx"))));
}

TEST_F(AssistantApi, AnotherModelGoesOnWithTheConversation) {
  model_says("One.");
  ask("one");
  ASSERT_TRUE(assistant_->set_model("claude-sonnet-4-5"));
  EXPECT_EQ(assistant_->model_name(), "anthropic claude-sonnet-4-5");
  model_says("Two.");
  EXPECT_THAT(ask("two"), AllOf(HasSubstr("claude-sonnet-4-5"), HasSubstr("One.")));
}

TEST_F(AssistantApi, ClearForgetsAndResumeRemembers) {
  model_says("It is forty-two.");
  ask("remember the number");
  const std::string first = assistant_->session_id();
  EXPECT_EQ(assistant_->figures().questions, 1u);
  EXPECT_GT(assistant_->figures().usage.output, 0);
  EXPECT_GT(assistant_->figures().context_tokens, 0);
  EXPECT_TRUE(assistant_->figures().cost_usd.has_value());
  ASSERT_TRUE(assistant_->clear());
  EXPECT_EQ(assistant_->figures().messages, 0u);
  model_says("Which number?");
  EXPECT_THAT(ask("what was it?"), Not(HasSubstr("forty-two")));
  EXPECT_EQ(assistant_->sessions()->size(), 2u);
  ASSERT_TRUE(assistant_->resume(first));
  EXPECT_EQ(assistant_->session_id(), first);
  model_says("Forty-two.");
  EXPECT_THAT(ask("what was it?"), HasSubstr("It is forty-two."));
  EXPECT_FALSE(assistant_->resume("no-such"));
}

TEST_F(AssistantApi, CompactReplacesTheHistoryNow) {
  model_says("It is Debian.");
  ask("which system?");
  model_says("Findings: Debian.");
  watcher_.ending.reset();
  ASSERT_TRUE(assistant_->compact(watcher_));
  EXPECT_FALSE(assistant_->clear()) << "not while it works";
  serve();
  EXPECT_EQ(watcher_.ending, agent::Ending::completed);
  EXPECT_EQ(assistant_->figures().compactions, 1u);
  model_says("Yes.");
  EXPECT_THAT(ask("sure?"), AllOf(HasSubstr("Findings: Debian."), Not(HasSubstr("which system?"))));
}

TEST_F(AssistantApi, ExportsWhatWasAskedRunAndAnswered) {
  model_runs("df -h");
  model_says("The **disk** is full.");
  ask("why?");
  EXPECT_THAT(
      assistant_->export_conversation(Assistant::ExportFormat::markdown),
      AllOf(HasSubstr("## why?"), HasSubstr("```sh\ndf -h\n```"), HasSubstr("ran df -h"), HasSubstr("**disk**")));
  const auto json = model::parse_json(assistant_->export_conversation(Assistant::ExportFormat::json));
  ASSERT_TRUE(json);
  EXPECT_EQ((*json)["messages"].size(), 4u);
}

TEST_F(AssistantApi, ASkillThatAppearsIsAReminderAndNotANewSystemPrompt) {
  model_says("One.");
  ask("one");
  const auto before = server_.body(0)["system"];
  home_.write("config/skills/new-one/SKILL.md", "---\nname: new-one\ndescription: Appears later.\n---\nLook.\n");
  model_says("Two.");
  EXPECT_THAT(ask("two"), HasSubstr("new-one"));
  EXPECT_EQ(server_.body(1)["system"], before);
  EXPECT_NE(assistant_->skills().find("new-one"), nullptr);
}

}  // namespace
}  // namespace app
