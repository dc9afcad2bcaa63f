"""Connections with many requests in flight at once, and the loop that drives them all.

Every line in either direction is read into a ledger. No function waits for a single response;
`pump` runs until a condition holds.
"""

import selectors
import socket
import time

from expectations import Stream
from places import PATIENCE_S


class Lost(Exception):
    """The daemon is gone."""


class Connection:
    def __init__(self, path, ledger, name):
        self.name = name
        self.ledger = ledger
        self.stream = Stream(ledger)
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.socket.setblocking(False)
        self.traffic = open(ledger.traffic, "ab") if ledger.traffic else None
        # The number of received lines other than heartbeats.
        self.progress = 0
        self.rest = b""
        self.out = bytearray()
        self.in_flight = {}
        self.answers = {}
        self.lost = False
        self.number = 0
        self.send("session.hello", {"protocol": [1], "client": {"name": "faults"}, "label": name, "positionEncoding": ["utf-8"]})

    def send(self, method, params, text=None, base=b"", undoes=None, keep=False):
        """Sends a request and returns it. With `keep`, its response is saved in `answers`."""
        self.ledger.counter[0] += 1
        request = self.ledger.request(f"{self.name}:{self.ledger.counter[0]}", method, params, text, base, undoes)
        return self.resend(request, keep)

    def resend(self, request, keep=False):
        """Sends a request again, on this connection."""
        self.in_flight[request.id] = keep
        self.stream.sent(request)
        self.out += request.line
        self._note(b">", request.line)
        return request

    def _note(self, way, line):
        """Logs every line with its time and its connection."""
        if self.traffic:
            self.traffic.write(b"%.6f %s %s %s" % (time.monotonic(), self.name.encode(), way, line))
            self.traffic.flush()

    def wants(self):
        return selectors.EVENT_READ | (selectors.EVENT_WRITE if self.out else 0)

    def ready(self, mask):
        try:
            if mask & selectors.EVENT_WRITE and self.out:
                sent = self.socket.send(self.out)
                del self.out[:sent]
            if mask & selectors.EVENT_READ:
                self._read()
        except BlockingIOError:
            pass
        except OSError:
            # Lines that the daemon sent before it ended still count.
            self._drain()

    def _read(self):
        data = self.socket.recv(1 << 20)
        if not data:
            self.lost = True
        self._take(data)

    def _drain(self):
        try:
            while not self.lost:
                self._read()
        except OSError:
            self.lost = True

    def _take(self, data):
        self.rest += data
        if b"\n" not in data:
            return
        *lines, self.rest = self.rest.split(b"\n")
        for line in lines:
            self._note(b"<", line + b"\n")
            try:
                message = self.stream.received(line)
            except ValueError as error:
                self.stream.ledger.lie(f"a line of the daemon is not JSON: {error}")
                self.lost = True
                return
            self.progress += message.get("method") != "watch.bookmark"
            self.took(message)

    def took(self, message):
        """Handles one received line. A subclass may react to it."""
        keep = self.in_flight.pop(message.get("id"), False)
        if keep:
            self.answers[message["id"]] = message

    def close(self):
        self.socket.close()
        if self.traffic:
            self.traffic.close()


def pump(connections, until, patience=PATIENCE_S):
    """Drives connections until `until()`, or until all are lost. Raises Lost if nothing arrives any
    more."""
    deadline, progress = time.monotonic() + patience, -1
    with selectors.DefaultSelector() as selector:
        live = {}
        for connection in connections:
            if not connection.lost:
                live[connection] = connection.wants()
                selector.register(connection.socket, live[connection], connection)
        while live and not until():
            if (seen := sum(connection.progress for connection in connections)) != progress:
                deadline, progress = time.monotonic() + patience, seen
            if time.monotonic() > deadline:
                waiting = [f"{c.name}: {len(c.in_flight)} unanswered" for c in live]
                raise Lost(f"nothing more arrived in {patience} s; {waiting}")
            for key, mask in selector.select(0.05):
                key.data.ready(mask)
            for connection in list(live):
                if connection.lost:
                    selector.unregister(connection.socket)
                    del live[connection]
                elif live[connection] != connection.wants():
                    live[connection] = connection.wants()
                    selector.modify(connection.socket, live[connection], connection)


def all_answered(connections):
    return lambda: not any(connection.in_flight for connection in connections)
