#!/usr/bin/env python3
"""Purges notes of a real daemon between many writes, and searches the store's files for what was erased.

    verification/crashes/purged.py [--seed N] [--stores 4] [--purges 30]

Clients save lines that are unique, a quarter of them on old versions; each purge erases the past of one
note. Between writes, SQLite moves rows to other pages, and must leave none of their bytes. The daemon
is killed or stopped now and then, and a backup is searched, too.
"""

import argparse
import os
import random
import shutil
import sys
import time

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))

from checks import Checks  # noqa: E402
from daemon import Client, Daemon  # noqa: E402
from places import MEMORY, PATIENCE_S, open_folder  # noqa: E402

LINES_MAX = 5
VERSIONS_KEPT = 3


class Store:
    def __init__(self, folder, seed, checks):
        self.random = random.Random(seed)
        self.checks = checks
        self.folder = folder
        self.daemon = Daemon(os.path.join(folder, "run"), os.path.join(folder, "data"), options=("--config", "/dev/null"))
        self.client = Client(self.daemon.socket)
        # Of each note: its newest versions with their texts, and all lines that it ever had.
        self.notes = {}
        self.erased = set()
        self.count = 0
        for number in range(self.random.randint(5, 25)):
            text = self.line()
            note = self.client.ask("note.create", name=f"note {number}", text=text)["note"]
            self.notes[note["id"]] = ([(note["version"], text)], {text})

    def line(self):
        self.count += 1
        return f"line-{self.count}-{self.random.getrandbits(40):x}\n"

    def save(self):
        id, (versions, lines) = self.random.choice(sorted(self.notes.items()))
        base, text = self.random.choice(versions[-VERSIONS_KEPT:])
        new = self.line()
        kept = text.splitlines(keepends=True)
        kept.insert(self.random.randint(0, len(kept)), new)
        if len(kept) > LINES_MAX:
            kept.pop(self.random.randrange(len(kept)))
        lines.add(new)
        self.client.ask("note.save", id=id, base=base, text="".join(kept))
        self.saw(id)

    def saw(self, id):
        note = self.client.ask("note.get", id=id)["note"]
        self.notes[id][0].append((note["version"], note["text"]))
        return note

    def purge(self):
        id = self.random.choice(sorted(self.notes))
        note = self.client.ask("note.get", id=id)["note"]
        if note["conflicts"]:
            open_ones = [conflict["id"] for conflict in note["conflicts"]]
            self.client.ask("note.save", id=id, base=note["version"], resolves=open_ones)
            note = self.saw(id)
        self.client.ask("note.purge", id=id, base=note["version"])
        versions, lines = self.notes[id]
        self.erased |= {line for line in lines if line not in note["text"]}
        lines &= set(note["text"].splitlines(keepends=True))
        versions.clear()
        self.saw(id)

    def restart(self):
        self.client.close()
        if self.random.random() < 0.5:
            self.daemon.kill()
        else:
            self.daemon.stop()
        self.daemon.start()
        self.client = Client(self.daemon.socket)

    def wait_for_scrub(self):
        end = time.monotonic() + PATIENCE_S
        while not self.client.ask("daemon.status").get("scrubbed", True):
            if time.monotonic() > end:
                return self.checks.check(False, "the store is scrubbed")
            time.sleep(0.02)
        return True

    def search(self, moment):
        """No file below the store has an erased line."""
        for parent, _, names in os.walk(self.daemon.data):
            for name in names:
                with open(os.path.join(parent, name), "rb") as file:
                    content = file.read()
                left = [line for line in self.erased if line.rstrip().encode() in content]
                self.checks.equal(left[:3], [], f"{moment}: {name} has no erased line", len(left))


def run(folder, seed, purges, checks):
    os.makedirs(os.path.join(folder, "run"))
    store = Store(folder, seed, checks)
    try:
        for _ in range(purges):
            for _ in range(store.random.randint(5, 40)):
                store.save()
            if store.random.random() < 0.3:
                store.restart()
            store.purge()
        if store.wait_for_scrub():
            store.search("scrubbed")
            # What was in memory must not come back with the next writes.
            for _ in range(20):
                store.save()
            store.search("written since")
            store.client.ask("daemon.backup")
            store.search("backed up")
    finally:
        store.client.close()
        store.daemon.stop()
    store.search("stopped")
    checks.equal(store.daemon.verify(), "", "the audit finds nothing")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stores", type=int, default=4)
    parser.add_argument("--purges", type=int, default=30)
    options = parser.parse_args()
    checks = Checks("purged", options.seed)
    place = MEMORY or open_folder("purged-")
    for number in range(options.stores):
        folder = os.path.join(place, f"purged-{os.getpid()}-{number}")
        try:
            run(folder, options.seed * 1_000 + number, options.purges, checks)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
    checks.finish()


main()
