#include <chrono>

#include "tests/integration/jumpserver/jumpserver_fixture.h"
#include "tests/support/test_ca.h"

namespace jumpserver_test {
namespace {

using testing::HasSubstr;
using testing::Not;

using Assets = JumpServerTest;

TEST_F(Assets, AreListedWithPlatformNodesAndLabels) {
  use_access_key();
  const auto result = run({"assets"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("web-02  10.0.0.6  Linux   /Default/Web,/Default/Prod  env=prod\n"));
  EXPECT_THAT(result.out, HasSubstr("sw-01   10.0.1.1  Huawei\n"));
}

TEST_F(Assets, AreJsonLinesForScripts) {
  use_access_key();
  const auto lines = json_lines(run({"assets", "web", "--json"}).out);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1]["name"], "web-02");
  EXPECT_EQ(lines[1]["nodes"], Json({"/Default/Web", "/Default/Prod"}));
  EXPECT_EQ(lines[1]["labels"], Json::array({"env=prod"}));
  EXPECT_EQ(lines[1]["category"], "host");
}

TEST_F(Assets, AreFilteredByCategoryAndNode) {
  use_access_key();
  EXPECT_EQ(json_lines(run({"assets", "--category", "database", "--json"}).out).size(), 1u);
  EXPECT_EQ(json_lines(run({"assets", "--node", "/Default/Prod", "--json"}).out).size(), 1u);
  EXPECT_EQ(json_lines(run({"assets", "--limit", "3", "--json"}).out).size(), 3u);
}

TEST_F(Assets, ShowTheirAccountsAndProtocols) {
  use_access_key();
  const auto result = run({"assets", "web-02", "--accounts"});
  EXPECT_THAT(result.out, HasSubstr("protocols: ssh,sftp\n"));
  EXPECT_THAT(result.out, HasSubstr("account: root\n"));
  EXPECT_THAT(result.out, HasSubstr("account: deploy account (deploy)\n"));
}

TEST_F(Assets, OfThousandsStayQuickAndAreKeptForThePicker) {
  use_access_key();
  core().assets.resize(1);
  for (int i = 1; i < 6000; ++i) {
    core().assets.push_back(core().assets.front());
    core().assets.back().id += std::to_string(i);
    core().assets.back().name = "host-" + std::to_string(i);
  }
  const auto before = std::chrono::steady_clock::now();
  const auto result = run({"assets", "--json"});
  const auto took = std::chrono::steady_clock::now() - before;
  EXPECT_EQ(json_lines(result.out).size(), 6000u);
  EXPECT_LT(took, std::chrono::seconds(20));
  RecordProperty("list_ms", static_cast<int>(std::chrono::duration_cast<std::chrono::milliseconds>(took).count()));
  EXPECT_EQ(core().count("GET", "/api/v1/perms/users/self/assets/"), 12);
  // From the disk, and without the server.
  const auto asked = core().requests().size();
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(json_lines(run({"assets", "HOST-599", "--cached", "--json"}).out).size(), 11u);
  RecordProperty(
      "cached_ms",
      static_cast<int>(
          std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begin).count()));
  EXPECT_EQ(core().requests().size(), asked);
}

TEST_F(Assets, NamesOfAServerCannotDrawOnTheTerminal) {
  use_access_key();
  core().assets.front().name = "web\x1b[31m\r\nforged";
  const auto result = run({"assets"});
  EXPECT_THAT(result.out, Not(HasSubstr("\x1b")));
  EXPECT_THAT(result.out, HasSubstr("web [31m forged"));
}

