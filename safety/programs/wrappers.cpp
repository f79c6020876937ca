// Programs that run another program: the inner one decides, once the wrapper's own options are understood.
#include <algorithm>

#include "safety/credentials.h"
#include "safety/programs/judges.h"
#include "safety/programs/program_tables.h"

namespace safety {
namespace {

constexpr Program kWrapperPrograms[] = {
    {.names = "sudo doas", .judge = judge_sudo},
    {.names = "su runuser", .judge = judge_su},
    {.names = "pkexec", .cls = kChanges, .reason = "runs a program as another user"},
    {.names = "env", .judge = judge_env},
    {.names = "printenv", .reason = "shows the environment", .traits = kAnyOption},
    {.names = "command builtin", .judge = judge_command_word},
    {.names = "xargs", .judge = judge_xargs},
    {.names = "watch", .judge = judge_watch},
    {.names = "nsenter", .judge = judge_nsenter},
    {.names = "busybox toybox", .judge = judge_busybox},
    {.names = "nice", .shorts = "n:", .longs = "adjustment=", .traits = kNumbers, .judge = judge_simple_wrapper},
    {.names = "timeout",
     .shorts = "k:s:v",
     .longs = "kill-after= signal= preserve-status foreground verbose",
     .judge = judge_simple_wrapper},
    {.names = "time", .shorts = "pv", .longs = "portability verbose", .judge = judge_simple_wrapper},
    {.names = "stdbuf", .shorts = "i:o:e:", .longs = "input= output= error=", .judge = judge_simple_wrapper},
    {.names = "ionice", .shorts = "c:n:t", .longs = "class= classdata= ignore", .judge = judge_simple_wrapper},
    {.names = "chrt", .shorts = "fbiorv", .longs = "batch idle other fifo rr", .judge = judge_simple_wrapper},
    {.names = "taskset", .shorts = "ac", .longs = "all-tasks cpu-list", .judge = judge_simple_wrapper},
    {.names = "setsid", .shorts = "w", .longs = "wait", .judge = judge_simple_wrapper},
    {.names = "noglob nocorrect", .judge = judge_simple_wrapper},
    {.names = "nohup", .judge = judge_changing_wrapper},
    {.names = "flock",
     .shorts = "sxonw:E:F",
     .longs = "shared exclusive nonblock timeout= close",
     .judge = judge_changing_wrapper},
    {.names = "chroot", .longs = "userspec= groups= skip-chdir", .judge = judge_changing_wrapper},
    {.names = "unshare",
     .shorts = "mnpuiUrfC",
     .longs = "mount net pid fork map-root-user mount-proc?",
     .judge = judge_changing_wrapper},
    {.names = "parallel", .shorts = "j:kX", .longs = "jobs= keep-order bar", .judge = judge_changing_wrapper},
    {.names = "script", .cls = kChanges, .reason = "writes a file of what is shown, and runs a shell"},
    {.names = "expect sshpass proxychains proxychains4 torsocks unbuffer faketime valgrind start-stop-daemon daemonize "
              "dtach",
     .cls = kChanges,
     .reason = "runs another program"},
};

/// Whether the wrapper takes a fixed number of operands of its own before the command.
std::size_t own_operands(std::string_view name) {
  if (name == "timeout" || name == "flock" || name == "chroot" || name == "taskset" || name == "chrt") return 1;
  return 0;
}

Judgement judge_wrapped(const Invocation& call, std::string_view shorts, std::string_view longs,
                        unsigned traits = kPlain) {
  const auto options = read_options(call.args, shorts, longs, traits | kOperandEnds);
  if (!options.problem.empty()) {
    // Whatever the option means, what follows may be worse than that.
    for (std::size_t i = 0; i < call.args.size(); ++i) {
      if (!call.args[i].known || call.args[i].text.starts_with('-')) continue;
      const auto inner = call.nested.judge_command(call.args.subspan(i));
      return at_least_changes(inner, options.problem);
    }
    return changes(options.problem);
  }
  const auto first = options.first_operand + own_operands(call.name);
  if (first >= call.args.size()) return changes(std::string(call.name) + " names no command");
  return call.nested.judge_command(call.args.subspan(first));
}

std::string joined(std::span<const Argument> args, bool& known) {
  std::string script;
  for (const auto& arg : args) {
    known = known && arg.known;
    script += arg.text + " ";
  }
  return script;
}

}  // namespace

std::span<const Program> wrapper_programs() {
  return kWrapperPrograms;
}

Judgement judge_simple_wrapper(const Invocation& call) {
  if (only_asks_about_itself(call.args)) return reads();
  const auto* program = find_program(call.name);
  if (call.name == "taskset" || call.name == "ionice" || call.name == "chrt") {
    // With -p and one number they only ask.
    const auto asks = read_options(call.args, "pcam", "pid cpu-list all-tasks max");
    const bool pid = asks.has("p") || asks.has("--pid");
    if (asks.problem.empty() && (pid || asks.has("m")) && asks.operands.size() <= 1 && !asks.unbounded)
      return reads("shows a process's scheduling");
    if (asks.problem.empty() && pid) return changes("changes a process's scheduling");
  }
  return judge_wrapped(call, program->shorts, program->longs, program->traits);
}

Judgement judge_changing_wrapper(const Invocation& call) {
  const auto* program = find_program(call.name);
  const auto inner = judge_wrapped(call, program->shorts, program->longs, program->traits);
  if (call.name == "nohup") return at_least_changes(inner, "nohup leaves the command running and writes nohup.out");
  if (call.name == "flock") return at_least_changes(inner, "flock takes a lock, making the file if needed");
  return at_least_changes(inner, std::string(call.name) + " runs a program in a changed environment");
}

Judgement judge_sudo(const Invocation& call) {
  if (only_asks_about_itself(call.args)) return reads();
  const auto options = read_options(call.args, call.name == "doas" ? "nu:s" : "nu:g:HESlkKvVisbp:r:t:T:C:D:",
                                    "non-interactive user= group= set-home preserve-env? stdin list validate "
                                    "version login shell background prompt= reset-timestamp remove-timestamp",
                                    kOperandEnds);
  if (!options.problem.empty()) return judge_wrapped(call, "", "");
  if (options.has("l") || options.has("--list") || options.has("V") || options.has("--version"))
    return reads("shows what sudo allows");
  auto words = call.args.subspan(options.first_operand);
  Judgement worst = reads();
  while (!words.empty() && words[0].known && words[0].text.find('=') != std::string::npos &&
         !words[0].text.starts_with('/')) {
    const auto equals = words[0].text.find('=');
    auto one = call.nested.judge_assignment(words[0].text.substr(0, equals),
                                            Argument{.text = words[0].text.substr(equals + 1)});
    if (one.cls > worst.cls) worst = std::move(one);
    words = words.subspan(1);
  }
  if (words.empty())
    return changes(options.has("i") || options.has("s") ? "opens a shell as another user"
                                                        : "changes sudo's memory of the password");
  auto inner = call.nested.judge_command(words);
  if (options.has("b") || options.has("--background"))
    inner = at_least_changes(inner, "leaves a command running as another user");
  return inner.cls >= worst.cls ? inner : worst;
}

Judgement judge_su(const Invocation& call) {
  std::string script;
  bool found = false;
  std::size_t user = 0;
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    const auto& arg = call.args[i];
    if (!arg.known) return changes("runs a computed command as another user");
    if (arg.text == "-c" || arg.text == "--command") {
      if (++i >= call.args.size() || !call.args[i].known) return changes("runs a computed command as another user");
      script = call.args[i].text;
      found = true;
    } else if (arg.text == "-s" || arg.text == "-u" || arg.text == "-g" || arg.text == "-G") {
      ++i;
    } else if (arg.text == "--") {
      return at_least_changes(call.nested.judge_command(call.args.subspan(i + 1)), "runs a command as another user");
    } else if (arg.text.starts_with("-") && arg.text != "-" && arg.text != "-l" && arg.text != "--login") {
      return changes("the option " + arg.text + " is not known");
    } else if (!arg.text.starts_with("-") && ++user > 1) {
      return at_least_changes(call.nested.judge_command(call.args.subspan(i)), "runs a command as another user");
    }
  }
  if (!found) return changes("opens a shell as another user");
  return call.nested.judge_script(script);
}

