#!/usr/bin/env python3
"""Tests the judge: for each of its laws, plants a false record in the expectations, which the judge
must find.

usage: judging.py [--seed N]

Each check that these tests apply to a daemon must fail here, on a daemon that did nothing wrong.
"""

import argparse
import json
import os
import random
import sys
import tempfile
import uuid

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, "lib"), os.path.join(HERE, "..", "lib")]

import judge  # noqa: E402
from checks import Checks  # noqa: E402
from connection import Connection, all_answered, pump  # noqa: E402
from daemon import Daemon  # noqa: E402
from expectations import Ledger, Request, Stream  # noqa: E402
from load import Load, watchers  # noqa: E402

NOBODY = "0190aaaa-0000-7000-8000-000000000000"


def a_text(ledger):
    note, texts = next(iter(ledger.texts.items()))
    return (note,) + texts[0]


def a_write(ledger, method, wanted):
    """An acknowledged write with an op, and its request."""
    for id in reversed(list(ledger.answered)):
        request = ledger.requests[id]
        if request.method == method and "op" in request.params and wanted(request):
            return request
    raise LookupError(f"the load has no acknowledged {method}")


def shown_write(ledger, method="note.edit"):
    """A write whose token nobody removed or withdrew."""
    removed = {t for request in ledger.requests.values() for t in request.removed}
    removed |= {t for request in ledger.undone(ledger.requests) for t in request.inserted}
    return a_write(ledger, method, lambda request: request.inserted and not request.inserted & removed)


def copied(ledger, request, **other):
    """The same request with another id and other params."""
    made = Request(f"planted:{len(ledger.requests)}", request.method, dict(request.params, **other), request.text)
    made.inserted, made.removed = set(request.inserted), set(request.removed)
    ledger.requests[made.id] = made
    return made


def other_text(ledger):
    note, version, _ = a_text(ledger)
    ledger.shown[note][version] = b"other"


def no_such_note(ledger):
    ledger.shown[NOBODY] = {}


def no_such_version(ledger):
    note, _, _ = a_text(ledger)
    ledger.shown[note]["00000000000000aa:1"] = b"text"


def never_written(ledger):
    copied(ledger, shown_write(ledger)).inserted = {b"tffffffffe"}
    made = list(ledger.requests.values())[-1]
    ledger.answered[made.id] = {"version": "", "outcome": "saved"}


def still_shown(ledger):
    """Records all shown texts as removed. One of them alone may be in a line that another writer keeps."""
    first = shown_write(ledger)
    removed = {t for request in ledger.requests.values() for t in request.removed}
    removed |= {t for request in ledger.undone(ledger.requests) for t in request.inserted}
    for request in [ledger.requests[id] for id in ledger.answered]:
        if request.method == first.method and request.inserted and not request.inserted & removed:
            made = copied(ledger, request)
            made.inserted, made.removed = set(), set(request.inserted)
            ledger.answered[made.id] = {"version": "", "outcome": "saved"}


def still_undone(ledger):
    """Records an undo that the daemon never received."""
    made = Request("planted:undo", "note.undo", {}, undoes=shown_write(ledger))
    ledger.requests[made.id], ledger.answered[made.id] = made, {}


def was_refused(ledger):
    ledger.refused[copied(ledger, shown_write(ledger)).id] = {}


def other_op(ledger):
    """Gives all acknowledged writes another op, so that none is known when it is sent again."""
    for id in list(ledger.answered):
        request = ledger.requests[id]
        if "op" in request.params:
            result = ledger.answered.pop(id)
            ledger.answered[copied(ledger, request, op=request.params["op"] + "x").id] = result


def sent_again(ledger):
    """Records an applied write as unanswered, with another op, so that it is applied again."""
    made = copied(ledger, shown_write(ledger), op="another")
    ledger.pending[made.id] = made


def later_cursor(ledger):
    watch = next(iter(ledger.watches.values()))
    number, _, replica = watch.cursor.partition(".")
    watch.cursor = f"{int(number) + 1000}.{replica}"


def missed(ledger):
    watch = next(iter(ledger.watches.values()))
    watch.known = dict.fromkeys(watch.known, "00000000000000aa:1")


def still_there(ledger):
    """Records a watch that received a deletion as if it had not: it still has the earlier note."""
    for watch in ledger.watches.values():
        for note in watch.gone:
            watch.known[note] = "00000000000000aa:1"
        watch.gone.clear()


def other_store(ledger):
    ledger.store = "00000000000000aa"


def one_dot_two_texts(ledger):
    note, version, text = a_text(ledger)
    ledger.told_text(note, version, text + b"x")


def gap(ledger):
    stream = Stream(ledger)
    stream.watch_numbers[1] = next(iter(ledger.watches.values())).fork()
    stream.watch_numbers[1].seq = 1
    stream.received(b'{"jsonrpc":"2.0","method":"watch.synced","params":{"watch":1,"seq":3,"cursor":"1.a"}}')


def sent_twice(ledger):
    """Records that a watch resumes from its last cursor and sends a note that did not change after it."""
    watch = next(iter(ledger.watches.values()))
    note, version = next(iter(watch.known.items()))
    resumed(ledger, watch, watch.cursor, ("note.changed", 1, watch.cursor, note, version, "edited"))


def not_read(ledger):
    """Records that a client resumed a watch after it had closed a connection on which the daemon had
    sent two more lines, of which the first has come again by then. This is no violation."""
    watch = next(iter(ledger.watches.values()))
    before, line, _ = [line for line in watch.lines if line[0] == "note.changed"][-3:]
    resumed(ledger, watch, before[2], line)


