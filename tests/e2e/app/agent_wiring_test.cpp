// The agent in the real binary against a model API on loopback that refuses what the real one refuses: the mission's
// scenario, rules and hooks from the config, limits, redaction of what is kept, a crash in the middle.

#include <sys/stat.h>

#include <fstream>

#include "tests/e2e/app/ask_fixture.h"
#include "tests/support/sshd.h"

namespace app {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class AgentWiring : public Ask {
 protected:
  void SetUp() override { serve_model(); }

  /// A script on the operator's machine that a skill would name, and the rule that lets it run unasked.
  std::string local_script() {
    const std::string path = env_.home().write("report.sh", "#!/bin/sh\necho local-report: /var is fullest\n", 0700);
    configure("[[rules]]\naction = \"allow\"\ntool = \"local_command\"\ncommand = \"" + path + "\"\n");
    return path;
  }
  /// Disk fills up: df, du, the runbook, a local script, the answer.
  void script_the_mission(const std::string& script) {
    model_runs("df -P /");
    model_runs("du -s /etc/hostname 2>/dev/null");
    model_calls("load_skill", {{"name", "disk-full"}});
    model_calls("local_command", {{"command", script}, {"purpose", "sum it up"}});
    model_says("It is /var: see the report.");
  }
  void expect_the_mission(const support::CommandOutput& result) {
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("It is /var"));
    ASSERT_EQ(server_->requests().size(), 5u);
    EXPECT_THAT(result_in_request(1), AllOf(HasSubstr("Mounted on"), HasSubstr("[exit 0"), HasSubstr("untrusted-")));
    EXPECT_THAT(result_in_request(2), HasSubstr("/etc/hostname"));
    EXPECT_THAT(result_in_request(3), HasSubstr("disk-full"));
    EXPECT_THAT(result_in_request(4), HasSubstr("local-report"));
    EXPECT_THAT(server_->refusals(), testing::IsEmpty());
    std::vector<std::string> commands;
    for (const auto& record : audit())
      if (record["event"] == "end") commands.push_back(record["command"]);
    EXPECT_EQ(commands.size(), 3u);
  }
  std::string done_reason(const support::CommandOutput& result) {
    const auto events = json_lines(result.out);
    return events.empty() ? "(nothing)" : events.back().value("reason", "(none)");
  }
};

TEST_F(AgentWiring, AnswersTheMissionsQuestionOnALocalShell) {
  script_the_mission(local_script());
  expect_the_mission(run_served({"ask", "local", "the disk fills up, why?"}));
}

TEST_F(AgentWiring, AnswersTheMissionsQuestionThroughARealSshd) {
  const auto key = support::make_key(env_.home(), "id_test");
  env_.unset("SSH_AUTH_SOCK");
  support::Sshd server;
  server.authorize(key);
  const auto hosts = env_.home().write("known_hosts", server.known_hosts_lines());
  const auto config =
      env_.home().write("ssh_config", "Host box\n HostName 127.0.0.1\n Port " + std::to_string(server.port()) +
                                          "\n IdentityFile " + key + "\n UserKnownHostsFile " + hosts + "\n");
  script_the_mission(local_script());
  expect_the_mission(run_served({"ask", "-F", config, "box", "the disk fills up, why?"}));
}

