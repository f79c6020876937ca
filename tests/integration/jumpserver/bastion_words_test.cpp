// The real binary, headless: what the bastion says about an opening that fails and what it does to a session are one
// true sentence on standard error and in the result.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <nlohmann/json.hpp>

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
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

class BastionWords : public testing::TestWithParam<KokoVersion>, protected JmsProgram {
 protected:
  using Json = nlohmann::json;

  void serve(KokoOptions options = {}) {
    options.version = GetParam();
    server_ = std::make_unique<ServedJumpServer>(options);
    env_.set("JMS_SERVER", server_->url());
    server_->with([this](JumpServer& site) { env_.set("JMS_COOKIE", site.core.open_web_session()); });
  }
  static Words exec(const std::string& command, const Words& options = {}) {
    Words words = {"exec", "--via", "ws"};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"jms://web-01", "--", command});
    return words;
  }
  static Json json_of(const support::CommandOutput& result) {
    const Json parsed = Json::parse(result.out, nullptr, false);
    EXPECT_TRUE(parsed.is_object()) << result.out << result.err;
    return parsed.is_object() ? parsed : Json::object();
  }
  static std::string note_of(const support::CommandOutput& result) { return json_of(result).value("note", ""); }
  /// Runs a command while something is done to its session.
  support::CommandOutput run_while(const Words& arguments, const std::function<void(JumpServer&)>& action,
                                   const std::string& typed = "sleep 100") {
    auto running = std::async(std::launch::async, [&] { return run(arguments); });
    EXPECT_TRUE(server_->wait([&](JumpServer& site) { return site.koko.input.find(typed) != std::string::npos; }));
    server_->with(action);
    return running.get();
  }

  std::unique_ptr<ServedJumpServer> server_;
};

TEST_P(BastionWords, AFailedOpeningIsToldInTheBastionsWordsAndNamesTheLink) {
  KokoOptions options;
  options.connect_error = "Connection refused";
  serve(options);
  const auto plain = run(exec("true"));
  EXPECT_EQ(plain.code, 1);
  EXPECT_THAT(plain.err, HasSubstr("jms: the bastion could not reach the host: Connection refused\n"));
  EXPECT_EQ(plain.out, "");
  const auto json = run(exec("true", {"--json"}));
  EXPECT_EQ(json.code, 1);
  EXPECT_EQ(note_of(json), "the bastion could not reach the host: Connection refused");
  EXPECT_EQ(json_of(json).value("status", ""), "disconnected");
  const auto asked = run({"ask", "--via", "ws", "jms://web-01", "what is there?"});
  EXPECT_EQ(asked.code, 1);
  EXPECT_THAT(asked.err, HasSubstr("the bastion could not reach the host: Connection refused"));
}

TEST_P(BastionWords, AWrongSecretIsNotAnUnreachableHost) {
  KokoOptions options;
  options.connect_error = "Authentication failed";
  serve(options);
  const auto result = run(exec("true", {"--json"}));
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(note_of(result), HasSubstr("reached the host and could not log in: Authentication failed"));
}

TEST_P(BastionWords, AtATerminalTooTheSentenceIsTheLastLine) {
  KokoOptions options;
  options.connect_error = "Connection refused";
  serve(options);
  const auto jms = at_terminal({"--via", "ws", "jms://web-01"});
  EXPECT_EQ(jms->wait_for_exit(), (support::Ending{1, 0}));
  EXPECT_THAT(jms->output(), HasSubstr("jms: the bastion could not reach the host: Connection refused"));
}

TEST_P(BastionWords, AQuestionThatNobodyAnswersIsTold) {
  KokoOptions options;
  options.password_prompt = "root(root)'s password: ";
  serve(options);
  const auto result = run(exec("true", {"--json"}));
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(note_of(result), AllOf(HasSubstr("root(root)'s password:"), HasSubstr("nobody is here to answer")));
  EXPECT_THAT(server_->violations(), IsEmpty());
}

TEST_P(BastionWords, ALockIsToldAtOnceAndExplainsTheTimeout) {
  serve();
  const auto result = run_while(exec("sleep 100", {"--json", "--timeout", "1"}),
                                [](JumpServer& site) { site.koko.lock("Root Admin"); });
  EXPECT_EQ(result.code, 124);
  EXPECT_THAT(result.err, HasSubstr("locked by Root Admin: what is typed is dropped until it is unlocked"));
  EXPECT_THAT(note_of(result), StartsWith("the session is locked by Root Admin: what is typed is dropped"));
  EXPECT_EQ(json_of(result).value("status", ""), "timeout");
}

