// Commands that answer the questions of SSH hosts: which question, which host, how often; and the real binary with them
// on both engines.

#include "app/target/ssh_answers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "tests/support/koko_ssh_server.h"
#include "tests/support/pty_program.h"
#include "tests/support/run_command.h"
#include "tests/support/scripted_ssh_server.h"
#include "tests/support/test_env.h"

namespace app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using transport::SshQuestion;
using Asked = SshQuestion::Kind;

/// Keeps what reaches the person, who says "typed".
class Person final : public transport::SshPrompter {
 public:
  void ask(const SshQuestion& question, Reply reply) override {
    questions.push_back(question);
    reply(transport::Secret("typed"));
  }
  void withdraw() override { ++withdrawn; }

  std::vector<SshQuestion> questions;
  int withdrawn = 0;
};

class SshAnswersTest : public testing::Test {
 protected:
  static SshQuestion about(Asked kind, const std::string& text, const std::string& host = "web-1") {
    SshQuestion question;
    question.kind = kind;
    question.hop = "me@" + host;
    question.host = "10.0.0.1";
    question.alias = host;
    question.user = "me";
    question.text = text;
    return question;
  }
  std::string answer(SshAnswers& answers, const SshQuestion& question) {
    std::optional<std::string> given;
    answers.ask(question, [&](std::optional<transport::Secret> text) { given = text ? text->view() : "(nothing)"; });
    loop_.run_until([&] { return given.has_value(); }, std::chrono::seconds(20));
    return given.value_or("(silence)");
  }

  event::EventLoop loop_;
  Person person_;
};

TEST_F(SshAnswersTest, EachQuestionGetsTheCommandThatIsMeantForIt) {
  SshCredentials all{"web-*", "", {"echo pass", ""}, {"echo phrase", ""}, "echo 123456"};
  SshAnswers answers(loop_, {all});
  answers.before(person_);
  EXPECT_EQ(answer(answers, about(Asked::password, "me@web-1's password: ")), "pass");
  EXPECT_EQ(answer(answers, about(Asked::challenge, "Password: ")), "pass");
  EXPECT_EQ(answer(answers, about(Asked::challenge, "密码: ")), "pass");
  EXPECT_EQ(answer(answers, about(Asked::challenge, "Verification code: ")), "123456");
  EXPECT_EQ(answer(answers, about(Asked::challenge, "One-time password (OATH): ")), "123456");
  EXPECT_EQ(answer(answers, about(Asked::passphrase, "Enter passphrase for key '/k': ")), "phrase");
  EXPECT_THAT(person_.questions, IsEmpty());
}

TEST_F(SshAnswersTest, HostKeysPinsAndOtherHostsAreForThePerson) {
  SshCredentials some{"web-*,!web-9", "me", {"echo pass", ""}, {"echo phrase", ""}, "echo 1"};
  SshAnswers answers(loop_, {some});
  answers.before(person_);
  EXPECT_EQ(answer(answers, about(Asked::host_key, "sure (yes/no)? ")), "typed");
  EXPECT_EQ(answer(answers, about(Asked::local, "Enter PIN for key: ")), "typed");
  EXPECT_EQ(answer(answers, about(Asked::password, "p: ", "db-1")), "typed");
  EXPECT_EQ(answer(answers, about(Asked::password, "p: ", "web-9")), "typed");
  auto other_user = about(Asked::password, "p: ");
  other_user.user = "root";
  EXPECT_EQ(answer(answers, other_user), "typed");
  auto nobody_knows = about(Asked::password, "p: ");
  nobody_knows.host.clear();
  EXPECT_EQ(answer(answers, nobody_knows), "typed");
  EXPECT_EQ(person_.questions.size(), 6u);
}

TEST_F(SshAnswersTest, WhatWasNotAcceptedIsNotGivenAgainAndAFailureIsTold) {
  SshAnswers answers(loop_, {{"*", "", {"echo pass", ""}, {"exit 3", ""}, "echo 1"}});
  answers.before(person_);
  const auto password = about(Asked::password, "p: ");
  EXPECT_EQ(answer(answers, password), "pass");
  EXPECT_EQ(answer(answers, password), "typed");
  EXPECT_THAT(person_.questions.back().note, HasSubstr("did not accept what `password_command`"));
  EXPECT_EQ(answer(answers, about(Asked::passphrase, "k: ")), "typed");
  EXPECT_EQ(person_.questions.back().note, "`passphrase_command` of ssh.credentials failed with exit code 3");
  answers.before(person_);
  EXPECT_EQ(answer(answers, password), "pass") << "a new connection begins anew";
}

TEST_F(SshAnswersTest, ACommandThatPrintsTooMuchOrNothingIsNoAnswer) {
  SshAnswers answers(loop_, {{"*", "", {"yes | head -c 100000", ""}, {"true", ""}, ""}});
  answers.before(person_);
  EXPECT_EQ(answer(answers, about(Asked::password, "p: ")), "typed");
  EXPECT_THAT(person_.questions.back().note, HasSubstr("printed more than a secret"));
  EXPECT_EQ(answer(answers, about(Asked::passphrase, "k: ")), "typed");
  EXPECT_THAT(person_.questions.back().note, HasSubstr("printed nothing"));
}

