"""A daemon that does everything that the protocol allows and that a plugin would rather not meet.

It holds one note, `hostile`. `tricks` says what it does, each with how likely it is; `TRICKS` names them. It runs on a thread of its own,
and `calm()` makes it a friendly daemon, so that a test can see whether the editor ends where it should.
"""

import json
import os
import random
import select
import socket
import threading
import time

import texts
from hostile_note import HostileNote, UnknownVersion
from rules import Rules

TRICKS = {
    "late": "answers come late, and others write meanwhile",
    "merging": "others write before every write, so that each answer brings something",
    "conflicts": "answers say that there are conflicts",
    "chatter": "lines of others' edits come between a request and its answer, in pieces, many in one write, with blank lines",
    "hangup": "the connection ends before a request was done, or before its answer",
    "away": "the connection ends, and nobody listens for a while",
    "reset": "watches are reset, and lines are dropped",
    "overload": "requests get 4003, also without their id",
    "refusals": "requests get errors that pass",
    "lies": "edits are wrong: they cannot be made, or lead to another text than the daemon has",
    "forgets": "the daemon has lost its newest versions",
    "restart": "the daemon comes back as another replica, and knows no cursor",
}

# Each write of others has a character that nothing else has, and something behind it.
FIRST_OF_OTHERS = 0xAC00
TAILS = [b"", b"zero ", b"\n", "é".encode(), b" - "]
WRITES = {"note.edit", "note.save", "note.create", "note.delete"}


class Refusal(Exception):
    def __init__(self, code, kind, message, retryable=False, **data):
        super().__init__(message)
        self.body = {"code": code, "message": message, "data": dict(data, kind=kind, retryable=retryable)}


class HangUp(Exception):
    """The connection ends now. `away_s` is how long nobody listens."""

    def __init__(self, away_s=0.0):
        super().__init__()
        self.away_s = away_s


