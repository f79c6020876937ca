#include <fnmatch.h>

#include <algorithm>

#include "safety/credentials.h"
#include "safety/paths.h"
#include "safety/programs/judges.h"
#include "safety/word_list.h"

namespace safety {
namespace {

/// Tests and actions of find that only look, and how many arguments each takes.
constexpr std::string_view kFindNone =
    " -print -print0 -ls -prune -quit -depth -d -follow -mount -xdev -noleaf -empty -executable -readable "
    "-writable -nouser -nogroup -true -false -not -and -a -or -o -daystart -warn -nowarn -ignore_readdir_race "
    "-noignore_readdir_race ! ( ) , ";
constexpr std::string_view kFindOne =
    " -name -iname -path -ipath -wholename -iwholename -regex -iregex -lname -ilname -type -xtype -size -mtime "
    "-ctime -atime -mmin -cmin -amin -newer -anewer -cnewer -newermt -newerct -newerat -newermm -user -group "
    "-uid -gid -perm -links -inum -samefile -fstype -maxdepth -mindepth -used -context -printf -regextype "
    "-D -flags ";

/// `-name 'id_*'`: patterns for names that keys and passwords stand under. One that any name fits says nothing.
bool finds_credentials(std::span<const Argument> args) {
  return std::any_of(args.begin(), args.end(), [](const Argument& arg) {
    if (arg.text.find_first_not_of("*?.") == std::string::npos || arg.text.find('/') != std::string::npos) return false;
    static constexpr const char* kNames[] = {"id_rsa",      "id_ed25519", "id_ecdsa", "shadow",
                                             "credentials", "environ",    ".env"};
    return std::any_of(std::begin(kNames), std::end(kNames),
                       [&](const char* name) { return ::fnmatch(arg.text.c_str(), name, FNM_CASEFOLD) == 0; });
  });
}

/// `-exec cmd … ;`: judges cmd, moves `at` to the terminator.
Judgement judge_find_exec(const Invocation& call, std::size_t& at) {
  std::vector<Argument> words;
  for (++at; at < call.args.size(); ++at) {
    const auto& arg = call.args[at];
    if (arg.known && (arg.text == ";" || (arg.text == "+" && !words.empty() && words.back().tail == "{}"))) {
      auto inner = call.nested.judge_command(words);
      if (inner.cls != CommandClass::ReadOnly) inner.reason = "find runs a program: " + inner.reason;
      if (auto found = credential_among(call.args); inner.cls == CommandClass::ReadOnly && !found.empty())
        return changes(found);
      if (inner.cls == CommandClass::ReadOnly && finds_credentials(call.args))
        return changes("would show credentials that it finds by name");
      return inner;
    }
    const bool name = arg.known && arg.text.find("{}") != std::string::npos;
    // Names that find gives begin with the starting point, so they are never options.
    words.push_back(name ? Argument{.known = false, .operand_only = true, .computed = true, .tail = "{}"} : arg);
    if (name && words.size() == 1) words[0].operand_only = false;
  }
  return changes("find -exec is not closed");
}

bool recursive(const Options& options) {
  return options.has("r") || options.has("R") || options.has("--recursive");
}

}  // namespace

Judgement judge_find(const Invocation& call) {
  Judgement worst = reads("looks for files");
  bool in_expression = false;
  for (std::size_t i = 0; i < call.args.size(); ++i) {
    const auto& arg = call.args[i];
    if (arg.may_be_option()) return changes("a computed argument of find could be an action such as -delete");
    const auto& word = arg.text;
    const bool leading = !in_expression && (word == "-H" || word == "-L" || word == "-P");
    if (leading) continue;
    in_expression = in_expression || word.starts_with('-') || word == "!" || word == "(";
    if (!in_expression) continue;
    if (!arg.known) return changes("an argument of find is computed");
    if (word == "-delete") return destroys("find deletes what it finds");
    if (word == "-exec" || word == "-execdir") {
      const auto inner = judge_find_exec(call, i);
      if (inner.cls > worst.cls) worst = inner;
    } else if (listed(kFindOne, word)) {
      ++i;
    } else if (word.starts_with("-newer")) {
      ++i;
    } else if (!listed(kFindNone, word)) {
      const bool runs = word == "-ok" || word == "-okdir";
      const auto sentence = runs ? "find runs a program" : word + " of find writes a file or is not known";
      if (worst.cls == CommandClass::ReadOnly) worst = changes(sentence);
    }
  }
  return worst;
}

/// wc and du only count, but with --files0-from they complain of each name in a file that there is no such file.
Judgement judge_counter(const Invocation& call) {
  for (const auto& arg : call.args)
    if (arg.text.starts_with("--fi")) return changes("would show what stands in a list of names");
  return judge_by_row(*find_program(call.name), call);
}

Judgement judge_rm(const Invocation& call) {
  if (only_asks_about_itself(call.args)) return reads();
  const auto options = read_options(call.args, "", "", kAnyOption);
  if (recursive(options)) return destroys("removes directories with all they hold");
  for (const auto* operand : options.operands) {
    if (operand->glob || !operand->known) return destroys("removes files that are not named one by one");
    if (is_precious_path(operand->text)) return destroys("removes " + operand->text);
  }
  return changes("removes a file");
}

Judgement judge_dd(const Invocation& call) {
  for (const auto& arg : call.args) {
    if (!arg.known || arg.glob) return destroys("dd with computed arguments could overwrite anything");
    if (arg.text.starts_with("of=")) {
      const auto target = std::string_view(arg.text).substr(3);
      if (target == "/dev/null") continue;
      return is_device(target) ? destroys("dd overwrites the device " + std::string(target))
                               : destroys("dd overwrites a file");
    }
    if (arg.text.starts_with("if=") && is_credential_path(std::string_view(arg.text).substr(3)))
      return changes("would show credentials");
  }
  return mentions(call.args, "of=/dev/null") ? reads("reads and drops the data") : changes("dd copies raw data");
}

Judgement judge_chmod(const Invocation& call) {
  if (only_asks_about_itself(call.args)) return reads();
  const auto options = read_options(call.args, "", "", kAnyOption);
  for (const auto* operand : options.operands) {
    const bool root = operand->known && (operand->text == "/" || operand->text == "/*" || operand->text == "/etc" ||
                                         operand->text == "/usr");
    if (root && recursive(options)) return destroys("changes permissions of the whole system");
  }
  return changes("changes owners or permissions");
}

Judgement judge_tee(const Invocation& call) {
  if (call.name == "tee") {
    const auto options = read_options(call.args, "aip", "append ignore-interrupts output-error?");
    const bool to_null = options.problem.empty() &&
                         std::all_of(options.operands.begin(), options.operands.end(), [](const Argument* file) {
                           return file->known && (file->text == "/dev/null" || file->text == "/dev/stderr");
                         });
    if (to_null) return reads("copies its input");
    for (const auto* file : options.operands) {
      if (is_persistence_path(file->text))
        return destroys("writes " + file->text + ", which decides who gets in or what starts");
    }
  }
  return changes("writes files");
}

Judgement judge_tar(const Invocation& call) {
  auto args = std::vector<Argument>(call.args.begin(), call.args.end());
  // The first argument may be a cluster without a dash.
  if (!args.empty() && args[0].known && !args[0].text.starts_with('-')) args[0].text.insert(0, 1, '-');
  const auto options =
      read_options(args, "tvzjJaf:C:RX:T:O",
                   "list verbose gzip bzip2 xz zstd auto-compress file= directory= "
                   "wildcards no-wildcards exclude= strip-components= full-time utc numeric-owner lzma lzip");
  if (!options.problem.empty()) return changes(options.problem);
  if (options.has("t") || options.has("--list")) return reads("lists an archive");
  return changes("tar makes or unpacks an archive");
}

Judgement judge_gzip(const Invocation& call) {
  const auto options =
      read_options(call.args, "cdtlvkqfnNT:0123456789",
                   "stdout to-stdout decompress uncompress test list verbose keep quiet force threads=");
  if (!options.problem.empty()) return changes(options.problem);
  const bool test = options.has("t") || options.has("l") || options.has("--test") || options.has("--list");
  const bool to_stdout = options.has("c") || options.has("--stdout") || options.has("--to-stdout");
  if (test) return reads("tests or lists an archive");
  const bool from_pipe = options.operands.empty() && call.around.piped_input;
  if (to_stdout || from_pipe) {
    const auto found = credential_among(call.args);
    return found.empty() ? reads("writes to its output only") : changes(found);
  }
  return changes("replaces files by their packed or unpacked form");
}

Judgement judge_unzip(const Invocation& call) {
  const auto options = read_options(call.args, "ltvZpqzx:1hmsT", "");
  if (!options.problem.empty()) return changes(options.problem);
  for (const char* only : {"l", "t", "v", "Z", "p", "z"}) {
    if (options.has(only)) return reads("looks into an archive");
  }
  return changes("unpacks an archive");
}

}  // namespace safety