def resumed(ledger, watch, cursor, line):
    """Records that a watch resumes from a cursor and sends a line."""
    request = ledger.request(watch.name.removeprefix("text") + ":planted", "notes.watch", dict(watch.params, since=cursor))
    method, _, cursor_of_line, note, version, change = line
    stream = Stream(ledger)
    params = {"watch": 1, "seq": 1, "cursor": cursor_of_line, "change": change, "note": {"id": note, "version": version}}
    for message in ({"id": request.id, "result": {"watch": 1, "cursor": cursor, "reset": False}}, {"method": method, "params": params}):
        stream.received(json.dumps(message).encode())


def no_json(ledger):
    connection = Connection.__new__(Connection)
    connection.rest, connection.traffic, connection.stream, connection.lost = b"", None, Stream(ledger), False
    connection._take(b'{"jsonrpc":"2.0",\xff}\n')


# What is planted, and the beginning of the finding that it must cause.
#
# The first needs notes without later writes; the last two make the daemon write what others would
# find.
PLANTED = [
    (still_there, "a watch that resumes receives every change"),
    (missed, "a watch that resumes receives every change"),
    (lambda ledger: None, None),
    (other_text, "a delivered version has the delivered text"),
    (no_such_note, "a delivered note is there"),
    (no_such_version, "a delivered version can be read again"),
    (never_written, "text inserted by an acknowledged write is there once"),
    (still_shown, "text removed by an acknowledged write is not there"),
    (still_undone, "text inserted by an undone write is not there"),
    (was_refused, "a refused write changed nothing"),
    (later_cursor, "watch textwatcher0 resumed from cursor"),
    (other_store, "the store was"),
    (one_dot_two_texts, "dot "),
    (gap, "watch textwatcher0: seq"),
    (sent_twice, "watch textwatcher0 received"),
    (no_json, "a line of the daemon is not JSON"),
    (sent_again, "a write with an op is not applied again"),
    (sent_again, "nothing is there twice"),
    (other_op, "an acknowledged op is known"),
]


class Trial:
    def __init__(self, checks, rng, folder):
        self.checks = checks
        self.rng = rng
        self.daemon = Daemon(folder)
        self.ledger = Ledger()
        load = Load(self.daemon.socket, self.ledger, rng, answers=120, large=0, notes=4)
        load.run()
        load.close()

    def delete_twice(self):
        """Deletes a note twice from one version. A watch is notified once: the second deletion
        neither adds the note to the watch nor removes it."""
        asker = Connection(self.daemon.socket, self.ledger, "deleting")
        watching = watchers(self.daemon.socket, self.ledger)
        everyone = [asker] + watching
        pump(everyone, lambda: all_answered(everyone)() and all(watcher.state.synced for watcher in watching))
        note, other = (str(uuid.UUID(int=self.rng.getrandbits(62) | 0x0190AAAA00007000 << 64 | 2 << 62)) for _ in range(2))
        text = self.ledger.token().encode()
        asker.send("note.create", {"id": note, "text": text.decode()}, text)
        pump(everyone, all_answered(everyone))
        for _ in range(2):
            asker.send("note.delete", {"id": note, "base": self.ledger.texts[note][0][0], "op": self.ledger.token()}, b"", text)
            pump(everyone, all_answered(everyone))
        # The cursors are past both then.
        asker.send("note.create", {"id": other, "text": "another"}, b"another")
        pump(everyone, lambda: all(other in watcher.state.known for watcher in watching))
        for connection in everyone:
            connection.close()

    def found(self, plant, restarts=True):
        """The laws that a judge finds violated."""
        if restarts:
            self.daemon.restart()
        ledger = self.ledger.fork()
        ledger.world, ledger.requests = dict(ledger.world), dict(ledger.requests)
        plant(ledger)
        laws = set()
        judge.Judge(self.daemon, ledger, lambda holds, law, *_: holds or laws.add(law), self.rng).run()
        return laws

    def run(self):
        self.delete_twice()
        self.checks.equal(self.found(lambda ledger: None), set(), "a note that was deleted twice is no violation")
        self.delete_twice()
        self.checks.equal(self.found(not_read), set(), "a line that a client did not read comes again, which is no violation")
        self.delete_twice()
        for plant, law in PLANTED:
            laws = self.found(plant)
            if law is None:
                self.checks.equal(laws, set(), "nothing is found without a planted fault")
            else:
                self.checks.check(any(found.startswith(law) for found in laws), f"the judge misses: {law}", laws)
            # The judge's own writes are not in the next judge's expectations.
            self.ledger.pending.clear()
        laws = self.found(lambda ledger: ledger.replicas.update([self.replica()]), restarts=False)
        self.checks.check("each run has a new replica" in laws, "the judge finds a reused replica", laws)
        self.files()

    def replica(self):
        probe = self.ledger.fork()
        judge.Judge(self.daemon, probe, lambda *_: None, self.rng).run()
        return (probe.replicas - self.ledger.replicas or probe.replicas).pop()

    def files(self):
        self.daemon.stop()
        for name in ("notes.sqlite3", "search.sqlite3"):
            path = os.path.join(self.daemon.data, name)
            with open(path, "r+b") as file:
                for page in range(2, os.path.getsize(path) // 4096):
                    file.seek(page * 4096)
                    file.write(b"\xff" * 64)
        laws = set()
        judge.files(self.daemon, lambda holds, law, *_: holds or laws.add(law))
        self.checks.equal(len(laws), 3, "damage on disk is found in each file, and by the daemon", laws)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    checks = Checks("judging", arguments.seed)
    with tempfile.TemporaryDirectory(prefix="notesd-judging-") as folder:
        Trial(checks, random.Random(arguments.seed), folder).run()
    checks.finish()


if __name__ == "__main__":
    main()
