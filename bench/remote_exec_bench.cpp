// What framing costs: a framed `true` against the bare round trips of typing `true` on the same pty, and a flood
// through filter and recorder against the same flood passed through. Prints one line for each figure.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <vector>

#include "event/event_loop.h"
#include "remote_exec/exec_session.h"
#include "transport/pty_transport.h"

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

double micros(Clock::duration duration) {
  return std::chrono::duration<double, std::micro>(duration).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::unique_ptr<transport::PtyTransport> launch(event::EventLoop& loop, std::vector<std::string> argv) {
  return std::move(
      *transport::PtyTransport::launch(loop, {.argv = std::move(argv),
                                              .environment = {"PS1=$ ", "TERM=xterm-256color", "HISTFILE=/dev/null"},
                                              .size = {24, 80}}));
}

/// Types `text`, waits until what came back ends with `until`.
double bare_exchange(event::EventLoop& loop, transport::Transport& pty, std::string& seen, std::string_view text,
                     const std::function<bool()>& done) {
  seen.clear();
  const auto begun = Clock::now();
  pty.send(text);
  loop.run_until(done, milliseconds(5000));
  return micros(Clock::now() - begun);
}

struct Bare {
  double at_once = 0;    ///< `true` and Enter in one message.
  double with_echo = 0;  ///< `true`, its echo, Enter.
  double same_line = 0;  ///< A line as long as the framed one, its echo, Enter: what the shell's own editor takes.
};

Bare bench_bare(const std::vector<std::string>& argv) {
  event::EventLoop loop;
  auto pty = launch(loop, argv);
  std::string seen;
  pty->start({[&](std::string_view bytes) { seen += bytes; }, [](transport::Closed) {}, {}});
  const auto prompt = [&] { return seen.ends_with("$ ") || seen.ends_with("\033[?2004h") || seen.ends_with("# "); };
  loop.run_until(prompt, milliseconds(3000));
  std::vector<double> once, twice, longer;
  const std::string padded = " true; command printf ''; command printf '' " + std::string(70, 'x') + "z";
  const auto typed = [&](const std::string& line) {
    const double echo = bare_exchange(loop, *pty, seen, line, [&] {
      return seen.find(line.back()) != std::string::npos && seen.size() >= line.size();
    });
    return echo + bare_exchange(loop, *pty, seen, "\r", prompt);
  };
  for (int i = 0; i < 300; ++i) {
    once.push_back(
        bare_exchange(loop, *pty, seen, "true\r", [&] { return prompt() && seen.find('\n') != std::string::npos; }));
    twice.push_back(typed("true"));
    longer.push_back(typed(padded));
  }
  return {median(once), median(twice), median(longer)};
}

double bench_framed(const std::vector<std::string>& argv, bool with_prompt) {
  event::EventLoop loop;
  remote_exec::ExecSession session(loop, launch(loop, argv), {.size = {24, 80}});
  session.start();
  std::vector<double> times;
  for (int i = 0; i < 300; ++i) {
    bool done = false;
    const auto begun = Clock::now();
    session.run({.command = "true"}, {{}, {}, [&](remote_exec::CommandResult) { done = true; }});
    loop.run_until([&] { return done && (!with_prompt || session.shell().idle()); }, milliseconds(5000));
    if (i > 2) times.push_back(micros(Clock::now() - begun));
    loop.run_until([&] { return session.shell().idle(); }, milliseconds(5000));
  }
  return median(times);
}

/// Bytes per second of a 100 MB flood from a pty: read only, with the screen model, and framed.
double flood_rate(bool screen_too) {
  event::EventLoop loop;
  auto pty = launch(loop, {"sh", "-c", "seq 1 11900000"});
  terminal::Screen screen({.size = {24, 80}});
  std::size_t total = 0;
  bool closed = false;
  const auto begun = Clock::now();
  pty->start({[&](std::string_view bytes) {
                total += bytes.size();
                if (screen_too) screen.write(bytes);
              },
              [&](transport::Closed) { closed = true; },
              {}});
  loop.run_until([&] { return closed; }, milliseconds(120'000));
  return static_cast<double>(total) / micros(Clock::now() - begun);
}

double framed_flood_rate() {
  event::EventLoop loop;
  remote_exec::ExecSession session(loop, launch(loop, {"bash", "--norc", "--noprofile"}), {.size = {24, 80}});
  session.start();
  bool done = false;
  session.run({.command = "true"}, {{}, {}, [&](remote_exec::CommandResult) { done = true; }});
  loop.run_until([&] { return done; }, milliseconds(5000));
  std::optional<remote_exec::CommandResult> result;
  const auto begun = Clock::now();
  session.run({.command = "seq 1 11900000", .timeout = milliseconds(120'000)},
              {{}, {}, [&](remote_exec::CommandResult r) { result = std::move(r); }});
  loop.run_until([&] { return result.has_value(); }, milliseconds(120'000));
  const double rate = static_cast<double>(result->total_bytes) / micros(Clock::now() - begun);
  return rate * 9 / 8;  // The tty adds a carriage return to each 8-byte line; count the same bytes as the others.
}

}  // namespace

int main() {
  const std::vector<std::pair<const char*, std::vector<std::string>>> shells = {
      {"bash", {"bash", "--norc", "--noprofile"}}, {"dash", {"dash", "-i"}}, {"zsh", {"zsh", "-f"}}};
  for (const auto& [name, argv] : shells) {
    const Bare bare = bench_bare(argv);
    const double framed = bench_framed(argv, false);
    const double to_prompt = bench_framed(argv, true);
    std::printf(
        "%s: bare `true` %.0f us at once, %.0f us with its echo awaited; a bare line as long as ours %.0f us; framed "
        "%.0f us to the result, %.0f us to the next prompt; %.2fx of bare with echo, %.2fx of the same line\n",
        name, bare.at_once, bare.with_echo, bare.same_line, framed, to_prompt, to_prompt / bare.with_echo,
        to_prompt / bare.same_line);
  }
  const double bytes_only = flood_rate(false);
  const double passed = flood_rate(true);
  const double framed = framed_flood_rate();
  std::printf(
      "100 MB: bytes only %.0f MB/s, passed through to the screen model %.0f MB/s, framed and recorded %.0f MB/s "
      "(%.2f of pass-through)\n",
      bytes_only, passed, framed, framed / passed);
}
