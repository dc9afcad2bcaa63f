"""verification/mutation/by-rule/explained.txt: which mutants no test can notice, or need notice, and why.

    Sources/TARGET/FILE.swift
        THE LINE OF CODE
            WHAT IS CHANGED → INTO WHAT
                THE REASON

`*` for the third stands for all that survive on that line; several changes may stand above one reason.
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
                    self.problems.append(f"no reason is given for {path}: {code}: {name}")
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
        """What is wrong with it, given what became of the mutants that were run.

        is_part: whether only some were run; of a line that none of was run nothing is known.
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
                yield f"there is no such mutant: {path}: {code}: {name}"
            elif len(known) == len(here) and all(verdict.startswith("caught") for verdict in known):
                yield f"it is caught: {path}: {code}: {name} ({known[0]})"
            elif not known and not is_part:
                yield f"nothing is known of it: {path}: {code}: {name}"
