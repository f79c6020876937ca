// What koko writes into a terminal: openings, questions, failures and last words, in each of its languages and cut at
// any byte.
#include "transport/jumpserver/koko_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/koko_texts.h"

namespace transport::jumpserver {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

KokoWords heard(const std::string& bytes) {
  KokoWords made;
  made.feed(bytes);
  return made;
}

TEST(ShownText, BackspacesAndReturnsOverwriteAndSequencesAreGone) {
  EXPECT_THAT(shown_text("Connecting  0.0\b\b\b0.1\b\b\b10.2\r\nnext").lines, ElementsAre("Connecting  10.2", "next"));
  EXPECT_THAT(shown_text("old\rnew\r\n\033[31mred\033[0m \033(Bplain").lines, ElementsAre("new", "red plain"));
  EXPECT_THAT(shown_text("日本\b\b中国\r\n").lines, ElementsAre("中国", ""));
  EXPECT_TRUE(shown_text("\033]2;ssh://root@host\a").titled);
  EXPECT_TRUE(shown_text("\033]2;a title\033\\x").titled);
  EXPECT_FALSE(shown_text("\033]2;ssh:").titled);
  EXPECT_THAT(shown_text("a\033]2;ssh:").lines, ElementsAre("a"));
}

// As koko 4.10's catalogues have them.
const std::vector<std::string> kOpenings = {
    "Connecting to root(root)@10.0.0.5  0.0",
    "Connecting to root(root)@2001:db8::5  12.3",
    "Connecting to Manual(bob)@10.0.0.5  0.1",
    "Connecting to Database db: one?(10.0.0.9)  0.1",
    "Connecting to Kubernetes https://10.0.0.7:6443  299.9",
    "开始连接到 root(root)@10.0.0.5  0.0",
    "開始連接到 root(root)@10.0.0.5  0.0",
    "接続開始 root(root)@10.0.0.5  0.0",
    "Подключение к root(root)@10.0.0.5  0.0",
    "Conectando a root(root)@10.0.0.5  0.0",
    "Conectando a root(root)@10.0.0.5.  0.0",
    "Reuse SSH connections (root@10.0.0.5) [Number of connections: 3]",
    "复用SSH连接（root@10.0.0.5）[连接数量: 3]",
    "復用SSH連接（root@10.0.0.5）[連接數量: 3]",
    "SSH接続の再利用 (root@10.0.0.5) [接続数: 3]",
    "SSH 연결 재사용(root@10.0.0.5) [연결 수: 3]",
    "Повторное использование SSH соединения (root@10.0.0.5) [Количество соединений: 3]",
    "Reutilizar conexiones SSH (root@10.0.0.5) [Número de conexiones: 3]",
    "Reutilizando conexões SSH (root@10.0.0.5) [Número de conexões: 3]."};

TEST(KokoWords, AnOpeningIsNoQuestionAndNoPromptWhereverItIsCut) {
  for (const auto& opening : kOpenings) {
    const std::string all = "\033]2;jms: what?\a" + opening + "\b\b\b0.1\r\n";
    for (std::size_t cut = 1; cut <= all.size(); ++cut) {
      const KokoWords seen = heard(all.substr(0, cut));
      EXPECT_FALSE(seen.asks() || seen.at_prompt() || seen.host_spoke()) << all.substr(0, cut);
      if (cut > all.find(opening)) {
        EXPECT_TRUE(seen.opening()) << all.substr(0, cut);
      }
    }
    EXPECT_FALSE(heard(opening + "\r\n").counting());
    EXPECT_TRUE(heard(opening).counting());
    EXPECT_EQ(heard(opening + "\r\n").last_words(), "");
  }
  EXPECT_TRUE(heard("root(root)@10.0.0.5에 연결을 시작합니다  3.4").counting());
}

TEST(KokoWords, MinutesOfCountingAreStillACounter) {
  KokoWords seen = heard("Connecting to root(root)@10.0.0.5  0.0");
  for (int tick = 0; tick < 3000; ++tick) {
    const std::string number = std::to_string(tick / 10) + "." + std::to_string(tick % 10);
    seen.feed(std::string(number.size(), '\b') + number);
    ASSERT_FALSE(seen.asks() || seen.host_spoke()) << tick;
  }
  EXPECT_TRUE(seen.counting());
}

TEST(KokoWords, QuestionsPromptsAndGreetingsAreTold) {
  for (const char* question : {"root(root)'s password: ", "\r\nVerification code: ", "密码：", "Continue? [y/n]"})
    EXPECT_TRUE(heard(question).asks()) << question;
  for (const char* prompt : {"root@web-01:~# ", "$ ", "web-01% ", "[root(admin)@web-01 ~]$ ", "mysql> "}) {
    EXPECT_TRUE(heard(std::string("Connecting to a(a)@b  0.1\r\n") + prompt).at_prompt()) << prompt;
    EXPECT_TRUE(heard(prompt).host_spoke()) << prompt;
    EXPECT_FALSE(heard(prompt).opening()) << prompt;
  }
  EXPECT_TRUE(heard("Last login: Wed Nov 18 04:29:50 2026 from 10.0.0.1\r\n").host_spoke());
}

TEST(KokoWords, AFailedOpeningIsOneSentenceOfTheBastions) {
  const std::string counted = "Connecting to a(a)@10.0.0.5  0.0\b\b\b0.1\b\b\b0.2\r\n";
  const auto told = [&](const std::string& bytes) { return explain_failed_opening(heard(bytes).last_words()); };
  EXPECT_EQ(told(counted + "Connecting to a(a)@10.0.0.5 error: Connection refused\r\n"),
            "the bastion could not reach the host: Connection refused");
  EXPECT_THAT(told(counted + "Connecting to a(a)@10.0.0.5 error: Authentication failed\r\n"),
              HasSubstr("reached the host and could not log in: Authentication failed"));
  for (const char* reason :
       {"网络不通（连接拒绝）", "網路不通（連接超時）", "ネットワーク不通（接続拒否）",
        "네트워크에 접근할 수 없습니다(연결이 거부되었습니다)", "Нет соединения (маршрут недоступен)",
        "Conexión rechazada", "Rede indisponível (rede inacessível)", "dial tcp: lookup x: no such host"})
    EXPECT_EQ(told(counted + "… error: " + reason + "\r\n"),
              std::string("the bastion could not reach the host: ") + reason);
  for (const char* reason :
       {"认证失败（用户名或密码错误）", "認證失敗（使用者名稱或密碼錯誤）",
        "認証に失敗しました(ユーザー名またはパスワードエラー)", "인증에 실패했습니다(잘못된 사용자 이름 또는 비밀번호)",
        "Ошибка аутентификации: неверное имя пользователя или пароль", "Autenticación fallida",
        "Falha na autenticação (nome de usuário ou senha incorretos)"})
    EXPECT_THAT(told(counted + "… error: " + reason + "\r\n"), HasSubstr(std::string("could not log in: ") + reason));
  EXPECT_EQ(told("\033[31mYou don't have permission login web-01\r\n\033[0m"),
            "the bastion could not open the asset: You don't have permission login web-01");
  EXPECT_THAT(told(counted), HasSubstr("did not say why"));
}

TEST(KokoEnds, TheLastWordsAreReadInEveryLanguage) {
  const std::vector<std::pair<KokoEnd, std::vector<std::string>>> all = {
      {KokoEnd::idle,
       {"Connect idle more than 30 minutes, disconnect", "空闲时间超过30分钟，断开连接", "空閒時間超過30分鐘，斷開連接",
        "30 分以上のアイドル状態に接続し、切断します", "유휴 시간이 30분을 초과하여 연결이 끊어집니다.",
        "Превышено время простоя (30 минут). Соединение разорвано",
        "Conexión inactiva por más de 30 minutos, desconectando",
        "Conexão ociosa por mais de 30 minutos, desconectar"}},
      {KokoEnd::longest,
       {"Session max time reached, disconnect", "会话超过最大连接时间，断开连接", "會話超過最大連接時間，斷開連接",
        "セッションの最大時間に達しました。", "세션이 최대 연결 시간을 초과하여 연결을 끊습니다.",
        "Превышено максимальное время сессии. Соединение разорвано", "Tiempo máximo de sesión alcanzado, desconectando",
        "Tempo máximo da sessão alcançado, desconectando."}},
      {KokoEnd::permission,
       {"Permission has expired, disconnect", "授权已过期，断开连接", "授權已過期，斷開連接",
        "権限の有効期限が切れました。", "권한이 만료되어 연결이 끊어졌습니다.",
        "Срок авторизации истёк. Соединение разорвано.", "El permiso ha expirado, desconectando",
        "A permissão expirou, desconecte-se"}},
      {KokoEnd::admin,
       {"Terminated by admin Bob(bob)", "Bob(bob) 管理员终断连接", "Bob(bob) 管理員中斷連接",
        "Bob(bob)管理者が接続を終了", "Bob(bob) 관리자 연결이 끊겼습니다", "Администратор Bob(bob) прервал соединение",
        "Terminado por el administrador Bob(bob)", "Conexão terminada pelo administrador Bob(bob)"}}};
  for (const auto& [end, sentences] : all)
    for (const auto& one : sentences) {
      const KokoWords seen = heard("last output of the host\r\n$ \n\r\033[31m" + one + "\r\n\033[0m");
      EXPECT_EQ(koko_end(seen.parting_words()), end) << one;
      // With the system's ssh its own word comes last.
      const KokoWords over_ssh = heard("$ \n\r\033[31m" + one + "\033[0m\r\nConnection to 127.0.0.1 closed.\r\n");
      EXPECT_EQ(koko_end(over_ssh.parting_words()), end) << one;
      EXPECT_NE(explain_end(end, seen.parting_words()), "");
    }
}

TEST(KokoEnds, TheCataloguesOf41015AreKnown) {
  for (const auto& language : test_server::koko_languages()) {
    EXPECT_EQ(koko_end(test_server::filled(language.idle, "30")), KokoEnd::idle) << language.idle;
    EXPECT_EQ(koko_end(language.longest), KokoEnd::longest) << language.longest;
    EXPECT_EQ(koko_end(language.expired), KokoEnd::permission) << language.expired;
    EXPECT_EQ(koko_end(test_server::filled(language.terminated, "Bob")), KokoEnd::admin) << language.terminated;
  }
}

TEST(KokoEnds, WhatAHostPrintedIsNotTakenForTheBastionsWord) {
  const KokoWords seen = heard("$ grep admin log\r\nTerminated by admin Bob\r\n\033[31m$ \033[0mexit\r\nlogout\r\n");
  EXPECT_EQ(koko_end(seen.parting_words()), KokoEnd::unknown);
  EXPECT_EQ(koko_end(heard("$ exit\r\nlogout\r\n").parting_words()), KokoEnd::unknown);
  EXPECT_EQ(koko_end("idle_disconnect"), KokoEnd::idle);
  EXPECT_EQ(koko_end("admin_terminate"), KokoEnd::admin);
}

}  // namespace
}  // namespace transport::jumpserver
