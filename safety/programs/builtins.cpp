// What shells do themselves.
#include <algorithm>

#include "safety/programs/judges.h"
#include "safety/programs/program_tables.h"

namespace safety {
namespace {

constexpr Program kBuiltinPrograms[] = {
    {.names = "true false :", .reason = "does nothing", .traits = kAnyOption},
    {.names = "echo", .reason = "prints its arguments", .traits = kAnyOption},
    {.names = "sleep", .reason = "waits", .traits = kAnyOption},
    {.names = "pwd jobs dirs times wait break continue type", .reason = "asks the shell", .traits = kAnyOption},
    {.names = "cd pushd popd", .judge = judge_cd},
    {.names = "printf", .judge = judge_printf},
    {.names = "test [", .judge = judge_test},
    {.names = "read", .judge = judge_read},
    {.names = "local", .judge = judge_assignment_builtin},
    {.names = "export declare typeset readonly", .judge = judge_assignment_builtin},
    {.names = "set", .judge = judge_set},
    {.names = "shopt setopt unsetopt", .judge = judge_set},
    {.names = "alias", .judge = judge_alias},
    {.names = "history fc", .judge = judge_history},
    {.names = "hash", .judge = judge_hash},
    {.names = "trap", .judge = judge_trap_like},
    {.names = "bind complete compopt", .judge = judge_trap_like},
    {.names = "compgen", .judge = judge_trap_like},
    {.names = "ulimit umask", .judge = judge_ulimit},
    {.names = "eval", .judge = judge_eval},
    {.names = "source .", .judge = judge_source},
    {.names = "exec", .judge = judge_exec},
    {.names = "exit logout return", .cls = kChanges, .reason = "would end the session's shell"},
    {.names = "unset unalias shift getopts let mapfile readarray disown bg fg suspend enable coproc fork abbr funcsave",
     .cls = kChanges,
     .reason = "changes the session's shell"},
    {.names = "sh bash dash zsh ksh mksh ash fish tcsh csh rbash pwsh", .judge = judge_shell},
};

}  // namespace

std::span<const Program> shell_builtins() {
  return kBuiltinPrograms;
}

Judgement judge_cd(const Invocation& call) {
  for (const auto& arg : call.args) {
    if (arg.text.ends_with(".ssh") || arg.text.ends_with(".gnupg") || arg.text.ends_with("/private") ||
        arg.text.ends_with(".aws") || arg.text.ends_with(".kube")) {
      return changes("goes where credentials are kept");
    }
  }
  return reads("changes the working directory");
}

Judgement judge_printf(const Invocation& call) {
  if (!call.args.empty() && (call.args[0].may_be_option() || call.args[0].text.starts_with("-v")))
    return changes("sets a variable");
  return reads("prints its arguments");
}

Judgement judge_test(const Invocation& call) {
  for (const auto& arg : call.args) {
    // -v evaluates the subscript of what it is given.
    if (arg.known && arg.text == "-v") return changes("evaluates a variable's name");
    // ksh and zsh work out numbers here as they do in $(( )), commands in subscripts included.
    if (arg.known && (arg.text.find("$(") != std::string::npos || arg.text.find('`') != std::string::npos))
      return changes("may run the command inside a subscript");
    // `[ a > b ]` is a redirection and is judged as one; a quoted sign is a comparison.
  }
  return reads("tests a condition");
}

Judgement judge_read(const Invocation& call) {
  const auto options = read_options(call.args, "rsep:t:n:N:d:u:i:", "");
  if (!options.problem.empty()) return changes(options.problem);
  for (const auto* name : options.operands) {
    if (!name->known || name->text.find_first_of("[$`") != std::string::npos)
      return changes("the variable's name is computed");
    const auto& text = name->text;
    if (std::any_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; }) && text != "REPLY")
      return changes("sets " + text);
  }
  return reads("reads a line");
}

Judgement judge_assignment_builtin(const Invocation& call) {
  if (call.args.empty()) return reads("shows variables");
  const auto shows = std::all_of(call.args.begin(), call.args.end(), [](const Argument& arg) {
    return arg.known && (arg.text == "-p" || arg.text == "-f" || arg.text == "-F" || arg.text == "-x");
  });
  const bool named = call.args.size() == 2 && call.args[0].text == "-p" && call.args[1].known &&
                     call.args[1].text.find_first_of("=[") == std::string::npos;
  if (named || (shows && call.name != "local")) return reads("shows variables");
  return changes("sets variables that later commands see");
}

Judgement judge_set(const Invocation& call) {
  if (call.name == "set")
    return call.args.empty() ? reads("shows variables") : changes("changes how the session's shell works");
  const auto options = read_options(call.args, "pqo", "");
  if (call.name == "shopt" && options.problem.empty()) return reads("shows shell options");
  return changes("changes how the session's shell works");
}

