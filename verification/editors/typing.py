#!/usr/bin/env python3
"""Real editors type into one note of a real daemon, each in its own part, with random operations,
undo and redo.

usage: typing.py --editors neovim,neovim [--seed N] [--steps N] [--faults] [--stop SECONDS]

Each typist's part must stay as the typist left it, whatever the others do. Undo must revert the
typist's own step and nothing else. In the end, all editors, the daemon and the store on disk must
have the same text. With --faults, the test meanwhile kills and restarts the daemon and stops an
editor for a while. With --stop, it stops one editor for that time, in the first note, while the
others continue.
"""

import argparse
import os
import random
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

from checks import Checks  # noqa: E402
from daemon import Client, Daemon  # noqa: E402
from editors import KINDS  # noqa: E402
from operations import TABLES, steps_of, to_heading  # noqa: E402

SHAPES = {"plain": ("\n", "\n"), "dos": ("\r\n", "\r\n"), "open": ("\n", "")}


class Typist:
    """One editor, its part of the note, and the text of that part after each of its steps."""

    def __init__(self, editor, index, line_end):
        self.editor = editor
        self.heading = f"== part {index} =="
        self.closing = f"== end {index} =="
        self.line_end = line_end
        self.pasts = []
        self.futures = []

    def part_of(self, text):
        """The typist's part of a text; None if the headings are gone."""
        head, tail = self.heading + self.line_end, self.closing
        if text.count(head) != 1 or text.count(tail) != 1:
            return None
        return text.split(head)[1].split(tail)[0]

    def part(self):
        return self.part_of(self.editor.text())

    def remember(self, before, after, steps):
        """The steps that can be undone: the earlier text of the part, and the maximum number of
        undo steps."""
        if after != before:
            self.pasts.append((before, steps))
            self.futures.clear()
        elif steps > 1:
            # Two or more steps without an effect: the next target of undo is unknown.
            self.pasts.clear()
            self.futures.clear()

    def take_back(self, what, after, expected, steps):
        """The part after the remaining steps of an operation that has several."""
        while after != expected and steps > 1:
            self.editor.do(what)
            after, steps = self.part(), steps - 1
        return after


class Away:
    """A stopped editor."""

    def __init__(self, typist, steps, until):
        self.typist, self.steps, self.until = typist, steps, until

    def is_over(self):
        self.steps -= 1
        return self.steps <= 0 and time.monotonic() >= self.until


