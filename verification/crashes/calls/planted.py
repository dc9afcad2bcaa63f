#!/usr/bin/env python3
"""Sees the checks of failing_calls.py fail: each on a fault of the daemon's that is planted by what its calls are told.

usage: planted.py [--seed N]

`failing.c` lies to the daemon: a write that is not done and is said to be, a sync that is counted as failed and was not, a wait that does
not wait. A daemon that did such things by itself would look the same from outside.
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
    """Plays a case, and has something else happen than the case says."""

    def __init__(self, case, instead, seed, library, store):
        super().__init__(case, 1, seed, library, store)
        self.instead = instead

    def prepare(self):
        super().prepare()
        kind, subject, first, count, fault = self.instead
        self.control.rule(0, [kind], [subject], first, count, fault)


class Forgetful(Trial):
    """Takes one write that was acknowledged for refused, as if the daemon had done what it said it had not."""

    def look_when_over(self):
        self.account.of(ACKED)[0].state = REFUSED
        super().look_when_over()


class Deaf(Trial):
    """Whoever watches is told less than there was."""

    def look_when_over(self):
        self.run.watcher.is_over = True
        self.run.watcher.join()
        super().look_when_over()


# What the case says; what happens instead: kind, subject, first, how many, how; the law that has to be found broken.
PLANTS = [
    (Case("sync", "wal", E.EIO), ("sync", "wal", 2, 1, ONLY_COUNTED), "a failed sync ends the daemon"),
    (Case("write", "wal", E.ENOSPC), ("write", "wal", 8, 0, LIE), "after a restart there is what was acknowledged, and nothing that was refused"),
    (Case("write", "wal", E.ENOSPC), ("write", "wal", 2, 1, E.EIO), "only a store whose outcome is open ends a daemon that serves"),
    (Case("write", "wal", E.ENOSPC, is_lasting=True), ("write", "wal", 2, 0, E.EROFS), "no room is called that"),
    (Case("write", "wal", E.ENOSPC, is_lasting=True), ("write", "wal", 2, 0, E.EROFS), "the state says what is wrong"),
    (Case("write", "wal", E.EROFS, is_lasting=True), ("write", "wal", 2, 0, E.ENOSPC), "read only is called that"),
    (Case("write", "wal", SHORT), ("write", "wal", 3, 0, E.ENOSPC), "what is only interrupted is not seen"),
    (Case("write", "wal", E.EIO), ("malloc", "nothing", 400, 1, E.ENOMEM), "no failed call ends the daemon by a signal"),
    (Case("write", "log", E.EIO), ("write", "wal", 3, 0, E.ENOSPC), "no write fails for what is none of its business"),
    (Case("write", "backup", E.EIO), ("write", "backup", 3, 0, LIE), "a backup that was answered is whole"),
    (Case("write", "backup", E.EINTR), ("write", "backup", 3, 1, E.EIO), "what is only interrupted costs no backup"),
    (Case("receive", "peer", E.EIO, is_lasting=True), ("wait", "nothing", 5, 0, LIE), "a daemon in trouble comes to rest"),
    (Case("receive", "peer", E.EIO), ("send", "peer", 6, 0, LIE), "everybody is answered"),
]


def broken(trial):
    return {check[1] for check in trial.play().checks if not check[0]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    checks = Checks("planted", arguments.seed)
    # What hangs is to be found soon.
    cases.PATIENCE_S = scenario.PATIENCE_S = 4
    with tempfile.TemporaryDirectory(prefix="notesd-planted-") as folder:
        library = shims.build("failing", folder)
        store = template.make(folder)
        for case, instead, law in PLANTS:
            found = broken(PlantedTrial(case, instead, arguments.seed, library, store))
            checks.check(law in found, f"a planted fault is found by the law '{law}'", str(case), instead, found)
        whole = Case("write", "wal", E.EIO)
        found = broken(Forgetful(whole, 1 << 40, arguments.seed, library, store))
        for law in ("what is shown is what was acknowledged", "after a restart there is what was acknowledged, and nothing that was refused",
                    "no revision is there that nobody asked for"):
            checks.check(law in found, f"a planted fault is found by the law '{law}'", found)
        found = broken(Deaf(whole, 1 << 40, arguments.seed, library, store))
        checks.check("who watches hears the newest of every note" in found, "a watcher that is told less is found", found)
        found = broken(Trial(whole, 1 << 40, arguments.seed, library, store))
        checks.check(not found, "where nothing is planted no law is broken", found)
    checks.finish()


if __name__ == "__main__":
    main()
