"""A real daemon on a separate store, which can be killed and restarted."""

import json
import os
import signal
import socket
import subprocess
import time

from places import PATIENCE_S, program


class DaemonFailed(Exception):
    """The daemon ended unexpectedly, or could not be reached."""


class Daemon:
    """Its socket and its log are in `folder`; its data too, unless `data` is given. `tracer` is the
    command of a tracer that starts it."""

    def __init__(self, folder, data=None, environment=None, options=(), started=True, tracer=()):
        self.folder = folder
        self.socket = os.path.join(folder, "notesd.sock")
        self.data = data or os.path.join(folder, "data")
        self.log = os.path.join(folder, "daemon.log")
        self.environment = environment or {}
        self.options = list(options)
        self.tracer = list(tracer)
        self.notesd = program("notesd")
        self.process = None
        if started:
            self.start()

    def launch(self):
        """Starts the process, and does not wait until it serves."""
        with open(self.log, "ab") as log:
            command = self.tracer + [self.notesd, "--socket", self.socket, "--data", self.data] + self.options
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env=dict(os.environ, **self.environment))

    def start(self):
        self.launch()
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                Client(self.socket).close()
                return
            except OSError as error:
                if time.monotonic() > until or self.process.poll() is not None:
                    raise DaemonFailed(f"the daemon cannot be reached ({error}): {self.said()}") from error
                time.sleep(0.002)

    def said(self, bytes_max=2000):
        """The end of its log."""
        with open(self.log, "rb") as log:
            return log.read()[-bytes_max:].decode(errors="replace")

    def threads(self):
        """The state of its threads, to diagnose a missing response."""
        if self.process is None or self.process.poll() is not None:
            return "the daemon has ended" + (f": {self.process.returncode}\n" if self.process else "\n")
        tasks = f"/proc/{self.process.pid}/task"
        found = []
        for task in sorted(os.listdir(tasks)):
            found += [f"{name}: {_read(f'{tasks}/{task}/{name}')}" for name in ("comm", "stat", "syscall", "wchan", "stack")] + [""]
        return "\n".join(found)

    def kill(self):
        """Kills it with SIGKILL."""
        self.process.kill()
        self.process.wait()

    def freeze(self):
        """Stops all its threads. A thread in a system call may still be in it, and does not return
        from it."""
        self.process.send_signal(signal.SIGSTOP)
        tasks = f"/proc/{self.process.pid}/task"
        until = time.monotonic() + PATIENCE_S
        while not all(_state(f"{tasks}/{task}/stat") in "TtDZX" for task in os.listdir(tasks)):
            if time.monotonic() > until:
                raise DaemonFailed("the daemon does not stop")

    def restart(self):
        self.kill()
        self.start()

    def stop(self):
        self.process.terminate()
        return self.process.wait(timeout=PATIENCE_S)

    def verify(self):
        """The output of `notesd audit` for its store: '' if nothing is wrong."""
        done = subprocess.run([self.notesd, "audit", "--data", self.data], capture_output=True, text=True, timeout=PATIENCE_S)
        return "" if done.returncode == 0 else done.stdout + done.stderr


def _read(path):
    try:
        with open(path) as file:
            return file.read().strip()
    except OSError as error:
        return str(error)


def _state(path):
    """The state of a thread, a letter; X if it has ended."""
    try:
        with open(path) as stat:
            return stat.read().rpartition(")")[2].split()[0]
    except OSError:
        return "X"


class Client:
    """Sends the daemon one request at a time."""

    def __init__(self, path, label="test"):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE_S)
        self.socket.connect(path)
        self.lines = self.socket.makefile("rb")
        self.next_id = 0
        self.notices = []
        self.hello = self.ask("session.hello", protocol=[1], client={"name": "test"}, label=label, positionEncoding=["utf-8"])

    def ask(self, method, **params):
        """The result; raises RuntimeError with the daemon's error, OSError if it is gone."""
        self.next_id += 1
        request = {"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params}
        self.socket.sendall(json.dumps(request).encode() + b"\n")
        while True:
            answer = self.read()
            if "method" in answer:
                self.notices.append(answer)
            if answer.get("id") == self.next_id:
                if "error" in answer:
                    raise RuntimeError(answer["error"])
                return answer["result"]

    def read(self):
        line = self.lines.readline()
        if not line:
            raise OSError("the daemon closed the connection")
        return json.loads(line)

    def notice(self):
        """The oldest notification that it has not returned yet."""
        return self.notices.pop(0) if self.notices else self.read()

    def close(self):
        self.lines.close()
        self.socket.close()
