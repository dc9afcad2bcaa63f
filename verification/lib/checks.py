"""Counts checks, prints the first that fail, and prints the closing line that scripts/test-editors
adds up."""

import sys
import time

# The interval in seconds at which a long run reports its progress.
PROGRESS_S = 60
_said_at = time.monotonic()


def progress(done, of):
    """Reports progress now and then."""
    global _said_at
    if time.monotonic() - _said_at > PROGRESS_S:
        _said_at = time.monotonic()
        print(f"  {done} of {of}", flush=True)


class Checks:
    def __init__(self, name, seed):
        self.name = name
        self.seed = seed
        self.passed = 0
        self.failed = 0

    def check(self, holds, law, *details):
        if holds:
            self.passed += 1
            return True
        self.failed += 1
        if self.failed <= 10:
            shown = " | ".join(repr(detail)[:1500] for detail in details)
            print(f"FAILED {self.name}, seed {self.seed}: {law}: {shown}", flush=True)
        return False

    def equal(self, left, right, law, *details):
        return self.check(left == right, law, left, right, *details)

    def say(self, text):
        print(f"{self.name}: {text}", flush=True)

    def finish(self):
        """Prints the closing line and ends the program."""
        print(f"{self.name}: {self.passed} checks passed, {self.failed} failed (seed {self.seed})", flush=True)
        sys.exit(1 if self.failed or not self.passed else 0)
