#include "safety/rule_match.h"

#include <fnmatch.h>

#include <algorithm>

#include "base/words.h"
#include "safety/programs/program.h"

namespace safety {
namespace {

using base::is_one_of;
using Words = std::vector<std::string>;

/// Programs that read commands, or a language that can run them, in an argument or in their input.
bool reads_commands(std::string_view name) {
  return is_one_of(name, {"sh",    "bash", "dash",   "zsh",     "ksh",      "mksh",  "ash",    "fish", "tcsh",
                          "csh",   "eval", "python", "python2", "python3",  "perl",  "ruby",   "node", "nodejs",
                          "php",   "lua",  "su",     "runuser", "parallel", "watch", "script", "ssh",  "expect",
                          "tclsh", "gdb",  "at",     "batch",   "screen",   "tmux",  "socat",  "env",  "busybox"});
}

/// Programs that run programs, but whose arguments are first of all words of their own: `npm rm x`.
bool has_own_words(std::string_view name) {
  return is_one_of(name, {"npm", "go", "cargo", "java", "make", "crontab", "tmux", "screen", "gdb"});
}

/// Builtins that keep a text which the shell runs later; "=" stands for an assignment.
bool keeps_commands(std::string_view name) {
  return is_one_of(name, {"=", "alias", "trap", "export", "declare", "typeset", "readonly", "local", "abbr", "bind",
                          "complete", "function"});
}

std::string_view fixed_prefix(std::string_view pattern) {
  return pattern.substr(0, pattern.find_first_of("*?["));
}

/// One could be the beginning of the other.
bool agree(std::string_view a, std::string_view b) {
  return a.starts_with(b) || b.starts_with(a);
}

bool globs(const std::string& pattern, const std::string& text) {
  return ::fnmatch(pattern.c_str(), text.c_str(), FNM_NOESCAPE) == 0;
}

Match match_word(const std::string& pattern, const Argument& word) {
  if (word.known && !word.glob) return globs(pattern, word.text) ? Match::Yes : Match::No;
  const auto prefix = fixed_prefix(pattern);
  const bool fixed = prefix.size() == pattern.size();
  // The shell puts file names in the place of a glob, and the glob itself where there are none.
  if (word.known && fixed) return globs(word.text, pattern) ? Match::Maybe : Match::No;
  if (word.known) return agree(fixed_prefix(word.text), prefix) ? Match::Maybe : Match::No;
  if (!agree(word.text, prefix)) return Match::No;
  const bool fits =
      word.splits || !fixed || (pattern.size() >= word.text.size() + word.tail.size() && pattern.ends_with(word.tail));
  return fits ? Match::Maybe : Match::No;
}

/// A denial means every program of that name, wherever it lies.
Argument as_program(Argument word) {
  if (!word.known && word.tail.find('/') != std::string::npos && !word.splits) {
    word.known = true;
    word.text = word.tail;
  }
  word.text = base_name(word.text);
  return word;
}

bool is_option(const Argument& word) {
  return word.text.size() > 1 && word.text[0] == '-';
}

void raise(Match& match, Match other) {
  match = std::max(match, other);
}

/// Follows a rule's words through a command's, for every place at once where the rule may begin.
class Sequence {
 public:
  explicit Sequence(const Words& pattern)
      : pattern_(pattern),
        open_(pattern.back() == "*"),
        needed_(std::max<std::size_t>(1, pattern.size() - (open_ ? 1 : 0))),
        reached_(needed_ + 1, Match::No) {}

  void take(const Argument& word, bool may_begin) {
    std::vector<Match> next(needed_ + 1, Match::No);
    reached_[0] = may_begin ? Match::Yes : Match::No;
    for (std::size_t done = 0; done <= needed_; ++done) {
      if (reached_[done] == Match::No) continue;
      if (done < needed_) advance(next, done, word);
      if (done > 0) stay(next, done, word);
    }
    reached_ = std::move(next);
    if (open_) raise(found_, reached_[needed_]);
    after_option_ = is_option(word) && word.text.find('=') == std::string::npos;
  }

  /// After the last word.
  Match result() const { return open_ ? found_ : reached_[needed_]; }

 private:
  void advance(std::vector<Match>& next, std::size_t done, const Argument& word) const {
    const auto match =
        done == 0 ? match_word(base_name(pattern_[0]), as_program(word)) : match_word(pattern_[done], word);
    raise(next[done + 1], std::min(reached_[done], match));
    if (match == Match::No || !word.splits) return;
    for (auto more = done + 2; more <= needed_; ++more) raise(next[more], Match::Maybe);
  }

  /// Options, and what may be the value of one, stand between the words that the rule means.
  void stay(std::vector<Match>& next, std::size_t done, const Argument& word) const {
    const bool nothing = word.known && word.text.empty();
    if (is_option(word) || nothing || after_option_)
      raise(next[done], reached_[done]);
    else if (!word.known && (word.splits || word.may_be_option()))
      raise(next[done], Match::Maybe);
  }