TEST_F(AgentWiring, ALocalCommandAfterRemoteTextIsRefusedWithoutARuleThatNamesIt) {
  local_script();
  model_runs("uptime");
  model_calls("local_command", {{"command", "ls /"}});
  model_says("I could not.");
  const auto result = run_served({"ask", "--yes-changes", "--mode", "auto", "local", "look"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result_in_request(2), AllOf(HasSubstr("is_error\":true"), HasSubstr("remote host was read")));
}

TEST_F(AgentWiring, StopsAtTheRoundsThatTheConfigAllows) {
  configure("[agent]\nmax_rounds = 4\n");
  for (int i = 0; i < 12; ++i) model_runs("echo " + std::to_string(i));
  const auto result = run_served({"ask", "--json", "local", "count"});
  EXPECT_EQ(done_reason(result), "round_limit");
  EXPECT_EQ(server_->requests().size(), 4u);
  EXPECT_THAT(server_->refusals(), testing::IsEmpty());
}

TEST_F(AgentWiring, AModelThatNeverEndsIsStoppedAfterTenRounds) {
  for (int i = 0; i < 12; ++i) model_runs("echo " + std::to_string(i));
  const auto result = run_served({"ask", "--json", "local", "count"});
  EXPECT_EQ(done_reason(result), "round_limit");
  EXPECT_EQ(server_->requests().size(), 10u);
}

TEST_F(AgentWiring, AnswersAllCallsOfATurnInOneMessageInOrder) {
  server_->script(test_server::stream_reply(
      model_streams::anthropic_calls_turn({{"toolu_a", "execute_command", R"({"command":"echo first"})"},
                                           {"toolu_b", "load_skill", R"({"name":"high-load"})"},
                                           {"toolu_c", "execute_command", R"({"command":"echo third"})"},
                                           {"toolu_d", "no_such_tool", "{}"},
                                           {"toolu_e", "read_terminal", R"({"lines":5})"}})));
  model_says("All five.");
  EXPECT_EQ(run_served({"ask", "local", "do all"}).code, 0);
  ASSERT_EQ(server_->requests().size(), 2u);
  const auto request = server_->body(1);
  std::vector<std::string> ids;
  for (const auto& block : request["messages"].back()["content"])
    if (block["type"] == "tool_result") ids.push_back(block["tool_use_id"]);
  EXPECT_THAT(ids, testing::ElementsAre("toolu_a", "toolu_b", "toolu_c", "toolu_d", "toolu_e"));
  EXPECT_THAT(server_->refusals(), testing::IsEmpty());
}

TEST_F(AgentWiring, ThreeDenialsInARowEndTheQuestion) {
  for (int i = 0; i < 4; ++i) model_runs("touch " + env_.home().file("denied-" + std::to_string(i)));
  const auto result = run_served({"ask", "--json", "local", "make files"});
  EXPECT_EQ(done_reason(result), "denied");
  EXPECT_EQ(audit().size(), 3u);
  EXPECT_FALSE(std::filesystem::exists(env_.home().file("denied-0")));
}

TEST_F(AgentWiring, RulesAndHostModesOfTheConfigDecide) {
  const std::string made = env_.home().file("made");
  configure("[[rules]]\naction = \"allow\"\ncommand = \"touch " + made + "\"\nhost = \"local\"\n" +
            "[[rules]]\naction = \"deny\"\ncommand = \"uptime\"\n");
  model_runs("touch " + made);
  model_runs("uptime");
  model_says("One of two.");
  EXPECT_EQ(run_served({"ask", "local", "do both"}).code, 0);
  EXPECT_TRUE(std::filesystem::exists(made));
  EXPECT_THAT(result_in_request(2), HasSubstr("a rule denies uptime"));
  const auto records = audit();
  EXPECT_EQ(records[0]["decided_by"], "rule");

  configure("[[rules]]\naction = \"allow\"\ncommand = \"touch " + made + "\"\n" +
            "[[hosts]]\nmatch = \"local\"\nmode = \"read-only\"\nproduction = true\n");
  const auto checked = run({"policy", "check", "--json", "--target", "local", "--mode", "auto", "touch " + made});
  EXPECT_EQ(checked.code, 10);
  const auto json = Json::parse(checked.out);
  EXPECT_EQ(json["decision"], "refuse");
  EXPECT_EQ(json["mode"], "read-only");
  EXPECT_EQ(json["production"], true);
  EXPECT_THAT(run({"policy", "check", "--target", "other", "touch " + made}).out, HasSubstr("it runs, by rule"));
  expect_refusal({"policy", "check", "--target", "local", "--mode", "wild", "ls"}, "wild");
}

TEST_F(AgentWiring, AHookSeesTheCallAndMayForbidIt) {
  const std::string seen = env_.home().file("seen");
  configure("[[hooks]]\nevent = \"pre_tool\"\ntool = \"execute_command\"\ncommand = \"cat > " + seen +
            "; grep -q forbidden " + seen + " && { echo not on a Friday; exit 2; }; exit 0\"\n" +
            "[[hooks]]\nevent = \"post_answer\"\ncommand = \"cat > " + seen + "-answer\"\n");
  model_runs("echo forbidden");
  model_runs("echo fine");
  model_says("Half of it.");
  EXPECT_EQ(run_served({"ask", "local", "try"}).code, 0);
  EXPECT_THAT(result_in_request(1), HasSubstr("not on a Friday"));
  EXPECT_THAT(result_in_request(2), HasSubstr("fine"));
  EXPECT_THAT(support::read_text(seen), AllOf(HasSubstr("pre_tool"), HasSubstr("echo fine")));
  EXPECT_THAT(support::read_text(seen + "-answer"), HasSubstr("Half of it."));
}

TEST_F(AgentWiring, NothingRunsWhenTheAuditLogCannotBeWritten) {
  std::filesystem::create_directories(state(""));
  ::chmod(state("").c_str(), 0700);
  std::ofstream(state("audit")) << "in the way";
  model_runs("touch " + env_.home().file("made"));
  const auto result = run_served({"ask", "--mode", "auto", "local", "make it"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("audit"));
  EXPECT_TRUE(server_->requests().empty());
  EXPECT_FALSE(std::filesystem::exists(env_.home().file("made")));
}

TEST_F(AgentWiring, NothingRunsOnceTheDiskTakesNoMoreRecords) {
  model_runs("touch " + env_.home().file("made"));
  model_runs("uptime");
  model_says("I could not.");
  prefix_ = {"bash", "-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "bash"};
  const auto result = run_served({"ask", "--mode", "auto", "local", "make it"});
  prefix_.clear();
  EXPECT_FALSE(std::filesystem::exists(env_.home().file("made")));
  EXPECT_THAT(result.err, HasSubstr("audit record cannot be written"));
  for (const std::size_t request : {1u, 2u})
    EXPECT_THAT(result_in_request(request), HasSubstr("audit record cannot be written"));
}

TEST_F(AgentWiring, SecretsAreMaskedInTheKeptOutputWhereverARangeCutsIt) {
  constexpr const char* kSecret = "AKIAIOSFODNN7EXAMPLQ";
  std::string text;
  for (int i = 0; i < 4000; ++i) text += "line " + std::to_string(i) + " of an ordinary log\n";
  text.insert(text.size() / 2 / 10 * 10, std::string("\nkey ") + kSecret + " here\n");
  const auto log = env_.home().write("app.log", text);
  const std::string here = std::to_string(text.find(kSecret) + 5);
  model_runs("cat " + log);
  model_says("Long.");
  EXPECT_EQ(run_served({"ask", "local", "show it"}).code, 0);
  const std::string first = result_in_request(1);
  const auto at = first.find("out-");
  ASSERT_NE(at, std::string::npos) << first.substr(0, 500);
  const std::string id = first.substr(at, first.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-", at) - at);
  const std::string kept = support::read_text(state("outputs/" + id));
  EXPECT_THAT(kept, AllOf(Not(HasSubstr(kSecret)), HasSubstr("<secret:"), HasSubstr("line 3999")));
  model_calls("read_output", {{"id", id}, {"offset", std::stoi(here) - 3}, {"limit", 12}});
  model_says("Nothing.");
  EXPECT_EQ(run_served({"sessions", "resume", only_session(), "read it"}).code, 0);
  for (const auto& request : server_->requests()) EXPECT_THAT(request.body, Not(HasSubstr("7EXAMPLQ")));
}

TEST_F(AgentWiring, AMaskedSecretGoesBackToItsHostQuotedAndOnlyWhenAllowed) {
  const auto file = env_.home().write("app.ini", "password = \"p4ss'w0rd;id\"\n");
  const std::string used = env_.home().file("used");
  model_runs("cat " + file);
  model_runs("printf %s '<secret:password:1>' > " + used);
  model_says("Used.");
  const auto result = run_served({"ask", "--yes-changes", "local", "use it"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result_in_request(1), HasSubstr("<secret:password:1>"));
  EXPECT_EQ(support::read_text(used), "p4ss'w0rd;id");
  for (const auto& request : server_->requests()) EXPECT_THAT(request.body, Not(HasSubstr("p4ss")));
}

TEST_F(AgentWiring, ACrashLosesAtMostTheTurnInProgress) {
  model_runs("echo before-the-crash");
  server_->script({.steps = {}, .then = test_server::Reply::Then::hang});
  prefix_ = {"timeout", "-s", "KILL", "6"};
  run_served({"ask", "local", "first question"});
  prefix_.clear();
  const std::string id = only_session();
  EXPECT_THAT(run({"sessions", "show", id}).out, AllOf(HasSubstr("first question"), HasSubstr("before-the-crash")));
  model_says("I remember.");
  const auto result = run_served({"sessions", "resume", id, "and now?"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(server_->requests().back().body, AllOf(HasSubstr("first question"), HasSubstr("and now?")));
  EXPECT_THAT(server_->refusals(), testing::IsEmpty());
}

TEST_F(AgentWiring, AnInterruptEndsItInEveryPhaseAndLeavesACleanConversation) {
  enum class Phase { streaming, running, hook };
  for (const auto phase : {Phase::streaming, Phase::running, Phase::hook}) {
    configure(phase == Phase::hook ? "[[hooks]]\nevent = \"pre_tool\"\ncommand = \"sleep 4\"\n" : "");
    if (phase == Phase::streaming)
      server_->script({.steps = {}, .then = test_server::Reply::Then::hang});
    else
      model_runs("sleep 30");
    prefix_ = {"timeout", "--preserve-status", "-s", "INT", "3"};
    const auto result = run_served({"ask", "--json", "local", "wait"});
    prefix_.clear();
    EXPECT_EQ(result.code, 130) << result.err << result.out;
    EXPECT_EQ(done_reason(result), "aborted");
  }
  EXPECT_THAT(run({"sessions", "list"}).out, testing::IsEmpty()) << "a cancelled question leaves nothing behind";
}

TEST_F(AgentWiring, FiftyQuestionsKeepTheRequestSmall) {
  std::vector<std::size_t> sizes;
  std::string id;
  for (int i = 0; i < 50; ++i) {
    model_runs("seq 1 2000");
    model_says("Question " + std::to_string(i) + " is answered.");
    const std::string question = "question number " + std::to_string(i);
    const auto result =
        id.empty() ? run_served({"ask", "local", question}) : run_served({"sessions", "resume", id, question});
    ASSERT_EQ(result.code, 0) << result.err;
    if (id.empty()) id = only_session();
    sizes.push_back(server_->requests().back().body.size());
  }
  EXPECT_LE(sizes[49], 2 * sizes[9]) << sizes[9] << " then " << sizes[49];
  EXPECT_THAT(server_->refusals(), testing::IsEmpty());
  RecordProperty("bytes_of_the_tenth", static_cast<int>(sizes[9]));
  RecordProperty("bytes_of_the_last", static_cast<int>(sizes[49]));
}

TEST_F(AgentWiring, ABrokenSkillIsOneLineAndAProjectsSkillsNeedTrust) {
  env_.home().write("config/jms/skills/broken/SKILL.md", "no front matter at all");
  env_.home().write("work/.claude/skills/house-rules/SKILL.md",
                    "---\nname: house-rules\ndescription: How we do it here.\n---\nBe kind.\n");
  const std::string work = env_.home().file("work");
  model_says("Hello.");
  const auto result = run_served({"ask", "local", "hello"});
  EXPECT_THAT(lines(result.err), Contains(AllOf(HasSubstr("skill cannot be used"), HasSubstr("broken"))));
  const auto in_work = [&](const Words& arguments) {
    prefix_ = {"env", "-C", work};
    const auto output = run(arguments);
    prefix_.clear();
    return output;
  };
  EXPECT_THAT(in_work({"skills", "list"}).out, Not(HasSubstr("house-rules")));
  EXPECT_THAT(in_work({"skills", "trust"}).out, HasSubstr(work));
  EXPECT_THAT(in_work({"skills", "list"}).out, HasSubstr("house-rules"));
  EXPECT_THAT(run({"skills", "list"}).out, Not(HasSubstr("house-rules"))) << "only where jms was started";
  EXPECT_THAT(run({"skills", "trust", "--list"}).out, HasSubstr(work));
  EXPECT_EQ(in_work({"skills", "untrust"}).code, 0);
  EXPECT_THAT(in_work({"skills", "list"}).out, Not(HasSubstr("house-rules")));
  EXPECT_EQ(run({"skills", "trust", "/no/such/folder"}).code, 1);
}

TEST_F(AgentWiring, TheConfigsOwnPatternsAreMaskedAndItsExceptionsAreNot) {
  configure(
      "[redact]\nexceptions = [\"^AKIAIOSFODNN7EXAMPLQ$\"]\n[[redact.patterns]]\nkind = \"ticket\"\nregex = "
      "\"TCK-([0-9]{6})\"\n");
  const auto result = run({"redact"}, "TCK-123456 AKIAIOSFODNN7EXAMPLQ AKIAIOSFODNN7EXAMPLE\n");
  EXPECT_THAT(result.out, AllOf(HasSubstr("TCK-<secret:ticket:1>"), HasSubstr("AKIAIOSFODNN7EXAMPLQ")));
}

}  // namespace
}  // namespace app
