// The commands without a conversation, as a script meets them: exec, policy, redact, skills, doctor, debug stream.

#include "tests/e2e/app/command_fixture.h"
#include "tests/support/http_server.h"
#include "tests/support/model_streams.h"

namespace app {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

using Commands = CommandTest;

class ExecInShell : public CommandTest, public testing::WithParamInterface<const char*> {};

TEST_P(ExecInShell, GivesOutputAndExitCode) {
  const auto plain = run({"exec", "--shell", GetParam(), "local", "--", "echo before; (exit 3)"});
  EXPECT_EQ(plain.out, "before\n") << plain.err;
  EXPECT_EQ(plain.err, "");
  EXPECT_EQ(plain.code, 3);
}

TEST_P(ExecInShell, GivesTheWholeResultAsJson) {
  const auto result = run({"exec", "--json", "--shell", GetParam(), "local", "--", "printf 'a\\tb\\n\"q\"\\n'; false"});
  EXPECT_EQ(result.code, 1);
  const auto json = Json::parse(result.out, nullptr, false);
  ASSERT_TRUE(json.is_object()) << result.out << result.err;
  EXPECT_EQ(json["output"], "a\tb\n\"q\"\n");
  EXPECT_EQ(json["exit_code"], 1);
  EXPECT_EQ(json["status"], "done");
  EXPECT_EQ(json["truncated"], false);
  EXPECT_EQ(json["total_bytes"], 8);
  EXPECT_TRUE(json["duration_ms"].is_number_integer());
  EXPECT_TRUE(json["framing"].is_string());
  EXPECT_FALSE(json.contains("note"));
}

TEST_P(ExecInShell, KeepsTheDirectoryThroughABatchAndATimeout) {
  const auto result = run({"exec", "--batch", "--shell", GetParam(), "local"},
                          "{\"command\":\"cd /usr/bin\"}\n\n"
                          "{\"command\":\"sleep 20\",\"timeout_s\":0.5}\n"
                          "{\"command\":\"pwd; false\"}\n");
  EXPECT_EQ(result.code, 0) << result.err;
  const auto results = json_lines(result.out);
  ASSERT_EQ(results.size(), 3u) << result.out;
  EXPECT_EQ(results[1]["status"], "timeout");
  EXPECT_EQ(results[1]["exit_code"], nullptr);
  EXPECT_EQ(results[2]["output"], "/usr/bin\n");
  EXPECT_EQ(results[2]["exit_code"], 1);
}

INSTANTIATE_TEST_SUITE_P(Shells, ExecInShell, testing::Values("/bin/bash", "/bin/dash", "/bin/zsh"),
                         [](const auto& shell) { return std::string(shell.param).substr(5); });

TEST_F(Commands, ExecGivesUpAtTheTimeLimitWith124) {
  const auto result = run({"exec", "--timeout", "0.5", "local", "--", "echo early; sleep 20"});
  EXPECT_EQ(result.code, 124);
  EXPECT_EQ(result.out, "early\n");
  EXPECT_THAT(result.err, HasSubstr("time limit"));
}

TEST_F(Commands, ExecPrintsNothingThatSteersATerminal) {
  const auto result = run({"exec", "local", "--", "printf '\\033]0;title\\007\\033[31mred\\033[0m\\n'"});
  EXPECT_EQ(result.out, "red\n");
}

TEST_F(Commands, ExecTypesNothingThatItCannotRun) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"echo \"open", "double quote is not closed"}, {"", "empty"}, {"exit 7", "`exit`"}};
  for (const auto& [command, words] : cases) {
    SCOPED_TRACE(command);
    const auto result = run({"exec", "local", "--", command});
    EXPECT_EQ(result.code, 125);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, AllOf(HasSubstr(words), HasSubstr("othing was typed")));
  }
}

TEST_F(Commands, ExecRefusesWhatMakesNoSense) {
  expect_refusal({"exec", "local"}, "--batch");
  expect_refusal({"exec", "local", "--batch", "--", "ls"}, "--batch");
  expect_refusal({"exec", "local", "--batch"}, "{\"command\":\"…\"}", "nonsense\n");
  expect_refusal({"exec", "--timeout", "-3", "local", "--", "ls"}, "--timeout");
  expect_refusal({"exec", "ws://gate:99999/", "--", "ls"}, "ws://gate:99999");
  expect_refusal({"exec", "me@host:99999", "--", "ls"}, "99999");
}

