// koko's terminal in both dialects, against a server that plays koko with a real shell behind it and notes
// whatever a client must not do.
#include <gmock/gmock.h>

#include "tests/integration/transport/koko_transport_fixture.h"

namespace transport::jumpserver {
namespace {

using std::chrono::milliseconds;
using test_server::KokoOptions;
using test_server::KokoVersion;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

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
  for (int order = 0; order < 24; ++order) {
    KokoOptions options;
    options.order = order % 12;
    options.reused = order / 12 * 3;  // Behind the counter, and behind the banner of a shared connection.
    serve(options);
    ASSERT_TRUE(open()) << order;
    if (options.reused) {
      EXPECT_THAT(output_, HasSubstr("Reuse SSH connections (root@10.0.0.5) [Number of connections: 3]"));
    }
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

/// Half a banner ends like a question, and so do addresses and titles.
TEST_P(KokoTransportTest, WhatIsTypedDoesNotAnswerACounterOrBannerThatIsCutInTheMiddle) {
  KokoOptions options;
  options.connecting = std::chrono::hours(1);
  times_.settled = milliseconds(100);
  times_.ping = milliseconds(200);  // So that the clock ticks.
  serve(options);
  connect(server_->ticket(server_->fresh_token()));
  ASSERT_TRUE(sees("Connecting to"));
  transport_->send("secret\r");
  for (const char* half : {"\r\nConnecting to root(root)@2001:", "db8::5  0.1\r\n",
                           "Reuse SSH connections (root@10.0.0.5) [Number of connections:", " 3]\r\n",
                           "\033]2;ssh:", "//root@10.0.0.5?\a"}) {
    koko().send_output(half);
    pass(milliseconds(300));
    EXPECT_FALSE(ready_) << half;
  }
  EXPECT_THAT(koko().violations, IsEmpty());
  koko().send_output("root(root)'s password: ");
  ASSERT_TRUE(
      wait([this] { return !koko().violations.empty(); }));  // This one is a question; this koko wants no answer.
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

// Of the tests in koko_bastion_test.cpp too.
INSTANTIATE_TEST_SUITE_P(Dialects, KokoTransportTest, testing::Values(KokoVersion::v4, KokoVersion::v5),
                         [](const auto& one) { return one.param == KokoVersion::v4 ? "V4" : "V5"; });

}  // namespace
}  // namespace transport::jumpserver
