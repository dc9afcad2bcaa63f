#!/usr/bin/env python3
"""Runs a real editor on the hostile daemon, under each of its tricks. The editor must keep the
rules of docs/editors.md and lose no typed text.

usage: hostile.py --editor neovim [--seed N] [--steps N] [--trick NAME]...
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
from editors import KINDS, EditorFailed  # noqa: E402
from hostile import TRICKS, HostileDaemon  # noqa: E402


# The editor's characters, one for each step; the daemon uses separate ones for other writers.
FIRST_OF_MINE = 0x4E00


class Trial:
    """An editor that types distinct characters at random places and removes some of them, while
    other writers do the same."""

    def __init__(self, kind, seed, tricks, folder, checks):
        self.random = random.Random(f"{seed} {tricks}")
        self.tricks = tricks
        self.checks = checks
        self.daemon = HostileDaemon(os.path.join(folder, "sock"), f"{seed} {tricks}", tricks)
        self.daemon.start()
        self.editor = KINDS[kind]("editor", folder, self.daemon.path)
        self.mine = []

    def step(self, number):
        roll = self.random.random()
        if roll < 0.25:
            self.daemon.others_write()
            return
        text = self.editor.text().encode()
        if roll < 0.35 and self.mine:
            character = self.random.choice(self.mine)
            if self.editor.do("delete", text=character) is not False:
                self.mine.remove(character)
        else:
            self.type_at_random(text, number)

    def type_at_random(self, text, number):
        character = chr(FIRST_OF_MINE + number)
        self.mine.append(character)
        tail = self.random.choice(["", " ", "\n", "é", "xyz"])
        self.editor.do("insert", at=self.random.randint(0, len(text)), text=character + tail)

    def run(self, steps):
        self.editor.open("hostile")
        self.editor.wait(lambda state: state["text"] is not None and state["version"], "the note")
        for number in range(steps):
            self.step(number)
        self.daemon.calm()
        self.settle()

    def hold(self, steps):
        """Text typed while there is no daemon must arrive as a whole text when it is back, and the
        text of others must stay."""
        self.editor.settled()
        for _ in range(3):
            self.daemon.leave()
            self.editor.wait(lambda state: state["status"] == "offline", "the state offline")
            before = self.daemon.rules.counts["saves"]
            for number in range(steps):
                self.type_at_random(self.editor.text().encode(), len(self.mine) + number + 1000)
            self.daemon.others_write()
            self.daemon.come_back()
            self.settle()
            self.checks.equal(self.daemon.rules.counts["saves"], before + 1, "held text arrived as one whole text")

    def settle(self):
        """Waits until the editor has the same text as the daemon, which is friendly now."""
        until = time.monotonic() + 60
        name = "+".join(self.tricks)
        while time.monotonic() < until:
            state = self.editor.state()
            if state["settled"] and state["text"].encode() == self.daemon.text():
                break
            time.sleep(0.02)
        shown = self.editor.text().encode()
        self.checks.equal(shown, self.daemon.text(), "both have the same text in the end", name, self.editor.state()["status"],
                          self.editor.do("log")[-3:])
        self.all_is_there(shown.decode(), name)
        for broken in self.daemon.rules.broken:
            self.checks.check(False, broken, name)
        counts = self.daemon.rules.counts
        self.checks.check(not self.daemon.rules.broken, "all rules are kept", name)
        self.checks.check(counts["writes"] > 0, "something was written", name, counts)
        self.checks.equal(self.daemon.failure, None, "the hostile daemon itself works", name)

    def all_is_there(self, shown, name):
        self.checks.check("LIE" not in shown, "the editor detects a lie of the daemon before it writes on it", name, shown)
        forgets = "forgets" in self.tricks
        for character in self.mine:
            self.checks.equal(shown.count(character), 1, "text typed in the editor is there once", name, character)
        for character in self.daemon.others if not forgets else []:
            self.checks.equal(shown.count(character), 1, "text typed by others is there once", name, character)

    def end(self):
        self.editor.quit()
        self.daemon.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--editor", default="neovim")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--steps", type=int, default=60)
    parser.add_argument("--trick", action="append", choices=sorted(TRICKS))
    arguments = parser.parse_args()
    checks = Checks(f"hostile {arguments.editor}", arguments.seed)
    trials = [[name] for name in arguments.trick] if arguments.trick else [[name] for name in TRICKS] + [
        [name for name in TRICKS if name not in ("lies", "forgets")]]
    for tricks in trials:
        with tempfile.TemporaryDirectory(prefix="notesd-hostile-") as folder:
            trial = Trial(arguments.editor, arguments.seed, tricks, folder, checks)
            try:
                trial.run(arguments.steps)
                trial.hold(5)
            except EditorFailed as error:
                checks.check(False, str(error), "+".join(tricks))
            trial.end()
    checks.finish()


main()
