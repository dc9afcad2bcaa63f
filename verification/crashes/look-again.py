#!/usr/bin/env python3
"""Starts the daemon again on what a failing case left, and judges it again.

usage: look-again.py [--times N] FOLDER

FOLDER is the path that a failing crash test printed. The daemon runs on a copy of it. An image of a
disk requires root.
"""

import argparse
import os
import pickle
import random
import shutil
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, "lib"), os.path.join(HERE, "..", "lib")]

import judge  # noqa: E402
from checks import Checks  # noqa: E402
from daemon import Daemon, DaemonFailed  # noqa: E402
from filesystem import FileSystem  # noqa: E402


def options(folder):
    with open(os.path.join(folder, "what.txt"), encoding="utf-8") as file:
        return next(line.partition(": ")[2].strip() for line in file if line.startswith("mounted with: "))


def judged(checks, kept, work, number):
    disk = None
    with open(os.path.join(kept, "ledger.pickle"), "rb") as file:
        ledger = pickle.load(file)
    image = os.path.join(kept, "before.img")
    if os.path.exists(image):
        disk = FileSystem(work, options(kept), image=image)
        data = os.path.join(disk.path, "data")
    else:
        data = os.path.join(work, "data")
        shutil.copytree(os.path.join(kept, "before"), data)
        os.chmod(data, 0o700)
    daemon = Daemon(work, data=data, started=False)
    try:
        daemon.start()
        judge.Judge(daemon, ledger, checks.check, random.Random(number)).run()
        checks.equal(daemon.stop(), 0, "the daemon stops on SIGTERM")
        judge.files(daemon, checks.check)
    except DaemonFailed as error:
        checks.check(False, "the daemon starts", str(error))
    finally:
        if daemon.process and daemon.process.poll() is None:
            daemon.kill()
        if disk:
            disk.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("folder")
    arguments = parser.parse_args()
    checks = Checks("look again", 0)
    for number in range(arguments.times):
        with tempfile.TemporaryDirectory(prefix="notesd-look-") as work:
            judged(checks, arguments.folder, work, number)
    checks.finish()


if __name__ == "__main__":
    main()
