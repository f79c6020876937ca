"""Runs the parts asked for and prints the table."""
import argparse
import json
import os
import tempfile

import measure
import peers
import workloads
from report import Report
from session import Stuck

PARTS = ["throughput", "echo", "memory", "start", "panel", "interrupt", "idle"]


def parse(arguments, text):
    parser = argparse.ArgumentParser(prog="bench/terminal", description=text,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    built = [os.path.join(root, "build", kind, "app", "jms") for kind in ("release", "test")]
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--jms", metavar="PATH", default=next((path for path in built if os.path.exists(path)), built[0]))
    parser.add_argument("--only", metavar="PARTS", default=",".join(PARTS))
    parser.add_argument("--rounds", type=int)
    options = parser.parse_args(arguments)
    options.only = options.only.split(",")
    unknown = [part for part in options.only if part not in PARTS]
    if unknown:
        parser.error(f"no part called {unknown[0]}; there are {', '.join(PARTS)}")
    options.rounds = options.rounds or (1 if options.quick else 3)
    return options


def run(arguments, text):
    options = parse(arguments, text)
    with tempfile.TemporaryDirectory(prefix="jms-bench-") as folder:
        env = peers.environment(folder)
        everyone = [peers.Peer(env), peers.Jms(env, os.path.realpath(options.jms)), peers.Tmux(env), peers.Screen(env)]
        report = Report([peer.name for peer in everyone])
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
    if options.json:
        with open(options.json, "w") as file:
            json.dump(report.figures, file, indent=2)
    return report.finish()


def attempt(report, what, action):
    """One measurement; a program that gets stuck leaves a hole and a note, not the end of the run."""
    try:
        return action()
    except (Stuck, OSError, StopIteration, ValueError) as problem:
        report.note(f"{what}: {problem}")
        return None


def best(report, what, times, action, pick):
    values = [value for value in (attempt(report, what, action) for _ in range(times)) if value is not None]
    return pick(values) if values else None


def run_throughput(options, folder, present, report):
    size = 8_000_000 if options.quick else 32_000_000
    report.heading("Throughput, MB/s", ["jms/direct", "jms/tmux"])
    small = {name: (path, count) for name, path, count in workloads.write(os.path.join(folder, ""), size // 4)}
    os.makedirs(os.path.join(folder, "large"), exist_ok=True)
    for name, path, count in workloads.write(os.path.join(folder, "large"), size):
        rates = {peer.name: [] for peer in present}
        for _ in range(options.rounds):
            for peer in present:
                data = small[name] if peer.slow else (path, count)
                rate = attempt(report, f"{peer.name}, {name}", lambda: measure.throughput(peer, *data))
                if rate is not None:
                    rates[peer.name].append(rate)
        row = {key: max(values) for key, values in rates.items() if values}
        goals = [("jms/tmux", 2.0), ("jms/direct", 0.5)] if name == "plain log" else [("jms/tmux", 1.0)]
        report.throughput_row(name, row, goals)


def run_echo(options, folder, present, report):
    report.heading("Keystroke echo, µs", ["added", "tmux adds"])
    delays = attempt(report, "echo", lambda: measure.echo_delays(present, 150 if options.quick else 500))
    if not delays:
        return
    p50 = {name: measure.percentile(values, 0.5) for name, values in delays.items()}
    p99 = {name: measure.percentile(values, 0.99) for name, values in delays.items()}
    report.echo_rows(p50, p99)


def run_memory(options, folder, present, report):
    report.heading("Resident memory with 10,000 lines, MB", [])
    row = {}
    for peer in present[1:]:
        kilobytes = attempt(report, f"{peer.name}, memory", lambda: measure.memory(peer, folder))
        if kilobytes:
            row[peer.name] = kilobytes / 1024
    report.limit_row("80x24", row, 16, "MB")


def run_start(options, folder, present, report):
    report.heading("Start to first prompt, ms (median)", [])
    times = 5 if options.quick else 15
    values = {peer.name: [] for peer in present}
    for _ in range(times):
        for peer in present:
            value = attempt(report, f"{peer.name}, start", lambda: measure.start_to_prompt(peer))
            if value is not None:
                values[peer.name].append(value)
    report.plain_row("sh inside", {name: measure.median(list_) for name, list_ in values.items() if list_})


def run_panel(options, folder, present, report):
    report.heading("Panel, ms from key to last painted byte (median, max)", [])
    for peer in present:
        if peer.name != "jms":
            continue
        figures = attempt(report, "panel", lambda: measure.panel(peer, 4 if options.quick else 12))
        for name, values in (figures or {}).items():
            if values:
                report.limit_row(name, {"jms": measure.median(values)}, 50, "ms", {"jms": max(values)})


def run_interrupt(options, folder, present, report):
    report.heading("In a flood, ms (median, max)", [])
    times = 2 if options.quick else 5
    row, worst = {}, {}
    for peer in present:
        values = [value for value in (attempt(report, f"{peer.name}, Ctrl-C", lambda: measure.interrupt(peer))
                                      for _ in range(times)) if value is not None]
        if values:
            row[peer.name], worst[peer.name] = measure.median(values), max(values)
    report.limit_row("Ctrl-C to prompt", row, 300, "ms", worst)
    for peer in present:
        if peer.name == "jms":
            values = [value for value in (attempt(report, "hotkey", lambda: measure.hotkey_in_flood(peer))
                                          for _ in range(times)) if value is not None]
            if values:
                report.limit_row("hotkey to panel", {"jms": measure.median(values)}, 300, "ms", {"jms": max(values)})


def run_idle(options, folder, present, report):
    report.heading("Wake-ups per second, idle and closed", [])
    row = {}
    for peer in present[1:]:
        rate = attempt(report, f"{peer.name}, idle", lambda: measure.idle_wakeups(peer, 2 if options.quick else 5))
        if rate is not None:
            row[peer.name] = rate
    report.limit_row("idle", row, 0, "per s")
