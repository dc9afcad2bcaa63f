#!/usr/bin/env python3
"""The daemon is killed with SIGKILL at random moments, under load and while it starts, and is held to all that it had told.

usage: kills.py [--seed N] [--kills N]
"""

import argparse
import os
import random
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, "lib"), os.path.join(HERE, "..", "lib")]

import judge  # noqa: E402
from checks import Checks  # noqa: E402
from daemon import Daemon  # noqa: E402
from ledger import Ledger  # noqa: E402
from load import Load  # noqa: E402

# A store is left for a new one after so many kills, with all that was ever told of it read again.
KILLS_A_STORE = 25


class Life:
    """One store, from its making through many kills."""

    def __init__(self, checks, rng, folder, world):
        self.checks = checks
        self.rng = rng
        self.ledger = Ledger(world)
        self.daemon = Daemon(folder, started=False)

    def kill_while_starting(self):
        """Some are killed before they are there, some just after."""
        self.daemon.launch()
        time.sleep(self.rng.random() * 0.04)
        self.daemon.kill()

    def kill_under_load(self):
        load = Load(self.daemon.socket, self.ledger, self.rng, writers=self.rng.randrange(1, 6))
        timer = threading.Timer(self.rng.random() ** 2 * 0.4, self.daemon.process.kill)
        timer.start()
        load.run()
        self.daemon.process.wait()
        load.close()
        return load.answers

    def judged(self, versions_most=600):
        self.daemon.start()
        judge.Judge(self.daemon, self.ledger, self.checks.check, self.rng).run(versions_most)

    def end(self):
        """All that was ever told; then the files, as the last kill left them, and as a stop does."""
        self.judged(versions_most=None)
        self.daemon.kill()
        self.checks.check(self.daemon.verify() == "", "notesd verify finds nothing after a kill", self.daemon.verify())
        self.daemon.start()
        self.checks.equal(self.daemon.stop(), 0, "the daemon stops when it is told to")
        judge.files(self.daemon, self.checks.check)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kills", type=int, default=30)
    arguments = parser.parse_args()
    checks = Checks("kills", arguments.seed)
    rng = random.Random(arguments.seed)
    world, answers, killed = {}, 0, 0
    while killed < arguments.kills:
        with tempfile.TemporaryDirectory(prefix="notesd-kills-") as folder:
            life = Life(checks, rng, folder, world)
            for _ in range(min(KILLS_A_STORE, arguments.kills - killed)):
                while rng.random() < 0.4:
                    life.kill_while_starting()
                if life.ledger.requests:
                    life.judged()
                else:
                    life.daemon.start()
                answers += life.kill_under_load()
                killed += 1
            life.end()
    print(f"kills: {killed} kills, {answers} answers before them, {len(world)} dots", flush=True)
    checks.finish()


if __name__ == "__main__":
    main()
