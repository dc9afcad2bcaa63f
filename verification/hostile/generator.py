"""Requests from docs/openrpc.json: valid ones, slightly wrong ones, and lines that are not requests
at all."""

import base64
import hashlib

import strictjson
from strictjson import Pairs, Raw, Real

WRONG = [
    None, True, False, 0, -1, 1, 2**31, 2**53, 2**53 + 1, -2**53 - 1, 2**63 - 1, 2**63, -2**63 - 1, 2**64, "", "x", "0", [], {},
    [[]], [None], [{}], {"": 0}, Real("1.0"), Real("1e0"), Real("1e400"), Real("-1E-400"), Real("0.1"), Raw(b"-0"), Raw(b"-0.0"),
    "\0", "a\0b", "\ufeff", "\u2028", "é", "e\u0301", "🙂", "\U0010ffff", "../x", "a//b", "%s%n", "' OR 1=1 --", "A" * 70, "é" * 513,
    Raw(b"1" * 500), Raw(b"9" * 5000), Raw(b"[" * 31 + b"]" * 31), Raw(b'{"a":' * 20 + b"1" + b"}" * 20),
]
BROKEN = [
    b"NaN", b"Infinity", b"01", b"1.", b".5", b"+1", b"0x10", b"tru", b"'a'", b'"\\ud800"', b'"\\udc00"', b'"\\ud800\\u0041"',
    b'"\xff"', b'"\xc0\xaf"', b'"\xed\xa0\x80"', b'"\xf4\x90\x80\x80"', b'"a\tb"', b'"\\x41"', b'"\\u00g0"', b'"\\', b'"', b"{", b"[",
    b"{,}", b"[1,]", b'{"a":1,}', b'{"a":1,"a":1}', b'{"a":1,"\\u0061":2}', b"[" * 33 + b"]" * 33, b"[" * 100_00, b'{"a":' * 500,
    b"/**/1", b"1 2", b"\x00", b"\xef\xbb\xbf1", b"\xfe\xff", b"-", b"1e", b"1e+", b"nul", b"}", b",", b":",
]
# The last four are not times: the day, the month or the hour does not exist, or the second is a leap
# second.
CONTENTS = [b"", b"a", b"hello\n", b"x" * 4000]
TIMES = [
    "2019-05-04T10:00:00.123Z", "0000-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z",
    "2024-02-29T00:00:00.000Z", "2023-02-29T00:00:00.000Z", "2023-13-01T00:00:00.000Z", "2023-01-01T24:00:00.000Z",
    "2016-12-31T23:59:60.000Z",
]
LETTERS = ["a", "b", "\n", " ", "é", "e\u0301", "漢", "🙂", "👩‍👩‍👧", "\r\n", "\u2028", "#tag ", "\t", "\"", "\\", "\x7f", "\x01", "milk "]
WORDS = ["milk", "bread", "é", "日本", "a*", "mi*", "tag:todo", "name:work", "AND", "OR", "NOT", "-", "(", ")", '"', "*", "-x", "tag:", "  "]


