#!/usr/bin/env python3
"""Starts, restarts or stops the daemon that scripts/mutation guarantees tests. The guarantee checker runs this
program to disturb the daemon.

    NOTESD_BIN_DIR=... restart.py start|copy|kills|rollbacks|backups|stop

The daemon and its data are in the working directory. All but start first end the daemon with
SIGKILL, and all but stop then start it. Between the two, copy copies its data, and rollbacks
replaces its data with this copy. backups makes a backup first, and replaces the data with it.
"""

import contextlib
import os
import select
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "lib"))

from daemon import Client, Daemon  # noqa: E402


def kill():
    """Kills the daemon and waits until its last thread has ended."""
    with open("pid", encoding="utf-8") as file, contextlib.suppress(ProcessLookupError):
        process = os.pidfd_open(int(file.read()))
        signal.pidfd_send_signal(process, signal.SIGKILL)
        select.select([process], [], [])


def back_up():
    client = Client("notesd.sock")
    client.ask("daemon.backup", path=os.path.abspath("backup.db"))
    client.close()


def start():
    options = ["--set", "limits.outbox_bytes_max=65536"]
    daemon = Daemon(os.getcwd(), options=options, started=False)
    try:
        daemon.start()
    finally:
        with open("pid", "w", encoding="utf-8") as file:
            file.write(str(daemon.process.pid))


def main():
    action = sys.argv[1]
    if action == "backups":
        back_up()
    if action != "start":
        kill()
    if action == "copy":
        shutil.copytree("data", "copy")
    if action == "rollbacks":
        shutil.rmtree("data")
        shutil.copytree("copy", "data")
    if action == "backups":
        shutil.rmtree("data")
        restore = [os.environ["NOTESD_BIN_DIR"] + "/notesd", "restore", "backup.db", "--data", "data"]
        subprocess.run(restore, check=True, stdout=subprocess.DEVNULL)
        os.remove("backup.db")
    if action != "stop":
        start()


main()
