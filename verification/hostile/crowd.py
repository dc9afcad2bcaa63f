"""Thousands of connections that are slow, stop, flood or hang up, while a writer and its watcher
are served normally.

    crowd.py [--seed N] [--connections N] [--rounds N] [--folder DIRECTORY] [--plant FAULT]
"""

import argparse
import os
import random as randomness
import resource
import shutil
import sys
import tempfile
import time

import manners
from bystander import Bystander
from daemon import PATIENCE_S, Client, Daemon, Refused

# The smallest valid settings, so that the buffers of each connection are small.
KEPT_BYTES = 65_536
SETTINGS = [
    f"limits.outbox_bytes_max={KEPT_BYTES}", f"limits.response_bytes_max={KEPT_BYTES}", "limits.hello_seconds_max=5",
    "limits.note_bytes_max=65536", "limits.line_bytes_max=262144", "cache.bytes_max=1048576"]
# The memory of a connection: its outbox, its responses, the prepared notifications of its watches
# (as much as of responses), one more response to rpc.discover, and the connection itself.
EACH_KB = (3 * KEPT_BYTES + 65_536 + 32_768) >> 10
# The memory of a connection that comes and goes.
LITTLE_KB = 48
# The daemon's own memory: its cache, SQLite's, and memory that its allocator has not returned.
SPARE_KB = 96 << 10


def lose(crowd):
    """A response to a slow reader is lost."""
    victim = next(one for one in crowd if type(one) is manners.ByteReader)
    taken = victim.take
    victim.take = lambda line: None if len(line) > 10_000 and len(victim.lines) == 2 else taken(line)


def gap(crowd):
    """A notification of a watch is lost."""
    victim = next(one for one in crowd if type(one) is manners.NeverReads)
    taken, seen = victim.take, []

    def take(line):
        seen.append(b'"seq"' in line)
        if not seen[-1] or sum(seen) != 4:
            taken(line)
    victim.take = take


def serve(crowd):
    """A connection without a hello is not closed."""
    victim = next(one for one in crowd if type(one) is manners.Silent)
    victim.send(manners.HELLO)


# Planted lies that checks must find; "kept" is another.
PLANTS = {"lose": lose, "gap": gap, "serve": serve}


