// What framing costs: a framed `true` against the bare round trips of typing `true` on the same pty, and a flood
// through filter and recorder against the same flood passed through. Prints one line for each figure.
#include <sys/resource.h>

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

/// The tenth percentile: on a busy machine the middle tells of the others.
double typical(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 10];
}

double cpu_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](timeval t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6; };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
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

/// A shell driven by hand: bytes typed, bytes awaited.
struct ByHand {
  ByHand(event::EventLoop& shared, const std::vector<std::string>& argv) : loop(shared), pty(launch(shared, argv)) {
    pty->start({[this](std::string_view bytes) { seen += bytes; }, [](transport::Closed) {}, {}});
    loop.run_until([this] { return at_prompt(); }, milliseconds(3000));
  }
  bool at_prompt() const { return seen.ends_with("$ ") || seen.ends_with("\033[?2004h") || seen.ends_with("# "); }
  double run(const std::string& line) {
    const double echo = bare_exchange(loop, *pty, seen, line, [&] {
      return seen.size() >= line.size() && seen.find(line.back()) != std::string::npos;
    });
    return echo + bare_exchange(loop, *pty, seen, "\r", [&] { return at_prompt(); });
  }

  event::EventLoop& loop;
  std::unique_ptr<transport::PtyTransport> pty;
  std::string seen;
};

void bench_shell(const char* name, const std::vector<std::string>& argv) {
  event::EventLoop loop;
  ByHand hand(loop, argv);
  remote_exec::ExecSession session(loop, launch(loop, argv), {.size = {24, 80}});
  session.start();
  const std::string as_long = " true; command printf ''; command printf '' " + std::string(74, 'x') + "z";
  std::vector<double> bare, same_line, framed;
  for (int i = 0; i < 400; ++i) {  // In turns, so that all three meet the same neighbours.
    bare.push_back(hand.run("true"));
    same_line.push_back(hand.run(as_long));
    bool done = false;
    const auto begun = Clock::now();
    session.run({.command = "true"}, {{}, {}, [&](remote_exec::CommandResult) { done = true; }});
    loop.run_until([&] { return done && session.shell().idle(); }, milliseconds(5000));
    if (i > 2) framed.push_back(micros(Clock::now() - begun));
  }
  std::printf(
      "%s: `true` by hand (typed, echo awaited, Enter, prompt) %.0f us; a line as long as ours by hand %.0f us; framed "
      "to the next prompt %.0f us: %.2fx and %.2fx\n",
      name, typical(bare), typical(same_line), typical(framed), typical(framed) / typical(bare),
      typical(framed) / typical(same_line));
}

/// Megabytes per second of a 100 MB flood from a pty, by the wall clock and by our own processor time.
struct Rate {
  double wall = 0;
  double cpu = 0;
};
constexpr double kFloodBytes = 105'988'895;  // What `seq 1 11900000` writes, with the carriage returns of the tty.

template <typename Work>
Rate measure(Work&& work) {
  const auto begun = Clock::now();
  const double cpu = cpu_seconds();
  work();
  return {kFloodBytes / micros(Clock::now() - begun), kFloodBytes / 1e6 / (cpu_seconds() - cpu)};
}

Rate passed_through() {
  return measure([] {
    event::EventLoop loop;
    auto pty = launch(loop, {"seq", "1", "11900000"});
    terminal::Screen screen({.size = {24, 80}});
    bool closed = false;
    pty->start({[&](std::string_view bytes) { screen.write(bytes); }, [&](transport::Closed) { closed = true; }, {}});
    loop.run_until([&] { return closed; }, milliseconds(240'000));
  });
}

Rate framed_flood() {
  event::EventLoop loop;
  remote_exec::ExecSession session(loop, launch(loop, {"bash", "--norc", "--noprofile"}), {.size = {24, 80}});
  session.start();
  const auto run = [&](const char* command) {
    bool done = false;
    session.run({.command = command, .timeout = milliseconds(240'000)},
                {{}, {}, [&](remote_exec::CommandResult) { done = true; }});
    loop.run_until([&] { return done; }, milliseconds(250'000));
  };
  run("true");
  return measure([&] { run("seq 1 11900000"); });
}

}  // namespace

int main() {
  bench_shell("bash", {"bash", "--norc", "--noprofile"});
  bench_shell("dash", {"dash", "-i"});
  bench_shell("zsh", {"zsh", "-f"});
  const Rate passed = passed_through();
  const Rate framed = framed_flood();
  std::printf(
      "100 MB of short lines: to the screen model %.0f MB/s (%.0f per second of our cpu), framed and recorded as well "
      "%.0f MB/s (%.0f): %.2f and %.2f\n",
      passed.wall, passed.cpu, framed.wall, framed.cpu, framed.wall / passed.wall, framed.cpu / passed.cpu);
}
