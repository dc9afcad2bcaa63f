"""Fresh peers of a replicator of both kinds, and the revisions that they are offered."""

import os
import subprocess

from daemon import Client, Daemon
from gateway import Connection
from places import program

# The peer that asks for revisions.
OTHER = {"store": "a" * 16, "replica": "b" * 16}
# The numbers of revisions of a stock.
SMALL, LARGE = 36, 10


class Stock:
    """The revisions of a daemon in the order of its commits: `small` ones of notes with a history, `large` ones
    that fill a page each, and the `beginning` of a purged note."""

    def __init__(self, folder, chance):
        daemon = Daemon(made(folder, "stock"))
        client = Client(daemon.socket)
        try:
            for number in range(SMALL // 3):
                note = client.ask("note.create", text=f"first {number}\n", name=f"note {number}")["note"]
                self.save(client, note, f"first {number}\nsecond {chance.random()}\n", f"third {chance.random()}\n")
            for number in range(LARGE):
                client.ask("note.create", text=f"{number} {chance.random():.16f}\n" * 7_000)
            reader = connected(daemon)
            found, _ = watched(reader)
            known = reader.ask("revisions.known")["known"]
            self.small, self.large, self.replica = found[:SMALL], found[SMALL:], known.partition(":")[0]
            if (known, len(found)) != (self.dots(range(SMALL + LARGE)), SMALL + LARGE):
                raise RuntimeError(f"the scratch daemon has {len(found)} other revisions: {known}")
            note = client.ask("note.create", text="secret\n")["note"]
            version = self.save(client, note, "nothing\n")
            client.ask("note.purge", id=note["id"], base=version)
            _, pages = watched(connected(daemon), known=known)
            self.beginning = pages[0]["beginnings"][0]
        finally:
            client.close()
            daemon.stop()

    @staticmethod
    def save(client, note, *texts):
        """Saves texts, each based on the one before. The last version."""
        version = note["version"]
        for text in texts:
            version = client.ask("note.save", id=note["id"], base=version, text=text)["version"]
        return version

    def dots(self, numbers):
        """The dots of revisions, as their numbers in the order of commits."""
        ranges = []
        for number in sorted(numbers):
            if ranges and ranges[-1][1] == number:
                ranges[-1][1] = number + 1
            else:
                ranges.append([number + 1, number + 1])
        return f"{self.replica}:" + ",".join(f"{low}-{high}" if low < high else f"{low}" for low, high in ranges) if ranges else ""


def made(folder, name):
    place = os.path.join(folder, name)
    os.mkdir(place)
    return place


def connected(daemon, connection=Connection):
    return connection([program("notesctl"), "bridge", "--socket", daemon.socket])


def watched(connection, known="", **others):
    """The revisions that a peer sends to one that holds `known`, and the pages."""
    left = connection.ask("revisions.watch", peer=OTHER, known=known, **others)["lacks"]
    pages = []
    while left:
        pages.append(connection.page())
        left = pages[-1]["left"]
    return [one for page in pages for one in page["revisions"]], pages


class DaemonPeer:
    """A daemon of its own."""

    kind = "daemon"

    def __init__(self, folder, name, connection=Connection):
        self.daemon, self.connection = Daemon(made(folder, name)), connection

    def connect(self):
        return connected(self.daemon, self.connection)

    def restart(self):
        self.daemon.restart()

    def stop(self):
        self.daemon.stop()


class SpacePeer:
    """A space of its own in the database `laws`. A restart kills the server."""

    kind = "space"

    def __init__(self, database, name, connection=Connection):
        self.database, self.name, self.connection = database, name, connection
        for words in (("space", "add"), ("member", "add", "peer")):
            command = [program("notesd-postgres"), *words[:2], database.url("admin", "laws"), name, *words[2:]]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    def connect(self):
        return self.connection([program("notesd-postgres"), "serve", self.database.url("peer", "laws", space=self.name)])

    def restart(self):
        self.database.kill()
        self.database.start()

    def stop(self):
        pass


def prepare(database):
    """Makes the database of the spaces."""
    database.sql("CREATE DATABASE laws", "postgres")
    database.sql("CREATE ROLE peer LOGIN", "postgres")
    subprocess.run([program("notesd-postgres"), "init", database.url("admin", "laws")], check=True, stdout=subprocess.DEVNULL)