Judgement judge_env(const Invocation& call) {
  if (only_asks_about_itself(call.args)) return reads();
  const auto options = read_options(call.args, "iu:0C:v", "ignore-environment unset= null chdir= debug", kOperandEnds);
  if (!options.problem.empty()) return judge_wrapped(call, "", "");
  auto words = call.args.subspan(options.first_operand);
  Judgement worst = reads("shows the environment");
  while (!words.empty() && words[0].text.find('=') != std::string::npos) {
    const auto equals = words[0].text.find('=');
    auto one = call.nested.judge_assignment(
        words[0].text.substr(0, equals), Argument{.text = words[0].text.substr(equals + 1), .known = words[0].known});
    if (one.cls > worst.cls) worst = std::move(one);
    words = words.subspan(1);
  }
  if (words.empty()) return worst;
  auto inner = call.nested.judge_command(words);
  return inner.cls >= worst.cls ? inner : worst;
}

Judgement judge_command_word(const Invocation& call) {
  const auto options = read_options(call.args, "vVp", "", kOperandEnds);
  if (!options.problem.empty()) return changes(options.problem);
  if (options.has("v") || options.has("V")) return reads("asks what a name means");
  if (options.first_operand >= call.args.size()) return reads("does nothing");
  return call.nested.judge_command(call.args.subspan(options.first_operand));
}

