"""The responses that docs/protocol.md requires for one line, computed without the daemon's code."""

import strictjson
from openrpc import is_of

BEFORE_HELLO = {"session.hello", "session.limit", "session.ping", "rpc.discover"}
HELLO_LINE_BYTES = 65_536
EXCHANGE = BEFORE_HELLO | {"revisions.known", "revisions.watch", "revisions.proceed", "revisions.complete", "revisions.adopt",
                            "peers.list", "file.begin", "file.put", "file.get", "files.have", "files.list"}
LEVELS = ("read", "write", "sync", "admin")
NEEDS = {
    **dict.fromkeys(("note.create", "note.save", "note.edit", "note.delete", "note.undo", "daemon.audit", "file.begin", "file.put",
                     "file.check"), "write"),
    **dict.fromkeys(("revisions.adopt", "peers.forget"), "sync"),
    **dict.fromkeys(("daemon.backup", "daemon.config", "note.purge", "revisions.drop"), "admin"),
}
DENIED, BUSY = 6001, {4003}
PARSE, REQUEST, METHOD, PARAMS, HELLO, PROTOCOL, EDIT, LONG = -32700, -32600, -32601, -32602, 1001, 1002, 2006, 4001
NEVER = {-32603, PARSE, REQUEST, METHOD, HELLO, LONG, 7001, 3001, 3002, 3003}

# Params of the right form that only the daemon can recognize as invalid.
MAYBE_WRONG = {
    "note.list": {"params.after"}, "note.search": {"params.query", "params.after"},
    "revisions.known": {"params.digests"}, "revisions.watch": {"params.peer.replica"}, "revisions.proceed": {"params.watch"}, "peers.forget": {"params.store"},
    "revisions.held": {"params.after"}, "file.put": {"params.data"},
    "revisions.list": {"params.after"}, "links.to": {"params.after"}, "links.missing": {"params.after"}, "notes.watch": {"params.since"},
    "note.create": {"params.op"}, "note.save": {"params.op"}, "note.edit": {"params.op"}, "note.delete": {"params.op"},
    "note.purge": {"params.op"},
    "presence.set": {"params.selection", "params.version"}, "daemon.backup": {"params.path"},
    "notes.unwatch": {"params.watch"}, "note.history": {"params.before"},
}


class Expected:
    """The allowed responses: `codes` of errors, for some of them the paths, and a result if
    `result`."""

    def __init__(self, id=None, codes=(), paths=None, result=False, method=None, params=None, index=None):
        self.id = id
        self.codes = set(codes)
        self.paths = paths
        self.result = result
        self.method = method
        self.params = params
        self.index = index
        self.line = b""
        self.encoding = "utf-8"


