"""The calls that fail, and the errors that the kernel can return for each."""

import errno

from case import SERVING, STARTING, Case
from control import DONE_AND_FAILED, SHORT

E = errno
FILES = ["database", "wal", "shm", "index", "backup"]
# What the daemon does to these, it does only when it stops.
AT_STOP = {"zeros"}
# The kind, its subjects, faults that occur once, faults that last.
PLAN = [
    ("write", ["database", "wal"], [E.ENOSPC, E.EDQUOT, E.EROFS, E.EIO, E.EINTR, SHORT], [E.ENOSPC, E.EDQUOT, E.EROFS, E.EIO, SHORT]),
    ("write", ["index", "backup"], [E.ENOSPC, E.EIO, E.EINTR, SHORT], [E.ENOSPC, E.EROFS, E.EIO]),
    ("write", ["zeros"], [], [E.ENOSPC, E.EROFS, E.EIO, SHORT]),
    ("write", ["log"], [E.ENOSPC, E.EIO, E.EINTR, E.EPIPE, SHORT], [E.ENOSPC, E.EIO]),
    ("sync", ["database", "wal"], [E.EIO, E.ENOSPC, E.EINTR, DONE_AND_FAILED], [E.EIO]),
    ("sync", ["index", "backup", "folder"], [E.EIO, E.ENOSPC], [E.EIO]),
    ("sync", ["zeros"], [], [E.EIO]),
    ("open", ["zeros"], [], [E.EMFILE, E.EROFS]),
    ("open", ["database", "wal", "shm", "index", "backup", "folder", "settings", "other", "lockfile"],
     [E.EMFILE, E.ENFILE, E.EIO, E.EINTR, E.ENOMEM], [E.EMFILE, E.EROFS]),
    ("truncate", ["database", "wal", "index", "shm"], [E.EIO, E.EINTR, E.EROFS], [E.EIO]),
    ("allocate", ["shm"], [E.ENOSPC, E.EIO, E.EINTR], [E.ENOSPC]),
    ("read", FILES[:2] + ["index", "settings"], [E.EIO, E.EINTR, SHORT], [E.EIO, SHORT]),
    ("mmap", ["shm"], [E.ENOMEM], [E.ENOMEM]),
    ("send", ["peer"], [E.EPIPE, E.ENOBUFS, E.EINTR, E.EIO, SHORT], [SHORT]),
    ("receive", ["peer"], [E.ECONNRESET, E.ENOMEM, E.EINTR, E.EIO, SHORT], [SHORT]),
    ("accept", ["peer"], [E.EMFILE, E.ENFILE, E.ENOMEM, E.EINTR, E.ECONNABORTED, E.EPERM], []),
    ("epoll", ["peer"], [E.ENOMEM, E.ENOSPC], []),
    ("wait", ["nothing"], [E.EINTR], []),
    ("name", ["wal", "backup", "other"], [E.EIO, E.EROFS], [E.EIO]),
    ("name", ["zeros"], [], [E.EIO]),
    ("stat", ["database", "wal", "backup", "folder"], [E.EIO, E.ENOMEM], [E.EIO]),
    ("lock", ["shm"], [E.EIO, E.ENOLCK], [E.EIO, E.ENOLCK]),
    ("lock", ["database", "backup", "lockfile"], [E.EIO, E.ENOLCK], [E.EIO]),
    ("socket", ["peer"], [E.ENOMEM, E.ENOBUFS], []),
    ("thread", ["nothing"], [E.EAGAIN], []),
    ("malloc", ["nothing"], [E.ENOMEM], []),
]


def cases():
    """Every case; the same in every run."""
    found = []
    for kind, subjects, once, lasting in PLAN:
        for subject in subjects:
            for phase in (SERVING, STARTING):
                found += [Case(kind, subject, fault, False, phase) for fault in once]
                found += [Case(kind, subject, fault, True, phase, stopped) for fault in lasting for stopped in (False, True)
                          if stopped or subject not in AT_STOP]
    return found
