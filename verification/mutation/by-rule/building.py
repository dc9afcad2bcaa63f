"""The copy of the tree with all changes in it, and its build."""

import json
import os
import re
import subprocess
from pathlib import Path

import copies
from planting import Planting

TARGETS = ("Causality", "TextMerge", "NoteText", "NotesModel", "Dependents")
# The targets of the tests, with the quick ones on top.
TESTS = (
    "CausalityTests", "TextMergeTests", "NoteTextTests", "NotesModelTests", "DependentsTests", "NotesWireTests", "NotesStoreTests",
    "NotesEngineTests",
)
# The flags that a C file needs.
SWITCH = "Sources/MutantSwitch"
ERROR = re.compile(r"^(/[^:\n]+):(\d+):(\d+): error: (.*)$", re.MULTILINE)
DELETION = re.compile(r"left out|^never:|→ (without its (left|right) side|not turned round|not sorted|not reversed)$")
MANIFEST = """
package.targets.append(.target(name: "MutantSwitch"))
for target in package.targets where [%s].contains(target.name) {
    target.dependencies.append("MutantSwitch")
}
"""


class Mutant:
    """One change of one point."""

    def __init__(self, point, index):
        self.path, self.line, self.code, self.what, self.occurrence = point.path, point.line, point.code, point.what, point.occurrence
        self.point, self.number, self.change = point.number, point.number + index, point.changes[index]

    @property
    def target(self):
        return self.path.split("/")[1]

    @property
    def name(self):
        """Its name in explained.txt, below its line."""
        text = f"{self.what} → {self.change}" if self.change else self.what
        return text if self.occurrence == 1 else f"{text} (no. {self.occurrence})"

    @property
    def is_deletion(self):
        """Whether it only removes code."""
        return bool(DELETION.search(self.what if not self.change else f"{self.what} → {self.change}"))

    @property
    def key(self):
        return f"{self.path}|{self.code}|{self.name}"

    def __str__(self):
        return f"{self.path}:{self.line}: {self.name}"


class Tree:
    def __init__(self, root):
        self.root = root
        self.work = os.path.join(root, ".build", "mutate")
        self.path = os.path.join(self.work, "tree")
        self.program = os.path.join(self.path, ".build", "release", "notesdPackageTests.xctest")
        os.makedirs(self.path, exist_ok=True)
        self.dropped = set()

    def lock(self):
        self.lock_file = copies.lock(Path(self.work))

    def make(self):
        """Copies, plants and builds until everything planted builds. Returns the mutants."""
        # Some tests read the documents.
        originals = copies.files_in(
            Path(self.root), "Sources", "Tests", "docs", "Package.swift", "Package.resolved")
        self.read_dropped()
        while True:
            points, planted = self.plant(originals)
            copies.make_tree(Path(self.path), originals | planted | self.additions(originals))
            errors = self.build()
            if not errors:
                break
            if not self.drop(points, errors):
                raise SystemExit("mutate: the code without a change does not build:\n" + "\n".join(map(str, errors[:10])))
        return [Mutant(point, index) for point in points for index in range(len(point.changes))]

    # MARK: - Files

    def additions(self, originals):
        """The manifest, and the source files that the planted code uses."""
        here = Path(__file__).parent
        alternatives = (here / "Alternatives.swift").read_bytes()
        alternatives = b"internal import MutantSwitch\n" + alternatives
        files = {f"Sources/{target}/MutantAlternatives.swift": alternatives for target in TARGETS}
        files[f"{SWITCH}/switch.c"] = (here / "switch.c").read_bytes()
        files[f"{SWITCH}/include/switch.h"] = (here / "switch.h").read_bytes()
        manifest = (copies.KEPT_TARGETS % copies.quoted(TESTS) + copies.WARNINGS_ALLOWED
                    + MANIFEST % copies.quoted(TARGETS))
        return files | {"Package.swift": originals["Package.swift"] + manifest.encode()}

    @staticmethod
    def is_planted(path):
        parts = path.split(os.sep)
        return parts[0] == "Sources" and parts[1] in TARGETS and path.endswith(".swift")

    def plant(self, originals):
        """The points, and the files that have them."""
        points, number, files = [], 0, {}
        for target in TARGETS:
            for path in sorted(originals):
                if self.is_planted(path) and path.startswith(f"Sources/{target}/"):
                    planting = Planting(path, originals[path].decode(), number, self.dropped)
                    files[path] = planting.text.encode()
                    points += planting.points
                    number = planting.number
        return points, files

    # MARK: - Building

    def build(self):
        """Builds. Returns the errors: path, line, column, message."""
        swift = os.environ.get("SWIFT", "swift")
        run = subprocess.run(
            [swift, "build", "--package-path", self.path, "--build-tests", "-c", "release", "-Xswiftc", "-enable-testing", "-j",
             os.environ.get("JOBS", str(os.cpu_count()))],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        with open(os.path.join(self.work, "build.log"), "w", encoding="utf-8") as log:
            log.write(run.stdout)
        if run.returncode == 0:
            return []
        errors = {(os.path.relpath(path, self.path), int(line), int(column), what)
                  for path, line, column, what in ERROR.findall(run.stdout)}
        if not errors:
            raise SystemExit("mutate: the build failed:\n" + "\n".join(run.stdout.split("\n")[-20:]))
        print(f"{len(errors)} errors:", flush=True)
        for path, line, column, what in sorted(errors):
            print(f"  {path}:{line}:{column}: {what}"[:200], flush=True)
        return sorted(errors)

    def drop(self, points, errors):
        """Drops the changes that the errors refer to. Returns whether there were any."""
        before = len(self.dropped)
        for path, line, column, what in errors:
            if not self.is_planted(path):
                continue
            of_line = {point.number: point for point in points if point.path == path and point.line == line}
            # An error further down in a long statement refers to a change that begins above.
            text = Path(self.path, path).read_text(encoding="utf-8").split("\n")[line - 1]
            number = innermost(text, column)
            if "reasonable time" in what:
                # The expression is too complex for the compiler: drop its smallest changes.
                small = [point for point in of_line.values() if " " not in point.what]
                blamed = small or list(of_line.values())
            elif number is None:
                blamed = list(of_line.values())
            else:
                blamed = [point for point in points if point.number == number]
            if not blamed:
                above = [point for point in points if point.path == path and point.line <= line]
                blamed = [point for point in above if point.line == max(point.line for point in above)] if above else []
            self.dropped.update(point.key for point in blamed)
        with open(os.path.join(self.work, "dropped.json"), "w", encoding="utf-8") as file:
            json.dump(sorted(self.dropped), file)
        return len(self.dropped) > before

    def read_dropped(self):
        path = os.path.join(self.work, "dropped.json")
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                self.dropped = {tuple(key) for key in json.load(file)}


def innermost(text, column):
    """The number of the innermost switch that contains an error at this line and column."""
    found = None
    for match in re.finditer(r"mutant[A-Za-z]*\((\d+)", text):
        depth, end = 0, match.start()
        for end in range(match.end() - len(match.group(1)) - 1, len(text)):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            if depth == 0:
                break
        # Deleted code is in braces after its switch.
        braces = re.match(r"\) \{ ", text[end:])
        if braces and text[:match.start()].endswith("if !"):
            depth = 0
            for end in range(end + 2, len(text)):
                depth += {"{": 1, "}": -1}.get(text[end], 0)
                if depth == 0:
                    break
        if match.start() - 4 <= column - 1 <= end:
            found = int(match.group(1))
    return found