class Session:
    """The part of a connection's state that determines its responses."""

    def __init__(self, contract, limits, texts):
        self.contract = contract
        self.limits = limits
        self.texts = texts
        self.registered = False
        # What session.limit left of the rights of the daemon's own user.
        self.access, self.only_exchange, self.person, self.note = "admin", False, None, None
        self.encoding = "utf-8"
        self.too_long = 0
        self.closed = False
        self.may_be_somewhere = False

    def expect(self, raw):
        """The expectation for one line without its LF; None if there is no response."""
        if self.closed:
            return None
        limit = self.limits["maxLineBytes"] if self.registered else HELLO_LINE_BYTES
        if len(raw) > limit:
            self.too_long += 1
            self.closed = self.too_long == 3
            return self._told(Expected(codes={LONG}), raw)
        line = raw[:-1] if raw.endswith(b"\r") else raw
        if not line.strip(b" \t\r"):
            return None
        expected = self._expect(line)
        return expected and self._told(expected, raw)

    def _told(self, expected, raw):
        expected.line = raw
        expected.encoding = self.encoding
        return expected

    def _expect(self, line):
        try:
            root = strictjson.parse(line, self.limits["maxDepth"])
        except strictjson.NotJSON:
            return Expected(codes={PARSE})
        if not isinstance(root, dict):
            return Expected(codes={REQUEST})
        id = root.get("id")
        has_id = is_of("string", id) or is_of("integer", id) and abs(id) <= strictjson.INTEGER_MAX
        expected = Expected(id=id if has_id else None, codes={REQUEST})
        method = root.get("method")
        known = is_of("string", method) and method in self.contract.methods
        silent = "id" not in root and known and method == "presence.set"
        named = set(root) <= {"jsonrpc", "id", "method", "params"} and is_of("string", root.get("jsonrpc")) and is_of("string", method)
        named = named and root["jsonrpc"] == "2.0"
        if not named or not has_id and not silent:
            return expected
        self.may_be_somewhere |= method == "presence.set"
        if silent:
            return None
        if not self.registered and method not in BEFORE_HELLO:
            expected.codes = {HELLO}
        elif strictjson.has_null(root):
            expected.codes = {PARAMS}
        elif not known:
            expected.codes = {METHOD}
        elif self.registered and method == "session.hello":
            expected.codes = {REQUEST}
        else:
            self._params(expected, method, root.get("params", {}))
        return expected

    def _params(self, expected, method, params):
        faults = self.contract.request_faults(method, params)
        expected.params = params
        if method == "presence.set" and isinstance(params, dict) and params.get("note", "") is None:
            faults |= {f"params.{name}" for name in ("version", "selection") if params.get(name) is not None}
        if method == "note.save" and isinstance(params, dict) and "text" in params and "file" in params:
            faults |= {"params.file"}
        if faults:
            expected.codes, expected.paths = {PARAMS}, faults | MAYBE_WRONG.get(method, set())
            return
        if method == "session.limit":
            self._limit(expected, params)
            return
        needed = LEVELS.index(NEEDS.get(method, "read"))
        is_outside = self.only_exchange and method not in EXCHANGE or self.note is not None and not self._keeps_to_note(method, params)
        if is_outside or needed > LEVELS.index(self.access):
            expected.codes = {DENIED} | self.contract.allowed_codes(method) & BUSY
            # The daemon reads all params before it looks at the connection's rights.
            if MAYBE_WRONG.get(method):
                expected.codes, expected.paths = expected.codes | {PARAMS}, MAYBE_WRONG[method]
            return
        expected.method = method
        expected.codes = self.contract.allowed_codes(method) - NEVER
        expected.paths = MAYBE_WRONG.get(method, set())
        if not expected.paths:
            expected.codes -= {PARAMS}
        expected.result = True
        if method == "session.hello":
            self._hello(expected, params)
        elif method == "note.edit":
            self._edits(expected, params)
        elif method == "presence.set":
            self._selection(expected, params)

    def _limit(self, expected, params):
        expected.method = "session.limit"
        for name, own in (("user", self.person), ("note", self.note)):
            if params.get(name, own) != own and (own is not None or self.registered):
                expected.codes = {DENIED}
                return
        self.access = min(self.access, params.get("access", "admin"), key=LEVELS.index)
        self.only_exchange |= params.get("methods") == "exchange"
        self.person, self.note = params.get("user", self.person), params.get("note", self.note)
        expected.codes, expected.result = set(), True

    def _keeps_to_note(self, method, params):
        """Whether a connection that is limited to a note may send a request."""
        if method in ("note.get", "note.history", "note.edit"):
            return params.get("id") == self.note
        if method == "note.save":
            return params["id"] == self.note and "name" not in params and "file" not in params
        if method == "notes.watch":
            return set(params.get("filter", {}).get("ids", [])) == {self.note}
        if method == "presence.set":
            return params["note"] in (None, self.note)
        return method in BEFORE_HELLO or method == "notes.unwatch"

    def _hello(self, expected, params):
        if 1 not in params["protocol"]:
            expected.codes, expected.result = {PROTOCOL}, False
            return
        expected.codes = set()
        self.registered = True
        known = [one for one in params.get("positionEncoding", []) if one in ("utf-8", "utf-16", "utf-32")]
        self.encoding = (known or ["utf-8"])[0]

    def text(self, note, version):
        """The text of a known version; None of any other."""
        return "" if version == "" else self.texts.get((note, canonical(version)))

    def _edits(self, expected, params):
        text = self.text(params["id"], params["base"]) if "base" in params else None
        if text is None:
            return
        expected.index = first_wrong(params["edits"], text, self.encoding)
        if expected.index is None:
            expected.codes -= {EDIT}
        else:
            expected.result = False

    def _selection(self, expected, params):
        selection = params.get("selection")
        text = None if selection is None else self.text(params["note"], params["version"])
        if selection is None:
            expected.codes -= {PARAMS}
        elif text is not None:
            places = boundaries(text, self.encoding)
            if selection["start"] <= selection["end"] and {selection["start"], selection["end"]} <= places:
                expected.codes -= {PARAMS}
            else:
                expected.result = False


