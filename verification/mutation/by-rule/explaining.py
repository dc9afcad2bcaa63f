"""Reads verification/mutation/by-rule/explained.txt: the mutants that no test can notice, or need
notice, with the reasons.

    Sources/TARGET/FILE.swift
        THE LINE OF CODE
            THE CHANGED PART → ITS REPLACEMENT
                THE REASON

`*` in place of the change means all surviving changes of that line; several changes may share one
reason.
"""

import os


class Explained:
    def __init__(self, root):
        self.reasons = {}
        self.problems = []
        path = os.path.join(root, "verification", "mutation", "by-rule", "explained.txt")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                self.read(file.read())

    def read(self, text):
        path = code = None
        names, reason = [], []

        def finish():
            for name in names:
                self.reasons[path, code, name] = " ".join(reason)
                if not reason:
                    self.problems.append(f"no reason for {path}: {code}: {name}")
            names.clear()
            reason.clear()

        for line in text.split("\n"):
            depth = (len(line) - len(line.lstrip(" "))) // 4
            if not line.strip() or line.startswith("#"):
                continue
            if depth < 2 or depth == 2 and reason:
                finish()
            if depth == 0:
                path, code = line.strip(), None
            elif depth == 1:
                code = line.strip()
            elif depth == 2:
                names.append(line.strip())
            else:
                reason.append(line.strip())
        finish()

    def covers(self, mutant):
        return any((mutant.path, mutant.code, name) in self.reasons for name in (mutant.name, "*"))

    def faults(self, mutants, verdicts, is_part):
        """The problems of the file, given the verdicts of the mutants that ran.

        is_part: whether only some ran; a line without a verdict is then no problem.
        """
        yield from self.problems
        named, of_line = {}, {}
        for mutant in mutants:
            named[mutant.path, mutant.code, mutant.name] = mutant
            of_line.setdefault((mutant.path, mutant.code), []).append(mutant)
        for path, code, name in self.reasons:
            here = of_line.get((path, code), []) if name == "*" else [named[path, code, name]] if (path, code, name) in named else []
            known = [verdicts[mutant.key] for mutant in here if mutant.key in verdicts]
            if not here:
                yield f"no such mutant: {path}: {code}: {name}"
            elif len(known) == len(here) and all(verdict.startswith("caught") for verdict in known):
                yield f"caught: {path}: {code}: {name} ({known[0]})"
            elif not known and not is_part:
                yield f"no verdict: {path}: {code}: {name}"
