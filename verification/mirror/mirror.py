#!/usr/bin/env python3
"""Tries to break `notesctl mirror`: real programs save files while clients change the notes, and the
mirror and the daemon are killed while both write.

    verification/mirror/mirror.py [--seed N] [--kills 60] [--calls 150] [--only REGEX] [--plant]

An oracle knows every line that anybody wrote. --plant removes a line from a file while the mirror is
stopped and its record is right, and the run must fail.
"""

import argparse
import os
import random
import re
import shutil
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))

import absences  # noqa: E402
import cases  # noqa: E402
import faults  # noqa: E402
import programs  # noqa: E402
import synchronisers  # noqa: E402
from checks import Checks  # noqa: E402
from scene import Scene  # noqa: E402

NAMES = [f"note {number}" for number in range(6)]


class Oracle:
    """Every line that was written, by note.

    After kills, a text that a program saved at the moment of a kill may be in a note of its own
    (`recovered-…`), as `docs/mirror.md` says. Its lines count as kept.
    """

    def __init__(self, names, is_killed=False):
        self.is_killed = is_killed
        self.lines = {name: [f"the first line of {name}"] for name in names}
        self.lock = threading.Lock()
        # Lines that are there more than once. A kill may repeat a line and never loses one.
        self.repeated = 0

    def new(self, name, writer):
        """A line for a note. No other line has the same words."""
        with self.lock:
            line = f"{writer} wrote line number {len(self.lines[name])} of {name}"
            self.lines[name].append(line)
            return line

    def judge(self, checks, scene, what):
        """Both sides have all lines, and no revision has anything else."""
        checks.check(scene.is_in_step(), f"{what}: files and notes are equal in the end", scene.differences(), scene.mirror.said()[-800:])
        checks.equal(scene.leftovers(), [], f"{what}: no temporary file is left")
        names = [head["name"] for head in scene.heads()]
        recovered = [name for name in names if self.is_killed and re.fullmatch(r"recovered-\d+-\d+", name)]
        checks.equal(sorted(set(names) - set(recovered)), sorted(self.lines), f"{what}: the notes are the same ones")
        aside = [line for name in recovered for line in scene.note(name)["text"].splitlines()]
        for name, lines in self.lines.items():
            note = scene.note(name)
            for side, text in (("note", note["text"]), ("file", scene.read(name + ".md") or "")):
                found = text.splitlines() + [line for line in aside if line in lines]
                checks.equal([line for line in lines if line not in found], [], f"{what}: the {side} of {name} has every line")
                self.repeated += sum(found.count(line) > 1 for line in set(found))
            known = set(lines) | {""}
            for text in scene.revisions(note["id"]):
                half = [line for line in text.split("\n") if line not in known]
                if not checks.equal(half, [], f"{what}: every revision of {name} consists of whole lines"):
                    break


def saves(checks, seed, folder):
    """Every program saves once what it has just loaded, and once what it loaded before a client's
    change came into the file."""
    ways, missing = programs.installed()
    if missing:
        checks.say(f"not installed, and skipped: {', '.join(missing)}")
    scene = Scene(folder)
    oracle = Oracle(ways)
    for name in ways:
        scene.write(name + ".md", f"the first line of {name}\n")
    scene.mirror.start()
    checks.check(scene.is_in_step(), "all files become notes", scene.mirror.said())
    ids = {head["name"]: head["id"] for head in scene.heads()}

    def fresh(name):
        line = oracle.new(name, "a program")
        programs.save(name, scene.path(name + ".md"), line)
        checks.check(scene.until(lambda: line in scene.text(name)), f"{name}: the note gets what the program saved", scene.text(name))

    def stale(name):
        theirs, mine = oracle.new(name, "a client"), oracle.new(name, "an old buffer")

        def may_save():
            scene.insert(name, theirs)
            checks.check(scene.until(lambda: theirs in scene.read(name + ".md")), f"{name}: a client's line comes into the file")

        programs.save(name, scene.path(name + ".md"), mine, may_save)
        checks.check(scene.until(lambda: mine in scene.text(name)), f"{name}: an old buffer is saved", scene.text(name))

    for step in (fresh, stale):
        threads = [threading.Thread(target=step, args=(name,)) for name in ways]
        for group in (threads[::2], threads[1::2]):
            for thread in group:
                thread.start()
            for thread in group:
                thread.join()
    oracle.judge(checks, scene, "programs")
    checks.equal(oracle.repeated, 0, "programs: no line is there twice")
    now = {head["name"]: head["id"] for head in scene.heads()}
    checks.equal(now, ids, "each note is the same one after the saves")
    for name in ways:
        count = len(scene.revisions(ids[name]))
        checks.check(count <= 6, f"{name}: three changes make few revisions", count)
    scene.close()


