#!/usr/bin/env python3
"""Checks that the checks of failing_calls.py can fail: plants a fault of the daemon for each, by
manipulating its calls.

usage: planted.py [--seed N]

`failing.c` lies to the daemon: it reports a write that it skips, counts a sync as failed that
succeeded, or returns at once from a wait. From outside, a daemon with such a bug would look the
same.
"""

import argparse
import errno
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "..", "lib")]

import case as cases  # noqa: E402
import scenario  # noqa: E402
import shims  # noqa: E402
import template  # noqa: E402
from account import ACKED, REFUSED  # noqa: E402
from case import Case, Trial  # noqa: E402
from checks import Checks  # noqa: E402
from control import LIE, ONLY_COUNTED, SHORT  # noqa: E402

E = errno


class PlantedTrial(Trial):
    """Plays a case with another fault than the case names."""

    def __init__(self, case, instead, seed, library, store):
        super().__init__(case, 1, seed, library, store)
        self.instead = instead

    def prepare(self):
        super().prepare()
        kind, subject, first, count, fault = self.instead
        self.control.rule(0, [kind], [subject], first, count, fault)


class Forgetful(Trial):
    """Counts one acknowledged write as refused, as if the daemon had applied a write that it
    refused."""

    def look_when_over(self):
        self.account.of(ACKED)[0].state = REFUSED
        super().look_when_over()


class Deaf(Trial):
    """A watcher that loses some notifications."""

    def look_when_over(self):
        self.run.watcher.is_over = True
        self.run.watcher.join()
        super().look_when_over()


# The case; the actual fault: kind, subject, first, count, how; the law that must fail.
PLANTS = [
    (Case("sync", "wal", E.EIO), ("sync", "wal", 2, 1, ONLY_COUNTED), "a failed sync ends the daemon"),
    (Case("write", "wal", E.ENOSPC), ("write", "wal", 4, 0, LIE), "after a restart everything acknowledged and nothing refused is there"),
    (Case("write", "wal", E.ENOSPC), ("write", "wal", 2, 1, E.EIO), "only a commit with an unknown outcome ends a serving daemon"),
    (Case("write", "wal", E.ENOSPC, is_lasting=True), ("write", "wal", 2, 0, E.EROFS), "a full disk is reported as storage_full"),
    (Case("write", "wal", E.ENOSPC, is_lasting=True), ("write", "wal", 2, 0, E.EROFS), "the state names the problem"),
    (Case("write", "wal", E.EROFS, is_lasting=True), ("write", "wal", 2, 0, E.ENOSPC), "a read-only disk is reported as read_only"),
    (Case("write", "wal", SHORT), ("write", "wal", 3, 0, E.ENOSPC), "an interrupted call has no visible effect"),
    (Case("write", "wal", E.EIO), ("malloc", "nothing", 400, 1, E.ENOMEM), "no failed call ends the daemon by a signal"),
    (Case("write", "log", E.EIO), ("write", "wal", 3, 0, E.ENOSPC), "no write fails because of an unrelated call"),
    (Case("write", "backup", E.EIO), ("write", "backup", 3, 0, LIE), "an acknowledged backup is intact"),
    (Case("write", "backup", E.EINTR), ("write", "backup", 3, 1, E.EIO), "an interrupted call does not fail a backup"),
    (Case("receive", "peer", E.EIO, is_lasting=True), ("wait", "nothing", 5, 0, LIE), "a daemon with failing calls does not spin"),
    (Case("receive", "peer", E.EIO), ("send", "peer", 6, 0, LIE), "every request gets a response"),
]


def broken(trial):
    return {check[1] for check in trial.play().checks if not check[0]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    checks = Checks("planted", arguments.seed)
    # A hang must be found soon.
    cases.PATIENCE_S = scenario.PATIENCE_S = 4
    with tempfile.TemporaryDirectory(prefix="notesd-planted-") as folder:
        library = shims.build("failing", folder)
        store = template.make(folder)
        for case, instead, law in PLANTS:
            found = broken(PlantedTrial(case, instead, arguments.seed, library, store))
            checks.check(law in found, f"a planted fault is found by the law '{law}'", str(case), instead, found)
        whole = Case("write", "wal", E.EIO)
        found = broken(Forgetful(whole, 1 << 40, arguments.seed, library, store))
        for law in ("the merged text is what was acknowledged", "after a restart everything acknowledged and nothing refused is there",
                    "no revision exists without a request"):
            checks.check(law in found, f"a planted fault is found by the law '{law}'", found)
        found = broken(Deaf(whole, 1 << 40, arguments.seed, library, store))
        checks.check("a watch receives the newest state of every note" in found, "a watcher that loses notifications is found", found)
        found = broken(Trial(whole, 1 << 40, arguments.seed, library, store))
        checks.check(not found, "no law fails without a planted fault", found)
    checks.finish()


if __name__ == "__main__":
    main()
