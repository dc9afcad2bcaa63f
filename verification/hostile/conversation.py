"""One hostile connection: sends its lines in pieces while it reads, and compares each response with
the expected one."""

import select
import socket
import time

import strictjson
from daemon import PATIENCE_S
from oracle import HELLO_LINE_BYTES, Session, faults_of_answer

HELLO = (b'{"jsonrpc":"2.0","id":"hello","method":"session.hello",'
         b'"params":{"protocol":[1],"client":{"name":"hostile"},"label":"hostile","positionEncoding":["%s"]}}')


class Conversation:
    def __init__(self, daemon, contract, limits, texts, plant=None):
        self.contract = contract
        self.texts = texts
        self.session = Session(contract, limits, texts)
        self.plant = plant or (lambda answer: [answer])
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(daemon.socket)
        self.socket.setblocking(False)
        self.pending = []      # expected, in order
        self.outgoing = []     # pieces of bytes
        self.incoming = b""
        self.faults = []       # (law, details, the line of the request)
        self.acknowledged = []  # (expected, result)
        self.watches = {}      # number: last seq
        self.feed = None       # the number of the watch of revisions, of which there is one
        self.dependent = None
        self.ended = False
        self.end = "closed"
        self.was_put_out = False
        self.hangs_up = False
        self.sent = []
        self.checks = 0

    def say_hello(self, encoding="utf-8"):
        self.send([HELLO % encoding.encode()])

    def send(self, lines, chop=None, end=b"\n"):
        """Queues lines; `chop` cuts the bytes into pieces."""
        for line in lines:
            for piece in line.split(b"\n"):
                expected = self.session.expect(piece)
                if expected:
                    self.pending.append(expected)
            self.sent.append(line)
        whole = b"".join(line + end for line in lines) if end == b"\n" else b"\n".join(lines)
        self.outgoing += chop(whole) if chop else [whole]

    def send_half(self, part):
        """The start of a line that never ends: it must have no effect."""
        if len(part) < HELLO_LINE_BYTES:
            self.outgoing.append(part)

    @property
    def is_done(self):
        if self.ended:
            return True
        return not self.pending and not self.outgoing and not self.session.closed

    def step(self, wait=0.0):
        reads, writes, _ = select.select([self.socket], [self.socket] if self.outgoing else [], [], wait)
        if writes:
            self._write()
        if reads and not self.ended:
            self._read()

    def _write(self):
        try:
            piece = self.outgoing[0]
            count = self.socket.send(piece[:65_536])
            self.outgoing[0] = piece[count:]
            if not self.outgoing[0]:
                self.outgoing.pop(0)
                if not self.outgoing and self.hangs_up:
                    self.socket.shutdown(socket.SHUT_WR)
        except BlockingIOError:
            pass
        except (BrokenPipeError, ConnectionResetError) as fault:
            self.outgoing, self.end = [], repr(fault)

    def _read(self):
        try:
            got = self.socket.recv(1 << 20)
        except BlockingIOError:
            return
        except ConnectionResetError:
            got, self.end = b"", "reset"
        if not got:
            self.ended = True
            self.outgoing = []
            # A connection that is being closed has some seconds for its responses, and the disk may
            # be slow.
            self.was_put_out = bool(self.pending) and self.session.closed
            if self.pending and not self.session.closed:
                how = "half-closed" if self.hangs_up else "open"
                details = (f"{len(self.pending)} were not, and then the connection ended", how, self.session.too_long, self.end)
                self._fault("every request is answered", details, self.pending[0])
            if self.incoming:
                self._fault("the daemon sends whole lines", self.incoming[:200])
            return
        *lines, self.incoming = (self.incoming + got).split(b"\n")
        for line in lines:
            try:
                answers = self.plant(strictjson.parse(line, None))
            except strictjson.NotJSON as fault:
                self._fault("the daemon sends valid JSON", (str(fault), line[:200]))
                continue
            for answer in answers:
                self._take(answer)

    def _take(self, answer):
        self.checks += 1
        if not isinstance(answer, dict):
            self._fault("the daemon sends objects", answer)
        elif "method" in answer:
            self._notice(answer)
        elif not self.pending:
            self._fault("each request is answered once", answer)
        else:
            expected = self.pending.pop(0)
            faults = faults_of_answer(self.contract, self.texts, expected, answer)
            for law, details in faults:
                self._fault(law, details, expected)
            if not faults and "result" in answer:
                self._acknowledge(expected, answer["result"])

    def _acknowledge(self, expected, result):
        self.acknowledged.append((expected, result))
        if expected.method == "session.hello":
            self.dependent = result.get("dependent")
        elif expected.method == "notes.watch":
            self.watches[result.get("watch")] = 0
        elif expected.method == "revisions.watch":
            self.feed, self.seqs = result.get("watch"), 0
        elif expected.method == "notes.unwatch" and expected.params["watch"] == self.feed:
            self.feed = None
        elif expected.method == "notes.unwatch":
            if self.watches.pop(expected.params["watch"], None) is None:
                self._fault("a watch is ended once", expected.params, expected)

    def _notice(self, notice):
        name, params = notice["method"], notice.get("params")
        schema = self.contract.notices.get(name)
        if set(notice) != {"jsonrpc", "method", "params"} or schema is None:
            self._fault("a notification is in docs/openrpc.json", notice)
            return
        for fault in self.contract.faults(params, schema, name):
            self._fault("a notification matches docs/openrpc.json", (fault, notice))
        if "watch" in params and notice["method"] == "revisions.page":
            # A page may be on its way when another watch begins.
            if params["watch"] == self.feed and params["seq"] != self.seqs + 1:
                self._fault("seq rises by one", (self.seqs, notice))
            if params["watch"] == self.feed:
                self.seqs = params["seq"]
        elif "watch" in params:
            number = params["watch"]
            if number not in self.watches:
                self._fault("a watch sends notifications only between its response and that of notes.unwatch", notice)
            elif params["seq"] != self.watches[number] + 1:
                self._fault("seq rises by one", (self.watches[number], notice))
            self.watches[number] = params["seq"]

    def _fault(self, law, details, expected=None):
        self.faults.append((law, details, expected.line if expected else None))

    def hang_up(self):
        """Half-closes after everything is sent."""
        self.hangs_up = True
        if not self.outgoing:
            self.socket.shutdown(socket.SHUT_WR)

    def close(self):
        self.socket.close()


def play(conversations, patience_s=PATIENCE_S):
    """Runs until each connection has its responses. A missing response is a fault, after a long
    timeout."""
    owed, until = None, 0
    while True:
        waiting = [one for one in conversations if not one.is_done or one.hangs_up and not one.ended]
        if not waiting:
            return
        reads = [one for one in waiting if not one.ended]
        writes = [one for one in reads if one.outgoing]
        ready = select.select([one.socket for one in reads], [one.socket for one in writes], [], 1.0)
        for one in waiting:
            if one.socket in ready[0] or one.socket in ready[1]:
                one.step()
        # Notifications of a watch are not responses.
        left = [(len(one.pending), len(one.outgoing), sum(map(len, one.outgoing))) for one in waiting]
        if left != owed:
            owed, until = left, time.monotonic() + patience_s
        if time.monotonic() > until:
            for one in waiting:
                one._fault("every request is answered", f"not within {patience_s} s", one.pending[0] if one.pending else None)
                one.ended = True
            return
