"""The file operations and socket traffic of a daemon, in one order, as recorded by shims/record.c.

A `Recording` starts on intact files and ends where its daemon ended. A `Replay` steps through it,
record by record, and holds at each the certain and the uncertain content of the disk (`disk.Disk`),
and everything sent by then (a ledger).
"""

import collections
import os
import struct

from disk import Disk
from expectations import Stream

HEADER = struct.Struct("<cb2xiqI4x")
Record = collections.namedtuple("Record", "kind is_new descriptor offset data")
# Kinds of records: of the disk, of the sockets.
TO_DISK = "OWTASUDN"


def read(path):
    """The records; sent data is at the mark before it."""
    records, marks = [], {}
    with open(path, "rb") as file:
        data = file.read()
    at = 0
    while at + HEADER.size <= len(data):
        kind, is_new, descriptor, offset, length = HEADER.unpack_from(data, at)
        at += HEADER.size
        if at + length > len(data):
            break
        record = Record(kind.decode(), is_new, descriptor, offset, data[at:at + length])
        at += length
        if record.kind == "b":
            marks[descriptor] = len(records)
            records.append(Record("-", 0, -1, 0, b""))
        elif record.kind == "s":
            records[marks.pop(descriptor)] = record
        else:
            records.append(record)
    return records


class Recording:
    """`files` exist, intact, before its first record: names below `folder` to bytes. `ledger` is
    the state by then."""

    def __init__(self, records, folder, files, ledger):
        self.records = records
        self.folder = os.path.realpath(folder)
        self.files = files
        self.ledger = ledger

    def places(self, random, count):
        """Points at which to cut it, ascending: at any operation on the disk; just after something
        was sent; during writes to the database itself, in a checkpoint; during startup."""
        on_disk, told, copying, starting = [], [], [], []
        files, is_starting = {}, True
        for place, record in enumerate(self.records):
            if record.kind == "X":
                is_starting = True
            elif record.kind == "s":
                is_starting = False
            if record.kind == "O":
                files[record.descriptor] = record.data
            if record.kind in TO_DISK:
                on_disk.append(place)
                if is_starting:
                    starting.append(place)
                if record.kind == "W" and files.get(record.descriptor, b"").endswith(b".sqlite3"):
                    copying.append(place)
            elif record.kind == "s":
                told.append(place)
        kinds = [(places, weight) for places, weight in ((on_disk, 4), (told, 3), (copying, 3), (starting, 3)) if places]
        if not kinds:
            return []
        chosen = random.choices([places for places, _ in kinds], [weight for _, weight in kinds], k=count)
        return sorted(random.choice(places) + 1 for places in chosen)


class Replay:
    """`ignores_syncs` treats no data as certain, to check that losses are detected."""

    def __init__(self, recording, ignores_syncs=False):
        self.recording = recording
        self.disk = Disk(recording.files, ignores_syncs)
        self.ledger = recording.ledger.fork()
        self.place = 0
        # Whether the daemon has sent nothing yet, and whether it found a WAL to recover.
        self.is_starting = False
        self.found_log = False
        self.paths = {}
        self.streams = {}

    def advance(self, place):
        """Replays up to the record before `place`."""
        for record in self.recording.records[self.place:place]:
            self._take(record)
        self.place = place

    @property
    def is_recovering(self):
        """Whether a daemon starts on the files of one that did not stop."""
        return self.is_starting and self.found_log

    def goes_on(self):
        """Whether this run of the daemon sends anything after this point."""
        for record in self.recording.records[self.place:]:
            if record.kind in "sX":
                return record.kind == "s"
        return False

    def _name(self, path):
        name = os.path.relpath(path.decode(), self.recording.folder)
        return "" if name == "." else name

    def _take(self, record):
        kind, descriptor = record.kind, record.descriptor
        if kind == "s":
            self.is_starting = False
        if kind in "rs":
            self._line(record)
        elif kind == "O":
            self.paths[descriptor] = self.disk.opened(self._name(record.data), record.is_new)
        elif kind == "D":
            self.disk.made_folder(self._name(record.data))
        elif kind == "U":
            self.disk.unlinked(self._name(record.data))
        elif kind == "N":
            self.disk.renamed(*(self._name(path) for path in record.data.split(b"\0")))
        elif kind == "X":
            self.is_starting, self.found_log = True, self.disk.has_log()
            self.paths.clear()
            self.streams.clear()
        elif kind == "C":
            self.paths.pop(descriptor, None)
            self.streams.pop(descriptor, None)
        elif descriptor in self.paths:
            file = self.paths[descriptor]
            if kind == "S":
                self.disk.synced(file)
            elif kind == "W":
                file.write(record.offset, record.data)
            elif kind == "T":
                file.truncate(record.offset)
            elif kind == "A":
                file.grow(record.offset)

    def _line(self, record):
        stream = self.streams.setdefault(record.descriptor, {"r": b"", "s": b"", "stream": Stream(self.ledger)})
        *lines, stream[record.kind] = (stream[record.kind] + record.data).split(b"\n")
        for line in lines:
            if record.kind == "s":
                stream["stream"].received(line)
            else:
                self._request(stream["stream"], line)

    def _request(self, stream, line):
        # The ids of the load are strings and precede the params; other ids belong to clients that
        # wait for the daemon to start.
        id = line.partition(b'"id": "')[2].partition(b'"')[0].decode()
        if id in self.ledger.requests:
            stream.sent(self.ledger.requests[id])
