#!/usr/bin/env python3
"""Replays a recorded session of two writers through two real editors, keystroke by keystroke.

usage: trace.py --editors neovim,emacs [--keystrokes N]

`Tests/EndToEndTests/Fixtures/CREDITS.md` describes the trace. Each editor types the keystrokes of
one writer as fast as the daemon acknowledges them, and both type at once. `lib/branches.py`
delivers a keystroke to the other editor exactly when its writer had seen it in the recording.

The test checks that each keystroke is one write on the version that its writer saw. In the end,
both editors and the daemon must have the recorded text, byte for byte, without a conflict, and the
store on disk must be intact. With `--keystrokes`, the test types only the first N keystrokes and
compares with the text of the daemon.
"""

import argparse
import gzip
import json
import os
import sys
import tempfile
import threading

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

from branches import Branch  # noqa: E402
from checks import Checks  # noqa: E402
from daemon import Client, Daemon  # noqa: E402
from editors import KINDS, PATIENCE_S, ROOT  # noqa: E402

TRACE = os.path.join(ROOT, "Tests", "EndToEndTests", "Fixtures", "trace-concurrent-friendsforever.json.gz")

# The text of the note before the first keystroke, and after everything typed: editors like a line
# end at the end.
LAST = "\n"


class Story:
    """The keystrokes typed so far and their dots; shared by the typists."""

    def __init__(self, keystrokes, first):
        self.keystrokes = keystrokes
        self.first = first
        self.dots = {}
        self.known = threading.Condition()
        self.problem = None

    def version(self, parents):
        """The version that these keystrokes made; waits until all of them are typed."""
        with self.known:
            self.known.wait_for(lambda: self.problem or all(parent in self.dots for parent in parents), timeout=PATIENCE_S)
            if self.problem or any(parent not in self.dots for parent in parents):
                raise RuntimeError("the other typist stopped")
            dots = sorted((self.dots[parent] for parent in parents), key=lambda dot: int(dot.split(":")[1]))
            return " ".join(dots) or self.first

    def typed(self, number, dot):
        with self.known:
            self.dots[number] = dot
            self.known.notify_all()

    def stop(self, problem):
        with self.known:
            self.problem = self.problem or problem
            self.known.notify_all()

    def heads(self):
        """The keystrokes that no other keystroke follows."""
        parents = {parent for keystroke in self.keystrokes for parent in keystroke["parents"]}
        return [number for number in range(len(self.keystrokes)) if number not in parents]


class Typist:
    """One of the two writers: the editor, its connection to the daemon, and the version that it
    shows."""

    def __init__(self, kind, agent, folder, daemon, note, story):
        self.agent = agent
        self.story = story
        self.client = Client(daemon.socket, label=f"reader {agent}")
        self.branch = Branch(os.path.join(folder, f"branch{agent}.sock"), daemon.socket, note)
        self.editor = KINDS[kind](f"{kind}{agent}", folder, self.branch.path)
        self.editor.open("story")
        self.editor.settled()
        self.shown = story.first
        self.bases = []

    def show(self, version):
        if version != self.shown:
            self.shown = self.branch.show(self.client, self.shown, version)
            self.editor.wait(lambda state: state["version"] == self.shown and state["settled"], f"the version {self.shown}")

    def type(self, number, keystroke):
        self.show(self.story.version(keystroke["parents"]))
        (at, dropped, text), = keystroke["patches"]
        if dropped:
            self.editor.do("drop", at=at)
        else:
            self.editor.do("insert", at=at, text=text)
        base, dot = self.branch.next_write()
        self.bases.append((number, base, self.shown))
        self.shown = dot
        self.story.typed(number, dot)

    def run(self):
        try:
            for number, keystroke in enumerate(self.story.keystrokes):
                if keystroke["agent"] == self.agent:
                    self.type(number, keystroke)
        except Exception as problem:  # The main thread reports it, so that the other typist does not wait.
            self.story.stop(f"{self.editor.name}: {type(problem).__name__}: {problem}; refused: {self.branch.refusals[-3:]}")


def type_it(arguments, checks, folder):
    with gzip.open(TRACE) as file:
        trace = json.load(file)
    keystrokes = trace["txns"][:arguments.keystrokes]
    daemon = Daemon(folder)
    client = Client(daemon.socket)
    note = client.ask("note.create", name="story", text=LAST)["note"]
    story = Story(keystrokes, note["version"])
    kinds = arguments.editors.split(",")
    typists = [Typist(kind, agent, folder, daemon, note["id"], story) for agent, kind in enumerate(kinds)]
    threads = [threading.Thread(target=typist.run) for typist in typists]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    checks.equal(story.problem, None, "the recording is typed to its end", f"{len(story.dots)} of {len(keystrokes)} keystrokes")
    if not story.problem:
        compare(checks, story, typists, client.ask("note.get", id=note["id"])["note"],
                trace["endContent"] if len(keystrokes) == len(trace["txns"]) else None)
    checks.check(client.ask("daemon.audit")["ok"], "the audit finds nothing wrong")
    client.close()
    for typist in typists:
        typist.editor.quit()
        typist.client.close()
    daemon.stop()
    checks.equal(daemon.verify(), "", "the store on disk is intact")


def compare(checks, story, typists, shown, end):
    for typist in typists:
        for number, base, expected in typist.bases:
            checks.equal(base, expected, "a keystroke is a write on the version that its writer saw", typist.editor.name, number)
        checks.check(typist.branch.writes.empty(), "a keystroke is one write", typist.editor.name)
        checks.equal(typist.branch.refusals, [], "no write is refused", typist.editor.name)
        typist.show(story.version(story.heads()))
        checks.equal(typist.editor.text(), shown["text"], "all editors show the same text", typist.editor.name)
    checks.equal(shown["conflicts"], [], "there is no conflict")
    if end is not None:
        checks.equal(shown["text"], end + LAST, "the text is the recorded one")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--editors", default="neovim,neovim")
    parser.add_argument("--keystrokes", type=int)
    # The test makes no random choice; `scripts/test-editors` passes every part a seed.
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    checks = Checks(f"trace {arguments.editors}", arguments.seed)
    with tempfile.TemporaryDirectory(prefix="notesd-trace-") as folder:
        type_it(arguments, checks, folder)
    checks.finish()


main()
