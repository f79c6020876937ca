#include <algorithm>

#include "base/words.h"
#include "safety/credentials.h"
#include "safety/programs/judges.h"

namespace safety {
namespace {

bool all_known(std::span<const Argument> args) {
  return std::all_of(args.begin(), args.end(), [](const Argument& arg) { return arg.known && !arg.glob; });
}

using base::is_one_of;

}  // namespace

Judgement judge_top(const Invocation& call) {
  const auto options = read_options(call.args, "bcHiSn:d:o:p:u:U:w::s1E:e:", "");
  if (!options.problem.empty()) return changes(options.problem);
  if (options.has("b")) return reads("lists processes");
  return changes("top is interactive and can signal processes; use top -b -n 1");
}

Judgement judge_sysctl(const Invocation& call) {
  const auto options = read_options(call.args, "aAbeNnXdr:", "all binary ignore names values pattern= deprecated");
  if (!options.problem.empty()) return changes(options.problem);
  for (const auto* operand : options.operands) {
    if (!operand->known || operand->text.find('=') != std::string::npos) return changes("sets a kernel parameter");
  }
  return reads("shows kernel parameters");
}

Judgement judge_date(const Invocation& call) {
  const auto options = read_options(call.args, "d:f:I::Rr:u",
                                    "date= file= iso-8601? rfc-2822 rfc-email rfc-3339= reference= utc universal");
  if (!options.problem.empty()) return changes(options.problem);
  // Lines of -f that are no dates stand in its complaints.
  if (const auto found = credential_among(call.args); !found.empty()) return changes(found);
  for (const auto* operand : options.operands) {
    if (!operand->text.starts_with('+')) return changes("sets the clock");
  }
  return reads("shows the time");
}

Judgement judge_getent(const Invocation& call) {
  for (const auto& arg : call.args) {
    if (arg.known && (arg.text == "shadow" || arg.text == "gshadow")) return changes("would show password hashes");
  }
  if (call.args.empty() || !call.args[0].known) return changes("which database getent reads is computed");
  return reads("asks the name service");
}

Judgement judge_passwd(const Invocation& call) {
  const auto options = read_options(call.args, "Sa", "status all");
  const bool status = options.has("S") || options.has("--status");
  return options.problem.empty() && status ? reads("shows the state of a password") : changes("changes a password");
}

Judgement judge_kill(const Invocation& call) {
  if (!call.args.empty() && call.args[0].known) {
    const auto& first = call.args[0].text;
    if (is_one_of(first, {"-l", "-L", "--list", "--table"})) return reads("lists signals");
    if (first == "-0")
      return all_known(call.args) ? reads("asks whether a process exists") : changes("signals a process");
  }
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    const auto& text = call.args[i].text;
    if (text == "1" || (i > 0 && text == "-1")) return destroys("signals init or every process");
  }
  return changes("signals a process");
}

Judgement judge_shutdown(const Invocation& call) {
  if (only_asks_about_itself(call.args)) return reads();
  if (call.name == "shutdown" && call.args.size() == 1 && call.args[0].text == "-c")
    return changes("cancels a shutdown");
  if (call.name == "kexec") return destroys("starts another kernel");
  return destroys("stops or reboots the machine");
}

Judgement judge_crontab(const Invocation& call) {
  const auto options = read_options(call.args, "lu:reisT:", "");
  if (!options.problem.empty()) return changes(options.problem);
  if (options.has("r")) return destroys("removes all scheduled jobs");
  if (options.has("l") && !options.has("e") && options.operands.empty()) return reads("lists scheduled jobs");
  return changes("changes scheduled jobs");
}

Judgement judge_mount(const Invocation& call) {
  const auto options = read_options(call.args, "lt:vh", "show-labels types= verbose");
  if (!options.problem.empty()) return changes(options.problem);
  return options.operands.empty() ? reads("lists mounts") : changes("mounts a file system");
}

Judgement judge_stty(const Invocation& call) {
  for (const auto& arg : call.args) {
    if (!arg.known || !is_one_of(arg.text, {"-a", "--all", "-g", "--save", "size", "speed"}))
      return changes("changes how the terminal behaves");
  }
  return reads("shows terminal settings");
}

