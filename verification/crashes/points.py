#!/usr/bin/env python3
"""Cuts a recorded run of the daemon at many points, on a disk that loses, reorders and tears
unsynced writes.

usage: points.py [--self-check] [--seed N] [--points N]

The test starts the real daemon on each such state and holds it to everything sent before the point.
It also records some of these starts, with the writes after them and the stop, and cuts them in
turn, and so on. With --self-check, syncs have no effect, and the test must detect lost writes.
"""

import argparse
import collections
import os
import random
import shutil
import signal
import sqlite3
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, "lib"), os.path.join(HERE, "..", "lib")]

import judge  # noqa: E402
import recording  # noqa: E402
import shims  # noqa: E402
from checks import Checks, progress  # noqa: E402
from daemon import Daemon, DaemonFailed  # noqa: E402
from evidence import Evidence, Unkept  # noqa: E402
from expectations import Ledger  # noqa: E402
from load import Load  # noqa: E402
from places import MEMORY  # noqa: E402

# Points per recording of a load, and per recording of a recovery; the depth of crashes within
# recoveries.
POINTS_A_RECORDING = 50
POINTS_A_RECOVERY = 3
DEPTH_MAX = 3
# One in this many recorded loads runs on a grown store: with this many notes, so many commits that
# the next ones flush the heads of older ones, which begins at 2,048 rows (`JournalLimits`), and
# enough responses for a checkpoint meanwhile.
GROWN_ONE_IN = 8
# Judging a grown store takes long, so it gets fewer points.
POINTS_A_GROWN = 10
GROWN_NOTES = 150
GROWN_LIVE = 30
GROWN_ROWS = 1_950
GROWN_ANSWERS = 400
# Number of delivered versions whose text is read again in each state: the newest, and others.
VERSIONS_READ = 80