def kills(checks, seed, folder, count, plant):
    """Kills the mirror, the daemon or both at any moment."""
    chance = random.Random(seed)
    scene = Scene(folder)
    oracle = Oracle(NAMES, is_killed=True)
    for name in NAMES:
        scene.write(name + ".md", f"the first line of {name}\n")
    scene.mirror.start()
    checks.check(scene.is_in_step(), "all files become notes", scene.mirror.said())
    is_over = threading.Event()
    writes = [0, 0]

    def client(seed):
        mine = random.Random(seed)
        while not is_over.is_set():
            name = mine.choice(NAMES)
            scene.insert(name, oracle.new(name, "a client"), mine.choice([0, 1, None]))
            writes[0] += 1
            is_over.wait(mine.random() * 0.08)

    def program(seed, names):
        mine = random.Random(seed)
        while not is_over.is_set():
            name = mine.choice(names)
            programs.save(mine.choice(programs.QUICK), scene.path(name + ".md"), oracle.new(name, "a program"))
            writes[1] += 1
            is_over.wait(mine.random() * 0.3)

    threads = [threading.Thread(target=client, args=(seed,))] + [
        threading.Thread(target=program, args=(seed + number, NAMES[number::2])) for number in (0, 1)]
    for thread in threads:
        thread.start()
    for number in range(count):
        time.sleep(chance.random() * 0.5)
        victim = chance.choice(["mirror", "mirror", "daemon", "both"])
        if victim == "mirror":
            # The moment between two names of a file is short, so half of these kills wait for it.
            until = time.monotonic() + 0.5
            while not any(name.startswith(".notesctl") for name in os.listdir(scene.place)) and time.monotonic() < until:
                pass
        if victim != "daemon":
            scene.mirror.kill()
        if victim != "mirror":
            scene.daemon.kill()
            scene.daemon.start()
        if scene.mirror.process.poll() is not None:
            scene.mirror.start()
        elif number % 10 == 9:
            scene.mirror.kill(15)
            scene.mirror.start()
    is_over.set()
    for thread in threads:
        thread.join()
    checks.check(scene.is_in_step(), "both are in step after the kills", scene.differences(), scene.mirror.said()[-800:])
    if plant:
        scene.mirror.process.send_signal(19)
        lines = scene.read(NAMES[0] + ".md").splitlines(keepends=True)
        scene.write(NAMES[0] + ".md", "".join(lines[:1] + lines[2:]))
        scene.mirror.process.send_signal(18)
    oracle.judge(checks, scene, "kills")
    scene.daemon.stop()
    checks.equal(scene.daemon.verify(), "", "the store is sound")
    checks.say(f"{count} kills, {writes[0]} lines of clients, {writes[1]} of programs; {oracle.repeated // 2} lines are there twice")
    scene.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kills", type=int, default=60)
    parser.add_argument("--calls", type=int, default=150)
    parser.add_argument("--only", default="")
    parser.add_argument("--plant", action="store_true")
    options = parser.parse_args()
    checks = Checks("mirror", options.seed)
    parts = [("kills", lambda checks, seed, folder: kills(checks, seed, folder, options.kills, options.plant))]
    if not options.plant:
        parts += [("saves", saves)] + cases.ALL + absences.ALL + synchronisers.ALL + faults.ALL
        parts += [("killed calls", lambda checks, seed, folder: faults.killed_calls(checks, seed, folder, options.calls))]
        parts += [("power cuts", lambda checks, seed, folder: faults.power_cuts(checks, seed, folder, max(4, options.calls // 10)))]
    for name, part in parts:
        if not re.search(options.only, name):
            continue
        folder = tempfile.mkdtemp(prefix="mirror-")
        start = time.monotonic()
        try:
            part(checks, options.seed, folder)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        checks.say(f"{name}: {time.monotonic() - start:.1f} s")
    if options.plant:
        found = checks.failed > 0
        print(f"mirror: the planted fault was {'found' if found else 'NOT FOUND: error: the run passed'} (seed {options.seed})")
        sys.exit(0 if found else 1)
    checks.finish()


if __name__ == "__main__":
    main()
