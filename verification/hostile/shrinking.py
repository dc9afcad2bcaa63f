"""Shrinks a line that breaks a law while it still breaks it, and prints the command to send it
again."""

import strictjson
from strictjson import Real


def shrunk(line, breaks, tries_max=250):
    """The shortest line found for which `breaks` is true."""
    tries = 0

    def attempt(candidate):
        nonlocal tries
        tries += 1
        return tries <= tries_max and candidate != line and len(candidate) <= len(line) and breaks(candidate)

    smaller = True
    while smaller and tries < tries_max:
        smaller = False
        for candidate in candidates(line):
            if attempt(candidate):
                line, smaller = candidate, True
                break
    return line


def candidates(line):
    try:
        value = strictjson.parse(line)
        yield strictjson.dump(value)
        for smaller in simpler(value):
            yield strictjson.dump(smaller)
    except strictjson.NotJSON:
        size = len(line) // 2
        while size:
            for at in range(0, len(line), size):
                yield line[:at] + line[at + size:]
            size //= 2


def simpler(value):
    if isinstance(value, dict):
        for name in value:
            yield {other: inner for other, inner in value.items() if other != name}
        for name, inner in value.items():
            for smaller in simpler(inner):
                yield value | {name: smaller}
    elif isinstance(value, list):
        for at, inner in enumerate(value):
            yield value[:at] + value[at + 1:]
            for smaller in simpler(inner):
                yield value[:at] + [smaller] + value[at + 1:]
    elif isinstance(value, str) and not isinstance(value, Real):
        size = len(value) // 2
        while size:
            yield value[:size]
            yield value[-size:]
            size //= 2
        if len(value) == 1:
            yield ""


def shell(data):
    """Bytes as a word of bash."""
    plain = all(0x20 <= byte < 0x7F and byte != 0x27 for byte in data)
    if plain:
        return "'" + data.decode() + "'"
    return "$'" + "".join(chr(byte) if 0x20 <= byte < 0x7F and byte not in b"'\\" else f"\\x{byte:02x}" for byte in data) + "'"


def again(lines, socket):
    """A command that sends the lines again, and shows the response."""
    return f"printf '%s\\n' {' '.join(map(shell, lines))} | socat -t 5 - UNIX-CONNECT:{socket}"
