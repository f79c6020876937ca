#include <algorithm>

#include "base/words.h"
#include "safety/programs/judges.h"

namespace safety {
namespace {

using base::is_one_of;

bool each_known(std::span<const Argument> args) {
  return std::all_of(args.begin(), args.end(), [](const Argument& arg) { return arg.known; });
}

}  // namespace

Judgement judge_systemctl(const Invocation& call) {
  if (only_asks_about_itself(call.args)) return reads();
  const auto options = read_options(
      call.args, "t:ap:P:ln:o:qrT",
      "type= state= all property= value full lines= output= quiet no-pager no-legend plain failed recursive reverse "
      "after before user system show-types with-dependencies no-ask-password timestamp= legend= marked "
      "show-transaction");
  // Changing options do not matter when the verb already decides.
  const Argument* verb = nullptr;
  for (const auto& arg : call.args) {
    if (arg.known && arg.text.starts_with('-')) continue;
    if (verb == nullptr && !is_one_of(arg.text, {"service", "timer", "socket", "failed", "running", "active", "mount"}))
      verb = &arg;
  }
  if (verb != nullptr && verb->known &&
      is_one_of(verb->text, {"poweroff", "reboot", "halt", "kexec", "soft-reboot", "rescue", "emergency", "suspend",
                             "hibernate", "hybrid-sleep", "exit", "switch-root"})) {
    return destroys("stops or reboots the machine");
  }
  if (!options.problem.empty()) return changes(options.problem);
  if (options.operands.empty()) return reads("lists units");
  if (!options.operands[0]->known) return changes("which systemctl command runs is computed");
  const auto& word = options.operands[0]->text;
  if (is_one_of(word, {"status", "show", "cat", "list-units", "list-unit-files", "list-timers", "list-sockets",
                       "list-dependencies", "list-jobs", "list-machines", "list-automounts", "list-paths", "is-active",
                       "is-enabled", "is-failed", "is-system-running", "get-default", "show-environment", "help"})) {
    return reads("shows units");
  }
  if (is_one_of(word, {"mask", "disable"})) return changes("keeps a service from starting");
  if (is_one_of(word, {"start", "stop", "restart", "reload", "try-restart", "reload-or-restart", "kill"}))
    return changes(word + "s a service");
  return changes("systemctl " + word + " changes units");
}

Judgement judge_service(const Invocation& call) {
  if (!each_known(call.args)) return changes("a computed argument could be start or stop");
  if (call.args.size() == 1 && is_one_of(call.args[0].text, {"--status-all", "--list", "-l"}))
    return reads("lists services");
  if (call.args.size() == 2 && call.args[1].text == "status") return reads("shows a service");
  return changes("starts, stops or changes a service");
}

Judgement judge_apache(const Invocation& call) {
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    const auto& arg = call.args[i];
    if (!arg.known || !is_one_of(arg.text, {"-t", "-S", "-M", "-v", "-V", "-l", "-L", "configtest", "status",
                                            "fullstatus", "-D", "DUMP_VHOSTS", "DUMP_MODULES", "DUMP_RUN_CFG"})) {
      return changes("controls the web server");
    }
  }
  return call.args.empty() ? changes("starts the web server") : reads("checks the web server's configuration");
}

Judgement judge_haproxy(const Invocation& call) {
  const auto options = read_options(call.args, "cvf:Vq", "");
  if (!options.problem.empty()) return changes(options.problem);
  if (!options.has("c") && !options.has("v")) return changes("starts a proxy server");
  for (const auto& option : options.options) {
    // Checking a configuration runs the Lua programs that it loads.
    const bool installed =
        option.value_known && option.value.starts_with("/etc/haproxy/") && option.value.find("..") == std::string::npos;
    if (option.name == "f" && !installed) return changes("loads a configuration from elsewhere, which can run code");
  }
  return reads("checks its configuration");
}

Judgement judge_postconf(const Invocation& call) {
  const auto options = read_options(call.args, "ndhmlMPpxfHvo", "");
  if (!options.problem.empty()) return changes(options.problem);
  for (const auto* operand : options.operands) {
    if (!operand->known || operand->text.find('=') != std::string::npos) return changes("sets a mail parameter");
  }
  return reads("shows mail parameters");
}

Judgement judge_kafka(const Invocation& call) {
  const auto options = read_options(
      call.args, "",
      "bootstrap-server= zookeeper= list describe topic= group= all-groups all-topics members state verbose offsets "
      "under-replicated-partitions unavailable-partitions entity-type= entity-name= all broker-list= topic-list= "
      "exclude-internal version");
  if (mentions(call.args, "--delete")) return destroys("deletes topics or groups");
  if (!options.problem.empty()) return changes(options.problem);
  const bool show = options.has("--list") || options.has("--describe") || call.name == "kafka-broker-api-versions.sh";
  return show ? reads("shows the broker") : changes("may change the broker");
}

Judgement judge_dpkg(const Invocation& call) {
  const auto options = read_options(
      call.args, "lLsSpcICVW",
      "list listfiles status search print-avail contents info audit verify get-selections print-architecture "
      "print-foreign-architectures compare-versions no-pager version");
  if (mentions(call.args, "-r") || mentions(call.args, "-P") || mentions(call.args, "--purge") ||
      mentions(call.args, "--remove"))
    return destroys("removes packages");
  if (!options.problem.empty() || options.options.empty()) return changes("installs or configures packages");
  return reads("asks the package database");
}

