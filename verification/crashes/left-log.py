#!/usr/bin/env python3
"""The next daemon makes the log of a killed daemon durable before it shows its content (G1, G3).

    NOTESD_BIN_DIR=.build/release verification/crashes/left-log.py

A daemon answers a write and is killed. The test traces the next one. Between its start and its
first response with that write, it must write the log again and sync it, because after a failed sync
the kernel may hold data that the disk does not have. It must write a copy and rename it over the
log, because a power cut may leave anything in the place of a write in progress; only if another
program has the log open may it overwrite the log. Needs strace; without it, the test fails.
"""

import os
import re
import shutil
import sqlite3
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))

from daemon import Client, Daemon  # noqa: E402

MARK = "left-in-the-log"


def faults(trace, in_place=False):
    """The fault in the calls up to the send of the mark, or None."""
    beside = "notes.sqlite3-wal" if in_place else "notes.sqlite3-wal.copy"
    done = []
    for line in trace:
        if MARK in line and re.search(r"\b(write|writev|sendto|sendmsg)\(", line):
            wanted = ["written", "synced"] if in_place else ["written", "synced", "renamed", "name synced"]
            return None if done == wanted else f"the log was only {done} before its content was sent"
        if "pwrite64(" in line and f"/{beside}>" in line:
            done = ["written"]
        elif "pwrite64(" in line and "/notes.sqlite3-wal>" in line:
            return "the log was overwritten in place"
        elif re.search(r"\bf(data)?sync\(", line) and line.rstrip().endswith("= 0"):
            if f"/{beside}>" in line and done == ["written"]:
                done.append("synced")
            elif "/data>" in line and done[-1:] == ["renamed"]:
                done.append("name synced")
        elif "rename(" in line and line.rstrip().endswith("= 0"):
            done.append("renamed")
    return "the mark was never sent"


def judge_is_judged():
    """Checks that the judge finds faults."""
    over = '7 pwrite64(4</d/data/notes.sqlite3-wal>, "..", 9, 0) = 9'
    over_synced = "7 fdatasync(4</d/data/notes.sqlite3-wal>) = 0"
    write = '7 pwrite64(4</d/data/notes.sqlite3-wal.copy>, "..", 9, 0) = 9'
    sync = "7 fdatasync(4</d/data/notes.sqlite3-wal.copy>) = 0"
    rename = '7 rename("/d/data/notes.sqlite3-wal.copy", "/d/data/notes.sqlite3-wal") = 0'
    named = "7 fsync(5</d/data>) = 0"
    shown = f'7 write(9<UNIX-STREAM:[1]>, "{MARK}", 9) = 9'
    assert faults([write, sync, rename, named, shown]) is None
    assert faults([over, over_synced, shown], in_place=True) is None
    for trace in ([shown], [write, shown], [sync, shown], [sync, write, shown], [write, shown, sync], [write, sync], [write, sync, shown],
                  [write, sync, rename, shown], [write, rename, sync, named, shown], [over, over_synced, shown],
                  [over, write, sync, rename, named, shown]):
        assert faults(trace) is not None, trace
    assert faults([over, shown], in_place=True) is not None


def left_behind(is_open_elsewhere):
    """The fault in the way a daemon takes over the log of a killed one, or None."""
    with tempfile.TemporaryDirectory() as place:
        trace = place + "/trace"
        first = Daemon(place, options=("--config", "/dev/null"))
        note = Client(first.socket).ask("note.create", text=MARK + "\n")["note"]["id"]
        other = sqlite3.connect(place + "/data/notes.sqlite3")
        if is_open_elsewhere:
            other.execute("SELECT count(*) FROM unflushed").fetchall()
        first.kill()
        calls = "trace=pwrite64,fsync,fdatasync,write,writev,sendto,sendmsg,rename"
        # With -D the daemon is the started process itself.
        tracer = (strace(), "-D", "-f", "-y", "-qq", "-s", "4096", "-e", calls, "-o", trace)
        second = Daemon(place, options=("--config", "/dev/null"), tracer=tracer)
        text = Client(second.socket).ask("note.get", id=note)["note"]["text"]
        second.stop()
        other.close()
        if text != MARK + "\n":
            return f"the note shows {text!r}"
        if os.path.exists(place + "/data/notes.sqlite3-wal.copy"):
            return "the copy of the log is left"
        with open(trace, encoding="utf-8", errors="replace") as file:
            return faults(file, in_place=is_open_elsewhere)


def strace():
    return shutil.which("strace") or sys.exit("left-log: strace is missing; scripts/dependencies test installs it")


def main():
    judge_is_judged()
    for is_open_elsewhere in (False, True):
        fault = left_behind(is_open_elsewhere)
        if fault:
            sys.exit(f"left-log: {'open elsewhere: ' if is_open_elsewhere else ''}{fault}")
    print("left-log: 2 passed, 0 failed")


main()
