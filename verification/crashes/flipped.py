#!/usr/bin/env python3
"""Flips bits of a store on disk, as a failing disk does and a crash does not, and checks how the
daemon reacts.

usage: flipped.py [--seed N] [--flips N]

The daemon may refuse to start, end, or refuse a request, each with a message. It must not trap,
hang, or return a text that differs from the earlier one. The audit must report each refusal caused
by a checksum mismatch. docs/operations.md has the SQL with which such data can still be read; the
test tries it too. In the pages of small tables, which have no checksums, the daemon must not trap
or hang, but the test does not compare texts. Most cases flip one bit of the database's content;
some flip several, or replace a sector by zeros or by other data.
"""

import argparse
import collections
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))

from checks import Checks, progress  # noqa: E402
from daemon import Client, Daemon, DaemonFailed  # noqa: E402
from places import MEMORY, PATIENCE_S  # noqa: E402

SECTOR, PAGE = 512, 4096
SMALL_TABLES = {"replica", "dot_range", "incarnation", "author", "operation", "operation_name", "tag", "store"}
# The number of restarts of a daemon that ends, in one case.
STARTS_MOST = 12
# The commands of the manual that read a damaged store.
MANUAL = os.path.join(HERE, "..", "..", "docs", "operations.md")
# The message of the daemon when it ends by itself, and the messages of the runtime when it traps.
TRAP = re.compile(r"Fatal error|Thread \d+ crashed|Crashed|\*\*\* Signal")
NOTES = 12


