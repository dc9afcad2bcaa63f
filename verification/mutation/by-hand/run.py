#!/usr/bin/env python3
"""Plants the faults of verification/mutation/by-hand in the code, one at a time, and checks that
the tests catch each.

    scripts/mutation by-hand [-v] [--check] [REGEX...]

Runs the mutants whose names match a REGEX, by default all, on copies of the tree in .build/mutants
that contain only the part of the package that the tests need. The copy without a fault must pass
first. A mutant is caught if a test fails. A mutant that survives or does not build is a failure,
and so is one that hangs, unless the table says `must hang`.

-v       print the failures of the tests
--check  only check, without a build, that the tables are valid and fit the code

verification/mutation/tables.py describes the tables. Here an entry begins with `mutant`, needs a
line `by TESTS...`, and may have the lines `must hang` and `many seeds`, for a fault that few seeds find. TESTS are filters for `swift test`: TARGET,
TARGET.SUITE or TARGET.SUITE/TEST.
"""

import os
import re
import signal
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, f"{ROOT}/verification/mutation")

import copies  # noqa: E402
import tables  # noqa: E402

WORK = ROOT / ".build/mutants"
LOG = WORK / "log"
SECONDS_MAX = 1800
# A package with only these tests needs few targets and builds fastest.
SMALL = {"CausalityTests", "TextMergeTests"}
SMALL_MANIFEST = """
for target in package.targets where target.name == "TestKit" {
    target.dependencies = ["Causality", "TextMerge"]
    target.exclude += [%s]
}
"""
# Most mutants need few seeds.
SEEDS_FACTORS = ("0.1", "1")
MANY_SEEDS_FACTOR = "33"
# The backtrace of a trap shows which test it was in.
BACKTRACE = "enable=yes,interactive=no,color=no,threads=crashed,registers=none,images=none"


def tests_of(mutants):
    return {test for mutant in mutants for test in mutant.words["by"].split()}


def targets_of(mutants):
    return {test.split(".")[0] for test in tests_of(mutants)}


def groups(mutants):
    """The mutants in three groups. The tests of each need more targets than those of the last."""
    for targets in (SMALL, SMALL | {"NoteTextTests", "NotesModelTests"}):
        yield [mutant for mutant in mutants if targets_of([mutant]) <= targets]
        mutants = [mutant for mutant in mutants if not targets_of([mutant]) <= targets]
    yield mutants


def manifest(files, targets):
    """The manifest of a package with these test targets and their dependencies."""
    text = files["Package.swift"].decode()
    if targets <= SMALL:
        text += SMALL_MANIFEST % copies.quoted(
            Path(path).name for path, content in files.items()
            if path.startswith("Tests/TestKit/")
            and any(b"import " + module in content for module in (b"NoteText", b"NotesModel", b"StrictJSON")))
    text += copies.KEPT_TARGETS % copies.quoted(targets) + copies.WARNINGS_ALLOWED
    return text.encode()


def run_tests(tree, tests, seconds, factors=SEEDS_FACTORS):
    """Runs the tests whose names begin with one of these. Returns passed, failed or hung."""
    names = "|".join(sorted(tests)).replace(".", r"\.")
    command = [tree / ".build/debug/notesdPackageTests.xctest", "--testing-library",
               "swift-testing", "--filter", f"^({names})"]
    environment = {**os.environ, "LC_ALL": "C", "SWIFT_BACKTRACE": BACKTRACE}
    environment.pop("NOTESD_SEED", None)
    for factor in factors:
        environment["NOTESD_SEEDS_FACTOR"] = factor
        code = copies.run(command, LOG, seconds, env=environment)
        # The kernel kills a test that takes all memory.
        if code in (None, -9):
            return "hung"
        if code != 0:
            return "failed"
    return "passed"


def log_text():
    return LOG.read_text(errors="replace")


