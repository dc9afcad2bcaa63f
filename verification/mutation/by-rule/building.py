"""The copy of the tree with all changes in it, and its build."""

import fcntl
import json
import os
import re
import shutil
import subprocess

from planting import Planting

TARGETS = ("Causality", "TextMerge", "NotesModel", "Dependents")
# The targets of the tests, with the quick ones on top.
TESTS = ("CausalityTests", "TextMergeTests", "NotesModelTests", "DependentsTests", "NotesWireTests", "NotesStoreTests", "NotesEngineTests")
# The flags that a C file needs.
SWITCH = "Sources/MutantSwitch"
ERROR = re.compile(r"^(/[^:\n]+):(\d+):(\d+): error: (.*)$", re.MULTILINE)
DELETION = re.compile(r"left out|^never:|→ (without its (left|right) side|not turned round|not sorted|not reversed)$")
MANIFEST = """
var kept: Set<String> = [%(tests)s]
while true {
    let more = package.targets.filter { kept.contains($0.name) }.flatMap(\\.dependencies).compactMap { dependency -> String? in
        if case .byNameItem(let name, _) = dependency { return name }
        return nil
    }
    if kept.isSuperset(of: more) { break }
    kept.formUnion(more)
}
package.products = []
package.targets.removeAll { !kept.contains($0.name) }
package.targets.append(.target(name: "MutantSwitch"))
for target in package.targets where [%(targets)s].contains(target.name) { target.dependencies.append("MutantSwitch") }
// A change may leave something unused, and may make a call of something that is not there any more.
for target in package.targets where target.name != "MutantSwitch" { target.swiftSettings?.append(.treatAllWarnings(as: .warning)) }
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
        self.lock_file = open(os.path.join(self.work, "lock"), "w")
        try:
            fcntl.flock(self.lock_file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise SystemExit("scripts/mutate is already running here")

    def make(self):
        """Copies, plants and builds until everything planted builds. Returns the mutants."""
        self.copy()
        self.read_dropped()
        while True:
            points = self.plant()
            errors = self.build()
            if not errors:
                break
            if not self.drop(points, errors):
                raise SystemExit("mutate: the code without a change does not build:\n" + "\n".join(map(str, errors[:10])))
        return [Mutant(point, index) for point in points for index in range(len(point.changes))]

    # MARK: - Files

    def put(self, path, text):
        """Writes a file, if its content differs."""
        path = os.path.join(self.path, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if not os.path.exists(path) or read(path) != text:
            with open(path, "wb") as file:
                file.write(text)

    def copy(self):
        """Makes the tree equal to the project except for the planted changes, and touches only
        other files."""
        wanted = set()
        # Some tests read the documents.
        for folder in ("Sources", "Tests", "docs"):
            for here, _, files in os.walk(os.path.join(self.root, folder)):
                for file in files:
                    path = os.path.relpath(os.path.join(here, file), self.root)
                    if "__pycache__" in path:
                        continue
                    wanted.add(path)
                    if not self.is_planted(path):
                        self.put(path, read(os.path.join(self.root, path)))
        mutation = os.path.join(self.root, "verification", "mutation", "by-rule")
        for target in TARGETS:
            wanted.add(f"Sources/{target}/MutantAlternatives.swift")
            self.put(f"Sources/{target}/MutantAlternatives.swift", b"internal import MutantSwitch\n" + read(os.path.join(mutation, "Alternatives.swift")))
        for source, path in (("switch.c", "switch.c"), ("switch.h", "include/switch.h")):
            wanted.add(f"{SWITCH}/{path}")
            self.put(f"{SWITCH}/{path}", read(os.path.join(mutation, source)))
        for folder in ("Sources", "Tests"):
            for here, _, files in os.walk(os.path.join(self.path, folder)):
                for file in files:
                    path = os.path.join(here, file)
                    if os.path.relpath(path, self.path) not in wanted:
                        os.remove(path)
        quoted = {name: ", ".join(f'"{item}"' for item in items) for name, items in (("tests", TESTS), ("targets", TARGETS))}
        self.put("Package.swift", read(os.path.join(self.root, "Package.swift")) + (MANIFEST % quoted).encode())
        if os.path.exists(os.path.join(self.root, "Package.resolved")):
            self.put("Package.resolved", read(os.path.join(self.root, "Package.resolved")))
        # Copies fetched dependencies, so that they need not be fetched again.
        build = os.path.join(self.path, ".build")
        if not os.path.exists(build) and os.path.exists(os.path.join(self.root, ".build", "checkouts")):
            os.makedirs(build)
            for name in ("repositories", "checkouts"):
                shutil.copytree(os.path.join(self.root, ".build", name), os.path.join(build, name), symlinks=True)
            shutil.copy(os.path.join(self.root, ".build", "workspace-state.json"), build)

    @staticmethod
    def is_planted(path):
        parts = path.split(os.sep)
        return parts[0] == "Sources" and parts[1] in TARGETS and path.endswith(".swift")

    def plant(self):
        """Writes the changed files. Returns their points."""
        points, number = [], 0
        for target in TARGETS:
            folder = os.path.join(self.root, "Sources", target)
            files = (os.path.join(place, name) for place, _, names in os.walk(folder) for name in names if name.endswith(".swift"))
            for path in sorted(os.path.relpath(file, self.root) for file in files):
                planting = Planting(path, read(os.path.join(self.root, path)).decode(), number, self.dropped)
                self.put(path, planting.text.encode())
                points += planting.points
                number = planting.number
        return points

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
            text = read(os.path.join(self.path, path)).decode().split("\n")[line - 1]
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


def read(path):
    with open(path, "rb") as file:
        return file.read()
