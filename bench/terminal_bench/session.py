"""One program on a pseudo-terminal, with this process as the terminal around it."""
import fcntl
import os
import select
import signal
import struct
import termios
import time

PROMPT = b"bench> "


class Stuck(Exception):
    """What was waited for did not come."""


def _give_up(*_):
    raise Stuck("what was waited for did not come in time")


class Session:
    def __init__(self, argv, env, rows=24, cols=80):
        self.buffer = bytearray(1 << 18)
        self.started = time.perf_counter()
        master, slave = os.openpty()
        fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))
        self.pid = os.fork()
        if self.pid == 0:
            os.close(master)
            os.login_tty(slave)
            for number in (signal.SIGINT, signal.SIGQUIT):  # Ignored when the bench itself runs in the background.
                signal.signal(number, signal.SIG_DFL)
            try:
                os.execvpe(argv[0], argv, env)
            finally:
                os._exit(127)
        os.close(slave)
        self.fd = master

    def send(self, data):
        os.write(self.fd, data)

    def read(self, limit):
        """One read; empty after `limit` seconds without bytes."""
        if not select.select([self.fd], [], [], limit)[0]:
            return b""
        try:
            count = os.readv(self.fd, [self.buffer])
        except OSError:
            count = 0
        if count == 0:
            raise Stuck("the program ended")
        return bytes(memoryview(self.buffer)[:count])

    def wait_for(self, marker, limit=120.0):
        """Drains until `marker` arrives. Returns when (perf_counter).

        The fast path of the bench: plain blocking reads with an alarm as the deadline, and no copy but of the few bytes
        that a marker cut in two could begin with.
        """
        keep = len(marker) - 1
        view = memoryview(self.buffer)[keep:]
        self.buffer[:keep] = bytes(keep)
        signal.signal(signal.SIGALRM, _give_up)
        signal.setitimer(signal.ITIMER_REAL, limit)
        try:
            while True:
                count = os.readv(self.fd, [view])
                if self.buffer.find(marker, 0, keep + count) >= 0:
                    return time.perf_counter()
                self.buffer[:keep] = self.buffer[count:keep + count]
        except OSError:
            raise Stuck("the program ended") from None
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)

    def drain(self, quiet=0.05, limit=10.0):
        """Reads until nothing came for `quiet` seconds. Returns (bytes, when the last of them came)."""
        deadline = time.perf_counter() + limit
        last, pieces = None, []
        while time.perf_counter() < deadline:
            chunk = self.read(quiet)
            if not chunk:
                break
            pieces.append(chunk)
            last = time.perf_counter()
        return b"".join(pieces), last

    def close(self):
        os.close(self.fd)
        for signal_number in (signal.SIGHUP, signal.SIGKILL):
            try:
                os.kill(self.pid, signal_number)
            except ProcessLookupError:
                break
            if self._ended_within(1.0):
                return
        os.waitpid(self.pid, 0)

    def _ended_within(self, seconds):
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            if os.waitpid(self.pid, os.WNOHANG)[0]:
                return True
            time.sleep(0.005)
        return False


def status_field(pid, field):
    with open(f"/proc/{pid}/status") as status:
        for line in status:
            if line.startswith(field + ":"):
                return int(line.split()[1])
    return 0
