#!/usr/bin/env python3
"""Runs the Python of docs/clients.md, docs/examples/follow.py and prepend.py against a real daemon.

The client connects through a proxy that loses the first save or the response to it, and kills the
daemon. The note must have the line once, by one revision.

    verification/pages/clients.py
"""

import json
import os
import re
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))

from checks import Checks  # noqa: E402
from daemon import Client, Daemon  # noqa: E402
from places import PATIENCE_S, ROOT  # noqa: E402


def document(name):
    """The text of a document."""
    with open(os.path.join(ROOT, "docs", name), encoding="utf-8") as page:
        return page.read()


def lists(checks, page):
    """The table lists every error with its code, once."""
    rows = re.findall(r"^\| `([a-z_]+)` \| (-?[0-9]+) \|", page, re.MULTILINE)
    errors = json.loads(document("openrpc.json"))["components"]["errors"].values()
    checks.equal(sorted(rows), sorted((error["data"]["kind"], str(error["code"])) for error in errors), "the table of errors")


class Proxy:
    """Passes lines between clients and the daemon, except one: the first `note.save` (`loses` is
    "request") or the response to it ("response"). It then kills the daemon, closes the connection,
    and accepts no other until `open` is set."""

    def __init__(self, daemon, path, loses):
        self.daemon = daemon
        self.loses = loses
        self.saves = []
        self.lost, self.open = threading.Event(), threading.Event()
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            near, _ = self.listener.accept()
            if self.lost.is_set():
                self.open.wait()
            far = socket.socket(socket.AF_UNIX)
            try:
                far.connect(self.daemon.socket)
            except OSError:
                near.close()
                continue
            ends = (near.makefile("rwb"), far.makefile("rwb"))
            threading.Thread(target=self._requests, args=(near, far, *ends), daemon=True).start()
            threading.Thread(target=self._responses, args=(near, far, *ends), daemon=True).start()

    def _requests(self, near, far, client, server):
        try:
            for line in client:
                if json.loads(line)["method"] == "note.save":
                    self.saves.append(line)
                    if self.loses == "request" and not self.lost.is_set():
                        self._lose()
                        break
                server.write(line)
                server.flush()
        except OSError:
            pass
        _shut(near, far)

    def _responses(self, near, far, client, server):
        try:
            for line in server:
                if "outcome" in json.loads(line).get("result", {}) and not self.lost.is_set():
                    self._lose()
                    break
                client.write(line)
                client.flush()
        except OSError:
            pass
        _shut(near, far)

    def _lose(self):
        self.daemon.kill()
        self.lost.set()


def _shut(*ends):
    for end in ends:
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


class Output:
    """What a running program prints."""

    def __init__(self, process):
        self.process = process
        self.text = ""

    def wait(self, wanted):
        """Whether it has printed `wanted`, in time."""
        until = time.monotonic() + PATIENCE_S
        while wanted not in self.text:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.process.stdout], [], [], left)[0]:
                return False
            piece = os.read(self.process.stdout.fileno(), 65536)
            if not piece:
                return False
            self.text += piece.decode()
        return True


def loses(checks, folder, program, uuid7, which):
    """The client reaches its end state if the first save or the response to it is lost."""
    os.mkdir(folder)
    daemon = Daemon(folder)
    client = None
    try:
        note = Client(daemon.socket).ask("note.create", name="list", text="old\n", id=uuid7())["note"]["id"]
        proxy = Proxy(daemon, os.path.join(folder, "proxy.sock"), which)
        client = subprocess.Popen([sys.executable, program, "list", "new"], stdout=subprocess.PIPE,
                                  env=dict(os.environ, NOTESD_SOCKET=os.path.join(folder, "proxy.sock")))
        output = Output(client)
        checks.check(proxy.lost.wait(PATIENCE_S), "the client saves", which)
        daemon.start()
        proxy.open.set()
        checks.check(output.wait("snapshot new\nold\n"), "the client connects again and watches", which, output.text)
        checks.check(output.text.startswith("saved\n"), "the client reports the save", which, output.text)
        checks.check(len(proxy.saves) == 2 and proxy.saves[0] == proxy.saves[1], "the save is sent again, unchanged",
                     which, proxy.saves)
        other = Client(daemon.socket)
        revisions = other.ask("note.history", id=note)["revisions"]
        checks.equal(len(revisions), 2, "the save made one revision", which)

        # A watch resumes after a crash of the daemon, and reports the changes that it missed.
        daemon.restart()
        other = Client(daemon.socket)
        other.ask("note.save", id=note, base=revisions[0]["version"], text="new\nold\nthird\n")
        checks.check(output.wait("edited new\nold\nthird\n"), "the watch resumes", which, output.text)
        checks.equal(output.text.count("snapshot"), 1, "the watch resumes where it stopped", which, output.text)
        checks.equal(len(proxy.saves), 2, "a save with a response is not sent again", which)
    finally:
        if client:
            client.kill()
            client.wait()
        if daemon.process.poll() is None:
            daemon.stop()
    checks.equal(daemon.verify(), "", "the store is whole", which)


