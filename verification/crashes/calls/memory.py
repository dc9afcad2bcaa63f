#!/usr/bin/env python3
"""Limits the daemon's memory while several clients write long notes. It may end in any way. A
daemon started afterwards without a limit must have everything acknowledged.

usage: memory.py [--seed N] [--long]

The limits apply to the address space and to the data of the process (setrlimit(2)), a little above
its usage when they are set. In a third kind of run, single allocations fail at random
(`failing.c`).
"""

import argparse
import collections
import errno
import os
import random
import resource
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "..", "lib")]

import shims  # noqa: E402
import template  # noqa: E402
from case import Case, Trial  # noqa: E402
from checks import Checks  # noqa: E402
from scenario import PATIENCE_S, Gone, Hang, Run  # noqa: E402

# Long notes: a batch of them takes many times their size in memory.
LINES = (1, 2_000, 60_000)
# The KiB left. With less than the stacks of a few threads need, the toolchain waits seconds for
# each new thread.
LEFT, LEFT_LONG = [25_000, 40_000, 60_000], [0, 1_000, 10_000, 30_000, 60_000, 100_000]
LIMITS = {"address space": (resource.RLIMIT_AS, "VmSize"), "data": (resource.RLIMIT_DATA, "VmData")}


def has_kib(pid, field):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith(field + ":"))


class MemoryTrial(Trial):
    """`limit` is a name of LIMITS and the KiB left, or None if allocations fail at random."""

    def __init__(self, limit, number, seed, library, store):
        super().__init__(Case("malloc", "nothing", errno.ENOMEM), number, seed, library, store)
        self.limit = limit

    def prepare(self):
        super().prepare()
        self.run = Run(self.daemon, self.account, self.seed, writes=8, lines=LINES)

    def go(self):
        self.daemon.launch()
        if not self.comes_up():
            raise Hang("the daemon does not start")
        if self.limit:
            kind, field = LIMITS[self.limit[0]]
            most = (has_kib(self.daemon.process.pid, field) + self.limit[1]) << 10
            resource.prlimit(self.daemon.process.pid, kind, (most, most))
        else:
            self.control.arm()
        self.run.load()
        for hang in self.run.hangs:
            self.outcome.check(False, "every request gets a response", hang, self.daemon.said())
        self.run.end_watching()
        if not self.run.has_ended():
            self.daemon.process.terminate()
        self.outcome.end = f"run {self.daemon.process.wait(timeout=PATIENCE_S)}"
        self.judge_errors()
        self.judge_backup()
        self.judge_store()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--long", action="store_true")
    arguments = parser.parse_args()
    checks = Checks("memory", arguments.seed)
    random_ = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory(prefix="notesd-memory-") as folder:
        library = shims.build("failing", folder)
        store = template.make(folder)
        trials = []
        for _ in range(50 if arguments.long else 5):
            for name in LIMITS:
                left = random_.choice(LEFT_LONG if arguments.long else LEFT)
                trials.append(MemoryTrial((name, left), 1, random_.getrandbits(32), library, store))
            trials.append(MemoryTrial(None, random_.randint(1, 30_000), random_.getrandbits(32), library, store))
        ends, runs_out = collections.Counter(), 0
        with ThreadPoolExecutor(2) as pool:
            for trial, outcome in zip(trials, pool.map(lambda trial: trial.play(), trials)):
                ends[outcome.end] += 1
                runs_out += trial.limit is not None and outcome.end != "run 0"
                for check in outcome.checks:
                    checks.check(*check)
    told = ", ".join(f"{end} {count}" for end, count in sorted(ends.items()))
    print(f"memory: {len(trials)} runs; how they ended: {told}; {runs_out} at a limit", flush=True)
    checks.check(runs_out, "memory runs out at a limit in some runs", ends)
    checks.finish()


if __name__ == "__main__":
    main()
