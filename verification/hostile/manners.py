"""Kinds of misbehaving clients: each class is one. They take turns, and never wait."""

import re
import socket

import strictjson

ANSWER = re.compile(rb'\{"jsonrpc":"2\.0","id":("[a-z]*"|\d+),"result":(.*)\}', re.DOTALL)
# Long results that were read once: thousands of connections receive the same.
KNOWN = {}

HELLO = b'{"jsonrpc":"2.0","id":"hello","method":"session.hello","params":{"protocol":[1],"client":{"name":"crowd"}}}\n'


def request(id, method, **params):
    return strictjson.dump({"jsonrpc": "2.0", "id": id, "method": method, "params": params}) + b"\n"


class Manner:
    """One connection. `turn` is called once per round; `fault` is the daemon's fault, if any."""

    says_hello = True

    def __init__(self, path, number):
        self.number = number
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.socket.setblocking(False)
        self.unsent = b""
        self.got = b""
        self.lines = []
        self.ended = False
        self.fault = None
        self.watches = {}
        if self.says_hello:
            self.send(HELLO)
        self.begin()

    def begin(self):
        pass

    def turn(self):
        pass

    # Helpers.

    def send(self, data=b""):
        self.unsent += data
        try:
            while self.unsent:
                self.unsent = self.unsent[self.socket.send(self.unsent):]
        except BlockingIOError:
            pass
        except OSError:
            self.unsent = b""

    def read(self, most=1 << 18):
        """Whether data arrived."""
        if self.ended:
            return False
        try:
            data = self.socket.recv(most)
        except BlockingIOError:
            return False
        except OSError:
            data = b""
        if not data:
            self.ended = True
            return False
        *lines, self.got = (self.got + data).split(b"\n")
        for line in lines:
            self.take(line)
        return True

    def take(self, line):
        """Keeps responses; checks that the notifications of a watch are in sequence."""
        try:
            line = self.parsed(line)
        except strictjson.NotJSON as fault:
            self.fault = self.fault or f"received invalid JSON: {line[:200]} ({fault})"
            return
        if "id" in line:
            self.lines.append(line)
            return
        params = line["params"]
        if "seq" in params:
            if params["seq"] != self.watches.get(params["watch"], 0) + 1:
                self.fault = self.fault or f"seq went from {self.watches.get(params['watch'], 0)} to {params['seq']}"
            self.watches[params["watch"]] = params["seq"]

    def parsed(self, line):
        answer = ANSWER.fullmatch(line) if len(line) > 10_000 else None
        if not answer:
            return strictjson.parse(line, None)
        id, result = answer.groups()
        if result not in KNOWN:
            KNOWN[result] = strictjson.parse(result, None) is not None
        return {"id": strictjson.parse(id), "result": KNOWN[result]}

    def leave(self):
        """Reads the remaining data before all connections end; true once there is no more."""
        return True

    def close(self):
        self.socket.close()

    def expect(self, ids):
        """Whether exactly these requests were answered, with results, in this order."""
        found = [line["id"] for line in self.lines if "result" in line]
        if found[:len(ids)] != ids[:len(found)] or len(self.lines) != len(found):
            self.fault = self.fault or f"received {self.lines[-3:]} and not {ids[:10]}"
        return found == ids


class Silent(Manner):
    """Sends nothing at all, and must be closed."""

    says_hello = False

    def leave(self):
        self.read()
        return self.ended


class HalfHello(Silent):
    """Begins a hello."""

    def begin(self):
        self.send(HELLO[:30 + self.number % 60])


class Dripper(Manner):
    """Sends a byte in each round."""

    def begin(self):
        self.rest = request("drip", "session.ping")
        self.ids = ["hello"]

    def turn(self):
        self.send(self.rest[:1])
        self.rest = self.rest[1:]
        if not self.rest:
            self.ids.append("drip")
            self.rest = request("drip", "note.list", limit=1)
        self.read()

    def leave(self):
        if self.rest:
            self.ids.append("drip")
            self.send(self.rest)
            self.rest = b""
        self.read()
        return not self.unsent and self.expect(self.ids) or self.ended


class NeverReads(Manner):
    """Watches all notes, requests all, and reads nothing until the end; the daemon must keep its
    responses and drop pending changes."""

    def begin(self):
        self.send(request("watch", "notes.watch", include="text"))
        self.ids = ["hello", "watch"]

    def turn(self):
        if not self.unsent:
            for _ in range(4):
                self.ids.append(len(self.ids))
                self.unsent += request(self.ids[-1], "rpc.discover")
        self.send()

    def leave(self):
        self.send()
        while self.read():
            pass
        return not self.unsent and self.expect(self.ids) or self.ended


class ByteReader(NeverReads):
    """The same, but reads a byte in each round."""

    def turn(self):
        if len(self.ids) < 6:
            super().turn()
        self.read(1)


class Flooder(Manner):
    """Sends requests as fast as possible, and reads the responses."""

    def begin(self):
        self.ids = ["hello"]

    def turn(self):
        if not self.unsent:
            for _ in range(60):
                self.ids.append(len(self.ids))
                self.unsent += request(self.ids[-1], "session.ping")
        self.send()
        self.read()

    def leave(self):
        self.send()
        self.read()
        return not self.unsent and self.expect(self.ids) or self.ended


class HangsUpInALine(Manner):
    """Connects, begins a write, and disconnects, repeatedly."""

    def begin(self):
        self.path = self.socket.getpeername()

    def turn(self):
        self.send(request(1, "note.create", text="of one who is gone\n")[:-1 - self.number % 60])
        self.again()

    def again(self):
        self.socket.close()
        try:
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.connect(self.path)
            self.socket.setblocking(False)
        except OSError as fault:
            self.fault = self.fault or f"could not reconnect: {fault}"
        self.unsent = b""
        self.send(HELLO)


class HangsUpInAnAnswer(HangsUpInALine):
    """Requests something long, reads the start of it, and disconnects."""

    def turn(self):
        self.send(request(1, "rpc.discover") * 3 + request(2, "notes.watch", include="text"))
        try:
            self.socket.recv(10)
        except BlockingIOError:
            pass
        self.again()


class HalfCloses(Manner):
    """Sends requests, half-closes, and reads the responses slowly: it must receive each, and then
    the end."""

    def begin(self):
        self.ids = ["hello", *range(20)]
        self.send(b"".join(request(id, "note.list", limit=3) for id in range(20)) + b'{"jsonrpc":"2.0","id":99')
        self.is_shut = False

    def turn(self):
        if not self.is_shut and not self.unsent:
            self.socket.shutdown(socket.SHUT_WR)
            self.is_shut = True
        self.send()
        self.read(100)

    def leave(self):
        self.turn()
        while self.read():
            pass
        return self.expect(self.ids) and self.ended


ALL = [Silent, HalfHello, Dripper, NeverReads, ByteReader, Flooder, HangsUpInALine, HangsUpInAnAnswer, HalfCloses]
