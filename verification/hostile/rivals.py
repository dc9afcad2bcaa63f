"""Notes with many concurrent revisions, which take long to load after a restart, and long histories
whose old versions take long to compute. A client that requests them must not hold up a client that
saves another note."""

import os
import re
import threading
import time

from daemon import PATIENCE_S, Client, Daemon
from openrpc import ROOT

COUNT = 1_500
# Revisions of each note whose old versions are read, and reads in flight.
OLD_COUNT = 300
OLD_READS = 200
# Saves of which half is undone, and the saves of another client that are executed meanwhile, of which a turn
# that computes the undo would let one or two pass.
UNDO_COUNT = 1_000
UNDO_SAVES = 5
LINES = [f"line {number}\n" for number in range(200)]


def watchdog_seconds():
    """The interval in which systemd restarts a daemon that does not commit."""
    with open(os.path.join(ROOT, "systemd", "user", "notesd.service"), encoding="utf-8") as unit:
        return int(re.search(r"^WatchdogSec=(\d+)s$", unit.read(), re.MULTILINE).group(1))


def star(client):
    """Writes on one base. Returns the note, its first version and its text there."""
    note = client.ask("note.create", text="".join(LINES))["note"]
    for number in range(COUNT):
        place = number % len(LINES)
        text = "".join(LINES[:place] + [f"new {number}\n"] + LINES[place:])
        client.ask("note.save", id=note["id"], base=note["version"], text=text)
    return note["id"], note["version"], "".join(LINES)


def branch(client):
    """One write, and many that do not know it and build on each other."""
    note = client.ask("note.create", text="".join(LINES))["note"]
    client.ask("note.save", id=note["id"], base=note["version"], text="first\n" + "".join(LINES))
    base, text = note["version"], "".join(LINES)
    for number in range(COUNT):
        text += f"new {number}\n"
        base = client.ask("note.save", id=note["id"], base=base, text=text)["dot"]
    return note["id"], note["version"], "".join(LINES)


class Saver(threading.Thread):
    """Saves a note again and again until it is stopped, and measures the slowest save."""

    def __init__(self, daemon):
        super().__init__()
        self.client = Client(daemon.socket, "saver")
        self.note = self.client.ask("note.create", text="0\n")["note"]
        self.begun = threading.Event()
        self.is_over = threading.Event()
        self.slowest = 0
        self.count = 0

    def run(self):
        version, number = self.note["version"], 0
        while not self.is_over.is_set():
            number += 1
            began = time.monotonic()
            version = self.client.ask("note.save", id=self.note["id"], base=version, text=f"{number}\n")["version"]
            self.slowest = max(self.slowest, time.monotonic() - began)
            self.count += 1
            self.begun.set()
        self.client.close()


