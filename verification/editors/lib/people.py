"""People who type words at the ends of lines of a note, key by key, each in lines of their own."""

import random
import time

from editors import KINDS
from operations import emacs_keys


class Person:
    """Types words at the ends of the lines `tasks`."""

    KEYS = {
        # To the end of a line; a typed text, key by key; the end of the typing.
        "neovim": (lambda label: f"gg/{label}<CR>A", lambda text: list(text), "<Esc>"),
        "vscode": (lambda label: f"end of {label}", list, ""),
        "emacs": (lambda label: f"M-< C-s {emacs_keys(label)} RET C-e", lambda text: [emacs_keys(key) for key in text], "C-g"),
    }

    def __init__(self, kind, name, folder, daemon, tasks, seed):
        self.random = random.Random(f"{seed} {name}")
        self.editor = KINDS[kind](name, folder, daemon.socket)
        self.go, self.keys, self.rest = self.KEYS[kind]
        self.name = name
        self.tasks = tasks
        self.words = []

    def write(self, until):
        while time.monotonic() < until:
            task = self.random.choice(self.tasks)
            self.editor.do("keys", keys=self.go(f"task {task}:"))
            for _ in range(self.random.randint(1, 4)):
                word = f"{self.name}{len(self.words)}w"
                self.words.append((task, word))
                for key in self.keys(" " + word):
                    self.editor.do("keys", keys=key)
                    time.sleep(self.random.choice((0.02, 0.05, 0.1, 0.2)))
            if self.rest == "<Esc>":
                self.editor.do("keys", keys=self.rest)


def misplaced(text, people):
    """The words that are not in their line once, each with its task and the lines that have it."""
    lines = text.splitlines()
    wrong = []
    for person in people:
        for task, word in person.words:
            places = [line for line in lines for found in line.split() if found == word]
            if len(places) != 1 or f"task {task}:" not in places[0]:
                wrong.append((word, task, places))
    return wrong


def unknown(text, people):
    """The words that nobody typed."""
    typed = {word for person in people for _, word in person.words}
    return [word for line in text.splitlines() for word in line.split() if word.endswith("w") and word not in typed]
