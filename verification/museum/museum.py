#!/usr/bin/env python3
"""Repeats public reports of lost, doubled, reverted or revived notes on real daemons.

    verification/museum/museum.py [--seed N] [--only REGEX] [--quick] [--list] [--jobs 2]

Each case is a function in one of the modules below. --quick runs the cases that take a few seconds
and need nothing special; --list prints the cases with their reports.
"""

import argparse
import concurrent.futures
import os
import re
import shutil
import sys
import time
import traceback

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))

from checks import Checks  # noqa: E402
from places import open_folder  # noqa: E402

import cases  # noqa: E402
import agents  # noqa: E402, F401
import crashes  # noqa: E402, F401
import folders  # noqa: E402, F401
import machines  # noqa: E402, F401
import names  # noqa: E402, F401
import seen  # noqa: E402, F401
import status  # noqa: E402, F401
import undo  # noqa: E402, F401
from machine import Scene, Skipped  # noqa: E402

PAGE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "README.md")
JOBS_MAX = 2


def perform(case, number, seed, folder):
    """Runs one case; returns its checks."""
    checks = Checks(f"museum, {case.name}", seed)
    missing = case.missing()
    if missing:
        checks.say(f"skipped, because it needs {' and '.join(missing)}")
        return checks
    start = time.monotonic()
    scene = Scene(os.path.join(folder, str(number)), checks, seed)
    try:
        case.run(scene)
        checks.check(checks.passed or checks.failed, "the case checks something")
    except Skipped as reason:
        checks.say(f"skipped: {reason}")
    except Exception:  # A case that ends early is a failed case, and the others go on.
        checks.check(False, "the case runs to its end", traceback.format_exc())
    finally:
        scene.close()
    checks.say(f"{time.monotonic() - start:.1f} s")
    return checks


def row(case):
    """The name of a case and its reports."""
    return f"{case.name}: {', '.join(case.reports)}"


def check_page(checks):
    """The page lists each case, and no other."""
    with open(PAGE, encoding="utf-8") as page:
        table = page.read().split("## ")[0]
    listed = re.findall(r"^\| ([a-z ]+) \| (?!what notesd does)", table, re.MULTILINE)
    checks.equal(sorted(listed), sorted(case.name for case in cases.ALL), "README.md lists the cases")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", metavar="REGEX")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--jobs", type=int, choices=range(1, JOBS_MAX + 1), default=JOBS_MAX)
    options = parser.parse_args()
    chosen = [case for case in cases.ALL if re.search(options.only, case.name) and (case.is_quick or not options.quick)]
    if options.list:
        for case in chosen:
            print(row(case))
        return
    total = Checks("museum", options.seed)
    check_page(total)
    folder = open_folder("museum-")
    try:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for done in pool.map(lambda pair: perform(pair[1], pair[0], options.seed, folder), enumerate(chosen)):
                total.passed += done.passed
                total.failed += done.failed
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    total.finish()


if __name__ == "__main__":
    main()
