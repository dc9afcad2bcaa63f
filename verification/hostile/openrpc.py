"""docs/openrpc.json, read as a contract: what a request may contain, and what a response must
contain."""

import base64
import datetime
import json
import os
import re
import unicodedata

from strictjson import INTEGER_MAX, Real

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COUNTER_MAX = 2**63 - 1

def is_time(text):
    """Whether a text of the form of a time names a time that exists. The calendar repeats every 400
    years, and `datetime` knows only years from 1."""
    year, month, day, hour, minute, second = (int(number) for number in re.findall("[0-9]+", text)[:6])
    try:
        datetime.datetime(2000 + year % 400, month, day, hour, minute, second)
    except ValueError:
        return False
    return True


def is_dots(text):
    """Whether a set of dots has ascending replicas and ascending ranges that do not touch."""
    replica = ""
    for part in text.split(" ") if text else []:
        if part[:16] <= replica:
            return False
        replica, end = part[:16], -1
        for counters in part[17:].split(","):
            low, _, high = counters.partition("-")
            if int(low) <= end + 1 or high and int(high) <= int(low) or int(high or low) > COUNTER_MAX:
                return False
            end = int(high or low)
    return True


# Rules for requests that the document has in words but not in its schemas.
FORMS = {
    "Label": lambda text: len(text.encode()) <= 1024,
    "LinkTarget": lambda text: len(text.encode()) <= 3500,
    "Time": is_time,
    "Person": lambda text: 1 <= len(text.encode()) <= 64 and not any(unicodedata.category(letter) == "Cc" for letter in text),
    "Op": lambda text: 1 <= len(text.encode()) <= 64,
    "Base64": lambda text: base64.b64encode(base64.b64decode(text)).decode() == text,
    "Dots": is_dots,
    "Dot": lambda text: all(int(dot[17:]) <= COUNTER_MAX for dot in text.split(" ")),
    "Version": lambda text: all(int(dot[17:]) <= COUNTER_MAX for dot in text.split(" ") if dot),
    "Cursor": lambda text: re.fullmatch(r"(0|[1-9][0-9]*)\.[0-9a-f]{16}", text) and int(text[:-17]) <= COUNTER_MAX,
}


def quoted(name):
    """A member's name as in a path: a long one is cut."""
    return name if len(name.encode()) <= 256 else name[:64] + "…"


def joined(outer, inner):
    return outer if inner == "" else f"{outer}.{inner}"