Judgement judge_partition(const Invocation& call) {
  if (!all_known(call.args)) return destroys("could repartition a disk");
  if (call.name == "parted") {
    const auto options = read_options(call.args, "lsmf", "list script machine");
    const bool print = std::any_of(options.operands.begin(), options.operands.end(),
                                   [](const Argument* a) { return a->text == "print"; });
    bool only = true;
    for (const auto* operand : options.operands) {
      only = only && (operand->text.starts_with("/dev/") ||
                      is_one_of(operand->text, {"print", "free", "all", "devices", "unit", "s", "GB", "GiB", "MiB",
                                                "MB", "B", "%", "list"}));
    }
    if (options.problem.empty() && only && (print || options.has("l") || options.has("--list")))
      return reads("lists partitions");
    return destroys("changes a partition table");
  }
  const auto options = read_options(call.args, "lxdpLo:su:b:J", "list dump show-size verify output= units= json print");
  if (options.problem.empty() &&
      (options.has("l") || options.has("--list") || options.has("d") || options.has("--dump") || options.has("p") ||
       options.has("--print") || options.has("s"))) {
    return reads("lists partitions");
  }
  return destroys("changes a partition table");
}

Judgement judge_filesystem(const Invocation& call) {
  const auto has = [&](std::string_view shorts, std::string_view needed) {
    const auto options = read_options(call.args, shorts, "");
    return options.problem.empty() &&
           std::any_of(needed.begin(), needed.end(), [&](char c) { return options.has(std::string(1, c)); });
  };
  const auto name = call.name;
  if (name == "xfs_info" || (name == "e2label" && call.args.size() == 1))
    return all_known(call.args) ? reads("shows a file system") : changes("looks at a computed device");
  if (name == "tune2fs" && has("l", "l")) return reads("shows a file system");
  if (name == "dumpe2fs" && (has("hbgo:x", "h") || call.args.size() == 1)) return reads("shows a file system");
  if ((name == "e2fsck" || name == "fsck" || name == "xfs_repair") && has("nNvft:", "nN"))
    return reads("checks a file system without repairing it");
  return destroys("can change or repair a file system in place");
}

Judgement judge_nvidia(const Invocation& call) {
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    const auto& arg = call.args[i];
    if (!arg.known) return changes("an argument is computed");
    const bool query =
        arg.text.starts_with("--query-") || arg.text.starts_with("--format=") || arg.text.starts_with("--help-query");
    if (query || is_one_of(arg.text, {"-q", "-L", "--list-gpus", "--query", "topo", "-m", "pmon", "dmon", "-x",
                                      "nvlink", "--status", "-s"}))
      continue;
    if (is_one_of(arg.text, {"-i", "-d", "-l", "-c", "--id", "--display", "--loop"}) && i + 1 < call.args.size()) {
      ++i;
      continue;
    }
    return changes(arg.text + " of nvidia-smi is not known to only read");
  }
  return reads("shows the GPUs");
}

Judgement judge_raid(const Invocation& call) {
  if (!all_known(call.args)) return changes("an argument is computed");
  // Controllers have one verb somewhere in the line; only lines made of these words are known to only show.
  bool shows = false;
  for (const auto& arg : call.args) {
    const auto& word = arg.text;
    if (word.find('=') != std::string::npos && !word.starts_with("slot="))
      return changes("sets something on the controller");
    for (const std::string_view bad : {"set", "add", "del", "clear", "start", "stop", "create", "remove", "erase",
                                       "init", "offline", "rebuild", "flash", "modify", "Cfg", "Adp"}) {
      if (word == bad || word.starts_with("-Cfg") || word.starts_with("-AdpSet") || word.starts_with("-PDOff") ||
          word.starts_with("-PDMake")) {
        return destroys("changes a disk array");
      }
    }
    shows = shows || is_one_of(word, {"show", "-PDList", "-LDInfo", "-AdpAllInfo", "-AdpBbuCmd", "getconfig", "info",
                                      "detail", "status", "-EncInfo", "-LdPdInfo"});
  }
  return shows ? reads("shows a disk array") : changes("is not known to only show");
}

}  // namespace safety
