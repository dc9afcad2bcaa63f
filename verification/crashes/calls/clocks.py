#!/usr/bin/env python3
"""The daemon's system clock jumps by centuries both ways, and stops, while several clients write.
No decision of the daemon may change.

usage: clocks.py [--seed N] [--long]

The kernel's own clock is unchanged; `failing.c` gives the daemon another. Everything that uses the
monotonic clock, such as the timeout of the handshake, must be unaffected.
"""

import argparse
import json
import os
import random
import re
import socket
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "..", "lib")]

import shims  # noqa: E402
import template  # noqa: E402
from account import ACKED, Account  # noqa: E402
from checks import Checks  # noqa: E402
from control import Control, preloaded  # noqa: E402
from daemon import Client, Daemon  # noqa: E402
from scenario import Run, Visitor  # noqa: E402

YEAR = 31_556_952
EPOCH_OF = {-1000: -93_724_129_000, 0: -62_167_219_200, 1: -62_135_596_800, 1910: -1_893_456_000, 1970: 0, 9999: 253_402_300_799,
            10000: 253_402_300_800, 14000: 379_623_000_000}
TIME = re.compile(r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z")
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
HELLO_S, BOOKMARK_S = 10, 30
LONGEST_S = 120


class Jumps(threading.Thread):
    """Sets the clock repeatedly until it must end."""

    def __init__(self, control, random_):
        super().__init__(daemon=True)
        self.control, self.random, self.is_over, self.count = control, random_, threading.Event(), 0

    def jump(self):
        self.count += 1
        kind = self.random.randrange(4)
        if kind == 0:
            self.control.clock_shifted(self.random.choice([-1, 1]) * self.random.choice([1, 3600, YEAR, 40 * YEAR, 300 * YEAR]))
        elif kind == 1:
            self.control.clock_stopped(self.random.choice(list(EPOCH_OF.values())), self.random.choice([0, 999_999_999]))
        elif kind == 2:
            self.control.clock_stopped(self.random.randrange(-70_000_000_000, 260_000_000_000))
        else:
            self.control.clock_shifted(-int(time.time()) + self.random.choice(list(EPOCH_OF.values())))

    def run(self):
        while not self.is_over.wait(self.random.uniform(0.002, 0.05)):
            self.jump()


class SteadyClock(threading.Thread):
    """Waits for the daemon's timeouts while the other clock jumps."""

    def __init__(self, daemon):
        super().__init__(daemon=True)
        self.daemon_, self.hello_s, self.bookmark_s = daemon, None, None

    def run(self):
        silent = socket.socket(socket.AF_UNIX)
        silent.connect(self.daemon_.socket)
        silent.settimeout(LONGEST_S)
        watching = Client(self.daemon_.socket)
        watching.socket.settimeout(LONGEST_S)
        watching.ask("notes.watch", snapshot=False, filter={"prefix": "nobody/"})
        begun = time.monotonic()
        if silent.recv(1) == b"":
            self.hello_s = time.monotonic() - begun
        for line in watching.lines:
            if json.loads(line)["method"] == "watch.bookmark":
                self.bookmark_s = time.monotonic() - begun
                break
        watching.close()


def times(value):
    """All times in a response."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in {"created", "modified", "startedAt", "lastCommitAt"} and isinstance(inner, str):
                yield inner
            else:
                yield from times(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from times(inner)


class Story:
    """One store through several starts, each at another time."""

    def __init__(self, checks, random_, library, folder):
        self.checks, self.random = checks, random_
        template.make(folder)
        self.control = Control(os.path.join(folder, "faults"))
        self.daemon = Daemon(folder, environment=preloaded(self.control, library), started=False)
        self.account, self.notes, self.ids, self.dots = Account(), set(), set(), set()

    def chapter(self, number, writes):
        """One run of the daemon, under load, with a clock that jumps. Ends with a stop or a kill."""
        jumps = Jumps(self.control, self.random)
        jumps.jump()
        self.daemon.start()
        steady = SteadyClock(self.daemon)
        if number == 0:
            steady.start()
        jumps.start()
        run = Run(self.daemon, self.account, f"{number}", writes=writes)
        run.notes |= self.notes
        run.load()
        self.notes = run.notes
        self.check(not run.hangs and not run.errors, "no clock makes the daemon refuse or ignore a request", run.hangs, run.errors[:3])
        self.check(isinstance(run.backup, dict) or number, "a backup can be made at any time", run.backup)
        self.look(run, jumps)
        if number == 0:
            steady.join()
            self.check(steady.hello_s and steady.hello_s > HELLO_S - 0.1, "the handshake times out after ten seconds", steady.hello_s)
            self.check(steady.bookmark_s and steady.bookmark_s > BOOKMARK_S - 1.1, "a bookmark comes after 30 s", steady.bookmark_s)
            print(f"clocks: the handshake timed out after {steady.hello_s or 0:.2f} s, a bookmark arrived after {steady.bookmark_s or 0:.2f} s")
        jumps.is_over.set()
        jumps.join()
        self.check(self.control.clock_reads() > jumps.count / 10, "the daemon uses the clock that jumps", self.control.clock_reads())
        run.end_watching()
        if number % 2:
            self.daemon.kill()
        else:
            self.check(self.daemon.stop() == 0, "the daemon stops with exit code 0", self.daemon.said())
        return jumps.count

    def look(self, run, jumps):
        visitor = Visitor(run, "looker")
        texts = run.texts(visitor)
        faults = self.account.faults(texts)
        self.check(not faults, "nothing is lost or duplicated", faults)
        self.check(run.watcher.hears({note: text for note, text in texts.items() if text is not None}), "watches receive the newest state")
        self.check(not run.watcher.faults, "seq has no gap", run.watcher.faults)
        for number in range(60):
            note = visitor.ask("note.create", text=f"made without an id {number}\n")["note"]
            self.check(UUID.fullmatch(note["id"]) and note["id"] not in self.ids, "an id made by the daemon is new, and a UUID of version 7", note)
            self.ids.add(note["id"])
            if number % 6 == 0:
                jumps.jump()
                self.look_at_times(visitor, note["id"])
        for write in self.account.of(ACKED):
            if write.op.startswith(run.prefix):
                self.check(write.dot not in self.dots, "no dot is used twice", write.dot)
                self.dots.add(write.dot)
        audit = visitor.ask("daemon.audit")
        self.check(audit["ok"], "the audit finds nothing", audit)
        visitor.drop()

    def look_at_times(self, visitor, note):
        for method, params in (("note.get", {"id": note}), ("note.list", {"limit": 1000}), ("daemon.status", {}),
                               ("note.history", {"id": self.random.choice(sorted(self.notes))})):
            for told in times(visitor.ask(method, **params)):
                self.check(TIME.fullmatch(told), "a time is in the format of RFC 3339", method, told)
        text = visitor.ask("daemon.metrics")["text"]
        self.check(text.endswith("# EOF\n") and "nan" not in text.lower(), "the metrics are numbers", text[-200:])
        versions = [revision["dot"] for revision in visitor.ask("note.history", id=note)["revisions"]]
        self.check(len(versions) == len(set(versions)), "the history has each revision once", versions)

    def check(self, holds, law, *details):
        self.checks.check(holds, law, *details)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--long", action="store_true")
    arguments = parser.parse_args()
    checks = Checks("clocks", arguments.seed)
    random_ = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory(prefix="notesd-clocks-") as folder:
        story = Story(checks, random_, shims.build("failing", folder), folder)
        jumps = 0
        try:
            for number in range(40 if arguments.long else 6):
                jumps += story.chapter(number, writes=400 if arguments.long else 60)
        finally:
            if story.daemon.process and story.daemon.process.poll() is None:
                story.daemon.kill()
    print(f"clocks: {jumps} jumps, {len(story.dots)} writes, {len(story.ids)} ids drawn", flush=True)
    checks.finish()


if __name__ == "__main__":
    main()
