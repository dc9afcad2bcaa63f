"""Lies planted between the daemon and its judges, so that each check is seen to fail: `lines.py
--plant NAME` must end with 1 and name the law that the lie breaks."""

import copy


class Plant:
    """`lie` changes a response that it applies to, one of `every` and none after the first `most`;
    `state` changes the store without the judge's knowledge."""

    def __init__(self, law, lie=None, state=None, every=7, most=40):
        self.law = law
        self.lie = lie
        self.state = state
        self.every = every
        self.most = most
        self.seen = 0

    def answers(self, answer):
        """The response in place of the daemon's."""
        if self.lie is None:
            return [answer]
        told = self.lie(copy.deepcopy(answer))
        if told == [answer] or self.seen > self.most:
            return [answer]
        self.seen += 1
        return told if self.seen % self.every == 0 else [answer]


def in_error(change):
    def lie(answer):
        if "error" in answer:
            change(answer["error"])
        return [answer]
    return lie


def in_result(change):
    def lie(answer):
        if isinstance(answer.get("result"), dict):
            change(answer["result"])
        return [answer]
    return lie


def in_text(answer):
    note = answer.get("result", {}).get("note", {}) if isinstance(answer.get("result"), dict) else {}
    if note.get("text"):
        note["text"] += "!"
    return [answer]


def in_notice(answer):
    if "seq" in answer.get("params", {}):
        answer["params"]["seq"] += 1
    return [answer]


def denied(answer):
    """Reports an applied write as refused."""
    if isinstance(answer.get("result"), dict) and answer["result"].get("outcome") == "saved" and "replayed" not in answer["result"]:
        error = {"code": 2005, "message": "x", "data": {"kind": "base_required", "retryable": False, "version": ""}}
        return [{"jsonrpc": "2.0", "id": answer["id"], "error": error}]
    return [answer]


def renamed(error):
    error["data"]["path"] = error["data"].get("path", "") + ".x"


def stripped(error):
    for name in list(error["data"])[2:]:
        del error["data"][name]


def at_index(error):
    if "index" in error["data"]:
        error["data"]["index"] += 1


def trap(run):
    """Ends the daemon like a trap."""
    if run.steps < 5:
        return []
    run.daemon.process.kill()
    run.daemon.process.wait()
    return []


def intrude(run):
    run.judge.client.ask("note.save", id=run.bystander.note, base=run.bystander.version, text="an intruder")
    return []


ORDER = "responses are in the order of the requests, each once, with its id"
CHANGED = "a refused request changed nothing, and an acknowledged one only what it requests"
PLANTS = {
    "dropped": Plant(ORDER, lambda answer: [] if "result" in answer else [answer]),
    "twice": Plant(ORDER, lambda answer: [answer] * 2 if "id" in answer else [answer]),
    "code": Plant("an error has its kind and its data", in_error(lambda error: error.update(code=error["code"] - 1))),
    "data": Plant("an error has its kind and its data", in_error(stripped)),
    "path": Plant("data.path names the place", in_error(lambda error: error["code"] == -32602 and renamed(error))),
    "offset": Plant("data.offset is in the line", in_error(lambda error: error["code"] == -32700 and error["data"].update(offset=10**6))),
    "index": Plant("data.index is the first invalid edit", in_error(at_index)),
    "internal": Plant("no request causes an internal error", in_error(lambda error: error.update(
        code=-32603, data={"kind": "internal", "retryable": False}))),
    "other": Plant("an error is one that this request can have", in_error(lambda error: error.update(
        code=4003, data={"kind": "overloaded", "retryable": True}) if error["code"] == -32601 else None)),
    "accepted": Plant("a request that the protocol refuses is refused", lambda answer: [
        {"jsonrpc": "2.0", "id": answer["id"], "result": {}} if answer.get("error", {}).get("code") == -32602 else answer]),
    "member": Plant("a result matches docs/openrpc.json", in_result(lambda result: result.update(surplus=1))),
    "text": Plant("the text of a version does not change", in_text, every=2, most=10**6),  # few ask for a version that was seen
    "seq": Plant("seq rises by one", in_notice),
    "denied": Plant(CHANGED, denied),
    "intruder": Plant("the bystander continues undisturbed", state=intrude),
    "trap": Plant("the daemon keeps running", state=trap),
}
