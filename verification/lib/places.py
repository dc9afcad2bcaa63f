"""Where the programs lie, and how long anything may take."""

import os
import tempfile

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
# How long anything may take before the test is given up. Nothing waits that long where all is well.
PATIENCE_S = float(os.environ.get("NOTESD_TEST_PATIENCE", "60"))

# Disks that are made up lie in memory, where there is a file system in it: theirs are the syncs that matter, not the machine's.
# Two hundred megabytes are what such a disk and its copies take, and room for others beside.
def _memory():
    if not os.access("/dev/shm", os.W_OK):
        return None
    room = os.statvfs("/dev/shm")
    return "/dev/shm" if room.f_bavail * room.f_frsize >= 1 << 30 else None


MEMORY = _memory()


def is_open_to_all(path):
    """Whether every user may go to where a path leads."""
    path = os.path.realpath(path)
    while path != "/":
        path = os.path.dirname(path)
        if not os.stat(path).st_mode & 0o001:
            return False
    return True


def open_folder(prefix):
    """A new folder that every user may look into, with room in its path for the names of sockets."""
    usual = tempfile.gettempdir()
    parent = usual if len(os.fsencode(usual)) < 16 and is_open_to_all(os.path.join(usual, "any")) else "/tmp"
    folder = tempfile.mkdtemp(prefix=prefix, dir=parent)
    os.chmod(folder, 0o755)
    return folder


def program(name):
    """The path of `notesd` or `notesctl`."""
    return os.path.join(os.environ.get("NOTESD_BIN_DIR", os.path.join(ROOT, ".build", "release")), name)
