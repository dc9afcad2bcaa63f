"""Two machines that a replicator keeps in step, each with a mirrored folder, and an oracle of every content that a
program wrote."""

import collections
import hashlib
import os
import random
import re
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "replication")]

from daemon import Client  # noqa: E402
from machine import Machine  # noqa: E402
from places import PATIENCE_S, program  # noqa: E402
from scene import Mirror  # noqa: E402

# How long a scene may take until both folders are in step, in seconds. A removed file counts after ten.
STEP_S = 2 * PATIENCE_S
# Two looks that find everything equal are this far apart, in seconds.
REST_S = 0.5
# The mark of an alias (the end of the note's id) or of a further content (the beginning of its hash).
MARK = re.compile(rb"~[0-9a-f]{8}(?:[0-9a-f]{4})?(?=(\.[^./]*)?$)")


def digest(content):
    return hashlib.sha256(content).hexdigest()


def until(holds, seconds=PATIENCE_S):
    """Waits until a condition holds. Returns whether it did."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if holds():
                return True
        except (OSError, TypeError, RuntimeError):
            pass
        time.sleep(0.05)
    return False


class Side:
    """A machine, its folder and the folder's mirror."""

    def __init__(self, folder, name, options=("--files", "all")):
        self.machine = Machine(folder, name)
        self.place = os.path.join(folder, f"notes {name}")
        os.makedirs(self.place)
        self.mirror = Mirror(self.place, self.machine.daemon.socket, os.path.join(self.machine.folder, "state"),
                             os.path.join(folder, f"mirror {name}.log"), options)
        self.client = None
        # The contents of notes, by id and version.
        self.known = {}

    def ask(self, method, **params):
        for _ in range(100):
            try:
                self.client = self.client or Client(self.machine.daemon.socket, "judge")
                return self.client.ask(method, **params)
            except OSError:
                self.client = None
                time.sleep(0.1)
        raise OSError("the daemon does not answer")

    # The folder.

    def path(self, name):
        return os.path.join(os.fsencode(self.place), os.fsencode(name))

    def write(self, name, content):
        """Writes a file at once, and makes its folders."""
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "wb", buffering=0) as file:
            file.write(content)

    def replace(self, name, content):
        """Writes a hidden file and renames it onto the name."""
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        beside = os.path.join(os.path.dirname(path), b".new-" + os.path.basename(path)[-200:])
        with open(beside, "wb", buffering=0) as file:
            file.write(content)
        os.rename(beside, path)

    def read(self, name):
        try:
            with open(self.path(name), "rb") as file:
                return file.read()
        except OSError:
            return None

    def files(self):
        """The contents of all visible regular files, by path."""
        found, top = {}, os.fsencode(self.place)
        for folder, folders, names in os.walk(top):
            folders[:] = [name for name in folders if not name.startswith(b".")]
            for name in names:
                path = os.path.join(folder, name)
                if (not name.startswith(b".") or name in (b"..md", b"...md")) and os.path.isfile(path) and not os.path.islink(path):
                    with open(path, "rb") as file:
                        found[os.path.relpath(path, top)] = digest(file.read())
        return found

    # The notes.

    def heads(self, **filters):
        heads, after = [], {}
        while True:
            page = self.ask("note.list", limit=1000, filter=dict({"kind": "any"}, **filters), **after)
            heads += page["notes"]
            if not page.get("next"):
                return heads
            after = {"after": page["next"]}

    def _contents(self, head):
        """The hashes of the contents that a note has now: several if a file is in conflict."""
        key = (head["id"], head["version"])
        if key not in self.known:
            note = self.ask("note.get", id=head["id"])["note"]
            files = note.get("files") or ([note["file"]] if note.get("file") else [])
            self.known[key] = sorted(file["sha256"] for file in files) or [digest((note.get("text") or "").encode())]
        return self.known[key]

    def notes(self):
        """The paths of all notes without marks, each with the hashes of its contents."""
        found = collections.defaultdict(list)
        for head in self.heads():
            name = head.get("name") or head["id"]
            capital = name.lower().endswith(".md") and not name.endswith(".md")
            whole = head.get("file") or capital or re.search(r"\.(txt|markdown)$", name, re.I)
            found[MARK.sub(b"", os.fsencode(name if whole else name + ".md"))] += self._contents(head)
        return {path: sorted(hashes) for path, hashes in found.items()}

    def ids(self):
        return {head["name"]: head["id"] for head in self.heads()}

    def every_content(self):
        """The hashes, and the lines of texts, of all revisions of all notes, and of the files in the folder."""
        hashes, lines = set(self.files().values()), set()
        for head in self.heads() + self.heads(deleted=True):
            before = {}
            while True:
                page = self.ask("note.history", id=head["id"], limit=1000, **before)["revisions"]
                for revision in page:
                    text = self.ask("note.get", id=head["id"], at=revision["dot"])["note"]
                    hashes |= {file["sha256"] for file in (text.get("files") or [text.get("file")]) if file}
                    hashes.add(digest((text.get("text") or "").encode()))
                    lines |= set((text.get("text") or "").encode().split(b"\n"))
                if len(page) < 1000:
                    break
                before = {"before": page[-1]["dot"]}
        return hashes, lines

    def status(self):
        done = subprocess.run([program("notesctl"), "mirror", "status", self.place], capture_output=True, env=self.mirror.environment,
                              timeout=PATIENCE_S, check=False)
        return done.returncode, done.stdout.decode(errors="replace")

    def stop(self):
        if self.mirror.process and self.mirror.process.poll() is None:
            self.mirror.kill(15)


