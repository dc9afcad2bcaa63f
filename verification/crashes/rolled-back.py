#!/usr/bin/env python3
"""Replaces a real daemon's store by an older copy, and resumes a watch with a cursor from before
(decision 0051).

    NOTESD_BIN_DIR=.build/release verification/crashes/rolled-back.py

A note was changed twice, and the second change was pending when the cursor of another note was
sent; the copy has only the first change. A watch that resumed from that cursor would never receive
it. The test fails if the watch misses it.
"""

import os
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))

from daemon import Client, Daemon  # noqa: E402


def main():
    options = ("--config", "/dev/null")
    with tempfile.TemporaryDirectory() as place:
        copy = place + "/copy.db"
        daemon = Daemon(place, place + "/first", options=options)
        writer = Client(daemon.socket)
        early = writer.ask("note.create", text="one\n", name="early")["note"]
        writer.ask("note.create", text="two\n", name="late")
        writer.ask("daemon.backup", path=copy)
        writer.ask("note.save", id=early["id"], base=early["version"], text="three\n")
        watcher = Client(daemon.socket)
        watcher.ask("notes.watch")
        line = watcher.notice()["params"]
        told = {line["note"]["name"]}
        daemon.stop()
        subprocess.run([daemon.notesd, "restore", copy, "--data", place + "/second"], check=True, stdout=subprocess.DEVNULL)
        daemon = Daemon(place, place + "/second", options=options)
        watcher = Client(daemon.socket)
        is_reset = watcher.ask("notes.watch", since=line["cursor"])["reset"]
        if is_reset:
            told = set()
        while (line := watcher.notice())["method"] != "watch.synced":
            told.add(line["params"]["note"]["name"])
        daemon.kill()
    missing = {"early", "late"} - told
    if missing:
        sys.exit(f"rolled-back: never received {sorted(missing)}, and is synced (reset: {is_reset})")
    print("rolled-back: 1 passed, 0 failed")


main()
