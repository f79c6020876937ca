"""mosh through the same sshd: for the delays a person feels. It sends pictures of the screen instead of the bytes and keeps
no scrollback, so throughput and memory are not compared."""
import os
import shutil
import signal
import socket

import peers


def _free_udp_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Mosh(peers.Peer):
    name = "mosh"
    prompt = peers.PROMPT.strip()  # It moves the cursor over the blank instead of writing it.
    flood_bytes = 50_000  # Some dozens of its pictures.

    def __init__(self, env, config):
        # Every locale word must name UTF-8, or mosh-server refuses.
        super().__init__({**env, "LC_ALL": "C.UTF-8"})
        self.config = config
        self.port = None

    def missing(self):
        gone = [name for name in ("mosh", "mosh-client", "mosh-server") if not shutil.which(name)]
        return f"{gone[0]} is not installed" if gone else None

    def argv(self):
        self.port = _free_udp_port()
        return ["mosh", f"--ssh=ssh -F {self.config}", "--bind-server=127.0.0.1", "-p", str(self.port), "bench", "--", "sh"]

    def close(self, session):
        """The server has left sshd's family; it is known by the port that we chose."""
        session.close()
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    words = file.read().decode(errors="replace").split("\0")
                if words[0].endswith("mosh-server") and str(self.port) in words:
                    os.kill(int(pid), signal.SIGKILL)
            except OSError:
                continue
