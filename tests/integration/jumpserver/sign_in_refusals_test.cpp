// What a server says no to: one true sentence, exit code 1, nothing left behind. Over the API and over the web form.
#include "tests/integration/jumpserver/jumpserver_fixture.h"

namespace jumpserver_test {
namespace {

using testing::HasSubstr;
using Site = CoreServer::Site;

struct Refusal {
  std::string name;
  std::function<void(Site&)> make;
  std::string sentence;  ///< A part of what the operator reads.
  std::string web;       ///< The same over the web form, where it differs.
};

void PrintTo(const Refusal& refusal, std::ostream* out) {
  *out << refusal.name;
}

class SignInRefusal : public JumpServerTest, public testing::WithParamInterface<Refusal> {};

TEST_P(SignInRefusal, IsOneTrueSentence) {
  const Refusal& refusal = GetParam();
  refusal.make(core().site);
  const std::string password = core().site.password == "changed-8" ? "correct-horse-7" : core().site.password;
  env_.write_config("[jumpserver]\nserver = \"" + served().url() + "\"\nuser = \"alice\"\npassword_command = \"echo " +
                    password + "\"\notp_command = \"echo 000000$(date +%N)\"\n");
  for (const Words& way : {Words{"login"}, Words{"login", "--with", "web"}}) {
    const bool web = way.size() > 1;
    const auto result = run(way);
    EXPECT_EQ(result.code, 1) << result.out;
    EXPECT_THAT(result.err, HasSubstr(web && !refusal.web.empty() ? refusal.web : refusal.sentence));
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << "more than a sentence: " << result.err;
    EXPECT_FALSE(std::filesystem::exists(state("default.json")));
    EXPECT_EQ(core().open_reviews(), 0);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, SignInRefusal,
    testing::Values(
        Refusal{"WrongPassword", [](Site& site) { site.password = "changed-8"; },
                "refused: The username or password you entered is incorrect", ""},
        Refusal{"LockedUser", [](Site& site) { site.failures_until_lock = 0; }, "refused: The account has been locked",
                ""},
        Refusal{"InactiveUser", [](Site& site) { site.inactive = true; }, "refused: This account is inactive.", ""},
        Refusal{"ExpiredUser", [](Site& site) { site.expired = true; }, "refused: This account is expired", ""},
        Refusal{"ForbiddenByARule", [](Site& site) { site.forbidden = true; },
                "refused: Current login is prohibited by ACL rules", ""},
        Refusal{"BlockedAddress", [](Site& site) { site.address_blocked = true; },
                "refused: The address has been locked", ""},
        Refusal{
            "PasswordToBeChanged", [](Site& site) { site.must_change_password = true; },
            "does not let you in yet: Your password has expired, please reset before logging in; do what it wants in "
            "the browser",
            ""},
        Refusal{"NoSecondFactorSetUp", [](Site& site) { site.mfa_unset = true; },
                "wants a second factor, and you have set up none; do that in the browser first",
                "wants you to set up a second factor first; do that in the browser"},
        Refusal{"WrongCode", [](Site& site) { site.mfa = {"otp"}; }, "OTP code invalid, or server time error", ""},
        Refusal{"ReviewersNo",
                [](Site& site) {
                  site.login_review = true;
                  site.reviewer_says_yes = false;
                },
                "Login confirm ticket was rejected", ""}),
    [](const auto& refusal) { return refusal.param.name; });

using Ended = JumpServerTest;

TEST_F(Ended, AccessKeySaysWhatMayBeWrongWithIt) {
  use_access_key();
  core().site.key_id = "another-key";
  const auto result = run({"assets"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("the access key is not accepted: it was revoked or switched off, or its secret is "
                                    "another (Invalid signature.); sign in again with `jms login`"));
}

TEST_F(Ended, TokenOfTheEnvironmentIsToldAndNothingAskedFor) {
  env_.set("JMS_SERVER", served().url()).set("JMS_TOKEN", "Token 0123");
  const auto program = at_terminal({"assets"});
  const auto ending = program->wait_for_exit();
  ASSERT_TRUE(ending) << program->output();
  EXPECT_EQ(ending->code, 1);
  EXPECT_THAT(program->output(), HasSubstr("the token is not accepted any more (Invalid token.)"));
}

}  // namespace
}  // namespace jumpserver_test