class Generator:
    def __init__(self, contract, random, world):
        self.contract = contract
        self.random = random
        self.world = world
        self.next_id = 0
        self.encoding = "utf-8"
        self.weights = {name: 3 for name in contract.methods} | {
            "note.create": 6, "note.save": 12, "note.edit": 14, "note.get": 8, "note.delete": 4, "note.search": 6, "notes.watch": 5,
            "presence.set": 6, "note.purge": 1, "daemon.backup": 0.2, "daemon.audit": 0.2, "daemon.metrics": 0.5, "rpc.discover": 0.3,
            "session.hello": 1.5, "session.limit": 0.1}

    # Lines.

    def line(self):
        """One line, without its LF; it may contain anything."""
        chance = self.random.random()
        if chance < 0.04:
            return self.random.choice(BROKEN)
        if chance < 0.06:
            return self.random.choice([b"", b" \t", b"\r", b"[]", b"{}", b"null", b"1", b'"x"', b"[{}]", b"\xef\xbb\xbf{}"])
        if chance < 0.08:
            return bytes(self.random.randrange(256) for _ in range(self.random.randrange(60))).replace(b"\n", b"")
        line = self.dumped(self.request())
        if self.random.random() < 0.06:
            line = self.damaged(line)
        if self.random.random() < 0.1:
            line += b"\r"
        return b"\xef\xbb\xbf" + line if self.random.random() < 0.005 else line

    def dumped(self, request):
        return strictjson.dump(request, self.random if self.random.random() < 0.4 else None)

    def damaged(self, line):
        at = self.random.randrange(len(line))
        kind = self.random.randrange(4)
        if kind == 0:
            return line[:at]
        if kind == 1:
            return line[:at] + line[at + 1 + self.random.randrange(8):]
        piece = self.random.choice(BROKEN) if kind == 2 else bytes([self.random.randrange(256)]).replace(b"\n", b"\r")
        return line[:at] + piece + line[at + (kind == 3):]

    def request(self, method=None):
        random = self.random
        method = method or random.choices(list(self.weights), list(self.weights.values()))[0]
        self.next_id += 1
        request = {"jsonrpc": "2.0", "id": self.next_id, "method": method}
        params = self.params(method)
        if random.random() < 0.4:
            params = self.wrong(method, params)
        if params or random.random() < 0.5:
            request["params"] = params
        if method == "presence.set" and random.random() < 0.5:
            del request["id"]
        if random.random() < 0.06:
            request = self.wrong_envelope(request)
        return request

    def wrong_envelope(self, request):
        random = self.random
        kind = random.randrange(9)
        if kind == 0:
            request["id"] = random.choice([None, Real("1.0"), Real("1e3"), True, [1], {}, 2**53 + 1, Raw(b"-0"), Raw(b"9" * 40)])
        elif kind == 1:
            request["id"] = random.choice(["", "é🙂", "a" * 300, -2**53, 2**53, 0, "\0", "id"])
        elif kind == 2:
            request["jsonrpc"] = random.choice(["1.0", 2.0, None, 2, "2.0 ", [], "2.0\0"])
        elif kind == 3:
            request["method"] = random.choice(["", "note", "Note.get", "note.get ", None, 7, ["note.get"], "session.hello\0", "x" * 999])
        elif kind == 4:
            request["params"] = random.choice([None, [], [1], "x", 0, True])
        elif kind == 5:
            request[random.choice(["parms", "", "result", "error", "Id", "method ", "x" * 300, "\0"])] = random.choice(WRONG)
        elif kind == 6:
            request.pop(random.choice(list(request)))
        elif kind == 7:
            pairs = Pairs(request.items())
            pairs.insert(random.randrange(len(pairs) + 1), random.choice(pairs))
            return pairs
        else:
            return [request] * random.randrange(3)
        return request

    # Params.

    def params(self, method):
        described = self.contract.methods[method]
        group = described.get("x-exactly-one") or described.get("x-at-least-one") or []
        chosen = {self.random.choice(group)} if group else set()
        id = self.world.note(self.random) if any(param["name"] in ("id", "note") for param in described["params"]) else None
        params = {}
        for param in described["params"]:
            name = param["name"]
            optional = name not in group and self.random.random() < 0.35 or "x-at-least-one" in described and self.random.random() < 0.4
            if param["required"] or name in chosen or optional:
                params[name] = self.value(method, name, param["schema"], id, params)
        if method in ("file.begin", "file.put") and self.random.random() < 0.6:
            content = self.random.choice(CONTENTS)
            params |= {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
            if method == "file.put":
                params |= {"offset": 0, "data": base64.b64encode(content).decode()}
        if method == "note.create" and "id" in params:
            params["id"] = self.world.new_id(self.random)
        if "selection" in params and params.get("selection") is not None and "version" not in params:
            params["version"] = self.world.version(self.random, id)
        return params

    def wrong(self, method, params):
        """Makes one or two params wrong, or unusual."""
        random = self.random
        for _ in range(random.choice([1, 1, 2])):
            kind = random.randrange(6)
            name = random.choice(list(params)) if params else None
            if kind == 0 and name:
                params.pop(name)
            elif kind == 1 and name:
                params[random.choice([name + " ", name.upper(), name[1:], name + "s", "\0" + name])] = params.pop(name)
            elif kind == 2:
                params[random.choice(["extra", "", "text", "base", "op", "id", "x" * 300, "é", "\0"])] = random.choice(WRONG)
            elif kind == 3 and name:
                pairs = Pairs(params.items())
                pairs.append((name, random.choice(WRONG)))
                return pairs
            elif name:
                params[name] = self.deeply_wrong(params[name])
        return params

    def deeply_wrong(self, value):
        random = self.random
        if isinstance(value, dict) and value and random.random() < 0.8:
            name = random.choice(list(value))
            return value | {name if random.random() < 0.8 else name + "x": self.deeply_wrong(value[name])}
        if isinstance(value, list) and value and random.random() < 0.8:
            at = random.randrange(len(value))
            return value[:at] + [self.deeply_wrong(value[at])] + value[at + 1:]
        if isinstance(value, str) and value and not isinstance(value, Real) and random.random() < 0.5:
            at = random.randrange(len(value))
            return random.choice([value[:at], value + random.choice(LETTERS), value[:at] + "\0" + value[at:], value.upper(), " " + value])
        if random.random() < 0.15:
            return Raw(random.choice(BROKEN))
        return random.choice(WRONG)

    def value(self, method, name, schema, id, params):
        random, world = self.random, self.world
        reference = next((one["$ref"] for one in [schema, *schema.get("oneOf", [])] if "$ref" in one), "").split("/")[-1]
        if "oneOf" in schema and random.random() < 0.2:
            return None
        if reference == "NoteId":
            return id
        if reference == "Version":
            return world.version(random, id)
        made = {
            "Dot": lambda: world.version(random, id).split(" ")[0], "Cursor": lambda: world.cursor(random),
            "Dots": lambda: self.dots(), "WireRevision": lambda: self.revision(),
            "ReplicaId": lambda: random.choice(["a" * 16, "b" * 16, "0123456789abcdef"]), "NoteName": lambda: world.name(random),
            "Op": lambda: random.choice(["a", "b", "c" * 64, "é" * 32, "c" * 65, f"{random.random()}"]),
            "Person": lambda: random.choice(["ada", "ada", "eve", "é" * 32, "é" * 33, "a\x7f", "a\u0085", "", "root"]),
            "Label": lambda: random.choice(["vim", "hostile", "root", "box/nvim", "", "l" * 1024, "l" * 1025]), "SearchQuery": lambda: self.query(),
            "Client": lambda: {"name": "hostile"} | random.choice([{}, {"version": "1"}]), "Filter": lambda: self.filter(id),
            "Selection": lambda: self.selection(id, params),
            "FileTimes": lambda: {"modified": random.choice(TIMES)} | random.choice([{}, {"created": random.choice(TIMES)}]),
            "Time": lambda: random.choice(TIMES),
            "FileHash": lambda: self.hash(),
            # Nobody uploads these bytes, so no note becomes a file.
            "FileContent": lambda: {"sha256": random.choice(["0", "f"]) * 64, "bytes": random.choice([0, 1, 2**53, 2**53 + 1])},
            "Base64": lambda: random.choice(["", "Ag==", "aGVsbG8K", "Ag=", "Ah==", "é"]),
            "ChangeTime": lambda: {"modified": random.choice(TIMES)} | random.choice([{}, {}, {}, {"created": TIMES[0]}]),
        }.get(reference)
        if made:
            return made()
        if name == "sha256s":
            return [self.hash() for _ in range(random.choice([0, 1, 2, 1000, 1001]))]
        if name == "edits":
            return self.edits(world.text(id, params.get("base")))
        if name == "resolves":
            return [random.choice([*world.conflicts, "0" * 32, "f" * 32]) for _ in range(random.randrange(3))]
        if name == "text":
            return self.text()
        if name == "path":
            return world.path(random)
        if name == "protocol":
            return random.choice([[1], [1, 2], [2, 1], [2], [], [-1, 1], [1] * 50])
        if name == "positionEncoding":
            return random.choice([["utf-8"], ["utf-16"], ["utf-32"], [], ["utf-7"], ["latin1", "utf-16"]])
        if name == "peer":
            return {"store": random.choice(["a" * 16, "b" * 16]), "replica": "c" * 16}
        if name == "revisions" and method == "revisions.adopt":
            return [self.revision() for _ in range(random.choice([0, 1, 1, 2, 9, 256, 257]))]
        if name == "lacking":
            return [world.version(random, id).split(" ")[0] or "a" * 16 + ":1" for _ in range(random.randrange(3))]
        if name == "targets":
            return [{"kind": random.choice(["wiki", "embed", "path", "id"]), "target": self.target()}
                    for _ in range(random.choice([1, 1, 2, 5, 100, 101, 0]))]
        if name == "after":
            return world.token(random)
        if schema["type"] == "integer":
            bounds = [schema.get("minimum", 0), schema.get("maximum", 5), 1, 2, 7]
            return random.choice(bounds + [bound + step for bound in bounds[:2] for step in (-1, 1)])
        return random.choice(schema.get("enum", [True, False]))

    def hash(self):
        content = self.random.choice([*CONTENTS, b"never"])
        return self.random.choice([hashlib.sha256(content).hexdigest()] * 4 + ["0" * 63, "F" * 64])

    def text(self):
        random, limit = self.random, self.world.limits["maxNoteBytes"]
        if random.random() < 0.03:
            return "x" * (limit + random.choice([-1, 0, 1, 9]))
        if random.random() < 0.02:
            return "é" * (limit // 2) + random.choice(["", "y"])
        return "".join(random.choice(LETTERS) for _ in range(random.choice([0, 1, 4, 12, 40])))

    def offsets(self, text):
        at, places = 0, [0]
        for letter in text[:300]:
            at += {"utf-8": len(letter.encode()), "utf-16": len(letter.encode("utf-16-le")) // 2, "utf-32": 1}[self.encoding]
            places.append(at)
        return places

    def edits(self, text):
        """Mostly edits that are valid for the text."""
        random = self.random
        places = self.offsets(text or "")
        marks = sorted(random.choice(places) for _ in range(2 * random.choice([0, 1, 1, 2, 4])))
        edits = [{"start": start, "end": end, "text": "".join(random.choices(LETTERS, k=random.randrange(3)))}
                 for start, end in zip(marks[::2], marks[1::2])]
        if edits and random.random() < 0.35:
            edit = random.choice(edits)
            far = [places[-1] + 1, -1, -2**53, 2**53, 2**31, 2**32, 10**6]
            edit[random.choice(["start", "end"])] = random.choice([edit["start"] + 1, edit["end"] - 1, *far])
            if random.random() < 0.3:
                random.shuffle(edits)
        return edits

    def selection(self, id, params):
        places = self.offsets(self.world.text(id, params.get("version")) or "")
        start, end = self.random.choice(places), self.random.choice(places)
        return self.random.choice([{"start": min(start, end), "end": max(start, end)}, {"start": start + 1, "end": end}])

    def dots(self):
        random = self.random
        return random.choice(["", "", "a" * 16 + ":1-7,9", "a" * 16 + ":1 " + "b" * 16 + f":{random.randrange(1, 9)}", "a" * 16 + ":2,1",
                              "a" * 16 + ":1-9223372036854775807", "a" * 16 + ":1-9223372036854775808", "a" * 16 + ":1,2"])

    def revision(self):
        """Bytes of a revision's beginning, or any bytes."""
        random = self.random
        head = bytes(random.choice([2, 2, 2, 1, random.randrange(256)]) for _ in range(1))
        head += bytes(random.choice([0, 1, 0x70, 0x80, random.randrange(256)]) for _ in range(random.randrange(60)))
        return {"head": base64.b64encode(head).decode(), "text": random.choice(["", "a\n", "\0", "é"])}

    def target(self):
        """The target of a link."""
        random = self.random
        return random.choice([
            self.world.name(random), "../" + self.world.name(random), "/x", "a.md?b", "x#y", "", ".", "..", "a/" * 60 + "b",
            "x" * 3500, "x" * 3501, "é" * 1751, "%zz%C3", "\\|"])

    def query(self):
        words = [self.random.choice(WORDS) for _ in range(self.random.choice([1, 2, 3, 5, 8]))]
        return self.random.choice([" ", " ", ""]).join(words) if self.random.random() < 0.97 else self.random.choice(
            ["w " * 64, "w " * 65, "(" * 16 + "w" + ")" * 16, "(" * 17 + "w" + ")" * 17, "x" * 4096, "x" * 4097, "é" * 2049])

    def filter(self, id):
        random = self.random
        members = {
            "ids": [id] * random.randrange(3), "prefix": random.choice(["", "w", "é", "x" * 2000]), "tag": random.choice(["tag", "", "#"]),
            "conflicted": random.random() < 0.5, "deleted": random.random() < 0.5}
        return {name: value for name, value in members.items() if random.random() < 0.3}
