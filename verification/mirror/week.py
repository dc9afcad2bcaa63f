#!/usr/bin/env python3
"""A week with a large vault that `notesctl mirror` keeps in step: each day, programs change files and
clients change notes while the mirror runs, and some of both change while it does not.

    verification/mirror/week.py [--seed N] [--files N] [--days N] [--changes N]

Each change adds a line that no other has. At the end of each day, the folder and the daemon have the
same names and texts, and each line is there once.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "lib"))
sys.path.insert(0, os.path.join(HERE, "..", "replication"))

from checks import Checks  # noqa: E402
from daemon import Client  # noqa: E402
from machine import Machine, until  # noqa: E402
from places import PATIENCE_S, ROOT, program  # noqa: E402

REAL_NOTES = os.path.join(ROOT, "Tests", "EndToEndTests", "Fixtures", "notes-til.tar.gz")
MARK = re.compile(r"^mark \d+$", re.MULTILINE)


class Week:
    def __init__(self, folder, files, checks, chance):
        self.checks, self.chance = checks, chance
        self.machine = Machine(folder, "m")
        self.vault = os.path.join(folder, "vault")
        self.marks = 0
        self.mirror = None
        self.fill(files)

    def fill(self, count):
        """Copies real notes, and attachments that the mirror leaves alone."""
        with tarfile.open(REAL_NOTES) as archive:
            texts = [archive.extractfile(entry).read() for entry in archive if entry.isfile() and entry.name.endswith(".md")]
        for number in range(count):
            path = os.path.join(self.vault, f"area {number % 40}", f"topic {number % 7}", f"note {number}.md")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            text = texts[number % len(texts)].decode(errors="replace")
            with open(path, "w", newline="") as file:
                file.write(text if text.endswith("\n") else text + "\n")
        self.picture = os.path.join(self.vault, "area 0", "picture.png")
        with open(self.picture, "wb") as file:
            file.write(bytes(range(256)))

    def mark(self):
        self.marks += 1
        return f"mark {self.marks}\n"

    # The mirror

    def once(self):
        done = self.machine.notesctl("mirror", "--once", self.vault)
        self.checks.equal(done.returncode, 0, "a run of the mirror succeeds", done.stderr)

    def start(self):
        with open(os.path.join(self.machine.folder, "mirror.log"), "ab") as log:
            self.mirror = subprocess.Popen([program("notesctl"), "mirror", self.vault], stdout=log, stderr=log,
                                           env=self.machine.environment())

    def stop(self):
        if self.mirror:
            self.mirror.terminate()
            self.mirror.wait(timeout=PATIENCE_S)
            self.mirror = None

    # Changes

    def files(self):
        return [os.path.join(place, name) for place, _, names in os.walk(self.vault) for name in names if name.endswith(".md")]

    def change_file(self, path):
        """Adds a line as editors do: beside, then renamed."""
        with open(path, newline="") as file:
            lines = file.read().splitlines(keepends=True)
        lines.insert(self.chance.randrange(len(lines) + 1), self.mark())
        # A last line without its end would be joined to the next one.
        lines = [line if line.endswith("\n") else line + "\n" for line in lines]
        with open(path + ".tmp~", "w", newline="") as file:
            file.write("".join(lines))
        os.rename(path + ".tmp~", path)

    def change_folder(self, taken):
        """One change of a file that no client changes on this day."""
        path = self.chance.choice(self.files())
        if path in taken:
            return
        taken.add(path)
        kind = self.chance.randrange(10)
        if kind == 0:
            with open(os.path.join(os.path.dirname(path), f"new {self.marks}.md"), "w") as file:
                file.write(self.mark())
        elif kind == 1:
            os.rename(path, path[:-3] + f" moved {self.marks}.md")
        else:
            self.change_file(path)

    def change_note(self, client, notes):
        note = client.ask("note.get", id=self.chance.choice(notes)["id"])["note"]
        kind = self.chance.randrange(10)
        if kind == 0:
            client.ask("note.create", text=self.mark(), name=f"area 1/from a client {self.marks}")
        else:
            lines = note["text"].splitlines(keepends=True)
            at = len("".join(lines[:self.chance.randrange(len(lines) + 1)]).encode())
            client.ask("note.edit", id=note["id"], base=note["version"], edits=[{"start": at, "end": at, "text": self.mark()}])

    def work(self, changes):
        client = Client(self.machine.daemon.socket, "client")
        notes, taken = self.listed(client), set()
        for _ in range(changes):
            if self.chance.random() < 0.5:
                self.change_folder(taken)
            else:
                self.change_note(client, notes)
        client.close()

    # Judging

    def listed(self, client):
        notes, after = [], {}
        while True:
            page = client.ask("note.list", limit=1000, **after)
            notes += page["notes"]
            if not page["next"]:
                return notes
            after = {"after": page["next"]}

    def in_notes(self):
        client = Client(self.machine.daemon.socket, "judge")
        found = {}
        for note in self.listed(client):
            found[note["name"]] = client.ask("note.get", id=note["id"])["note"]["text"]
        client.close()
        return found

    def in_files(self):
        found = {}
        for path in self.files():
            with open(path, newline="") as file:
                found[os.path.relpath(path, self.vault)[:-3]] = file.read()
        return found

    def differences(self):
        notes, files = self.in_notes(), self.in_files()
        return [name for name in notes.keys() | files.keys() if notes.get(name) != files.get(name)]

    def judge(self, day):
        equal = until(lambda: not self.differences())
        self.checks.check(equal, f"day {day}: the folder and the daemon are equal", self.differences()[:5])
        marks = [mark for text in self.in_files().values() for mark in MARK.findall(text)]
        self.checks.equal(sorted(marks), sorted(f"mark {number + 1}" for number in range(self.marks)),
                          f"day {day}: each line is there once")
        with open(self.picture, "rb") as file:
            self.checks.equal(file.read(), bytes(range(256)), "the picture is left alone")


def run(folder, checks, arguments):
    week = Week(folder, arguments.files, checks, random.Random(arguments.seed))
    try:
        begun = time.monotonic()
        week.once()
        checks.say(f"first contact of {arguments.files} files: {time.monotonic() - begun:.1f} s")
        week.judge(0)
        for day in range(1, arguments.days + 1):
            week.start()
            week.work(arguments.changes)
            week.judge(day)
            week.stop()
            # Both sides change while the mirror does not run.
            week.work(arguments.changes // 4)
            week.once()
            week.judge(day)
        again = week.machine.notesctl("mirror", "--once", week.vault)
        checks.equal(again.returncode, 0, "a last run succeeds", again.stderr)
        week.machine.daemon.stop()
        checks.equal(week.machine.daemon.verify(), "", "the audit finds nothing")
        checks.say(f"{week.marks} lines in {arguments.days} days")
    finally:
        week.stop()
        week.machine.daemon.kill()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--files", type=int, default=5_000)
    parser.add_argument("--days", type=int, default=7)
    parser.add_argument("--changes", type=int, default=200)
    arguments = parser.parse_args()
    checks = Checks("week", arguments.seed)
    folder = tempfile.mkdtemp(prefix="notesd-week-", dir="/tmp")
    try:
        run(folder, checks, arguments)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    checks.finish()


if __name__ == "__main__":
    main()
