// koko's last words, as it says them in the languages it has. v5 also gives a reason of its own.
#include <algorithm>
#include <initializer_list>

#include "transport/jumpserver/koko_transport.h"

namespace transport::jumpserver {
namespace {

bool has(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

}  // namespace

KokoEnd koko_end(std::string_view text) {
  if (has(text, {"idle_disconnect", "Connect idle more than", "空闲时间超过", "空閒時間超過", "アイドル時間が",
                 "노는 시간", "время простоя", "Tiempo de inactividad", "Tempo ocioso"}))
    return KokoEnd::idle;
  if (has(text, {"max_session_timeout", "Session max time reached", "超过最大连接时间", "超過最大連接時間",
                 "最大接続時間を超え", "최대 연결 시간을 초과", "максимальное время сессии",
                 "tiempo máximo de conexión", "tempo máximo de conexão"}))
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

}  // namespace transport::jumpserver
