"""docs/benchmarks.md: the machine, the picture, a table for each bench."""
import datetime
import os
import platform
import re
import subprocess

import rows

INTRODUCTION = """Every figure of jms was taken side by side with its peer's, in turns, in one run; figures are medians unless the row says
otherwise. Absolute numbers belong to this machine: **trust the ratios**. *jms / peer* below 1 means less of it (good for
times and memory), above 1 more (good for MB/s). Goals stand where the project set itself one; `≤ 1.3 ×` is about the
ratio, `≤ 50 ms` about the figure itself. `scripts/bench` repeats all of it and writes this page."""


def version_of(*argv):
    try:
        done = subprocess.run(argv, capture_output=True, text=True, timeout=10)
        return (done.stdout + done.stderr).strip().splitlines()[0]
    except (OSError, IndexError, subprocess.TimeoutExpired):
        return None


def _package(name):
    found = version_of("dpkg-query", "-W", "-f=${Version}", name)
    return f"{name} {found}" if found and "no packages" not in found else None


def _cpu():
    found = re.search(r"model name\s*: (.*)", open("/proc/cpuinfo").read())
    return found.group(1).strip() if found else platform.machine()


def _memory():
    kilobytes = int(re.search(r"MemTotal:\s*(\d+)", open("/proc/meminfo").read()).group(1))
    return f"{kilobytes / 1048576:.0f} GB"


def _compiled(build):
    """How the measured programs were compiled, from CMake's cache: "Release, -O3 -DNDEBUG"."""
    try:
        cache = open(os.path.join(build, "CMakeCache.txt")).read()
    except OSError:
        return "unknown build"
    kind = re.search(r"CMAKE_BUILD_TYPE:\w+=(.*)", cache).group(1)
    flags = re.search(rf"CMAKE_CXX_FLAGS_{kind.upper()}:\w+=(.*)", cache)
    return f"{kind}, {flags.group(1)}" if flags else kind


def machine(jms, build):
    """Lines about where and with what this was measured; asked before the benches load the machine."""
    peers = [version_of("ssh", "-V"), version_of("tmux", "-V"), version_of("screen", "-v"),
             version_of("mosh", "--version"), version_of("node", "--version") and "node " + version_of("node", "--version"),
             version_of("bash", "-c", "echo bash $BASH_VERSION"), version_of("zsh", "--version")]
    libraries = [_package(name) for name in ("libvterm0", "libssh2-1", "libwebsockets17", "libcurl4", "libuv1")]
    return [("Date", datetime.date.today().isoformat()),
            ("Machine", f"{os.cpu_count()} cores of {_cpu()}, {_memory()}, Linux {platform.release()}; "
                        f"load {os.getloadavg()[0]:.1f} before the start"),
            ("jms", f"{version_of(jms, '--version') or '?'} ({_compiled(build)})"),
            ("Peers", "; ".join(re.split(r", | [\[(]", peer)[0] for peer in peers if peer)),
            ("Libraries", "; ".join(library for library in libraries if library))]


def _figure(value, unit):
    return f"{rows.number(value)} {unit}".rstrip()


def table(found):
    lines = ["| | jms | peer | of the peer | jms / peer | goal | met |", "|---|--:|---|--:|--:|---|---|"]
    for one in found:
        ratio, verdict = rows.ratio(one), {None: "", True: "yes", False: "**no**"}[rows.met(one)]
        peer = _figure(one["peer_figure"], one["unit"]) if "peer" in one else ""
        lines.append(f"| {one['label']} | {_figure(one['jms'], one['unit'])} | {one.get('peer', '')} | {peer} | "
                     f"{rows.number(ratio) if ratio is not None else ''} | {rows.goal_text(one)} | {verdict} |")
    return "\n".join(lines)


def steps_table(found):
    """A line for each breakdown, the steps from left to right."""
    names = [name for name, _ in found[0]["list"]]
    lines = ["| " + " | ".join([found[0]["unit"], *names]) + " |", "|---" + "|--:" * len(names) + "|"]
    for one in found:
        lines.append("| " + " | ".join([one["steps"].split(", ")[-1]] + [rows.number(figure) for _, figure in one["list"]]) + " |")
    return "\n".join(lines)


def section(bench, found, problem):
    """One bench: what it measures, its table, and where the time goes when it tells."""
    parts = [f"## {bench.title}", bench.about]
    figures = [one for one in found if "label" in one]
    steps = [one for one in found if "steps" in one]
    if figures:
        parts.append(table(figures))
    if steps:
        parts += ["Where the time goes (medians, so the steps need not add up):", steps_table(steps)]
    if problem:
        parts.append(f"*Not all was measured: {problem}*")
    return "\n\n".join(parts)


def write(path, where, results, about, quick):
    judged = [one for _, found, _ in results for one in found if "label" in one and rows.met(one) is not None]
    reached = sum(rows.met(one) for one in judged)
    parts = ["# Benchmarks", INTRODUCTION]
    if quick:
        parts.append("**This was a `--quick` run: a look, not a measurement.**")
    parts.append("\n".join(f"- **{name}:** {text}" for name, text in where))
    parts.append(f"{reached} of {len(judged)} goals are met.")
    parts.append("![How many times better or worse than its peers jms is](benchmarks.svg)")
    parts += [section(bench, found, problem) for bench, found, problem in results]
    if about:
        parts.append("## Footprint\n\nWhat `jms about` says of the binary that was measured:\n\n```\n" + about.strip() + "\n```")
    with open(path, "w") as file:
        file.write("\n\n".join(parts) + "\n")
