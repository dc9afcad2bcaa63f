"""Runs the tests: once without a change, to record the points that each executes, then, for each
mutant, the tests that execute it."""

import json
import os
import re
import resource
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from state import fingerprint

# Seconds of processor time that a batch may take in addition to a multiple of its time without a
# change. Processor time excludes other work on the machine.
PATIENCE = 2
SLOWNESS = 4
# Seconds of real time for tests that wait.
STANDSTILL = 60
MEMORY_MAX = 4 << 30
# Tests that take longer than these seconds do not run for mutants.
TEST_SECONDS_MAX = 60
# The first batch takes at most these seconds, each further one a multiple of that.
BATCH_SECONDS = 0.4
BATCH_GROWTH = 5
SEEDS_FACTORS = ("0.1", "1")
# A quick run: tests that take less than these seconds, with few seeds.
QUICK_SECONDS = 1.2
SURVIVES_QUICK = "survives a quick look"
# By target: the tests that run with few seeds and with all. The others that execute a mutant run
# with few, last.
NEAR = {
    "Causality": ("CausalityTests", "TextMergeTests"), "TextMerge": ("TextMergeTests",),
    "NoteText": ("NoteTextTests", "NotesModelTests"), "NotesModel": ("NotesModelTests",),
    "Dependents": ("DependentsTests",),
}
FAILURE = re.compile(rb"Test (\S+?)\(.* recorded an issue")


class Test:
    def __init__(self, name, seconds, points):
        self.name, self.seconds, self.points = name, seconds, points
        self.of = name.split(".")[0]