class Contract:
    def __init__(self):
        with open(os.path.join(ROOT, "docs", "openrpc.json"), encoding="utf-8") as file:
            self.document = json.load(file)
        self.methods = {method["name"]: method for method in self.document["methods"]}
        self.notices = {notice["name"]: notice["params"] for notice in self.document["x-notifications"]}
        self.schemas = self.document["components"]["schemas"]
        self.errors = self.document["components"]["errors"]
        self.kinds = {error["code"]: error["data"]["kind"] for error in self.errors.values()}
        self.codes = {kind: code for code, kind in self.kinds.items()}

    def allowed_codes(self, method):
        return {self.codes[error["$ref"].split("/")[-1]] for error in self.methods[method]["errors"]}

    def resolved(self, schema):
        """The referenced schema, and the name of the reference to it."""
        if "$ref" not in schema:
            return schema, None
        name = schema["$ref"].split("/")[-1]
        return self.schemas[name], name

    # Requests.

    def request_faults(self, method, params):
        """The paths at which params violate the contract; empty if the params alone show no
        violation."""
        if not isinstance(params, dict):
            return {"params"}
        described = self.methods[method]
        faults = set()
        known = {param["name"]: param for param in described["params"]}
        for name in params:
            if name not in known:
                faults.add(joined("params", quoted(name)))
        for name, param in known.items():
            if name in params:
                faults |= self._faults(params[name], param["schema"], f"params.{name}")
                if param.get("x-needs", name) not in params and params[name] is not None:
                    faults.add(f"params.{param['x-needs']}")
            elif param["required"] and "x-missing" not in param:
                faults.add(f"params.{name}")
        exactly = [name for name in described.get("x-exactly-one", []) if params.get(name) is not None]
        if "x-exactly-one" in described and len(exactly) != 1:
            faults.add("params")
        if "x-at-least-one" in described and not set(described["x-at-least-one"]) & set(params):
            faults.add("params")
        return faults

    def _faults(self, value, schema, path):
        schema, name = self.resolved(schema)
        if "oneOf" in schema:
            if value is None:
                return set()
            return self._faults(value, next(one for one in schema["oneOf"] if one.get("type") != "null"), path)
        kind = schema["type"]
        if not is_of(kind, value):
            return {path}
        if kind == "boolean":
            return set()
        if kind == "integer":
            outside = abs(value) > INTEGER_MAX or not schema.get("minimum", value) <= value <= schema.get("maximum", value)
            return {path, path.rpartition(".")[0]} if outside else set()
        if kind == "string":
            # An enum is binding, but unknown encodings are skipped; invalid names have a separate
            # error.
            wrong = "enum" in schema and value not in schema["enum"] or "pattern" in schema and not matches(schema, value)
            return {path} if wrong or name in FORMS and not FORMS[name](value) else set()
        if kind == "array":
            faults = set().union(*(self._faults(inner, schema["items"], f"{path}[{at}]") for at, inner in enumerate(value)))
            fits = schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value))
            return faults if fits else faults | {path}
        faults = set()
        for member in value:
            if member not in schema["properties"]:
                faults.add(joined(path, quoted(member)))
            else:
                faults |= self._faults(value[member], schema["properties"][member], f"{path}.{member}")
        return faults | {f"{path}.{member}" for member in schema["required"] if member not in value}

    # Responses.

    def result_faults(self, method, result):
        return self.faults(result, self.methods[method]["result"]["schema"], "result")

    def faults(self, value, schema, path):
        """The violations of the document in a value that the daemon sent, one sentence each."""
        schema, _ = self.resolved(schema)
        if "oneOf" in schema:
            found = [self.faults(value, one, path) for one in schema["oneOf"]]
            return [] if sum(not one for one in found) == 1 else [f"{path} matches none of the options, or several: {found}"]
        if not is_of(schema["type"], value):
            return [f"{path} is {value!r:.80} and not {schema['type']}"]
        faults = []
        if "enum" in schema and value not in schema["enum"]:
            faults.append(f"{path} is not in the enum")
        if "pattern" in schema and not matches(schema, value):
            faults.append(f"{path} is {value!r:.80}, not of the form {schema['pattern']}")
        if schema["type"] == "integer" and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
            faults.append(f"{path} is {value}, out of its bounds")
        if schema["type"] == "string" and len(value) < schema.get("minLength", 0):
            faults.append(f"{path} is too short")
        if schema["type"] == "array" and "items" in schema:
            for at, inner in enumerate(value):
                faults += self.faults(inner, schema["items"], f"{path}[{at}]")
        if schema["type"] == "object":
            faults += self._member_faults(value, schema, path)
        return faults

    def _member_faults(self, value, schema, path):
        faults = [f"{path}.{name} is missing" for name in schema.get("required", []) if name not in value]
        for name, inner in value.items():
            described = schema.get("properties", {}).get(name) or schema.get("additionalProperties")
            if isinstance(described, dict):
                faults += self.faults(inner, described, f"{path}.{name}")
            elif "properties" in schema:
                faults.append(f"{path}.{name} is not described")
        return faults

    def error_faults(self, error):
        """The violations of section 6 in an error."""
        if set(error) != {"code", "message", "data"} or not isinstance(error["data"], dict) or not error["message"]:
            return [f"an error has code, message and data: {error}"]
        kind = self.kinds.get(error["code"])
        if kind is None:
            return [f"unknown code {error['code']}"]
        data, described = error["data"], self.errors[kind]["data"]
        faults = []
        if data.get("kind") != kind:
            faults.append(f"{error['code']} is {kind}, not {data.get('kind')}")
        if not isinstance(data.get("retryable"), bool):
            faults.append("retryable is missing")
        elif isinstance(described["retryable"], bool) and data["retryable"] != described["retryable"]:
            faults.append(f"retryable is {data['retryable']}")
        told = set(data) - {"kind", "retryable"}
        faults += [f"data.{name} is not described" for name in told - set(described["details"])]
        optional = {"invalid_request": {"path"}, "invalid_params": {"offset"}, "revision_gone": {"version"}}.get(kind, set())
        faults += [f"data.{name} is missing" for name in set(described["details"]) - optional - told]
        for name in told & set(DETAILS):
            if not DETAILS[name](self, data[name]):
                faults.append(f"data.{name} is {data[name]!r}")
        return faults

    def is_a(self, name, value):
        return not self.faults(value, self.schemas[name], name)


DETAILS = {
    "path": lambda contract, value: isinstance(value, str),
    "offset": lambda contract, value: is_of("integer", value) and value >= 0,
    "supported": lambda contract, value: value == [1],
    "id": lambda contract, value: contract.is_a("NoteId", value),
    "known": lambda contract, value: contract.is_a("Version", value),
    "version": lambda contract, value: contract.is_a("Version", value),
    "index": lambda contract, value: is_of("integer", value) and value >= 0,
    "bytes": lambda contract, value: is_of("integer", value) and value > 0,
    "limit": lambda contract, value: is_of("integer", value) and value > 0,
}


def is_of(kind, value):
    if kind == "null":
        return value is None
    if kind == "boolean":
        return isinstance(value, bool)
    if kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if kind == "string":
        return isinstance(value, str) and not isinstance(value, Real)
    return isinstance(value, {"array": list, "object": dict}[kind])


def matches(schema, value):
    # In Python, "$" also matches before a last LF.
    return re.fullmatch(schema["pattern"].removeprefix("^").removesuffix("$"), value, re.ASCII) is not None
