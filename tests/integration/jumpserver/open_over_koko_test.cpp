// The real binary against a whole JumpServer: assets opened over koko's WebSocket, in both dialects.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "tests/integration/jumpserver/jms_program.h"
#include "tests/support/jumpserver.h"

namespace jumpserver_test {
namespace {

using test_server::JumpServer;
using test_server::KokoFilter;
using test_server::KokoOptions;
using test_server::KokoVersion;
using test_server::ServedJumpServer;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class OverKoko : public testing::TestWithParam<KokoVersion>, protected JmsProgram {
 protected:
  using Json = nlohmann::json;

  OverKoko() {
    KokoOptions options;
    options.version = GetParam();
    options.filters = {{"forbidden-thing", KokoFilter::Action::reject},
                       {"reviewed-thing", KokoFilter::Action::review},
                       {"risky-thing", KokoFilter::Action::notify_and_warn}};
    server_ = std::make_unique<ServedJumpServer>(options);
    env_.set("JMS_SERVER", server_->url());
    server_->with([this](JumpServer& site) { env_.set("JMS_COOKIE", site.core.open_web_session()); });
  }

  /// How often the bastion's record holds a command.
  int recorded(const std::string& command) {
    int found = 0;
    server_->with([&](JumpServer& site) {
      for (const auto& line : site.koko.typed) found += line.line.find(command) != std::string::npos;
    });
    return found;
  }

  std::unique_ptr<ServedJumpServer> server_;
};

TEST_P(OverKoko, ACommandRunsOnTheAssetAndIsRecordedOnceInClear) {
  const auto result = run({"exec", "--via", "ws", "jms://web-01", "--", "echo on-$((40+2)); sh -c 'exit 3'"});
  EXPECT_EQ(result.out, "on-42\n") << result.err;
  EXPECT_EQ(result.code, 3);
  EXPECT_EQ(recorded("echo on-$((40+2)); sh -c 'exit 3'"), 1);
  EXPECT_THAT(server_->violations(), IsEmpty());
}

TEST_P(OverKoko, EveryVerdictIsAStatus) {
  const auto result = run({"exec", "--via", "ws", "jms://web-01", "--batch"},
                          "{\"command\":\"echo fine\"}\n{\"command\":\"echo forbidden-thing\"}\n"
                          "{\"command\":\"echo reviewed-thing\"}\n{\"command\":\"echo risky-thing\"}\n"
                          "{\"command\":\"echo still\"}\n");
  std::vector<std::string> statuses;
  for (std::size_t at = 0; at < result.out.size();) {
    const std::size_t end = std::min(result.out.find('\n', at), result.out.size());
    statuses.push_back(Json::parse(result.out.substr(at, end - at)).value("status", ""));
    at = end + 1;
  }
  EXPECT_EQ(statuses, (Words{"done", "rejected", "waiting_review", "needs_input", "done"})) << result.out << result.err;
  for (const char* command : {"forbidden-thing", "reviewed-thing", "risky-thing"}) EXPECT_EQ(recorded(command), 1);
  EXPECT_THAT(server_->violations(), IsEmpty());
}

TEST_P(OverKoko, AnExpiredSignInIsToldAtOnce) {
  env_.set("JMS_COOKIE", "stale");
  const auto result = run({"exec", "--via", "ws", "jms://web-01", "--", "true"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, testing::AnyOf(HasSubstr("sign in"), HasSubstr("jms login"))) << result.out;
  EXPECT_THAT(result.err, Not(HasSubstr("stale")));
}

TEST_P(OverKoko, AtATerminalEventsAreTellingLinesAndALostSessionIsOpenedAnew) {
  const auto jms = at_terminal({"--via", "ws", "jms://web-01"});
  ASSERT_TRUE(jms->wait_for("$ ")) << jms->output();
  EXPECT_THAT(jms->output(), HasSubstr("connected to web-01(10.0.0.5) as root(root)"));
  jms->send("stty size\r");
  ASSERT_TRUE(jms->wait_for("24 100")) << jms->output();
  jms->resize({30, 90});
  ASSERT_TRUE(server_->wait([](JumpServer& site) { return site.koko.size_seen() == "30 90"; }));
  server_->with([](JumpServer& site) { site.koko.lock("Root Admin"); });
  ASSERT_TRUE(jms->wait_for("locked by Root Admin")) << jms->output();
  server_->with([](JumpServer& site) { site.koko.unlock("Root Admin"); });
  ASSERT_TRUE(jms->wait_for("unlocked by Root Admin"));

  server_->with([](JumpServer& site) { site.koko.terminate("Root Admin"); });
  ASSERT_TRUE(jms->wait_for("press r to reconnect (a new shell")) << jms->output();
  EXPECT_THAT(jms->output(), HasSubstr("an administrator ended the session"));
  jms->send("r");
  ASSERT_TRUE(server_->wait([](JumpServer& site) { return site.koko.sessions() == 2; })) << jms->output();
  server_->with([](JumpServer& site) {
    EXPECT_EQ(site.core.count("POST", "/api/v1/authentication/connection-token/exchange/"), 1);
  });
  jms->send("echo new\"\"-shell\r");
  ASSERT_TRUE(jms->wait_for("new-shell\r\n")) << jms->output();
  jms->send("exit\r");
  const auto ending = jms->wait_for_exit();
  ASSERT_TRUE(ending) << jms->output();
  EXPECT_EQ(ending->code, 0);
  EXPECT_THAT(server_->violations(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Dialects, OverKoko, testing::Values(KokoVersion::v4, KokoVersion::v5),
                         [](const auto& one) { return one.param == KokoVersion::v4 ? "V4" : "V5"; });

}  // namespace
}  // namespace jumpserver_test