Judgement judge_alias(const Invocation& call) {
  for (const auto& arg : call.args) {
    if (!arg.known || arg.text.find('=') != std::string::npos) return changes("changes what a command name means");
  }
  return reads("shows aliases");
}

Judgement judge_history(const Invocation& call) {
  if (call.name == "fc") {
    const bool lists = !call.args.empty() && call.args[0].known && call.args[0].text.starts_with("-l");
    return lists ? reads("shows the history") : changes("runs commands from the history again");
  }
  const bool count = call.args.empty() || (call.args.size() == 1 && call.args[0].known &&
                                           call.args[0].text.find_first_not_of("0123456789") == std::string::npos);
  return count ? reads("shows the history") : changes("changes the history");
}

Judgement judge_hash(const Invocation& call) {
  const bool shows = call.args.empty() || (call.args.size() == 1 && call.args[0].known && (call.args[0].text == "-l"));
  return shows ? reads("shows remembered commands") : changes("changes remembered commands");
}

Judgement judge_trap_like(const Invocation& call) {
  if (call.name == "compgen") {
    for (const auto& arg : call.args) {
      if (!arg.known ||
          (arg.text.starts_with("-") && arg.text.find_first_not_of("-abcdefgjksuvA") != std::string::npos))
        return changes("may run a function");
      if (arg.text == "-C" || arg.text == "-F" || arg.text == "-W") return changes("may run a command");
    }
    return reads("lists names");
  }
  const bool shows = call.args.size() == 1 && call.args[0].known &&
                     (call.args[0].text == "-p" || call.args[0].text == "-l" || call.args[0].text == "-P");
  return shows || (call.args.empty() && call.name == "trap") ? reads("asks the shell")
                                                             : changes("changes what the session's shell runs later");
}

Judgement judge_ulimit(const Invocation& call) {
  for (const auto& arg : call.args) {
    const bool option = arg.known && arg.text.starts_with('-');
    if (!option) return changes("sets a limit of the session's shell");
  }
  return reads("shows a limit");
}

Judgement judge_eval(const Invocation& call) {
  std::string script;
  for (const auto& arg : call.args) {
    if (!arg.known)
      return call.around.decoded_input ? destroys("runs decoded text") : changes("runs text that is computed");
    script += arg.text + " ";
  }
  if (script.empty()) return reads("does nothing");
  return call.nested.judge_script(script);
}

Judgement judge_source(const Invocation& call) {
  for (const auto& arg : call.args) {
    if (arg.text.starts_with("/dev/")) return destroys("runs text that another command makes");
  }
  return changes("runs a file in the session's shell");
}

Judgement judge_exec(const Invocation& call) {
  if (call.args.empty()) return changes("redirects the session's shell");
  const auto options = read_options(call.args, "cla:", "", kOperandEnds);
  if (!options.problem.empty()) return changes(options.problem);
  return at_least_changes(call.nested.judge_command(call.args.subspan(options.first_operand)),
                          "replaces the session's shell");
}

Judgement judge_shell(const Invocation& call) {
  if (only_asks_about_itself(call.args)) return reads();
  if (call.args.empty()) {
    if (call.around.decoded_input) return destroys("runs commands that were fetched or decoded");
    return changes(call.around.piped_input || call.around.here_doc_input ? "runs commands from its input"
                                                                         : "opens another shell");
  }
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    const auto& arg = call.args[i];
    if (!arg.known) return changes("which commands the shell runs is computed");
    if (arg.text == "-n") return changes("checks a script");
    if (arg.text.starts_with("--")) {
      if (arg.text == "--login" || arg.text == "--norc" || arg.text == "--noprofile" || arg.text == "--posix") continue;
      return changes("the option " + arg.text + " of the shell is not known");
    }
    if (!arg.text.starts_with('-') || arg.text.size() < 2) break;
    if (arg.text == "-o" || arg.text == "-O") {
      ++i;
      continue;
    }
    if (arg.text.find_first_not_of("-celxuif") != std::string::npos) break;
    if (arg.text.find('c') == std::string::npos) continue;
    if (i + 1 >= call.args.size()) break;
    const auto& script = call.args[i + 1];
    if (!script.known) return destroys("runs commands that another command prints");
    if (arg.text.find('i') != std::string::npos)
      return at_least_changes(call.nested.judge_script(script.text), "starts an interactive shell");
    // Further arguments are data for $0, $1, …, which count as unknown anyway.
    return call.nested.judge_script(script.text);
  }
  if (call.around.decoded_input) return destroys("runs commands that were fetched or decoded");
  for (const auto& arg : call.args) {
    if (arg.text.starts_with("/dev/fd/") || arg.text.starts_with("/dev/stdin"))
      return destroys("runs commands that another command makes");
  }
  return changes("runs a script");
}

}  // namespace safety
