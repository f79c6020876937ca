// What an opening costs, by the request log of the stand-in: how many requests wait for each other, what is kept for
// the next opening, and what happens when that is too old.
#include <fstream>

#include "tests/integration/jumpserver/jumpserver_fixture.h"

namespace jumpserver_test {
namespace {

using std::chrono::milliseconds;
using test_server::KokoOptions;
using test_server::KokoServer;
using test_server::KokoVersion;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kNodes = "/api/v1/perms/users/self/nodes/";
constexpr const char* kAssets = "/api/v1/perms/users/self/assets/";
constexpr const char* kMethods = "/api/v1/terminal/components/connect-methods/";
constexpr const char* kSettings = "/api/v1/settings/public/";
constexpr const char* kTokens = "/api/v1/authentication/connection-token/";

class RoundTrips : public JumpServerTest {
 protected:
  explicit RoundTrips(const KokoOptions& options = {}) {
    served_ = std::make_unique<ServedCore>(test_server::HttpServer::Options(), options);
    use_access_key();
    env_.set("JMS_COOKIE", core().open_web_session());
  }

  /// Opens it, and gives how many requests to core had to wait for each other. The handshake of the WebSocket is one
  /// more.
  int opening(const std::string& target = "jms://web-01") {
    core().log.clear();
    const auto result = run({"exec", target, "--", "echo on-$((40+2))"});
    EXPECT_EQ(result.out, "on-42\n") << result.err;
    EXPECT_EQ(result.code, 0);
    return core().log.in_a_row();
  }
  Json kept() const { return Json::parse(support::read_text(state("default.kept"))); }
  void write_kept(const Json& json) const { std::ofstream(state("default.kept")) << json; }
  /// As if so many seconds had passed since all of it was kept.
  void age(long seconds) {
    Json json = kept();
    for (auto& answer : json["answers"]) answer["at"] = answer["at"].get<long>() - seconds;
    write_kept(json);
  }
};

TEST_F(RoundTrips, TheSecondOpeningWithinTheMinuteWaitsForOneAnswerOfCore) {
  core().site.latency = milliseconds(150);
  EXPECT_EQ(opening(), 3) << core().log.text();
  EXPECT_EQ(core().log.entries().size(), 7u) << core().log.text();
  EXPECT_EQ(opening(), 1) << core().log.text();
  EXPECT_EQ(core().log.entries().size(), 2u) << core().log.text();
}

TEST_F(RoundTrips, WithTheSessionOfABrowserAloneItIsTwo) {
  env_.unset("JMS_ACCESS_KEY").unset("JMS_SECRET_KEY");
  core().site.latency = milliseconds(150);
  opening();
  EXPECT_LE(opening(), 2) << core().log.text();
}

TEST_F(RoundTrips, ByIdThereIsOneLess) {
  core().site.latency = milliseconds(150);
  EXPECT_EQ(opening("jms://" + core().assets[0].id), 2) << core().log.text();
}

TEST_F(RoundTrips, OtherAssetsWantOnlyWhatIsTheirs) {
  opening();
  opening("jms://root@web-02");
  EXPECT_EQ(core().count("GET", kNodes), 1);
  EXPECT_EQ(core().count("GET", kMethods), 1);
  EXPECT_EQ(core().count("GET", kSettings), 1);
  EXPECT_EQ(core().count("GET", kAssets), 4);
}

TEST_F(RoundTrips, AfterAMinuteTheAssetAndTheNodesAreAskedForAfterADayEverything) {
  opening();
  age(61);
  opening();
  EXPECT_EQ(core().count("GET", kAssets), 4);
  EXPECT_EQ(core().count("GET", kNodes), 2);
  EXPECT_EQ(core().count("GET", kMethods), 1);
  EXPECT_EQ(core().count("GET", kSettings), 1);
  age(24 * 3600 + 1);
  opening();
  EXPECT_EQ(core().count("GET", kMethods), 2);
  EXPECT_EQ(core().count("GET", kSettings), 2);
}

TEST_F(RoundTrips, AnAccountThatIsNewIsFoundThoughAnOldOneWasKept) {
  opening();
  core().site.accounts_changed = true;
  core().assets[0].accounts[0].id = "cccccccc-0000-4000-8000-0000000000aa";
  opening();
  ASSERT_THAT(core().tokens(), SizeIs(2));
  EXPECT_EQ(core().tokens().back().account, "cccccccc-0000-4000-8000-0000000000aa");
  core().assets[0].accounts.push_back({"cccccccc-0000-4000-8000-0000000000bb", "late", "late"});
  opening("jms://late@web-01");
  EXPECT_EQ(core().tokens().back().account, "cccccccc-0000-4000-8000-0000000000bb");
}

TEST_F(RoundTrips, WhatIsGoneIsToldAfterAskingOnce) {
  opening();
  core().site.accounts_changed = true;
  core().assets[0].accounts[0] = {"cccccccc-0000-4000-8000-0000000000cc", "other", "other"};
  const int asked = core().count("POST", kTokens);
  auto result = run({"exec", "--json", "jms://web-01", "--", "true"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, HasSubstr("the account root on web-01 is not permitted to you any more"));
  EXPECT_EQ(core().count("POST", kTokens), asked + 1);
  core().assets.erase(core().assets.begin());
  result = run({"exec", "--json", "jms://web-01", "--", "true"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, HasSubstr("is permitted to you"));
}

TEST_F(RoundTrips, AnAssetThatWasChangedMeanwhileIsNotOpenedByItsOldFacts) {
  opening();
  core().site.accounts_changed = true;
  core().assets[0].accounts[0].id = "cccccccc-0000-4000-8000-0000000000aa";
  core().assets[0].labels = {"env:prod"};
  const auto result = run({"exec", "jms://web-01", "--", "true"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("web-01 was changed in JumpServer a moment ago; open it again"));
  opening();
}

TEST_F(RoundTrips, AVerdictIsNotAskedForTwice) {
  opening();
  core().site.rejected = {"web-01"};
  const int asked = core().count("POST", kTokens);
  const auto result = run({"exec", "--json", "jms://web-01", "--", "true"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, HasSubstr("ACL action is reject: policy night"));
  EXPECT_EQ(core().count("POST", kTokens), asked + 1);
}

TEST_F(RoundTrips, ConnectMethodsThatTheSiteHasByNowAreAskedForBeforeSayingNo) {
  opening();
  Json json = kept();
  json["answers"]["methods"]["answer"] = Json::object();
  write_kept(json);
  opening();
  EXPECT_EQ(core().count("GET", kMethods), 2);
}

TEST_F(RoundTrips, AnotherSignInAsksForItself) {
  opening();
  core().log.clear();
  core().site.key_id = "0f6f2a0e-5c1b-4a8d-9e0c-000000000002";
  core().site.user = "bob";
  use_access_key();
  opening();
  EXPECT_EQ(core().log.entries().size(), 7u) << core().log.text();
}

TEST_F(RoundTrips, AFileThatIsDamagedCostsOnlyTheQuestions) {
  opening();
  std::ofstream(state("default.kept")) << R"({"owner":)";
  opening();
  EXPECT_EQ(core().log.entries().size(), 7u);
  std::filesystem::permissions(state("default.kept"), std::filesystem::perms::others_read,
                               std::filesystem::perm_options::add);
  opening();
  EXPECT_EQ(core().log.entries().size(), 7u);
}

TEST_F(RoundTrips, LogoutForgetsThem) {
  opening();
  ASSERT_TRUE(std::filesystem::exists(state("default.kept")));
  ASSERT_EQ(run({"logout"}).code, 0);
  EXPECT_FALSE(std::filesystem::exists(state("default.kept")));
}

TEST_F(RoundTrips, TheRulesOfHostsHoldForWhatIsKeptAndForNodesThatAreNew) {
  env_.home().write("config.toml",
                    "[[rules]]\naction = \"deny\"\ncommand = \"df *\"\nhost = \"node:/Default/Prod*\"\n");
  const auto ran_df = [this](const std::string& target) {
    served().with_koko([](KokoServer& koko) { koko.typed.clear(); });
    run({"--config", env_.home().file("config.toml"), "ask", "--provider", "offline", target, "why is the disk full?"});
    bool typed = false;
    served().with_koko([&](KokoServer& koko) {
      for (const auto& line : koko.typed) typed = typed || line.line.find("df ") != std::string::npos;
    });
    return typed;
  };
  for (int i = 0; i < 2; ++i) {
    EXPECT_TRUE(ran_df("jms://web-01"));
    EXPECT_FALSE(ran_df("jms://root@web-02"));
  }
  EXPECT_EQ(core().count("GET", kNodes), 1);
  core().nodes["bbbbbbbb-0000-4000-8000-000000000003"] = "/Default/Prod-2";
  core().assets[4].node_ids = {"bbbbbbbb-0000-4000-8000-000000000003"};
  core().assets[4].category = "host";
  EXPECT_FALSE(ran_df("jms://sw-01"));
  EXPECT_EQ(core().count("GET", kNodes), 2);
}

TEST_F(RoundTrips, NodesThatTheUserDoesNotSeeAreNotAskedForEachTime) {
  core().assets[0].node_ids = {"bbbbbbbb-0000-4000-8000-0000000000ee"};
  for (int i = 0; i < 3; ++i) opening();
  EXPECT_EQ(core().count("GET", kNodes), 1);
}

/// With an access key alone.
class ByKeyAlone : public RoundTrips {
 protected:
  explicit ByKeyAlone(KokoVersion version = KokoVersion::v4) : RoundTrips({.version = version}) {
    env_.unset("JMS_COOKIE");
  }
  int ticket_requests() {
    int count = 0;
    served().with_koko([&](KokoServer& koko) { count = koko.ticket_requests; });
    return count;
  }
};

class ByKeyAloneOnV5 : public ByKeyAlone {
 protected:
  ByKeyAloneOnV5() : ByKeyAlone(KokoVersion::v5) {}
};

TEST_F(ByKeyAlone, WhetherKokoGivesTicketsIsAskedOnce) {
  core().site.ssh_port = 1;
  for (int i = 0; i < 2; ++i) {
    const auto result = run({"exec", "jms://web-01", "--", "true"});
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.err,
                HasSubstr("jms: over SSH: no web session; `jms login --with web` opens the WebSocket, too\n"));
    EXPECT_THAT(result.err, HasSubstr("jms: the bastion's SSH port did not open: cannot connect to 127.0.0.1 port 1"));
  }
  EXPECT_EQ(ticket_requests(), 1);
  EXPECT_EQ(core().tokens().front().method, "ssh_client");
  ASSERT_EQ(run({"exec", "--via", "ssh", "jms://web-02", "--", "true"}).code, 1);
  EXPECT_EQ(ticket_requests(), 1);
}

TEST_F(ByKeyAlone, WhatSshCannotCarryIsSaid) {
  const auto result = run({"exec", "--json", "jms://db-01", "--", "select 1;"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out,
              HasSubstr("JumpServer carries mysql over the WebSocket only, not over SSH, so db-01 cannot be "
                        "opened: that wants a web session; sign in with `jms login --with web`"));
  EXPECT_THAT(core().tokens(), IsEmpty());
}

TEST_F(ByKeyAloneOnV5, TheWebSocketOpensWithAConnectTicket) {
  core().site.latency = milliseconds(150);
  EXPECT_EQ(opening(), 3) << core().log.text();
  EXPECT_EQ(opening(), 1) << core().log.text();
  // One to find out, and one for each opening.
  EXPECT_EQ(ticket_requests(), 3);
  served().with_koko([](KokoServer& koko) { EXPECT_EQ(koko.ticket_openings, 2); });
  const Json result = Json::parse(run({"exec", "--json", "jms://web-01", "--", "true"}).out);
  EXPECT_EQ(result["note"], "over the WebSocket with a connect ticket: there is no web session");
  EXPECT_EQ(core().tokens().back().method, "web_cli");
}

TEST_F(ByKeyAloneOnV5, ATokenWillDoToo) {
  env_.unset("JMS_ACCESS_KEY").unset("JMS_SECRET_KEY").set("JMS_TOKEN", core().site.private_token);
  opening();
  served().with_koko([](KokoServer& koko) { EXPECT_EQ(koko.ticket_openings, 1); });
}

}  // namespace
}  // namespace jumpserver_test
