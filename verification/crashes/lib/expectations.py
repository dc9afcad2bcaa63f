"""The requests to a daemon, its responses and its notifications: everything that it is held to
after a crash.

`Stream`s, one per connection, write a `Ledger` from the lines in both directions: during a load, or
from a recording up to any point. A ledger has no information about the disk.
"""

import collections
import hashlib
import json

import wording

# Texts by version that are kept complete, newest last, as bases for clients. For all others, the
# ledger keeps a digest.
TEXTS_KEPT = 24


def digest(text):
    return hashlib.blake2b(text, digest_size=16).digest()


class Request:
    """One request as a client sent it. `text` is the writer's own text, `base` the text that it
    edited. Of a `note.undo`, both are the text of the base, and `undoes` is the undone request."""

    __slots__ = ("id", "method", "params", "note", "text", "inserted", "removed", "lines", "undoes", "line")

    def __init__(self, id, method, params, text=None, base=b"", undoes=None):
        self.id = id
        self.method = method
        self.params = params
        self.note = params.get("id")
        self.text = text
        before, after = set(wording.tokens(base)), set(wording.tokens(text or b""))
        self.undoes = undoes
        self.inserted = after - before if self.is_write else set()
        self.removed = before - after if self.is_write else set()
        # The tokens of each line in which an edit inserts text, with the inserted ones; and of each
        # line, as the writer saw it, that has removed tokens. (An undo can leave what somebody typed
        # in a line at the start of the next one.)
        self.lines = wording.within_lines(base, wording.from_wire(params["edits"])) if method == "note.edit" else []
        if self.removed:
            self.lines += [line for line in map(set, map(wording.tokens, base.split(b"\n"))) if line & self.removed]
        self.line = json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}, ensure_ascii=False).encode() + b"\n"

    @property
    def is_write(self):
        return self.method in ("note.create", "note.save", "note.edit", "note.delete", "note.undo")


class WatchState:
    """What one watcher has received: its position, and the last received version of each note."""

    def __init__(self, name, params):
        self.name = name
        self.params = params
        self.cursor = None
        self.seq = 0
        self.synced = False
        self.catching_up = False
        self.known = {}
        self.texts = {}
        # Notes whose last notification was a deletion, or that left the filter.
        self.gone = set()
        # The cursor of each line since the last start, and what the line's note was before it: its
        # id, version, text and whether it was gone; or None.
        self.since_start = []
        # The newest lines and starts, to help diagnose a failure.
        self.lines = collections.deque(maxlen=40)

    def fork(self):
        other = WatchState(self.name, self.params)
        other.cursor, other.seq, other.synced = self.cursor, self.seq, self.synced
        other.known, other.texts, other.gone = dict(self.known), dict(self.texts), set(self.gone)
        other.lines = self.lines.copy()
        other.since_start = list(self.since_start)
        return other

    def note_before(self, id):
        return id, self.known.get(id), self.texts.get(id), id in self.gone

    def at(self, cursor, before):
        """Moves on to a line's cursor."""
        self.cursor = cursor
        self.since_start.append((cursor, before))

    def resume(self, cursor):
        """Goes back to a cursor, from which the client resumes. The daemon may have sent lines that
        the client had not read when it closed its connection. They come again: a resumed watch
        sends each note that changed after its cursor (W10 in `docs/protocol.md`)."""
        while cursor != self.cursor and self.since_start and self.since_start[-1][0] != cursor:
            _, before = self.since_start.pop()
            if before:
                self._put_back(*before)
        self.cursor, self.since_start = cursor, [(cursor, None)]

    def _put_back(self, id, version, text, is_gone):
        for values, value in ((self.known, version), (self.texts, text)):
            if value is None:
                values.pop(id, None)
            else:
                values[id] = value
        (self.gone.add if is_gone else self.gone.discard)(id)


