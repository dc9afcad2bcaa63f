"""Finds the places of a Swift file that can be changed, and writes the file with all changes in it,
each behind a switch.

    a < b        becomes        mutantLess(17, 1, a, b)

Here 17 is the number of the first change, and `Alternatives.swift` implements each. Line numbers do
not change.

Not changed: types, patterns, attributes, default arguments, texts, and the message of a
precondition. A change that others make redundant is omitted: `&&` loses each of its sides and does
not also become `||`; a whole condition becomes true and false, and is not also negated.
"""

from swift import brace, index_of, split, statements, tree

MODIFIERS = {
    "package", "private", "public", "internal", "fileprivate", "static", "mutating", "nonmutating", "override", "final", "lazy", "weak",
    "indirect", "borrowing", "consuming", "nonisolated", "unowned", "convenience", "required",
}
DECLARATIONS = {"func", "init", "subscript", "struct", "enum", "extension", "protocol", "class", "actor", "deinit"}
PASSED_OVER = {"import", "typealias", "associatedtype", "precedencegroup", "infix", "prefix", "postfix"}
TRAPS = {"precondition", "preconditionFailure", "fatalError", "assert", "assertionFailure"}
# From the lowest precedence. Operators of one level associate to the left.
LEVELS = [("||",), ("&&",), ("<", "<=", ">", ">=", "==", "!=", "===", "!==", "~="), ("??",), ("is", "as", "as?", "as!"), ("..<", "..."),
          ("+", "-", "&+", "&-", "|", "^"), ("*", "/", "%", "&", "&*"), ("<<", ">>", "&<<", "&>>")]
RIGHT = {"??"}
ORDERS = {"<": ("mutantLess", "<="), "<=": ("mutantAtMost", "<"), ">": ("mutantMore", ">="), ">=": ("mutantAtLeast", ">")}
TURNED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
SIMPLE = {
    "==": ("mutantEqual", ["!="]), "!=": ("mutantUnequal", ["=="]), "+": ("mutantSum", ["-"]), "-": ("mutantDifference", ["+"]),
    "*": ("mutantProduct", ["/"]), "/": ("mutantQuotient", ["*"]), "%": ("mutantRemainder", ["/"]), "<<": ("mutantShiftUp", [">>"]),
    ">>": ("mutantShiftDown", ["<<"]), "|": ("mutantBitOr", ["&"]), "&": ("mutantBitAnd", ["|"]),
    "..<": ("mutantUpTo", ["ends one later"]), "...": ("mutantThrough", ["ends one earlier"]),
    "??": ("mutantElse", ["always the right side"]),
}
# Members of a value, without arguments: the function of the change, and its effect.
MEMBERS = {
    "first": ("mutantFirst", "last"), "last": ("mutantLast", "first"), "lowerBound": ("mutantLowerBound", "upperBound"),
    "upperBound": ("mutantUpperBound", "lowerBound"),
}
CALLS = {
    "min": ("mutantLeast", "max"), "max": ("mutantGreatest", "min"), "sorted": ("mutantSorted", "not sorted"),
    "reversed": ("mutantReversed", "not reversed"), "dropFirst": ("mutantDropFirst", "nothing dropped"),
    "dropLast": ("mutantDropLast", "nothing dropped"),
}


class Point:
    """A place in the code, and its possible changes."""

    def __init__(self, path, line, code, what, changes):
        self.path, self.line, self.code, self.what, self.changes = path, line, code, what, changes
        self.occurrence, self.number = 1, None

    @property
    def key(self):
        return (self.path, self.code, self.what, self.occurrence)


