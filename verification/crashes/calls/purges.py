#!/usr/bin/env python3
"""A purge whose system calls fail, whose daemon is killed before one of them, or whose disk is full.
Afterwards no file of the store may have the purged text, and everything acknowledged is there.

usage: purges.py [--seed N] [--long] [--cases N] [--workers N] [--only TEXT] [--if-possible]

The calls are those from the request until the daemon reports that its files are scrubbed. Each case
names a kind of call, the file that it concerns and what happens. It runs once, with a random one of
these calls; with --long, it runs with each of them. The full disk needs root and loop devices with
ext4.
"""

import argparse
import errno
import os
import random
import shutil
import sys
import tempfile
import threading
import time
import traceback
from concurrent.futures import ProcessPoolExecutor

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "..", "lib")]

import shims  # noqa: E402
from checks import Checks  # noqa: E402
from control import KILLED, KINDS, SUBJECTS, Control, fault_name, preloaded  # noqa: E402
from daemon import Client, Daemon, DaemonFailed  # noqa: E402
from disks import fill  # noqa: E402
from filesystem import FileSystem, NotPossible  # noqa: E402
from scenario import PATIENCE_S  # noqa: E402

# One word that begins like no other, so that the search index has it in one piece.
SECRET = "qzhunter2"
PURGED, OTHER = "01890a5d-ac96-774b-bcce-b302099a80b1", "01890a5d-ac96-774b-bcce-b302099a80b2"
CHANGING = ["write", "sync", "open", "truncate", "allocate", "name", "lock"]
STORE = ["database", "wal", "shm", "index", "folder", "other"]
FAULTS = [(errno.EIO, False), (errno.EIO, True), (errno.ENOSPC, False), (errno.ENOSPC, True), (KILLED, False)]
# The exit codes after a failure of the store (`notesd --help`).
EXITS = {0, 73, 74, 78, -9}


def make(folder):
    """A store as a killed daemon leaves it. A note has the text in its past, and so have the log and
    the search index. Returns the version of the note."""
    daemon = Daemon(folder)
    client = Client(daemon.socket)
    first = client.ask("note.create", id=PURGED, text=f"kept\n{SECRET}\n")["note"]["version"]
    until_indexed(client)
    last = client.ask("note.save", id=PURGED, base=first, text="kept\n")["version"]
    client.ask("note.create", id=OTHER, text="other\n")
    until_indexed(client)
    client.close()
    daemon.kill()
    return last


def until(holds, what):
    """Waits until a condition holds."""
    end = time.monotonic() + PATIENCE_S
    while not holds():
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.005)


def until_indexed(client):
    def is_found():
        try:
            return client.ask("note.search", query="kept")["hits"]
        except RuntimeError:
            return False

    until(is_found, "the search index has no note")


def is_scrubbed(client):
    return client.ask("daemon.status").get("scrubbed", True)


def having(folder):
    """The files below a folder that contain the purged text."""
    found = []
    for place, _, names in os.walk(folder):
        for name in names:
            with open(os.path.join(place, name), "rb") as file:
                if SECRET.encode() in file.read():
                    found.append(name)
    return found


class Writer(threading.Thread):
    """Appends a line to the other note again and again, and knows which lines were acknowledged."""

    def __init__(self, socket):
        super().__init__(daemon=True)
        self.socket, self.is_over, self.acknowledged = socket, False, []

    def run(self):
        number = 0
        try:
            client = Client(self.socket, "writer")
            version = client.ask("note.get", id=OTHER)["note"]["version"]
            while not self.is_over:
                number += 1
                edit = {"start": 0, "end": 0, "text": f"line {number}\n"}
                try:
                    version = client.ask("note.edit", id=OTHER, base=version, edits=[edit])["version"]
                    self.acknowledged.append(f"line {number}")
                except RuntimeError:
                    # Refused: the store is full or fails.
                    time.sleep(0.005)
        except (OSError, ValueError):
            pass