TEST_F(SshAnswersTest, AFileMustBeOurs) {
  const support::TempDir dir;
  const std::string path = dir.write("secret", "pass\n", 0600), open = dir.write("open", "pass\n", 0644);
  SshAnswers answers(loop_, {{"web-1", "", {"", path}, {}, ""}, {"web-2", "", {"", open}, {}, ""}});
  answers.before(person_);
  EXPECT_EQ(answer(answers, about(Asked::password, "p: ")), "pass");
  EXPECT_EQ(answer(answers, about(Asked::password, "p: ", "web-2")), "typed");
  EXPECT_THAT(person_.questions.back().note, HasSubstr("chmod 600"));
}

TEST_F(SshAnswersTest, WithdrawingEndsTheCommand) {
  SshAnswers answers(loop_, {{"*", "", {"sleep 60; echo late", ""}, {}, ""}});
  answers.before(person_);
  bool replied = false;
  answers.ask(about(Asked::password, "p: "), [&](auto) { replied = true; });
  answers.withdraw();
  loop_.run_until([&] { return replied; }, std::chrono::milliseconds(50));
  EXPECT_FALSE(replied);
  EXPECT_EQ(person_.withdrawn, 0);
}

/// The real binary, with commands in its config.
class SshCredentialsTest : public testing::TestWithParam<const char*> {
 protected:
  void configure(const std::string& credentials) const {
    env_.write_config("ssh_engine = \"" + std::string(GetParam()) + "\"\n[[ssh.credentials]]\nhost = \"127.0.0.1\"\n" +
                      credentials);
  }
  std::vector<std::string> target(const std::string& known_line, int port) const {
    const std::string known = env_.home().write("known", known_line);
    return {"-F",
            "none",
            "-o",
            "UserKnownHostsFile=" + known,
            "-o",
            "IdentityFile=none",
            "-o",
            "IdentityAgent=none",
            "me@127.0.0.1:" + std::to_string(port)};
  }
  std::unique_ptr<support::PtyProgram> at_terminal(const support::ScriptedSshServer& server) const {
    support::PtyProgram::Options options;
    options.argv = {JMS_BINARY};
    const auto words = target(server.known_hosts_line(), server.port());
    options.argv.insert(options.argv.end(), words.begin(), words.end());
    options.environment = env_.variables();
    options.size = {24, 100};
    return std::make_unique<support::PtyProgram>(options);
  }
  support::CommandOutput exec(const support::ScriptedSshServer& server) const {
    std::vector<std::string> argv = {JMS_BINARY, "exec"};
    const auto words = target(server.known_hosts_line(), server.port());
    argv.insert(argv.end(), words.begin(), words.end());
    argv.insert(argv.end(), {"--", "true"});
    return support::run_command({.argv = argv, .environment = env_.variables()});
  }

  support::TestEnv env_;
};

TEST_P(SshCredentialsTest, PasswordAndCodeComeFromTheCommands) {
  const support::ScriptedSshServer server(
      {.password = "pass", .rounds = {{{"Verification code: ", false, "123456"}}}, .password_first = true});
  configure("password_command = \"echo pass\"\ncode_command = \"echo 123456\"\n");
  const auto program = at_terminal(server);
  EXPECT_TRUE(program->wait_for("welcome")) << program->output();
  ASSERT_TRUE(program->wait_for_exit());
  EXPECT_THAT(server.given(), ElementsAre("password pass", "answer 123456"));
  EXPECT_THAT(program->output(), Not(HasSubstr("123456")));
  EXPECT_THAT(program->output(), Not(HasSubstr("Verification")));
}

TEST_P(SshCredentialsTest, AWrongOneIsNotRepeatedAndHeadlessItIsSaid) {
  const support::ScriptedSshServer server({.password = "pass"});
  configure("password_command = \"echo wrong\"\n");
  const auto result = exec(server);
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("did not accept what `password_command` of ssh.credentials gave"));
  EXPECT_THAT(server.given(), ElementsAre("password wrong"));
}

TEST_P(SshCredentialsTest, WithoutOneTheSentenceSaysWhatIsMissing) {
  const support::ScriptedSshServer server({.password = "pass"});
  configure("passphrase_command = \"echo x\"\n");
  const auto result = exec(server);
  EXPECT_EQ(result.code, 1);
  EXPECT_THAT(result.err, HasSubstr("wants a password; nobody is here to answer"));
  EXPECT_THAT(server.given(), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(Engines, SshCredentialsTest, testing::Values("libssh2", "openssh"),
                         [](const auto& engine) { return std::string(engine.param); });

TEST(SshCredentialsHeadless, ACommandRunsOnAHostThatTakesPasswordsOnly) {
  const support::TempDir tokens;
  tokens.write("one", "a-password\n");
  const support::KokoSshServer server(tokens.path());  // RSA only: the system's ssh.
  const support::TestEnv env;
  env.write_config(
      "[[ssh.credentials]]\nhost = \"127.0.0.1\"\nuser = \"JMS-one\"\npassword_command = \"echo a-password\"\n");
  const auto result =
      support::run_command({.argv = {JMS_BINARY, "exec", "-F", "none", "-o",
                                     "UserKnownHostsFile=" + env.home().write("known", server.known_hosts_line()), "-o",
                                     "PreferredAuthentications=password",
                                     "JMS-one@127.0.0.1:" + std::to_string(server.port()), "--", "echo on-$((40+2))"},
                            .environment = env.variables()});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("on-42"));
}

}  // namespace
}  // namespace app
