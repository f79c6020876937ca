// ttyd's protocol against a server that plays ttyd with a real shell.
#include "transport/websocket/ttyd_transport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "tests/support/ttyd_server.h"

namespace transport {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test_server::TtydOptions;
using test_server::TtydServer;
using testing::HasSubstr;
using testing::IsEmpty;

class TtydTransportTest : public testing::Test {
 protected:
  void serve(TtydOptions options = {}) {
    ttyd_.emplace(loop_, std::move(options));
    http_.emplace(loop_, [this](const test_server::HttpRequest& request) { return ttyd_->handle(request); });
  }
  void connect(const std::string& login = "", const std::string& path = "/") {
    if (!ttyd_) serve();
    output_.clear();
    closed_.reset();
    ready_ = false;
    TtydTransport::Target target;
    target.url = *parse_websocket_url("ws://" + login + "127.0.0.1:" + std::to_string(http_->port()) + path);
    target.size = {25, 90};
    target.ping = ping_;
    target.dead = dead_;
    transport_ = std::make_unique<TtydTransport>(loop_, target,
                                                 TtydTransport::Hooks{.on_progress = {},
                                                                      .on_ready = [this] { ready_ = true; },
                                                                      .ask_password =
                                                                          [this](auto reply) {
                                                                            if (!hold_question_)
                                                                              return reply(password_);
                                                                            answer_ = reply;
                                                                          }});
    transport_->start({.on_bytes = [this](std::string_view bytes) { output_ += bytes; },
                       .on_closed = [this](Closed closed) { closed_ = std::move(closed); },
                       .on_drained = {}});
  }
  bool wait(const std::function<bool()>& done) { return loop_.run_until(done, seconds(20)); }
  bool sees(const std::string& text) {
    return wait([&] { return output_.find(text) != std::string::npos || closed_; }) && !closed_;
  }

