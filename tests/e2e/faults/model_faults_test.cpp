// The model's server fails in every way a server can. The command that ran before is not run again, the record holds,
// the operator is told, and the next question is answered.

#include <fstream>
#include <memory>

#include "tests/e2e/app/command_fixture.h"
#include "tests/support/model_server.h"
#include "tests/support/model_streams.h"

namespace faults {
namespace {

using model_streams::anthropic_call_turn;
using model_streams::anthropic_text_turn;
using test_server::ModelServer;
using test_server::Reply;
using test_server::stream_reply;

constexpr const char* kHead = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";

/// An answer that breaks off after `bytes` of the wire.
Reply cut(const std::string& wire, double share, Reply::Then then = Reply::Then::close) {
  const auto length = static_cast<std::size_t>(static_cast<double>(wire.size()) * share);
  return {.steps = {{.bytes = wire.substr(0, length)}}, .then = then};
}

Reply failure(int status, const std::string& type) {
  return test_server::reply(status,
                            R"({"type":"error","error":{"type":")" + type + R"(","message":"made up by the test"}})",
                            {{"content-type", "application/json"}, {"retry-after", "0"}});
}

struct Fault {
  const char* name;
  Reply reply;
  friend std::ostream& operator<<(std::ostream& out, const Fault& fault) { return out << fault.name; }
};

std::vector<Fault> all_faults() {
  const std::string text = kHead + anthropic_text_turn("Half an answer is no answer.");
  const std::string call =
      kHead + anthropic_call_turn("toolu_9", "execute_command", R"({"command":"echo x >> marks"})");
  return {
      {"ClosesWithoutAWord", {.steps = {}, .then = Reply::Then::close}},
      {"ClosesInTheHead", cut(kHead, 0.5)},
      {"ClosesAfterTheHead", cut(kHead, 1)},
      {"ClosesEarlyInTheText", cut(text, 0.3)},
      {"ClosesLateInTheText", cut(text, 0.8)},
      {"ClosesInTheMiddleOfACall", cut(call, 0.6)},
      {"ClosesBeforeTheEndOfACall", cut(call, 0.85)},
      {"FallsSilentBeforeTheHead", {.steps = {}, .then = Reply::Then::hang}},
      {"FallsSilentInTheText", cut(text, 0.5, Reply::Then::hang)},
      {"IsOverloaded", failure(529, "overloaded_error")},
      {"LimitsTheRate", failure(429, "rate_limit_error")},
      {"FailsInside", failure(500, "api_error")},
      {"IsBehindABrokenGateway", test_server::reply(502, "<html>Bad Gateway</html>", {{"content-type", "text/html"}})},
      {"SpeaksHtmlWithSuccess", test_server::reply(200, "<html>Log in</html>", {{"content-type", "text/html"}})},
      {"SendsGarbage",
       {.steps = {{.bytes = std::string("\x00\xff\x16\x03\x01garbage\n", 12)}}, .then = Reply::Then::close}},
  };
}

class ModelFault : public app::CommandTest, public testing::WithParamInterface<Fault> {
 protected:
  ModelFault() {
    server_ = std::make_unique<ModelServer>(loop_, ModelServer::Api::anthropic);
    env_.set("ANTHROPIC_BASE_URL", server_->base_url()).set("ANTHROPIC_API_KEY", "made-up");
    env_.write_config("[model]\nname = \"claude-opus-5-5\"\nretries = 1\nstall_abort_s = 1\nconnect_s = 2\n");
    marks_ = env_.home().file("marks");
  }
  support::CommandOutput ask() { return run_served({"ask", "--yes-changes", "local", "count once"}); }
  std::string marks() const { return std::filesystem::exists(marks_) ? support::read_text(marks_) : ""; }

  std::unique_ptr<ModelServer> server_;
  std::string marks_;
};

TEST_P(ModelFault, AfterACommandRan) {
  server_->script(
      stream_reply(anthropic_call_turn("toolu_1", "execute_command", Json{{"command", "echo x >> " + marks_}}.dump())));
  for (int i = 0; i < 4; ++i) server_->script(GetParam().reply);
  const auto failed = ask();
  EXPECT_EQ(failed.code, 1) << failed.out << failed.err;
  EXPECT_THAT(failed.err, testing::HasSubstr("jms: "));
  EXPECT_EQ(marks(), "x\n") << "the command ran once";
  const auto verified = run({"audit", "verify"});
  EXPECT_EQ(verified.code, 0) << verified.err;
  const auto records = json_lines(run({"audit", "list"}).out);
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0]["event"], "start");
  EXPECT_EQ(records[1]["event"], "end");

  server_ = std::make_unique<ModelServer>(loop_, ModelServer::Api::anthropic);
  env_.set("ANTHROPIC_BASE_URL", server_->base_url());
  server_->script(stream_reply(anthropic_text_turn("All is well again.")));
  const auto healthy = ask();
  EXPECT_EQ(healthy.code, 0) << healthy.err;
  EXPECT_THAT(healthy.out, testing::HasSubstr("All is well again."));
  EXPECT_EQ(marks(), "x\n");
}

using ModelStorm = ModelFault;

/// Overloads and rate limits that pass before patience does: the answer comes, and what ran before the storm ran once.
TEST_P(ModelStorm, ThatPassesIsWaitedOut) {
  env_.write_config("[model]\nname = \"claude-opus-5-5\"\nretries = 4\n");
  server_->script(
      stream_reply(anthropic_call_turn("toolu_1", "execute_command", Json{{"command", "echo x >> " + marks_}}.dump())));
  for (int i = 0; i < 3; ++i) server_->script(GetParam().reply);
  server_->script(stream_reply(anthropic_text_turn("The storm is over.")));
  const auto asked = ask();
  EXPECT_EQ(asked.code, 0) << asked.err;
  EXPECT_THAT(asked.out, testing::HasSubstr("The storm is over."));
  EXPECT_EQ(marks(), "x\n");
  EXPECT_EQ(json_lines(run({"audit", "list"}).out).size(), 2u);
  EXPECT_EQ(run({"audit", "verify"}).code, 0);
}

INSTANTIATE_TEST_SUITE_P(Of, ModelStorm,
                         testing::Values(Fault{"Overloads", failure(529, "overloaded_error")},
                                         Fault{"RateLimits", failure(429, "rate_limit_error")}),
                         [](const auto& choice) { return std::string(choice.param.name); });

TEST_F(ModelFault, AServerWhoseNameDoesNotResolveIsTold) {
  env_.set("ANTHROPIC_BASE_URL", "http://no-such-model.invalid");
  const auto asked = ask();
  EXPECT_EQ(asked.code, 1);
  EXPECT_THAT(asked.err, testing::HasSubstr("no-such-model.invalid"));
}

INSTANTIATE_TEST_SUITE_P(Every, ModelFault, testing::ValuesIn(all_faults()),
                         [](const auto& choice) { return std::string(choice.param.name); });

}  // namespace
}  // namespace faults
