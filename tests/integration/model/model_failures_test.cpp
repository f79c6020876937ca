// What goes wrong on the way to an answer: repeats, silence, time limits, cuts, and the operator who cancels.
#include "tests/integration/model/model_client_fixture.h"
#include "tests/support/model_streams.h"

namespace model {
namespace {

using namespace std::chrono_literals;
using model_streams::anthropic_event;
using model_streams::anthropic_text_turn;
using model_streams::anthropic_tool_turn;
using test_server::Reply;
using test_server::stream_reply;

TEST_F(ModelClientTest, RepeatsAndTellsTheWait) {
  serve();
  server_->script(overloaded({{"retry-after-ms", "30"}}));
  server_->script(overloaded());
  server_->script(
      stream_reply(anthropic_event(R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})")));
  server_->script({{}, Reply::Then::close});
  EXPECT_EQ(ask().text, "All is well.");
  ASSERT_EQ(retries_.size(), 4u);
  EXPECT_EQ(retries_[0].wait, 30ms);
  EXPECT_EQ(retries_[0].attempt, 1);
  EXPECT_EQ(retries_[0].reason.status, 529);
  EXPECT_EQ(retries_[1].wait, 10ms);
  EXPECT_EQ(retries_[2].reason.type, "overloaded_error");
  EXPECT_EQ(retries_[3].reason.kind, ErrorKind::connection);
  EXPECT_EQ(server_->requests().size(), 5u);
}

TEST_F(ModelClientTest, GivesUpAfterTheConfiguredNumberOfRepeats) {
  serve();
  settings_.timing.retries = 2;
  for (int i = 0; i < 5; ++i) server_->script(overloaded());
  const Turn& turn = ask();
  EXPECT_EQ(turn.outcome, Outcome::error);
  EXPECT_EQ(turn.error->kind, ErrorKind::overloaded);
  EXPECT_EQ(server_->requests().size(), 3u);
}

TEST_F(ModelClientTest, DoesNotRepeatWhatCannotSucceed) {
  serve();
  server_->script(test_server::reply(
      401,
      R"({"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key sk-test-secret-key"}})"));
  const Turn& turn = ask();
  EXPECT_EQ(turn.error->kind, ErrorKind::authentication);
  EXPECT_NE(turn.error->message.find("check the API key"), std::string::npos);
  EXPECT_NE(turn.error->message.find("[key]"), std::string::npos);
  EXPECT_TRUE(retries_.empty());
}

TEST_F(ModelClientTest, DoesNotWaitLongerThanAnOperatorWould) {
  serve();
  server_->script(overloaded({{"retry-after", "3600"}}));
  EXPECT_EQ(ask().error->kind, ErrorKind::overloaded);
  EXPECT_TRUE(retries_.empty());
}

TEST_F(ModelClientTest, NeverRepeatsOnceTextWasShown) {
  serve();
  const std::string body = anthropic_tool_turn();
  const std::string part = body.substr(0, body.find("the disk"));
  server_->script(stream_reply(part));
  const Turn lost = ask();
  EXPECT_EQ(lost.error->type, "connection_lost");
  EXPECT_EQ(lost.text, "Checking ");
  EXPECT_TRUE(lost.replay.empty());
  server_->script(
      stream_reply(part.substr(0, part.rfind("event:")) +
                   anthropic_event(R"({"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}})")));
  const Turn failed = ask();
  EXPECT_EQ(failed.error->kind, ErrorKind::overloaded);
  EXPECT_TRUE(retries_.empty());
  EXPECT_EQ(server_->requests().size(), 2u);
}

TEST_F(ModelClientTest, ExecutesNothingWhenTheConnectionIsCutAtAnyEvent) {
  serve();
  settings_.timing.retries = 0;
  const std::string body = anthropic_tool_turn();
  const auto end = body.find("event: message_stop");
  for (std::size_t cut = 0; cut < end; cut += 37) {
    server_->script(stream_reply(body.substr(0, cut)));
    const Turn& turn = ask();
    ASSERT_FALSE(turn.ok()) << cut;
    ASSERT_TRUE(turn.error) << cut;
    for (const auto& use : turn.tool_uses) ASSERT_FALSE(use.executable) << cut;
    ASSERT_TRUE(turn.replay.empty());
  }
  EXPECT_TRUE(calls_.empty());
}

TEST_F(ModelClientTest, SwitchesToTheFallbackModelAfterRepeatedOverload) {
  serve();
  settings_.fallback_model = "claude-sonnet-5-5";
  settings_.timing.overloads_before_fallback = 2;
  server_->script(overloaded());
  server_->script(overloaded());
  EXPECT_EQ(ask().text, "All is well.");
  ASSERT_EQ(retries_.size(), 2u);
  EXPECT_FALSE(retries_[0].fallback);
  EXPECT_TRUE(retries_[1].fallback);
  EXPECT_EQ(retries_[1].model, "claude-sonnet-5-5");
  EXPECT_EQ(server_->body(2)["model"], "claude-sonnet-5-5");
}

TEST_F(ModelClientTest, TellsOfSilenceAndGivesUp) {
  serve();
  settings_.timing.retries = 0;
  // Far apart: a machine that is busy for a tenth of a second would sleep over the first.
  settings_.timing.stall_note = 40ms;
  settings_.timing.stall_abort = 2000ms;
  server_->script({{{kStreamHead}}, Reply::Then::hang});
  const Turn& turn = ask();
  EXPECT_EQ(turn.error->kind, ErrorKind::stalled);
  EXPECT_EQ(stalls_, 1);
}

TEST_F(ModelClientTest, AnyByteEndsTheSilence) {
  serve();
  // Each pause is far below the limit and all of them together are above it.
  settings_.timing.stall_note = 1800ms;
  settings_.timing.stall_abort = 4000ms;
  Reply slow{{{kStreamHead}}, Reply::Then::close};
  for (int i = 0; i < 10; ++i) slow.steps.push_back({": still here\n", 200ms});
  slow.steps.push_back({anthropic_text_turn(), 200ms});
  server_->script(slow);
  EXPECT_EQ(ask().text, "All is well.");
  EXPECT_EQ(stalls_, 0);
}

TEST_F(ModelClientTest, EndsAnAnswerThatNeverEnds) {
  serve();
  settings_.timing.total = 200ms;
  Reply endless{{{kStreamHead}}, Reply::Then::hang};
  for (int i = 0; i < 200; ++i) endless.steps.push_back({anthropic_event(R"({"type":"ping"})"), 10ms});
  server_->script(endless);
  EXPECT_EQ(ask().error->kind, ErrorKind::time_limit);
}

TEST_F(ModelClientTest, EndsWhileWaitingForARepeatToo) {
  serve();
  settings_.timing.total = 100ms;
  server_->script(overloaded({{"retry-after", "30"}}));
  const Turn& turn = ask();
  EXPECT_EQ(turn.error->kind, ErrorKind::time_limit);
  EXPECT_EQ(server_->requests().size(), 1u);
}

TEST_F(ModelClientTest, CancelsInEveryPhase) {
  serve();
  Request request;
  request.messages = {user_message("q")};
  const auto quiet = [this] {
    loop_.run_until([] { return false; }, 30ms);
    EXPECT_FALSE(turn_);
    EXPECT_EQ(server_->http().open_connections(), 0);
  };
  start(request);  // before anything was sent
  stream_.reset();
  quiet();

  server_->script({{{kStreamHead + anthropic_tool_turn().substr(0, 900)}}, Reply::Then::hang});  // in the middle
  start(request);
  ASSERT_TRUE(loop_.run_until([this] { return server_->requests().size() == 1; }, 5s));
  loop_.run_until([this] { return !thinking_.empty(); }, 5s);
  stream_.reset();
  quiet();

  server_->script(overloaded({{"retry-after", "30"}}));  // while waiting
  start(request);
  ASSERT_TRUE(loop_.run_until([this] { return retries_.size() == 1; }, 5s));
  stream_.reset();
  client_.reset();
  quiet();
}

TEST_F(ModelClientTest, MayBeCancelledInsideItsOwnCallback) {
  serve();
  client_ = std::make_unique<AnthropicClient>(loop_, settings_);
  Request request;
  request.messages = {user_message("q")};
  for (const std::string where : {"text", "thinking", "usage", "tool", "done"}) {
    server_->script(stream_reply(anthropic_tool_turn()));
    std::string seen;
    const auto stop_at = [&](const std::string& name) {
      seen += name + " ";
      if (name == where) stream_.reset();
    };
    Events events;
    events.on_text = [&](std::string_view) { stop_at("text"); };
    events.on_thinking = [&](std::string_view) { stop_at("thinking"); };
    events.on_usage = [&](const Usage&) { stop_at("usage"); };
    events.on_tool_use = [&](const ToolUse&) { stop_at("tool"); };
    events.on_done = [&](Turn) { stop_at("done"); };
    stream_ = client_->start(request, std::move(events));
    ASSERT_TRUE(loop_.run_until([&] { return !stream_; }, 5s)) << where;
    loop_.run_until([] { return false; }, 10ms);
    EXPECT_TRUE(seen.ends_with(where + " ")) << seen;
  }
}

}  // namespace
}  // namespace model
