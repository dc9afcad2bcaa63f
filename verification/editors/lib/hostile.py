"""A daemon that does everything unpleasant that the protocol allows.

It holds one note, `hostile`. `tricks` maps the names in `TRICKS` to probabilities. It runs on a
separate thread. `calm()` makes it friendly, so that a test can check the final state of the editor.
"""

import json
import os
import random
import select
import socket
import threading
import time

import texts
from hostile_calls import Calls, Refusal
from hostile_note import HostileNote, UnknownVersion
from rules import Rules

TRICKS = {
    "late": "responses are late, and others write meanwhile",
    "merging": "others write before every write, so that each response contains edits",
    "conflicts": "responses report conflicts",
    "chatter": "edits of others arrive between a request and its response, in pieces, many in one write, with blank lines",
    "hangup": "the connection ends before a request is applied, or before its response",
    "away": "the connection ends, and connecting fails for a while",
    "reset": "watches are reset, and lines are dropped",
    "overload": "requests get 4003, also without their id",
    "refusals": "requests get temporary errors",
    "lies": "edits are wrong: they are invalid, or lead to a text other than the daemon's",
    "forgets": "the daemon has lost its newest versions",
    "restart": "the daemon restarts as another replica, and knows no cursor",
}

# Each write of others has a unique character, followed by some text.
FIRST_OF_OTHERS = 0xAC00
TAILS = [b"", b"zero ", b"\n", "é".encode(), b" - "]
WRITES = {"note.edit", "note.save", "note.create", "note.delete"}


class HangUp(Exception):
    """Ends the connection now. `away_s` is how long connecting fails."""

    def __init__(self, away_s=0.0):
        super().__init__()
        self.away_s = away_s


