"""An sshd of our own on the loopback, and the ssh_config that leads to it."""
import getpass
import os
import shutil
import signal
import socket
import subprocess
import time

from session import PROMPT


class Missing(Exception):
    """What the bench needs is not on this machine."""


def _program(name):
    found = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin:/sbin")
    if not found:
        raise Missing(f"{name} is not installed")
    return found


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """Runs while the `with` block does. `config` is for `-F`, the host is called `bench`."""

    def __init__(self, folder):
        self.folder = folder
        self.port = _free_port()
        self.config = os.path.join(folder, "ssh_config")
        self.process = None

    def _path(self, name):
        return os.path.join(self.folder, name)

    def _write(self, name, lines):
        with open(self._path(name), "w") as file:
            file.write("\n".join(lines) + "\n")

    def _make_key(self, name):
        subprocess.run([_program("ssh-keygen"), "-q", "-t", "ed25519", "-N", "", "-C", "bench", "-f", self._path(name)],
                       check=True)
        with open(self._path(name) + ".pub") as file:
            return " ".join(file.read().split()[:2])

    def _write_configs(self):
        host_key, key = self._make_key("host_key"), self._make_key("id")
        self._write("authorized_keys", [key])
        self._write("known_hosts", [f"[127.0.0.1]:{self.port} {host_key}"])
        self._write("sshd_config", [
            f"Port {self.port}", "ListenAddress 127.0.0.1", f"HostKey {self._path('host_key')}", "PidFile none",
            "StrictModes no", "UsePAM no", f"AuthorizedKeysFile {self._path('authorized_keys')}", "PermitRootLogin yes",
            "PrintMotd no", "PasswordAuthentication no", "KbdInteractiveAuthentication no", "LogLevel ERROR",
            f"SetEnv HOME={self.folder}",  # Or the user's ~/.bashrc would be part of the time to the prompt.
            # Every client gets the same shell; mosh first starts its own server, which then starts that shell.
            f"ForceCommand export PS1='{PROMPT.decode()}'; case $SSH_ORIGINAL_COMMAND in mosh-server*) "
            "eval exec \"$SSH_ORIGINAL_COMMAND\";; esac; exec sh"])
        self._write("ssh_config", [
            "Host bench", " HostName 127.0.0.1", f" Port {self.port}", f" User {getpass.getuser()}",
            f" IdentityFile {self._path('id')}", " IdentitiesOnly yes", " StrictHostKeyChecking yes",
            f" UserKnownHostsFile {self._path('known_hosts')}", " GlobalKnownHostsFile none", " LogLevel ERROR"])

    def __enter__(self):
        self._write_configs()
        if os.getuid() == 0:
            os.makedirs("/run/sshd", mode=0o755, exist_ok=True)  # Made at boot where sshd is a service.
        self.process = subprocess.Popen([_program("sshd"), "-D", "-e", "-f", self._path("sshd_config")],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                        start_new_session=True)
        self._wait_until_listening()
        return self

    def _wait_until_listening(self):
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline and self.process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.02)
        self.process.kill()
        raise Missing("sshd does not start: " + self.process.stderr.read().decode(errors="replace").strip())

    def _descendants(self, pid):
        try:
            with open(f"/proc/{pid}/task/{pid}/children") as file:
                children = [int(word) for word in file.read().split()]
        except OSError:
            return []
        return children + [far for child in children for far in self._descendants(child)]

    def __exit__(self, *_):
        for pid in [self.process.pid, *self._descendants(self.process.pid)]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()
        self.process.stderr.close()
