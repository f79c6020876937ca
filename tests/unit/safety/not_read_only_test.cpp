// What changes or destroys something is never called read-only, however it is dressed.
#include <gtest/gtest.h>

#include <ctime>

#include "safety/command_classifier.h"
#include "tests/unit/safety/commands/all.h"

namespace safety {
namespace {

using commands::each_command;
using commands::each_row;
using commands::Family;

constexpr std::string_view kCredentials = R"ROWS(
cat /etc/shadow
sudo cat /etc/shadow
head -1 /etc/shadow
grep root /etc/shadow
cat /etc//shadow
cat /etc/./shadow
cat /tmp/../etc/shadow
cat /etc/shado?
cat /etc/sh*
cat /etc/{passwd,shadow}
cd /etc; cat shadow
base64 /etc/shadow
tac /etc/shadow
awk -F: '{print $2}' /etc/shadow
sed -n p /etc/shadow
sort /etc/shadow
xxd /etc/shadow
diff /etc/shadow /dev/null
cat < /etc/shadow
strings /etc/shadow
getent shadow root
cat ~/.ssh/id_rsa
cat $HOME/.ssh/id_ed25519
cat "$HOME"/.ssh/id_ed25519
cat /root/.ssh/id_rsa
cat /etc/ssh/ssh_host_rsa_key
cat .env
cat /srv/app/.env.production
grep PASSWORD /srv/app/.env
cat ~/.aws/credentials
cat ~/.pgpass
cat ~/.my.cnf
cat /etc/kubernetes/admin.conf
cat /proc/1/environ
cat /proc/$PID/environ
strings /proc/self/environ
tr '\0' '\n' < /proc/1/environ
cat /etc/ssl/private/site.key
cat server.key
cat ~/.docker/config.json
cat ~/.git-credentials
cat /run/secrets/db
zcat /etc/shadow
find / -name id_rsa -exec cat {} \;
psql -c 'select * from pg_shadow'
mysql -e 'select user, authentication_string from mysql.user'
curl file:///etc/shadow
grep -r '' ~/.ssh
grep -rn . ~/.ssh/
grep -R key /root/.ssh/.
grep -r '' .ssh
rg . ~/.gnupg
diff -r ~/.ssh x
diff -r x /home/bob/.ssh
git grep --no-index '' ~/.aws
git diff --no-index ~/.ssh/id_rsa /dev/null
find ~/.ssh -exec cat {} +
find /root/.ssh/ -type f -exec head -1 {} ';'
find ~/.ss? -exec cat {} +
find ~ -name 'id_*' -exec cat {} +
find / -name 'ID_RSA*' -exec cat {} +
find /proc -name environ -exec cat {} +
find / -iname '*credentials' -exec grep . {} +
find ~/.ssh | xargs cat
ls ~/.ssh | xargs -I{} cat ~/.ssh/{}
find ~/.ssh -type f -print0 | sort -z | xargs -0 head
xargs -a /etc/shadow echo
xargs --arg-file=/etc/shadow
find -files0-from /etc/shadow
wc --files0-from=/etc/shadow
du --files0-from=/etc/shadow
cmp -l /etc/shadow /dev/zero
date -f /etc/shadow
date --file=/etc/shadow
dmesg -F /etc/shadow
last -f /etc/shadow
who /etc/shadow
nm @/etc/shadow
sshd -t -f /etc/shadow
logrotate -d /etc/shadow
named-checkconf /etc/shadow
)ROWS";

constexpr std::string_view kRefused[] = {
    "ls\x1b[A",
    "ls\trm",
    "ls\rrm -rf x",
    "ls\x07",
    "ls \xC2\x9B"
    "31m",
    "ls \xE2\x80\xAE"
    "fdp",
    "l\xE2\x80\x8Bs",
    "ls\xC2\xA0-l",
    "ls \xE3\x80\x80-l",
    "ls \xF3\xA0\x81\xA1",
    "\xD1\x80s aux",
    "c\xD0\xB0t f",
    "ls \xE2\x80\x93l",
    "ls \xFF",
    "ls\xEF\xBB\xBF",
    "rm\xEF\xBC\x8Drf",
    "ls \xE2\x81\xA6x",
    "ls\x7F",
    "echo \xC2\xAD",
    "\xF0\x9D\x97\x8B\xF0\x9D\x97\x86 x y\xF0\x9D\x97\x8B",
};

TEST(NotReadOnly, ChangesAreAskedAbout) {
  int total = 0;
  each_command(&Family::changing, [&](const std::string& command) {
    ++total;
    const auto verdict = CommandClassifier().classify(command);
    EXPECT_NE(verdict.cls, CommandClass::ReadOnly) << command;
    EXPECT_FALSE(verdict.reason.empty()) << command;
  });
  EXPECT_GT(total, 300);
}

TEST(NotReadOnly, DestructionIsCalledSo) {
  each_command(&Family::destroying, [&](const std::string& command) {
    const auto verdict = CommandClassifier().classify(command);
    EXPECT_EQ(name_of(verdict.cls), "destructive") << command << "\n  " << verdict.reason;
  });
}

TEST(NotReadOnly, CredentialsAreAskedAbout) {
  each_row(kCredentials, [&](const std::string& command) {
    EXPECT_EQ(name_of(CommandClassifier().classify(command).cls), "changes") << command;
  });
}

TEST(NotReadOnly, HiddenCharactersAreRefused) {
  for (const auto command : kRefused) {
    const auto verdict = CommandClassifier().classify(command);
    EXPECT_TRUE(verdict.refused) << command;
    EXPECT_EQ(verdict.cls, CommandClass::Destructive);
  }
  for (const auto* fine :
       {"echo 中文", "ls /srv/données", "grep 'Ошибка' app.log", "echo 'é ü ß' 日本", "cat отчёт.txt"}) {
    EXPECT_FALSE(CommandClassifier().classify(fine).refused) << fine;
    EXPECT_EQ(CommandClassifier().classify(fine).cls, CommandClass::ReadOnly) << fine;
  }
}

TEST(NotReadOnly, WhatOtherShellsReadDifferentlyIsAskedAbout) {
  // dash ends $'a\' at the quote and would run what follows; fish keeps 'a\'; zsh runs comments.
  for (const auto* command : {"echo $'a\\'; touch x; echo \\''", "echo 'a\\'; echo ' ; touch x; echo '",
                              "ls # ; touch x", "ls # $(touch x)", "ls # > x", "echo \"${x#'}\"'}\"; touch y; \"\""}) {
    EXPECT_NE(CommandClassifier().classify(command).cls, CommandClass::ReadOnly) << command;
  }
}

TEST(NotReadOnly, UnreadableTextIsAskedAboutWithWhatCouldBeRead) {
  const CommandClassifier classifier;
  EXPECT_EQ(classifier.classify("ls 'open").cls, CommandClass::Changes);
  EXPECT_EQ(classifier.classify("rm -rf x; ls 'open").cls, CommandClass::Destructive);
  EXPECT_EQ(classifier.classify("ls )").cls, CommandClass::Changes);
}

TEST(NotReadOnly, LongAndManifoldTextsAreAskedAboutQuickly) {
  const CommandClassifier classifier;
  std::string many;
  for (int i = 0; i < 201; ++i) many += "ls;";
  EXPECT_EQ(classifier.classify(many).cls, CommandClass::Changes);
  EXPECT_EQ(classifier.classify("echo " + std::string(10'001, 'a')).cls, CommandClass::Changes);
  for (const char* piece : {"ls; ", "ls a b c | ", "$(ls) ", "{a,b}", "{1..2}", "{{", "echo $(", "a ", "sh -c '",
                            "find . -exec ls \\; ; ", "awk '/", "x=$x ", "'", "/../", "*"}) {
    std::string text = "echo ";
    while (text.size() < 100'000) text += piece;
    const auto begin = std::clock();
    EXPECT_NE(classifier.classify(text).cls, CommandClass::ReadOnly) << piece;
    EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 1.0) << piece;
  }
}

TEST(NotReadOnly, DeepNestingEnds) {
  std::string nested = "rm -rf x";
  for (int i = 0; i < 6; ++i) nested = "eval " + nested;
  EXPECT_EQ(CommandClassifier().classify(nested).cls, CommandClass::Destructive);
  for (int i = 0; i < 40; ++i) nested = "nice " + nested;
  EXPECT_NE(CommandClassifier().classify(nested).cls, CommandClass::ReadOnly);
}

}  // namespace
}  // namespace safety
