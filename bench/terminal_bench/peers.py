"""The programs compared: a bare `sh`, jms, tmux, GNU screen. Each runs `sh` inside."""
import os
import shutil
import signal
import subprocess

from session import PROMPT, Session


def environment(home):
    prompt = PROMPT.decode()
    for profile in (".profile", ".shrc"):
        with open(os.path.join(home, profile), "w") as file:
            file.write(f"PS1='{prompt}'\n")
    os.makedirs(os.path.join(home, "screens"), mode=0o700, exist_ok=True)
    return {
        "HOME": home, "ENV": os.path.join(home, ".shrc"), "PS1": prompt, "SHELL": "/bin/sh", "TERM": "xterm-256color",
        "LANG": "C.UTF-8", "PATH": "/usr/local/bin:/usr/bin:/bin", "TMUX_TMPDIR": home,
        "SCREENDIR": os.path.join(home, "screens"), "XDG_CONFIG_HOME": home + "/config",
        "XDG_STATE_HOME": home + "/state", "XDG_RUNTIME_DIR": home,
    }


class Peer:
    name = "bare pty"
    slow = False  # gets a smaller share of the data
    prompt = PROMPT
    flood_bytes = 3_000_000  # read before a flood counts as one

    def __init__(self, env):
        self.env = env

    def missing(self):
        return None

    def argv(self):
        return ["sh"]

    def open(self):
        session = Session(self.argv(), self.env)
        session.wait_for(self.prompt, 20)
        session.drain(0.05)
        return session

    def main_pid(self, session):
        """The process that holds the screen and its history."""
        return session.pid

    def close(self, session):
        session.close()


class Jms(Peer):
    name = "jms"

    def __init__(self, env, binary):
        super().__init__(env)
        self.binary = binary

    def missing(self):
        return None if os.access(self.binary, os.X_OK) else f"no binary at {self.binary}: build it or give --jms PATH"

    def argv(self):
        return [self.binary, "local"]


class Tmux(Peer):
    name = "tmux"

    def missing(self):
        return None if shutil.which("tmux") else "tmux is not installed"

    def _tmux(self, *arguments):
        command = ["tmux", "-L", "jms-bench", "-f", "/dev/null", *arguments]
        return subprocess.run(command, env=self.env, capture_output=True, text=True).stdout

    def argv(self):
        return ["tmux", "-u", "-L", "jms-bench", "-f", "/dev/null", "start-server", ";", "set", "-g", "history-limit",
                "10000", ";", "set", "-g", "default-terminal", "tmux-256color", ";", "set", "-g", "status", "off", ";",
                "new-session", "sh"]

    def main_pid(self, session):
        return int(self._tmux("display-message", "-p", "#{pid}"))

    def close(self, session):
        self._tmux("kill-server")
        session.close()


class Screen(Peer):
    name = "screen"
    slow = True

    def missing(self):
        return None if shutil.which("screen") else "GNU screen is not installed"

    def argv(self):
        return ["screen", "-U", "-c", "/dev/null", "-h", "10000", "-S", "jmsbench", "sh"]

    def main_pid(self, session):
        listing = subprocess.run(["screen", "-ls"], env=self.env, capture_output=True, text=True).stdout
        return next(int(word.split(".")[0]) for word in listing.split() if word.endswith(".jmsbench"))

    def close(self, session):
        """Asks the server to end; one that is still starting does not hear it and is ended by its process id."""
        try:
            server = self.main_pid(session)
        except StopIteration:
            server = None
        subprocess.run(["screen", "-S", "jmsbench", "-X", "quit"], env=self.env, capture_output=True)
        session.close()
        if server:
            try:
                os.kill(server, signal.SIGKILL)
            except ProcessLookupError:
                pass