class Trial:
    """One purge on a copy of the store."""

    def __init__(self, job):
        self.kind, self.subject, self.number, self.fault, self.is_lasting, self.library, self.store, self.version = job
        self.results, self.failed, self.counts = [], 0, {}

    def check(self, holds, law, *details):
        how = ", all from then on" if self.is_lasting else ""
        what = f"{self.kind} {self.number} on {self.subject}: {fault_name(self.fault)}{how}" if self.kind else "no fault"
        self.results.append((bool(holds), law, what, *details))

    def play(self):
        folder = tempfile.mkdtemp(prefix="notesd-purges-")
        self.daemon = Daemon(folder, started=False)
        try:
            shutil.copytree(self.store, self.daemon.data)
            os.chmod(self.daemon.data, 0o700)
            self.control = Control(os.path.join(folder, "faults"))
            if self.kind:
                self.control.rule(0, [self.kind], [self.subject], self.number, 0 if self.is_lasting else 1, self.fault)
            found = having(self.daemon.data)
            self.check("search.sqlite3" in {name.removesuffix("-wal") for name in found} and "notes.sqlite3-wal" in found,
                       "the log and the search index have the text before the purge", found)
            self.under_faults()
            self.without_faults()
            self.check(not having(self.daemon.data), "no file of the store has the text", having(self.daemon.data), self.daemon.said())
        except Exception:
            self.check(False, "the daemon recovers", traceback.format_exc(), self.daemon.said())
        finally:
            if self.daemon.process and self.daemon.process.poll() is None:
                self.daemon.kill()
            shutil.rmtree(folder, ignore_errors=True)
        return self

    def purge(self, client):
        return client.ask("note.purge", id=PURGED, base=self.version, op="purge")

    def under_faults(self):
        self.daemon.environment = preloaded(self.control, self.library)
        self.daemon.start()
        client = Client(self.daemon.socket, "admin")
        until_indexed(client)
        before = self.calls()
        self.writer = Writer(self.daemon.socket)
        self.writer.start()
        self.answer = None
        self.control.arm()
        try:
            self.answer = self.purge(client)
            # A lasting fault may keep the daemon from completing the scrub. Then it must do so later.
            end = time.monotonic() + (0.3 if self.is_lasting else PATIENCE_S)
            while not is_scrubbed(client) and time.monotonic() < end:
                time.sleep(0.005)
            self.check(self.is_lasting or is_scrubbed(client), "a scrub completes after a failure", self.daemon.said())
        except RuntimeError as error:
            kind = error.args[0]["data"]["kind"]
            known = {"storage_full", "storage_failed", "read_only", "shutting_down"}
            self.check(kind in known, "a purge that fails reports why", error.args[0])
            if kind == "shutting_down":
                self.daemon.process.wait(PATIENCE_S)
        except (OSError, ValueError):
            self.daemon.process.wait(PATIENCE_S)
        self.counts = {key: count - before[key] for key, count in self.calls().items()}
        self.control.arm(False)
        if self.answer and self.daemon.process.poll() is None:
            try:
                until(lambda: is_scrubbed(client), "the scrub completes without a restart")
            except (OSError, ValueError):
                self.daemon.process.wait(PATIENCE_S)
        self.writer.is_over = True
        self.writer.join()
        self.failed = self.control.failed()
        if self.daemon.process.poll() is None:
            self.daemon.kill()
        else:
            code = self.daemon.process.returncode
            self.check(self.failed and code in EXITS, "only a failed call ends the daemon, with its exit code", code, self.daemon.said())

    def calls(self):
        return {(kind, subject): self.control.calls(kind, subject) for kind in KINDS for subject in SUBJECTS}

    def without_faults(self):
        """Starts the daemon again, repeats the purge if it was not answered, and waits for the scrub."""
        self.daemon.environment = {}
        self.daemon.start()
        client = Client(self.daemon.socket, "judge")
        purged = self.purge(client)
        self.check(not self.answer or purged.get("replayed"), "an acknowledged purge is durable", purged, self.answer)
        until(lambda: is_scrubbed(client), "a restarted daemon completes the scrub")
        self.check(client.ask("note.get", id=PURGED)["note"]["text"] == "kept\n", "the note shows what it showed")
        history = client.ask("note.history", id=PURGED)["revisions"]
        self.check([revision["kind"] for revision in history] == ["purge"], "the history begins with the purge", history)
        lines = client.ask("note.get", id=OTHER)["note"]["text"].split("\n")
        lost = [line for line in self.writer.acknowledged if lines.count(line) != 1]
        self.check(not lost, "every acknowledged line is there once", lost)
        until_indexed(client)
        audit = client.ask("daemon.audit")
        self.check(audit["ok"], "the audit finds nothing", audit)
        client.close()
        self.check(self.daemon.stop() == 0, "the daemon stops with exit code 0", self.daemon.said())


