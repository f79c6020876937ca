#include "tests/support/koko_texts.h"

namespace test_server {

const std::vector<KokoTexts>& koko_languages() {
  static const std::vector<KokoTexts> languages = {
      {"en", "Command `%s` is forbidden", "The command '%s' requires review. Continue or not [Y/n]?",
       "The command you executed is risky and an alert notification will be sent to the administrator. Do you want to "
       "continue?[Y/N]",
       "Need ticket confirm to execute command, already send email to the reviewers", "Ticket Reviewers: %s",
       "Could copy website URL to notify reviewers: %s",
       "Please waiting for the reviewers to confirm command `%s`, cancel by CTRL+C or CTRL+D.", "%s approved",
       "%s rejected", "Connect idle more than %s minutes, disconnect", "Session max time reached, disconnect"},
      {"zh", "命令 `%s` 是被禁止的 ...", "命令 %s 需要复核，是否继续？[Y/N]",
       "您执行的命令存在风险，告警通知将发送给管理员。是否继续？[Y/N]", "需要工单命令执行复核，已发邮件通知审核人",
       "工单审核人：%s ", "可复制审核地址，通知审核人：%s", "请等待审核人复核命令 `%s`，取消按 CTRL+C 或 CTRL+D。",
       "%s 审核通过", "%s 审核拒绝", "空闲时间超过%s分钟，断开连接", "会话超过最大连接时间，断开连接"},
      {"zh_hant", "命令 `%s` 是被禁止的 ...", "命令 %s 需要復核，是否繼續？[Y/N]",
       "您執行的命令存在風險，告警通知將發送給管理員。是否繼續？[Y/N]", "需要工單命令執行復核，已發郵件通知審核人",
       "工單審核人：%s", "可複製審核地址，通知審核人：%s", "請等待審核人復核命令 `%s`，取消請按 CTRL+C 或 CTRL+D。",
       "%s 審核通過", "%s 審核拒絕", "空閒時間超過%s分鐘，斷開連接", "會話超過最大連接時間，斷開連接"},
      {"ja", "コマンド `%s` は禁止されています ...", "命令 %s は再確認が必要です。続けますか？[Y/N]",
       "あなたが実行した命令にはリスクがあります。警告通知が管理者に送信されます。続けますか？[Y/N]",
       "実行の再確認には作業命令が必要です。審査者にメール通知が送信されました", "チケットレビュアー：%s",
       "コピー可能な監査アドレス、監査人に通知：%s",
       "レビュアーがコマンド `%s` を確認するまでお待ちください。キャンセルするには CTRL+C または CTRL+D "
       "を押してください。",
       "%s 承認されました", "%s は拒否されました", "アイドル時間が%s分を超えたため、接続が切断されました",
       "セッションが最大接続時間を超え、接続が切断されました"},
      {"pt_br", "O comando `%s` está proibido ...", "O comando %s requer revisão, deseja continuar? [Y/N]",
       "O comando que você executou possui riscos, uma notificação de alerta será enviada ao administrador. Deseja "
       "continuar? [S/N]",
       "A execução da ordem de revisão requer um comando, um e-mail foi enviado ao revisor", "Revisor do ticket: %s",
       "Endereço de auditoria copiável, notificar auditor: %s",
       "Aguarde a revisão do revisor do comando `%s`, cancele pressionando CTRL+C ou CTRL+D.", "%s foi aprovado",
       "%s foi rejeitado", "Tempo ocioso superior a %s minutos, conexão encerrada",
       "A sessão excedeu o tempo máximo de conexão, desconectando"},
      {"ko", "명령 `%s` 는 금지되었습니다 ...", "명령 %s는 재검토가 필요합니다, 계속하시겠습니까?[Y/N]",
       "귀하가 실행한 명령은 위험이 따릅니다, 경고 알림이 관리자에게 전송됩니다. 계속하시겠습니까?[Y/N]",
       "검토를 수행하기 위해 작업 지시가 필요하며, 검토자에게 이메일 통지를 발송하였습니다", "작업 검토자: %s",
       "복사 가능한 감사 주소, 감사인에게 통지: %s",
       "검토자를 기다려 주십시오, 명령 `%s`의 검토를 위해 CTRL+C 또는 CTRL+D를 눌러 취소하십시오.", "%s 검토 통과",
       "%s 심사 거부", "%s분 넘어 노는 시간, 연결 종료", "세션이 최대 연결 시간을 초과하여 연결이 끊겼습니다"},
      {"ru", "Команда %s запрещена", "Команда %s требует проверки. Продолжить? [Y/N]",
       "Выполняемая вами команда несёт риск, уведомление будет отправлено администратору. Продолжить? [Y/N]",
       "Выполнение команды требует проверки по заявке. Проверяющему отправлено письмо", "Утверждающий заявки: %s",
       "Можно скопировать URL для проверки и уведомить проверяющего: %s",
       "Пожалуйста, дождитесь проверки команды %s утверждающим. Для отмены нажмите CTRL+C или CTRL+D.", "%s одобрено",
       "%s отклонено", "Превышено время простоя (%s минут). Соединение разорвано",
       "Превышено максимальное время сессии. Соединение разорвано"},
      {"es", "El comando `%s` está prohibido ...", "El comando %s necesita ser revisado, ¿continuar? [Y/N]",
       "Su comando ejecutado presenta riesgos, se enviará una notificación de alerta al administrador. ¿Desea "
       "continuar? "
       "[S/N]",
       "Se necesita un comando de ticket para la revisión de la ejecución, se ha enviado un correo al revisor",
       "Revisor del ticket: %s", "Dirección de auditoría copiables, notificar al auditor: %s",
       "Por favor, espere la revisión del revisor para el comando `%s`; cancele presionando CTRL+C o CTRL+D.",
       "%s Aprobado en la revisión.", "%s fue rechazado", "Tiempo de inactividad excedido de %s minutos, desconectando",
       "La sesión ha superado el tiempo máximo de conexión, desconectando"},
  };
  return languages;
}

const KokoTexts& koko_texts(const std::string& code) {
  for (const auto& language : koko_languages())
    if (language.code == code) return language;
  return koko_languages().front();
}

std::string filled(std::string text, const std::string& word) {
  const auto at = text.find("%s");
  return at == std::string::npos ? text : text.replace(at, 2, word);
}

std::string in_red(const std::string& text) {
  return "\033[31m" + text + "\n\r\033[0m";
}

std::string in_green(const std::string& text) {
  return "\033[32m" + text + "\033[0m";
}

}  // namespace test_server
