#!/usr/bin/env python3
"""Two Neovims write into one note at the same moment, and the result is judged by lines.

usage: lines.py [--seed N] [--rounds N]

The daemon is stopped while both users type, so neither sees what the other does, as within one
round trip. Edits may lead to the right text and yet state the wrong change: if `dd` is sent as a
change of the line above, the merge joins lines that nobody joined, and all editors agree on the
result. So convergence cannot find this fault; these tests compare lines. `RECIPES` are pairs of
keys with the texts that may result. The random pairs touch different lines; each line that only one
user touched must be as that user left it.
"""

import argparse
import collections
import os
import random
import signal
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "lib"))

from checks import Checks  # noqa: E402
from daemon import Client, Daemon  # noqa: E402
from editors import Neovim  # noqa: E402

SHOPPING = "milk\nbread\neggs\n"
CALLS = ("call Anna on 12 May\ncall Anton on 13 May\ncall Berta on 21 May\ncall Anna on 23 June\nbuy milk\n")

# The text before, the keys of both users, and the texts that may result.
RECIPES = [
    (SHOPPING, "2GOtea<Esc>", "1Gdd", ["tea\nbread\neggs\n"]),
    (SHOPPING, "1Gotea<Esc>", "1Gdd", ["tea\nbread\neggs\n"]),
    (SHOPPING, "1Gyyp", "1Gdd", ["milk\nbread\neggs\n"]),
    (SHOPPING, "1GAX<Esc>", "2GddP", ["milkX\nbread\neggs\n"]),
    (SHOPPING, "3Gotea<Esc>", "3Gdd", ["milk\nbread\ntea\n"]),
    (SHOPPING, "2GAX<Esc>", "3Gdd", ["milk\nbreadX\n"]),
    (SHOPPING, "1GOtea<Esc>", "1Gdd", ["tea\nbread\neggs\n"]),
    ("milk\nbread\neggs", "3Gotea<Esc>", "1Gdd", ["bread\neggs\ntea"]),
    ("milk\r\nbread\r\neggs\r\n", "2GOtea<Esc>", "1Gdd", ["tea\r\nbread\r\neggs\r\n"]),
]

# Pairs that move lines, or replace words in the middle of others' typing: the lines that may result.
MOVES = [
    ("top\nfar away\nend\n", "2GIfoo <Esc>", "2Gdd", [["top", "foo far away", "end"]]),
    (CALLS, ":4m1<CR>", ":2m$<CR>", None),
    (CALLS, "1Gddp", "2Gddp", None),
    (CALLS, ":3m0<CR>", ":sort<CR>", None),
    (CALLS, "2GddggP", ":3m0<CR>", None),
]


class Lines:
    def __init__(self, arguments, checks, folder):
        self.random = random.Random(arguments.seed)
        self.checks = checks
        self.daemon = Daemon(folder)
        self.client = Client(self.daemon.socket)
        self.editors = [Neovim(f"neovim{index}", folder, self.daemon.socket) for index in range(2)]
        self.count = 0

    def together(self, text, *keys):
        """Creates a note, has both users type at once, and returns the merged text."""
        self.count += 1
        name = f"list {self.count}"
        note = self.client.ask("note.create", name=name, text=text)["note"]["id"]
        for editor in self.editors:
            editor.open(name)
            editor.settled()
        self.daemon.freeze()
        for editor, typed in zip(self.editors, keys):
            editor.do("keys", keys=typed)
            # The write is under way, so it is based on the text before.
            editor.wait(lambda state: state["status"] == "sending" or state["text"] == text, "a write under way")
        self.daemon.process.send_signal(signal.SIGCONT)
        for editor in self.editors:
            editor.settled()
        result = self.client.ask("note.get", id=note)["note"]["text"]
        for editor in self.editors:
            editor.wait(lambda state: state["text"] == result, "the daemon's text")
        return result

    def recipes(self):
        for text, one, two, allowed in RECIPES:
            for keys in ((one, two), (two, one)):
                result = self.together(text, *keys)
                self.checks.check(result in allowed, "lines stay lines", text, keys, result)

    def moves(self):
        """Every line of the result is a line that somebody saw, and none is lost."""
        for text, one, two, allowed in MOVES:
            lines = text.splitlines()
            for keys in ((one, two), (two, one)):
                result = self.together(text, *keys).splitlines()
                holds = result in allowed if allowed else set(result) == set(lines)
                self.checks.check(holds, "a moved line stays a line", text, keys, result)

    def operation(self, lines, row, word):
        """Keys of an operation on a line, the numbers of the lines that it removes or changes, and
        the lines that it adds."""
        line = lines[row]
        return self.random.choice([
            (f"{row + 1}Go{word}<Esc>", [], [word]),
            (f"{row + 1}GO{word}<Esc>", [], [word]),
            (f"{row + 1}GO{word}<CR>{word}'<Esc>", [], [word, word + "'"]),
            (f"{row + 1}Gdd", [row], []),
            (f"{row + 1}Gyyp", [], [line]),
            (f"{row + 1}GA {word}<Esc>", [row], [line + " " + word]),
            (f"{row + 1}Gcc{word}<Esc>", [row], [word]),
        ])

    def pairs(self, rounds):
        for _ in range(rounds):
            lines = [self.random.choice(["milk", "bread", "eggs", "tea", "far away"]) + f" {index}" for index in range(6)]
            rows = self.random.sample(range(6), 2) if self.random.random() < 0.5 else [2, self.random.choice([1, 3])]
            done = [self.operation(lines, row, word) for row, word in zip(rows, ["ONE", "TWO"])]
            expected = collections.Counter(lines)
            for _, gone, added in done:
                expected.subtract(lines[row] for row in gone)
                expected.update(added)
            result = self.together("".join(line + "\n" for line in lines), done[0][0], done[1][0])
            self.checks.equal(sorted(result.splitlines()), sorted(expected.elements()),
                              "each line is as the one who touched it left it", lines, [keys for keys, _, _ in done], result)

    def end(self):
        for editor in self.editors:
            editor.quit()
        self.daemon.stop()
        self.checks.equal(self.daemon.verify(), "", "the store on disk is intact")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=40)
    arguments = parser.parse_args()
    checks = Checks("neovim lines", arguments.seed)
    with tempfile.TemporaryDirectory(prefix="notesd-lines-") as folder:
        scene = Lines(arguments, checks, folder)
        scene.recipes()
        scene.moves()
        scene.pairs(arguments.rounds)
        scene.end()
    checks.finish()


main()
