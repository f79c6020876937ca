#include "local_exec/interactive.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "shell/parser.h"
#include "vt/tokenizer.h"

namespace local_exec {
namespace {

struct Program {
  std::string_view name;
  std::string_view unless;  ///< An argument with which it needs no terminal after all.
  std::string_view hint;
};

constexpr std::string_view kEditor = "editors need a terminal; read files with cat or sed -n, change them with sed";
constexpr std::string_view kPager = "pagers need a terminal; use cat, head or tail";
constexpr std::string_view kMonitor = "it draws on a terminal; use `ps aux` or `top -b -n 1`";
constexpr std::string_view kRemote = "it opens a session; use execute_command for the connected host";
constexpr std::string_view kPassword = "it asks for a password; nobody can type one here";

constexpr Program kPrograms[] = {
    {"vi", "", kEditor},
    {"vim", "", kEditor},
    {"nvim", "", kEditor},
    {"view", "", kEditor},
    {"nano", "", kEditor},
    {"pico", "", kEditor},
    {"emacs", "--batch", kEditor},
    {"mcedit", "", kEditor},
    {"vimdiff", "", kEditor},
    {"joe", "", kEditor},
    {"less", "", kPager},
    {"more", "", kPager},
    {"most", "", kPager},
    {"top", "-b", kMonitor},
    {"htop", "", kMonitor},
    {"atop", "", kMonitor},
    {"btop", "", kMonitor},
    {"iotop", "-b", kMonitor},
    {"nmon", "", kMonitor},
    {"ncdu", "-o", kMonitor},
    {"mc", "", kMonitor},
    {"nmtui", "", kMonitor},
    {"fzf", "-f", kMonitor},
    {"watch", "", "it never ends; run the command itself"},
    {"ssh", "BatchMode=yes",
     "it may ask for a password; use execute_command for the connected host, or -o BatchMode=yes"},
    {"telnet", "", kRemote},
    {"mosh", "", kRemote},
    {"ftp", "", kRemote},
    {"sftp", "-b", kRemote},
    {"tmux", "", "it needs a terminal; run the command itself"},
    {"screen", "", "it needs a terminal; run the command itself"},
    {"passwd", "", kPassword},
    {"su", "", kPassword},
    {"sudo", "-n", "it may ask for a password; use `sudo -n`"},
    {"visudo", "", kEditor},
    {"crontab", "-l", "it opens an editor; only `crontab -l` works here"},
};
constexpr std::array<std::string_view, 12> kWrappers = {"env",  "nohup",   "nice",   "timeout", "time", "ionice",
                                                        "exec", "command", "setsid", "stdbuf",  "sudo", "doas"};

std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0.
}

/// The first program of a command that needs a terminal.
const Program* judge(const std::vector<std::string>& words) {
  // Behind a wrapper, the first known program among the words counts: options differ too much to be parsed here.
  const bool wrapped =
      !words.empty() && std::find(kWrappers.begin(), kWrappers.end(), base_name(words[0])) != kWrappers.end();
  for (std::size_t i = 0; i < (wrapped ? words.size() : std::min<std::size_t>(words.size(), 1)); ++i)
    for (const auto& program : kPrograms) {
      if (base_name(words[i]) != program.name) continue;
      const bool excused = !program.unless.empty() &&
                           std::any_of(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end(),
                                       [&](const std::string& word) { return word.starts_with(program.unless); });
      if (!excused) return &program;
    }
  return nullptr;
}

const Program* walk(const shell::Node& node, int depth) {
  if (depth > 100) return nullptr;
  if (node.kind == shell::NodeKind::Simple) {
    std::vector<std::string> words;
    for (const auto& word : node.words) words.push_back(word.literal().value_or(""));
    if (const Program* found = judge(words)) return found;
  }
  for (const auto& child : node.children)
    if (const Program* found = walk(child, depth + 1)) return found;
  return nullptr;
}

/// Collects the lines as they stand after carriage returns and backspaces.
class Lines final : public vt::LineSink {
 public:
  void text(std::string_view run) override {
    return_carriage();
    text_ += run;
  }
  void control(char byte) override {
    if (byte != '\n' && byte != '\r') return_carriage();
    returning_ = byte == '\r';
    if (byte == '\b' && text_.size() > line_) text_.pop_back();
    if (byte == '\n' || byte == '\t') text_ += byte;
    if (byte == '\n') line_ = text_.size();
  }
  void sequence(const vt::Sequence&) override { return_carriage(); }

  std::string take() { return std::move(text_); }

 private:
  /// Only what follows on the same line overwrites it.
  void return_carriage() {
    if (std::exchange(returning_, false)) text_.resize(line_);
  }

  std::string text_;
  std::size_t line_ = 0;  ///< Where the last line begins.
  bool returning_ = false;
};

}  // namespace

std::string needs_terminal(std::string_view command) {
  const Program* found = walk(shell::parse(command).script, 0);
  return found ? "`" + std::string(found->name) + "` cannot run here: " + std::string(found->hint) : std::string();
}

std::string interactive_program(std::string_view command) {
  const Program* found = walk(shell::parse(command).script, 0);
  return found ? std::string(found->name) : std::string();
}

std::string readable(std::string_view output) {
  Lines lines;
  vt::Tokenizer tokens;
  tokens.feed(output, lines);
  tokens.finish(lines);
  return lines.take();
}

}  // namespace local_exec