def fill(daemon, rng):
    """Creates notes with many revisions, some concurrent; some with conflicts, names, deleted,
    large."""
    client = Client(daemon.socket)
    for number in range(NOTES):
        size = rng.choice([40, 400, 30_000])
        text = "".join(f"{number} {line} é {rng.getrandbits(40):x}\n" for line in range(size // 20))
        made = client.ask("note.create", text=text, name=f"folder/{number}" if number % 3 else None)
        id, versions = made["note"]["id"], [(made["note"]["version"], text)]
        for step in range(rng.randrange(4, 40)):
            base, text = versions[-1] if rng.random() < 0.7 else rng.choice(versions)
            lines = text.splitlines(keepends=True)
            at = rng.randrange(len(lines) + 1)
            lines[at:at + rng.randrange(2)] = [f"step {step} of {number} #tag{step % 3} ü\n"]
            params = {"id": id, "base": base, "text": "".join(lines), "op": f"{number}-{step}"}
            if rng.random() < 0.1:
                params["name"] = f"other/{number}/{step}"
            client.ask("note.save", **params)
            note = client.ask("note.get", id=id)["note"]
            versions.append((note["version"], note["text"]))
        if number % 5 == 4:
            client.ask("note.delete", id=id, base=versions[-1][0])
    client.close()


def all_texts(client):
    """Every readable text, by note and version (None: the current one)."""
    texts = {}
    for id in ids(client):
        note = client.ask("note.get", id=id)["note"]
        texts[id, None] = told(note)
        for dot in (revision["dot"] for revision in client.ask("note.history", id=id, limit=1000)["revisions"]):
            texts[id, dot] = told(client.ask("note.get", id=id, at=dot)["note"])
    return texts


def told(note):
    return {name: note[name] for name in ("version", "text", "name", "deleted", "conflicts") if name in note}


def ids(client):
    filters = [{}, {"deleted": True}]
    return [note["id"] for which in filters for note in client.ask("note.list", filter=which, limit=1000)["notes"]]


def without_sums(data, intact=None):
    """Applies the manual's commands for a damaged store. Returns whether SQLite can still write it.

    With `intact`, it also restores the revisions' hashes from that store. The daemon compares them
    only in rows without a checksum, so it would refuse a revision for a hash that was damaged too.
    """
    with open(MANUAL, encoding="utf-8") as manual:
        commands = re.findall(r"^UPDATE [^;]*;$", manual.read(), re.MULTILINE)
    assert len(commands) == 4, commands
    database = sqlite3.connect(os.path.join(data, "notes.sqlite3"))
    try:
        if intact:
            database.execute("ATTACH ? AS intact", (os.path.join(intact, "notes.sqlite3"),))
        with database:
            for command in commands:
                database.execute(command)
            if intact:
                database.execute("UPDATE revision SET hash = own.hash FROM intact.revision AS own WHERE own.sequence = revision.sequence")
        return True
    except sqlite3.DatabaseError:
        return False
    finally:
        database.close()


def pages_without_sums(path):
    """The pages of the small tables without checksums: a reader of their dots and authors cannot
    detect damage (decision 0052)."""
    database = sqlite3.connect(path)
    try:
        return {page for name, page in database.execute("SELECT name, pageno FROM dbstat") if name in SMALL_TABLES}
    finally:
        database.close()


def flip(path, rng, pages):
    """Damages a file in pages for which `pages` is true. Returns a description."""
    size = os.path.getsize(path)

    def somewhere(unit):
        while True:
            place = rng.randrange(size // unit) * unit
            if pages(place // PAGE + 1):
                return place

    with open(path, "r+b") as file:
        way = rng.choices(["bit", "bits", "zeros", "elsewhere"], [85, 5, 5, 5])[0]
        if way in ("bit", "bits"):
            places = [somewhere(1) * 8 + rng.randrange(8) for _ in range(1 if way == "bit" else rng.randrange(2, 9))]
            for place in places:
                file.seek(place // 8)
                byte = file.read(1)[0]
                file.seek(place // 8)
                file.write(bytes([byte ^ 1 << place % 8]))
            return f"{way} {places}"
        place, source = somewhere(SECTOR), somewhere(SECTOR)
        file.seek(source)
        data = file.read(SECTOR) if way == "elsewhere" else bytes(SECTOR)
        file.seek(place)
        file.write(data)
        return f"{way} at {place} from {source}"


class Case:
    """A daemon on a damaged store, and the requests to it."""

    def __init__(self, daemon, texts, check, seen):
        self.daemon = daemon
        self.texts = texts
        self.check = check
        self.seen = seen
        self.starts = 0
        self.client = None
        self.wrong = []
        self.right = 0
        self.refused = 0
        self.endings = 0
        self.is_compared = True

    def ask(self, method, **params):
        """The result, or None if the request is refused or the daemon ends."""
        if not self.client and not self.start():
            return None
        try:
            return self.client.ask(method, **params)
        except RuntimeError as error:
            kind = error.args[0].get("data", {}).get("kind", error.args[0].get("code"))
            self.seen[f"refused: {kind}"] += 1
            self.refused += "the store is damaged" in error.args[0]["message"]
        except TimeoutError:
            self.check(False, "the daemon answers", method, params, self.daemon.threads()[:800])
            self.daemon.kill()
            self.client = None
        except OSError:
            try:
                # A watch notification that cannot be built ends only the connection.
                self.client = Client(self.daemon.socket)
                self.seen["connection ended"] += 1
            except OSError:
                self.ended()
        return None

    def start(self):
        if self.starts == STARTS_MOST:
            return False
        self.starts += 1
        try:
            self.daemon.start()
            self.client = Client(self.daemon.socket)
            return True
        except (DaemonFailed, OSError, RuntimeError):
            self.ended()
            if self.starts == 1:
                self.seen["does not start"] += 1
                self.starts = STARTS_MOST
            return False

    def ended(self):
        self.client = None
        self.endings += 1
        try:
            code = self.daemon.process.wait(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.check(False, "a daemon that cannot be reached has ended", self.daemon.threads()[:800])
            self.daemon.kill()
            return
        self.seen[f"ended with {code}"] += 1
        said = self.daemon.said()
        self.check(code > 0 and not TRAP.search(said), "a daemon that ends reports why", code, said[-1200:])

    def read(self):
        """Reads everything readable."""
        for (id, dot), text in self.texts.items():
            answer = self.ask("note.get", id=id, **({"at": dot} if dot else {}))
            if answer and told(answer["note"]) != text:
                self.wrong.append((id, dot))
            self.right += bool(answer)

    def run(self, rng):
        self.read()
        for id in {id for id, _ in self.texts}:
            self.ask("note.history", id=id, limit=1000)
        self.ask("note.list", limit=1000)
        self.ask("note.list", filter={"deleted": True}, limit=1000)
        self.ask("note.search", query="step")
        self.ask("notes.watch", include="text")
        self.ask("session.ping")
        self.ask("daemon.status")
        audit = self.ask("daemon.audit")
        self.check(not (self.wrong and self.is_compared), "no text differs from before", len(self.wrong), self.wrong[:3])
        self.check(not self.refused or self.endings or audit and not audit["ok"], "the audit reports what the daemon refuses", self.refused, audit)
        for id, dot in rng.sample(sorted(key for key in self.texts if key[1]), 8):
            self.ask("note.save", id=id, base=dot, text=self.texts[id, dot]["text"] + "more\n")
            self.ask("note.get", id=id)
        self.ask("note.create", text="new\n")
        self.ask("session.ping")
        self.stop()

    def stop(self):
        if self.client:
            self.client.close()
            self.daemon.process.terminate()
            code = self.daemon.process.wait(timeout=PATIENCE_S)
            self.check(code >= 0 and not TRAP.search(self.daemon.said()), "a daemon stops on SIGTERM", code, self.daemon.said()[-1200:])
        elif self.daemon.process and self.daemon.process.poll() is None:
            self.daemon.kill()


def tells_another(place, rng, pages, texts):
    """Whether a daemon on a damaged store without checksums returns a text that differs from the
    earlier one."""
    with tempfile.TemporaryDirectory(dir=place) as folder:
        shutil.copytree(os.path.join(place, "data"), os.path.join(folder, "data"))
        flip(os.path.join(folder, "data", "notes.sqlite3"), rng, pages)
        case = Case(Daemon(folder, started=False), texts, lambda *_: True, collections.Counter())
        case.read()
        case.stop()
        return bool(case.wrong)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--flips", type=int, default=200)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    checks = Checks("flipped bits", options.seed)
    seen = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="notesd-flip-", dir=MEMORY) as folder:
        whole = os.path.join(folder, "whole")
        os.mkdir(whole)
        daemon = Daemon(whole)
        fill(daemon, rng)
        client = Client(daemon.socket)
        texts = all_texts(client)
        client.close()
        checks.equal(daemon.stop(), 0, "the daemon stops")
        small = pages_without_sums(os.path.join(daemon.data, "notes.sqlite3"))
        place = os.path.join(folder, "plain")
        shutil.copytree(whole, place)
        checks.check(without_sums(os.path.join(place, "data")), "the checksums can be removed")
        plain = Case(Daemon(place, started=False), texts, checks.check, seen)
        plain.read()
        plain.stop()
        checks.equal((plain.right, plain.wrong), (len(texts), []), "a store without its checksums reads the same")
        checks.check(any(tells_another(place, rng, lambda page: page not in small, texts) for _ in range(100)), "without checksums, a wrong text is returned now and then")
        for number in range(options.flips):
            progress(number, options.flips)
            seed = rng.getrandbits(32)
            own = random.Random(seed)
            place = os.path.join(folder, "case")
            os.mkdir(place)
            shutil.copytree(daemon.data, os.path.join(place, "data"))
            # Some are in the small tables, which have few pages.
            is_small = own.random() < 0.1
            what = flip(os.path.join(place, "data", "notes.sqlite3"), own, lambda page: (page in small) == is_small)

            def check(holds, law, *details):
                return checks.check(holds, law, f"case {number}, {what}", *details)

            before = checks.failed
            shutil.copytree(os.path.join(place, "data"), os.path.join(place, "again", "data"))
            case = Case(Daemon(place, started=False), texts, check, seen)
            case.is_compared = not is_small
            case.run(own)
            if case.refused and case.is_compared and without_sums(os.path.join(place, "again", "data"), daemon.data):
                again = Case(Daemon(os.path.join(place, "again"), started=False), texts, check, collections.Counter())
                again.read()
                again.stop()
                check(again.right >= case.right, "without its checksums more of a store can be read", again.right, case.right)
                seen["read without sums"] += again.right - case.right
            checks.check(checks.failed == before, "a case without a fault")
            shutil.rmtree(place)
    checks.check(seen["does not start"] <= options.flips // 6 + 4, "the daemon mostly starts", seen["does not start"])
    checks.say(", ".join(f"{what} {count}" for what, count in sorted(seen.items())))
    checks.finish()


if __name__ == "__main__":
    main()
