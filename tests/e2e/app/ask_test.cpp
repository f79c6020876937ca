// `jms ask` and what it leaves behind: with the offline engine, and with a model API played on loopback.

#include <fstream>

#include "tests/e2e/app/ask_fixture.h"

namespace app {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

TEST_F(Ask, OfflineAnswersAboutAFullDiskAndKeepsTheConversation) {
  const auto first = run({"ask", "local", "why is the disk full?"});
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_THAT(first.out,
              AllOf(HasSubstr("disk-full"), HasSubstr("not a language model"), HasSubstr("0 steps were not run")));
  EXPECT_THAT(first.err, HasSubstr("Running df"));

  const std::string id = only_session();
  EXPECT_THAT(run({"sessions", "show", id}).out, AllOf(HasSubstr("> why is the disk full?"), HasSubstr("disk-full")));

  const auto further = run({"sessions", "resume", id, "is memory short?"});
  EXPECT_EQ(further.code, 0) << further.err;
  EXPECT_THAT(further.out, HasSubstr("memory-pressure"));
  EXPECT_EQ(only_session(), id);
  EXPECT_THAT(run({"sessions", "show", id}).out,
              AllOf(HasSubstr("> why is the disk full?"), HasSubstr("> is memory short?")));
}

TEST_F(Ask, EveryCommandIsInTheAuditLogAndAChangedLineIsFound) {
  ASSERT_EQ(run({"ask", "local", "is the disk full?"}).code, 0);
  const auto records = audit();
  ASSERT_GE(records.size(), 2u);
  EXPECT_EQ(records[0]["event"], "start");
  EXPECT_EQ(records[0]["class"], "read-only");
  EXPECT_EQ(records[0]["model"], "offline");
  EXPECT_EQ(records[0]["question"], "is the disk full?");
  EXPECT_EQ(records[1]["event"], "end");
  EXPECT_EQ(records[1]["exit_code"], 0);
  EXPECT_THAT(run({"audit", "export", "--markdown"}).out, HasSubstr("df -P"));
  const auto intact = run({"audit", "verify"});
  EXPECT_EQ(intact.code, 0) << intact.err;
  EXPECT_THAT(intact.out, HasSubstr("chain intact"));

  std::string text = support::read_text(state("audit/audit.jsonl"));
  text.replace(text.find("command -v df"), 13, "command -v dg");
  std::ofstream(state("audit/audit.jsonl"), std::ios::binary) << text;
  const auto changed = run({"audit", "verify"});
  EXPECT_EQ(changed.code, 1);
  EXPECT_THAT(changed.err, HasSubstr("line 1"));
}

TEST_F(Ask, WithoutAnAuditLogTheCommandsSaySo) {
  for (const char* what : {"list", "verify", "export"}) {
    const auto result = run({"audit", what});
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.err, HasSubstr("no audit log"));
  }
}

TEST_F(Ask, TheModelRunsACommandAndItsAnswerIsOnStandardOutput) {
  serve_model();
  model_runs("echo result-$((6*7)); ls /no-such-directory");
  model_says("It printed forty-two.");
  const auto result = run_served({"ask", "local", "what does it print?"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out, "It printed forty-two.\n");
  EXPECT_THAT(result.err, HasSubstr("echo result-"));
  ASSERT_EQ(server_->requests().size(), 2u);
  EXPECT_THAT(result_in_request(1), AllOf(HasSubstr("toolu_1"), HasSubstr("result-42"), HasSubstr("[exit 2")));
  const auto records = audit();
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[1]["exit_code"], 2);
  EXPECT_EQ(records[1]["model"], "anthropic claude-opus-5-5");
  expect_key_nowhere(result);
}

TEST_F(Ask, JsonIsOneEventPerLineAndEndsWithDone) {
  serve_model();
  model_runs("true");
  model_says("Fine.");
  const auto result = run_served({"ask", "--json", "local", "all well?"});
  EXPECT_EQ(result.code, 0) << result.err;
  const auto events = json_lines(result.out);
  ASSERT_FALSE(events.empty());
  std::vector<std::string> types;
  for (const auto& event : events) types.push_back(event.value("type", "(no type)"));
  EXPECT_THAT(types, testing::IsSupersetOf({"tool_call", "tool_result", "text", "usage", "done"}));
  EXPECT_EQ(types.back(), "done");
  EXPECT_EQ(events.back()["reason"], "completed");
}

TEST_F(Ask, ADestructiveCommandIsRefusedEvenWithYesChanges) {
  serve_model();
  const std::string victim = env_.home().write("precious/file", "keep me");
  model_runs("rm -rf " + env_.home().file("precious"));
  model_says("I was not allowed to.");
  const auto result = run_served({"ask", "--yes-changes", "--mode", "auto", "local", "remove it"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(std::filesystem::exists(victim));
  EXPECT_THAT(result_in_request(1), HasSubstr("\"is_error\":true"));
  const auto records = audit();
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0]["event"], "refused");
  EXPECT_EQ(records[0]["class"], "destructive");
}

TEST_F(Ask, AChangeNeedsYesChanges) {
  serve_model();
  const std::string made = env_.home().file("made");
  for (const bool allowed : {false, true}) {
    model_runs("touch " + made);
    model_says("Done or not.");
    std::vector<std::string> words = {"ask", "local", "make it"};
    if (allowed) words.insert(words.begin() + 1, "--yes-changes");
    EXPECT_EQ(run_served(words).code, 0);
    EXPECT_EQ(std::filesystem::exists(made), allowed);
  }
}

TEST_F(Ask, NoToolCarriesTheKeyToTheModelOrIntoAFile) {
  serve_model();
  model_calls("local_command", {{"command", "printenv ANTHROPIC_API_KEY"}});
  model_runs("printenv ANTHROPIC_API_KEY");
  model_calls("read_terminal", Json::object());
  model_runs("for name in ANTHROPIC_API_KEY; do eval \"echo \\$$name\"; done");
  model_says("I saw nothing.");
  const auto result = run_served({"ask", "--json", "--yes-changes", "local", "print the key"});
  EXPECT_EQ(result.code, 0) << result.err;
  for (const std::size_t request : {1u, 2u, 3u})
    EXPECT_THAT(result_in_request(request), HasSubstr("<secret:")) << request;
  EXPECT_EQ(server_->requests().size(), 5u);
  expect_key_nowhere(result);
}

TEST_F(Ask, AnUnreachableTargetIsAFailureWithItsReason) {
  const auto result = run({"ask", "ssh://nobody@127.0.0.1:1", "is the disk full?"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(lines(result.err), Contains(AllOf(testing::StartsWith("jms: "), HasSubstr("127.0.0.1"))));
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(run({"sessions", "list"}).out, "");
}

TEST_F(Ask, AModelThatRefusesTheKeyIsAFailureWithItsReason) {
  serve_model();
  server_->script(test_server::reply(
      401, R"({"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}})",
      {{"content-type", "application/json"}}));
  const auto result = run_served({"ask", "local", "hello?"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("key"));
  expect_key_nowhere(result);
}

TEST_F(Ask, AnUnknownProviderModeOrSessionIsTold) {
  expect_refusal({"ask", "--provider", "oracle", "local", "hello?"}, "oracle");
  expect_refusal({"ask", "--mode", "wild", "local", "hello?"}, "wild");
  const auto unknown = run({"sessions", "show", "no-such-session"});
  EXPECT_EQ(unknown.code, 1);
  EXPECT_THAT(unknown.err, HasSubstr("no-such-session"));
}

}  // namespace
}  // namespace app
