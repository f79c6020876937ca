#include "remote_exec/prompt_guard.h"

#include <algorithm>
#include <initializer_list>

#include "base/words.h"

namespace remote_exec {
namespace {

using Words = std::initializer_list<std::string_view>;

bool contains_any(std::string_view text, Words words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

bool ends_with_any(std::string_view text, Words words) {
  return std::any_of(words.begin(), words.end(), [&](std::string_view word) { return text.ends_with(word); });
}

bool equals_any(std::string_view text, Words words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool asks_password(std::string_view line) {
  // "：" is the full-width colon; sudo -p and pam modules end with a colon or nothing but a blank.
  const bool open_end = ends_with_any(line, {":", "：", ">", "?", "]", "】"});
  return open_end && contains_any(line, {"password",
                                         "passphrase",
                                         "passcode",
                                         "passwort",
                                         "kennwort",
                                         "密码",
                                         "密碼",
                                         "口令",
                                         "パスワード",
                                         "パスフレーズ",
                                         "mot de passe",
                                         "contraseña",
                                         "verification code",
                                         "one-time",
                                         "otp",
                                         "验证码",
                                         "動態密碼",
                                         "认证码",
                                         "確認コード",
                                         "einmalkennwort",
                                         "bestätigungscode",
                                         "pin:",
                                         "pin for",
                                         "mfa",
                                         "2fa",
                                         "token:",
                                         "security code"});
}

bool asks_yes_no(std::string_view line) {
  return contains_any(line, {"[y/n",    "(y/n",  "[yes/no",     "(yes/no", "[n/y",     "(n/y",     "y/n]",   "y/n)",
                             "[y|n",    "(y|n",  "[j/n",        "(j/n",    "[ja/nein", "(ja/nein", "[是/否", "(是/否",
                             "（是/否", "（y/n", "はい/いいえ", "[y]es",   "(y)es",    "[s/n",     "(s/n"}) ||
         ends_with_any(line,
                       {"yes or no?", "yes/no?", "y/n?", "y/n:", "'yes' or 'no':", "'yes', 'no' or the fingerprint:"});
}

bool asks_key(std::string_view line) {
  return contains_any(line, {"press any key", "press enter", "press return", "hit enter", "hit return", "press [enter]",
                             "press <enter>", "hit any key", "press space", "按任意键", "按回车", "按任意鍵",
                             "続行するには", "何かキーを", "beliebige taste", "eingabetaste", "weiter mit"});
}

bool asks_menu(std::string_view line) {
  if (equals_any(line, {"#?", "opt>"})) return true;
  return ends_with_any(line, {":", "：", ">", "?", "]", ")"}) &&
         contains_any(
             line, {"your choice", "your selection", "enter choice", "enter selection", "select an option",
                    "enter a number", "choose an option", "type selection number", "selection number", "pick a number",
                    "请选择", "請選擇", "输入编号", "選択してください", "番号を入力", "ihre wahl", "auswahl"});
}

bool is_pager(std::string_view line) {
  return contains_any(line, {"--more--", "-- more --", "---- more ----", "--- more ---", "<--- more --->", "--更多--",
                             "--続ける--", "--mehr--", "(end)", "<space> page", "press 'q' to quit", "press h for help",
                             "--more or (q)uit--"}) ||
         line == ":" || (line.starts_with("lines ") && contains_any(line, {"-"}) && line.size() < 40) ||
         line.starts_with("manual page ");
}

bool is_continuation(std::string_view line) {
  if (equals_any(line, {">", "...", "->", "'>", "\">", "`>", "...>"})) return true;
  // zsh names what is open; tcsh asks for loop bodies.
  for (const std::string_view word :
       {"quote>",      "dquote>",    "bquote>", "cmdsubst>", "heredoc>", "for>",     "if>",       "then>",
        "else>",       "while>",     "until>",  "pipe>",     "subsh>",   "cursh>",   "function>", "case>",
        "braceparam>", "mathsubst>", "array>",  "cmdand>",   "cmdor>",   "foreach?", "while?"}) {
    if (line == word || line.ends_with(std::string(" ") + std::string(word))) return true;
  }
  return false;
}

/// The last character of a line, whole, in UTF-8.
std::string_view last_character(std::string_view text) {
  std::size_t from = text.size();
  while (from > 0) {
    --from;
    if ((static_cast<unsigned char>(text[from]) & 0xc0) != 0x80) break;
  }
  return text.substr(from);
}

bool device_name(std::string_view text) {
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.' || c == '/' || c == '(' || c == ')' || c == '*' || c == '~';
  });
}

/// `<HUAWEI>`, `[HUAWEI-GigabitEthernet0/0/1]`, `Router#`, `Switch(config-if)#`, `Switch>`.
bool is_device_prompt(std::string_view line) {
  if (line.size() < 3) return false;
  const std::string_view inside = line.substr(1, line.size() - 2);
  if (line.front() == '<' && line.back() == '>') return device_name(inside);
  if (line.front() == '[' && line.back() == ']') return device_name(inside);
  const std::string_view name = line.substr(0, line.size() - 1);
  return (line.back() == '#' || line.back() == '>') && device_name(name) && name.find('.') == std::string_view::npos;
}

/// readline can show its mode before a prompt (show-mode-in-prompt): "(ins)sqlite> ", "(cmd)>>> ".
std::string_view without_mode(std::string_view line) {
  const auto text = line.substr(std::min(line.find_first_not_of(' '), line.size()));
  return text.starts_with("(ins)") || text.starts_with("(cmd)") ? text.substr(5) : line;
}

}  // namespace

Asking what_is_asked(std::string_view line) {
  const std::string text = base::lower_case(base::trimmed(line));
  if (text.empty() || text.size() > 512) return Asking::nothing;
  if (is_pager(text)) return Asking::pager;
  if (asks_yes_no(text)) return Asking::yes_no;
  if (asks_password(text)) return Asking::password;
  if (asks_key(text)) return Asking::key_press;
  if (asks_menu(text)) return Asking::menu;
  if (ends_with_any(text, {"login:", "username:", "user name:", "用户名:", "用户名：", "ユーザー名:", "benutzername:"}))
    return Asking::login;
  if (is_continuation(text)) return Asking::continuation;
  if (ends_with_any(text, {":", "：", "?", "？"})) return Asking::question;
  return Asking::nothing;
}

bool needs_person(Asking asking) {
  switch (asking) {
    case Asking::password:
    case Asking::yes_no:
    case Asking::key_press:
    case Asking::menu:
    case Asking::login:
      return true;
    default:
      return false;
  }
}

// The words of koko's message catalogues in all its languages, and of other bastions in English and Chinese.
Verdict bastion_verdict(std::string_view raw) {
  const std::string text = base::lower_case(raw);
  if (contains_any(text, {"is forbidden", "被禁止", "是禁止的", "禁止されて", "禁止执行", "금지되", "запрещена",
                          "está proibido", "está prohibido"}))
    return Verdict::forbidden;
  const bool question = contains_any(text, {"[y/n]", "[s/n]"});
  if (question &&
      contains_any(text, {"requires review", "需要复核", "需要復核", "需要複核", "需要审核", "需要審核", "レビュー",
                          "再確認が必要", "审批", "재검토가 필요", "검토해야", "требует проверки", "requer revisão",
                          "precisa de revisão", "necesita ser revisado", "requiere revisión"}))
    return Verdict::review_question;
  if (contains_any(text, {"please wait for", "please waiting for", "need ticket confirm", "ticket review", "等待审核",
                          "等待复核", "等待審核", "reviewers:", "审批人", "审核人", "審核人", "ticket url",
                          "チケットレビュ", "작업 검토자", "티켓 검토자", "revisor do ticket", "revisores do ticket",
                          "revisor del ticket", "revisores de tickets"}) ||
      raw.find("Утверждающий заявки") != std::string_view::npos)
    return Verdict::review_running;
  return question ? Verdict::confirm_question : Verdict::none;
}

bool bastion_forbids(std::string_view raw) {
  constexpr std::string_view kRed = "\033[31m", kEnd = "\n\r\033[0m";
  for (auto red = raw.find(kRed); red != std::string_view::npos; red = raw.find(kRed, red + 1)) {
    const bool hangs_up = raw.substr(0, red).ends_with("\n\r");
    const std::string_view said = raw.substr(red + kRed.size());
    const auto end = said.find('\033');
    if (!hangs_up && end != std::string_view::npos && end > 2 && said.substr(end - 2).starts_with(kEnd)) return true;
  }
  return false;
}

bool bastion_asks(std::string_view last_line) {
  const std::string text = base::lower_case(base::trimmed(last_line));
  return ends_with_any(text, {"[y/n]", "[y/n]?", "[s/n]", "[s/n]?"});
}

bool looks_like_prompt(std::string_view line) {
  const std::string_view text = base::trimmed(line);
  if (text.empty() || text.size() > 1024) return false;
  if (client_of(line) != Client::none) return true;
  return equals_any(last_character(text), {"$", "#", "%", ">", "❯", "➜", "»", "λ", "›", "→", "⟩", "▶", "", "❱", "†"});
}

Client client_of(std::string_view line) {
  line = without_mode(line);
  const std::string_view text = base::trimmed(line);
  if (text == "mysql>" || (text.starts_with("MariaDB [") && text.ends_with("]>")) || text.starts_with("mysql [") ||
      text == "MySQL>")
    return Client::mysql;
  if (text == "sqlite>" || text.ends_with("...>")) return Client::sqlite;
  if (text == ">>>" || text.starts_with("In [")) return Client::python;
  if (text.ends_with(">") && text.find_first_of(" \t@$~") == std::string_view::npos) {
    const std::string_view address = text.substr(0, text.size() - 1);
    const auto colon = address.rfind(':');
    if (text == "redis>" || text.starts_with("redis ")) return Client::redis;
    if (colon != std::string_view::npos && colon + 1 < address.size() &&
        address.find_first_not_of("0123456789[]", colon + 1) == std::string_view::npos)
      return Client::redis;
  }
  // psql: the state character sits before # or >: =, -, (, ', ", *, $ for continuations and transactions.
  if (text.size() > 2 && (text.back() == '#' || text.back() == '>') && line.ends_with(' ')) {
    const char state = text[text.size() - 2];
    const bool transaction = state == '*' && text[text.size() - 3] == '=';
    const std::string_view database = text.substr(0, text.size() - (transaction ? 3 : 2));
    if ((state == '=' || transaction) && device_name(database)) return Client::psql;
  }
  return is_device_prompt(text) && !line.ends_with(' ') ? Client::device : Client::none;
}

bool client_continuation(Client client, std::string_view line) {
  const std::string_view text = base::trimmed(without_mode(line));
  switch (client) {
    case Client::mysql:
      return equals_any(text, {"->", "'>", "\">", "`>", "/*>"});
    case Client::sqlite:
      return text == "...>";
    case Client::python:
      return text == "..." || text == "...:";
    case Client::psql:
      return text.size() > 2 && std::string_view("-('\"$*").find(text[text.size() - 2]) != std::string_view::npos &&
             text.find(' ') == std::string_view::npos && !text.ends_with("=*#") && !text.ends_with("=*>");
    default:
      return false;
  }
}

bool opens_prompt(std::string_view command) {
  static constexpr std::string_view kAlways[] = {
      "su",     "ssh",     "bash",      "zsh",     "sh",         "dash",  "ash",     "ksh",     "mksh",
      "fish",   "tcsh",    "csh",       "newgrp",  "sg",         "mysql", "mariadb", "psql",    "sqlite3",
      "python", "python3", "redis-cli", "telnet",  "mosh",       "rbash", "busybox", "mongosh", "ftp",
      "sftp",   "chroot",  "nsenter",   "unshare", "machinectl", "lxc",   "login"};
  const auto last = command.find_last_of(";|&\n");
  std::string_view rest = base::trimmed(last == std::string_view::npos ? command : command.substr(last + 1));
  const auto next_word = [&rest] {
    const auto end = rest.find_first_of(" \t");
    std::string_view word = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : base::trimmed(rest.substr(end));
    return word;
  };
  std::string_view word = next_word();
  while (word == "exec" || word == "env" || word == "command" || word == "nohup" || word == "time" ||
         word.find('=') != std::string_view::npos)
    word = next_word();
  if (word == "sudo" || word == "doas") {
    if (rest.find("-i") != std::string_view::npos || rest.find("-s") != std::string_view::npos) return true;
    while (!rest.empty() && (word = next_word()).starts_with('-')) {
    }
  }
  word = word.substr(word.rfind('/') == std::string_view::npos ? 0 : word.rfind('/') + 1);
  if (word == "docker" || word == "podman" || word == "kubectl" || word == "nerdctl" || word == "oc")
    return contains_any(rest, {"exec", "run", "attach", "debug"});
  return std::find(std::begin(kAlways), std::end(kAlways), word) != std::end(kAlways);
}

}  // namespace remote_exec