class Runner:
    def __init__(self, tree, is_quick):
        self.tree, self.is_quick = tree, is_quick
        self.tests = []

    # MARK: - Without a change

    def learn(self, processes):
        """Runs each test alone, without a change."""
        path = os.path.join(self.tree.work, "tests.json")
        listed = subprocess.run([self.tree.program, "--testing-library", "swift-testing", "--list-tests"], cwd=self.tree.path,
                                capture_output=True, text=True, check=True).stdout.split("\n")
        names = sorted({line.strip() for line in listed if "/" in line and "(" in line})
        if not names:
            raise SystemExit("mutate: no tests are listed")
        # The record of a test is valid while the code and its target are unchanged.
        prints = {of: fingerprint(self.tree, ("Sources", "Tests/TestKit", f"Tests/{of}")) for of in {name.split(".")[0] for name in names}}
        known = {}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                known = {(name, of): Test(name, seconds, frozenset(points)) for name, of, seconds, points in json.load(file)}
        begin = time.monotonic()
        with ThreadPoolExecutor(processes) as pool:
            self.tests = list(pool.map(lambda name: known.get((name, prints[name.split(".")[0]])) or self.look_at(name), names))
        if any(test.points is None for test in self.tests):
            raise SystemExit("mutate: the code without a change does not pass")
        with open(path, "w", encoding="utf-8") as file:
            json.dump([[test.name, prints[test.of], test.seconds, sorted(test.points)] for test in self.tests], file)
        for test in self.tests:
            if test.seconds[-1] > TEST_SECONDS_MAX:
                print(f"{test.name} takes {test.seconds[-1]:.0f} s and is skipped")
        self.tests = [test for test in self.tests if test.points and test.seconds[-1] <= TEST_SECONDS_MAX]
        print(f"{len(self.tests)} tests pass without a change and execute "
              f"{len(frozenset().union(*(test.points for test in self.tests)))} points, in "
              f"{sum(test.seconds[-1] for test in self.tests):.0f} s of processor time; {time.monotonic() - begin:.0f} s", flush=True)

    def look_at(self, name):
        """The time of a test with few seeds and with all, and the points that it executes.

        A test that reports that few seeds are not enough runs only with all.
        """
        seconds = []
        reached = os.path.join(self.tree.work, f"reached-{threading.get_ident()}")
        if os.path.exists(reached):
            os.remove(reached)
        for factor in SEEDS_FACTORS:
            outcome, took = self.run([name], factor, limit=None, more={"NOTESD_MUTANT_REACHED": reached})
            if outcome and factor != SEEDS_FACTORS[-1]:
                took = None
            elif outcome:
                print(f"mutate: without a change {name} does not pass: {outcome}", flush=True)
                return Test(name, [None, None], None)
            seconds.append(took)
        with open(reached, "rb") as file:
            points = frozenset(number for number, byte in enumerate(file.read()) if byte)
        return Test(name, seconds, points)

    # MARK: - With a change

    def attempt(self, mutant):
        """The verdict on a mutant: `caught by …`, `survives`, `not reached`."""
        tests = [test for test in self.tests if mutant.point in test.points]
        if not tests:
            return "not reached"
        own = [test for test in tests if test.of in NEAR[mutant.target]]
        others = [test for test in tests if test.of not in NEAR[mutant.target]]
        if self.is_quick:
            return self.caught(mutant, [test for test in own if test.seconds[1] < QUICK_SECONDS], 0) or SURVIVES_QUICK
        return self.caught(mutant, own, 0) or self.caught(mutant, own, 1) or self.caught(mutant, others, 0) or "survives"

    def caught(self, mutant, tests, index):
        """The test that catches it, with few seeds (0) or with all (1)."""
        for batch in batches([test for test in tests if test.seconds[index] is not None], index):
            limit = sum(test.seconds[index] for test in batch) * SLOWNESS + PATIENCE
            outcome, _ = self.run([test.name for test in batch], SEEDS_FACTORS[index], limit, {"NOTESD_MUTANT": str(mutant.number)})
            if outcome:
                return f"caught by {outcome}"
        return None

    def run(self, names, factor, limit, more):
        """Runs tests until one fails. Returns the failure, if any, and the seconds of processor
        time."""
        environment = dict(os.environ, NOTESD_SEEDS_FACTOR=factor, SWIFT_BACKTRACE="enable=no", **more)
        environment.pop("NOTESD_SEED", None)
        wanted = "^(" + "|".join(re.escape(name) for name in names) + ")"
        process = subprocess.Popen(
            [self.tree.program, "--testing-library", "swift-testing", "--no-parallel", "--filter", wanted], cwd=self.tree.path,
            env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
            preexec_fn=lambda: limits(limit))
        stands_still = threading.Timer((limit or 600) * 10 + STANDSTILL, kill, [process])
        stands_still.start()
        failure, said = None, b""
        for line in process.stdout:
            found = FAILURE.search(line)
            if found:
                failure = found.group(1).decode(errors="replace")
                kill(process)
                break
            said = line if b"atal error" in line or b"recondition failed" in line or not said else said
        _, status, usage = os.wait4(process.pid, 0)
        is_over = not stands_still.is_alive()
        stands_still.cancel()
        process.stdout.close()
        process.returncode = status
        took = usage.ru_utime + usage.ru_stime
        if failure:
            return failure, took
        code = os.waitstatus_to_exitcode(status)
        if code == 0:
            return None, took
        if code == -signal.SIGXCPU or is_over or limit and took >= limit:
            return "hanging", took
        if code < 0:
            return f"a trap ({signal.Signals(-code).name})", took
        return f"exit {code}: {said.decode(errors='replace').strip()[:200]}", took


def batches(tests, index):
    """The quick ones first."""
    batch, seconds, limit = [], 0, BATCH_SECONDS
    for test in sorted(tests, key=lambda test: (test.seconds[index], test.name)):
        if batch and seconds + test.seconds[index] > limit:
            yield batch
            batch, seconds, limit = [], 0, limit * BATCH_GROWTH
        batch.append(test)
        seconds += test.seconds[index]
    if batch:
        yield batch


def limits(seconds):
    """The processor time of the test process."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_MAX, MEMORY_MAX))
    if seconds is not None:
        whole = int(seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (whole, whole + 1))


def kill(process):
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        sys.stderr.write("")
