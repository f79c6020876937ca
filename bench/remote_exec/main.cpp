// What framing costs. A framed `true` against the same word typed by hand into the same shell, on a pty and over the
// same ssh, and against `ssh host true` on an open ControlMaster connection; 100 MB of output through filter and
// recorder against the same flood passed through. Medians; the parties take turns, so that all meet the same
// neighbours.
#include <cstdio>
#include <exception>
#include <memory>
#include <vector>

#include "bench/remote_exec/far_away.h"
#include "bench/remote_exec/flood.h"
#include "bench/remote_exec/framed.h"
#include "bench/remote_exec/ssh_host.h"
#include "bench/remote_exec/typist.h"
#include "bench/support/rows.h"
#include "transport/pty_transport.h"

namespace {

using bench::Better;
using bench::Framed;
using bench::Goal;
using bench::median;
using bench::Of;
using bench::Typist;
using Figures = std::vector<double>;

constexpr const char* kEnvironment = "PS1='$ ' HISTFILE=/dev/null";

std::unique_ptr<transport::Transport> launch(event::EventLoop& loop, std::vector<std::string> argv) {
  auto launched = transport::PtyTransport::launch(
      loop, {.argv = std::move(argv), .environment = {"TERM=xterm-256color"}, .size = {24, 80}});
  if (!launched) throw std::runtime_error(launched.error().message);
  return std::move(*launched);
}

std::unique_ptr<transport::Transport> open_pty(event::EventLoop& loop, const std::string& command) {
  return launch(loop, {"sh", "-c", command});
}

/// The steps of framed commands, in µs.
struct Steps {
  Figures prepare, echo, start, run, result, prompt, all;
  std::size_t letters = 0;