TEST_F(Commands, ExecTellsWhyAHostCannotBeReached) {
  const auto result = run({"exec", "ssh://nobody@127.0.0.1:1", "--", "ls"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, AllOf(HasSubstr("127.0.0.1"), Not(HasSubstr("may or may not have run"))));
}

TEST_F(Commands, ExecEndsAtOnceWhenInterruptedWhileItConnects) {
  const test_server::HttpServer silent(loop_, [](const test_server::HttpRequest&) { return test_server::Reply(); });
  prefix_ = {"timeout", "--preserve-status", "--signal=INT", "--kill-after=5", "0.7"};
  const auto result = run_served({"exec", "ssh://me@127.0.0.1:" + std::to_string(silent.port()), "--", "ls"});
  EXPECT_EQ(result.code, 130) << result.err;
}

TEST_F(Commands, PolicyTellsTheClassByWordAndExitCode) {
  const std::vector<std::tuple<std::string, std::string, int>> cases = {
      {"ls -l | wc -l", "read-only", 0}, {"touch x", "changes", 10}, {"ls; rm -rf /srv", "destructive", 20}};
  for (const auto& [command, name, code] : cases) {
    SCOPED_TRACE(command);
    const auto plain = run({"policy", "check", command});
    EXPECT_EQ(plain.code, code);
    EXPECT_THAT(plain.out, testing::StartsWith(name + ": "));
    const auto json = run({"policy", "check", "--json", command});
    EXPECT_EQ(json.code, code);
    EXPECT_EQ(Json::parse(json.out, nullptr, false)["class"], name) << json.out;
  }
}

TEST_F(Commands, PolicyJudgesABatchLineByLine) {
  const auto result = run({"policy", "check", "--batch"}, "\"ls\"\n\"reboot\"\n");
  EXPECT_EQ(result.code, 0);
  const auto verdicts = json_lines(result.out);
  ASSERT_EQ(verdicts.size(), 2u);
  EXPECT_EQ(verdicts[0]["class"], "read-only");
  EXPECT_EQ(verdicts[1]["class"], "destructive");
  EXPECT_EQ(verdicts[1]["parts"][0]["command"], "reboot");
}

TEST_F(Commands, PolicyWithoutACommandIsAMistakeAndNotReadOnly) {
  expect_refusal({"policy", "check"}, "--batch");
  expect_refusal({"policy", "check", "--batch", "ls"}, "--batch");
}

TEST_F(Commands, RedactMasksSecretsAndKeepsTheRest) {
  const auto result = run({"redact"}, "host=db1 password=hunter2secret\nlast line");
  EXPECT_EQ(result.code, 0);
  EXPECT_THAT(result.out, AllOf(HasSubstr("host=db1 password=<secret:"), testing::EndsWith("\nlast line"),
                                Not(HasSubstr("hunter2"))));
}

TEST_F(Commands, RedactTellsWhereTheSecretsStood) {
  const std::string text = "password=hunter2secret\n";
  const auto json = Json::parse(run({"redact", "--json"}, text).out, nullptr, false);
  ASSERT_EQ(json["spans"].size(), 1u) << json;
  const auto& span = json["spans"][0];
  EXPECT_EQ(text.substr(span["start"], span["end"].get<std::size_t>() - span["start"].get<std::size_t>()),
            "hunter2secret");
  EXPECT_EQ(span["kind"], "password");
  EXPECT_THAT(json["text"].get<std::string>(), Not(HasSubstr("hunter2")));
}

TEST_F(Commands, SkillsListsShowsAndKnowsTheOperatorsOwn) {
  env_.home().write("config/jms/skills/tape-robot/SKILL.md",
                    "---\nname: tape-robot\ndescription: What to do when the tape robot is stuck\n---\n# Tape robot\n");
  const auto list = run({"skills", "list"});
  EXPECT_THAT(list.out, AllOf(HasSubstr("disk-full"), HasSubstr("tape-robot")));
  const auto json = Json::parse(run({"skills", "list", "--json"}).out, nullptr, false);
  EXPECT_GE(json["skills"].size(), 7u);
  EXPECT_THAT(run({"skills", "show", "tape-robot"}).out, HasSubstr("# Tape robot"));
  const auto unknown = run({"skills", "show", "no-such-skill"});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_THAT(unknown.err, HasSubstr("no-such-skill"));
}

TEST_F(Commands, SkillsCheckFindsABrokenOne) {
  const auto good = run({"skills", "check", JMS_SOURCE_DIR "/skills"});
  EXPECT_EQ(good.code, 0) << good.out;
  env_.home().write("skills/broken/SKILL.md", "# no front matter\n");
  const auto bad = run({"skills", "check", env_.home().file("skills")});
  EXPECT_EQ(bad.code, 1);
  EXPECT_THAT(bad.out, AllOf(HasSubstr("error: "), HasSubstr("broken/SKILL.md")));
}

TEST_F(Commands, DoctorIsContentWithoutAModel) {
  const auto result = run({"doctor"});
  EXPECT_EQ(result.code, 0) << result.out;
  EXPECT_THAT(result.out, AllOf(HasSubstr("offline"), Not(HasSubstr("FIX"))));
}

TEST_F(Commands, DoctorTellsAGoodEndpointFromABadOne) {
  constexpr const char* kKey = "sk-ant-made-up-key-of-a-test";
  test_server::HttpServer server(loop_, [](const test_server::HttpRequest& request) {
    const auto key = request.headers.find("x-api-key");
    if (key == request.headers.end() || key->second != kKey)
      return test_server::reply(401, R"({"type":"error","error":{"type":"authentication_error","message":"no"}})");
    return test_server::reply(200, R"({"data":[{"id":"claude-opus-5-5"}]})");
  });
  env_.set("ANTHROPIC_BASE_URL", server.url()).set("ANTHROPIC_API_KEY", kKey);
  const auto good = run_served({"doctor", "--model", "claude-opus-5-5"});
  EXPECT_EQ(good.code, 0) << good.out;
  const auto nameless = run_served({"doctor"});
  EXPECT_EQ(nameless.code, 1);
  EXPECT_THAT(nameless.out, HasSubstr("no model is named"));
  env_.set("ANTHROPIC_API_KEY", "sk-ant-another-made-up-key");
  const auto bad = run_served({"doctor", "--model", "claude-opus-5-5"});
  EXPECT_EQ(bad.code, 1);
  EXPECT_THAT(bad.out, AllOf(HasSubstr("FIX  model"), Not(HasSubstr("another-made-up"))));
}

TEST_F(Commands, DoctorTellsAModelThatTheServerDoesNotOffer) {
  const test_server::HttpServer server(loop_, [](const test_server::HttpRequest&) {
    return test_server::reply(200, R"({"data":[{"id":"qwen3:latest"},{"id":"llama3:8b"}]})");
  });
  env_.set("OPENAI_BASE_URL", server.url() + "/v1");
  for (const char* offered : {"llama3:8b", "qwen3:latest", "qwen3"})
    EXPECT_EQ(run_served({"doctor", "--model", offered}).code, 0) << offered;
  const auto other = run_served({"doctor", "--model", "llama3"});
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.out, HasSubstr("does not offer the model \"llama3\""));
  // Figures for a model do not make it known to the server.
  env_.write_config("[model]\ncontext_window = 32000\n");
  EXPECT_EQ(run_served({"doctor", "--model", "llama3"}).code, 1);
}

TEST_F(Commands, DoctorNamesAnEndpointThatIsNotThere) {
  env_.set("OPENAI_BASE_URL", "http://127.0.0.1:9/v1");
  const auto result = run({"doctor", "--model", "m"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, AllOf(HasSubstr("FIX  model"), HasSubstr("127.0.0.1:9")));
}

TEST_F(Commands, DebugStreamDecodesABody) {
  const auto turn =
      Json::parse(run({"debug", "stream", "--api", "anthropic", "--json"}, model_streams::anthropic_tool_turn()).out,
                  nullptr, false);
  EXPECT_EQ(turn["stop_reason"], "tool_use") << turn;
  EXPECT_EQ(turn["tool_uses"][0]["input"]["command"], "df -h /") << turn;
  const auto text =
      Json::parse(run({"debug", "stream", "--api", "openai"}, model_streams::openai_text_turn()).out, nullptr, false);
  EXPECT_EQ(text["text"], "All is well.");
  expect_refusal({"debug", "stream", "--api", "smoke-signals"}, "smoke-signals");
}

}  // namespace
}  // namespace app
