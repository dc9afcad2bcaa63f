#!/usr/bin/env python3
"""Replaces a real daemon's store by an older copy, and resumes a watch with a cursor from before
(decision 0051).

    NOTESD_BIN_DIR=.build/release verification/crashes/rolled-back.py

A note was changed twice, and the second change was pending when the cursor of another note was
sent; the copy has only the first change. A watch that resumed from that cursor would never receive
it. The test fails if the watch misses it.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time


class Connection:
    """A connection after its hello."""

    def __init__(self, path):
        deadline = time.monotonic() + 120
        while True:
            end = socket.socket(socket.AF_UNIX)
            try:
                end.connect(path)
                break
            except OSError as error:
                end.close()
                if time.monotonic() > deadline:
                    sys.exit(f"rolled-back: the daemon does not listen: {error}")
                time.sleep(0.05)
        self.lines = end.makefile("rwb")
        self.call("session.hello", {"protocol": [1], "client": {"name": "rolled-back"}})

    def call(self, method, params):
        self.lines.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode() + b"\n")
        self.lines.flush()
        answer = self.next()
        while "method" in answer:
            answer = self.next()
        return answer["result"]

    def next(self):
        return json.loads(self.lines.readline())


def main():
    daemon = os.path.join(os.environ.get("NOTESD_BIN_DIR", ".build/release"), "notesd")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with tempfile.TemporaryDirectory() as place:
        path, copy = place + "/socket", place + "/copy.db"
        words = [daemon, "--socket", path, "--config", "/dev/null", "--data"]
        process = subprocess.Popen(words + [place + "/first"], **quiet)
        writer = Connection(path)
        early = writer.call("note.create", {"text": "one\n", "name": "early"})["note"]
        writer.call("note.create", {"text": "two\n", "name": "late"})
        writer.call("daemon.backup", {"path": copy})
        writer.call("note.save", {"id": early["id"], "base": early["version"], "text": "three\n"})
        watcher = Connection(path)
        watcher.call("notes.watch", {})
        line = watcher.next()["params"]
        told = {line["note"]["name"]}
        process.terminate()
        process.wait()
        subprocess.run([daemon, "restore", copy, "--data", place + "/second"], check=True, **quiet)
        process = subprocess.Popen(words + [place + "/second"], **quiet)
        watcher = Connection(path)
        is_reset = watcher.call("notes.watch", {"since": line["cursor"]})["reset"]
        if is_reset:
            told = set()
        while (line := watcher.next())["method"] != "watch.synced":
            told.add(line["params"]["note"]["name"])
        process.kill()
        process.wait()
    missing = {"early", "late"} - told
    if missing:
        sys.exit(f"rolled-back: never received {sorted(missing)}, and is synced (reset: {is_reset})")
    print("rolled-back: 1 passed, 0 failed")


main()
