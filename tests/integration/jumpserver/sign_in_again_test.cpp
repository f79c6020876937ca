// A sign-in that has ended is noticed at the first request and asked for again in place; several servers stay apart;
// secrets come from commands.
#include <signal.h>

#include "tests/integration/jumpserver/jumpserver_fixture.h"
#include "tests/support/temp_dir.h"

namespace jumpserver_test {
namespace {

using testing::HasSubstr;
using testing::Not;

class SignInAgain : public JumpServerTest {
 protected:
  void end_sign_in() {
    core().end_bearer_tokens();
    core().end_web_sessions();
  }
  std::string server_lines(const std::string& more) {
    return "server = \"" + served().url() + "\"\nuser = \"alice\"\n" + more;
  }
};

TEST_F(SignInAgain, IsAskedForInPlaceAndTheCommandGoesOn) {
  sign_in();
  end_sign_in();
  const auto program = at_terminal({"assets", "web-01"});
  ASSERT_TRUE(program->wait_for("the web session has ended")) << program->output();
  ASSERT_TRUE(program->wait_for("alice's password: ")) << program->output();
  program->send(core().site.password + "\r");
  const auto ending = program->wait_for_exit();
  ASSERT_TRUE(ending) << program->output();
  EXPECT_EQ(ending->code, 0);
  EXPECT_THAT(program->output(), HasSubstr("web-01  10.0.0.5"));
  EXPECT_EQ(run({"assets"}).code, 0) << "it was kept";
}

TEST_F(SignInAgain, HappensOnceAndInTheWayOfBefore) {
  const auto outcome = login({served().url(), "--with", "token"}, {{"Token: ", core().site.private_token}});
  ASSERT_EQ(outcome.first, 0) << outcome.second;
  core().site.private_token = "fedcba9876543210fedcba9876543210fedcba98";
  const auto program = at_terminal({"assets"});
  ASSERT_TRUE(program->wait_for("Token: ")) << program->output();
  program->send("still-wrong\r");
  const auto ending = program->wait_for_exit();
  ASSERT_TRUE(ending) << program->output();
  EXPECT_EQ(ending->code, 1);
  EXPECT_THAT(program->output(), HasSubstr("the token is not accepted any more"));
}

TEST_F(SignInAgain, NeedsNobodyWhereCommandsAnswer) {
  core().site.mfa = {"otp"};
  env_.write_config("[jumpserver]\n" + server_lines("password_command = \"echo " + core().site.password +
                                                    "\"\notp_command = \"echo " + core().site.otp + "\"\n"));
  ASSERT_EQ(run({"login"}).code, 0);
  end_sign_in();
  const auto result = run({"assets", "web-01"});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("web-01"));
  EXPECT_EQ(core().count("POST", "/api/v1/authentication/mfa/challenge/"), 2);
  EXPECT_EQ(run({"assets"}).code, 0);
  EXPECT_EQ(core().count("POST", "/api/v1/authentication/mfa/challenge/"), 2) << "it was kept";
}

TEST_F(SignInAgain, WithoutAnybodyIsOneSentence) {
  sign_in();
  end_sign_in();
  for (const Words& words : {Words{"assets"}, Words{"exec", "jms://web-01", "--", "true"}}) {
    const auto result = run(words);
    EXPECT_EQ(result.code, 1);
    EXPECT_THAT(result.err,
                HasSubstr("the web session has ended (Authentication credentials were not provided.); sign in "
                          "again with `jms login`"));
  }
}

TEST_F(SignInAgain, ReachesWhatIsOpenedNext) {
  served_ = std::make_unique<ServedCore>(test_server::HttpServer::Options{}, test_server::KokoOptions{});
  sign_in();
  end_sign_in();
  const auto program = at_terminal({"jms://root@web-01"});
  ASSERT_TRUE(program->wait_for("alice's password: ")) << program->output();
  program->send(core().site.password + "\r");
  ASSERT_TRUE(program->wait_for("$ ")) << program->output();
  program->send("exit\r");
  EXPECT_TRUE(program->wait_for_exit()) << program->output();
  EXPECT_EQ(core().count("POST", "/api/v1/authentication/tokens/"), 2);
}

TEST_F(SignInAgain, IsAskedForInTheSessionThatReconnects) {
  served_ = std::make_unique<ServedCore>(test_server::HttpServer::Options{}, test_server::KokoOptions{});
  sign_in();
  const auto program = at_terminal({"jms://root@web-01"});
  ASSERT_TRUE(program->wait_for("$ ")) << program->output();
  end_sign_in();
  served().with_koko([](test_server::KokoServer& koko) { koko.drop(); });
  ASSERT_TRUE(program->wait_for("press r to reconnect (a new shell")) << program->output();
  program->send("r");
  ASSERT_TRUE(program->wait_for("alice's password: ")) << program->output();
  program->send(core().site.password + "\r");
  ASSERT_TRUE(program->wait_for("$ ")) << program->output();
  program->send("exit\r");
  EXPECT_TRUE(program->wait_for_exit()) << program->output();
  EXPECT_THAT(program->output(), Not(HasSubstr(core().site.password)));
}

TEST_F(SignInAgain, ComesFromACommandWithoutATerminalInTheSessionThatReconnects) {
  served_ = std::make_unique<ServedCore>(test_server::HttpServer::Options{}, test_server::KokoOptions{});
  const std::string config =
      server_lines("password_command = \"if (: < /dev/tty) 2>/dev/null; then echo tty; else echo none; fi >> " +
                   env_.home().file("seen") + "; echo " + core().site.password + "\"\n");
  env_.write_config("[jumpserver]\n" + config);
  ASSERT_EQ(run({"login"}).code, 0);
  const auto program = at_terminal({"jms://root@web-01"});
  ASSERT_TRUE(program->wait_for("$ ")) << program->output();
  end_sign_in();
  served().with_koko([](test_server::KokoServer& koko) { koko.drop(); });
  ASSERT_TRUE(program->wait_for("press r to reconnect (a new shell")) << program->output();
  program->send("r");
  ASSERT_TRUE(program->wait_for("$ ")) << program->output();
  program->send("exit\r");
  EXPECT_TRUE(program->wait_for_exit()) << program->output();
  EXPECT_EQ(support::read_text(env_.home().file("seen")), "none\nnone\n");
}

TEST_F(SignInAgain, GivesTheWebSocketItsSessionBackWhileTheTokenStillLives) {
  served_ = std::make_unique<ServedCore>(test_server::HttpServer::Options{}, test_server::KokoOptions{});
  sign_in();
  core().end_web_sessions();
  const auto program = at_terminal({"jms://root@web-01"});
  ASSERT_TRUE(program->wait_for("alice's password: ")) << program->output();
  program->send(core().site.password + "\r");
  ASSERT_TRUE(program->wait_for("$ ")) << program->output();
  program->send("exit\r");
  EXPECT_TRUE(program->wait_for_exit()) << program->output();
  EXPECT_EQ(core().tokens().back().method, "web_cli");
}

TEST_F(SignInAgain, GivesTheWebSocketItsSessionBackByItselfWhereACommandAnswers) {
  served_ = std::make_unique<ServedCore>(test_server::HttpServer::Options{}, test_server::KokoOptions{});
  env_.write_config("[jumpserver]\n" + server_lines("password_command = \"echo " + core().site.password + "\"\n"));
  ASSERT_EQ(run({"login"}).code, 0);
  core().end_web_sessions();
  const auto result = run({"exec", "jms://root@web-01", "--", "echo on-$((40+2))"});
  EXPECT_EQ(result.out, "on-42\n") << result.err;
  EXPECT_EQ(core().tokens().back().method, "web_cli");
}

TEST_F(SignInAgain, RunsTheTokensCommandAnew) {
  const std::string token = env_.home().write("token", "Token wrong-one\n");
  env_.write_config("[jumpserver]\n" + server_lines("token_command = \"cat " + token + "; echo 'Token " +
                                                    core().site.private_token + "' > " + token + "\"\n"));
  const auto result = run({"assets"});
  EXPECT_EQ(result.code, 0) << result.err;
}

TEST_F(SignInAgain, KeepsServersApart) {
  ServedCore lab;
  lab.core.site.user = "bob";
  lab.core.site.password = "lab-password-1";
  env_.write_config("[jumpserver]\n" + server_lines("password_command = \"echo " + core().site.password + "\"\n") +
                    "[[jumpserver.profiles]]\nname = \"lab\"\nserver = \"" + lab.url() +
                    "\"\nuser = \"bob\"\npassword_command = \"echo " + lab.core.site.password + "\"\n");
  ASSERT_EQ(run({"login"}).code, 0);
  ASSERT_EQ(run({"login", "--profile", "lab"}).code, 0);
  lab.core.end_bearer_tokens();
  lab.core.end_web_sessions();
  EXPECT_EQ(run({"assets", "--profile", "lab"}).code, 0);
  EXPECT_EQ(run({"assets"}).code, 0);
  for (const auto& request : lab.core.requests()) {
    EXPECT_THAT(request.body, Not(HasSubstr(core().site.password)));
    EXPECT_THAT(request.body, Not(HasSubstr("alice")));
  }
  for (const auto& request : core().requests()) EXPECT_THAT(request.body, Not(HasSubstr("bob")));
  const auto doctor = run({"doctor"});
  EXPECT_THAT(doctor.out, HasSubstr("signed in as alice; opens assets over the WebSocket and SSH"));
  EXPECT_THAT(doctor.out, HasSubstr("profile lab: "));
  EXPECT_THAT(doctor.out, HasSubstr("signed in as bob"));
  EXPECT_THAT(run({"logout", "--profile", "lab"}).out, HasSubstr("of profile lab is forgotten"));
  EXPECT_EQ(run({"assets"}).code, 0);
  EXPECT_THAT(lab.violations(), testing::IsEmpty());
}

TEST_F(SignInAgain, AsksWhichServerWhenThereAreSeveral) {
  ServedCore lab;
  env_.write_config("[jumpserver]\n" + server_lines("") + "[[jumpserver.profiles]]\nname = \"lab\"\nserver = \"" +
                    lab.url() + "\"\nuser = \"alice\"\n");
  const auto [code, output] = login({}, {{"2) lab  " + lab.url() + " as alice", "nowhere"},
                                         {"Which one [1]: ", "lab"},
                                         {"password: ", lab.core.site.password}});
  EXPECT_EQ(code, 0) << output;
  EXPECT_THAT(output, HasSubstr("profile lab"));
  EXPECT_TRUE(std::filesystem::exists(state("lab.json")));
  EXPECT_FALSE(std::filesystem::exists(state("default.json")));
}

TEST_F(SignInAgain, GivesNoSecretOfOneServerToAnother) {
  ServedCore other;
  env_.write_config("[jumpserver]\n" + server_lines("password_command = \"echo " + core().site.password + "\"\n"));
  const auto result = run({"login", other.url(), "--user", "alice"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("there is no terminal to ask on"));
  EXPECT_EQ(other.core.count("POST", "/"), 0);
}

TEST_F(SignInAgain, ShowsWhatAFailingCommandSays) {
  env_.write_config("[jumpserver]\n" + server_lines("password_command = \"echo the safe is shut >&2; exit 3\"\n"));
  const auto result = run({"login"});
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("the safe is shut"));
  EXPECT_THAT(result.err, HasSubstr("`jumpserver.password_command` failed"));
  EXPECT_TRUE(core().requests().empty());
}

TEST_F(SignInAgain, CtrlCEndsACommandThatHangs) {
  env_.write_config("[jumpserver]\n" + server_lines("password_command = \"echo unlocking >&2; sleep 600\"\n"));
  const auto program = at_terminal({"login"});
  ASSERT_TRUE(program->wait_for("unlocking")) << program->output();
  program->send("\x03");
  const auto ending = program->wait_for_exit();
  ASSERT_TRUE(ending) << program->output();
  EXPECT_EQ(ending->code, 130);
}

TEST_F(SignInAgain, LetsACommandAskOnTheTerminal) {
  env_.write_config("[jumpserver]\n" +
                    server_lines("password_command = \"printf 'unlock: ' >&2; read word < /dev/tty; echo $word\"\n"));
  const auto [code, output] = login({}, {{"unlock: ", core().site.password}});
  EXPECT_EQ(code, 0) << output;
}

}  // namespace
}  // namespace jumpserver_test
