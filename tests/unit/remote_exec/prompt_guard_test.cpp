#include "remote_exec/prompt_guard.h"

#include <gtest/gtest.h>

#include "remote_exec/echo_filter.h"
#include "remote_exec/operator_line.h"
#include "remote_exec/screen_guard.h"
#include "tests/support/koko_texts.h"

namespace remote_exec {
namespace {

TEST(WhatIsAsked, KnowsQuestionsInFourLanguages) {
  for (const char* line :
       {"[sudo] password for root: ", "Password:", "root@host's password: ", "密码：",
        "请输入密码: ", "パスワード: ", "Passwort: ", "Enter passphrase for key '/root/.ssh/id_rsa': ",
        "Verification code: ", "MFA code: ", "[sudo] Passwort für otto: ", "New password: "})
    EXPECT_EQ(what_is_asked(line), Asking::password) << line;
  for (const char* line : {"Do you want to continue? [Y/n] ", "remove? (y/N)", "Are you sure (yes/no/[fingerprint])? ",
                           "Fortfahren? [J/n]", "Is this ok [y/d/N]: "})
    EXPECT_TRUE(what_is_asked(line) == Asking::yes_no || std::string_view(line).find("y/d") != std::string_view::npos)
        << line;
  for (const char* line : {"Press any key to continue...", "按任意键继续", "Press ENTER to continue"})
    EXPECT_EQ(what_is_asked(line), Asking::key_press) << line;
  for (const char* line : {"--More--", "--More--(12%)", "  ---- More ----", ":", "(END)", "lines 1-23"})
    EXPECT_EQ(what_is_asked(line), Asking::pager) << line;
  for (const char* line : {"> ", "quote> ", "dquote> ", "heredoc> ", "... ", "    -> "})
    EXPECT_EQ(what_is_asked(line), Asking::continuation) << line;
  EXPECT_EQ(what_is_asked("#? "), Asking::menu);
  EXPECT_EQ(what_is_asked("web01 login: "), Asking::login);
}

TEST(WhatIsAsked, TakesOrdinaryOutputForNothing) {
  for (const char* line : {"", "total 12", "root@host:~# ", "password changed", "$ ", "Downloading 50%", "user:x:0:0"})
    EXPECT_EQ(what_is_asked(line), Asking::nothing) << line;
}

TEST(BastionVerdict, IsReadFromItsTexts) {
  EXPECT_EQ(bastion_verdict("Command `rm` is forbidden"), Verdict::forbidden);
  EXPECT_EQ(bastion_verdict("命令 `rm` 是被禁止的"), Verdict::forbidden);
  EXPECT_EQ(bastion_verdict("The command 'rm -rf x' requires review. Continue or not [Y/n]?"),
            Verdict::review_question);
  EXPECT_EQ(bastion_verdict("Dangerous, go on? [Y/N]"), Verdict::confirm_question);
  EXPECT_EQ(bastion_verdict("bash: syntax error near unexpected token `)'"), Verdict::none);
}

TEST(BastionVerdict, KnowsTheCataloguesOfKoko41015) {
  for (const auto& language : test_server::koko_languages()) {
    EXPECT_EQ(bastion_verdict(test_server::filled(language.forbidden, "rm")), Verdict::forbidden) << language.forbidden;
    EXPECT_EQ(bastion_verdict(test_server::filled(language.review, "rm x")), Verdict::review_question)
        << language.review;
    EXPECT_EQ(bastion_verdict(language.risky), Verdict::confirm_question) << language.risky;
    EXPECT_EQ(bastion_verdict(test_server::filled(language.reviewers, "Bob(bob)")), Verdict::review_running)
        << language.reviewers;
  }
  for (const char* other : {"명령 `rm` 는 금지되었습니다 ...", "コマンド `rm` は禁止されています ..."})
    EXPECT_EQ(bastion_verdict(other), Verdict::forbidden) << other;
}

TEST(BastionForbids, IsSeenFromTheFormInALanguageNobodyKnows) {
  EXPECT_TRUE(bastion_forbids("\r\n\033[31mKomennon `rm` käyttö on estetty\n\r\033[0m"));
  EXPECT_TRUE(bastion_forbids("\033[31mKomennon `rm` käyttö on estetty\n\r\033[0m^E\b \b$ "));
  EXPECT_TRUE(bastion_forbids("\r\n\033[31mBob hylkäsi\033[0m\r\n\033[31mKomento `rm` ei ole sallittu\n\r\033[0m"));
  EXPECT_FALSE(bastion_forbids("\n\r\033[31mTerminated by admin Bob\n\r\033[0m"));      // It hangs up.
  EXPECT_FALSE(bastion_forbids("\r\n\033[31mzsh: parse error near `)'\033[0m\r\n$ "));  // A shell's own red.
  EXPECT_FALSE(bastion_forbids("\r\n\033[31mBob rejected\033[0m\r\n$ "));
  EXPECT_FALSE(bastion_forbids(""));
}

TEST(ClientOf, KnowsClientsAndDevicesByTheirPrompts) {
  EXPECT_EQ(client_of("mysql> "), Client::mysql);
  EXPECT_EQ(client_of("MariaDB [(none)]> "), Client::mysql);
  EXPECT_EQ(client_of("postgres=# "), Client::psql);
  EXPECT_EQ(client_of("app=> "), Client::psql);
  EXPECT_EQ(client_of("sqlite> "), Client::sqlite);
  EXPECT_EQ(client_of("(ins)sqlite> "), Client::sqlite) << "readline shows its mode";
  EXPECT_EQ(client_of("(cmd)>>> "), Client::python);
  EXPECT_EQ(client_of("(ins)app=> "), Client::psql);
  EXPECT_TRUE(client_continuation(Client::sqlite, "(ins)   ...> "));
  EXPECT_EQ(client_of("127.0.0.1:6379> "), Client::redis);
  EXPECT_EQ(client_of("127.0.0.1:6379[2]> "), Client::redis);
  EXPECT_EQ(client_of(">>> "), Client::python);
  EXPECT_EQ(client_of("<HUAWEI>"), Client::device);
  EXPECT_EQ(client_of("[HUAWEI-GigabitEthernet0/0/1]"), Client::device);
  EXPECT_EQ(client_of("Router#"), Client::device);
  EXPECT_EQ(client_of("Switch(config-if)#"), Client::device);
  for (const char* line : {"root@host:~# ", "$ ", "[root@host ~]# ", "host% ", "~ > ", "user@host> ", "===# "})
    EXPECT_EQ(client_of(line), Client::none) << line;
}

TEST(OpensPrompt, KnowsCommandsThatOpenAnotherPrompt) {
  for (const char* command :
       {"su -", "sudo -i", "sudo su - root", "ssh web01", "bash", "/bin/bash -l", "docker exec -it x sh",
        "kubectl exec -it pod -- bash", "mysql -u root", "cd /tmp; bash", "exec zsh"})
    EXPECT_TRUE(opens_prompt(command)) << command;
  for (const char* command : {"ls", "docker ps", "sudo systemctl status x", "echo bash", "cat bash"})
    EXPECT_FALSE(opens_prompt(command)) << command;
}

TEST(EchoFilter, SeesTheLineThroughRedrawsAndPassesModesOnly) {
  EchoFilter echo("echo hello");
  std::string out;
  for (const char c : std::string_view(" \recho h\033[K\033[?2004h\033[1mhel \r\033[2Cll\033[0m"))
    echo.feed(std::string_view(&c, 1), out);
  EXPECT_FALSE(echo.complete());
  echo.feed("o\b\bo", out);
  EXPECT_TRUE(echo.complete());
  EXPECT_EQ(out, "\033[?2004h");
}

TEST(EchoFilter, ABlankMayBeAMovementOfTheCursor) {
  EchoFilter echo(" echo 'a' \"b\"");
  std::string out;
  echo.feed(" \b echo 'a'\033[K\033[1C\"b", out);
  EXPECT_FALSE(echo.complete());
  echo.feed("\"", out);
  EXPECT_TRUE(echo.complete());
  EXPECT_EQ(echo.after(), "");
}

TEST(BeyondEcho, KeepsMessagesAndDropsRedraws) {
  const std::string line = " command printf '\\033]7717;n;s\\007'; ls; x";
  EXPECT_EQ(beyond_echo("\r\n\033[?2004l\r", {line, "]7717;n"}), "");
  EXPECT_EQ(beyond_echo("\033[A\r\n ls; x\r\n", {line, "]7717;n"}), "");
  EXPECT_EQ(beyond_echo("\r\necho ?? ? e; command", {"echo 中文 😀 e; command printf", "]7717;n"}), "");
  EXPECT_EQ(beyond_echo("\r\n需要复核", {"echo 中文; command printf", "]7717;n"}), "需要复核");
  EXPECT_EQ(beyond_echo("\r\n禁止 echo 中文; command", {"echo 中文; command printf", "]7717;n"}),
            "禁止 echo 中文; command");
  EXPECT_EQ(beyond_echo("x    <\r\n", {line, "]7717;n"}), "");  // mksh scrolls sideways and marks the margin.
  EXPECT_EQ(beyond_echo("\r\nbash: error\r\n$ ", {line, "]7717;n"}), "bash: error\r\n$ ");
  EXPECT_EQ(beyond_echo("\r\n+ printf '\\033]7717;n;s'\r\n", {line, "]7717;n"}), "");
}

TEST(BeyondEcho, PromptAndLineDrawnAnewAtAnotherWidthAreNoAnswer) {
  const TypedLine typed{" command printf '\\033]7717;n;s\\007'; ls; x", "]7717;n", "/ # "};
  EXPECT_EQ(beyond_echo("\033[2A\r/ #  command pri\r\nntf '\\033\r\n\033[1A\r/ #  comm\r\nand printf", typed), "");
  EXPECT_EQ(beyond_echo("\r\n/ # ", typed), "/ # ");
  EXPECT_EQ(beyond_echo("\r\n/ #  date", typed), "/ #  date");
}

TEST(BeyondEcho, ARedrawWithSomeLettersReplacedIsNoAnswer) {
  // BusyBox, when the window changes its size: é as it is, what is wider as a question mark, an accent left out.
  const TypedLine typed{" command printf '\\033]7717;n;s\\007'; echo 中文 é 😀 é; command x", "]7717;n", "$ "};
  EXPECT_EQ(beyond_echo("\r\ns\\007'; echo ?? é ? e; comma\r\nnd x", typed), "");
  EXPECT_EQ(beyond_echo("\r\n$  command printf '\\033]7717;n;s\\007'; echo ?? é ? e; comma\r\nnd x", typed), "");
  EXPECT_EQ(beyond_echo("\r\n$ 中文 command", typed), "$ 中文 command");
}

TEST(ScreenGuard, DropsWhatActsOnTheOperatorsMachineAndRestoresTheTerminal) {
  ScreenGuard guard("]7717;n");
  std::string out;
  guard.feed("a\033]52;c;eA==\007\033[6n\033[c\033]0;t\007\033P+q\033\\b\005\033[31m\033[?25l\033[3;5r\016", out);
  EXPECT_EQ(out, "ab\033[31m\033[?25l\033[3;5r\016");
  EXPECT_EQ(guard.restore(), "\0337\033[r\0338\033(B\017\033[m\033[?25h");
  EXPECT_EQ(guard.restore(), "");
}

TEST(ScreenGuard, LosesNoLineToAStringThatNobodyClosed) {
  ScreenGuard guard("]7717;n");
  std::string out;
  guard.feed("a\033]0;t\r\nnext\033[mb\033]0;u\r\nlast", out);
  EXPECT_EQ(out, "a\r\nnext\033[mb");
  EXPECT_EQ(guard.restore(), "\r\nlast");
}

TEST(OperatorLine, KnowsTextThatWasTypedAndNotEntered) {
  ScreenView empty;
  empty.whole_line = "$";
  ScreenView typed;
  typed.whole_line = "$ ls";
  OperatorLine line;
  EXPECT_FALSE(line.half_typed(empty));
  line.typed("ls", [&] { return empty; }, {});
  EXPECT_TRUE(line.half_typed(typed));
  EXPECT_FALSE(line.half_typed(empty));  // Erased again.
  line.typed("\r", [&] { return typed; }, {});
  EXPECT_FALSE(line.half_typed(typed));
  EXPECT_TRUE(line.entered());
}

TEST(OperatorLine, IgnoresWhatTheTerminalAnswersByItself) {
  EXPECT_EQ(keys_only("\033[12;4R\033[?62;1c\033[I\033[<0;3;4M\033]11;rgb:0/0/0\007x\033[A"), "x\033[A");
}

/// Alt with a bracket looks like the beginning of a string; Enter and Ctrl-Z behind it must not get lost.
TEST(OperatorLine, TakesForKeysWhatOnlyBeginsAsAReport) {
  for (const char* typed : {"\033]ls\r", "\033]ls\r\007", "\033Pls\r\033[A", "\033\032", "\033[1\032", "\033"})
    EXPECT_EQ(keys_only(typed), typed);
  const std::string pasted = "\033]" + std::string(10'000, 'x') + "\r";
  EXPECT_EQ(keys_only(pasted).back(), '\r');
}

}  // namespace
}  // namespace remote_exec
