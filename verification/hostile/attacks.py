"""Attacks by users of the same machine who have no access, or have some and want more: on the real
daemon and the real client.

    attacks.py [--seed N] [--folder DIRECTORY] [--only PART] [--plants]

The parts: `doors`, files prepared in the place of the socket, the store and the configuration;
`neighbours`, other users with access; `onlookers`, texts and names that other users see; `rivals`,
notes with many concurrent revisions. Without root there are no other users, and the tests print
that. docs/security.md names the threat of each part. With --plants, weaken.c weakens the programs in one way after the other, and a check must
detect each.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time

import doors
import neighbours
import onlookers
import rivals
from daemon import Refused
from openrpc import ROOT

sys.path.insert(0, os.path.join(ROOT, "verification", "lib"))
from checks import Checks  # noqa: E402
from places import open_folder  # noqa: E402

PARTS = {"doors": doors.run, "neighbours": neighbours.run, "onlookers": onlookers.run, "rivals": rivals.run}
# The defences that weaken.c removes, and the part that must detect it; "obeys" is a client that
# passes on raw text.
PLANTS = {
    "mask": "doors", "early": "doors", "widened": "doors", "modes": "doors", "owners": "doors", "follow": "doors", "handed": "doors",
    "peer": "neighbours", "root": "neighbours", "number": "neighbours", "over": "neighbours", "passed": "neighbours", "many": "neighbours",
    "private": "onlookers", "obeys": "onlookers"}
# It takes the place of notesctl.
OBEYS = """#!/bin/bash
"{program}" "$@" > >(sed -u 's/\\\\x1B/\x1b/g') 2>&1
"""


def plants(folder):
    """Returns the number of detected faults, and the names of the others."""
    library = os.path.join(folder, "weaken.so")
    source = os.path.join(ROOT, "verification", "hostile", "weaken.c")
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"], check=True)
    programs = os.path.join(folder, "programs")
    os.mkdir(programs)
    real = os.environ["NOTESD_BIN_DIR"]
    os.symlink(os.path.join(real, "notesd"), os.path.join(programs, "notesd"))
    with open(os.path.join(programs, "notesctl"), "w", encoding="ascii") as file:
        file.write(OBEYS.format(program=os.path.join(real, "notesctl")))
    os.chmod(os.path.join(programs, "notesctl"), 0o755)
    caught, missed = 0, []
    for name, part in PLANTS.items():
        changed = {"NOTESD_BIN_DIR": programs} if name == "obeys" else {"LD_PRELOAD": library, "WEAKEN": name}
        done = subprocess.run(
            [sys.executable, __file__, "--only", part, "--seed", "0", "--folder", os.path.join(folder, name)],
            env=os.environ | {"PATIENCE_S": "8"} | changed, capture_output=True, text=True, errors="replace", check=False)
        failed = next((line for line in done.stdout.splitlines() if line.startswith("FAILED")), None)
        print(f"plant {name}: {failed[:150] if failed else 'NOT CAUGHT'}", flush=True)
        if failed:
            caught += 1
        else:
            missed.append(name)
    return caught, missed


def main():
    parser = argparse.ArgumentParser()
    # These tests make no random choice; --seed is accepted and printed like in the other parts.
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--folder")
    parser.add_argument("--only", choices=PARTS)
    parser.add_argument("--plants", action="store_true")
    options = parser.parse_args()
    folder = options.folder or open_folder("notesd-attacks-")
    os.makedirs(folder, exist_ok=True)
    # Other users must be able to reach the socket.
    os.chmod(folder, 0o755)
    checks = Checks("attacks", options.seed)
    if options.plants:
        checks.passed, missed = plants(folder)
        checks.failed = len(missed)
        shutil.rmtree(folder)
        checks.finish()
    began = time.monotonic()
    for name, run in PARTS.items():
        if options.only in (None, name):
            below = os.path.join(folder, name)
            os.makedirs(below, exist_ok=True)
            try:
                run(checks, below)
            except (OSError, ValueError, LookupError, Refused, subprocess.SubprocessError) as fault:
                checks.check(False, f"{name} runs to its end", repr(fault))
    print(f"  {time.monotonic() - began:.0f} s")
    if checks.failed:
        print(f"  what was left is in {folder}")
    elif not options.folder:
        shutil.rmtree(folder)
    checks.finish()


if __name__ == "__main__":
    main()
