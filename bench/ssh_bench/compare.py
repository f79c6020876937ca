"""The two clients, what is measured, and the table."""
import argparse
import json
import os
import shutil
import signal
import sys
import tempfile

import measure
import peers
import workloads
from main import attempt
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


def parse(arguments, text):
    parser = argparse.ArgumentParser(prog="bench/ssh", description=text,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
    built = [os.path.join(root, "build", kind, "app", "jms") for kind in ("release", "test")]
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--jms", metavar="PATH", default=next((path for path in built if os.path.exists(path)), built[0]))
    parser.add_argument("--only", metavar="PARTS", default=",".join(PARTS))
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args(arguments)
    options.only = options.only.split(",")
    unknown = [part for part in options.only if part not in PARTS]
    if unknown:
        parser.error(f"no part called {unknown[0]}; there are {', '.join(PARTS)}")
    return options


def run(arguments, text):
    options = parse(arguments, text)
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
    report = Report([client.name for client in clients])
    report.heading("Over the same sshd on the loopback", ["jms/ssh"])
    for part in PARTS:
        if part in options.only:
            globals()["run_" + part](options, folder, clients, report)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(report.figures, file, indent=2)
    return report.finish()


def in_turn(report, what, clients, times, action):
    """{name: [figures]} of `times` rounds, the clients one after the other in each."""
    values = {client.name: [] for client in clients}
    for _ in range(times):
        for client in clients:
            value = attempt(report, f"{client.name}, {what}", lambda: action(client))
            if value is not None:
                values[client.name].append(value)
    return {name: list_ for name, list_ in values.items() if list_}


def each(pick, values):
    return {name: pick(list_) for name, list_ in values.items()}


def run_prompt(options, folder, clients, report):
    times = in_turn(report, "start", clients, 10 if options.quick else 40, measure.start_to_prompt)
    report.ratio_row("prompt, ms p50", each(measure.median, times), "ssh", most=0.6)


def run_throughput(options, folder, clients, report):
    size = 20_000_000 if options.quick else 100_000_000
    path = os.path.join(folder, "log")
    with open(path, "wb") as file:
        file.write(workloads.plain_log(size))
    rates = in_turn(report, "throughput", clients, options.rounds,
                    lambda client: measure.throughput(client, path, size))
    report.ratio_row(f"cat of {size // 1_000_000} MB, MB/s", each(max, rates), "ssh", least=1.2)


def run_echo(options, folder, clients, report):
    delays = attempt(report, "echo", lambda: measure.echo_delays(clients, 300 if options.quick else 2000)) or {}
    report.ratio_row("echo, µs p50", each(measure.median, delays), "ssh", most=1)
    report.ratio_row("echo, µs p99", each(lambda list_: measure.percentile(list_, 0.99), delays), "ssh", most=1)


def run_interrupt(options, folder, clients, report):
    times = in_turn(report, "Ctrl-C", clients, 3 if options.quick else 10, measure.interrupt)
    report.limit_row("Ctrl-C in a flood, ms", each(measure.median, times), 300, "ms", each(max, times))


def run_memory(options, folder, clients, report):
    kilobytes = in_turn(report, "memory", clients, 1, lambda client: measure.memory(client, folder))
    report.ratio_row("after 10k lines, MB", each(lambda list_: list_[0] / 1024, kilobytes), "ssh")