class Ledger:
    """`world` has every dot that was ever sent, in any ledger that shares it: dot to (note, digest
    of the text)."""

    def __init__(self, world=None, traffic=None):
        self.world = {} if world is None else world
        # The path of a log of all lines in both directions, or None.
        self.traffic = traffic
        # All requests by id; forks share them.
        self.requests = {}
        self.pending = {}
        self.answered = {}
        self.refused = {}
        # By note: version to digest, in the order of delivery.
        self.shown = {}
        # By note: [(version, text)], newest last.
        self.texts = {}
        self.watches = {}
        # The false statements of the daemon, one sentence each.
        self.lies = []
        self.counter = [0]
        # The id of the store as sent to all clients, and the replicas of its runs.
        self.store = None
        self.replicas = set()

    def fork(self):
        """A ledger that starts with the contents of this one."""
        other = Ledger(self.world, self.traffic)
        other.requests = self.requests
        other.pending = dict(self.pending)
        other.answered = dict(self.answered)
        other.refused = dict(self.refused)
        other.shown = {note: dict(versions) for note, versions in self.shown.items()}
        other.texts = {note: list(texts) for note, texts in self.texts.items()}
        other.watches = {name: watch.fork() for name, watch in self.watches.items()}
        other.counter = self.counter
        other.store, other.replicas = self.store, set(self.replicas)
        return other

    def __getstate__(self):
        """The part that is kept of a failing case: all but the dots of other stores."""
        return dict(self.__dict__, world={}, traffic=None)

    def token(self):
        """A new token. It ends in a letter that no number has in the middle of a word search."""
        self.counter[0] += 1
        return f"t{self.counter[0]:x}e"

    def lie(self, *what):
        self.lies.append(" ".join(str(part) for part in what))

    def request(self, id, *args):
        request = Request(id, *args)
        self.requests[id] = request
        return request

    def undone(self, ids):
        """The requests that some of these requests undo."""
        return [self.requests[id].undoes for id in ids if self.requests[id].undoes]

    def sent(self, request):
        if request.id not in self.answered:
            self.pending[request.id] = request

    def told_text(self, note, version, text):
        """Records that a client received this text for this version."""
        if version == "":
            return
        seen = digest(text)
        versions = self.shown.setdefault(note, {})
        before = versions.get(version)
        if before is None:
            versions[version] = seen
            kept = self.texts.setdefault(note, [])
            kept.append((version, text))
            if len(kept) > TEXTS_KEPT:
                # Some old texts stay, so that some bases are very old.
                del kept[len(kept) // 2]
        elif before != seen:
            self.lie(f"note {note}: version {version} was sent with two texts")
        if " " not in version:
            self.told_dot(version, note, seen)

    def told_dot(self, dot, note, seen):
        first = self.world.setdefault(dot, (note, seen))
        if first != (note, seen):
            self.lie(f"dot {dot} was used twice: in note {first[0]} and in {note}, with different content")

    def answer(self, id, answer):
        request = self.requests.get(id)
        if request is None:
            self.lie(f"a response without a request: {id}")
            return
        was_pending = self.pending.pop(id, None) is not None
        if "error" in answer:
            # A request that was answered before and is sent again may be refused for other reasons.
            if was_pending and id not in self.answered:
                self.refused[id] = answer["error"]
            return
        result = answer["result"]
        first = self.answered.setdefault(id, result)
        if request.is_write:
            self._write_answered(request, first, result)
        elif request.method == "session.hello":
            self._hello_answered(result)
        elif request.method == "note.get" and "text" in result["note"] and not result["note"]["deleted"]:
            self.told_text(result["note"]["id"], result["note"]["version"], result["note"]["text"].encode())

    def _hello_answered(self, result):
        self.replicas.add(result["replica"])
        self.store = self.store or result["store"]
        if self.store != result["store"]:
            self.lie(f"the store was {self.store}, and is {result['store']} now")

    def _write_answered(self, request, first, result):
        if request.method == "note.create":
            version = result["note"]["version"]
            if first["note"]["version"] != version and not result.get("replayed"):
                self.lie(f"{request.id} was answered {first['note']['version']}, then {version}")
            if not result.get("replayed"):
                self.told_text(request.note, version, request.text)
            return
        if (first.get("dot"), first["version"]) != (result.get("dot"), result["version"]):
            self.lie(f"{request.id} was answered {first['version']}, then {result['version']}")
        if request.method != "note.undo":
            # An undo's own text can lack what others wrote, so it is known only if it is shown.
            self.told_text(request.note, result["version"], request.text)
        shown = result.get("note")
        if shown:
            text = shown["text"].encode() if "text" in shown else wording.apply(request.text, wording.from_wire(shown["edits"]))
            self.told_text(request.note, shown["version"], text)


class Stream:
    """One connection, read into a ledger: the lines that the daemon received and sent."""

    def __init__(self, ledger):
        self.ledger = ledger
        self.watch_requests = {}
        self.watch_numbers = {}
        self.dependent = None

    def sent(self, request):
        self.ledger.sent(request)

    def received(self, line):
        """Reads a line of the daemon. Returns it decoded."""
        message = json.loads(line)
        if "method" in message:
            self._told(message["method"], message["params"])
            return message
        id = message.get("id")
        request = self.ledger.requests.get(id)
        if request is not None and request.method == "notes.watch" and "result" in message:
            self._watching(request, message["result"])
        self.ledger.answer(id, message)
        return message

    def _watching(self, request, result):
        name = request.params["include"] + request.id.split(":")[0]
        watch = self.ledger.watches.get(name)
        if watch is None or "since" not in request.params:
            watch = self.ledger.watches[name] = WatchState(name, request.params)
        else:
            if result["reset"]:
                self.ledger.lie(f"watch {name} resumed from cursor {request.params['since']}, and was reset: a delivered commit is gone")
            watch.resume(request.params["since"])
        watch.lines.append(("watch", request.params.get("since"), result["cursor"]))
        watch.seq, watch.synced = 0, False
        watch.catching_up = "since" in request.params
        self.watch_numbers[result["watch"]] = watch

    def _told(self, method, params):
        watch = self.watch_numbers.get(params.get("watch"))
        if watch is None:
            return
        watch.seq += 1
        if params["seq"] != watch.seq:
            self.ledger.lie(f"watch {watch.name}: seq {params['seq']} where {watch.seq} comes next")
        note = params.get("note", {})
        watch.lines.append((method, params["seq"], params.get("cursor"), note.get("id"), note.get("version"), params.get("change")))
        before = watch.note_before(note["id"]) if note else None
        if method == "note.changed":
            self._changed(watch, params)
        if method == "watch.synced":
            watch.synced = True
            watch.catching_up = False
        if "cursor" in params:
            watch.at(params["cursor"], before)

    def _changed(self, watch, params):
        note = params["note"]
        id, version = note["id"], note["version"]
        if watch.known.get(id) == version:
            self.ledger.lie(f"watch {watch.name} received {version} of note {id} twice")
        text = None
        if params["change"] in ("deleted", "left"):
            text = b""
        elif "text" in note:
            text = note["text"].encode()
        elif "edits" in note:
            if note["base"] == watch.known.get(id) and id in watch.texts:
                text = wording.apply(watch.texts[id], wording.from_wire(note["edits"]))
        watch.known[id] = version
        (watch.gone.add if params["change"] in ("deleted", "left") else watch.gone.discard)(id)
        if text is None:
            watch.texts.pop(id, None)
        else:
            if watch.params["include"] == "edits":
                watch.texts[id] = text
            self.ledger.told_text(id, version, text)
