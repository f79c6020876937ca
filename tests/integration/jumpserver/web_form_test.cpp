// Signing in through the pages that a browser would show.
#include "tests/integration/jumpserver/jumpserver_fixture.h"
#include "tests/support/temp_dir.h"

namespace jumpserver_test {
namespace {

using testing::HasSubstr;
using testing::Not;
using Dialogue = std::vector<std::pair<std::string, std::string>>;

class WebForm : public JumpServerTest {
 protected:
  std::pair<int, std::string> through_form(const Dialogue& dialogue) {
    return login({served().url(), "--user", "alice", "--with", "web"}, dialogue);
  }
  /// With everything in the config and nobody at a terminal.
  support::CommandOutput headless(const Words& more = {}, const std::string& config = {}) {
    env_.write_config("[jumpserver]\nserver = \"" + served().url() +
                      "\"\nuser = \"alice\"\npassword_command = \"echo " + core().site.password + "\"\n" + config);
    Words arguments = {"login"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run(arguments);
  }
};

TEST_F(WebForm, WithTheWordCaptchaInItsStylesAsksForNone) {
  const auto [code, output] = through_form({{"password: ", core().site.password}});
  EXPECT_EQ(code, 0) << output;
  EXPECT_THAT(output, HasSubstr("opens assets over the WebSocket and SSH"));
  EXPECT_EQ(core().count("POST", "/api/v1/authentication/tokens/"), 0);
  EXPECT_EQ(run({"assets"}).code, 0);
}

TEST_F(WebForm, AsksForTheCaptchaThatAWrongPasswordBrings) {
  const auto [code, output] = through_form({{"password: ", "wrong-one"},
                                            {"password: ", core().site.password},
                                            {"the result it asks for: ", "7+4=12"},
                                            {"the result it asks for: ", core().site.captcha_says}});
  EXPECT_EQ(code, 0) << output;
  EXPECT_THAT(output, HasSubstr("refused: The username or password you entered is incorrect"));
  EXPECT_THAT(output, HasSubstr("asks for a captcha"));
  EXPECT_THAT(output,
              HasSubstr("Look at the picture in a browser: " + served().url() + "/core/auth/captcha/image/cap"));
  EXPECT_THAT(output, HasSubstr("Invalid CAPTCHA"));
  EXPECT_EQ(core().count("GET", "/core/auth/captcha/image/"), 2) << "each try has a picture of its own";
  EXPECT_EQ(run({"assets"}).code, 0);
}

TEST_F(WebForm, ShowsThePictureWhereTheTerminalCan) {
  core().site.captcha = true;
  env_.set("TERM", "xterm-kitty").unset("TMUX");
  const auto [code, output] =
      through_form({{"password: ", core().site.password}, {"the result it asks for: ", core().site.captcha_says}});
  EXPECT_EQ(code, 0) << output;
  EXPECT_THAT(output, HasSubstr("\x1b_Ga=T,f=100,q=2,m=0;iVBORw0KGgo"));
  EXPECT_THAT(output, HasSubstr("The picture above is also at "));
}

TEST_F(WebForm, WithACaptchaCanBeLeftOutWhereThePasswordAloneOpensSsh) {
  core().site.captcha = true;
  const auto [code, output] = login({served().url(), "--user", "alice"},
                                    {{"password: ", core().site.password}, {"goes on without the WebSocket: ", ""}});
  EXPECT_EQ(code, 0) << output;
  EXPECT_THAT(output, HasSubstr("opens assets over SSH (a one-time token), not over the WebSocket: "));
  EXPECT_THAT(output, HasSubstr("asks for a captcha"));
  EXPECT_EQ(run({"assets"}).code, 0);
}

TEST_F(WebForm, WithACaptchaAndNobodyToSolveItSaysSoOnce) {
  core().site.captcha = true;
  auto result = headless({"--with", "web"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("asks for a captcha (it does so for a while after a wrong password); solve it at a "
                                    "terminal with `jms login --with web`"));
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  EXPECT_FALSE(std::filesystem::exists(state("default.json")));
  result = headless();
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("opens assets over SSH"));
}

TEST_F(WebForm, OfASecondFactorNeedsNoCaptcha) {
  core().site.captcha = true;
  core().site.mfa = {"otp"};
  const auto [code, output] = login({served().url(), "--user", "alice"},
                                    {{"password: ", core().site.password}, {"(authenticator app): ", core().site.otp}});
  EXPECT_EQ(code, 0) << output;
  EXPECT_THAT(output, HasSubstr("opens assets over the WebSocket and SSH"));
}

TEST_F(WebForm, ThatIsNotKnownIsToldWithWhatIsInIt) {
  core().site.strange_page =
      "<html><title>ACME portal</title><form><input name=employee><input name=badge type=password></form></html>";
  auto result = headless({"--with", "web"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err,
              HasSubstr("has a login page that jms does not know (\"ACME portal\", the fields employee, "
                        "badge); sign in with a browser and give its session to `jms login --with cookie`"));
  // The API may still be there.
  result = headless();
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("opens assets over SSH (a one-time token), not over the WebSocket: "));
}

TEST_F(WebForm, SendsItsPasswordToNoOtherPlace) {
  core().site.strange_page =
      "<form action=\"https://evil.example.test/\"><input name=username><input name=password></form>";
  EXPECT_THAT(headless({"--with", "web"}).err, HasSubstr("a login page that jms does not know"));
  EXPECT_EQ(core().count("POST", "/"), 0);
}

TEST_F(WebForm, SignsInElsewhereIsToldAsSuch) {
  core().site.single_sign_on = true;
  EXPECT_THAT(headless({"--with", "web"}).err, HasSubstr("signs in elsewhere (single sign-on)"));
}

TEST_F(WebForm, ReadsTheSecondFactorsFromItsPage) {
  core().site.mfa = {"otp", "sms", "mfa_custom", "face"};
  const auto [code, output] = through_form({{"password: ", core().site.password},
                                            {"3) code of your organisation", "2"},
                                            {"code by SMS: ", "000000"},
                                            {"code by SMS: ", core().site.sms}});
  EXPECT_EQ(code, 0) << output;
  EXPECT_THAT(output, HasSubstr("That code was not accepted: OTP code invalid"));
  EXPECT_THAT(output, Not(HasSubstr("face")));
  EXPECT_THAT(output, Not(HasSubstr(") off"))) << "what is switched off is not offered";
}

TEST_F(WebForm, WithTheChoiceOfAFactorOnTheLoginPage) {
  core().site.mfa_on_login_page = true;
  core().site.mfa = {"otp"};
  const auto [code, output] =
      through_form({{"password: ", core().site.password}, {"(authenticator app): ", core().site.otp}});
  EXPECT_EQ(code, 0) << output;
}

TEST_F(WebForm, WithADynamicCodeThatBelongsToThePassword) {
  core().site.challenge = "998877";
  const auto [code, output] =
      login({served().url(), "--user", "alice"},
            {{"password: ", core().site.password}, {"dynamic code (Enter alone: none): ", "998877"}});
  EXPECT_EQ(code, 0) << output;
  EXPECT_THAT(output, HasSubstr("opens assets over the WebSocket and SSH"));
  EXPECT_EQ(core().count("POST", "/api/v1/authentication/tokens/"), 0) << "the code would be used up";
}

TEST_F(WebForm, WaitsForAReviewerAsABrowserDoes) {
  core().site.login_review = true;
  auto [code, output] = through_form({{"password: ", core().site.password}});
  EXPECT_EQ(code, 0) << output;
  EXPECT_THAT(output, HasSubstr("waiting for a reviewer to let you in"));
  EXPECT_EQ(run({"assets"}).code, 0);
  core().site.reviewer_says_yes = false;
  std::tie(code, output) = through_form({{"password: ", core().site.password}});
  EXPECT_EQ(code, 1);
  EXPECT_THAT(output, HasSubstr("Login confirm ticket was rejected"));
  EXPECT_EQ(core().open_reviews(), 0);
}

TEST_F(WebForm, LeavesNoReviewBehindWhenTheOperatorGivesUp) {
  core().site.login_review = true;
  core().site.polls_until_decision = 1000;
  for (const char* how : {"\x03", ""}) {
    const auto program = at_terminal({"login", served().url(), "--user", "alice", "--with", "web"});
    ASSERT_TRUE(program->wait_for("password: "));
    program->send(core().site.password + "\r");
    ASSERT_TRUE(program->wait_for("waiting for a reviewer"));
    if (*how)
      program->send(how);
    else
      program->kill(SIGTERM);
    ASSERT_TRUE(program->wait_for_exit()) << program->output();
    EXPECT_EQ(core().open_reviews(), 0);
    EXPECT_FALSE(std::filesystem::exists(state("default.json")));
  }
}

TEST_F(WebForm, TakesTheCodeFromACommand) {
  core().site.mfa = {"sms", "otp"};
  for (const Words& way : {Words{}, Words{"--with", "web"}}) {
    const auto result = headless(way, "otp_command = \"echo " + core().site.otp + "\"\n");
    EXPECT_EQ(result.code, 0) << result.err;
    EXPECT_THAT(result.out, HasSubstr("opens assets over the WebSocket and SSH"));
    EXPECT_EQ(run({"assets"}).code, 0);
  }
}

TEST_F(WebForm, AsksTheCommandAgainWhenACodeWasUsedBefore) {
  core().site.mfa = {"otp"};
  core().site.codes_once = true;
  // The first two calls give what the server has seen, the third what the authenticator shows next.
  const std::string calls = env_.home().file("calls");
  const std::string config = "otp_command = \"echo x >> " + calls + "; if [ $(wc -l < " + calls +
                             ") -lt 3 ]; then echo 111111; else echo " + core().site.otp + "; fi\"\n";
  for (const Words& way : {Words{}, Words{"--with", "web"}}) {
    std::filesystem::remove(calls);
    const auto result = headless(way, config);
    EXPECT_EQ(result.code, 0) << result.err;
    core().site.otp = core().site.otp == "123456" ? "123457" : "123456";
    const std::string next = "otp_command = \"echo x >> " + calls + "; if [ $(wc -l < " + calls +
                             ") -lt 3 ]; then echo 111111; else echo " + core().site.otp + "; fi\"\n";
    std::filesystem::remove(calls);
    EXPECT_EQ(headless(way, next).code, 0);
    core().site.codes_once = false;
    core().site.otp = "123456";
  }
}

TEST_F(WebForm, GivesUpACommandWhoseCodesAreWrong) {
  core().site.mfa = {"otp"};
  const std::string calls = env_.home().file("calls");
  for (const Words& way : {Words{}, Words{"--with", "web"}}) {
    const auto result = headless(way, "otp_command = \"echo x >> " + calls + "; wc -l < " + calls + "\"\n");
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.err, HasSubstr("OTP code invalid, or server time error"));
    EXPECT_FALSE(std::filesystem::exists(state("default.json")));
  }
  EXPECT_THAT(support::read_text(calls), testing::StrEq("x\nx\nx\nx\n")) << "two tries each";
}

}  // namespace
}  // namespace jumpserver_test
