"""Runs the parts asked for and prints the table."""
import argparse
import os
import signal
import sys
import tempfile

import measure
import peers
import workloads
from report import Report
from session import Stuck

PARTS = ["throughput", "echo", "memory", "start", "panel", "interrupt", "idle"]


def parse(arguments, text, program="bench/terminal", parts=tuple(PARTS), rounds=3, quick_rounds=1):
    parser = argparse.ArgumentParser(prog=program, description=text,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    built = [os.path.join(root, "build", kind, "app", "jms") for kind in ("release", "test")]
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--jms", metavar="PATH", default=next((path for path in built if os.path.exists(path)), built[0]))
    parser.add_argument("--only", metavar="PARTS", default=",".join(parts))
    parser.add_argument("--rounds", type=int)
    options = parser.parse_args(arguments)
    options.only = options.only.split(",")
    unknown = [part for part in options.only if part not in parts]
    if unknown:
        parser.error(f"no part called {unknown[0]}; there are {', '.join(parts)}")
    options.rounds = options.rounds or (quick_rounds if options.quick else rounds)
    return options


def run(arguments, text):
    options = parse(arguments, text)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))  # So that the servers of tmux and screen end with us.
    with tempfile.TemporaryDirectory(prefix="jms-bench-") as folder:
        env = peers.environment(folder)
        everyone = [peers.Peer(env), peers.Jms(env, os.path.realpath(options.jms)), peers.Tmux(env), peers.Screen(env)]
        report = Report([peer.name for peer in everyone], options.json)
        present = []
        for peer in everyone:
            reason = peer.missing()
            if reason:
                report.note(f"{peer.name} left out: {reason}")
            else:
                present.append(peer)
        for part in PARTS:
            if part in options.only:
                globals()["run_" + part](options, folder, present, report)
    return report.finish()


def attempt(report, what, action):
    """One measurement; a program that gets stuck leaves a hole and a note, not the end of the run."""
    try:
        return action()
    except (Stuck, OSError, StopIteration, ValueError) as problem:
        report.note(f"{what}: {problem}")
        return None


def in_turns(report, what, peers_, times, action):
    """{name: [figures]} of `times` rounds, the peers one after the other in each."""
    values = {peer.name: [] for peer in peers_}
    for _ in range(times):
        for peer in peers_:
            value = attempt(report, f"{peer.name}, {what}", lambda: action(peer))
            if value is not None:
                values[peer.name].append(value)
    return {name: list_ for name, list_ in values.items() if list_}


def each(pick, values):
    return {name: pick(list_) for name, list_ in values.items()}


def only_jms(present):
    return [peer for peer in present if peer.name == "jms"]


def run_throughput(options, folder, present, report):
    size = 8_000_000 if options.quick else 32_000_000
    report.heading("Throughput, MB/s (median)")
    small = {name: (path, count) for name, path, count in workloads.write(os.path.join(folder, ""), size // 4)}
    os.makedirs(os.path.join(folder, "large"), exist_ok=True)
    for name, path, count in workloads.write(os.path.join(folder, "large"), size):
        rates = in_turns(report, name, present, options.rounds,
                         lambda peer: measure.throughput(peer, *(small[name] if peer.slow else (path, count))))
        log = name == "plain log"
        goals = [("tmux", "ratio", 2.0 if log else 1.0)] + ([("bare pty", "ratio", 0.5)] if log else [])
        report.figures(name, "MB/s", each(measure.median, rates), "higher", goals)


def run_echo(options, folder, present, report):
    report.heading("Keystroke echo, µs")
    delays = attempt(report, "echo", lambda: measure.echo_delays(present, 150 if options.quick else 500))
    if not delays:
        return
    report.figures("echo, p50", "µs", each(measure.median, delays), "lower",
                   [("bare pty", "difference", 100), ("tmux", "ratio", 1)])
    report.figures("echo, p99", "µs", each(lambda list_: measure.percentile(list_, 0.99), delays))


def run_memory(options, folder, present, report):
    report.heading("Resident memory with 10,000 lines, MB")
    kilobytes = in_turns(report, "memory", present[1:], 1, lambda peer: measure.memory(peer, folder))
    report.figures("memory, 10,000 lines", "MB", each(lambda list_: list_[0] / 1024, kilobytes), "lower",
                   [(None, "figure", 16)])


def run_start(options, folder, present, report):
    report.heading("Start to first prompt, ms (median)")
    times = in_turns(report, "start", present, 5 if options.quick else 15, measure.start_to_prompt)
    report.figures("start to prompt", "ms", each(measure.median, times))


def run_panel(options, folder, present, report):
    report.heading("Panel, ms from key to last painted byte (median, max)")
    for peer in only_jms(present):
        figures = attempt(report, "panel", lambda: measure.panel(peer, 4 if options.quick else 12))
        for name, values in (figures or {}).items():
            if values:
                report.figures(f"panel: {name}", "ms", {"jms": measure.median(values)}, "lower",
                               [(None, "figure", 50)], {"jms": max(values)})


def run_interrupt(options, folder, present, report):
    report.heading("In a flood, ms (median, max)")
    times = 2 if options.quick else 5
    for label, who, action in (("Ctrl-C to prompt", present, measure.interrupt),
                               ("hotkey to panel", only_jms(present), measure.hotkey_in_flood)):
        values = in_turns(report, label, who, times, action)
        report.figures(label, "ms", each(measure.median, values), "lower", [(None, "figure", 300)], each(max, values))


def run_idle(options, folder, present, report):
    report.heading("Wake-ups per second, idle and closed")
    rates = in_turns(report, "idle", present[1:], 1,
                     lambda peer: measure.idle_wakeups(peer, 2 if options.quick else 5))
    report.figures("wake-ups, idle", "per s", each(lambda list_: list_[0], rates), "lower", [(None, "figure", 0)])