  event::EventLoop loop_;
  std::optional<TtydServer> ttyd_;
  std::optional<test_server::HttpServer> http_;
  std::unique_ptr<TtydTransport> transport_;
  milliseconds ping_{20'000}, dead_{60'000};
  std::optional<std::string> password_;
  bool hold_question_ = false;
  std::function<void(std::optional<std::string>)> answer_;  ///< To the question that is held.
  std::string output_;
  std::optional<Closed> closed_;
  bool ready_ = false;
};

TEST_F(TtydTransportTest, AShellAnswersAndItsEndIsTheEnd) {
  connect();
  transport_->send("stty size; echo ear\"\"ly\r");
  ASSERT_TRUE(sees("25 90\r\nearly\r\n")) << output_;
  EXPECT_TRUE(ready_);
  transport_->resize({30, 100});
  ASSERT_TRUE(wait([this] { return !ttyd_->resizes.empty(); }));
  transport_->send("stty size\r");
  ASSERT_TRUE(sees("30 100\r\n"));
  transport_->send("exit\r");
  ASSERT_TRUE(wait([this] { return closed_.has_value(); }));
  EXPECT_EQ(closed_->kind, Closed::Kind::ended);
  EXPECT_EQ(closed_->exit_code, 0);
  EXPECT_THAT(ttyd_->violations, IsEmpty());
}

TEST_F(TtydTransportTest, AFailingProgramIsNotTakenForAGoodEnd) {
  connect();
  ASSERT_TRUE(sees("$ "));
  transport_->send("exit 3\r");
  ASSERT_TRUE(wait([this] { return closed_.has_value(); }));
  EXPECT_EQ(closed_->kind, Closed::Kind::lost);
  EXPECT_EQ(closed_->exit_code, std::nullopt);
}

TEST_F(TtydTransportTest, UserAndPasswordOpenIt) {
  TtydOptions options;
  options.credential = "ops:p:a/ss";
  options.base = "/shell";
  serve(options);
  connect("ops:p%3Aa%2Fss@", "/shell/");
  EXPECT_TRUE(sees("$ ")) << closed_->reason;
  password_ = "p:a/ss";
  connect("ops@", "/shell");
  EXPECT_TRUE(sees("$ ")) << closed_->reason;
  password_ = "wrong";
  connect("ops@", "/shell");
  ASSERT_TRUE(wait([this] { return closed_.has_value(); }));
  EXPECT_THAT(closed_->reason, HasSubstr("does not accept"));
  connect("", "/shell");
  ASSERT_TRUE(wait([this] { return closed_.has_value(); }));
  EXPECT_THAT(closed_->reason, HasSubstr("wants a user and password"));
}

TEST_F(TtydTransportTest, ClosingItWhileThePasswordIsAskedForIsTheEnd) {
  TtydOptions options;
  options.credential = "ops:pass";
  serve(options);
  hold_question_ = true;
  connect("ops@");
  ASSERT_TRUE(wait([this] { return static_cast<bool>(answer_); }));
  transport_->close();
  EXPECT_FALSE(closed_) << "not from inside the call";
  ASSERT_TRUE(wait([this] { return closed_.has_value(); }));
  EXPECT_EQ(closed_->kind, Closed::Kind::ended);
  answer_("pass");
  loop_.run_until([] { return false; }, milliseconds(50));
  EXPECT_FALSE(ready_);
  EXPECT_EQ(ttyd_->open_sessions(), 0);
}

TEST_F(TtydTransportTest, AnAnswerInTheTurnOfTheCloseDoesNotConnect) {
  serve();
  hold_question_ = true;
  connect("ops@");
  ASSERT_TRUE(wait([this] { return static_cast<bool>(answer_); }));
  transport_->close();
  answer_("pass");
  ASSERT_TRUE(wait([this] { return closed_.has_value(); }));
  EXPECT_FALSE(ready_);
  EXPECT_EQ(ttyd_->open_sessions(), 0);
}

TEST_F(TtydTransportTest, ClosingItBeforeItConnectsIsTheEnd) {
  connect();
  transport_->close();
  EXPECT_FALSE(closed_);
  ASSERT_TRUE(wait([this] { return closed_.has_value(); }));
  EXPECT_EQ(closed_->kind, Closed::Kind::ended);
  EXPECT_FALSE(ready_);
}

TEST_F(TtydTransportTest, AFloodCanBePausedAndNothingIsMissing) {
  connect();
  ASSERT_TRUE(sees("$ "));
  transport_->send("seq 1 100000; echo all\"\"-done\r");
  ASSERT_TRUE(sees("\r\n1000\r\n"));
  transport_->pause_reading();
  const auto before = output_.size();
  loop_.run_until([] { return false; }, milliseconds(200));
  EXPECT_EQ(output_.size(), before);
  EXPECT_EQ(ttyd_->pauses, 1);
  transport_->resume_reading();
  ASSERT_TRUE(sees("\r\n100000\r\nall-done\r\n"));
  const auto from = output_.find("1\r\n2\r\n3\r\n");
  EXPECT_EQ(output_.find("all-done\r\n") - from, 488'895u + 200'000);
}

TEST_F(TtydTransportTest, AStandstillOfOurOwnIsNotTakenForTheServersDeath) {
  ping_ = milliseconds(50);
  dead_ = milliseconds(400);
  connect();
  ASSERT_TRUE(sees("$ "));
  std::this_thread::sleep_for(2 * dead_);  // As of a stopped job: nothing is read, nothing is sent.
  transport_->send("echo still-$((6*7))\r");
  EXPECT_TRUE(sees("still-42")) << (closed_ ? closed_->reason : output_);
}

TEST_F(TtydTransportTest, ABrokenConnectionIsLost) {
  connect();
  ASSERT_TRUE(sees("$ "));
  ttyd_->drop();
  ASSERT_TRUE(wait([this] { return closed_.has_value(); }));
  EXPECT_EQ(closed_->kind, Closed::Kind::lost);
}

TEST_F(TtydTransportTest, ClosingEndsTheProgram) {
  connect();
  ASSERT_TRUE(sees("$ "));
  transport_->close();
  ASSERT_TRUE(wait([this] { return closed_ && ttyd_->open_sessions() == 0; }));
  EXPECT_EQ(closed_->kind, Closed::Kind::ended);
}

}  // namespace
}  // namespace transport