def play(job):
    trial = Trial(job).play()
    return trial.results, trial.failed, trial.counts


def on_a_full_disk(checks, folder):
    """The disk is full before the purge, and full again right after it."""
    disk, daemon = FileSystem(folder), None
    data = os.path.join(disk.path, "data")
    try:
        home = os.path.join(folder, "home")
        os.mkdir(home)
        version = make(home)
        shutil.copytree(os.path.join(home, "data"), data)
        os.chmod(data, 0o700)
        daemon = Daemon(folder, data=data)
        client = Client(daemon.socket)
        until_indexed(client)
        ballast = fill(disk.path)
        try:
            client.ask("note.purge", id=PURGED, base=version, op="purge")
        except RuntimeError as error:
            checks.check(error.args[0]["data"]["kind"] == "storage_full", "a purge without room is refused", error.args[0])
            checks.check(client.ask("note.get", id=PURGED, at=version)["note"]["text"] == "kept\n", "and changes nothing")
        os.unlink(ballast)
        client.ask("note.purge", id=PURGED, base=version, op="purge")
        ballast = fill(disk.path)
        daemon.kill()
        # Without room a start may be refused.
        try:
            daemon.start()
        except DaemonFailed:
            pass
        os.unlink(ballast)
        if daemon.process.poll() is not None:
            daemon.start()
        client = Client(daemon.socket)
        until(lambda: is_scrubbed(client), "the scrub completes when there is room")
        checks.check(not having(data), "no file on the disk that was full has the text", having(data), daemon.said())
        checks.check(client.ask("note.get", id=PURGED)["note"]["text"] == "kept\n", "the note shows what it showed")
        client.close()
        checks.check(daemon.stop() == 0, "the daemon stops with exit code 0", daemon.said())
    finally:
        if daemon and daemon.process.poll() is None:
            daemon.kill()
        disk.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--cases", type=int, help="run only this many cases")
    parser.add_argument("--workers", type=int, default=max(2, os.cpu_count() or 2))
    parser.add_argument("--only", default="", help="cases whose description has this text, such as `name on index`")
    parser.add_argument("--if-possible", action="store_true")
    arguments = parser.parse_args()
    checks = Checks("purges", arguments.seed)
    random_ = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory(prefix="notesd-purges-") as folder:
        library = shims.build("failing", folder)
        version = make(folder)
        rest = (library, os.path.join(folder, "data"), version)
        results, _, counts = play((None, None, 0, errno.EIO, False, *rest))
        for result in results:
            checks.check(*result)
        jobs = []
        for kind in CHANGING:
            for subject in STORE:
                most = counts.get((kind, subject), 0)
                for fault, is_lasting in FAULTS if most else []:
                    if arguments.only not in f"{kind} on {subject}: {fault_name(fault)}":
                        continue
                    numbers = range(1, most + 1) if arguments.long else [random_.randint(1, most)]
                    jobs += [(kind, subject, number, fault, is_lasting, *rest) for number in numbers]
        if arguments.cases is not None:
            jobs = random_.sample(jobs, min(arguments.cases, len(jobs)))
        failed = 0
        with ProcessPoolExecutor(arguments.workers) as pool:
            for results, has_failed, _ in pool.map(play, jobs):
                failed += bool(has_failed)
                for result in results:
                    checks.check(*result)
        print(f"purges: {len(jobs)} purges, in {failed} of them a call failed or the daemon was killed", flush=True)
        checks.check(failed > len(jobs) // 2, "calls fail in most runs", failed, len(jobs))
    try:
        with tempfile.TemporaryDirectory(prefix="notesd-purges-") as folder:
            on_a_full_disk(checks, folder)
    except NotPossible as reason:
        print(f"purges: a full disk: skipped: {reason}", flush=True)
        checks.check(arguments.if_possible, "the full disk can be tested", reason)
    checks.finish()


if __name__ == "__main__":
    main()
