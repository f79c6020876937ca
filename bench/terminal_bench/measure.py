"""The measurements. Each takes open peers and gives plain numbers."""
import itertools
import os
import statistics
import time

from session import Session, Stuck, status_field

HOTKEY = b"\x1d"
_numbers = itertools.count(1)


def percentile(values, part):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]


def _marked(command):
    """A line that runs `command` and then shows a mark on a cleared screen; the echo does not hold the mark whole."""
    number = next(_numbers)
    mark = f"@@done-{number}@@"
    return f"{command}; printf '\\033[m\\033[r\\033[2J\\033[H%s%s\\n' '@@do' 'ne-{number}@@'\r".encode(), mark.encode()


def throughput(peer, path, size):
    """MB/s of a file from `cat` to the last byte at the outer terminal."""
    session = peer.open()
    try:
        line, mark = _marked(f"cat {path}")
        start = time.perf_counter()
        session.send(line)
        end = session.wait_for(mark, 180)
        return size / (end - start) / 1e6
    finally:
        peer.close(session)


def echo_delays(peers, keys):
    """Microseconds from a key to its echo, blocks of keys in turn for each peer."""
    sessions = {peer.name: peer.open() for peer in peers}
    delays = {peer.name: [] for peer in peers}
    try:
        for session in sessions.values():
            session.send(b"cat\r")
            session.drain(0.2)
        block = 20  # Short, so that a busy moment does not meet one peer alone.
        for _ in range(keys // block):
            for name, session in sessions.items():
                delays[name] += _echo_block(session, block)
    finally:
        for peer in peers:
            peer.close(sessions[peer.name])
    return delays


def _echo_block(session, keys):
    delays = []
    for index in range(keys):
        key = bytes([ord("a") + index % 26])
        time.sleep(0.002)
        start = time.perf_counter()
        session.send(key)
        end = session.wait_for(key, 5)
        delays.append((end - start) * 1e6)
        session.drain(0.001)
    session.send(b"\r")
    session.drain(0.05)
    return delays


def memory(peer, folder, lines=10_000):
    """Resident kB of the process that keeps the history, after `lines` lines."""
    path = os.path.join(folder, "history")
    with open(path, "w") as file:
        file.writelines(f"{i:6d} some words of a log line, not too short, not too long at all\n" for i in range(lines + 100))
    session = peer.open()
    try:
        line, mark = _marked(f"cat {path}")
        session.send(line)
        session.wait_for(mark)
        session.drain(0.5)
        return status_field(peer.main_pid(session), "VmRSS")
    finally:
        peer.close(session)


def start_to_prompt(peer):
    """Milliseconds from fork to the first prompt."""
    session = Session(peer.argv(), peer.env)
    try:
        end = session.wait_for(peer.prompt, 20)
        return (end - session.started) * 1e3
    finally:
        peer.close(session)


def panel(peer, times):
    """Milliseconds from key to the last painted byte: opening, closing by the hotkey, closing by Esc."""
    session = peer.open()
    figures = {"open": [], "close by hotkey": [], "close by Esc": []}
    try:
        session.send(b"seq 1 100; ls --color=always -l /\r")
        session.drain(0.2)
        for index in range(times):
            figures["open"].append(_until_painted(session, HOTKEY, b"\x1b[?1047h"))
            time.sleep(0.7)  # so that the next press is not the second of a quick pair
            key, name = (HOTKEY, "close by hotkey") if index % 2 else (b"\x1b", "close by Esc")
            figures[name].append(_until_painted(session, key, b"\x1b[?1047l"))
            time.sleep(0.7)
    finally:
        peer.close(session)
    return figures


def _until_painted(session, key, switch):
    start = time.perf_counter()
    session.send(key)
    painted, last = session.drain(0.15, 3)
    if switch not in painted:
        raise Stuck("the panel did not switch the screen")
    return (last - start) * 1e3


def _start_flood(peer, session):
    session.send(b"yes 'a line of a log that goes on and on, as floods do'\r")
    total = 0
    end = time.perf_counter() + 2  # mosh sends nothing more once every line on the screen is the same.
    while total < peer.flood_bytes and time.perf_counter() < end:
        total += len(session.read(0.2))


def interrupt(peer):
    """Milliseconds from Ctrl-C in a flood to the next prompt."""
    session = peer.open()
    try:
        _start_flood(peer, session)
        start = time.perf_counter()
        session.send(b"\x03")
        end = session.wait_for(peer.prompt, 20)
        return (end - start) * 1e3
    finally:
        peer.close(session)


def hotkey_in_flood(peer):
    """Milliseconds from the hotkey in a flood to the switch that the panel begins with."""
    session = peer.open()
    try:
        _start_flood(peer, session)
        start = time.perf_counter()
        session.send(HOTKEY)
        end = session.wait_for(b"\x1b[?1047h", 5)
        return (end - start) * 1e3
    finally:
        peer.close(session)


def idle_wakeups(peer, seconds):
    """Voluntary switches per second of an idle process."""
    session = peer.open()
    try:
        session.drain(1.0)
        pid = peer.main_pid(session)
        before = status_field(pid, "voluntary_ctxt_switches")
        time.sleep(seconds)
        return (status_field(pid, "voluntary_ctxt_switches") - before) / seconds
    finally:
        peer.close(session)


def median(values):
    return statistics.median(values)
