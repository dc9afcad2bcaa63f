"""Where the programs lie, and how long anything may take."""

import os

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
# How long anything may take before the test is given up. Nothing waits that long where all is well.
PATIENCE_S = float(os.environ.get("NOTESD_TEST_PATIENCE", "60"))

# Disks that are made up lie in memory, where there is a file system in it: theirs are the syncs that matter, not the machine's.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def program(name):
    """The path of `notesd` or `notesctl`."""
    return os.path.join(os.environ.get("NOTESD_BIN_DIR", os.path.join(ROOT, ".build", "release")), name)
