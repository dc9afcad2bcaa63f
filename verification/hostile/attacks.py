"""What somebody on the same machine tries who is not let in, or is, and wants more: on the real daemon and the real client.

    attacks.py [--seed N] [--folder DIRECTORY] [--only PART] [--plants]

The parts: `doors`, what stands where the socket, the store and the configuration are to be; `neighbours`, other users who are let in;
`onlookers`, texts and names that others look at. Where it does not run as root there are no other users, which is said.
docs/security.md names what each is for. With --plants the programs are weakened in one way after the other, by weaken.c, and each has to
be missed by a check.
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
from daemon import Refused
from openrpc import ROOT

sys.path.insert(0, os.path.join(ROOT, "verification", "lib"))
from checks import Checks  # noqa: E402
from places import open_folder  # noqa: E402

PARTS = {"doors": doors.run, "neighbours": neighbours.run, "onlookers": onlookers.run}
# What weaken.c takes away, and the part that has to miss it; "obeys" is a client that passes on what others wrote.
PLANTS = {
    "mask": "doors", "early": "doors", "widened": "doors", "modes": "doors", "owners": "doors", "follow": "doors", "handed": "doors",
    "peer": "neighbours", "root": "neighbours", "number": "neighbours", "over": "neighbours", "passed": "neighbours", "many": "neighbours",
    "private": "onlookers", "obeys": "onlookers"}
# It stands in the place of notesctl.
OBEYS = """#!/bin/bash
"{program}" "$@" > >(sed -u 's/\\\\x1B/\x1b/g') 2>&1
"""


def plants(folder):
    """Returns how many were missed by a check, and the names of the others."""
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
    # Nothing here is left to chance; it is taken, and told, as the other parts do.
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--folder")
    parser.add_argument("--only", choices=PARTS)
    parser.add_argument("--plants", action="store_true")
    options = parser.parse_args()
    folder = options.folder or open_folder("notesd-attacks-")
    os.makedirs(folder, exist_ok=True)
    # Others are to come as far as the socket.
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
                checks.check(False, f"{name} comes to its end", repr(fault))
    print(f"  {time.monotonic() - began:.0f} s")
    if checks.failed:
        print(f"  what was left is in {folder}")
    elif not options.folder:
        shutil.rmtree(folder)
    checks.finish()


if __name__ == "__main__":
    main()
