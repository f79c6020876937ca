#include "safety/variable_names.h"

#include <algorithm>
#include <iterator>

namespace safety {

bool is_lower_name(std::string_view name) {
  return std::none_of(name.begin(), name.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

bool is_special_lower(std::string_view name) {
  static constexpr std::string_view kListened[] = {"path",
                                                   "fpath",
                                                   "cdpath",
                                                   "manpath",
                                                   "mailpath",
                                                   "module_path",
                                                   "watch",
                                                   "psvar",
                                                   "fignore",
                                                   "prompt",
                                                   "histchars",
                                                   "status",
                                                   "argv",
                                                   "term",
                                                   "shell",
                                                   "home",
                                                   "cwd",
                                                   "precmd_functions",
                                                   "preexec_functions",
                                                   "chpwd_functions",
                                                   "http_proxy",
                                                   "https_proxy",
                                                   "ftp_proxy",
                                                   "all_proxy",
                                                   "no_proxy",
                                                   "histfile",
                                                   "fish_function_path",
                                                   "fish_user_paths",
                                                   "autologout",
                                                   "precmd",
                                                   "cwdcmd",
                                                   "savehist",
                                                   "history"};
  return std::find(std::begin(kListened), std::end(kListened), name) != std::end(kListened);
}

bool is_harmless_setting(std::string_view name) {
  static constexpr std::string_view kHarmless[] = {"LANG",
                                                   "LANGUAGE",
                                                   "TZ",
                                                   "COLUMNS",
                                                   "LINES",
                                                   "TERM",
                                                   "NO_COLOR",
                                                   "CLICOLOR",
                                                   "LS_COLORS",
                                                   "GREP_COLORS",
                                                   "GREP_COLOR",
                                                   "PGHOST",
                                                   "PGPORT",
                                                   "PGUSER",
                                                   "PGDATABASE",
                                                   "PGPASSWORD",
                                                   "PGCONNECT_TIMEOUT",
                                                   "MYSQL_PWD",
                                                   "REDISCLI_AUTH",
                                                   "SYSTEMD_COLORS",
                                                   "DEBIAN_FRONTEND",
                                                   "POSIXLY_CORRECT",
                                                   "ETCDCTL_API",
                                                   "AWS_PROFILE",
                                                   "AWS_REGION",
                                                   "AWS_DEFAULT_REGION",
                                                   "BLOCKSIZE",
                                                   "BLOCK_SIZE",
                                                   "DF_BLOCK_SIZE",
                                                   "TIME_STYLE",
                                                   "S_COLORS",
                                                   "S_TIME_FORMAT"};
  return name.starts_with("LC_") || std::find(std::begin(kHarmless), std::end(kHarmless), name) != std::end(kHarmless);
}

}  // namespace safety
