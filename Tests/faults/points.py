#!/usr/bin/env python3
"""A recorded run of the daemon is cut at many points; at each the disk forgets, reorders and tears what was not synced.

usage: points.py [--self-check] [--seed N] [--points N]

The real daemon is started on each such state and held to all that had been told before the point. Some of these starts, with the writes
after them and the stop, are recorded too, and cut in their turn, and so are some of those. With --self-check syncs count for nothing, and
it has to be seen that acknowledged writes are lost.
"""

import argparse
import os
import random
import shutil
import signal
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, "lib"), os.path.join(HERE, "..", "lib")]

import judge  # noqa: E402
import recording  # noqa: E402
import shims  # noqa: E402
from checks import Checks  # noqa: E402
from daemon import Daemon, DaemonFailed  # noqa: E402
from ledger import Ledger  # noqa: E402
from load import Load  # noqa: E402

# Points taken of one recording of a load, and of one of a recovery; how deep crashes lie within each other's recoveries.
POINTS_A_RECORDING = 50
POINTS_A_RECOVERY = 3
DEPTH_MAX = 3


class Laboratory:
    """Where daemons are recorded and started on made states. `check` is told what holds."""

    def __init__(self, check, rng, folder, ignores_syncs=False):
        self.check = check
        self.rng = rng
        self.folder = folder
        self.ignores_syncs = ignores_syncs
        self.shim = shims.build("record", folder)
        self.world = {}
        self.counts = {"points": 0, "nested": 0, "told": 0, "records": 0}

    def daemon(self, log=None):
        """One on the folder `store/data`; recorded where it is given a log."""
        store = os.path.join(self.folder, "store")
        environment = {} if log is None else {"LD_PRELOAD": self.shim, "NOTESD_RECORD_LOG": log, "NOTESD_RECORD_FOLDER": store}
        return Daemon(self.folder, data=os.path.join(store, "data"), environment=environment, started=False)

    def lay_out(self, files):
        """Puts files where the daemon finds its store."""
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

    def record_load(self):
        """A new store: some loads, with stops and kills between them."""
        files = {"data": None} if os.environ.get("PREMADE") else {}
        self.lay_out(files)
        ledger = Ledger(self.world)
        log = os.path.join(self.folder, "log")
        before = ledger.fork()
        daemon = self.daemon(log)
        for _ in range(3):
            daemon.start()
            load = Load(daemon.socket, ledger, self.rng, answers=self.rng.choice((40, 120, 250)),
                        large=self.rng.choice((0, 2)), large_bytes=self.rng.choice((20_000, 200_000)))
            load.run()
            load.close()
            self.end(daemon)
        return self.recorded(log, files, before, ledger)

    def end(self, daemon):
        if self.rng.random() < 0.6:
            self.check(daemon.stop() == 0, "the daemon stops when it is told to", daemon.said())
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
        """Cuts a recording at so many points."""
        replay = recording.Replay(recorded, self.ignores_syncs)
        for place in recorded.places(self.rng, count):
            replay.advance(place)
            self.point(replay, depth)

    def point(self, replay, depth):
        self.counts["points"] += 1
        self.counts["nested"] += depth > 0
        self.counts["told"] += len(replay.ledger.answered)
        state, said = replay.disk.crashed(self.rng)
        self.where = f"depth {depth}, record {replay.place} of {len(replay.recording.records)}; {said}"
        self.lay_out(state)
        ledger = replay.ledger.fork()
        is_nested = depth < DEPTH_MAX and self.rng.random() < 0.2
        log = os.path.join(self.folder, f"log{depth}") if is_nested else None
        before = ledger.fork()
        daemon = self.daemon(log)
        try:
            self.judged(daemon, ledger)
        except DaemonFailed as error:
            self.check(False, "the daemon starts after a crash", self.where, str(error))
            return
        if is_nested:
            self.cut(self.recorded(log, state, before, ledger), POINTS_A_RECOVERY, depth + 1)

    def judged(self, daemon, ledger):
        daemon.start()
        try:
            judge.Judge(daemon, ledger, self.checked, self.rng).run(versions_most=300)
            self.end(daemon)
            daemon.environment = {}
        finally:
            if daemon.process.poll() is None:
                daemon.process.send_signal(signal.SIGKILL)
                daemon.process.wait()
        # A copy, since looking changes it.
        judge.files(daemon, self.checked)

    def checked(self, holds, law, *details):
        return self.check(holds, law, *details, *([] if holds else [self.where]))


def self_check(rng, checks):
    """Syncs that count for nothing are found out."""
    found = []
    with tempfile.TemporaryDirectory(prefix="notesd-points-") as folder:
        laboratory = Laboratory(lambda holds, law, *details: holds or found.append(law), rng, folder, ignores_syncs=True)
        laboratory.cut(laboratory.record_load(), 6, depth=DEPTH_MAX)
    checks.check(found, "with syncs that count for nothing, a loss is seen")
    print(f"points: without syncs {len(found)} checks fail, first: {sorted(set(found))[:4]}", flush=True)


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
    with tempfile.TemporaryDirectory(prefix="notesd-points-") as folder:
        laboratory = Laboratory(checks.check, rng, folder)
        while laboratory.counts["points"] < arguments.points:
            left = arguments.points - laboratory.counts["points"]
            laboratory.cut(laboratory.record_load(), min(left, POINTS_A_RECORDING))
    print("points: {points} states, {nested} of them of recoveries; {told} answers before them, {records} records".format(
        **laboratory.counts), flush=True)
    checks.finish()


if __name__ == "__main__":
    main()