TEST_F(Assets, RefusalsSayWhatToDo) {
  use_access_key();
  core().site.no_rights = {"perms/users/self/assets/"};
  auto result = run({"assets"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("You do not have permission to perform this action."));
  EXPECT_THAT(result.err, HasSubstr("ask the administrator"));
  core().site.no_rights.clear();
  core().site.throttle_paths = "/api/v1/perms/";
  EXPECT_THAT(run({"assets"}).err, HasSubstr("asked too often"));
}

TEST_F(Assets, AShortWishToWaitIsHeeded) {
  use_access_key();
  core().site.throttle_paths = "/api/v1/perms/";
  core().site.throttle_times = 3;
  core().site.retry_after = "1";
  const auto result = run({"assets"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("web-01"));
}

TEST_F(Assets, AnswersThatAreNotJumpServersAreExplained) {
  use_access_key();
  const auto says = [&](int status, const std::string& body) {
    core().site.broken = status;
    core().site.broken_body = body;
    const auto result = run({"assets"});
    EXPECT_EQ(result.code, 1);
    return result.err;
  };
  EXPECT_THAT(says(502, "<html><title>502 Bad Gateway</title></html>"),
              HasSubstr("502: 502 Bad Gateway; JumpServer is starting, in maintenance"));
  EXPECT_THAT(says(403, "<html><title>Blocked by WAF</title></html>"),
              HasSubstr("403: Blocked by WAF; that is not JumpServer's word"));
  EXPECT_THAT(says(404, "<html><title>404</title></html>"), HasSubstr("is that the address of a JumpServer?"));
  EXPECT_THAT(says(200, "<html><title>Welcome to nginx!</title></html>"),
              HasSubstr("is that the address of a JumpServer?"));
  EXPECT_THAT(says(500, "<html><title>Server Error</title></html>"), HasSubstr("tell the administrator"));
  core().site.broken = 0;
  core().site.redirect_all = "/core/auth/login/?next=/";
  EXPECT_THAT(run({"assets"}).err, HasSubstr("sign in again"));
  core().site.redirect_all = "https://other.example.test/";
  EXPECT_THAT(run({"assets"}).err, HasSubstr("redirects to other.example.test; credentials do not follow"));
}

TEST_F(Assets, AServerThatIsNotThereIsNamed) {
  env_.set("JMS_SERVER", "https://127.0.0.1:1").set("JMS_TOKEN", "0123456789abcdef0123456789abcdef01234567");
  const auto result = run({"assets"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("cannot connect to 127.0.0.1:1"));
  env_.set("JMS_SERVER", "http://jump.example.test");
  EXPECT_THAT(run({"assets"}).err, HasSubstr("would send credentials in clear"));
}

TEST_F(Assets, OverTlsWithACompanysOwnAuthority) {
  const test_server::TestCa ca, other;
  served_ =
      std::make_unique<ServedCore>(test_server::HttpServer::Options{.certificate = ca.certificate(), .key = ca.key()});
  use_access_key();
  const auto refused = run({"assets"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr("is not trusted"));
  EXPECT_THAT(refused.err, HasSubstr("JMS_CA_FILE"));
  env_.set("JMS_CA_FILE", other.ca_file());
  EXPECT_THAT(run({"assets"}).err, HasSubstr("is not trusted"));
  env_.set("JMS_CA_FILE", ca.ca_file());
  EXPECT_EQ(run({"assets"}).code, 0);
  EXPECT_THAT(run({"login", "--profile", "x"}).err, HasSubstr("name the server"));
  // The form over https wants a Referer; the imitation looks.
  const auto [code, output] =
      login({served().url(), "--user", "alice", "--with", "web"}, {{"password: ", core().site.password}});
  EXPECT_EQ(code, 0) << output;
}

TEST_F(Assets, ThroughTheProxyOfTheEnvironment) {
  const test_server::TestCa ca;
  served_ = std::make_unique<ServedCore>(
      test_server::HttpServer::Options{.certificate = ca.certificate(), .key = ca.key(), .proxy = true});
  const std::string proxy = served().url();
  use_access_key();
  env_.set("JMS_SERVER", "https://model.test").set("JMS_CA_FILE", ca.ca_file()).set("https_proxy", proxy);
  const auto result = run({"assets"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_TRUE(served().proxied());
}

TEST_F(Assets, DoctorLooksAtTheServerToo) {
  use_access_key();
  EXPECT_THAT(run({"doctor"}).out, HasSubstr("ok   jumpserver 127.0.0.1"));
  env_.set("JMS_SECRET_KEY", "wrong-secret");
  const auto result = run({"doctor"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.out, HasSubstr("FIX  jumpserver"));
  EXPECT_THAT(result.out, HasSubstr("sign in again"));
}

}  // namespace
}  // namespace jumpserver_test
