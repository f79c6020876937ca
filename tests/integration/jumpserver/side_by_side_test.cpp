// Several requests of one client at the same time: each has its answer, and what one learns holds for all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "event/event_loop.h"
#include "event/fiber.h"
#include "tests/support/core_server.h"
#include "transport/jumpserver/core_client.h"

namespace jumpserver_test {
namespace {

using std::chrono::milliseconds;
using transport::jumpserver::Call;
using transport::jumpserver::CoreClient;
using transport::jumpserver::CoreError;
using transport::jumpserver::CoreResult;
using transport::jumpserver::Json;

class SideBySide : public testing::Test {
 protected:
  SideBySide() {
    settings_.credentials.server = server_.url();
    settings_.credentials.key = {core_.site.key_id, core_.site.secret};
  }

  /// Asks for all of it in a fiber; after `meanwhile`, when that is given.
  std::vector<CoreResult<Json>> ask(const std::vector<Call>& calls,
                                    const std::function<void(event::Fiber&)>& meanwhile = {}) {
    CoreClient client(loop_, settings_);
    transport::NobodyToAsk nobody;
    transport::ConnectionSetup setup(loop_, nobody, {});
    std::vector<CoreResult<Json>> answers;
    bool done = false;
    event::Fiber fiber(loop_, [&] {
      answers = client.together(setup, calls);
      done = true;
    });
    setup.set_fiber(&fiber);
    fiber.wake();
    if (meanwhile) {
      loop_.run_until([&] { return core_.requests().size() == calls.size(); }, milliseconds(10'000));
      meanwhile(fiber);
    }
    EXPECT_TRUE(loop_.run_until([&] { return done; }, milliseconds(10'000)));
    return answers;
  }

  static Call get(const std::string& path) { return {.path = "/api/v1/" + path}; }

  event::EventLoop loop_;
  test_server::CoreServer core_ = test_server::CoreServer::with_usual_assets();
  test_server::HttpServer server_{loop_,
                                  [this](const test_server::HttpRequest& request) { return core_.handle(request); }};
  CoreClient::Settings settings_;
};

TEST_F(SideBySide, EachHasItsOwnAnswerInTheirOrder) {
  core_.site.latency = milliseconds(100);
  core_.site.no_rights = {"settings/public/"};
  const auto answers =
      ask({get("users/profile/"), get("settings/public/"), get("perms/users/self/nodes/"), get("users/profile/")});
  ASSERT_EQ(answers.size(), 4u);
  EXPECT_EQ((*answers[0])["username"], "alice");
  EXPECT_EQ(answers[1].error().kind, CoreError::Kind::forbidden);
  EXPECT_EQ(answers[2]->size(), 2u);
  EXPECT_EQ((*answers[3])["username"], "alice");
  EXPECT_EQ(core_.log.in_a_row(), 1) << core_.log.text();
  EXPECT_TRUE(ask({}).empty());
}

TEST_F(SideBySide, ACredentialThatIsRefusedIsDroppedOnceForAll) {
  settings_.credentials.key.secret = "wrong";
  settings_.credentials.token = {"Token", core_.site.private_token};
  settings_.credentials.web.id = core_.open_web_session();
  for (const auto& answer : ask({get("users/profile/"), get("settings/public/"), get("perms/users/self/nodes/")}))
    EXPECT_TRUE(answer) << answer.error().message;
  for (const auto& request : core_.requests()) EXPECT_FALSE(request.headers.contains("cookie"));
}

TEST_F(SideBySide, AChangeByWebSessionFetchesItsCsrfTokenMeanwhile) {
  settings_.credentials.key = {};
  settings_.credentials.web.id = core_.open_web_session();
  const auto answers =
      ask({{.method = "POST", .path = "/api/v1/authentication/connection-token/exchange/", .body = {{"id", "none"}}},
           get("settings/public/")});
  EXPECT_EQ(answers[0].error().kind, CoreError::Kind::not_found);
  EXPECT_TRUE(answers[1]);
  EXPECT_THAT(core_.violations(), testing::IsEmpty());
}

TEST_F(SideBySide, ASignInThatHasEndedIsToldForAllOfThem) {
  settings_.credentials.key.secret = "wrong";
  for (const auto& answer : ask({get("users/profile/"), get("settings/public/")}))
    EXPECT_EQ(answer.error().kind, CoreError::Kind::signed_out);
}

TEST_F(SideBySide, GivingUpEndsThemAll) {
  core_.site.latency = std::chrono::hours(1);
  const auto answers =
      ask({get("users/profile/"), get("settings/public/")}, [](event::Fiber& fiber) { fiber.cancel(); });
  ASSERT_EQ(answers.size(), 2u);
  for (const auto& answer : answers) EXPECT_EQ(answer.error().kind, CoreError::Kind::cancelled);
}

}  // namespace
}  // namespace jumpserver_test
