"""The file that `failing.c` and the tests share: which calls of the daemon fail, the values of its
clocks, and the calls that it made.

The layout is that of `struct control` there.
"""

import errno
import mmap
import os
import struct

KINDS = ["write", "sync", "open", "truncate", "allocate", "read", "accept", "send", "receive", "epoll", "mmap", "malloc", "name", "stat",
         "lock", "wait", "socket", "thread"]
SUBJECTS = ["database", "wal", "shm", "index", "backup", "log", "peer", "folder", "settings", "lockfile", "other", "nothing",
            "zeros"]
# Values of a rule in place of an errno.
SHORT, LIE, DONE_AND_FAILED, ONLY_COUNTED, SLOW, KILLED = -2, -3, -4, -5, -6, -7
NAMES = {SHORT: "short", LIE: "lie", DONE_AND_FAILED: "done, and EIO", ONLY_COUNTED: "only counted", SLOW: "slow",
         KILLED: "killed before it"}

MAGIC = 0x6E6F7465
RULES, KINDS_MAX, SUBJECTS_MAX = 8, 24, 16
RULES_AT, RULE_BYTES = 48, 128
PLACE_AT, PLACE_BYTES = 56, 72
CALLS_AT = RULES_AT + RULES * RULE_BYTES
BYTES = CALLS_AT + KINDS_MAX * SUBJECTS_MAX * 8


def fault_name(fault):
    return NAMES.get(fault) or errno.errorcode[fault]


def bits(names, of):
    return sum(1 << of.index(name) for name in names)


class Control:
    """One file, for one run of a daemon."""

    def __init__(self, path):
        self.path = path
        with open(path, "wb") as file:
            file.write(struct.pack("<q", MAGIC).ljust(BYTES, b"\0"))
        with open(path, "r+b") as file:
            self.memory = mmap.mmap(file.fileno(), BYTES)

    def put(self, at, value):
        struct.pack_into("<q", self.memory, at, value)

    def take(self, at):
        return struct.unpack_from("<q", self.memory, at)[0]

    def rule(self, number, kinds, subjects, first, count, fault):
        """Makes calls of these kinds on these subjects fail, starting with number `first`; `count`
        of them, or all if it is 0."""
        at = RULES_AT + number * RULE_BYTES
        struct.pack_into("<7q", self.memory, at, bits(kinds, KINDS), bits(subjects, SUBJECTS), first, count, fault, 0, 0)
        self.memory[at + PLACE_AT:at + RULE_BYTES] = bytes(PLACE_BYTES)

    def seen(self, number=0):
        return self.take(RULES_AT + number * RULE_BYTES + 40)

    def failed(self, number=0):
        return self.take(RULES_AT + number * RULE_BYTES + 48)

    def place(self, number=0):
        """The path of the first failed call."""
        at = RULES_AT + number * RULE_BYTES + PLACE_AT
        return self.memory[at:at + PLACE_BYTES].rstrip(b"\0").decode(errors="replace")

    def arm(self, armed=True):
        self.put(8, int(armed))

    def calls(self, kind, subject):
        return self.take(CALLS_AT + (KINDS.index(kind) * SUBJECTS_MAX + SUBJECTS.index(subject)) * 8)

    def all_calls(self):
        """The number of calls of all kinds but memory."""
        return sum(self.calls(kind, subject) for kind in KINDS if kind != "malloc" for subject in SUBJECTS)

    def clock_shifted(self, seconds):
        self.put(24, seconds)
        self.put(32, 0)
        self.put(16, 1)

    def clock_stopped(self, seconds, nanoseconds=0):
        self.put(24, seconds)
        self.put(32, nanoseconds)
        self.put(16, 2)

    def clock_reads(self):
        return self.take(40)

    def close(self):
        self.memory.close()


def preloaded(control, library):
    """The environment that a daemon needs."""
    # Without this, Swift describes a crash, which takes half a minute.
    return {"NOTESD_FAULTS": control.path, "LD_PRELOAD": os.path.realpath(library), "SWIFT_BACKTRACE": "enable=no"}
