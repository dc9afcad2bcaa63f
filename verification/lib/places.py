"""The paths of the programs, and the general timeout."""

import os
import tempfile

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", ".."))
# The timeout in seconds after which a test gives up. It passes only if something is wrong.
PATIENCE_S = float(os.environ.get("NOTESD_TEST_PATIENCE", "60"))

# Simulated disks are in memory if there is a file system in it: only their own syncs matter, not
# the machine's. Such a disk and its copies take two hundred megabytes, with room for others.
def _memory():
    if not os.access("/dev/shm", os.W_OK):
        return None
    room = os.statvfs("/dev/shm")
    return "/dev/shm" if room.f_bavail * room.f_frsize >= 1 << 30 else None


MEMORY = _memory()


def is_open_to_all(path):
    """Whether every user may access a path."""
    path = os.path.realpath(path)
    while path != "/":
        path = os.path.dirname(path)
        if not os.stat(path).st_mode & 0o001:
            return False
    return True


def open_folder(prefix):
    """A new folder that every user may read, with a path short enough for the names of sockets."""
    usual = tempfile.gettempdir()
    parent = usual if len(os.fsencode(usual)) < 16 and is_open_to_all(os.path.join(usual, "any")) else "/tmp"
    folder = tempfile.mkdtemp(prefix=prefix, dir=parent)
    os.chmod(folder, 0o755)
    return folder


def program(name):
    """The path of `notesd` or `notesctl`."""
    return os.path.join(os.environ.get("NOTESD_BIN_DIR", os.path.join(ROOT, ".build", "release")), name)