Judgement judge_xargs(const Invocation& call) {
  const auto options = read_options(
      call.args, "0rtn:L:P:I:d:s:a:E:xi::l::",
      "null no-run-if-empty verbose max-args= max-lines? max-procs= replace? delimiter= max-chars= arg-file= exit",
      kOperandEnds);
  if (!options.problem.empty()) return judge_wrapped(call, "", "");
  const auto* replace = options.find("I");
  if (replace == nullptr) replace = options.find("i");
  if (replace == nullptr) replace = options.find("--replace");
  const std::string mark = replace == nullptr ? "" : replace->value.empty() ? "{}" : replace->value;
  std::vector<Argument> words;
  for (const auto& arg : call.args.subspan(options.first_operand)) {
    const auto at = mark.empty() ? std::string::npos : arg.text.find(mark);
    if (at == std::string::npos) {
      words.push_back(arg);
    } else {
      words.push_back({.text = arg.text.substr(0, at),
                       .known = false,
                       .computed = true,
                       .tail = arg.text.substr(at + mark.size())});
    }
  }
  const bool secrets =
      call.around.credential_names || !credential_among(call.args.first(options.first_operand)).empty();
  if (words.empty()) return secrets ? changes("would show credentials") : reads("prints its input as arguments");
  if (mark.empty()) words.push_back({.known = false, .splits = true, .computed = true});
  const auto inner = call.nested.judge_command(words);
  return secrets ? at_least_changes(inner, "would show credentials") : inner;
}

Judgement judge_watch(const Invocation& call) {
  const auto options =
      read_options(call.args, "n:dtegcxpbw",
                   "interval= differences? no-title errexit chgexit color exec precise beep no-wrap", kOperandEnds);
  if (!options.problem.empty()) return judge_wrapped(call, "", "");
  const auto words = call.args.subspan(options.first_operand);
  if (words.empty()) return changes("watch names no command");
  if (options.has("x") || options.has("--exec")) return call.nested.judge_command(words);
  bool known = true;
  const auto script = joined(words, known);
  return known ? call.nested.judge_script(script)
               : at_least_changes(call.nested.judge_command(words), "runs a computed command");
}

Judgement judge_nsenter(const Invocation& call) {
  const auto options =
      read_options(call.args, "t:nuipmCUra", "target= net? uts? ipc? pid? mount? cgroup? user? all", kOperandEnds);
  if (!options.problem.empty()) return judge_wrapped(call, "", "");
  const auto words = call.args.subspan(options.first_operand);
  if (words.empty()) return changes("opens a shell inside another namespace");
  const auto inner = call.nested.judge_command(words);
  const bool files =
      options.has("m") || options.has("--mount") || options.has("a") || options.has("--all") || options.has("r");
  return files ? at_least_changes(inner, "runs code that lies inside a container") : inner;
}

Judgement judge_busybox(const Invocation& call) {
  if (call.args.empty() || only_asks_about_itself(call.args) || call.args[0].text == "--list")
    return reads("lists applets");
  return call.nested.judge_command(call.args);
}

}  // namespace safety