  const Words& pattern_;
  bool open_;
  std::size_t needed_;
  std::vector<Match> reached_;  ///< By the number of the rule's words that were found.
  Match found_ = Match::No;
  bool after_option_ = false;
};

enum class Begins { AtFirst, Later };

Match match_sequence(const Words& pattern, const std::vector<Argument>& words, Begins begins) {
  Sequence sequence(pattern);
  for (std::size_t i = 0; i < words.size(); ++i) sequence.take(words[i], (i == 0) == (begins == Begins::AtFirst));
  return sequence.result();
}

/// Whether `name` stands in the text where a shell would take it for a program.
bool mentions_program(std::string_view text, std::string_view name) {
  if (name.empty()) return false;
  static constexpr std::string_view kBefore = " \t\n/'\";|&(`={", kAfter = " \t\n'\";|&)`<>}";
  for (auto at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
    const auto end = at + name.size();
    if ((at == 0 || kBefore.find(text[at - 1]) != std::string_view::npos) &&
        (end == text.size() || kAfter.find(text[end]) != std::string_view::npos))
      return true;
  }
  return false;
}

bool has_blank(const Argument& word) {
  return (word.text + word.tail).find_first_of(" \t\n") != std::string::npos;
}

bool is_plain_word(const Argument& word) {
  static constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=@%+,-";
  return word.known && word.text.find_first_not_of(kPlain) == std::string::npos;
}

/// A text among the arguments in which the rule's program is named. Once it is known what a program runs, only a text
/// of several words can hide more.
bool mentioned(const Words& pattern, const ProgramRun& run) {
  const auto name = std::string(fixed_prefix(base_name(pattern[0])));
  return std::any_of(run.words.begin(), run.words.end(), [&](const Argument& word) {
    return (!run.nested || has_blank(word)) && (mentions_program(word.text, name) || mentions_program(word.tail, name));
  });
}

}  // namespace

bool runs_programs(std::string_view name) {
  return is_one_of(name, {"sh",
                          "bash",
                          "dash",
                          "zsh",
                          "ksh",
                          "mksh",
                          "ash",
                          "fish",
                          "tcsh",
                          "csh",
                          "python",
                          "python2",
                          "python3",
                          "perl",
                          "ruby",
                          "node",
                          "nodejs",
                          "php",
                          "lua",
                          "awk",
                          "gawk",
                          "mawk",
                          "sed",
                          "eval",
                          "exec",
                          "source",
                          ".",
                          "command",
                          "builtin",
                          "sudo",
                          "doas",
                          "su",
                          "runuser",
                          "pkexec",
                          "env",
                          "xargs",
                          "parallel",
                          "nice",
                          "nohup",
                          "timeout",
                          "time",
                          "setsid",
                          "stdbuf",
                          "ionice",
                          "chrt",
                          "taskset",
                          "watch",
                          "script",
                          "flock",
                          "chroot",
                          "unshare",
                          "nsenter",
                          "busybox",
                          "ssh",
                          "find",
                          "make",
                          "vim",
                          "vi",
                          "emacs",
                          "ed",
                          "gdb",
                          "strace",
                          "expect",
                          "socat",
                          "nc",
                          "ncat",
                          "telnet",
                          "systemd-run",
                          "at",
                          "batch",
                          "crontab",
                          "screen",
                          "tmux",
                          "tclsh",
                          "java",
                          "go",
                          "cargo",
                          "npx",
                          "npm",
                          "ltrace",
                          "setpriv",
                          "prlimit",
                          "numactl",
                          "perf",
                          "bwrap",
                          "firejail",
                          "fakeroot",
                          "proot",
                          "setarch",
                          "toybox",
                          "systemd-inhibit",
                          "dbus-run-session",
                          "cpulimit",
                          "valgrind",
                          "sshpass",
                          "unbuffer",
                          "faketime",
                          "start-stop-daemon",
                          "daemonize",
                          "torsocks",
                          "proxychains",
                          "proxychains4",
                          "noglob",
                          "nocorrect"});
}

std::string base_name(std::string_view path) {
  const auto slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

Match match_run(const Words& pattern, const ProgramRun& run) {
  const auto direct = match_sequence(pattern, run.words, Begins::AtFirst);
  // Of what is proven to read only, it is also known what it runs.
  if (direct == Match::Yes || run.cls == CommandClass::ReadOnly) return direct;
  const auto& first = run.words[0];
  const bool computed = !first.known || first.glob;
  const auto name = computed ? std::string() : base_name(first.text);
  const auto later = match_sequence(pattern, run.words, Begins::Later);
  if (!computed && !runs_programs(name)) {
    // `docker rm x` runs no rm, but two words of a rule in a row are no accident.
    const bool several = pattern.size() > (pattern.back() == "*" ? 2 : 1);
    const bool runs = later == Match::Yes && (several || find_program(name) == nullptr);
    return runs || (keeps_commands(name) && mentioned(pattern, run)) ? Match::Maybe : direct;
  }
  if (later == Match::Yes) return has_own_words(name) ? Match::Maybe : Match::Yes;
  if (mentioned(pattern, run)) return Match::Maybe;
  if (run.nested) return direct;
  const bool text =
      (computed || reads_commands(name)) && !std::all_of(run.words.begin(), run.words.end(), is_plain_word);
  return run.fed || text || later == Match::Maybe ? Match::Maybe : direct;
}

}  // namespace safety