class Planting:
    """One file. `text` is its new text, `points` are its points with a switch."""

    def __init__(self, path, text, first, dropped):
        self.path, self.lines, self.number, self.dropped = path, text.split("\n"), first, dropped
        self.points = []
        self.seen = {}
        # Variables that are assigned after their declaration; that assignment must stay.
        self.given_later = set()
        # Properties that an initializer must assign.
        self.is_init = False
        self.text = self.block(tree(text))

    # MARK: - Switches

    def point(self, item, what, changes):
        """The number of the first change at a new point; None if the point was found not to build."""
        point = Point(self.path, item.line, self.lines[item.line - 1].strip(), what, changes)
        key = (point.code, what)
        self.seen[key] = point.occurrence = self.seen.get(key, 0) + 1
        # A dropped point keeps its numbers, so that those of others do not change.
        point.number, self.number = self.number, self.number + len(changes)
        if point.key in self.dropped:
            return None
        self.points.append(point)
        return point.number

    def wrapped(self, item, what, changes, function, *parts):
        """`parts` as arguments of the function of these changes; None if the point was dropped."""
        number = self.point(item, what, changes)
        if number is None:
            return None
        return f"{function}({number}, {len(changes)}, " + ", ".join(part.removeprefix(" ") for part in parts) + ")"

    # MARK: - Statements

    def block(self, items, is_closure=False, returns=False):
        """Plants changes in the content of braces, or of a file.

        returns: whether its only statement may be its value.
        """
        head = []
        if is_closure:
            end = index_of(items, "in")
            if end >= 0 and not any(item.kind != "group" and item.text in ("for", "let", "var", "if") for item in items[:end]):
                head, items = items[:end + 1], items[end + 1:]
        parts = statements(items)
        if items and items[-1].kind == "end":
            parts.append([items[-1]])
        alone = len(parts) == 1 and (is_closure or returns)
        return raw(head) + "".join(self.statement(part, alone) for part in parts)

    def braces(self, group, is_closure=False, returns=False):
        return group.space + "{" + self.block(group.items, is_closure, returns) + group.close.space + "}"

    def statement(self, items, alone=False):
        if items[-1].text == ";":
            return self.statement(items[:-1], alone) + raw(items[-1:])
        start = 0
        while start < len(items) and (
                items[start].text.startswith("@") or items[start].text in MODIFIERS
                or start and items[start].kind == "group" and items[start].text == "("
                and (items[start - 1].text in MODIFIERS or items[start - 1].text.startswith("@"))):
            start += 1
        word = items[start].text if start < len(items) and items[start].kind == "word" else ""
        if start == len(items) or word in PASSED_OVER or word.startswith("#"):
            return raw(items)
        before, items = raw(items[:start]), items[start:]
        if word in DECLARATIONS and not (word == "init" and len(items) > 1 and items[1].text == "."):
            return before + self.declaration(items)
        if word in ("let", "var"):
            return before + self.binding(items)
        if word in ("case", "default"):
            return before + self.case(items)
        if word in ("if", "guard", "while", "for", "switch", "do", "repeat", "defer", "else", "catch"):
            return before + self.compound(items)
        if word in ("return", "throw", "break", "continue", "fallthrough"):
            return before + raw(items[:1]) + self.expression(items[1:])
        return before + self.action(items, alone)

    def declaration(self, items):
        """Plants changes in the body, not in the head."""
        body = brace(items)
        if body < 0 or items[0].text == "protocol" or items[0].text == "func" and items[1].text == "checkInvariants":
            return raw(items)
        returns = index_of(items[:body], "->") >= 0
        self.is_init = items[0].text == "init"
        text = raw(items[:body]) + self.braces(items[body], returns=returns) + raw(items[body + 1:])
        self.is_init = False
        return text

    def binding(self, items):
        """`let` and `var`: the expression after each `=`; the body of a computed property."""
        result = ""
        for part, separator in split(items, lambda item: item.text == "," and item.kind != "group"):
            equals = index_of(part, "=")
            if equals >= 0:
                result += raw(part[:equals + 1]) + self.expression(part[equals + 1:])
            elif brace(part) < 0 and len(part) > 1 and part[0].text == "let":
                self.given_later.add(part[1].text)
                result += raw(part)
            elif brace(part) >= 0:
                body = brace(part)
                result += raw(part[:body]) + self.braces(part[body], returns=True) + raw(part[body + 1:])
            else:
                result += raw(part)
            result += raw([separator] if separator else [])
        return result

    def case(self, items):
        """A case of a switch: its `where` and its statements. Nothing in a case of an enumeration."""
        colon = index_of(items, ":")
        if colon < 0:
            return raw(items)
        return self.pattern(items[:colon]) + raw(items[colon:colon + 1]) + (
            self.statement(items[colon + 1:], alone=True) if items[colon + 1:] else "")

    def pattern(self, items):
        """A pattern and its `where`."""
        where = index_of(items, "where")
        if where < 0:
            return raw(items)
        return raw(items[:where + 1]) + self.condition(items[where + 1:])

    def compound(self, items):
        """A chain of statements with conditions and bodies: `if … else if … else`."""
        result, place = "", 0
        while place < len(items):
            word = items[place].text if items[place].kind == "word" else ""
            body = brace(items, place)
            if word in ("if", "while", "guard"):
                end = index_of(items, "else", start=place) if word == "guard" else body
                if end < 0:  # `repeat … while` at the end.
                    end = len(items)
                result += raw(items[place:place + 1]) + self.conditions(items[place + 1:end])
                place = end
            elif word == "for":
                within = index_of(items, "in", start=place)
                where = index_of(items[:body], "where", start=within)
                end = where if where >= 0 else body
                result += raw(items[place:within + 1]) + self.expression(items[within + 1:end])
                if where >= 0:
                    result += raw(items[where:where + 1]) + self.condition(items[where + 1:body])
                place = body
            elif word == "switch":
                result += raw(items[place:place + 1]) + self.expression(items[place + 1:body])
                place = body
            elif items[place].kind == "group" and items[place].text == "{":
                # The body of an `if` without `else` is not deleted: the condition `false` does the
                # same.
                is_only = items[0].text == "if" and brace(items) == place and place == len(items) - 1
                result += self.body(items[place], any(item.text == "guard" for item in items), is_only)
                place += 1
            else:
                result += raw(items[place:place + 1])
                place += 1
        return result

    def body(self, group, is_of_guard, is_only):
        """A body; an early exit at its end may be removed if the body does anything else."""
        parts = statements(group.items)
        last = parts[-1] if parts else []
        word = last[0].text if last else ""
        if len(parts) < 2 or is_of_guard or self.is_init or word not in ("return", "break", "continue"):
            return self.braces(group, returns=is_only)
        number = self.point(last[0], f"{word} left out", [""])
        text = "".join(self.statement(part) for part in parts[:-1])
        left = self.statement(last)
        if number is not None:
            left = last[0].space + f"if !mutant({number}) {{ {left[len(last[0].space):]} }}"
        return group.space + "{" + text + left + group.close.space + "}"

    def conditions(self, items):
        """The conditions of `if`, `while` and `guard`."""
        parts = split(items, lambda item: item.text == "," and item.kind != "group")
        result, has_condition = "", False
        for part, separator in parts:
            first = part[0].text if part[0].kind == "word" else ""
            if first in ("let", "var", "case"):
                equals = index_of(part, "=")
                result += raw(part) if equals < 0 else raw(part[:equals + 1]) + self.expression(part[equals + 1:])
            elif first.startswith("#"):
                result += raw(part)
            else:
                has_condition = True
                result += self.condition(part)
            result += raw([separator] if separator else [])
        if not has_condition and items:
            number = self.point(items[0], "never: " + flat(items), [""])
            if number is not None:
                space = items[0].space
                result = space + f"!mutant({number}), " + result[len(space):]
        return result

    def condition(self, items):
        """A whole condition: always, never."""
        if flat(items) in ("true", "false"):
            return raw(items)
        space = items[0].space
        inner = self.expression(items, decides=True)[len(space):]
        text = self.wrapped(items[0], flat(items), ["true", "false"], "mutantCondition", inner)
        return space + (text or inner)

    def action(self, items, alone):
        """A call for its effect, or an assignment."""
        space = items[0].space
        equals = next((index for index, item in enumerate(items) if item.kind == "operator" and item.text.endswith("=")
                       and item.is_binary and item.text not in ("==", "!=", "<=", ">=", "===", "!==", "~=")), -1)
        if equals < 0:
            text = self.expression(items)
        else:
            target, value = self.expression(items[:equals]), self.expression(items[equals + 1:])
            text = None
            if items[equals].text in ("+=", "-="):
                name, change = {"+=": ("mutantAdd", "-=, or put before"), "-=": ("mutantSubtract", "+=")}[items[equals].text]
                text = self.wrapped(items[equals], flat(items), [change], name, "&" + target[len(space):], value)
                text = text and space + text
            text = text or target + raw(items[equals:equals + 1]) + value
        is_call = items[-1].kind == "group" and items[-1].text in "({"
        if equals == 1 and items[0].text in self.given_later or flat(items).startswith("self.init("):
            return text
        if alone or (self.is_init and flat(items[:equals]).removeprefix("self.").isidentifier() if equals >= 0 else not is_call) or items[0].text in TRAPS or items[0].text in ("try?", "switch"):
            return text
        number = self.point(items[0], "left out: " + flat(items), [""])
        return text if number is None else space + f"if !mutant({number}) {{ {text[len(space):]} }}"

    # MARK: - Expressions

    def expression(self, items, decides=False, is_side=False):
        """Plants changes in an expression without a comma at its own level.

        decides: whether the caller makes it true and false. is_side: whether it is a side of `&&`
        or `||`, which is removed there.
        """
        if not items:
            return ""
        first = items[0]
        if first.kind == "word" and first.text in ("try", "try?", "try!", "await", "consume", "copy"):
            return raw(items[:1]) + self.expression(items[1:], decides)
        if first.kind == "word" and first.text in ("if", "switch"):
            return self.compound(items)
        question = next((index for index, item in enumerate(items) if item.text == "?" and item.is_binary), -1)
        if question >= 0:
            return self.choice(items, question)
        for level in LEVELS:
            places = [index for index, item in enumerate(items) if item.kind != "group" and item.is_binary and item.text in level]
            if places:
                place = places[0] if level[0] in RIGHT else places[-1]
                if place in (0, len(items) - 1):
                    return raw(items)
                return self.binary(items, place, decides, is_side)
        if any(item.kind == "operator" and item.is_binary for item in items):
            return raw(items)
        if first.text == "!" and first.kind == "operator":
            inner = self.operand(items[1:])
            text = None if decides else self.wrapped(first, flat(items), ["not turned round"], "mutantNot", inner)
            return first.space + (text or "!" + inner)
        return self.operand(items)

    def choice(self, items, question):
        """`a ? b : c`."""
        depth, colon = 0, -1
        for index in range(question + 1, len(items)):
            item = items[index]
            depth += item.text == "?" and item.is_binary
            if item.kind == "mark" and item.text == ":":
                if depth == 0:
                    colon = index
                    break
                depth -= 1
        if colon < 0:
            return raw(items)
        return (self.condition(items[:question]) + raw(items[question:question + 1]) + self.expression(items[question + 1:colon])
                + raw(items[colon:colon + 1]) + self.expression(items[colon + 1:]))

    def binary(self, items, place, decides, is_side):
        operator = items[place].text
        left, right = items[:place], items[place + 1:]
        logical = operator in ("&&", "||")
        left_text = self.expression(left, is_side=logical)
        if operator in ("is", "as", "as?", "as!"):
            return left_text + raw(items[place:])
        right_text = self.expression(right, is_side=logical)
        what = flat(items)
        space = items[0].space
        if logical:
            name = {"&&": "mutantAnd", "||": "mutantOr"}[operator]
            changes = ["without its right side", "without its left side"]
            if not decides and not is_side:
                changes.append({"&&": "false", "||": "true"}[operator])
        elif operator in ORDERS:
            name, boundary = ORDERS[operator]
            changes = [boundary] + ([] if decides or is_side else [TURNED[operator]])
        elif operator in SIMPLE:
            name, changes = SIMPLE[operator]
            if operator in ("==", "!=") and (decides or is_side):
                changes = []
        else:
            changes = []
        text = None
        if changes:
            text = self.wrapped(items[place], what, changes, name, left_text[len(space):] + items[place].space.rstrip(" "), right_text)
        return space + text if text else left_text + raw(items[place:place + 1]) + right_text

    def operand(self, items):
        """Calls, members, subscripts, literals and closures, in sequence."""
        if items[0].text.startswith("\\"):
            return raw(items)
        result = ""
        skip_call, module = False, ""
        if [item.text for item in items[:2]] == ["Swift", "."] and len(items) > 3 and items[2].text in ("min", "max"):
            # The global function, where the type has a member with the same name.
            result, module, items = items[0].space, "Swift.", items[2:]
        for index, item in enumerate(items):
            before = items[index - 1] if index else None
            after = items[index + 1] if index + 1 < len(items) else None
            touches = before is not None and not item.space
            is_member = touches and before.kind != "group" and before.text == "."
            is_called = after is not None and after.kind == "group" and (after.text == "(" and not after.space or after.text == "{")
            if item.kind == "group":
                if item.text == "{":
                    result += self.braces(item, is_closure=True)
                elif item.text == "(" and touches and before.text in TRAPS:
                    result += raw([item])
                else:
                    opener = "" if skip_call else item.open.text
                    result += item.space + opener + self.arguments(item.items) + item.close.space + item.close.text
                skip_call = False
            elif item.kind == "word" and item.text in ("true", "false"):
                other = {"true": "false", "false": "true"}[item.text]
                result += item.space + (self.wrapped(item, item.text, [other], "mutantFlag", item.text) or item.text)
            elif item.kind == "operator" and item.text == "-" and index == 0 and after is not None and after.kind == "number":
                result += item.space + (self.literal(after, "-") or "-" + after.text)
            elif item.kind == "number" and index == 1 and before.text == "-":
                continue
            elif item.kind == "number" and not is_member:
                result += item.space + (self.literal(item) or item.text)
            elif item.kind == "word" and item.text in ("min", "max") and is_called and after.text == "(" and not is_member and has_two(after):
                number = self.point(item, flat([item, after]), ["the left", "the right"])
                result += item.space + (module + item.text if number is None else f"mutant{item.text.title()}({number}, 2, ")
                skip_call = number is not None
            elif is_member and index > 1 and not is_called and item.text in MEMBERS:
                name, other = MEMBERS[item.text]
                number = self.point(item, flat(items[:index + 1]), [other])
                result += item.text if number is None else f"{name}({number})"
            elif is_member and index > 1 and is_called and after.text == "(" and item.text in CALLS:
                name, other = CALLS[item.text]
                number = self.point(item, flat(items[:index + 2]), [other])
                empty = not after.items
                result += item.text if number is None else f"{name}({number}" + ("" if empty else ", ")
                skip_call = number is not None
            else:
                result += item.space + item.text
        return result

    def literal(self, item, sign=""):
        other = {"0": "1", "1": "0"}.get(item.text)
        if "." in item.text or "e" in item.text and not item.text.startswith("0x"):
            return None
        if other is None:
            other = str(int(item.text.replace("_", ""), 0) + 1)
        return self.wrapped(item, sign + item.text, [sign + other], "mutantLiteral", sign + item.text, sign + other)

    def arguments(self, items):
        """The content of parentheses or brackets: expressions with commas between them, labels
        before them."""
        result = ""
        for part, separator in split(items, lambda item: item.text == "," and item.kind != "group"):
            while True:
                colon = next((index for index, item in enumerate(part) if item.kind == "mark" and item.text == ":" and not item.space), -1)
                if colon < 0:
                    break
                # A label, or the key of a dictionary.
                result += (raw(part[:1]) if colon == 1 else self.expression(part[:colon])) + raw(part[colon:colon + 1])
                part = part[colon + 1:]
            result += self.expression(part) + raw([separator] if separator else [])
        return result


def raw(items):
    return "".join(item.space + item.source for item in items)


def flat(items):
    """On one line, for display."""
    return " ".join(raw(items).split())


def has_two(group):
    return len(split(group.items, lambda item: item.kind != "group" and item.text == ",")) == 2
