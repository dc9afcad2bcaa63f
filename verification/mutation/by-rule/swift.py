"""Parses Swift code into tokens and brackets, as much of the language as is needed to find
expressions.

Relies on the output of `swift format`: binary operators, `?` and `:` of a conditional have white
space on both sides, other marks do not.
"""

import re

# Two words in one token, so that `try` and `?` are never separated.
TOKEN = re.compile(
    r"""
    (?P<space>\s+|//[^\n]*)
  | (?P<word>try[?!](?=\s)|as[?!](?=\s)|[$\\]?[A-Za-z_][A-Za-z_0-9]*|\$[0-9]+|`[A-Za-z_]+`|[@\#][A-Za-z_]+)
  | (?P<number>0x[0-9A-Fa-f_]+|0b[01_]+|[0-9][0-9_]*(?:\.[0-9][0-9_]*)?(?:e[-+]?[0-9]+)?)
  | (?P<mark>[()\[\]{},;:])
  | (?P<operator>\.\.[.<]|\.|->|[-+*/%<>=!&|^~?\\]+)
    """,
    re.VERBOSE,
)
CLOSERS = {"(": ")", "[": "]", "{": "}"}


class Token:
    """A word, a number, a string or a mark; `space` is the text before it, including comments."""

    __slots__ = ("kind", "text", "space", "line", "is_binary")

    def __init__(self, kind, text, space, line):
        self.kind, self.text, self.space, self.line = kind, text, space, line
        self.is_binary = False

    @property
    def source(self):
        return self.text

    def starts_line(self):
        return "\n" in self.space


class Group:
    """The content of a pair of brackets, with the brackets."""

    __slots__ = ("open", "close", "items")
    kind = "group"

    def __init__(self, opener):
        self.open, self.close, self.items = opener, None, []

    @property
    def text(self):
        return self.open.text

    @property
    def space(self):
        return self.open.space

    @property
    def line(self):
        return self.open.line

    is_binary = False

    @property
    def source(self):
        return self.open.text + "".join(item.space + item.source for item in self.items) + self.close.space + self.close.text

    def starts_line(self):
        return self.open.starts_line()


def string_end(text, start):
    """The end of the string that begins here, including its interpolations."""
    hashes = re.match("#*", text[start:]).group()
    place = start + len(hashes)
    quotes = '"""' if text.startswith('"""', place) else '"'
    place += len(quotes)
    while not text.startswith(quotes + hashes, place):
        if text.startswith("\\" + hashes + "(", place):
            place, depth = place + len(hashes) + 2, 1
            while depth:
                if text[place] == '"':
                    place = string_end(text, place)
                    continue
                depth += {"(": 1, ")": -1}.get(text[place], 0)
                place += 1
        elif text.startswith("\\" + hashes, place):
            place += len(hashes) + 2
        else:
            place += 1
    return place + len(quotes + hashes)


def tokens(text):
    """All tokens of a file, then one without text for the end of the file."""
    result, place, space, line = [], 0, "", 1
    while place < len(text):
        if re.compile('#*"').match(text, place):
            end = string_end(text, place)
            kind = "string"
        elif text.startswith("/*", place):
            end = text.index("*/", place) + 2
            kind = "space"
        else:
            match = TOKEN.match(text, place)
            if not match:
                raise ValueError(f"line {line}: unknown token: {text[place:place + 20]!r}")
            end, kind = match.end(), match.lastgroup
        part = text[place:end]
        if kind == "space":
            space += part
        else:
            result.append(Token(kind, part, space, line))
            space = ""
        line += part.count("\n")
        place = end
    result.append(Token("end", "", space, line))
    for index, token in enumerate(result[:-1]):
        spaced = bool(token.space) and bool(result[index + 1].space)
        token.is_binary = token.text in ("..<", "...") or spaced and (
            token.kind == "operator" or token.text in ("as", "as?", "as!", "is"))
        # `...` and `..<` without an operand on one side are not binary operators.
        if token.text in ("..<", "..."):
            before, after = result[index - 1], result[index + 1]
            token.is_binary = not (
                (before.text in ("(", "[", ",", "=", "in", "case") or token.space) or after.text in (")", "]", ",", "{", ":") or after.space)
    return result


def tree(text):
    """The tokens of a file as a list of tokens and groups; the last element has the trailing text."""
    stack, items = [], []
    for token in tokens(text):
        if token.kind == "mark" and token.text in CLOSERS:
            stack.append((items, Group(token)))
            items = stack[-1][1].items
        elif token.kind == "mark" and token.text in CLOSERS.values():
            items, group = stack.pop()
            if CLOSERS[group.text] != token.text:
                raise ValueError(f"line {token.line}: {token.text} closes {group.text} of line {group.line}")
            group.close = token
            items.append(group)
        else:
            items.append(token)
    if stack:
        raise ValueError(f"line {stack[-1][1].line}: {stack[-1][1].text} is not closed")
    return items


def split(items, is_separator):
    """The parts between separators, each with the separator that ends it; the last with None."""
    parts, part = [], []
    for item in items:
        if is_separator(item):
            parts.append((part, item))
            part = []
        else:
            part.append(item)
    parts.append((part, None))
    return parts


def index_of(items, *texts, start=0):
    """The index of the first token with one of these texts; -1 if there is none."""
    for index in range(start, len(items)):
        if items[index].kind != "group" and items[index].text in texts:
            return index
    return -1


def brace(items, start=0):
    """The index of the first group in braces; -1 if there is none."""
    for index in range(start, len(items)):
        if items[index].kind == "group" and items[index].text == "{":
            return index
    return -1


def statements(items):
    """Splits the content of braces into statements, at line ends and semicolons."""
    result, part = [], []
    for index, item in enumerate(items):
        if part and item.kind != "end" and (item.starts_line() or part[-1].text == ";") and not continues(part[-1], item):
            result.append(part)
            part = []
        if item.kind == "end":
            continue
        part.append(item)
    if part:
        result.append(part)
    return result


def continues(before, item):
    """Whether a statement continues after a line end."""
    if item.kind == "group" and item.text == "{":
        return True
    if before.kind != "group" and (before.is_binary or before.text in (",", "=", "->", ":", "else", "where", "in")) and before.text != ";":
        # A statement begins after `case x:` and after the head of a closure.
        return before.text not in (":", "in")
    return item.kind != "group" and (
        item.is_binary or item.text in ("else", "catch", "where", ",", ":", "."))