class HostileDaemon(threading.Thread):
    def __init__(self, path, seed, tricks, text=b"one\ntwo\nthree\n"):
        super().__init__(daemon=True)
        self.path = path
        self.random = random.Random(seed)
        self.tricks = {name: 0.25 for name in tricks}
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

    # What the test says.

    def calm(self):
        """From now on it is friendly, and tells truthfully what the note is."""
        with self.lock:
            self.calmed = True

    def stop(self):
        self.stopping = True
        self.join(10)
        self.listener.close()

    def others_write(self):
        """Somebody else writes a word somewhere; the editor is told when there is something to tell."""
        with self.lock:
            self._others_write()

    def leave(self):
        """Ends the connection; nobody listens until `come_back`. What is written meanwhile has to come as a whole text."""
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

    # What others do.

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
        """The line for what the note is now; `base` is where the watch stood."""
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

    def _lied(self, edits):
        if not self.trick("lies") or not edits:
            return edits
        self.rules.was_lied_to = True
        start, stop, new = edits[0]
        return self.random.choice([[(start, stop, new + b"LIE")] + edits[1:], [(10 ** 6, 10 ** 6, new)]])

    # Requests.

    def _answer(self, request):
        method, params, number = request["method"], request.get("params", {}), request["id"]
        is_write = method in WRITES
        if is_write:
            self.rules.write_came(method, params)
        if self.trick("overload") and method != "session.hello":
            self.rules.write_answered(may_come_again=is_write)
            self._send({"jsonrpc": "2.0", "id": None if self.random.random() < 0.2 else number,
                        "error": {"code": 4003, "message": "too much", "data": {"kind": "overloaded", "retryable": True}}})
            return
        if self.trick("hangup"):
            raise HangUp()
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
        if self.trick("hangup"):
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
            raise Refusal(-32601, "method_not_found", f"there is no {method}")
        return handler(params)

    def _session_hello(self, params):
        self.rules.hello(params)
        self.has_hello = True
        return {"protocol": 1, "server": {"name": "hostile", "version": "0"}, "store": "feedfeedfeedfeed", "replica": self.note.replica,
                "dependent": 1, "user": {"uid": 0, "name": "me"}, "access": "write", "positionEncoding": "utf-8",
                "limits": {"maxLineBytes": 33554432, "maxNoteBytes": 4194304, "maxInFlight": 256, "maxDepth": 32,
                           "maxAnswerBytes": 8388608}, "capabilities": ["config", "search"], "cursor": self._cursor()}

    def _note_get(self, params):
        if params.get("name", self.note.name) != self.note.name or params.get("id", self.note.id) != self.note.id:
            raise Refusal(2001, "note_not_found", "there is no such note")
        if self.trick("refusals"):
            raise Refusal(-32603, "internal", "something failed")
        note = self._shown()
        try:
            if "from" in params:
                note["edits"] = texts.to_wire(self._lied(self.note.edits_from(params["from"])))
            else:
                version = params.get("at", self.note.version)
                note.update(version=version, text=self.note.text_at(version).decode())
        except UnknownVersion as error:
            raise Refusal(2003, "unknown_base", "not known", known="") from error
        self.rules.told_version(note["version"])
        return {"note": note}

    def _notes_watch(self, params):
        self.rules.watch(params)
        cursor = self._cursor()
        is_known = params.get("since", cursor).endswith(self.note.replica)
        since = int(params["since"].split(".")[0]) if "since" in params and is_known else len(self.note.main)
        version = self.note.main[min(since, len(self.note.main)) - 1][0] if is_known else "?"
        self.watch = {"seq": 0, "version": version if "since" in params else self.note.version}
        return {"watch": 1, "cursor": cursor, "reset": not is_known}

    def _notes_unwatch(self, params):
        self.watch = None
        return {}

    def _session_ping(self, params):
        return {}

    def _forget(self):
        """The newest versions are gone with their text, as after a backup was restored."""
        self.note.roll_back(self.random.randint(1, 4))
        self.results = {op: dot for op, dot in self.results.items() if self._since(dot) is not None}

    def _written(self, params, edits_of):
        op = params.get("op")
        if op in self.results:
            dot = self.results[op]
            return self._outcome(dot, self._since(dot), replayed=True)
        if self.trick("refusals"):
            raise Refusal(3001, "storage_full", "there is no room", retryable=True)
        if self.trick("merging"):
            self._others_write()
        if self.trick("forgets"):
            self._forget()
        try:
            text = self.note.text_at(params["base"])
        except UnknownVersion as error:
            self.rules.went_back()
            raise Refusal(2003, "unknown_base", "not known", known="") from error
        edits = edits_of(text)
        if edits is None:
            raise Refusal(2006, "invalid_edit", "cannot be made", index=0)
        if not edits:
            return {"outcome": "unchanged", "version": params["base"]} if not self.note.edits_from(params["base"]) else dict(
                self._outcome(params["base"], self._since(params["base"])), outcome="unchanged")
        dot, _ = self.note.write(params["base"], edits)
        self.results[op] = dot
        self.rules.told_version(dot)
        return self._outcome(dot, self._since(dot))

    def _since(self, version):
        try:
            return self.note.edits_from(version)
        except UnknownVersion:
            return None

    def _outcome(self, dot, since, replayed=False):
        result = {"outcome": "saved", "dot": dot, "version": dot}
        if replayed:
            result["replayed"] = True
        if since is None:
            # The version is gone since: the whole text says what is shown.
            result["note"] = {"version": self.note.version, "text": self.note.text.decode(), "conflicts": []}
        elif since or self.note.version != dot:
            result["note"] = {"version": self.note.version, "edits": texts.to_wire(self._lied(since)), "conflicts": []}
            result["outcome"] = "merged"
            if self.trick("conflicts"):
                result["outcome"] = "conflicted"
                result["note"]["conflicts"] = [{"id": "c" * 32, "kind": "text", "range": {"start": 0, "end": 0}, "base": "",
                                                "sides": []}]
        if "note" in result:
            self.rules.told_version(self.note.version)
        if self.watch:
            self.watch["version"] = self.note.version if self.random.random() < 0.8 else self.watch["version"]
        return result

    def _note_edit(self, params):
        return self._written(params, lambda text: self.rules.edits(params, text))

    def _note_save(self, params):
        def edits_of(text):
            new = params.get("text", text.decode()).encode()
            return [] if new == text else _by_lines(text, new)
        return self._written(params, edits_of)


def _by_lines(old, new):
    """What a save changes, found by lines."""
    import difflib
    left, right = old.splitlines(keepends=True), new.splitlines(keepends=True)
    offsets = [0]
    for line in left:
        offsets.append(offsets[-1] + len(line))
    edits = []
    for tag, i, j, k, m in difflib.SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if tag != "equal":
            edits.append((offsets[i], offsets[j], b"".join(right[k:m])))
    return edits
