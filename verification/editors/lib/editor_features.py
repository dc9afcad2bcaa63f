"""Tests of one editor plugin's features beside the text, with a real editor, a real daemon, and a
second client for the other users.

A subclass names its editor and the methods to run, in order; its file ends with
`EditorFeatures.main()`.
"""

import argparse
import tempfile
import time

from checks import Checks
from daemon import Client, Daemon
from editors import PATIENCE_S


class EditorFeatures:
    # A class of `editors`.
    kind = None
    # Names of methods.
    parts = ()

    def __init__(self, checks, folder):
        self.checks = checks
        self.folder = folder
        self.daemon = Daemon(folder)
        self.meet()
        self.begin()

    def meet(self):
        """Connects the second client; again after the daemon was killed."""
        self.other = Client(self.daemon.socket, label="other/test")

    def begin(self):
        """Starts the editor in the folder that an earlier editor left."""
        self.editor = self.kind(self.kind.__name__.lower(), self.folder, self.daemon.socket)

    def create(self, name, text):
        return self.other.ask("note.create", name=name, text=text)["note"]

    def shown(self, note):
        return self.other.ask("note.get", id=note["id"])["note"]

    def write_at_once(self, note, *texts):
        """Saves these texts as other users, each on the merged text."""
        base = self.shown(note)["version"]
        for text in texts:
            self.other.ask("note.save", id=note["id"], base=base, text=text)

    def undo_overwritten(self, note):
        """Writes a, b, c and then B1 and B2 in place of b as another user, and undoes B1. The note is
        then in conflict: one side is B2, and the other is what B1 had replaced."""
        version = self.shown(note)["version"]
        dots = []
        for line in ("b", "B1", "B2"):
            outcome = self.other.ask("note.save", id=note["id"], base=version, text=f"a\n{line}\nc\n")
            version = outcome["version"]
            dots.append(outcome.get("dot"))
        self.other.ask("note.undo", id=note["id"], base=version, revisions=[dots[1]])

    def expect_taken_and_undone(self, note, taken, other):
        """Checks that one side of a conflict is chosen, and that undo in the editor restores the
        other side."""
        self.wait_for(lambda: self.shown(note)["text"] == taken, "one side is taken", self.shown(note)["text"])
        self.wait_for(lambda: self.shown(note)["conflicts"] == [], "the conflict is resolved")
        self.editor.settled()
        self.editor.do("undo")
        self.editor.settled()
        self.checks.check(other in self.shown(note)["text"], "undo reverts the choice", self.shown(note)["text"])

    def wait_for(self, condition, law, *details):
        """`details` that are functions are called if the wait was in vain."""
        until = time.monotonic() + PATIENCE_S
        while not condition() and time.monotonic() < until:
            time.sleep(0.01)
        holds = condition()
        self.checks.check(holds, law, *(each() if callable(each) and not holds else each for each in details))

    def run(self):
        for part in self.parts:
            try:
                getattr(self, part)()
            except Exception as error:
                self.checks.check(False, f"{part}: {error!r}")
                raise
        self.editor.quit()
        self.daemon.stop()
        self.checks.equal(self.daemon.verify(), "", "the store on disk is intact")

    @classmethod
    def main(cls):
        parser = argparse.ArgumentParser()
        parser.add_argument("--seed", type=int, default=0)
        arguments = parser.parse_args()
        checks = Checks(f"{cls.kind.__name__.lower()} {cls.__name__.lower()}", arguments.seed)
        with tempfile.TemporaryDirectory(prefix="notesd-features-") as folder:
            cls(checks, folder).run()
        checks.finish()
