"""A separate daemon with a separate store, and the kernel's view of it."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time

import strictjson
from openrpc import ROOT

sys.path.insert(0, os.path.join(ROOT, "verification", "lib"))
from places import is_open_to_all  # noqa: E402

# Shorter for a planted fault, which may mean a wait for something that never arrives.
PATIENCE_S = int(os.environ.get("PATIENCE_S", "60"))


class Daemon:
    def __init__(self, folder, settings=(), user=None):
        """`user` is the id of its user, which requires root."""
        self.folder = folder
        self.user = user
        self.socket = os.path.join(folder, "notesd.sock")
        self.data = os.path.join(folder, "data")
        self.log = os.path.join(folder, "daemon.log")
        self.settings = list(settings)
        programs = os.environ.get("NOTESD_BIN_DIR", os.path.join(ROOT, ".build", "release"))
        self.program = os.path.join(programs, "notesd")
        if user is not None and not is_open_to_all(self.program):
            self.program = shutil.copy(self.program, folder)
        self.start()

    def start(self):
        options = [word for setting in self.settings for word in ("--set", setting)]
        # No configuration of the machine applies, and a trap ends the daemon immediately.
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("NOTESD_")}
        environment = inherited | {"XDG_CONFIG_HOME": self.folder, "SWIFT_BACKTRACE": "enable=no"}
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [self.program, "--socket", self.socket, "--data", self.data, *options], stdout=log, stderr=log, env=environment,
                **self.as_user())
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                probe = socket.socket(socket.AF_UNIX)
                probe.connect(self.socket)
                probe.close()
                return
            except OSError:
                if time.monotonic() > until or self.process.poll() is not None:
                    raise
                time.sleep(0.005)

    def as_user(self):
        return {} if self.user is None else {"user": self.user, "group": self.user, "extra_groups": []}

    @property
    def pid(self):
        return self.process.pid

    @property
    def lives(self):
        return self.process.poll() is None

    def kilobytes(self, name="VmRSS"):
        with open(f"/proc/{self.pid}/status", encoding="ascii") as file:
            return int(re.search(rf"^{name}:\s+(\d+) kB", file.read(), re.MULTILINE).group(1))

    def files(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def complaints(self):
        """The lines of the log that no client may cause."""
        with open(self.log, encoding="utf-8", errors="replace") as file:
            words = re.compile(r"^<[0-3]>|Fatal error|Illegal instruction|Assertion failed|Precondition|stack dump")
            return [line.rstrip() for line in file if words.search(line)]

    def stop(self):
        """Its exit code, and the output of `notesd audit` for its store."""
        if self.lives:
            self.process.terminate()
        code = self.process.wait(timeout=PATIENCE_S)
        done = subprocess.run(
            [self.program, "audit", "--data", self.data], capture_output=True, text=True, timeout=600, check=False,
            **self.as_user())
        return code, "" if done.returncode == 0 else done.stdout + done.stderr

    def end(self):
        if self.lives:
            self.process.kill()
            self.process.wait()


class Client:
    """Sends one request at a time, and keeps the notifications received in between."""

    def __init__(self, path, name="test", encoding="utf-8"):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE_S)
        self.socket.connect(path)
        self.lines = self.socket.makefile("rb")
        self.next_id = 0
        self.notices = []
        self.hello = self.ask("session.hello", protocol=[1], client={"name": name}, label=name, positionEncoding=[encoding])

    def read(self):
        line = self.lines.readline()
        if not line:
            raise OSError("the daemon closed the connection")
        return strictjson.parse(line[:-1], None)

    def ask(self, method, **params):
        """The result; raises Refused with the daemon's error, OSError if it is gone."""
        self.next_id += 1
        self.socket.sendall(strictjson.dump({"jsonrpc": "2.0", "id": self.next_id, "method": method, "params": params}) + b"\n")
        while True:
            answer = self.read()
            if "method" in answer:
                self.notices.append(answer)
            elif answer.get("id") != self.next_id:
                raise Refused({"not the answer": answer})
            elif "error" in answer:
                raise Refused(answer["error"])
            else:
                return answer["result"]

    def ask_all(self, method, all_params):
        """The results of requests that are sent together, at most as many as a connection may have
        unanswered. Skips notifications; raises Refused with the first error."""
        ids = range(self.next_id + 1, self.next_id + 1 + len(all_params))
        requests = [{"jsonrpc": "2.0", "id": id, "method": method, "params": params} for id, params in zip(ids, all_params)]
        self.socket.sendall(b"".join(strictjson.dump(request) + b"\n" for request in requests))
        self.next_id += len(all_params)
        results = {}
        while len(results) < len(all_params):
            answer = self.read()
            if "method" in answer:
                continue
            if "error" in answer:
                raise Refused(answer["error"])
            results[answer["id"]] = answer["result"]
        return [results[id] for id in ids]

    def close(self):
        self.lines.close()
        self.socket.close()


class Refused(Exception):
    pass
