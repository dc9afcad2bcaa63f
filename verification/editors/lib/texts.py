"""Edits of texts as bytes: `(start, stop, new)`, sorted and disjoint. The hostile daemon uses them;
they are independent of the plugins' code."""

import difflib


def apply(text, edits):
    parts, at = [], 0
    for start, stop, new in edits:
        parts += [text[at:start], new]
        at = stop
    return b"".join(parts + [text[at:]])


def compose(length, lists):
    """One list of edits equal to several lists applied one after the other to a text of `length`
    bytes."""
    pieces = [(0, length)] if length else []
    for edits in lists:
        for start, stop, new in reversed(edits):
            pieces = _cut(pieces, start, stop, new)
    return _read(pieces, length)


def _size(piece):
    return len(piece) if isinstance(piece, bytes) else piece[1] - piece[0]


def _part(piece, start, stop):
    return piece[start:stop] if isinstance(piece, bytes) else (piece[0] + start, piece[0] + stop)


def _cut(pieces, start, stop, new):
    """The pieces with these bytes replaced."""
    before, after, at = [], [], 0
    for piece in pieces:
        size = _size(piece)
        if at < start:
            before.append(_part(piece, 0, min(size, start - at)))
        if at + size > stop:
            after.append(_part(piece, max(0, stop - at), size))
        at += size
    return before + ([new] if new else []) + after


def _read(pieces, length):
    edits, at, new = [], 0, b""
    for piece in pieces + [(length, length)]:
        if isinstance(piece, bytes):
            new += piece
            continue
        if new or piece[0] > at:
            edits.append((at, piece[0], new))
        at, new = piece[1], b""
    return edits


def transform(edits, over, first=False):
    """The edits transformed to apply after `over`, both for one text. `over` comes first at an
    equal place, or not."""
    return [moved for start, stop, new in edits for moved in _moved(start, stop, new, over, first)]


def _moved(start, stop, new, over, first):
    """One edit: its inserted text, and the rest of the range that it removes."""
    kept, at, shift, place = [], start, 0, None
    for o_start, o_stop, o_new in over:
        if place is None and (o_start > start or first and o_start == start):
            place = start + shift
        if o_start >= stop and not (o_start == o_stop == start):
            break
        if o_stop > at or o_start == o_stop:
            if o_start > at:
                kept.append((at + shift, o_start + shift))
            at = max(at, o_stop)
        shift += len(o_new) - (o_stop - o_start)
        if o_start <= start < o_stop and place is None:
            place = o_stop + shift
    if place is None:
        place = start + shift
    if at < stop:
        kept.append((at + shift, stop + shift))
    edits = [(place, place, new)] if new else []
    for begin, end in kept:
        if edits and edits[-1][1] == begin:
            edits[-1] = (edits[-1][0], end, edits[-1][2])
        else:
            edits.append((begin, end, b""))
    return sorted(edits)


def to_wire(edits):
    return [{"start": start, "end": stop, "text": new.decode()} for start, stop, new in edits]


def from_wire(items, text):
    """The edits of a request; raises ValueError with the index of an invalid edit."""
    edits, at = [], 0
    for index, item in enumerate(items):
        start, stop = item["start"], item["end"]
        inside = [text[place:place + 1] for place in (start, stop) if 0x80 <= (text[place:place + 1] or b"a")[0] < 0xC0]
        if not at <= start <= stop <= len(text) or inside:
            raise ValueError(index)
        edits.append((start, stop, item["text"].encode()))
        at = stop
    return edits


def character_start(text, offset):
    """The offset, or the start of the character that contains it."""
    while offset < len(text) and 0x80 <= text[offset] < 0xC0:
        offset -= 1
    return offset


def by_lines(old, new):
    """The edits of a save, found line by line."""
    left, right = old.splitlines(keepends=True), new.splitlines(keepends=True)
    offsets = [0]
    for line in left:
        offsets.append(offsets[-1] + len(line))
    edits = []
    for tag, i, j, k, m in difflib.SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if tag != "equal":
            edits.append((offsets[i], offsets[j], b"".join(right[k:m])))
    return edits
