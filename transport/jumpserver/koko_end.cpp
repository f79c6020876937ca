// koko's last words, as it says them in the languages it has. v5 also gives a reason of its own.
#include <algorithm>
#include <initializer_list>

#include "transport/jumpserver/koko_words.h"

namespace transport::jumpserver {
namespace {

bool has(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

}  // namespace

// 4.10's words first in each list, then those of other versions.
KokoEnd koko_end(std::string_view text) {
  if (has(text, {"idle_disconnect", "Connect idle more than", "空闲时间超过", "空閒時間超過", "アイドル状態に接続し",
                 "유휴 시간이", "время простоя", "Conexión inactiva por más de", "Conexão ociosa por mais de",
                 "アイドル時間が", "노는 시간", "Tiempo de inactividad", "Tempo ocioso"}))
    return KokoEnd::idle;
  if (has(text, {"max_session_timeout", "Session max time reached", "超过最大连接时间", "超過最大連接時間",
                 "セッションの最大時間に達し", "최대 연결 시간을 초과", "максимальное время сессии",
                 "Tiempo máximo de sesión", "Tempo máximo da sessão", "最大接続時間を超え", "tiempo máximo de conexión",
                 "tempo máximo de conexão"}))
    return KokoEnd::longest;
  if (has(text, {"permission_expired", "Permission has expired", "授权已过期", "授權已過期", "권한이 만료되어",
                 "権限の有効期限が切れ", "Срок авторизации истёк", "El permiso ha expirado", "A permissão expirou"}))
    return KokoEnd::permission;
  if (has(text, {"admin_terminate", "Terminated by admin", "管理员终断连接", "管理員中斷連接", "관리자 연결이 끊겼",
                 "管理者が接続を終了", "прервал соединение", "Terminado por el administrador",
                 "terminada pelo administrador"}))
    return KokoEnd::admin;
  if (has(text, {"connect_failed", " error: "})) return KokoEnd::failed;
  return KokoEnd::unknown;
}

std::string explain_end(KokoEnd end, const std::string& words) {
  const std::string own = words.empty() ? "" : " (" + words + ")";
  switch (end) {
    case KokoEnd::idle:
      return "the bastion hung up: nothing was typed for too long" + own;
    case KokoEnd::longest:
      return "the bastion hung up: the longest session time is over" + own;
    case KokoEnd::permission:
      return "the bastion hung up: the permission for this asset has ended" + own;
    case KokoEnd::admin:
      return "an administrator ended the session" + own;
    case KokoEnd::failed:
    case KokoEnd::unknown:
      break;
  }
  return {};
}

}  // namespace transport::jumpserver
