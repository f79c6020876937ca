// koko's terminal in both dialects, against a server that plays koko with a real shell behind it and notes whatever a
// client must not do.
#include "transport/jumpserver/koko_transport.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/koko_fixture.h"

namespace transport::jumpserver {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using test_server::KokoOnLoopback;
using test_server::KokoOptions;
using test_server::KokoVersion;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class KokoTransportTest : public testing::TestWithParam<KokoVersion> {
 protected:
  void serve(KokoOptions options = {}) {
    options.version = GetParam();
    server_.emplace(loop_, std::move(options));
  }
  void connect(KokoTicket ticket) {
    transport_.reset();
    output_.clear();
    closed_.reset();
    ready_ = false;
    transport_ = std::make_unique<KokoTransport>(
        loop_, KokoTransport::Target{std::move(ticket), {24, 80}, times_},
        KokoTransport::Hooks{.on_progress = {},
                             .on_event = [this](const KokoEvent& event) { events_.push_back(event); },
                             .on_ready = [this] { ready_ = true; }});
    transport_->start({.on_bytes = [this](std::string_view bytes) { output_ += bytes; },
                       .on_closed = [this](Closed closed) { closed_ = std::move(closed); },
                       .on_drained = {}});
  }
  bool wait(const std::function<bool()>& done) { return loop_.run_until(done, seconds(20)); }
  bool open() {
    if (!server_) serve();
    connect(server_->ticket(server_->fresh_token()));
    return wait([this] { return (ready_ && output_.ends_with("$ ")) || closed_; }) && !closed_;
  }
  bool sees(const std::string& text) {
    return wait([&] { return output_.find(text) != std::string::npos; });
  }
  bool has_event(KokoEvent::Kind kind) const {
    return std::any_of(events_.begin(), events_.end(), [&](const auto& event) { return event.kind == kind; });
  }
  void pass(milliseconds time) {
    loop_.run_until([] { return false; }, time);
  }
  auto& koko() { return server_->koko; }

  event::EventLoop loop_;
  std::optional<KokoOnLoopback> server_;
  KokoTransport::Times times_;
  std::unique_ptr<KokoTransport> transport_;
  std::string output_;
  std::vector<KokoEvent> events_;
  std::optional<Closed> closed_;
  bool ready_ = false;
};

TEST_P(KokoTransportTest, AShellAnswersAndItsEndIsTheEnd) {
  ASSERT_TRUE(open()) << closed_->reason;
  EXPECT_EQ(transport_->dialect(), GetParam() == KokoVersion::v4 ? KokoDialect::json : KokoDialect::envelope);
  EXPECT_THAT(output_, HasSubstr("Connecting to root(root)@10.0.0.5"));
  transport_->send("echo hel\"\"lo\r");
  ASSERT_TRUE(sees("hello\r\n")) << output_;
  transport_->send("exit\r");
  ASSERT_TRUE(wait([this] { return closed_.has_value(); }));
  EXPECT_EQ(closed_->kind, Closed::Kind::ended);
  EXPECT_THAT(output_, HasSubstr("exit\r\n"));
  ASSERT_TRUE(wait([this] { return koko().open_sessions() == 0; }));
  EXPECT_THAT(koko().violations, IsEmpty());
}

TEST_P(KokoTransportTest, TheOrderOfTheFirstMessagesDoesNotMatter) {
  for (int order = 0; order < 6; ++order) {
    KokoOptions options;
    options.order = order;
    serve(options);
    ASSERT_TRUE(open()) << order;
    EXPECT_THAT(koko().violations, IsEmpty());
    ASSERT_TRUE(transport_->session());
    EXPECT_EQ(transport_->session()->asset, "web-01(10.0.0.5)");
    EXPECT_THAT(transport_->session()->actions, Contains("copy"));
    EXPECT_TRUE(transport_->session()->watermark);
    transport_.reset();
  }
}

TEST_P(KokoTransportTest, BytesAreExactHoweverFramesCutThem) {
  KokoOptions options;
  options.frame = 2;
  serve(options);
  ASSERT_TRUE(open());
  transport_->send("printf '\\346\\227\\245\\346\\234\\254 caf\\303\\251 \\360\\237\\230\\200\\n'\r");
  EXPECT_TRUE(sees("日本 café 😀\r\n")) << output_;
}

TEST_P(KokoTransportTest, AFloodArrivesWholeAndCanBePaused) {
  ASSERT_TRUE(open());
  transport_->send("seq 1 200000 | tr -d '\\n' | wc -c; seq 1 200000; echo all''-done\r");
  ASSERT_TRUE(sees("1000\r\n"));
  transport_->pause_reading();
  const auto before = output_.size();
  pass(milliseconds(100));
  EXPECT_LT(output_.size(), before + 200'000);
  transport_->resume_reading();
  ASSERT_TRUE(sees("\r\n200000\r\nall-done\r\n"));
  const auto from = output_.find("\r\n1\r\n2\r\n3\r\n");
  ASSERT_NE(from, std::string::npos);
  EXPECT_EQ(output_.find("all-done\r\n", from) - from, 2u + 1'088'895 + 200'000 + 200'000 - 1u + 1u);
}

TEST_P(KokoTransportTest, WhatIsTypedTooEarlyWaitsForTheAsset) {
  KokoOptions options;
  options.connecting = milliseconds(300);
  serve(options);
  connect(server_->ticket(server_->fresh_token()));
  transport_->send("echo ear\"\"ly\r");
  ASSERT_TRUE(sees("early\r\n")) << output_;
  EXPECT_THAT(koko().violations, IsEmpty());
}

TEST_P(KokoTransportTest, AnAnswerToKokosOwnQuestionIsNotHeldBack) {
  KokoOptions options;
  options.password_prompt = "root(root)'s password: ";
  serve(options);
  connect(server_->ticket(server_->fresh_token()));
  ASSERT_TRUE(sees("password: "));
  EXPECT_FALSE(ready_);
  transport_->send("secret\r");
  ASSERT_TRUE(wait([this] { return ready_; }));
  EXPECT_THAT(koko().violations, IsEmpty());
}

TEST_P(KokoTransportTest, ANewSizeReachesTheShell) {
  ASSERT_TRUE(open());
  transport_->resize({30, 100});
  transport_->resize({31, 101});
  ASSERT_TRUE(wait([this] { return koko().size_seen() == "31 101"; })) << koko().size_seen();
  transport_->send("stty size\r");
  EXPECT_TRUE(sees("31 101\r\n")) << output_;
}

TEST_P(KokoTransportTest, LongInputIsDividedBetweenCharacters) {
  ASSERT_TRUE(open());
  transport_->send("stty -icanon -echo; cat > /dev/null; echo over\r");
  pass(milliseconds(200));
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "字é";
  transport_->send(text);
  ASSERT_TRUE(wait([&] { return koko().input.find(text) != std::string::npos; }));
  EXPECT_THAT(koko().violations, IsEmpty());
}

// ---- Refusals

TEST_P(KokoTransportTest, AUsedTokenIsRefused) {
  ASSERT_TRUE(open());
  const std::string used = "token-1";
  connect(server_->ticket(used));
  ASSERT_TRUE(wait([this] { return closed_.has_value(); }));
  EXPECT_EQ(closed_->kind, Closed::Kind::lost);
  EXPECT_THAT(closed_->reason, HasSubstr("Connection token expired"));
  connect(server_->ticket("unknown"));
  ASSERT_TRUE(wait([this] { return closed_.has_value(); }));
  EXPECT_THAT(closed_->reason, HasSubstr("Token invalid"));
  transport_.reset();
  ASSERT_TRUE(wait([this] { return koko().open_sessions() == 0; }));
  EXPECT_THAT(koko().violations, IsEmpty());
}

TEST_P(KokoTransportTest, WithoutASignInTheOperatorIsToldToSignIn) {
  serve();
  connect(server_->ticket(server_->fresh_token(), "stale"));
  ASSERT_TRUE(wait([this] { return closed_.has_value(); }));
  EXPECT_THAT(closed_->reason, HasSubstr("sign in again"));
  EXPECT_EQ(koko().sessions(), 0);
}

TEST_P(KokoTransportTest, AGatewayInFrontIsExplained) {
  serve();
  for (const int status : {403, 502, 503}) {
    server_->instead = [status](const auto&) { return test_server::reply(status, "<html>gateway</html>"); };
    connect(server_->ticket(server_->fresh_token()));
    ASSERT_TRUE(wait([this] { return closed_.has_value(); }));
    EXPECT_THAT(closed_->reason, HasSubstr(status == 403 ? "forbids" : "maintenance"));
  }
}

TEST_P(KokoTransportTest, TheSilenceThatMeetsAForeignTokenIsExplained) {
  times_.greeting = milliseconds(200);
  serve();
  connect(server_->ticket(server_->fresh_token(), "bobs"));
  ASSERT_TRUE(wait([this] { return closed_.has_value(); }));
  EXPECT_THAT(closed_->reason, HasSubstr("another user"));
}

TEST_P(KokoTransportTest, AnAssetThatCannotBeReachedIsTold) {
  KokoOptions options;
  options.connect_error = "dial tcp 10.0.0.5:22: i/o timeout";
  serve(options);
  connect(server_->ticket(server_->fresh_token()));
  ASSERT_TRUE(wait([this] { return closed_.has_value(); }));
  EXPECT_EQ(closed_->kind, Closed::Kind::lost);
  EXPECT_THAT(output_, HasSubstr("i/o timeout"));
  EXPECT_FALSE(ready_);
}

// ---- Clocks

TEST_P(KokoTransportTest, PingsKeepTheServerFromHangingUp) {
  times_.ping = milliseconds(60);
  KokoOptions options;
  options.read_deadline = milliseconds(400);
  options.ping_check = milliseconds(100);
  options.ping_quiet = milliseconds(50);
  serve(options);
  ASSERT_TRUE(open());
  pass(milliseconds(1200));
  EXPECT_FALSE(closed_);
  EXPECT_THAT(koko().received, Contains("PING"));
  EXPECT_THAT(koko().violations, IsEmpty());
  EXPECT_THAT(koko().input, IsEmpty());  // Nothing was typed to stay alive.
}

TEST_P(KokoTransportTest, IdlenessIsToldBeforeTheBastionActsAndNamedAfterwards) {
  times_.idle_limit = milliseconds(900);
  times_.idle_warning = milliseconds(500);
  times_.ping = milliseconds(50);
  KokoOptions options;
  options.idle_limit = milliseconds(900);
  options.idle_check = milliseconds(20);
  serve(options);
  ASSERT_TRUE(open());
  ASSERT_TRUE(wait([this] { return has_event(KokoEvent::Kind::idle_soon) || closed_; }));
  EXPECT_FALSE(closed_);
  ASSERT_TRUE(wait([this] { return closed_.has_value(); }));
  EXPECT_EQ(closed_->kind, Closed::Kind::lost);
  EXPECT_THAT(closed_->reason, HasSubstr("nothing was typed"));
  EXPECT_THAT(output_, HasSubstr("Connect idle more than"));
}

TEST_P(KokoTransportTest, TheLongestTimeIsToldBeforeItIsOver) {
  times_.longest = milliseconds(1000);
  times_.longest_warning = milliseconds(600);
  times_.ping = milliseconds(50);
  KokoOptions options;
  options.longest = milliseconds(1200);
  serve(options);
  ASSERT_TRUE(open());
  ASSERT_TRUE(wait([this] { return has_event(KokoEvent::Kind::time_soon); }));
  ASSERT_TRUE(wait([this] { return closed_.has_value(); }));
  EXPECT_THAT(closed_->reason, HasSubstr("longest session time"));
}

TEST_P(KokoTransportTest, AServerThatIsGoneIsNoticed) {
  times_.ping = milliseconds(50);
  times_.probe = milliseconds(100);
  times_.dead = milliseconds(400);
  ASSERT_TRUE(open());
  pass(milliseconds(800));
  ASSERT_FALSE(closed_) << closed_->reason;  // Its answers to our pings are signs of life.
  server_.reset();                           // Now even the port is gone.
  ASSERT_TRUE(wait([this] { return closed_.has_value(); }));
  EXPECT_EQ(closed_->kind, Closed::Kind::lost);
}

// ---- Administrators

TEST_P(KokoTransportTest, LockUnlockAndTerminationAreTold) {
  ASSERT_TRUE(open());
  koko().lock("Root Admin");
  ASSERT_TRUE(wait([this] { return has_event(KokoEvent::Kind::locked); }));
  EXPECT_THAT(events_.back().text, HasSubstr("Root Admin"));
  transport_->send("echo dropped\r");
  ASSERT_TRUE(wait([this] { return koko().dropped == "echo dropped\r"; }));
  koko().unlock("Root Admin");
  ASSERT_TRUE(wait([this] { return has_event(KokoEvent::Kind::unlocked); }));
  koko().expire_permission();
  ASSERT_TRUE(wait([this] { return has_event(KokoEvent::Kind::permission_expired); }));
  koko().renew_permission();
  ASSERT_TRUE(wait([this] { return has_event(KokoEvent::Kind::permission_valid); }));
  koko().terminate("Root Admin");
  ASSERT_TRUE(wait([this] { return closed_.has_value(); }));
  EXPECT_EQ(closed_->kind, Closed::Kind::lost);
  EXPECT_THAT(closed_->reason, HasSubstr("administrator"));
  EXPECT_THAT(koko().violations, IsEmpty());
}

TEST_P(KokoTransportTest, MessagesForOthersAndUnknownOnesArePassedOver) {
  ASSERT_TRUE(open());
  const auto events = events_.size();
  for (const char* type : {"TERMINAL_SHARE_JOIN", "TERMINAL_SHARE_LEAVE", "TERMINAL_SHARE", "TERMINAL_GET_SHARE_USER",
                           "MESSAGE_NOTIFY", "TERMINAL_METRICS_X", "mcp.whatever", "PING", "PONG"})
    koko().send_message(type, "{\"a\":");
  transport_->send("echo st\"\"ill\r");
  ASSERT_TRUE(sees("still\r\n"));
  EXPECT_EQ(events_.size(), events);
  EXPECT_THAT(koko().violations, IsEmpty());
}

TEST_P(KokoTransportTest, AFileTransferIsCancelledPolitely) {
  ASSERT_TRUE(open());
  transport_->send("stty raw -echo; cat > /dev/null\r");
  pass(milliseconds(200));
  koko().send_message("TERMINAL_ACTION", "ZMODEM_START");
  ASSERT_TRUE(wait([this] { return has_event(KokoEvent::Kind::transfer_refused); }));
  const std::string cancel = "\x18\x18\x18\x18\x18\b\b\b\b\b";
  ASSERT_TRUE(wait([&] { return koko().input.find(cancel) != std::string::npos; }));
  koko().send_output("**\x18raw bytes of a transfer");
  koko().send_message("TERMINAL_ACTION", "ZMODEM_END");
  koko().send_output("after");
  ASSERT_TRUE(sees("after"));
  EXPECT_THAT(output_, Not(HasSubstr("raw bytes")));
}

TEST_P(KokoTransportTest, TheSessionsKeyMappingsAreHonoured) {
  KokoOptions options;
  options.backspace_as_ctrl_h = true;
  options.ctrl_c_as_ctrl_z = true;
  serve(options);
  ASSERT_TRUE(open());
  transport_->send("a\x7f");
  transport_->send("\x03");
  ASSERT_TRUE(wait([this] { return koko().input == "a\b\x1a"; }));
}

// ---- Ends

TEST_P(KokoTransportTest, ABrokenConnectionIsLostAndANewTokenOpensANewShell) {
  ASSERT_TRUE(open());
  koko().drop();
  ASSERT_TRUE(wait([this] { return closed_.has_value(); }));
  EXPECT_EQ(closed_->kind, Closed::Kind::lost);
  ASSERT_TRUE(open());
  EXPECT_EQ(koko().sessions(), 2);
}

TEST_P(KokoTransportTest, AClosedSocketIsExplainedByItsReason) {
  ASSERT_TRUE(open());
  koko().close_socket(4000, "koko:write_timeout");
  ASSERT_TRUE(wait([this] { return closed_.has_value(); }));
  EXPECT_EQ(closed_->kind, Closed::Kind::lost);
  EXPECT_THAT(closed_->reason, HasSubstr("write_timeout"));
}

TEST_P(KokoTransportTest, ClosingEndsTheTerminalOnTheServer) {
  ASSERT_TRUE(open());
  transport_->close();
  ASSERT_TRUE(wait([this] { return closed_.has_value(); }));
  EXPECT_EQ(closed_->kind, Closed::Kind::ended);
  transport_.reset();
  ASSERT_TRUE(wait([this] { return koko().open_sessions() == 0; }));
  EXPECT_THAT(koko().received, Contains(testing::AnyOf("CLOSE", "close")));
  EXPECT_THAT(koko().violations, IsEmpty());
}

TEST_P(KokoTransportTest, ItCanBeDestroyedInItsCallbacks) {
  for (int moment = 0; moment < 3; ++moment) {
    serve();
    bool reached = false;
    KokoTransport* made = nullptr;
    const auto destroy = [&] {
      delete std::exchange(made, nullptr);
      reached = true;
    };
    KokoTransport::Hooks hooks;
    if (moment == 0) hooks.on_ready = destroy;
    if (moment == 1) hooks.on_event = [&](const KokoEvent&) { destroy(); };
    made = new KokoTransport(loop_, {server_->ticket(server_->fresh_token()), {24, 80}, {}}, hooks);
    made->start({.on_bytes =
                     [&](std::string_view) {
                       if (moment == 2) destroy();
                     },
                 .on_closed = {},
                 .on_drained = {}});
    ASSERT_TRUE(wait([&] { return reached; }));
    ASSERT_TRUE(wait([this] { return koko().open_sessions() == 0; }));
  }
}

TEST_P(KokoTransportTest, NothingSecretIsInWhatTheOperatorSees) {
  ASSERT_TRUE(open());
  connect(server_->ticket("token-1"));
  ASSERT_TRUE(wait([this] { return closed_.has_value(); }));
  std::string shown = closed_->reason + output_;
  for (const auto& event : events_) shown += event.text;
  for (const char* secret : {"token-1", "good", "PRIVATE-KEY"}) EXPECT_THAT(shown, Not(HasSubstr(secret)));
}

INSTANTIATE_TEST_SUITE_P(Dialects, KokoTransportTest, testing::Values(KokoVersion::v4, KokoVersion::v5),
                         [](const auto& one) { return one.param == KokoVersion::v4 ? "V4" : "V5"; });

// ---- The server itself: a client that does it wrong is found out.

TEST(KokoServerTest, AnInitWithAWrongIdOpensNothingAndIsNoted) {
  event::EventLoop loop;
  KokoOnLoopback server(loop);
  const auto ticket = server.ticket(server.fresh_token());
  WebSocketLink::Request request;
  request.url = *parse_websocket_url(ticket.url);
  request.headers = ticket.headers;
  WebSocketLink link(loop, request);
  int texts = 0, binaries = 0;
  link.start({.on_open = {},
              .on_message =
                  [&](MessageKind kind, std::string_view) {
                    ++(kind == MessageKind::text ? texts : binaries);
                    link.send(
                        MessageKind::text,
                        R"({"id":"wrong","type":"TERMINAL_INIT","data":"{\"cols\":80,\"rows\":24,\"code\":\"\"}"})");
                  },
              .on_drained = {},
              .on_end = {}});
  ASSERT_TRUE(loop.run_until([&] { return !server.koko.violations.empty(); }, seconds(5)));
  loop.run_until([] { return false; }, milliseconds(100));
  EXPECT_EQ(texts, 1);
  EXPECT_EQ(binaries, 0);
  EXPECT_THAT(server.koko.violations, Contains("TERMINAL_INIT with a wrong id"));
}

}  // namespace
}  // namespace transport::jumpserver
