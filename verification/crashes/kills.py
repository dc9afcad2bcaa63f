#!/usr/bin/env python3
"""Kills the daemon with SIGKILL at random moments, under load and during startup, and holds a new
daemon to everything sent.

usage: kills.py [--seed N] [--kills N]
"""

import argparse
import os
import random
import shutil
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, "lib"), os.path.join(HERE, "..", "lib")]

import judge  # noqa: E402
from checks import Checks, progress  # noqa: E402
from connection import Lost  # noqa: E402
from daemon import Daemon, DaemonFailed  # noqa: E402
from evidence import Evidence  # noqa: E402
from expectations import Ledger  # noqa: E402
from load import Load  # noqa: E402

# A store is replaced by a new one after this many kills, and everything ever delivered is read
# again. Reading a version costs more if its note had many concurrent writes.
KILLS_A_STORE = 8
# Number of delivered versions whose text is read again after each kill: the newest, and others.
VERSIONS_READ = 150


class Life:
    """One store, from its creation through many kills."""

    def __init__(self, evidence, rng, folder, world):
        self.evidence = evidence
        self.rng = rng
        self.ledger = Ledger(world, os.path.join(folder, "traffic"))
        self.before = os.path.join(folder, "before")
        self.daemon = Daemon(folder, started=False)
        self.answers = 0

    def start(self):
        shutil.rmtree(self.before, ignore_errors=True)
        if os.path.exists(self.daemon.data):
            shutil.copytree(self.daemon.data, self.before)
        self.evidence.begin(self.daemon, self.ledger, self.keep)
        self.daemon.start()

    def keep(self, folder):
        """Saves what the daemon was last started on."""
        if os.path.exists(self.before):
            shutil.copytree(self.before, os.path.join(folder, "before"))

    def kill_while_starting(self):
        """Some daemons are killed before they serve, some just after."""
        self.daemon.launch()
        time.sleep(self.rng.random() * 0.04)
        self.daemon.kill()

    def kill_under_load(self):
        load = Load(self.daemon.socket, self.ledger, self.rng, writers=self.rng.randrange(1, 6), end=self.daemon.process.kill)
        load.run()
        self.daemon.process.wait()
        load.close()
        return load.answers

    def judged(self, versions_most=VERSIONS_READ):
        self.start()
        judge.Judge(self.daemon, self.ledger, self.evidence.check, self.rng).run(versions_most)

    def run(self, kills):
        try:
            for _ in range(kills):
                while self.rng.random() < 0.4:
                    self.kill_while_starting()
                if self.ledger.requests:
                    self.judged()
                else:
                    self.start()
                self.answers += self.kill_under_load()
            self.end()
        except DaemonFailed as error:
            self.evidence.check(False, "the daemon starts after a kill", str(error))
        except (Lost, OSError) as error:
            self.evidence.check(False, "the daemon serves until it is killed", repr(error))
        finally:
            if self.daemon.process and self.daemon.process.poll() is None:
                self.daemon.kill()

    def end(self):
        """Checks everything ever delivered; then the files, as the last kill left them, and after a
        stop."""
        self.judged(versions_most=None)
        self.daemon.kill()
        found = self.daemon.verify()
        self.evidence.check(found == "", "notesd audit finds nothing after a kill", found)
        self.daemon.start()
        self.evidence.check(self.daemon.stop() == 0, "the daemon stops on SIGTERM", self.daemon.said())
        judge.files(self.daemon, self.evidence.check)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kills", type=int, default=30)
    arguments = parser.parse_args()
    checks = Checks("kills", arguments.seed)
    rng = random.Random(arguments.seed)
    evidence = Evidence(checks, "kills")
    world, answers, killed = {}, 0, 0
    while killed < arguments.kills:
        with tempfile.TemporaryDirectory(prefix="notesd-kills-") as folder:
            life = Life(evidence, rng, folder, world)
            count = min(KILLS_A_STORE, arguments.kills - killed)
            life.run(count)
            killed, answers = killed + count, answers + life.answers
            progress(killed, arguments.kills)
    print(f"kills: {killed} kills, {answers} answers before them, {len(world)} dots", flush=True)
    checks.finish()


if __name__ == "__main__":
    main()