TEST_P(BastionWords, ACommandThatIsTypedIntoALockedSessionSaysSo) {
  serve();
  auto running = std::async(std::launch::async, [this] {
    return run({"exec", "--via", "ws", "--timeout", "3", "jms://web-01", "--batch"},
               "{\"command\":\"sleep 1.2\"}\n{\"command\":\"echo second\"}\n");
  });
  ASSERT_TRUE(server_->wait([](JumpServer& site) { return site.koko.input.find("sleep 1.2") != std::string::npos; }));
  server_->with([](JumpServer& site) { site.koko.lock("Root Admin"); });
  const auto result = running.get();
  const auto second = result.out.find('\n') + 1;
  const Json last = Json::parse(result.out.substr(second), nullptr, false);
  ASSERT_TRUE(last.is_object()) << result.out << result.err;
  EXPECT_EQ(last.value("command", ""), "echo second");
  EXPECT_NE(last.value("status", ""), "done");
  EXPECT_THAT(last.value("note", ""), HasSubstr("locked by Root Admin"));
}

TEST_P(BastionWords, ALockThatWasLiftedInTimeIsANoteAndNoFailure) {
  serve();
  const auto result = run_while(
      exec("sleep 0.5; echo over", {"--json"}),
      [](JumpServer& site) {
        site.koko.lock("Root Admin");
        site.koko.unlock("Root Admin");
      },
      "sleep 0.5");
  EXPECT_EQ(result.code, 0);
  EXPECT_EQ(json_of(result).value("output", ""), "over\n");
  EXPECT_THAT(note_of(result), AllOf(HasSubstr("is locked by Root Admin"), HasSubstr("unlocked by Root Admin")));
  EXPECT_THAT(result.err, HasSubstr("unlocked by Root Admin"));
}

TEST_P(BastionWords, AnAdministratorWhoEndsTheSessionIsNamed) {
  serve();
  const auto result =
      run_while(exec("sleep 100", {"--json"}), [](JumpServer& site) { site.koko.terminate("Root Admin"); });
  EXPECT_EQ(result.code, 125);
  EXPECT_EQ(json_of(result).value("status", ""), "disconnected");
  EXPECT_THAT(note_of(result), StartsWith("an administrator ended the session (Terminated by admin Root Admin"));
  EXPECT_THAT(note_of(result), HasSubstr("may or may not have run"));
}

TEST_P(BastionWords, IdlenessTheLongestTimeAndThePermissionsEndAreTold) {
  KokoOptions options;
  options.longest = milliseconds(2500);
  serve(options);
  const auto result = run(exec("sleep 100"));
  EXPECT_EQ(result.code, 125);
  EXPECT_THAT(result.err, HasSubstr("the bastion hung up: the longest session time is over"));
  options.longest = std::chrono::hours(1);
  options.idle_limit = milliseconds(1500);
  options.idle_check = milliseconds(20);
  serve(options);
  EXPECT_THAT(run(exec("sleep 100")).err, HasSubstr("the bastion hung up: nothing was typed for too long"));
  serve();
  const auto warned =
      run_while(exec("sleep 100", {"--timeout", "1"}), [](JumpServer& site) { site.koko.expire_permission(); });
  EXPECT_THAT(warned.err, HasSubstr("jms: the permission for this asset has expired; the bastion hangs up in 10 min"));
  serve();
  const auto ended = run_while(exec("sleep 100"), [](JumpServer& site) {
    site.koko.send_output("\n\r\033[31mPermission has expired, disconnect\r\n\033[0m");
    site.koko.send_message("CLOSE", "");
  });
  if (GetParam() == KokoVersion::v4) {
    EXPECT_THAT(ended.err, HasSubstr("the bastion hung up: the permission for this asset has ended"));
  }
}

TEST_P(BastionWords, TheAgentHearsOfItAndSoDoesTheScript) {
  serve();
  const test_server::ServerThread model([&](event::EventLoop& loop) {
    auto made = std::make_shared<test_server::ModelServer>(loop, test_server::ModelServer::Api::anthropic);
    made->script(test_server::stream_reply(model_streams::anthropic_call_turn(
        "toolu_1", "execute_command", Json{{"command", "sleep 100"}, {"timeout_s", 2}}.dump())));
    env_.set("ANTHROPIC_BASE_URL", made->base_url()).set("ANTHROPIC_API_KEY", "made-up");
    return made;
  });
  env_.write_config("[model]\nname = \"claude-opus-5-5\"\n");
  const auto result = run_while({"ask", "--via", "ws", "--json", "--mode", "auto", "jms://web-01", "what is there?"},
                                [](JumpServer& site) { site.koko.terminate("Root Admin"); });
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, HasSubstr(R"("type":"notice")"));
  EXPECT_THAT(result.out, HasSubstr("an administrator ended the session (Terminated by admin Root Admin)"));
  EXPECT_THAT(result.err, HasSubstr("an administrator ended the session"));
  // In the tool's result, which the model reads.
  EXPECT_THAT(result.out, HasSubstr("The connection was lost. The command may or may not have run"));
}

INSTANTIATE_TEST_SUITE_P(Dialects, BastionWords, testing::Values(KokoVersion::v4, KokoVersion::v5),
                         [](const auto& one) { return one.param == KokoVersion::v4 ? "V4" : "V5"; });

}  // namespace
}  // namespace jumpserver_test
