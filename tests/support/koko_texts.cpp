#include "tests/support/koko_texts.h"

#include <utility>

namespace test_server {

// As koko 4.10.15's catalogues have it. The Japanese warning really speaks of a failed connection.
const std::vector<KokoTexts>& koko_languages() {
  static const std::vector<KokoTexts> languages = {
      {.code = "en",
       .forbidden = "Command `%s` is forbidden",
       .review = "The command '%s' requires review. Continue or not [Y/n]?",
       .risky = "The command you executed is risky and an alert notification will be sent to the administrator. Do you "
                "want to continue?[Y/N]",
       .ticket = "Need ticket confirm to execute command, already send email to the reviewers",
       .reviewers = "Ticket Reviewers: %s",
       .copy_url = "Could copy website URL to notify reviewers: %s",
       .please_wait = "Please waiting for the reviewers to confirm command `%s`, cancel by CTRL+C or CTRL+D.",
       .approved = "%s approved",
       .rejected = "%s rejected",
       .idle = "Connect idle more than %s minutes, disconnect",
       .longest = "Session max time reached, disconnect",
       .expired = "Permission has expired, disconnect",
       .terminated = "Terminated by admin %s",
       .connecting = "Connecting to %s@%s",
       .reused = "Reuse SSH connections (%s@%s) [Number of connections: %s]"},
      {.code = "zh",
       .forbidden = "命令 `%s` 是被禁止的 ...",
       .review = "命令 %s 需要复核，是否继续？[Y/N]",
       .risky = "您执行的命令存在风险，告警通知将发送给管理员。是否继续？[Y/N]",
       .ticket = "需要工单命令执行复核，已发邮件通知审核人",
       .reviewers = "工单审核人：%s ",
       .copy_url = "可复制审核地址，通知审核人：%s",
       .please_wait = "请等待审核人复核命令 `%s`，取消按 CTRL+C 或 CTRL+D。",
       .approved = "%s 审核通过",
       .rejected = "%s 审核拒绝",
       .idle = "空闲时间超过%s分钟，断开连接",
       .longest = "会话超过最大连接时间，断开连接",
       .expired = "授权已过期，断开连接",
       .terminated = "%s 管理员终断连接",
       .connecting = "开始连接到 %s@%s",
       .reused = "复用SSH连接（%s@%s）[连接数量: %s]"},
      {.code = "zh_hant",
       .forbidden = "命令 `%s` 是被禁止的 ...",
       .review = "命令 `%s` 需要複核，是否繼續？[Y/N]",
       .risky = "您執行的指令存在風險，警告通知將發送給管理員。是否繼續？[Y/N]",
       .ticket = "需要工單命令執行覆核，已發郵件通知審核人",
       .reviewers = "工單審核人：%s ",
       .copy_url = "可複製審核地址，通知審核人：%s",
       .please_wait = "請等待審核人覆核命令 `%s`，取消按 CTRL+C 或 CTRL+D。",
       .approved = "%s 審核通過",
       .rejected = "%s 審核拒絕",
       .idle = "空閒時間超過%s分鐘，斷開連接",
       .longest = "會話超過最大連接時間，斷開連接",
       .expired = "授權已過期，斷開連接",
       .terminated = "%s 管理員中斷連接",
       .connecting = "開始連接到 %s@%s",
       .reused = "復用SSH連接（%s@%s）[連接數量: %s]"},
      {.code = "ja",
       .forbidden = "命令 `%s` は禁止されています",
       .review = "レビューアが確認します。継続するかどうか [Y/n]",
       .risky = "接続に失敗しました。データベース接続設定が正しいか確認してください[Y/N]",
       .ticket = "コマンドを実行するにはチケットの確認が必要です。すでにレビューアにメールを送信しています",
       .reviewers = "チケットレビュー: %s",
       .copy_url = "レビュー・アドレスのコピー、レビュー担当者への通知: %s",
       .please_wait = "レビュー担当者がコマンド `%s` をレビューするまでお待ちください。キャンセルするには、CTRL+C "
                      "または CTRL+D を押してください。",
       .approved = "%s が承認されました",
       .rejected = "%s は拒否されました",
       .idle = "%s 分以上のアイドル状態に接続し、切断します",
       .longest = "セッションの最大時間に達しました。",
       .expired = "権限の有効期限が切れました。",
       .terminated = "%s管理者が接続を終了",
       .connecting = "接続開始 %s@%s",
       .reused = "SSH接続の再利用 (%s@%s) [接続数: %s]"},
      {.code = "pt_br",
       .forbidden = "O comando %s está proibido...",
       .review = "O comando %s precisa de revisão, deseja continuar? [Y/N]",
       .risky = "O comando que você executou é arriscado e uma notificação de alerta será enviada ao administrador. "
                "Deseja continuar?[Y/N]",
       .ticket = "É necessário confirmar o bilhete para executar o comando, já enviamos um e-mail aos revisores.",
       .reviewers = "Revisores do Ticket: %s",
       .copy_url = "Você pode copiar o endereço de revisão para notificar os revisores: %s",
       .please_wait = "Aguarde os revisores confirmarem o comando %s, cancele pressionando CTRL+C ou CTRL+D.",
       .approved = "%s aprovado",
       .rejected = "%s rejeitado",
       .idle = "Conexão ociosa por mais de %s minutos, desconectar",
       .longest = "Tempo máximo da sessão alcançado, desconectando.",
       .expired = "A permissão expirou, desconecte-se",
       .terminated = "Conexão terminada pelo administrador %s",
       .connecting = "Conectando a %s@%s.",
       .reused = "Reutilizando conexões SSH (%s@%s) [Número de conexões: %s]."},
      {.code = "ko",
       .forbidden = "명령 `%s`는 금지되어 있습니다...",
       .review = "명령 %s를 검토해야 합니다. 계속하시겠습니까? [Y/N]",
       .risky = "실행한 명령은 위험합니다. 관리자에게 경고 알림이 전송됩니다. 계속하시겠습니까? [Y/N]",
       .ticket = "작업 지시 명령 실행 검토가 필요하며 검토자에게 알리는 이메일이 전송되었습니다.",
       .reviewers = "티켓 검토자: %s",
       .copy_url = "리뷰 주소를 복사하여 리뷰어에게 알릴 수 있습니다: %s",
       .please_wait = "검토자가 명령 `%s`를 검토할 때까지 기다려 주세요. 취소하려면 CTRL+C 또는 CTRL+D를 누르세요.",
       .approved = "%s 승인됨",
       .rejected = "%s 리뷰가 거부되었습니다",
       .idle = "유휴 시간이 %s분을 초과하여 연결이 끊어집니다.",
       .longest = "세션이 최대 연결 시간을 초과하여 연결을 끊습니다.",
       .expired = "권한이 만료되어 연결이 끊어졌습니다.",
       .terminated = "%s 관리자 연결이 끊겼습니다",
       .connecting = "%s@%s에 연결을 시작합니다",
       .reused = "SSH 연결 재사용(%s@%s) [연결 수: %s]"},
      {.code = "ru",
       .forbidden = "Команда %s запрещена",
       .review = "Команда %s требует проверки. Продолжить? [Y/N]",
       .risky = "Выполняемая вами команда несёт риск, уведомление будет отправлено администратору. Продолжить? [Y/N]",
       .ticket = "Выполнение команды требует проверки по заявке. Проверяющему отправлено письмо",
       .reviewers = "Утверждающий заявки: %s",
       .copy_url = "Можно скопировать URL для проверки и уведомить проверяющего: %s",
       .please_wait = "Пожалуйста, дождитесь проверки команды %s утверждающим. Для отмены нажмите CTRL+C или CTRL+D.",
       .approved = "%s одобрено",
       .rejected = "%s отклонено",
       .idle = "Превышено время простоя (%s минут). Соединение разорвано",
       .longest = "Превышено максимальное время сессии. Соединение разорвано",
       .expired = "Срок авторизации истёк. Соединение разорвано.",
       .terminated = "Администратор %s прервал соединение",
       .connecting = "Подключение к %s@%s",
       .reused = "Повторное использование SSH соединения (%s@%s) [Количество соединений: %s]"},
      {.code = "es",
       .forbidden = "El comando `%s` está prohibido",
       .review = "El comando '%s' requiere revisión. ¿Continuar o no? [Y/n]?",
       .risky = "El comando que ejecutó es riesgoso y se enviará una notificación de alerta al administrador. ¿Desea "
                "continuar? [Y/N]",
       .ticket =
           "Se requiere confirmación de ticket para ejecutar el comando; ya se ha enviado un correo a los revisores",
       .reviewers = "Revisores de tickets: %s",
       .copy_url = "Puede copiar la URL del sitio web para notificar a los revisores: %s",
       .please_wait = "Por favor espere a que los revisores confirmen el comando `%s`; cancele con CTRL+C o CTRL+D.",
       .approved = "%s aprobado",
       .rejected = "%s rechazado",
       .idle = "Conexión inactiva por más de %s minutos, desconectando",
       .longest = "Tiempo máximo de sesión alcanzado, desconectando",
       .expired = "El permiso ha expirado, desconectando",
       .terminated = "Terminado por el administrador %s",
       .connecting = "Conectando a %s@%s",
       .reused = "Reutilizar conexiones SSH (%s@%s) [Número de conexiones: %s]"}};
  return languages;
}

const KokoTexts& koko_language_to_come() {
  static const KokoTexts finnish = {.code = "fi",
                                    .forbidden = "Komento `%s` ei ole sallittu",
                                    .review = "Komento '%s' on tarkastettava. Jatketaanko [Y/n]?",
                                    .risky = "Komento on vaarallinen. Jatketaanko? [Y/N]",
                                    .ticket = "Komennolle haetaan lupa",
                                    .reviewers = "Tarkastajat: %s",
                                    .copy_url = "Osoite: %s",
                                    .please_wait = "Odota komentoa `%s`, peruuta CTRL+C tai CTRL+D.",
                                    .approved = "%s hyväksyi",
                                    .rejected = "%s hylkäsi",
                                    .idle = "Tauko yli %s minuuttia",
                                    .longest = "Aika loppui",
                                    .expired = "Lupa loppui",
                                    .terminated = "%s lopetti",
                                    .connecting = "Yhdistetään %s@%s",
                                    .reused = "Yhteys jaetaan (%s@%s) [%s]"};
  return finnish;
}

const KokoTexts& koko_texts(const std::string& code) {
  if (code == koko_language_to_come().code) return koko_language_to_come();
  for (const auto& language : koko_languages())
    if (language.code == code) return language;
  return koko_languages().front();
}

std::string filled(std::string text, const std::string& word) {
  const auto at = text.find("%s");
  return at == std::string::npos ? text : text.replace(at, 2, word);
}

std::string filled(std::string text, const std::vector<std::string>& words) {
  for (const auto& word : words) text = filled(std::move(text), word);
  return text;
}

std::string in_red(const std::string& text) {
  return "\033[31m" + text + "\033[0m";
}

std::string as_warning(const std::string& text) {
  return in_red(text + "\n\r");
}

std::string in_green(const std::string& text) {
  return "\033[32m" + text + "\033[0m";
}

}  // namespace test_server
