"""The verdicts on the mutants, kept on disk as they are found."""

import hashlib
import json
import os


class State:
    """`verdicts` by mutant's key; `survived`: the keys of the mutants that survived their last run,
    whatever has changed since."""

    def __init__(self, tree, fresh, again):
        self.folder = tree.work
        self.verdicts, self.survived = {}, set()
        self.fingerprint = fingerprint(tree)
        path = os.path.join(self.folder, "verdicts")
        if os.path.exists(path) and not fresh:
            self.read(path, again)
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.fingerprint + "\n")
            for key, verdict in self.verdicts.items():
                file.write(json.dumps([key, verdict]) + "\n")
        self.file = open(path, "a", encoding="utf-8", buffering=1)

    def read(self, path, again):
        with open(path, encoding="utf-8") as file:
            is_same = file.readline().strip() == self.fingerprint
            for line in file:
                if not line.endswith("\n"):
                    break
                key, verdict = json.loads(line)
                if verdict.startswith("survives"):
                    self.survived.add(key)
                else:
                    self.survived.discard(key)
                if is_same or again and verdict.startswith("caught"):
                    self.verdicts[key] = verdict

    def knows(self, mutant, is_quick):
        """Whether it can be skipped; a mutant that survives a quick run must run again."""
        verdict = self.verdicts.get(mutant.key)
        return verdict is not None and (is_quick or verdict != "survives a quick look")

    def note(self, mutant, verdict):
        self.verdicts[mutant.key] = verdict
        self.file.write(json.dumps([mutant.key, verdict]) + "\n")


def fingerprint(tree, folders=("Sources", "Tests")):
    """A digest of the inputs of a build: the code, the tests and their data."""
    digest = hashlib.sha256()
    for folder in folders:
        for here, inner, files in os.walk(os.path.join(tree.path, folder)):
            inner.sort()
            for file in sorted(files):
                path = os.path.join(here, file)
                if "/Mutation/" in path:
                    continue
                digest.update(os.path.relpath(path, tree.path).encode() + b"\0")
                with open(path, "rb") as content:
                    digest.update(content.read())
    return digest.hexdigest()
