"""Texts with tokens in them, and changes of such texts: what the load writes and the judge looks
for.

A token such as `[t1f]` is inserted by a single write. A write removes the tokens that are in its
base and not in its own text. Texts are bytes here, so that offsets are those of the wire.
"""

import re

TOKEN = re.compile(rb"\[(t[0-9a-f]+e)\]")
WORDS = "milk bread oat crème 日本 ледник tea salt moor 🌊 lantern nine wren quay slate".split()


def tokens(text):
    """The tokens of a text, in order; a token that occurs twice is listed twice."""
    return TOKEN.findall(text)


def apply(text, edits):
    parts, at = [], 0
    for start, stop, new in edits:
        parts += [text[at:start], new]
        at = stop
    return b"".join(parts + [text[at:]])


def within_lines(text, edits):
    """For each edit that does not insert or remove whole lines: the set of the tokens of its lines
    and of its own text."""
    found = []
    for start, stop, new in edits:
        first, end = text.rfind(b"\n", 0, start) + 1, text.find(b"\n", stop)
        if start != first or stop != text.rfind(b"\n", 0, stop) + 1 or new and not new.endswith(b"\n"):
            found.append(set(tokens(text[first:len(text) if end < 0 else end])) | set(tokens(new)))
    return found


def to_wire(edits):
    return [{"start": start, "end": stop, "text": new.decode()} for start, stop, new in edits]


def from_wire(items):
    return [(item["start"], item["end"], item["text"].encode()) for item in items]


def phrase(random, count):
    return " ".join(random.choice(WORDS) for _ in range(count))


def filler(random, size):
    """Lines of text that do not compress, about `size` bytes."""
    line = "{:032x} {:032x} {:032x}\n"
    return "".join(line.format(*(random.getrandbits(128) for _ in range(3))) for _ in range(size // 99)).encode()


class Writing:
    """Makes new texts and edits; `random` decides, `token()` returns new tokens."""

    def __init__(self, random, token):
        self.random = random
        self.token = token

    def line(self):
        return f"{phrase(self.random, 2)} [{self.token()}] {phrase(self.random, self.random.randrange(4))}\n".encode()

    def text(self, lines, size=0):
        return b"".join(self.line() for _ in range(lines)) + filler(self.random, size)

    def _spans(self, text):
        spans, at = [], 0
        for line in text.splitlines(keepends=True):
            spans.append((at, at + len(line)))
            at += len(line)
        return spans

    def edits(self, text, most_bytes, whole_lines, drops):
        """Edits in one to four lines: lines are added and, with `drops`, removed; unless
        `whole_lines`, tokens are added beside others or replace them. Above `most_bytes`, edits
        remove more than they add."""
        spans = self._spans(text)
        if not spans:
            return [(0, len(text), self.line())]
        made = []
        is_large = len(text) > most_bytes
        for start, stop in sorted(self.random.sample(spans, min(len(spans), self.random.randrange(1, 5)))):
            kind = self.random.random()
            line = text[start:stop]
            if is_large and kind < 0.8 or drops and kind < 0.25:
                made.append((start, stop, b""))
            elif whole_lines or kind < 0.5:
                made.append((start, start, self.line()))
            else:
                made.append(self._within(line, start, stop))
        if is_large and len(text) > 2 * most_bytes:
            made = [(spans[0][0], spans[len(spans) // 2][1], self.line())]
        return made

    def _within(self, line, start, stop):
        found = list(TOKEN.finditer(line))
        new = f"[{self.token()}]".encode()
        if not found:
            return (start, start, self.line())
        token = self.random.choice(found)
        if self.random.random() < 0.4:
            return (start + token.start(), start + token.end(), new)
        return (start + token.end(), start + token.end(), b" " + new)

    def saved(self, text, most_bytes, drops=True):
        """A whole text: the given one, with lines added and removed."""
        return apply(text, self.edits(text, most_bytes, whole_lines=True, drops=drops))