class HostileDaemon(Calls, threading.Thread):
    def __init__(self, path, seed, tricks, text=b"one\ntwo\nthree\n"):
        threading.Thread.__init__(self, daemon=True)
        self.path = path
        self.random = random.Random(seed)
        # With all tricks at once, each must be rarer, or nothing ever finishes.
        self.tricks = {name: 0.25 if len(tricks) == 1 else 0.05 for name in tricks}
        self.note = HostileNote(f"{self.random.getrandbits(64):016x}", text)
        self.rules = Rules(self.note)
        self.lock = threading.RLock()
        self.results = {}
        self.others = []
        self.calmed = False
        self.stopping = False
        self.log = []
        self.failure = None
        self.connection = None
        self.watch = None
        self.is_away = False
        self._listen()

    def _listen(self):
        if os.path.exists(self.path):
            os.unlink(self.path)
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen(8)
        self.listener.settimeout(0.05)
        self.is_listening = True

    def _stay_away(self, away_s):
        self.listener.close()
        if os.path.exists(self.path):
            os.unlink(self.path)
        self.is_listening = False
        time.sleep(away_s)
        while self.is_away and not self.stopping:
            time.sleep(0.002)
        self._listen()

    # Called by the test.

    def calm(self):
        """Makes the daemon friendly: from now on it reports the note truthfully."""
        with self.lock:
            self.calmed = True

    def stop(self):
        self.stopping = True
        self.join(10)
        self.listener.close()

    def others_write(self):
        """Lets another writer insert a word somewhere; the editor is notified if it watches."""
        with self.lock:
            self._others_write()

    def leave(self):
        """Ends the connection; connecting fails until `come_back`. Text written meanwhile must
        arrive as a whole text."""
        self.is_away = True
        while self.is_listening:
            time.sleep(0.002)

    def come_back(self):
        self.rules.must_save = True
        self.is_away = False

    def text(self):
        with self.lock:
            return self.note.text

    # The thread.

    def run(self):
        try:
            while not self.stopping:
                if self.is_away:
                    self._stay_away(0)
                try:
                    connection, _ = self.listener.accept()
                except socket.timeout:
                    continue
                self._serve(connection)
        except Exception as error:
            self.failure = repr(error)
            raise

    def _serve(self, connection):
        self.connection, self.watch, self.rest, away_s = connection, None, b"", 0.0
        self.has_hello = False
        try:
            while not self.stopping and not self.is_away:
                ready, _, _ = select.select([connection], [], [], 0.01)
                with self.lock:
                    self._tell_watch()
                    if ready and not self._receive():
                        break
        except HangUp as hang_up:
            away_s = hang_up.away_s
        except OSError:
            pass
        connection.close()
        with self.lock:
            self.rules.connection_lost()
        if away_s:
            self._stay_away(away_s)

    def _receive(self):
        data = self.connection.recv(1 << 20)
        if not data:
            return False
        self.rest += data
        *lines, self.rest = self.rest.split(b"\n")
        for line in lines:
            request = json.loads(line)
            self.log.append(("in", request))
            self._answer(request)
        return True

    def trick(self, name):
        return not self.calmed and name in self.tricks and self.random.random() < self.tricks[name]

    def _send(self, *messages):
        data = b""
        for message in messages:
            self.log.append(("out", message))
            data += json.dumps(message, ensure_ascii=self.random.random() < 0.5).encode() + b"\n"
            if self.trick("chatter"):
                data += self.random.choice([b"\n", b"  \n", b"\r\n"])
        if self.trick("chatter") and len(data) > 2:
            cut = self.random.randint(1, len(data) - 1)
            self.connection.sendall(data[:cut])
            time.sleep(0.003)
            data = data[cut:]
        self.connection.sendall(data)

    # Other writers.

    def _others_write(self):
        text = self.note.text
        places = [place for place in range(len(text) + 1) if not 0x80 <= (text[place:place + 1] or b"a")[0] < 0xC0]
        place = self.random.choice(places)
        character = chr(FIRST_OF_OTHERS + len(self.others))
        self.others.append(character)
        self.note.others_edit([(place, place, character.encode() + self.random.choice(TAILS))])

    def _tell_watch(self):
        if self.watch is None or self.watch["version"] == self.note.version:
            return
        if self.trick("reset"):
            self.watch["seq"] += 1
            self._send({"jsonrpc": "2.0", "method": "watch.reset",
                        "params": {"watch": 1, "seq": self.watch["seq"], "reason": "slow"}})
        self._send(self._changed())

    def _changed(self):
        """The notification of the note's current state; `base` is the last version sent to the
        watch."""
        watch, note = self.watch, self._shown()
        before, watch["version"] = watch["version"], self.note.version
        try:
            edits = self.note.edits_from(before)
            if self.random.random() < 0.7:
                note.update(base=before, edits=texts.to_wire(self._lied(edits)))
            else:
                note["text"] = self.note.text.decode()
        except UnknownVersion:
            note["text"] = self.note.text.decode()
        self.rules.told_version(self.note.version)
        watch["seq"] += 1
        params = {"watch": 1, "seq": watch["seq"], "cursor": self._cursor(), "change": "edited", "note": note,
                  "origin": {"dependent": 9, "label": "elsewhere"}, "moreThanKnown": [1]}
        return {"jsonrpc": "2.0", "method": "note.changed", "params": params}

    def _cursor(self):
        cursor = f"{len(self.note.main)}.{self.note.replica}"
        self.rules.cursors.add(cursor)
        return cursor

    def _shown(self):
        return {"id": self.note.id, "name": self.note.name, "version": self.note.version, "conflicts": [], "title": "",
                "tags": [], "created": "2026-01-01T00:00:00.000Z", "modified": "2026-01-01T00:00:00.000Z",
                "author": {"user": "other", "label": "elsewhere"}, "bytes": len(self.note.text), "deleted": False}

    def _lied(self, edits, can_be_found=True):
        """The edits, or wrong ones: invalid, or, if the size of the note comes with them, leading
        to another text."""
        if not self.trick("lies") or not edits:
            return edits
        self.rules.was_lied_to = True
        start, stop, new = edits[0]
        if can_be_found and self.random.random() < 0.5:
            return [(start, stop, new + b"LIE")] + edits[1:]
        return [(10 ** 6, 10 ** 6, new)]

    # Requests.

    def _answer(self, request):
        method, params, number = request["method"], request.get("params", {}), request.get("id")
        is_write = method in WRITES
        if is_write:
            self.rules.write_came(method, params)
        if self.trick("overload") and method != "session.hello":
            self.rules.write_answered(may_come_again=is_write)
            self._send({"jsonrpc": "2.0", "id": None if self.random.random() < 0.2 else number,
                        "error": {"code": 4003, "message": "too much", "data": {"kind": "overloaded", "retryable": True}}})
            return
        if self.trick("hangup") and (method != "session.hello" or self.random.random() < 0.3):
            raise HangUp()
        if number is None:
            self._call(method, params)
            return
        if self.trick("late"):
            time.sleep(0.02)
            self._others_write()
        try:
            result = self._call(method, params)
        except Refusal as refusal:
            if is_write:
                self.rules.write_answered(may_come_again=refusal.body["code"] == 4003)
            self._send({"jsonrpc": "2.0", "id": number, "error": refusal.body})
            return
        if self.trick("hangup") and method != "session.hello":
            raise HangUp()
        if self.trick("away"):
            raise HangUp(self.random.choice([0.05, 0.3]))
        if is_write:
            self.rules.write_answered()
        self._send({"jsonrpc": "2.0", "id": number, "result": result})
        if self.trick("restart"):
            self.note.replica = f"{self.random.getrandbits(64):016x}"
            raise HangUp()

    def _call(self, method, params):
        handler = getattr(self, "_" + method.replace(".", "_"), None)
        if handler is None:
            raise Refusal(-32601, "method_not_found", f"no method {method}")
        return handler(params)
