"""A machine of one user: a daemon, and `notesctl` with the user's files."""

import os
import subprocess
import time

from daemon import Client, Daemon
from places import PATIENCE_S, program


class Machine:
    """A daemon, and `notesctl` with the files of its user."""

    def __init__(self, folder, name):
        self.folder = os.path.join(folder, name)
        os.makedirs(os.path.join(self.folder, "run"))
        self.daemon = Daemon(self.folder)
        self.acknowledged = []

    def environment(self, **others):
        places = {"XDG_CONFIG_HOME": "config", "XDG_STATE_HOME": "state", "XDG_RUNTIME_DIR": "run", "HOME": ""}
        return {name: os.path.join(self.folder, place) for name, place in places.items()} | {
            "NOTESD_SOCKET": self.daemon.socket, "PATH": os.environ["PATH"]} | others

    def notesctl(self, *arguments, text="", **others):
        return subprocess.run([program("notesctl"), *arguments], input=text, capture_output=True, text=True, timeout=PATIENCE_S,
                              env=self.environment(**others))

    def append(self, name, line):
        """Adds a line; it counts only if the daemon has acknowledged it."""
        if self.notesctl("append", name, text=line + "\n").returncode == 0:
            self.acknowledged.append(line)

    def texts(self):
        client = Client(self.daemon.socket, "judge")
        notes = client.ask("note.list", limit=1000)["notes"]
        texts = {note["id"]: (note["name"], client.ask("note.get", id=note["id"])["note"]["text"]) for note in notes}
        client.close()
        return texts


def until(holds, seconds=PATIENCE_S):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.05)
    return False
