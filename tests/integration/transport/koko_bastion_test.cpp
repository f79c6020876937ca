// What koko decides over a terminal's head: refusals, clocks, administrators.
#include <gmock/gmock.h>

#include <thread>

#include "tests/integration/transport/koko_transport_fixture.h"

namespace transport::jumpserver {
namespace {

using std::chrono::milliseconds;
using test_server::KokoOptions;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_P(KokoTransportTest, AUsedTokenIsRefused) {
  ASSERT_TRUE(open());
  const std::string used = "token-1";
  connect(server_->ticket(used));
  ASSERT_TRUE(wait([this] { return closed_.has_value(); }));
  EXPECT_EQ(closed_->kind, Closed::Kind::lost);
  EXPECT_THAT(closed_->reason, HasSubstr("Connection token expired"));
  connect(server_->ticket("unknown"));
  ASSERT_TRUE(wait([this] { return closed_.has_value(); }));
  EXPECT_THAT(closed_->reason, HasSubstr("ConnectionToken object does not exist"));
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
  EXPECT_THAT(output_,
              HasSubstr("\b\b\b0.2\r\nConnecting to root(root)@10.0.0.5 error: dial tcp 10.0.0.5:22: i/o timeout\r\n"));
  EXPECT_EQ(closed_->reason, "the bastion could not reach the host: dial tcp 10.0.0.5:22: i/o timeout");
  EXPECT_FALSE(ready_);
  ASSERT_TRUE(wait([this] { return !koko().ends.empty(); }));
  EXPECT_EQ(koko().ends[0].code, 1000);
  EXPECT_THAT(koko().running(), IsEmpty());
  EXPECT_FALSE(koko().session_list().at(0).success);
}

TEST_P(KokoTransportTest, ASessionIsListedAsRunningUntilItsShellEnds) {
  ASSERT_TRUE(open());
  EXPECT_THAT(koko().running(), testing::SizeIs(1));
  EXPECT_EQ(koko().session_list()[0].asset, "web-01(10.0.0.5)");
  transport_->send("exit\r");
  ASSERT_TRUE(wait([this] { return closed_.has_value(); }));
  EXPECT_THAT(koko().running(), IsEmpty());
  ASSERT_TRUE(wait([this] { return !koko().ends.empty(); }));
  EXPECT_EQ(koko().ends[0].code, 1000);
}

TEST_P(KokoTransportTest, ABastionThatCannotBeReachedIsNotTakenForTheAsset) {
  serve();
  const auto ticket = server_->ticket(server_->fresh_token());
  server_.reset();
  connect(ticket);
  ASSERT_TRUE(wait([this] { return closed_.has_value(); }));
  EXPECT_THAT(closed_->reason, HasSubstr("jms could not reach the bastion: "));
}

TEST_P(KokoTransportTest, PingsKeepTheServerFromHangingUp) {
  times_.ping = milliseconds(60);
  KokoOptions options;
  options.read_deadline = milliseconds(2000);
  options.ping_check = milliseconds(100);
  options.ping_quiet = milliseconds(50);
  serve(options);
  ASSERT_TRUE(open());
  pass(milliseconds(3000));
  EXPECT_FALSE(closed_);
  EXPECT_THAT(koko().received, Contains("PING"));
  EXPECT_THAT(koko().violations, IsEmpty());
  EXPECT_THAT(koko().input, IsEmpty());  // Nothing was typed to stay alive.
}

TEST_P(KokoTransportTest, IdlenessIsToldBeforeTheBastionActsAndNamedAfterwards) {
  times_.idle_limit = milliseconds(2500);
  times_.idle_warning = milliseconds(2300);
  times_.ping = milliseconds(50);
  KokoOptions options;
  options.idle_limit = milliseconds(2500);
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
  times_.longest = milliseconds(2500);
  times_.longest_warning = milliseconds(2300);
  times_.ping = milliseconds(50);
  KokoOptions options;
  options.longest = milliseconds(2700);
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

TEST_P(KokoTransportTest, AStandstillOfOurOwnIsNotTakenForTheServersDeath) {
  times_.ping = milliseconds(50);
  times_.probe = milliseconds(100);
  times_.dead = milliseconds(400);
  ASSERT_TRUE(open());
  std::this_thread::sleep_for(2 * times_.dead);  // As of a stopped job: nothing is read, nothing is sent.
  transport_->send("echo still-$((6*7))\r");
  EXPECT_TRUE(sees("still-42")) << (closed_ ? closed_->reason : output_);
}

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

}  // namespace
}  // namespace transport::jumpserver
