"""The two clients, what is measured, and the table."""
import os
import shutil
import signal
import sys
import tempfile

import measure
import peers
import workloads
from main import attempt, each, in_turns, parse
from mosh import Mosh
from report import Report
from server import Missing, Server

PARTS = ["prompt", "throughput", "echo", "interrupt", "memory"]


class Client(peers.Peer):
    """A program that is given `-F config` and the host."""

    def __init__(self, name, command, env, config):
        super().__init__(env)
        self.name = name
        self.command = [*command, "-F", config, "bench"]

    def missing(self):
        return None if shutil.which(self.command[0]) else f"{self.command[0]} is not there"

    def argv(self):
        return self.command


def run(arguments, text):
    options = parse(arguments, text, "bench/ssh", PARTS, rounds=5, quick_rounds=5)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(2))  # So that the server ends with us.
    try:
        with tempfile.TemporaryDirectory(prefix="jms-bench-") as folder, Server(folder) as server:
            return measure_all(options, folder, server)
    except Missing as problem:
        print(f"bench/ssh: {problem}", file=sys.stderr)
        return 2


def measure_all(options, folder, server):
    env = peers.environment(folder)
    clients = [Client("ssh", ["ssh", "-tt"], env, server.config),
               Client("jms", [os.path.realpath(options.jms)], env, server.config)]
    for client in clients:
        if client.missing():
            raise Missing(client.missing())
    mosh = Mosh(env, server.config)
    report = Report([*(client.name for client in clients), mosh.name], options.json)
    if mosh.missing():
        report.note(f"mosh left out: {mosh.missing()}")
    report.heading("Over the same sshd on the loopback")
    for part in PARTS:
        if part in options.only:
            globals()["run_" + part](options, folder, clients, [] if mosh.missing() else [mosh], report)
    return report.finish()


def run_prompt(options, folder, clients, mosh, report):
    times = in_turns(report, "start", clients, 10 if options.quick else 40, measure.start_to_prompt)
    times |= in_turns(report, "start", mosh, 3 if options.quick else 10, measure.start_to_prompt)
    report.figures("connect to prompt", "ms", each(measure.median, times), "lower", [("ssh", "ratio", 0.6)])


def run_throughput(options, folder, clients, mosh, report):
    """Without mosh: it sends pictures of the screen, not the bytes."""
    size = 20_000_000 if options.quick else 100_000_000
    path = os.path.join(folder, "log")
    with open(path, "wb") as file:
        file.write(workloads.plain_log(size))
    rates = in_turns(report, "throughput", clients, options.rounds,
                     lambda client: measure.throughput(client, path, size))
    report.figures(f"cat of {size // 1_000_000} MB", "MB/s", each(measure.median, rates), "higher", [("ssh", "ratio", 1.2)])


def run_echo(options, folder, clients, mosh, report):
    keys = 300 if options.quick else 2000
    delays = attempt(report, "echo", lambda: measure.echo_delays(clients, keys)) or {}
    if mosh:  # It waits some milliseconds by design to send fewer packets; fewer keys do.
        delays |= attempt(report, "echo", lambda: measure.echo_delays(mosh, keys // 3)) or {}
    report.figures("echo, p50", "µs", each(measure.median, delays), "lower", [("ssh", "ratio", 1)])
    report.figures("echo, p99", "µs", each(lambda list_: measure.percentile(list_, 0.99), delays), "lower",
                   [("ssh", "ratio", 1)])


def run_interrupt(options, folder, clients, mosh, report):
    times = in_turns(report, "Ctrl-C", clients + mosh, 3 if options.quick else 10, measure.interrupt)
    report.figures("Ctrl-C in a flood", "ms", each(measure.median, times), "lower", [(None, "figure", 300)],
                   each(max, times))


def run_memory(options, folder, clients, mosh, report):
    """Without mosh: it keeps no scrollback."""
    kilobytes = in_turns(report, "memory", clients, 1, lambda client: measure.memory(client, folder))
    report.figures("memory, 10,000 lines", "MB", each(lambda list_: list_[0] / 1024, kilobytes))
