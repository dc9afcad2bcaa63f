#!/usr/bin/env python3
"""Cuts the power of a real ext4 under the daemon at random moments, mounts it again, and holds a
new daemon to everything sent.

usage: powercuts.py [--if-possible] [--self-check] [--seed N] [--power-cuts N]

Needs root to mount an image on a loop device. With --self-check the daemon's syncs do nothing, and
the test must detect lost writes.
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, "lib"), os.path.join(HERE, "..", "lib")]

import judge  # noqa: E402
import shims  # noqa: E402
from checks import Checks, progress  # noqa: E402
from connection import Lost  # noqa: E402
from daemon import Daemon, DaemonFailed  # noqa: E402
from evidence import Evidence, Planted  # noqa: E402
from filesystem import FileSystem, NotPossible  # noqa: E402
from expectations import Ledger  # noqa: E402
from load import Load  # noqa: E402
from places import MEMORY  # noqa: E402

# A store is replaced by a new one, on a new file system, after this many cuts.
CUTS_A_STORE = 8
# Number of delivered versions whose text is read again after each cut: the newest, and others.
VERSIONS_READ = 150
SIZE = "48M"
OPTIONS = ("data=ordered", "data=writeback,nodelalloc", "data=journal", "data=ordered,nodelalloc,commit=1")
# The data that reaches the disk during the cut, with weights.
WAYS = ("nothing", "log", "default"), (8, 1, 1)


class Disk:
    """One store on one file system, through many cuts."""

    def __init__(self, evidence, rng, folder, options, world, environment=None, ways=WAYS):
        self.ways = ways
        self.evidence = evidence
        self.check = evidence.check
        self.rng = rng
        self.ledger = Ledger(world, os.path.join(folder, "traffic"))
        self.options = options
        # If data may be written after the metadata that refers to it, a file can contain old disk
        # content after a cut.
        self.disk = FileSystem(folder, options, size=SIZE, rubbish=rng.randbytes(1 << 20))
        self.daemon = Daemon(folder, data=os.path.join(self.disk.path, "data"), environment=environment, started=False)
        self.answers = 0
        self.cuts = 0
        self.starts = 0

    def cut(self):
        """Ends the daemon and its disk at one moment. Mostly, nothing more reaches the disk, not
        even the journal of the file system.

        A machine without power answers nobody. So the test first stops the daemon, with its system
        calls in progress: an ext4 that is shut down may report success for such a sync (its journal
        drops the transaction, and a sync that waits for it finds nothing to wait for).
        """
        self.daemon.freeze()
        self.disk.cut(self.rng.choices(*self.ways)[0])
        self.daemon.process.kill()

    def start(self):
        self.evidence.begin(self.daemon, self.ledger, self.disk.keep, **{"mounted with": self.options})
        self.daemon.start()

    def cut_while_starting(self):
        self.daemon.launch()
        time.sleep(self.rng.random() * 0.03)
        self.cut()
        self.daemon.process.wait()
        self.starts += 1
        self.disk.recover()

    def cut_under_load(self):
        load = Load(self.daemon.socket, self.ledger, self.rng, writers=self.rng.randrange(1, 6), large_bytes=20_000, end=self.cut)
        load.run()
        load.close()
        self.daemon.process.wait()
        self.answers += load.answers
        self.cuts += 1
        self.disk.recover()

    def judged(self, versions_most=VERSIONS_READ):
        self.start()
        judge.Judge(self.daemon, self.ledger, self.check, self.rng).run(versions_most)

    def run(self, cuts):
        try:
            for number in range(cuts):
                if self.rng.random() < 0.2:
                    self.cut_while_starting()
                if self.ledger.requests:
                    self.judged()
                else:
                    self.start()
                self.cut_under_load()
            self.judged(versions_most=None)
            self.check(self.daemon.stop() == 0, "the daemon stops on SIGTERM", self.daemon.said())
            judge.files(self.daemon, self.check)
        except DaemonFailed as error:
            self.check(False, "the daemon starts after a power cut", self.options, str(error))
        except (Lost, OSError) as error:
            self.check(False, "the daemon serves until its power is cut, and releases the disk", self.options, repr(error))
        finally:
            if self.daemon.process and self.daemon.process.poll() is None:
                self.daemon.kill()
            self.disk.close()


def self_check(rng, checks):
    """Checks that syncs that do nothing are detected, now and when `look-again.py` judges what the
    case left."""
    planted = Planted(checks.seed)
    with tempfile.TemporaryDirectory(prefix="notesd-cuts-", dir=MEMORY) as folder:
        environment = {"LD_PRELOAD": shims.build("nosync", folder)}
        evidence = Evidence(planted, "planted", root=os.path.join(folder, "evidence"))
        # The kernel's default cut would first write all unsynced data.
        Disk(evidence, rng, folder, OPTIONS[0], {}, environment, ways=(["nothing"], [1])).run(3)
        checks.check(planted.found, "with syncs that do nothing, a loss is detected")
        again = subprocess.run([os.path.join(HERE, "look-again.py"), "--times", "1", os.path.join(evidence.root, f"{evidence.name}-1")],
                               capture_output=True, text=True)
        checks.check("FAILED look again" in again.stdout, "look-again.py fails on what a failing case left", again.stdout, again.stderr)
    checks.say(f"without syncs {len(planted.found)} checks fail, first: {sorted(set(planted.found))[:4]}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--power-cuts", type=int, default=15)
    parser.add_argument("--if-possible", action="store_true")
    parser.add_argument("--self-check", action="store_true")
    arguments = parser.parse_args()
    checks = Checks("power cuts", arguments.seed)
    rng = random.Random(arguments.seed)
    evidence = Evidence(checks, "power cuts")
    world, answers, cuts, done, starts, disks = {}, 0, 0, 0, 0, 0
    try:
        if arguments.self_check:
            self_check(rng, checks)
            checks.finish()
        # Use every way of mounting, however few cuts there are.
        step = max(1, min(CUTS_A_STORE, arguments.power_cuts // len(OPTIONS)))
        while cuts < arguments.power_cuts:
            with tempfile.TemporaryDirectory(prefix="notesd-cuts-", dir=MEMORY) as folder:
                disk = Disk(evidence, rng, folder, OPTIONS[disks % len(OPTIONS)], world)
                disk.run(min(step, arguments.power_cuts - cuts))
                cuts, disks = cuts + min(step, arguments.power_cuts - cuts), disks + 1
                done, answers, starts = done + disk.cuts, answers + disk.answers, starts + disk.starts
                progress(cuts, arguments.power_cuts)
    except NotPossible as error:
        print(f"power cuts: skipped: {error}", file=sys.stderr)
        sys.exit(0 if arguments.if_possible else 1)
    print(f"power cuts: {done} cuts under load and {starts} during startup, on {disks} file systems, {answers} responses before them, {len(world)} dots", flush=True)
    checks.finish()


if __name__ == "__main__":
    main()