def comb(client):
    """A chain, and a write on each of its versions on which nobody builds."""
    note = client.ask("note.create", text="".join(LINES))["note"]
    base, text, versions = note["version"], "".join(LINES), []
    for number in range(OLD_COUNT // 2):
        longer = f"{text}spine {number}\n"
        spine = client.ask("note.save", id=note["id"], base=base, text=longer)
        tooth = client.ask("note.save", id=note["id"], base=base, text=f"tooth {number}\n{text}")
        versions += [spine["version"], tooth["version"]]
        base, text = spine["dot"], longer
    return note["id"], versions


def flat(client):
    """Writes that are all based on the first version."""
    note = client.ask("note.create", text="".join(LINES))["note"]
    versions = []
    for number in range(OLD_COUNT):
        text = "".join(LINES[:number % 200] + [f"new {number}\n"] + LINES[number % 200:])
        versions.append(client.ask("note.save", id=note["id"], base=note["version"], text=text)["version"])
    return note["id"], versions


def chain(client):
    """Writes that are each based on the one before."""
    note = client.ask("note.create", text="".join(LINES))["note"]
    versions = [note["version"]]
    for number in range(OLD_COUNT * 10):
        saved = client.ask("note.save", id=note["id"], base=versions[-1], text="".join(LINES) + f"{number}\n")
        versions.append(saved["version"])
    return note["id"], versions


def old_versions(checks, daemon, client, limit):
    """Many reads of old versions in flight, next to a client that saves another note."""
    for shape in flat, comb, chain:
        id, versions = shape(client)
        texts = [client.ask("note.get", id=id, at=version)["note"]["text"] for version in (versions[0], versions[-1])]
        checks.check(texts[0] != texts[1], f"old versions of a {shape.__name__} have their own texts", versions[-1])
        reader, saver = Client(daemon.socket, "reader"), Saver(daemon)
        saver.start()
        saver.begun.wait()
        places = [number * (len(versions) - 1) // (OLD_READS - 1) for number in range(OLD_READS)]
        answers = reader.ask_all("note.get", [{"id": id, "at": versions[place]} for place in places])
        saver.is_over.set()
        saver.join()
        reader.close()
        checks.equal(len(answers), OLD_READS, f"reads of old versions of a {shape.__name__} are answered")
        ends = [answers[place]["note"]["text"] for place in (0, -1)]
        checks.equal(ends, texts, f"reads in flight of a {shape.__name__} show the texts of their versions")
        checks.check(saver.slowest < limit, f"old versions of a {shape.__name__} hold up no other client", saver.slowest)


def undo(checks, daemon, client):
    """An undo of many saves of the same lines, its preview, and the undo of the undo's undo."""
    note = client.ask("note.create", text="".join(LINES))["note"]
    lines, versions = list(LINES), [note["version"]]
    for number in range(UNDO_COUNT):
        lines[number * 7 % 50] = f"new {number}\n"
        versions.append(client.ask("note.save", id=note["id"], base=versions[-1], text="".join(lines))["version"])
    asker, saver = Client(daemon.socket, "asker"), Saver(daemon)
    saver.start()
    saver.begun.wait()
    named = {"base": versions[-1], "revisions": versions[1::2]}
    for name, more in (("preview", {"preview": True}), ("undo", {}), ("redo", None), ("second undo", None)):
        before = saver.count
        params = {"base": named["base"], "revisions": [named["base"]]} if more is None else named | more
        answer = asker.ask("note.undo", id=note["id"], **params)
        during = saver.count - before
        if name != "preview":
            named["base"] = answer["version"]
        if name != "redo":
            checks.check(during >= UNDO_SAVES, f"the {name} of many saves holds up no other client", during)
        if name == "preview":
            shown = answer["note"]["conflicts"]
    saver.is_over.set()
    saver.join()
    asker.close()
    after = client.ask("note.get", id=note["id"])["note"]
    checks.check(len(shown) == len(after["conflicts"]) > 0, "the preview shows the conflicts of the undo", len(shown), len(after["conflicts"]))


def watched(client, id):
    client.ask("notes.watch", filter={"ids": [id]}, include="text")
    while not any(notice["method"] == "watch.synced" for notice in client.notices):
        client.notices.append(client.read())
    return next(notice["params"]["note"]["text"] for notice in client.notices if notice["method"] == "note.changed")


def run(checks, folder):
    daemon = Daemon(folder)
    limit = watchdog_seconds()
    try:
        client = Client(daemon.socket)
        shapes = {"star": star(client), "branch": branch(client)}
        texts = {shape: client.ask("note.get", id=id)["note"]["text"] for shape, (id, _, _) in shapes.items()}
        for shape, (id, first, text) in shapes.items():
            place = {"note": id, "version": first, "selection": {"start": 0, "end": 1}}
            requests = {
                "a get": lambda: client.ask("note.get", id=id)["note"]["text"],
                "a watch": lambda: watched(client, id),
                "presence": lambda: client.ask("presence.set", **place) and None,
                "a save": lambda: client.ask("note.save", id=id, base=first, text="stale\n" + text)["outcome"],
            }
            for name, request in requests.items():
                client.close()
                daemon.process.terminate()
                checks.equal(daemon.process.wait(timeout=PATIENCE_S), 0, "the daemon stops")
                daemon.start()
                client = Client(daemon.socket)
                saver = Saver(daemon)
                saver.start()
                saver.begun.wait()
                result = request()
                saver.is_over.set()
                saver.join()
                if name in ("a get", "a watch"):
                    checks.equal(result, texts[shape], f"{name} of a {shape} after a restart shows the text from before")
                checks.check(saver.slowest < limit, f"{name} of a {shape} holds up no other client", saver.slowest)
        old_versions(checks, daemon, client, limit)
        undo(checks, daemon, client)
        client.close()
        checks.equal(daemon.stop(), (0, ""), "the store is intact")
    finally:
        daemon.end()