class Laboratory:
    """Records daemons and starts them on simulated states. `evidence` receives the results."""

    def __init__(self, evidence, rng, folder, ignores_syncs=False):
        self.evidence = evidence
        self.check = evidence.check
        self.rng = rng
        self.folder = folder
        self.ignores_syncs = ignores_syncs
        self.shim = shims.build("record", folder)
        self.world = {}
        self.counts = collections.Counter()
        self.recordings = 0
        # A grown store: its files, and its ledger.
        self.grown = None

    def daemon(self, log=None):
        """A daemon on the folder `store/data`; recorded if a log is given."""
        store = os.path.join(self.folder, "store")
        environment = {} if log is None else {"LD_PRELOAD": self.shim, "NOTESD_RECORD_LOG": log, "NOTESD_RECORD_FOLDER": store}
        return Daemon(self.folder, data=os.path.join(store, "data"), environment=environment, started=False)

    def lay_out(self, files):
        """Puts files into the place of the store."""
        store = os.path.join(self.folder, "store")
        shutil.rmtree(store, ignore_errors=True)
        os.mkdir(store)
        for name, content in sorted(files.items()):
            path = os.path.join(store, name)
            if content is None:
                os.mkdir(path, 0o700)
                continue
            with open(path, "wb", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
                file.write(content)

    def read_back(self):
        """The current files."""
        store = os.path.join(self.folder, "store")
        files = {"data": None}
        for name in os.listdir(os.path.join(store, "data")):
            with open(os.path.join(store, "data", name), "rb") as file:
                files["data/" + name] = file.read()
        return files

    def grow(self):
        """Makes a store with many commits, once, without recording it."""
        self.lay_out({})
        ledger = Ledger(self.world)
        daemon, rows = self.daemon(), 0
        while rows < GROWN_ROWS:
            daemon.start()
            load = Load(daemon.socket, ledger, self.rng, answers=min(1_500, GROWN_ROWS + 40 - rows), notes=GROWN_NOTES,
                        live=GROWN_LIVE, large=0)
            load.run()
            load.close()
            self.check(daemon.stop() == 0, "the daemon stops on SIGTERM", daemon.said())
            rows = self.of_database("SELECT count(*) FROM unflushed")
        self.grown = self.read_back(), ledger

    def of_database(self, question):
        """A seed computed from the current files."""
        database = sqlite3.connect(os.path.join(self.folder, "store", "data", "notes.sqlite3"))
        try:
            return database.execute(question).fetchone()[0]
        finally:
            database.close()

    def record_load(self):
        """Records some loads, with stops and kills between them, on a new or a grown store."""
        self.recordings += 1
        files, ledger = {}, Ledger(self.world)
        if self.recordings % GROWN_ONE_IN == 2:
            if self.grown is None:
                self.grow()
            files, ledger = self.grown[0], self.grown[1].fork()
        self.lay_out(files)
        log = os.path.join(self.folder, "log")
        before = ledger.fork()
        daemon = self.daemon(log)
        for _ in range(3):
            daemon.start()
            how = {"answers": self.rng.choice((40, 120, 250))}
            if files:
                how = {"answers": GROWN_ANSWERS, "notes": 2 * GROWN_NOTES, "live": GROWN_LIVE}
            load = Load(daemon.socket, ledger, self.rng, large=self.rng.choice((0, 2)),
                        large_bytes=self.rng.choice((20_000, 200_000)), **how)
            load.run()
            load.close()
            self.end(daemon)
        self.counts["folding"] += self.of_database("SELECT count(*) FROM head") > 0
        return self.recorded(log, files, before, ledger)

    def end(self, daemon):
        if self.rng.random() < 0.6:
            self.check(daemon.stop() == 0, "the daemon stops on SIGTERM", daemon.said())
        else:
            daemon.kill()

    def recorded(self, log, files, before, ledger):
        for lie in ledger.lies:
            self.check(False, lie)
        ledger.lies.clear()
        records = recording.read(log)
        os.unlink(log)
        self.counts["records"] += len(records)
        return recording.Recording(records, os.path.join(self.folder, "store"), files, before)

    def cut(self, recorded, count, depth=0):
        """Cuts a recording at this many points."""
        replay = recording.Replay(recorded, self.ignores_syncs)
        for place in recorded.places(self.rng, count):
            replay.advance(place)
            self.point(replay, depth)

    def point(self, replay, depth):
        state, said, fate = replay.disk.crashed(self.rng)
        self.count(replay, depth, fate)
        self.where = f"depth {depth}, record {replay.place} of {len(replay.recording.records)}; {said}"
        self.lay_out(state)
        ledger = replay.ledger.fork()
        is_nested = depth < DEPTH_MAX and self.rng.random() < 0.2
        log = os.path.join(self.folder, f"log{depth}") if is_nested else None
        before = ledger.fork()
        daemon = self.daemon(log)
        self.evidence.begin(daemon, ledger, lambda folder: put_down(state, folder), state=self.where)
        try:
            self.judged(daemon, ledger)
        except DaemonFailed as error:
            self.check(False, "the daemon starts after a crash", self.where, str(error))
            return
        if is_nested:
            self.cut(self.recorded(log, state, before, ledger), POINTS_A_RECOVERY, depth + 1)

    def count(self, replay, depth, fate):
        """Counts the kind of this point."""
        counts = self.counts
        counts["points"] += 1
        counts["told"] += len(replay.ledger.answered)
        counts[f"depth {depth}"] += 1
        for word in fate:
            counts[word] += 1
        counts["starting"] += replay.is_starting
        counts["recovering"] += replay.is_recovering
        if replay.disk.copying() and not replay.is_starting:
            counts["checkpoints"] += 1
            counts["serving checkpoints"] += replay.goes_on()

    def summary(self):
        counts = self.counts
        depths = ", ".join(f"{counts[f'depth {depth}']} at depth {depth}" for depth in range(1, DEPTH_MAX + 1))
        return (f"points: {counts['points']} states of {self.recordings} recorded loads ({counts['folding']} of them folded heads), "
                f"{depths}; {counts['checkpoints']} in a checkpoint ({counts['serving checkpoints']} of these while serving), "
                f"{counts['starting']} during startup ({counts['recovering']} of these on a hot WAL); "
                f"{counts['forgotten']} forgot something, {counts['torn']} were torn, {counts['reordered']} reordered; "
                f"{counts['told']} responses before them, {counts['records']} records")

    def judged(self, daemon, ledger):
        daemon.start()
        try:
            judge.Judge(daemon, ledger, self.checked, self.rng).run(versions_most=VERSIONS_READ)
            self.end(daemon)
            daemon.environment = {}
        finally:
            if daemon.process.poll() is None:
                daemon.process.send_signal(signal.SIGKILL)
                daemon.process.wait()
        judge.files(daemon, self.checked)

    def checked(self, holds, law, *details):
        return self.check(holds, law, *details, *([] if holds else [self.where]))


def put_down(state, folder):
    """Saves what the daemon was started on, in `before`."""
    os.mkdir(os.path.join(folder, "before"))
    for name, content in state.items():
        if content is not None and name.startswith("data/"):
            with open(os.path.join(folder, "before", name.removeprefix("data/")), "wb") as file:
                file.write(content)


def self_check(rng, checks):
    """Checks that syncs without effect are detected."""
    planted = Unkept(checks.seed)
    with tempfile.TemporaryDirectory(prefix="notesd-points-", dir=MEMORY) as folder:
        laboratory = Laboratory(planted, rng, folder, ignores_syncs=True)
        laboratory.cut(laboratory.record_load(), 6, depth=DEPTH_MAX)
    checks.check(planted.found, "with syncs that do nothing, a loss is detected")
    checks.say(f"without syncs {len(planted.found)} checks fail, first: {sorted(set(planted.found))[:4]}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--points", type=int, default=150)
    parser.add_argument("--self-check", action="store_true")
    arguments = parser.parse_args()
    checks = Checks("points", arguments.seed)
    rng = random.Random(arguments.seed)
    if arguments.self_check:
        self_check(rng, checks)
        checks.finish()
    with tempfile.TemporaryDirectory(prefix="notesd-points-", dir=MEMORY) as folder:
        laboratory = Laboratory(Evidence(checks, "points"), rng, folder)
        while laboratory.counts["points"] < arguments.points:
            left = arguments.points - laboratory.counts["points"]
            recorded = laboratory.record_load()
            laboratory.cut(recorded, min(left, POINTS_A_GROWN if recorded.files else POINTS_A_RECORDING))
            progress(laboratory.counts["points"], arguments.points)
        print(laboratory.summary(), flush=True)
    checks.finish()


if __name__ == "__main__":
    main()