def finds(checks, folder, source):
    """The places where the client looks for the socket, in order."""
    namespace = {}
    exec(source, namespace)
    runtime, state = os.path.join(folder, "runtime"), os.path.join(folder, "state")
    for place in (runtime, state):
        os.makedirs(os.path.join(place, "notesd"))
        os.chmod(os.path.join(place, "notesd"), 0o700)
        open(os.path.join(place, "notesd", "notesd.sock"), "w").close()
    shared = "/run/notesd/notesd.sock"
    cases = [
        ({"NOTESD_SOCKET": "/a", "XDG_RUNTIME_DIR": runtime, "XDG_STATE_HOME": state}, "/a"),
        ({"XDG_RUNTIME_DIR": runtime, "XDG_STATE_HOME": state}, runtime + "/notesd/notesd.sock"),
        ({"XDG_RUNTIME_DIR": folder + "/none", "XDG_STATE_HOME": state}, shared),
        ({"NOTESD_SOCKET": "", "XDG_RUNTIME_DIR": "", "XDG_STATE_HOME": state}, state + "/notesd/notesd.sock"),
        ({"XDG_STATE_HOME": folder + "/none"}, shared),
    ]
    usual = dict(os.environ)
    for variables, wanted in cases:
        for name in ("NOTESD_SOCKET", "XDG_RUNTIME_DIR", "XDG_STATE_HOME"):
            os.environ.pop(name, None)
        os.environ.update(variables)
        checks.equal(namespace["find_socket"](), wanted, "the client finds the socket", variables)
    os.chmod(os.path.join(state, "notesd"), 0o755)
    os.environ["XDG_STATE_HOME"] = state
    checks.equal(namespace["find_socket"](), shared, "the client ignores a socket that others may have made")
    os.environ.clear()
    os.environ.update(usual)


def prepends(checks, folder, program):
    """The program of the protocol finds the daemon in the state directory, and puts its line on top."""
    state = os.path.join(folder, "state-of-user")
    os.makedirs(os.path.join(state, "notesd"), mode=0o700)
    daemon = Daemon(os.path.join(state, "notesd"))
    client = None
    try:
        other = Client(daemon.socket)
        other.ask("note.create", name="list", text="old\n")
        environment = {name: value for name, value in os.environ.items() if name not in ("NOTESD_SOCKET", "XDG_RUNTIME_DIR")}
        client = subprocess.Popen([sys.executable, "-u", program, "list", "new"], stdout=subprocess.PIPE,
                                  env=dict(environment, XDG_STATE_HOME=state))
        output = Output(client)
        checks.check(output.wait("edited "), "the program of the protocol saves", output.text)
        checks.equal(other.ask("note.get", name="list")["note"]["text"], "new\nold\n", "its line is on top")
    finally:
        if client:
            client.kill()
            client.wait()
        daemon.stop()


def resolves(checks, folder, source):
    """The program of the protocol keeps both sides of a conflict and resolves it."""
    store = os.path.join(folder, "in-conflict")
    os.mkdir(store)
    daemon = Daemon(store)
    try:
        other, reader = Client(daemon.socket), Client(daemon.socket)
        other.ask("note.create", name="list", text="old\n")
        names = {"__name__": "prepend"}
        exec(source, names)
        names["find_socket"] = lambda: daemon.socket

        class Late(names["Prepender"]):
            """Saves on a text of which somebody else has changed the first line."""

            def save(self, params):
                if "text" in params:
                    other.ask("note.save", id=params["id"], base=params["base"], text="changed\n")
                super().save(params)

        threading.Thread(target=Late("list", "new").run, daemon=True).start()
        until = time.monotonic() + PATIENCE_S
        note = {}
        while time.monotonic() < until and (not note or "new" not in note["text"] or note["conflicts"]):
            note = reader.ask("note.get", name="list")["note"]
            time.sleep(0.01)
        checks.equal((sorted(note["text"].splitlines()), note["conflicts"]), (["changed", "new"], []),
                     "both sides of its conflict stay, and it resolves the conflict")
        revisions = reader.ask("note.history", id=note["id"])["revisions"]
        checks.equal(len(revisions[0].get("resolves", [])), 1, "the newest revision resolves it")
    finally:
        daemon.stop()


def main():
    checks = Checks("docs/clients.md", 0)
    page = document("clients.md")
    lists(checks, page)
    making, = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    client = document("examples/follow.py")
    finding = "import os\n\n" + client[client.index("def find_socket"):client.index("def call")].rstrip() + "\n"
    namespace = {}
    exec(making, namespace)
    folder = tempfile.mkdtemp()
    try:
        program = os.path.join(folder, "follow.py")
        with open(program, "w", encoding="utf-8") as file:
            file.write(client)
        finds(checks, folder, finding)
        prepend = document("examples/prepend.py")
        checks.check(finding.removeprefix("import os\n\n").strip() in prepend, "both programs look in the same places")
        program_of_protocol = os.path.join(folder, "prepend.py")
        with open(program_of_protocol, "w", encoding="utf-8") as file:
            file.write(prepend)
        prepends(checks, folder, program_of_protocol)
        resolves(checks, folder, prepend)
        for which in ("request", "response"):
            loses(checks, os.path.join(folder, which), program, namespace["uuid7"], which)
    finally:
        shutil.rmtree(folder)
    checks.finish()


if __name__ == "__main__":
    main()
