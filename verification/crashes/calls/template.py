"""A store as a killed daemon leaves it: notes, a WAL to recover, and an outdated search index."""

import os

from daemon import Client, Daemon
from scenario import SHARED


def write(asker):
    """The notes that all writers of a run share, with a history."""
    for note in SHARED:
        version = asker.ask("note.create", id=note, text="".join(f"line {number}\n" for number in range(50)))["note"]["version"]
        for number in range(20):
            edit = {"start": 0, "end": 0, "text": f"older {number}\n"}
            version = asker.ask("note.edit", id=note, base=version, edits=[edit])["version"]


def make(folder):
    """The directory of the store, below `folder`."""
    daemon = Daemon(folder)
    client = Client(daemon.socket)
    write(client)
    client.ask("note.search", query="line")
    revisions = client.ask("daemon.status")["revisions"]
    client.close()
    daemon.kill()
    with open(os.path.join(folder, "revisions"), "w", encoding="ascii") as file:
        file.write(str(revisions))
    return os.path.join(folder, "data")