class Crowd:
    def __init__(self, options, folder):
        self.options = options
        self.random = randomness.Random(options.seed)
        self.passed = self.failed = 0
        self.daemon = Daemon(folder, SETTINGS)
        self.pid = self.daemon.pid
        self.judge = Client(self.daemon.socket, "judge")
        self.bystander = Bystander(self.daemon)
        self.noise = [self.judge.ask("note.create", text="x\n")["note"] for _ in range(8)]
        self.make_noise(0)
        self.bystander.start()
        self.files = self.daemon.files()
        self.base_kb = self.daemon.kilobytes()
        self.crowd = []
        self.peak_kb = 0
        self.progress = []
        self.after_kb = []
        self.patience_s = 5 if options.plant else 2 * PATIENCE_S

    def check(self, holds, law, details=""):
        if holds:
            self.passed += 1
        else:
            self.failed += 1
            if self.failed <= 12:
                print(f"FAILED crowd, seed {self.options.seed}: {law}: {details!r:.600}", flush=True)
        return holds

    def make_noise(self, number):
        """Changes some notes, so that the watches receive notifications."""
        for note in self.noise:
            text = f"{number}\n" + "noise\n" * 1_000
            note["version"] = self.judge.ask("note.save", id=note["id"], base=note["version"], text=text)["version"]

    def until(self, holds, law):
        """Repeats the request; only a response that never arrives is a fault."""
        end = time.monotonic() + self.patience_s
        while not holds():
            if time.monotonic() > end:
                return self.check(False, law)
            time.sleep(0.02)
        return self.check(True, law)

    def come(self):
        kinds = [kind for kind in manners.ALL for _ in range(self.options.connections // len(manners.ALL) + 1)]
        kinds = kinds[:self.options.connections]
        self.random.shuffle(kinds)
        for number, kind in enumerate(kinds):
            self.crowd.append(kind(self.daemon.socket, number))
        if self.options.plant in PLANTS:
            PLANTS[self.options.plant](self.crowd)

    def misbehave(self):
        for number in range(self.options.rounds):
            before = self.bystander.writes
            self.random.shuffle(self.crowd)
            for one in self.crowd:
                one.turn()
            self.make_noise(number + 1)
            # A round ends when the bystander was served in it, however long that took.
            served = lambda least=before: self.bystander.writes > least or self.bystander.faults
            self.until(served, "the bystander is served in each round")
            self.progress.append(self.bystander.writes - before)
            self.peak_kb = max(self.peak_kb, self.daemon.kilobytes())
            if not self.daemon.lives or self.bystander.faults:
                return

    def leave(self):
        """Each connection reads its remaining data, which must be complete; then all end, most
        without notice."""
        waiting = list(self.crowd)
        end = time.monotonic() + self.patience_s + 5
        while waiting and time.monotonic() < end:
            waiting = [one for one in waiting if not one.leave()]
            self.peak_kb = max(self.peak_kb, self.daemon.kilobytes())
        for kind in manners.ALL:
            ones = [one for one in self.crowd if isinstance(one, kind) and type(one) is kind]
            faults = [one.fault for one in ones if one.fault]
            faults += [f"waits for more, {len(one.lines)} lines came" for one in waiting if one in ones]
            self.check(not faults, f"{kind.__name__}: {kind.__doc__.split('.')[0]}", (len(faults), len(ones), faults[:2]))
        ended = [one for one in self.crowd if one.ended and not isinstance(one, (manners.Silent, manners.HalfCloses))]
        self.check(not ended, "no other connection is closed", (len(ended), {type(one).__name__ for one in ended}))
        for one in self.crowd:
            if one is not self.kept:
                one.close()
        self.until(lambda: len(self.judge.ask("dependents.list")["dependents"]) == 3, "a closed connection is not a dependent")
        self.until(lambda: self.daemon.files() <= self.files, "every descriptor is given back")
        self.after_kb.append(self.daemon.kilobytes())

    @property
    def kept(self):
        """A connection that a plant keeps."""
        return next(one for one in self.crowd if type(one) is manners.Flooder) if self.options.plant == "kept" else None

    def wave(self):
        self.crowd = []
        self.come()
        self.misbehave()
        self.leave()

    def settle(self):
        after = self.bystander.writes
        self.until(lambda: self.bystander.writes > after + 20, "the bystander continues")
        for fault in self.bystander.end() or [None]:
            self.check(fault is None, "the bystander continues undisturbed", fault)
        names = [note["title"] for note in self.judge.ask("note.list", limit=1000)["notes"]]
        self.check(names.count("of one who is gone") == 0, "a partial line is not a request", len(names))
        counts = [sum(type(one) is kind for one in self.crowd) for kind in (manners.NeverReads, manners.ByteReader)]
        allowed = self.base_kb + sum(counts) * EACH_KB + len(self.crowd) * LITTLE_KB + SPARE_KB
        self.check(self.peak_kb <= allowed, "memory stays within the sum of the limits", (self.peak_kb, allowed))
        # An allocator keeps some memory, so a second crowd uses that of the first and adds almost
        # nothing.
        grown = len(self.crowd) * LITTLE_KB // 4 + (16 << 10)
        self.check(self.after_kb[-1] <= self.after_kb[0] + grown, "a second crowd needs almost no more memory", self.after_kb)
        self.check(self.daemon.lives and self.daemon.pid == self.pid, "the daemon keeps running")
        self.check(not self.daemon.complaints(), "the log has no fault of the daemon", self.daemon.complaints()[:3])
        self.check(self.judge.ask("daemon.audit")["ok"], "the store is intact")
        code, faults = self.daemon.stop()
        self.check(code == 0 and not faults, "the daemon stops on SIGTERM, and leaves an intact store", (code, faults))
        print(f"  two crowds of {len(self.crowd)} connections, {self.options.rounds} rounds each, {self.bystander.writes} writes of the bystander, "
              f"{min(self.progress)} to {max(self.progress)} in a round; resident {self.base_kb} kB before, {self.peak_kb} kB at most "
              f"(allowed {allowed}), {self.after_kb} kB after each crowd")


def full_house(crowd, folder):
    """If there is no room for a connection, it is closed immediately, and existing connections
    continue."""
    daemon = Daemon(folder, ["limits.connections_max=64", "limits.hello_seconds_max=600"])
    try:
        bystander = Bystander(daemon)
        bystander.start()
        silent, closed = [], 0
        for number in range(400):
            one = manners.Silent(daemon.socket, number)
            silent.append(one)
        crowd.until(lambda: sum(one.read() or one.ended for one in silent) >= 400 - 64, "connections past the limit are closed")
        closed = sum(one.ended for one in silent)
        crowd.check(closed <= 400 - 40, "no other connection is closed", closed)
        before = bystander.writes
        crowd.until(lambda: bystander.writes > before + 5, "existing connections are served when there is no room")
        for one in silent:
            one.close()
        newcomer = []

        def comes():
            try:
                newcomer.append(Client(daemon.socket, "newcomer"))
                return True
            except (OSError, Refused):
                return False
        crowd.until(comes, "there is room again when they are gone")
        crowd.check(not bystander.end(), "the bystander continues undisturbed", bystander.faults)
    finally:
        daemon.end()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--connections", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--folder")
    parser.add_argument("--plant", choices=["kept", *PLANTS])
    options = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if hard < options.connections + 200:
        print(f"  only {hard} files may be open here; fewer connections are made")
        options.connections = hard - 200
    folder = options.folder or tempfile.mkdtemp(prefix="notesd-crowd-")
    for name in ("crowd", "full"):
        os.makedirs(os.path.join(folder, name), exist_ok=True)
    began = time.monotonic()
    crowd = Crowd(options, os.path.join(folder, "crowd"))
    try:
        crowd.wave()
        crowd.wave()
        crowd.settle()
        full_house(crowd, os.path.join(folder, "full"))
    except (OSError, Refused) as fault:
        crowd.check(False, "the judge is served", repr(fault))
        raise
    finally:
        crowd.daemon.end()
    print(f"  {time.monotonic() - began:.0f} s")
    if crowd.failed:
        print(f"  the store and the log are in {folder}")
    elif not options.folder:
        shutil.rmtree(folder)
    print(f"crowd: {crowd.passed} checks passed, {crowd.failed} failed (seed {options.seed})", flush=True)
    sys.exit(1 if crowd.failed else 0)


if __name__ == "__main__":
    main()
