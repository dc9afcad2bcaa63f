"""What is known of the mutants, kept on disk as it is found out."""

import hashlib
import json
import os


class State:
    """`verdicts` by mutant's key; `tests`: of each test how long it takes and which points it comes to."""

    def __init__(self, tree, fresh, again):
        self.folder = tree.work
        self.verdicts, self.tests = {}, {}
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
            if not is_same and not again:
                return
            for line in file:
                if not line.endswith("\n"):
                    break
                key, verdict = json.loads(line)
                if is_same or verdict.startswith("caught"):
                    self.verdicts[key] = verdict

    def note(self, mutant, verdict):
        self.verdicts[mutant.key] = verdict
        self.file.write(json.dumps([mutant.key, verdict]) + "\n")


def fingerprint(tree):
    """Of what is built: the code, the tests and what they are fed."""
    digest = hashlib.sha256()
    for folder in ("Sources", "Tests"):
        for here, folders, files in os.walk(os.path.join(tree.path, folder)):
            folders.sort()
            for file in sorted(files):
                path = os.path.join(here, file)
                if "/Mutation/" in path:
                    continue
                digest.update(os.path.relpath(path, tree.path).encode() + b"\0")
                with open(path, "rb") as content:
                    digest.update(content.read())
    return digest.hexdigest()