class Pair:
    """Sides A and B, in step by a `notesctl sync` of A."""

    def __init__(self, checks, folder, seed, options=("--files", "all")):
        self.checks, self.folder, self.chance = checks, folder, random.Random(seed)
        self.a, self.b = (Side(folder, name, options) for name in "ab")
        self.sides = (self.a, self.b)
        self.sync = None
        self.wrote = {}
        self.serial = 0
        done = self.a.machine.notesctl("peer", "add", "b", f"unix:{self.b.machine.daemon.socket}", "--yes", "--no-start")
        checks.equal(done.returncode, 0, "the peer is added", done.stderr)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        ends = [self.sync] + [process for side in self.sides for process in (side.mirror.process, side.machine.daemon.process)]
        for end in ends:
            if end and end.poll() is None:
                end.kill()
                end.wait()

    def start(self):
        """Starts the replicator and both mirrors."""
        self.carry()
        for side in self.sides:
            side.mirror.start()
        return self

    def carry(self):
        with open(os.path.join(self.folder, "sync.log"), "ab") as log:
            self.sync = subprocess.Popen([program("notesctl"), "sync", "b"], stdout=log, stderr=log, env=self.a.machine.environment())

    def part(self):
        """Stops the replicator."""
        self.sync.kill()
        self.sync.wait()

    # What programs write.

    def content(self, name, lines=1):
        """A content that no other one equals: lines for a text, bytes for another file. The oracle knows it."""
        self.serial += 1
        path = os.fsencode(name)
        if path.lower().endswith((b".md", b".txt", b".markdown")):
            new = "".join(f"content {self.serial} has line {line} of {name!r}\n" for line in range(lines)).encode()
        else:
            new = self.chance.randbytes(60 + self.serial % 100)
        return self.know(name, new)

    def know(self, name, content):
        self.wrote[digest(content)] = (name, content)
        return content

    def forget(self, content):
        """A program removed the content on purpose."""
        self.wrote.pop(digest(content), None)

    def approve(self):
        """Approves the removals that wait, as `mirror status` says, until all is in step."""
        def approved():
            for side in self.sides:
                digits = re.search(r"--set ([0-9a-f]+)", side.status()[1])
                if digits:
                    subprocess.run([program("notesctl"), "mirror", "approve", side.place, "--set", digits[1]], capture_output=True,
                                   env=side.mirror.environment, timeout=PATIENCE_S, check=False)
            return not self.difference()
        return until(approved, 3 * PATIENCE_S)

    # Judging.

    def difference(self):
        """What is not equal: '' if the folders and the notes of both sides are."""
        notes = [side.notes() for side in self.sides]
        if notes[0] != notes[1]:
            return f"the notes differ: {_unequal(*notes)}"
        for name, side, mine in zip("ab", self.sides, notes):
            files = collections.defaultdict(list)
            for path, content in side.files().items():
                files[MARK.sub(b"", path)].append(content)
            files = {path: sorted(hashes) for path, hashes in files.items()}
            if files != mine:
                return f"folder {name} and its notes differ: {_unequal(files, mine)}"
        return ""

    def in_step(self, what="both folders and all notes are equal", seconds=STEP_S):
        """Waits until all are equal and stay so."""
        def rest():
            if self.difference():
                return False
            time.sleep(REST_S)
            return not self.difference()
        return self.checks.check(until(rest, seconds), what, self.difference(), *[side.status()[1][-400:] for side in self.sides])

    def judge(self, leftovers=()):
        """All is in step; every content that a program wrote is somewhere; no temporary file is left."""
        checks = self.checks
        self.in_step()
        here, lost = set(self.a.files().values()) | set(self.b.files().values()), {}
        rest = {hash_: found for hash_, found in self.wrote.items() if hash_ not in here}
        if rest:
            hashes, lines = (left | right for left, right in zip(self.a.every_content(), self.b.every_content()))
            for hash_, (name, content) in rest.items():
                is_text = os.fsencode(name).lower().endswith((b".md", b".txt", b".markdown"))
                if hash_ not in hashes and not (is_text and set(content.split(b"\n")) <= lines):
                    lost[name] = content[:80]
        checks.equal(lost, {}, f"each of the {len(self.wrote)} contents is in a folder or in a history")
        for side in self.sides:
            left = [name for _, _, names in os.walk(side.place) for name in names if name.startswith(".notesctl")]
            checks.equal(left, list(leftovers), "no temporary file is left")
            if side.mirror.process:
                checks.equal(side.mirror.process.poll(), None, "the mirror runs until the end", side.mirror.said()[-500:])


def _unequal(left, right):
    names = sorted(name for name in left.keys() | right.keys() if left.get(name) != right.get(name))
    shown = [(name, [hash_[:8] for hash_ in left.get(name, [])], [hash_[:8] for hash_ in right.get(name, [])]) for name in names[:4]]
    return f"{len(names)}: {shown}"


def is_missing(checks, what, *programs):
    """Whether a program is not installed; reports it."""
    missing = [name for name in programs if not shutil.which(name)]
    if missing:
        checks.say(f"skipped {what}: needs {', '.join(missing)}")
    return bool(missing)