Judgement judge_apt_get(const Invocation& call) {
  const bool dry = mentions(call.args, "-s") || mentions(call.args, "--simulate") || mentions(call.args, "--dry-run") ||
                   mentions(call.args, "--just-print");
  const bool odd = std::any_of(call.args.begin(), call.args.end(), [](const Argument& arg) {
    return arg.text.starts_with("-o") || arg.text.starts_with("--option") || arg.text.starts_with("-c");
  });
  if (dry && !odd && each_known(call.args)) return reads("only shows what would be done");
  if (mentions(call.args, "remove") || mentions(call.args, "purge") || mentions(call.args, "autoremove") ||
      mentions(call.args, "autopurge"))
    return destroys("removes packages");
  if (call.name == "aptitude" && !call.args.empty() &&
      is_one_of(call.args[0].text, {"search", "show", "versions", "why", "why-not", "changelog"}) && !odd)
    return reads("asks about packages");
  if (call.args.size() >= 2 && is_one_of(call.args[0].text, {"changelog", "indextargets"}))
    return reads("asks about packages");
  return changes("installs or updates packages");
}

Judgement judge_rpm(const Invocation& call) {
  if (mentions(call.args, "-e") || mentions(call.args, "--erase")) return destroys("removes packages");
  const auto options =
      read_options(call.args, "qaVvilRfpcd",
                   "query all verify queryformat= qf= list info requires provides whatprovides whatrequires changelog "
                   "scripts last file package configfiles "
                   "docfiles state filesbypkg conflicts obsoletes nosignature nodigest eval-none checksig version");
  if (!options.problem.empty()) return changes("installs or changes packages");
  const bool asks = options.has("q") || options.has("V") || options.has("--query") || options.has("--verify") ||
                    options.has("--checksig");
  // -i alone installs; only together with -q it means information.
  return asks ? reads("asks the package database") : changes("installs or changes packages");
}

Judgement judge_pacman(const Invocation& call) {
  if (call.args.empty() || !each_known(call.args)) return changes("is not known to only read");
  const auto& first = call.args[0].text;
  if (first.starts_with("-Q") || first.starts_with("-F") || first == "-Ss" || first == "-Si" || first == "-Sl" ||
      first == "-Sg") {
    const bool clean = first.find('y') == std::string::npos;
    return clean ? reads("asks the package database") : changes("refreshes the package database");
  }
  return first.starts_with("-R") ? destroys("removes packages") : changes("installs or updates packages");
}

Judgement judge_interpreter(const Invocation& call) {
  if (only_asks_about_itself(call.args)) return reads();
  if (call.args.size() == 1 && call.args[0].known &&
      is_one_of(call.args[0].text, {"-V", "-v", "-version", "version"})) {
    const bool compiler_or_runtime = !is_one_of(call.name, {"perl", "make", "tclsh"}) || call.args[0].text == "-v";
    // `python -v` starts an interpreter that talks a lot; everywhere else these print a version.
    const bool python = call.name.starts_with("python") && call.args[0].text == "-v";
    if (compiler_or_runtime && !python && call.args[0].text != "version") return reads("asks about the program itself");
    if (call.name == "go" && call.args[0].text == "version") return reads("asks about the program itself");
  }
  if (call.name == "php" && call.args.size() == 1 && is_one_of(call.args[0].text, {"-m", "-i", "--ini"}))
    return reads("shows settings");
  if (call.name == "go" && !call.args.empty() && call.args[0].text == "env" && call.args.size() == 1)
    return reads("shows settings");
  if (call.name.starts_with("python") && call.args.size() >= 2 && call.args[0].text == "-m" &&
      call.args[1].text == "json.tool") {
    const auto options = read_options(call.args.subspan(2), "", "indent= sort-keys no-ensure-ascii json-lines compact");
    if (options.problem.empty() && options.operands.size() <= 1 && !options.unbounded) return reads("formats JSON");
  }
  if (call.around.decoded_input) return destroys("runs code that was fetched or decoded");
  return changes("runs a program written in " + std::string(call.name) + ", which can do anything");
}

Judgement judge_java_tools(const Invocation& call) {
  if (!each_known(call.args)) return changes("an argument is computed");
  if (call.name == "jps" || call.name == "jstat" || call.name == "jstack") return reads("looks at a Java process");
  if (call.name == "jinfo" && std::none_of(call.args.begin(), call.args.end(), [](const Argument& a) {
        return a.text.starts_with("-flag") && a.text != "-flags";
      })) {
    return reads("looks at a Java process");
  }
  if (call.name == "jcmd") {
    if (call.args.empty() || mentions(call.args, "-l")) return reads("lists Java processes");
    const auto& command = call.args.back().text;
    if (is_one_of(command, {"VM.version", "VM.flags", "VM.uptime", "VM.command_line", "VM.system_properties",
                            "Thread.print", "GC.heap_info", "help", "VM.native_memory", "GC.class_histogram"})) {
      return reads("looks at a Java process");
    }
  }
  return changes("may dump or pause a Java process");
}

}  // namespace safety
