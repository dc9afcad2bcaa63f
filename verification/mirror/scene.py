"""A real daemon and a real mirror of a folder, and what the checks ask of both."""

import os
import signal
import subprocess
import sys
import threading
import time
import uuid

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))

from daemon import Client, Daemon  # noqa: E402
from places import PATIENCE_S, is_open_to_all, program  # noqa: E402, F401

# Two looks that find both sides equal must be this far apart, in seconds.
REST_S = 0.4


class Mirror:
    """A `notesctl mirror` that follows one folder."""

    def __init__(self, place, socket, state, log, options=()):
        self.place = place
        self.log = log
        self.words = [program("notesctl"), "mirror", *options, place]
        self.environment = dict(os.environ, NOTESD_SOCKET=socket, XDG_STATE_HOME=state)
        self.process = None

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(self.words, stdout=log, stderr=log, env=self.environment)

    def kill(self, number=signal.SIGKILL):
        self.process.send_signal(number)
        self.process.wait(timeout=PATIENCE_S)

    def said(self):
        with open(self.log, "rb") as log:
            return log.read().decode(errors="replace")

    def once(self, *options):
        """Runs the same with `--once`; returns the exit code and what it printed."""
        done = subprocess.run([program("notesctl"), "mirror", "--once", *options, self.place], capture_output=True,
                              env=self.environment, timeout=PATIENCE_S, check=False)
        return done.returncode, (done.stdout + done.stderr).decode(errors="replace")


class Scene:
    """One daemon, and one folder with its mirror."""

    def __init__(self, folder, options=()):
        self.folder = folder
        self.place = os.path.join(folder, "notes")
        os.makedirs(self.place)
        os.makedirs(os.path.join(folder, "daemon"))
        self.daemon = Daemon(os.path.join(folder, "daemon"), options=options)
        self.mirror = self.another(self.place)
        self.client = Client(self.daemon.socket)
        # Requests of the main thread and of writers share this connection.
        self.lock = threading.Lock()

    def another(self, place, options=()):
        name = os.path.basename(place)
        return Mirror(place, self.daemon.socket, os.path.join(self.folder, "state"), os.path.join(self.folder, f"{name}.log"), options)

    def close(self):
        for end in (self.mirror.process, self.daemon.process):
            if end and end.poll() is None:
                end.kill()
                end.wait()

    # The daemon.

    def ask(self, method, **params):
        """Asks until the daemon answers. A write has an `op`, so that it is applied once."""
        until = time.monotonic() + PATIENCE_S
        with self.lock:
            while True:
                try:
                    return self.client.ask(method, **params)
                except OSError:
                    if time.monotonic() > until:
                        raise
                    time.sleep(0.02)
                    try:
                        self.client = Client(self.daemon.socket)
                    except OSError:
                        pass

    def heads(self):
        heads, after = [], {}
        while True:
            page = self.ask("note.list", limit=1000, **after)
            heads += page["notes"]
            if not page.get("next"):
                return heads
            after = {"after": page["next"]}

    def note(self, name):
        """The living note of a name with its text; None if there is none."""
        for head in self.heads():
            if head["name"] == name:
                return self.ask("note.get", id=head["id"])["note"]
        return None

    def text(self, name):
        note = self.note(name)
        return note and note["text"]

    def make(self, name, text):
        params = {"name": name} if name else {}
        return self.ask("note.create", text=text, op=uuid.uuid4().hex, **params)["note"]["id"]

    def insert(self, name, line, where=None):
        """Inserts a line into a note, as a client does that has its newest text."""
        note = self.note(name)
        lines = note["text"].splitlines(keepends=True)
        at = len(lines) if where is None else min(where, len(lines))
        lines.insert(at, line + "\n")
        self.ask("note.save", id=note["id"], base=note["version"], text="".join(lines), op=uuid.uuid4().hex)

    def save(self, name, text):
        note = self.note(name)
        self.ask("note.save", id=note["id"], base=note["version"], text=text, op=uuid.uuid4().hex)

    def revisions(self, note):
        """All texts that a note ever had, newest first."""
        texts, before = [], {}
        while True:
            page = self.ask("note.history", id=note, limit=1000, **before)["revisions"]
            for revision in page:
                texts.append(self.ask("note.get", id=note, at=revision["dot"])["note"].get("text") or "")
            if len(page) < 1000:
                return texts
            before = {"before": page[-1]["dot"]}

    # The folder.

    def path(self, name):
        return os.path.join(self.place, name)

    def read(self, name, place=None):
        try:
            with open(os.path.join(place or self.place, name), "rb") as file:
                return file.read().decode(errors="replace")
        except OSError:
            return None

    def write(self, name, text):
        """As most editors do: opens, truncates and writes at once."""
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb", buffering=0) as file:
            file.write(text if isinstance(text, bytes) else text.encode())

    def until(self, holds, seconds=PATIENCE_S):
        """Waits until a condition holds; returns whether it did."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if holds():
                    return True
            except (OSError, RuntimeError, TypeError):
                pass
            time.sleep(0.03)
        return False

    def differences(self, place=None):
        """The notes whose file has other bytes, and the files that are no notes' ones."""
        notes = {}
        for head in self.heads():
            notes[f"{head['name'] or head['id']}.md"] = self.ask("note.get", id=head["id"])["note"]["text"]
        files = {}
        for folder, folders, names in os.walk(place or self.place):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in names:
                path = os.path.relpath(os.path.join(folder, name), place or self.place)
                if name.endswith(".md") and not os.path.islink(os.path.join(folder, name)):
                    files[path] = self.read(path, place)
        return sorted(path for path in notes.keys() | files.keys() if notes.get(path) != files.get(path))

    def is_in_step(self, place=None):
        """Whether both sides are equal and stay so."""
        def rest():
            if self.differences(place):
                return False
            time.sleep(REST_S)
            return not self.differences(place)
        return self.until(rest)

    def leftovers(self, place=None):
        """The temporary files of notesctl in the folder."""
        return [name for _, _, names in os.walk(place or self.place) for name in names if name.startswith(".notesctl")]
