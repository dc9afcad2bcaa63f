"""JSON as section 1 of docs/protocol.md restricts it, read without the daemon's parser, and written
in every allowed form."""

import json

DEPTH_MAX = 32
INTEGER_MAX = 2**53


class NotJSON(ValueError):
    pass


class Real(str):
    """A number with a fraction or an exponent, as it was written."""


class Raw(bytes):
    """Raw bytes for a text, valid JSON or not."""


class Pairs(list):
    """An object as its members, in order; a name may occur twice."""


def _number(digits):
    return int(digits) if len(digits) < 400 else (-1 if digits.startswith("-") else 1) * 10**400


def _members(pairs):
    names = [name for name, _ in pairs]
    if len(set(names)) < len(names):
        raise NotJSON("a member occurs twice")
    return dict(pairs)


def _constant(word):
    raise NotJSON(f"{word} is not a number")


def _check(value, depth, depth_max):
    if isinstance(value, str) and any("\ud800" <= letter <= "\udfff" for letter in value):
        raise NotJSON("half a surrogate pair")
    if isinstance(value, (dict, list)):
        if depth_max is not None and depth >= depth_max:
            raise NotJSON("too deep")
        for name in value if isinstance(value, dict) else ():
            _check(name, depth, depth_max)
        for inner in value.values() if isinstance(value, dict) else value:
            _check(inner, depth + 1, depth_max)


def parse(line, depth_max=DEPTH_MAX):
    """The value of one line; raises NotJSON for everything that the protocol refuses. Fractions are
    `Real`."""
    try:
        text = bytes(line).decode("utf-8")
        value = json.loads(
            text, object_pairs_hook=_members, parse_int=_number, parse_float=Real, parse_constant=_constant)
        _check(value, 0, depth_max)
    except NotJSON:
        raise
    except (ValueError, RecursionError) as fault:
        raise NotJSON(str(fault)) from None
    return value


def has_null(value):
    """Whether a string in it has U+0000."""
    if isinstance(value, dict):
        return any("\0" in name or has_null(inner) for name, inner in value.items())
    if isinstance(value, list):
        return any(map(has_null, value))
    return isinstance(value, str) and "\0" in value


def dump(value, random=None):
    """The value as bytes. With a source of choices: with white space and escapes that do not change
    it."""
    space = (lambda: random.choice([b"", b"", b"", b" ", b"\t", b"  "])) if random else (lambda: b"")
    if isinstance(value, Raw):
        return bytes(value)
    if isinstance(value, Real):
        return str(value).encode()
    if isinstance(value, str):
        return _string(value, random)
    if isinstance(value, (dict, Pairs)):
        pairs = value.items() if isinstance(value, dict) else value
        inside = b",".join(space() + dump(name, random) + space() + b":" + space() + dump(inner, random) for name, inner in pairs)
        return b"{" + inside + space() + b"}"
    if isinstance(value, list):
        return b"[" + b",".join(space() + dump(inner, random) + space() for inner in value) + b"]"
    return json.dumps(value).encode()


def _string(value, random):
    # In a longer text, a choice for each letter is not worth the time.
    if random is None or len(value) > 500 or random.random() < 0.8:
        return json.dumps(value, ensure_ascii=bool(random and random.random() < 0.3)).encode()
    letters = []
    for letter in value:
        escaped = "".join(f"\\u{unit:04x}" for unit in _units(letter))
        letters.append(escaped if random.random() < 0.3 else json.dumps(letter, ensure_ascii=False)[1:-1])
    return ('"' + "".join(letters) + '"').encode()


def _units(letter):
    packed = letter.encode("utf-16-be", "surrogatepass")
    return [int.from_bytes(packed[at:at + 2], "big") for at in range(0, len(packed), 2)]
