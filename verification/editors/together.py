#!/usr/bin/env python3
"""Real editors type into the same paragraphs of one note on a real daemon.

usage: together.py --editors neovim,neovim [--seed N] [--steps N]

Each editor types characters that no other editor types, between those of the others; it removes
some of its own and of the others' characters; it undoes and redoes. In the end, all editors must
show the same text as the daemon, and each character that nobody removed must be there once, or at least
once after a conflict. Undo
must remove only characters of its own editor. A cursor that rests on a character must stay on it.
An editor that was stopped while others made fifty changes must come back with its own text.
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

# The first character of each editor; they are a thousand apart.
FIRST = 0x4E00
TEXTS = ["one two three\nfour five\n\nsix\n", "eins zwei\r\ndrei\r\n", "no end", ""]


class Together:
    def __init__(self, arguments, text, checks, folder):
        self.random = random.Random(f"{arguments.seed} {text!r}")
        self.checks = checks
        self.daemon = Daemon(folder)
        client = Client(self.daemon.socket)
        self.note = client.ask("note.create", name="together", text=text)["note"]["id"]
        client.close()
        self.editors = []
        for index, kind in enumerate(arguments.editors.split(",")):
            editor = KINDS[kind](f"{kind}{index}", folder, self.daemon.socket)
            editor.first, editor.count, editor.typed, editor.undone = FIRST + 2500 * index, 0, set(), set()
            editor.open("together")
            editor.settled()
            self.editors.append(editor)
        self.taken = set()

    def is_of(self, editor, character):
        return editor.first <= ord(character) < editor.first + 2500

    def step(self, editor):
        roll = self.random.random()
        if roll < 0.6:
            self.type(editor)
        elif roll < 0.8:
            self.take(editor)
        else:
            self.undo(editor, "undo" if roll < 0.92 else "redo")

    def type(self, editor):
        characters = "".join(chr(editor.first + editor.count + index) for index in range(self.random.randint(1, 3)))
        editor.count += len(characters)
        editor.typed.update(characters)
        tail = self.random.choice(["", " ", "\n", "e\u0301", "👍🏽"])
        editor.do("insert", at=self.random.randint(0, len(editor.text().encode())), text=characters + tail)

    def take(self, editor):
        """Removes a character of any editor. An undo of another editor may bring it back or not, so
        the test does not count it any more."""
        shown = [character for character in editor.text() if FIRST <= ord(character) < FIRST + 2500 * len(self.editors)]
        if shown:
            character = self.random.choice(shown)
            self.taken.add(character)
            editor.do("delete", text=character)

    def undo(self, editor, what):
        """Checks that only the editor's own characters appear or disappear, except those that
        somebody removed."""
        before = set(self.own_view(editor))
        editor.do(what)
        after = set(self.own_view(editor))
        for character in before - after:
            mine = self.is_of(editor, character) or character in self.taken
            self.checks.check(mine or self.is_others_news(editor, character), f"{what} removes own characters only", editor.name, character)
        # Own characters that undo adds or removes change the expected text.
        editor.undone |= before - after
        editor.typed -= {character for character in before - after if self.is_of(editor, character)}
        editor.typed |= {character for character in after - before if self.is_of(editor, character)}

    def own_view(self, editor):
        return [character for character in editor.text() if FIRST <= ord(character) < FIRST + 2500 * len(self.editors)]

    def is_others_news(self, editor, character):
        """Whether another editor removed the character by undo, and may have restored it since: its
        removal then arrived as a change of that editor."""
        return any(other is not editor and character in other.undone for other in self.editors)

    def settle(self, law):
        client = Client(self.daemon.socket)
        for editor in self.editors:
            editor.settled()
        shown = client.ask("note.get", id=self.note)["note"]["text"]
        for editor in self.editors:
            editor.wait(lambda state: self.plain(state["text"]) == self.plain(shown), "the daemon's text")
            self.checks.equal(self.plain(editor.text()), self.plain(shown), law, editor.name)
        client.close()
        return shown

    def plain(self, text):
        """`notesctl attach` hides the CR of a note with CR LF, also where a merge has dropped one."""
        return text.replace("\r", "")

    def run(self, steps):
        for _ in range(steps):
            self.step(self.random.choice(self.editors))
        shown = self.settle("all editors show the same text")
        for editor in self.editors:
            for character in editor.typed - self.taken:
                self.is_there(shown, character, "typed text is there once", editor)

    def is_there(self, shown, character, law, editor):
        """A conflict has what each person had. Whoever had it was told."""
        count = shown.count(character)
        was_told = any("oth texts are kept" in entry["message"] or "both are kept" in entry["message"]
                       for each in self.editors for entry in each.do("log"))
        self.checks.check(count >= 1 if was_told else count == 1, law, editor.name, character, count)

    def cursors(self):
        """Rests each editor in turn on a character of its own while the others type, one change at
        a time: the daemon may report several changes as one coarse edit that does not tell which
        characters stayed."""
        for resting in self.editors:
            self.type(resting)
            mark = chr(resting.first + resting.count - 1)
            resting.typed.add(mark)
            text = self.settle("all editors show the same text").encode()
            resting.do("go", at=text.index(mark.encode()))
            for _ in range(10):
                other = self.random.choice([editor for editor in self.editors if editor is not resting])
                self.type(other)
                newest = chr(other.first + other.count - 1)
                resting.wait(lambda state, newest=newest: newest in state["text"], "text typed by another")
            shown = self.settle("all editors show the same text")
            state = resting.state()
            line = shown.replace("\r\n", "\n").split("\n")[state["row"]].encode()
            self.checks.equal(line[state["col"]:].decode(errors="replace")[:1], mark, "the cursor stays on its character", resting.name, state)

    def stale(self):
        """Stops one editor while the others make fifty changes; it has typed before it notices, and
        saves."""
        away = self.editors[0]
        away.stop()
        for _ in range(50):
            self.type(self.random.choice(self.editors[1:]))
        begun = away.start("insert", at=0, text="AWAY\n")
        away.go_on()
        away.finish(begun)
        saved = away.do("save")
        self.checks.check(saved["durable"], "the text is saved", saved)
        shown = self.settle("all editors show the same text after one was stopped")
        self.checks.equal(shown.count("AWAY"), 1, "the text of the stopped editor is there")
        for editor in self.editors:
            for character in editor.typed - self.taken:
                self.is_there(shown, character, "all text typed meanwhile is there", editor)

    def end(self):
        for editor in self.editors:
            editor.quit()
        self.daemon.stop()
        self.checks.equal(self.daemon.verify(), "", "the store on disk is intact")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--editors", default="neovim,neovim")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--steps", type=int, default=150)
    arguments = parser.parse_args()
    checks = Checks(f"together {arguments.editors}", arguments.seed)
    for text in TEXTS:
        with tempfile.TemporaryDirectory(prefix="notesd-together-") as folder:
            scene = Together(arguments, text, checks, folder)
            scene.run(arguments.steps)
            scene.cursors()
            scene.stale()
            scene.end()
    checks.finish()


main()
