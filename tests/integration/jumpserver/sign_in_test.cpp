#include <sys/stat.h>

#include "tests/integration/jumpserver/jumpserver_fixture.h"
#include "tests/support/temp_dir.h"

namespace jumpserver_test {
namespace {

using testing::HasSubstr;
using testing::Not;

using SignIn = JumpServerTest;

TEST_F(SignIn, WithUserAndPasswordOpensTheApiAndTheWebSocket) {
  const auto [code, output] =
      login({served().url()}, {{"User: ", "alice"}, {"alice's password: ", core().site.password}});
  EXPECT_EQ(code, 0) << output;
  EXPECT_THAT(output, HasSubstr("as alice (Alice A); opens assets over the WebSocket and SSH"));
  EXPECT_THAT(output, Not(HasSubstr(core().site.password)));
  struct stat info {};
  ASSERT_EQ(::stat(state("default.json").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
  EXPECT_THAT(support::read_text(state("default.json")), Not(HasSubstr(core().site.password)));
  const auto assets = run({"assets", "web-01"});
  EXPECT_EQ(assets.code, 0) << assets.err;
  EXPECT_THAT(assets.out, HasSubstr("web-01  10.0.0.5  Linux  /Default/Web"));
}

TEST_F(SignIn, AsksAgainForAWrongPasswordWithTheServersWords) {
  const auto [code, output] =
      login({served().url(), "--user", "alice"},
            {{"password: ", "wrong-one"}, {"password: ", ""}, {"password: ", core().site.password}});
  // The empty answer was the second attempt.
  EXPECT_EQ(code, 0) << output;
  EXPECT_THAT(output, HasSubstr("The username or password you entered is incorrect"));
  EXPECT_THAT(output, HasSubstr("try 6 times"));
}

TEST_F(SignIn, StopsAtALockedAccount) {
  core().site.failures_until_lock = 1;
  const auto [code, output] = login({served().url(), "--user", "alice"}, {{"password: ", "wrong-one"}});
  EXPECT_EQ(code, 1);
  EXPECT_THAT(output, HasSubstr("has been locked"));
  EXPECT_FALSE(std::filesystem::exists(state("default.json")));
}

TEST_F(SignIn, AsksForTheOneTimeCodeWithoutShowingIt) {
  core().site.mfa = {"otp"};
  const auto [code, output] =
      login({served().url(), "--user", "alice"}, {{"password: ", core().site.password},
                                                  {"one-time code (authenticator app): ", "000000"},
                                                  {"(authenticator app): ", ""},
                                                  {"(authenticator app): ", core().site.otp}});
  EXPECT_EQ(code, 0) << output;
  EXPECT_THAT(output, HasSubstr("was not accepted: OTP code invalid"));
  EXPECT_THAT(output, Not(HasSubstr(core().site.otp)));
  // One code for everything: the session in which it was given becomes the web session, and lasts.
  EXPECT_THAT(output, HasSubstr("opens assets over the WebSocket and SSH"));
  EXPECT_EQ(core().count("POST", "/core/auth/login/"), 0);
  EXPECT_EQ(core().short_lived_sessions(), 0);
  EXPECT_EQ(run({"assets"}).code, 0);
}

TEST_F(SignIn, LetsTheOperatorChooseTheSecondFactorAndHasTheCodeSent) {
  core().site.mfa = {"otp", "sms", "face"};
  core().site.codes_as_code = true;
  const auto [code, output] =
      login({served().url(), "--user", "alice"},
            {{"password: ", core().site.password}, {"2) code by SMS", "2"}, {"code by SMS: ", core().site.sms}});
  EXPECT_EQ(code, 0) << output;
  EXPECT_THAT(output, Not(HasSubstr("face")));
}

TEST_F(SignIn, SaysWhenOnlyABrowserHasTheSecondFactor) {
  core().site.mfa = {"face", "passkey"};
  const auto [code, output] = login({served().url(), "--user", "alice"}, {{"password: ", core().site.password}});
  EXPECT_EQ(code, 1);
  EXPECT_THAT(output, HasSubstr("only a browser can give"));
}

TEST_F(SignIn, WaitsForAReviewerAndTellsHowLong) {
  core().site.login_review = true;
  const auto program = at_terminal({"login", served().url(), "--user", "alice"});
  ASSERT_TRUE(program->wait_for("password: "));
  program->send(core().site.password + "\r");
  EXPECT_TRUE(program->wait_for("waiting for a reviewer to let you in: 0 s"));
  const auto ending = program->wait_for_exit(std::chrono::milliseconds(20'000));
  ASSERT_TRUE(ending);
  EXPECT_EQ(ending->code, 0) << program->output();
}

TEST_F(SignIn, TellsAReviewersNo) {
  core().site.login_review = true;
  core().site.reviewer_says_yes = false;
  const auto [code, output] = login({served().url(), "--user", "alice"}, {{"password: ", core().site.password}});
  EXPECT_EQ(code, 1);
  EXPECT_THAT(output, HasSubstr("Login confirm ticket was rejected"));
}

TEST_F(SignIn, CtrlCGivesUpTheWaitingForAReviewer) {
  core().site.login_review = true;
  core().site.polls_until_decision = 1000;
  const auto program = at_terminal({"login", served().url(), "--user", "alice"});
  ASSERT_TRUE(program->wait_for("password: "));
  program->send(core().site.password + "\r");
  ASSERT_TRUE(program->wait_for("waiting for a reviewer"));
  program->send("\x03");
  const auto ending = program->wait_for_exit();
  ASSERT_TRUE(ending) << program->output();
  EXPECT_EQ(ending->code, 130);
  EXPECT_EQ(core().count("DELETE", "/api/v1/authentication/login-confirm-ticket/status/"), 1) << "withdrawn";
  EXPECT_EQ(core().open_reviews(), 0);
}

TEST_F(SignIn, AsksForACodeAndAReviewerOnceForTokenAndWebSession) {
  core().site.mfa = {"otp"};
  core().site.login_review = true;
  const auto [code, output] = login({served().url(), "--user", "alice"},
                                    {{"password: ", core().site.password}, {"(authenticator app): ", core().site.otp}});
  EXPECT_EQ(code, 0) << output;
  EXPECT_THAT(output, HasSubstr("opens assets over the WebSocket and SSH"));
  EXPECT_EQ(core().open_reviews(), 0) << "a second reviewer was asked";
  EXPECT_EQ(run({"assets"}).code, 0);
}

TEST_F(SignIn, ThroughTheWebFormGivesASessionThatDoesEverything) {
  core().site.cookie_prefix = "corp_";
  core().site.mfa = {"otp", "sms"};
  const auto [code, output] =
      login({served().url(), "--user", "alice", "--with", "web"},
            {{"password: ", core().site.password}, {"Which one [1]: ", ""}, {"app): ", core().site.otp}});
  EXPECT_EQ(code, 0) << output;
  EXPECT_EQ(core().count("POST", "/api/v1/authentication/tokens/"), 0);
  EXPECT_EQ(run({"assets"}).code, 0);
}

TEST_F(SignIn, WithAnAccessKeySignsEveryRequest) {
  const auto [code, output] = login({served().url(), "--with", "key"},
                                    {{"Access key: ", core().site.key_id}, {"Secret key: ", core().site.secret}});
  EXPECT_EQ(code, 0) << output;
  EXPECT_THAT(output, Not(HasSubstr(core().site.secret)));
  EXPECT_THAT(output, HasSubstr("opens assets over SSH (a one-time token); the WebSocket wants a web session"));
  EXPECT_EQ(run({"assets", "web|db, 01"}).code, 0);
}

TEST_F(SignIn, WithAWrongKeyKeepsNothing) {
  const auto [code, output] = login({served().url(), "--with", "key"},
                                    {{"Access key: ", core().site.key_id}, {"Secret key: ", "not-the-secret"}});
  EXPECT_EQ(code, 1);
  EXPECT_THAT(output, HasSubstr("Invalid signature."));
  EXPECT_FALSE(std::filesystem::exists(state("default.json")));
}

TEST_F(SignIn, WithATokenOrABrowsersCookie) {
  auto outcome = login({served().url(), "--with", "token"}, {{"Token: ", core().site.private_token}});
  EXPECT_EQ(outcome.first, 0) << outcome.second;
  EXPECT_EQ(run({"assets"}).code, 0);
  outcome = login({served().url(), "--with", "cookie"}, {{"jms_sessionid: ", core().open_web_session()}});
  EXPECT_EQ(outcome.first, 0) << outcome.second;
  EXPECT_EQ(run({"assets"}).code, 0);
  // As a browser's tools give it, whatever the site calls it.
  core().site.cookie_prefix = "corp_";
  outcome = login({served().url(), "--with", "cookie"},
                  {{"jms_sessionid: ", "x=1; corp_sessionid=" + core().open_web_session() + "; corp_csrftoken=y"}});
  EXPECT_EQ(outcome.first, 0) << outcome.second;
  EXPECT_EQ(run({"assets"}).code, 0);
}

TEST_F(SignIn, WithoutATerminalSaysSo) {
  const auto result = run({"login", served().url()});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err,
              HasSubstr("the sign-in needs a user (`user` in [jumpserver]), and there is no terminal to ask on"));
}

TEST_F(SignIn, TakesTheEnvironmentsCredentials) {
  env_.set("JMS_SERVER", served().url());
  EXPECT_THAT(run({"assets"}).err, HasSubstr("sign in again with `jms login`"));
  env_.set("JMS_TOKEN", core().site.private_token);
  EXPECT_EQ(run({"assets"}).code, 0);
  env_.unset("JMS_TOKEN").set("JMS_COOKIE", core().open_web_session());
  EXPECT_EQ(run({"assets"}).code, 0);
  env_.unset("JMS_COOKIE");
  use_access_key();
  EXPECT_EQ(run({"assets"}).code, 0);
}

TEST_F(SignIn, ThatHasEndedIsToldAsSuch) {
  sign_in();
  core().end_bearer_tokens();
  // The web session is still good, and takes over.
  EXPECT_EQ(run({"assets"}).code, 0);
  core().end_web_sessions();
  const auto result = run({"assets"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("sign in again with `jms login`"));
}

TEST_F(SignIn, IsForgottenByLogout) {
  sign_in();
  EXPECT_EQ(run({"assets"}).code, 0);
  EXPECT_THAT(run({"logout"}).out, HasSubstr("forgotten"));
  EXPECT_TRUE(std::filesystem::is_empty(state("")));
  EXPECT_THAT(run({"assets"}).err, HasSubstr("jms login SERVER"));
  EXPECT_THAT(run({"logout"}).out, HasSubstr("there was no sign-in"));
}

TEST_F(SignIn, IsKeptPerProfileAndSentToItsOwnServerOnly) {
  sign_in();
  ServedCore lab;
  lab.core.site.user = "bob";
  const auto [code, output] =
      login({lab.url(), "--profile", "lab", "--user", "bob"}, {{"password: ", lab.core.site.password}});
  EXPECT_EQ(code, 0) << output;
  // Credentials of the environment belong to the server it names.
  env_.set("JMS_SERVER", served().url()).set("JMS_TOKEN", core().site.private_token);
  const auto before = lab.core.requests().size();
  EXPECT_EQ(run({"assets", "--profile", "lab"}).code, 0);
  for (std::size_t i = before; i < lab.core.requests().size(); ++i)
    EXPECT_THAT(lab.core.requests()[i].headers.at("authorization"), Not(HasSubstr(core().site.private_token)));
  EXPECT_THAT(run({"assets", "--profile", "nowhere"}).err, HasSubstr("no JumpServer profile `nowhere`"));
  EXPECT_THAT(lab.violations(), testing::IsEmpty());
}

TEST_F(SignIn, ComesFromTheConfigThroughCommandsAndFiles) {
  const std::string secret = env_.home().write("secret", core().site.secret + "\n");
  ::chmod(secret.c_str(), 0600);
  env_.write_config("[jumpserver]\nserver = \"" + served().url() + "\"\naccess_key = \"" + core().site.key_id +
                    "\"\nsecret_key_file = \"" + secret + "\"\n[[jumpserver.profiles]]\nname = \"other\"\nserver = \"" +
                    served().url() + "\"\ntoken_command = \"echo " + core().site.private_token + "\"\n");
  EXPECT_EQ(run({"assets"}).code, 0);
  EXPECT_EQ(run({"assets", "--profile", "other"}).code, 0);
  ::chmod(secret.c_str(), 0644);
  EXPECT_THAT(run({"assets"}).err, HasSubstr("chmod 600"));
}

TEST_F(SignIn, RefusesSecretsInTheConfigItself) {
  env_.write_config("[jumpserver]\nserver = \"https://jump.test\"\ntoken = \"abc\"\n");
  const auto result = run({"assets"});
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.err, HasSubstr("config.toml:3: `jumpserver.token` does not belong into this file"));
}

TEST_F(SignIn, FileThatOthersCanReadIsRefused) {
  sign_in();
  ::chmod(state("default.json").c_str(), 0640);
  const auto result = run({"assets"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("chmod 600"));
}

}  // namespace
}  // namespace jumpserver_test
