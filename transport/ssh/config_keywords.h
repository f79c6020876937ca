#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace transport {

/// What the arguments of an ssh_config keyword look like.
enum class ValueKind {
  text,     ///< One word.
  command,  ///< The rest of the line as it stands.
  jump,     ///< A chain of hosts, or `none`.
  words,    ///< Several words, the first line that sets them wins whole.
  flag,     ///< yes or no.
  number,
  time,  ///< Seconds, or 1h30m, or none.
  port,
  choice,    ///< One of the words named with the keyword.
  identity,  ///< Adds up over lines.
  send_env,  ///< Adds up over lines, `-` removes.
  set_env,
  ignore_unknown,
  host,
  match,
  include,
  openssh_only,  ///< Honoured by the system's ssh alone; setting it chooses that engine.
  ignored,       ///< ssh knows it, we do nothing with it.
};

struct Keyword {
  std::string_view name;  ///< What the value is stored under: the main name of an alias.
  ValueKind kind;
  std::string_view choices;  ///< For `choice`: "yes no ask", "=" after an alias gives its meaning ("true=yes").
};

/// The keyword of that (lower-case) name, or null when ssh does not know it either.
const Keyword* find_keyword(std::string_view name);

/// Checks the words of one line and brings them into their stored form (aliases of choices resolved, times in
/// seconds). The error says what is wrong, without file and line.
base::Result<std::vector<std::string>> check_values(const Keyword& keyword, std::vector<std::string> words);

/// "90", "1m30s", "2h" in seconds; nothing when it is no time.
base::Result<int> parse_config_time(std::string_view text);
/// 1 to 65535, or the name of a service. 0 when it is neither.
int parse_port(const std::string& text);

}  // namespace transport
