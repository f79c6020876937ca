#include "tests/support/tmux.h"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <regex>

#include "tests/support/run_command.h"

namespace support {

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kLookAgainMs = 15;
constexpr const char* kTarget = "jms:0.0";

}  // namespace

Tmux::Tmux(const TestEnv& env, base::Size size)
    : environment_(env.variables()), directory_(env.home().path()), size_(size) {
  static std::atomic<int> count = 0;
  socket_ = "jms-test-" + std::to_string(::getpid()) + "-" + std::to_string(++count);
}

Tmux::~Tmux() {
  run({"kill-server"});
}

void Tmux::start(const std::vector<std::string>& argv) {
  // The options come first: they must hold when the window is made. `remain-on-exit` keeps the last screen.
  std::vector<std::string> arguments = {"start-server"};
  for (const std::vector<std::string>& option :
       std::vector<std::vector<std::string>>{{"default-terminal", "tmux-256color"},
                                             {"history-limit", "50000"},
                                             {"status", "off"},
                                             {"remain-on-exit", "on"},
                                             {"remain-on-exit-format", ""},
                                             {"escape-time", "0"}}) {
    arguments.insert(arguments.end(), {";", "set-option", "-g"});
    arguments.insert(arguments.end(), option.begin(), option.end());
  }
  arguments.insert(arguments.end(), {";", "new-session", "-d", "-s", "jms", "-c", directory_, "-x",
                                     std::to_string(size_.cols), "-y", std::to_string(size_.rows), "--"});
  arguments.insert(arguments.end(), argv.begin(), argv.end());
  run(arguments);
}

void Tmux::send_keys(const std::vector<std::string>& keys) {
  std::vector<std::string> arguments = {"send-keys", "-t", kTarget, "--"};
  arguments.insert(arguments.end(), keys.begin(), keys.end());
  run(arguments);
}

void Tmux::type(std::string_view text) {
  run({"send-keys", "-t", kTarget, "-l", "--", std::string(text)});
}

void Tmux::send_raw(std::string_view bytes) {
  run({"load-buffer", "-", ";", "paste-buffer", "-r", "-d", "-t", kTarget}, bytes);
}

void Tmux::paste(std::string_view text) {
  run({"load-buffer", "-", ";", "paste-buffer", "-r", "-p", "-d", "-t", kTarget}, text);
}

void Tmux::resize(base::Size size) {
  size_ = size;
  run({"resize-window", "-t", "jms:0", "-x", std::to_string(size.cols), "-y", std::to_string(size.rows)});
}

std::string Tmux::capture(Part part, Look look) {
  std::vector<std::string> arguments = {"capture-pane", "-p", "-t", kTarget};
  if (part == Part::with_history) arguments.insert(arguments.end(), {"-S", "-"});
  if (look == Look::with_escapes) arguments.push_back("-e");
  return run(arguments);
}

std::string Tmux::ask(std::string_view format) {
  std::string answer = run({"display-message", "-p", "-t", kTarget, std::string(format)});
  if (answer.ends_with('\n')) answer.pop_back();
  return answer;
}

bool Tmux::wait_until(const std::function<bool()>& done, std::chrono::milliseconds limit) {
  const auto deadline = Clock::now() + limit;
  while (!done()) {
    if (Clock::now() >= deadline) return false;
    ::poll(nullptr, 0, kLookAgainMs);
  }
  return true;
}

bool Tmux::wait_for_text(const std::string& pattern, std::chrono::milliseconds limit) {
  const std::regex expression(pattern, std::regex::ECMAScript | std::regex::multiline);
  return wait_until([&] { return std::regex_search(capture(), expression); }, limit);
}

void Tmux::settle() {
  std::string before = capture(Part::screen, Look::with_escapes);
  int same = 0;
  wait_until([&] {
    std::string now = capture(Part::screen, Look::with_escapes);
    same = now == before ? same + 1 : 0;
    before = std::move(now);
    return same >= 4;
  });
}

int Tmux::wait_for_exit(std::chrono::milliseconds limit) {
  const auto status_known = [this] {
    const std::string state = ask("#{pane_dead}#{pane_dead_status}#{pane_dead_signal}");
    // tmux may see the terminal closed before it hears how the program ended, and 3.3 sometimes never hears it: the
    // program stays a zombie until the next SIGCHLD.
    if (state == "1") ::kill(std::stoi(ask("#{pid}")), SIGCHLD);
    return state.size() > 1;
  };
  if (!wait_until(status_known, limit)) return -1;
  const std::string signal_number = ask("#{pane_dead_signal}");
  if (!signal_number.empty() && signal_number != "0") return 128 + std::stoi(signal_number);
  const std::string code = ask("#{pane_dead_status}");
  return code.empty() ? -1 : std::stoi(code);
}

std::string Tmux::run(std::vector<std::string> arguments, std::string_view input) {
  arguments.insert(arguments.begin(), {"tmux", "-u", "-L", socket_, "-f", "/dev/null"});
  return run_command({.argv = std::move(arguments), .environment = environment_, .input = std::string(input)}).out;
}

}  // namespace support