class Scene:
    def __init__(self, arguments, shape, checks, folder):
        self.random = random.Random(f"{arguments.seed} {shape}")
        self.checks = checks
        self.shape = shape
        self.daemon = Daemon(folder)
        self.line_end, last_end = SHAPES[shape]
        kinds = arguments.editors.split(",")
        lines = []
        for index in range(len(kinds)):
            lines += [f"== part {index} ==", "one two three", "four five", f"== end {index} ==", ""]
        text = self.line_end.join(lines[:-1]) + last_end
        client = Client(self.daemon.socket)
        self.note = client.ask("note.create", name="scene", text=text)["note"]["id"]
        client.close()
        self.typists = []
        for index, kind in enumerate(kinds):
            editor = KINDS[kind](f"{kind}{index}", folder, self.daemon.socket)
            editor.open("scene")
            editor.settled()
            self.typists.append(Typist(editor, index, self.line_end))

    def start_step(self, typist):
        """Sends the typist's next step; returns the argument for `finish_step`."""
        before = typist.part()
        if not self.checks.check(before is not None, "headings stay", typist.editor.name, typist.editor.text()):
            raise SystemExit(self.checks.finish())
        roll = self.random.random()
        if roll < 0.2 and typist.pasts:
            return "undo", before, typist.editor.start("undo")
        if roll < 0.3 and typist.futures:
            return "redo", before, typist.editor.start("redo")
        while True:
            table = TABLES[typist.editor.kind]
            keys = self.random.choice(table)(self.random, before.count(self.line_end))
            if keys:
                keys = to_heading(typist.editor.kind, typist.heading) + keys
                return keys, before, typist.editor.start("keys", keys=keys)

    def finish_step(self, typist, step):
        keys, before, number = step
        typist.editor.finish(number)
        after = typist.part()
        if not self.checks.check(after is not None, "own headings stay", typist.editor.name, keys, before, typist.editor.text()):
            raise SystemExit(self.checks.finish())
        if keys in ("undo", "redo"):
            back, forth = (typist.pasts, typist.futures) if keys == "undo" else (typist.futures, typist.pasts)
            expected, steps = back.pop()
            forth.append((before, steps))
            after = typist.take_back(keys, after, expected, steps)
            self.checks.equal(after, expected, f"{keys} changes only the typist's own step", typist.editor.name, before)
        else:
            typist.remember(before, after, steps_of(typist.editor.kind, keys))
        typist.left = after

    def fault(self, away):
        """Causes a fault: kills the daemon, or stops an editor for a while. Returns the stopped
        editor, if any."""
        if away or self.random.random() < 0.6:
            self.daemon.restart()
            return away
        return self.send_away(20, 0)

    def send_away(self, steps, seconds):
        """Stops an editor for this many steps of the others, and at least for this time."""
        typist = self.random.choice(self.typists)
        typist.editor.stop()
        return Away(typist, steps, time.monotonic() + seconds)

    def run(self, steps, faults, stop_s):
        for typist in self.typists:
            typist.left = typist.part()
        away, number = None, 0
        while number < steps or away:
            if faults and number % 40 == 39:
                away = self.fault(away)
            elif stop_s and number == 10:
                away = self.send_away(20, stop_s)
            elif away and away.is_over():
                away.typist.editor.go_on()
                away = None
            running = [typist for typist in self.typists if not away or typist is not away.typist]
            begun = []
            for typist in running:
                self.checks.equal(typist.part(), typist.left, "others leave the typist's part unchanged", typist.editor.name)
                begun.append((typist, self.start_step(typist)))
            for typist, step in begun:
                self.finish_step(typist, step)
            number += 1
        self.compare()

    def compare(self):
        """Checks that all show the same text in the end, and that it is the typed one."""
        client = Client(self.daemon.socket)
        for typist in self.typists:
            typist.editor.settled()
        shown = client.ask("note.get", id=self.note)["note"]
        for typist in self.typists:
            name = typist.editor.name
            # Keys that change nothing in the end leave the buffer modified until the editor's next comparison.
            typist.editor.wait(lambda state: state["text"] == shown["text"] and not state["modified"],
                               "the daemon's text, with nothing left to save")
            self.checks.equal(typist.editor.text(), shown["text"], "all editors show the same text", name)
            self.checks.equal(typist.part_of(shown["text"]), typist.left, "the daemon has the typed text", name)
        self.checks.equal(shown["conflicts"], [], "separate parts are never in conflict")
        self.checks.check(client.ask("daemon.audit")["ok"], "the audit finds nothing wrong")
        client.close()

    def end(self):
        for typist in self.typists:
            typist.editor.quit()
        self.daemon.stop()
        self.checks.equal(self.daemon.verify(), "", "the store on disk is intact")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--editors", default="neovim,neovim")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--faults", action="store_true")
    parser.add_argument("--stop", type=float, default=0)
    arguments = parser.parse_args()
    name = ("faults" if arguments.faults else "typing") + " " + arguments.editors
    checks = Checks(name, arguments.seed)
    for shape in SHAPES:
        with tempfile.TemporaryDirectory(prefix="notesd-editors-") as folder:
            scene = Scene(arguments, shape, checks, folder)
            scene.run(arguments.steps, arguments.faults, arguments.stop if shape == "plain" else 0)
            scene.end()
    checks.finish()


main()
