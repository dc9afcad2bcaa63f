#!/usr/bin/env python3
"""What a killed daemon left in its log is on the disk before the next one shows it (G1, G3).

    NOTESD_BIN_DIR=.build/release Tests/faults/left-log.py

A daemon answers a write and is killed. The next is traced: between its start and its first answer that shows the write it has to write the
log again and sync it, since after a failed sync the kernel may hold what the disk has not. Needs strace; without it, it fails.
"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

MARK = "left-in-the-log"


def connect(path, process):
    """A connection to a daemon that is starting; fails where the daemon has ended."""
    deadline = time.monotonic() + 120
    while True:
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(path)
            return connection.makefile("rwb")
        except OSError as error:
            connection.close()
            if process.poll() is not None:
                sys.exit(f"left-log: the daemon ended with {process.returncode}")
            if time.monotonic() > deadline:
                sys.exit(f"left-log: the daemon does not listen: {error}")
            time.sleep(0.05)


def call(lines, method, params):
    lines.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode() + b"\n")
    lines.flush()
    answer = json.loads(lines.readline())
    if "result" not in answer:
        sys.exit(f"left-log: {method} was refused: {answer}")
    return answer["result"]


def hello(lines):
    call(lines, "session.hello", {"protocol": [1], "client": {"name": "left-log"}})


def faults(trace):
    """What is wrong with the calls until the mark was sent."""
    written = synced = False
    for line in trace:
        if MARK in line and re.search(r"\b(write|writev|sendto|sendmsg)\(", line):
            if not written:
                return "the log was not written again before it was shown"
            return None if synced else "the log was not synced before it was shown"
        if "notes.sqlite3-wal" not in line:
            continue
        if "pwrite64(" in line:
            written, synced = True, False
        elif re.search(r"\bf(data)?sync\(", line) and line.rstrip().endswith("= 0"):
            synced = True
    return "the mark was never shown"


def judge_is_judged():
    """The judge finds what it should."""
    write = '7 pwrite64(4</d/notes.sqlite3-wal>, "..", 9, 0) = 9'
    sync = "7 fdatasync(4</d/notes.sqlite3-wal>) = 0"
    shown = f'7 write(9<UNIX-STREAM:[1]>, "{MARK}", 9) = 9'
    assert faults([write, sync, shown]) is None
    for trace in ([shown], [write, shown], [sync, shown], [sync, write, shown], [write, shown, sync], [write, sync]):
        assert faults(trace) is not None, trace


def main():
    judge_is_judged()
    strace = shutil.which("strace")
    if strace is None:
        sys.exit("left-log: there is no strace; scripts/dependencies test sees to it")
    daemon = os.path.join(os.environ.get("NOTESD_BIN_DIR", ".build/release"), "notesd")
    with tempfile.TemporaryDirectory() as place:
        path, trace = place + "/socket", place + "/trace"
        words = [daemon, "--socket", path, "--data", place + "/data", "--config", "/dev/null"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        first = subprocess.Popen(words, **quiet)
        lines = connect(path, first)
        hello(lines)
        note = call(lines, "note.create", {"text": MARK + "\n"})["note"]["id"]
        first.kill()
        first.wait()
        calls = "trace=pwrite64,fsync,fdatasync,write,writev,sendto,sendmsg"
        # With -D the daemon is the process that was started.
        second = subprocess.Popen([strace, "-D", "-f", "-y", "-qq", "-s", "4096", "-e", calls, "-o", trace] + words, **quiet)
        lines = connect(path, second)
        hello(lines)
        text = call(lines, "note.get", {"id": note})["note"]["text"]
        second.send_signal(signal.SIGTERM)
        second.wait()
        if text != MARK + "\n":
            sys.exit(f"left-log: the note shows {text!r}")
        with open(trace, encoding="utf-8", errors="replace") as file:
            fault = faults(file)
    if fault:
        sys.exit(f"left-log: {fault}")
    print("left-log: 1 passed, 0 failed")


main()