  void note(const Framed::Times& times) {
    prepare.push_back(times.typed);
    echo.push_back(times.echoed - times.typed);
    start.push_back(times.started - times.echoed);
    run.push_back(times.ended - times.started);
    result.push_back(times.result - times.ended);
    prompt.push_back(times.prompt - times.result);
    all.push_back(times.prompt);
  }
  void print(const std::string& title, const Figures& hand_echo, const Figures& hand_prompt) const {
    bench::print_steps(title, "µs",
                       {{"letters typed", static_cast<double>(letters)},
                        {"line made, sent", median(prepare)},
                        {"its echo seen, Enter", median(echo)},
                        {"to the start mark", median(start)},
                        {"to the end mark", median(run)},
                        {"result handed over", median(result)},
                        {"next prompt known", median(prompt)},
                        {"in all", median(all)},
                        {"by hand: echo of true", median(hand_echo)},
                        {"by hand: Enter to prompt", median(hand_prompt)}});
  }
};

/// The figures of one shell in one place.
struct Figured {
  Figures one_go, hand, hand_echo, hand_prompt, long_line, master;
  Steps framed, hooked;
};

Figured measure(const bench::OpenShell& open, const std::string& shell, int rounds, const bench::SshHost* host) {
  const std::string command = std::string("exec env ") + kEnvironment + " " + shell;
  event::EventLoop loop;
  Typist typist(loop, open(loop, command));
  Framed framed(loop, open(loop, command), false);
  Framed hooked(loop, open(loop, command), true);
  framed.run("true");  // The first ones find out which shell this is.
  hooked.run("true");
  Figured figures;
  figures.framed.letters = framed.line_length();
  figures.hooked.letters = hooked.line_length();
  // As many letters as jms types, the last of them a new one; a comment, so that nothing else is run.
  const std::string as_long = "true #" + std::string(framed.line_length() - 7, '-') + "@";
  for (int i = 0; i < rounds; ++i) {
    figures.one_go.push_back(typist.enter("true"));
    const auto by_hand = typist.type_then_enter("true");
    figures.hand.push_back(by_hand.total());
    figures.hand_echo.push_back(by_hand.echo);
    figures.hand_prompt.push_back(by_hand.prompt);
    if (!shell.starts_with("zsh")) figures.long_line.push_back(typist.type_then_enter(as_long).total());
    figures.framed.note(framed.run("true"));
    if (hooked.framing() == "hook") figures.hooked.note(hooked.run("true"));
    if (host != nullptr && i % 4 == 0) figures.master.push_back(host->over_control_master("true"));
  }
  return figures;
}

void report(const std::string& where, const Figured& figures) {
  const double framed = median(figures.framed.all);
  const auto row = [&](const std::string& peer, const Figures& other, std::optional<Goal> goal) {
    bench::print({"framed true, " + where, "µs", framed, peer, median(other), Better::lower, goal});
  };
  row("by hand", figures.hand, Goal{Of::ratio, 1.3});
  row("by hand, in one go", figures.one_go, {});
  if (!figures.long_line.empty()) row("a line as long, by hand", figures.long_line, {});
  if (!figures.master.empty()) row("ssh host true on a ControlMaster", figures.master, Goal{Of::ratio, 1});
  figures.framed.print("framed true, " + where, figures.hand_echo, figures.hand_prompt);
  if (figures.hooked.all.empty()) return;
  bench::print({"with hooks, " + where, "µs", median(figures.hooked.all), "by hand", median(figures.hand),
                Better::lower, Goal{Of::ratio, 1.3}});
  figures.hooked.print("with hooks, " + where + " (hooks)", figures.hand_echo, figures.hand_prompt);
}

void bench_flood(const std::string& where, const bench::OpenShell& open, const bench::Flood& flood, int rounds) {
  Figures drained, passed, framed;
  for (int i = 0; i < rounds; ++i) {
    drained.push_back(flood.drained(open));
    passed.push_back(flood.passed_through(open));
    framed.push_back(flood.framed(open));
  }
  const std::string what = std::to_string(static_cast<int>(flood.megabytes())) + " MB, " + where;
  bench::print({what, "MB/s", median(framed), "passed through", median(passed), Better::higher, Goal{Of::ratio, 0.5}});
  bench::print({what, "MB/s", median(framed), "read, thrown away", median(drained), Better::higher, {}});
}

/// The link alone: nothing framed, nothing shown.
void bench_link(const bench::SshHost& host, const bench::OpenShell& ssh, const bench::Flood& flood, int rounds) {
  const bench::OpenShell openssh = [&](event::EventLoop& loop, const std::string& command) {
    return launch(loop, host.openssh(command));
  };
  Figures ours, theirs;
  for (int i = 0; i < rounds; ++i) {
    ours.push_back(flood.drained(ssh));
    theirs.push_back(flood.drained(openssh));
  }
  bench::print({"jms' SSH without a terminal", "MB/s", median(ours), "ssh -tt", median(theirs), Better::higher, {}});
}

void run(bool quick) {
  const int rounds = quick ? 60 : 400;
  const bench::OpenShell pty = open_pty;
  report("bash", measure(pty, "bash --norc --noprofile", rounds, nullptr));
  report("dash", measure(pty, "dash -i", rounds, nullptr));
  report("zsh", measure(pty, "zsh -f", rounds, nullptr));
  bench::SshHost host;
  const bench::OpenShell ssh = [&](event::EventLoop& loop, const std::string& command) {
    return host.open(loop, command);
  };
  report("bash over ssh", measure(ssh, "bash --norc --noprofile", rounds, &host));
  // What a jump host adds on top of the loopback: here round trips count, not letters.
  const bench::OpenShell far = [&](event::EventLoop& loop, const std::string& command) {
    return std::make_unique<bench::FarAway>(loop, host.open(loop, command), std::chrono::milliseconds(10));
  };
  report("ssh 20 ms away", measure(far, "bash --norc --noprofile", quick ? 20 : 60, nullptr));
  const bench::Flood flood(quick);
  bench_flood("pty", pty, flood, quick ? 1 : 3);
  bench_flood("ssh", ssh, flood, quick ? 1 : 3);
  bench_link(host, ssh, flood, quick ? 1 : 3);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(bench::quick(argc, argv));
    return 0;
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "bench_remote_exec: %s\n", problem.what());
    return 1;
  }
}