def canonical(version):
    dots = {(dot[:16], int(dot[17:])) for dot in version.split(" ") if dot}
    return " ".join(f"{replica}:{counter}" for replica, counter in sorted(dots))


def unit_bytes(letter, encoding):
    """The number of code units of a character."""
    return {"utf-8": len(letter.encode()), "utf-16": len(letter.encode("utf-16-le")) // 2, "utf-32": 1}[encoding]


def boundaries(text, encoding):
    places, at = {0}, 0
    for letter in text:
        at += unit_bytes(letter, encoding)
        places.add(at)
    return places


def first_wrong(edits, text, encoding):
    """The first invalid edit, counted from 0; None if all are valid."""
    places, least = boundaries(text, encoding), 0
    for index, edit in enumerate(edits):
        if not (least <= edit["start"] <= edit["end"] and {edit["start"], edit["end"]} <= places):
            return index
        least = edit["end"]
    return None


def edited(text, edits, encoding):
    """The text with the edits applied; None if they are invalid."""
    if first_wrong(edits, text, encoding) is not None:
        return None
    order = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[encoding]
    width = {"utf-8": 1, "utf-16": 2, "utf-32": 4}[encoding]
    units, made, at = text.encode(order), b"", 0
    for edit in edits:
        made += units[at * width:edit["start"] * width] + edit["text"].encode(order)
        at = edit["end"]
    return (made + units[at * width:]).decode(order)


def faults_of_answer(contract, texts, expected, answer):
    """The faults of a response, as (law, details)."""
    if set(answer) not in ({"jsonrpc", "id", "result"}, {"jsonrpc", "id", "error"}) or answer["jsonrpc"] != "2.0":
        return [("a response has jsonrpc, id, and result or error", answer)]
    if type(answer["id"]) is not type(expected.id) or answer["id"] != expected.id:
        return [("responses are in the order of the requests, each once, with its id", (expected.id, answer["id"]))]
    if "error" in answer:
        return _faults_of_error(contract, expected, answer["error"])
    if not expected.result:
        return [("a request that the protocol refuses is refused", (sorted(expected.codes), answer["result"]))]
    faults = [("a result matches docs/openrpc.json", fault) for fault in contract.result_faults(expected.method, answer["result"])]
    if not faults and expected.method == "note.get":
        faults += _faults_of_note(texts, expected, answer["result"]["note"])
    return faults


def _faults_of_error(contract, expected, error):
    faults = [("an error has its kind and its data", fault) for fault in contract.error_faults(error)]
    if faults:
        return faults
    code, data = error["code"], error["data"]
    if code == -32603:
        return [("no request causes an internal error", error)]
    if code not in expected.codes:
        return [("an error is one that this request can have", (sorted(expected.codes), error))]
    if code == PARAMS and expected.paths is not None and data["path"] not in expected.paths:
        return [("data.path names the place", (sorted(expected.paths), error))]
    if code == PARSE and data["offset"] > len(expected.line):
        return [("data.offset is in the line", (len(expected.line), error))]
    if "offset" in data and code == PARAMS and data["path"].partition(".")[2] not in ("query", "known", "refuses", "digests", "dots"):
        return [("data.offset occurs only for values with a grammar", error)]
    if "offset" in data and code == PARAMS and data["offset"] > len(expected.params[data["path"].partition(".")[2]].encode()):
        return [("data.offset is in the value", error)]
    if code == EDIT and expected.index is not None and data["index"] != expected.index:
        return [("data.index is the first invalid edit", (expected.index, error))]
    return []


def _faults_of_note(texts, expected, note):
    params = expected.params
    if "at" not in params or "id" not in params:
        return []
    known = "" if params["at"] == "" else texts.get((params["id"], canonical(params["at"])))
    if known is None:
        return []
    if "from" not in params:
        return [] if note["text"] == known else [("the text of a version does not change", (known, note))]
    base = "" if params["from"] == "" else texts.get((params["id"], canonical(params["from"])))
    if base is None:
        return []
    made = edited(base, note["edits"], expected.encoding) if "edits" in note else note.get("text")
    return [] if made == known else [("edits from one version give the other", (base, known, note))]