def first_failure():
    log = log_text()
    issue = re.search(r"^.{1,5}Test ([^ (]+)\S* recorded an issue", log, re.MULTILINE)
    if issue:
        return issue[1]
    # A trap ends the process. The backtrace names the test if the trap is on its thread.
    trap = (re.search(r"(?s) crashed:\n.*?[A-Z][A-Za-z]+\.([a-z][A-Za-z0-9]*_[A-Za-z0-9_]+)\(", log)
            or re.search(r"((?:Precondition failed|Fatal error): .*)", log))
    return f"{trap[1]}, by a trap" if trap else "a trap"


def build_and_test(tree, mutant, seconds):
    """Builds and tests a tree with a mutant. Returns the verdict."""
    if not copies.build(tree, LOG, "--build-tests", seconds=SECONDS_MAX):
        return "DOES NOT BUILD"
    if "many" in mutant.words:
        seconds *= int(MANY_SEEDS_FACTOR)
        outcome = run_tests(tree, tests_of([mutant]), seconds, (*SEEDS_FACTORS, MANY_SEEDS_FACTOR))
    else:
        outcome = run_tests(tree, tests_of([mutant]), seconds)
    if outcome == "passed":
        return "SURVIVED"
    if outcome == "hung":
        return "caught by hanging" if "must" in mutant.words else "HUNG"
    return f"caught by {first_failure()}"


def attempt(tree, files, mutant, seconds, is_verbose):
    """Plants and tests a mutant, and prints the verdict. Returns whether it is caught."""
    start = time.monotonic()
    planted = tables.plant(files, mutant)
    copies.write(tree, planted)
    verdict = build_and_test(tree, mutant, seconds)
    print(f"{mutant.name:34} {verdict} ({time.monotonic() - start:.0f} s)", flush=True)
    if is_verbose:
        for line in re.findall(".*(?:error:|recorded an issue|Fatal error).*", log_text())[:20]:
            print(line, flush=True)
    copies.write(tree, {path: files[path] for path in planted})
    return verdict.startswith("caught")


def test_without_fault(tree, tests):
    """Builds and tests a tree without a fault. Returns the seconds that the tests take."""
    if not copies.build(tree, LOG, "--build-tests", seconds=SECONDS_MAX):
        copies.fail(f"the copy without a fault does not build:\n{copies.last_lines(LOG, 20)}")
    start = time.monotonic()
    if run_tests(tree, tests, SECONDS_MAX) != "passed":
        copies.fail(f"the copy without a fault fails its tests:\n{copies.last_lines(LOG, 20)}")
    for line in re.findall(r"Test run with \d+ tests?.* passed", log_text()):
        print(f"Without a fault: {line}", flush=True)
    return time.monotonic() - start


def attempt_all(mutants, files, is_verbose):
    """Tests mutants on one tree. Returns how many are caught."""
    targets = targets_of(mutants)
    tree = WORK / ("text" if targets <= SMALL else "whole")
    unchanged = files | {"Package.swift": manifest(files, targets)}
    copies.make_tree(tree, unchanged)
    seconds = 2 * test_without_fault(tree, tests_of(mutants)) + 60
    return sum(attempt(tree, files, mutant, seconds, is_verbose) for mutant in mutants)


def main():
    options = tables.arguments(__doc__)
    os.chdir(ROOT)
    # If the script is terminated, it ends the programs that it started.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    start = time.monotonic()
    mutants = tables.read_tables(
        "verification/mutation/by-hand", "mutant", needed=("by", "for"), optional=("must hang", "many seeds"))
    mutants = tables.matching(mutants, options.names)
    files = copies.files_in(ROOT, "Sources", "Tests", "Package.swift", "Package.resolved")
    for mutant in mutants:
        tables.plant(files, mutant)
    if options.check:
        print(f"mutants: {len(mutants)} mutants fit the code")
        return 0
    with copies.lock(WORK):
        caught = sum(attempt_all(group, files, options.is_verbose)
                     for group in groups(mutants) if group)
    failures, minutes = len(mutants) - caught, (time.monotonic() - start) // 60
    print(f"{caught} mutants caught, {failures} not, in {minutes:.0f} min")
    return 1 if failures else 0


sys.exit(main())
