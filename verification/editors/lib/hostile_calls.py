"""The responses of the hostile daemon; `HostileDaemon` decides when it sends them."""

import texts
from hostile_note import UnknownVersion


class Refusal(Exception):
    """A response that is an error."""

    def __init__(self, code, kind, message, retryable=False, **data):
        super().__init__(message)
        self.body = {"code": code, "message": message, "data": dict(data, kind=kind, retryable=retryable)}


class Calls:
    def _session_hello(self, params):
        self.rules.hello(params)
        self.has_hello = True
        return {"protocol": 1, "server": {"name": "hostile", "version": "0"}, "store": "feedfeedfeedfeed", "replica": self.note.replica,
                "dependent": 1, "user": {"uid": 0, "name": "me"}, "access": "write", "positionEncoding": "utf-8",
                "limits": {"maxLineBytes": 33554432, "maxNoteBytes": 4194304, "maxInFlight": 256, "maxDepth": 32,
                           "maxResponseBytes": 8388608}, "capabilities": ["config", "search", "presence"], "cursor": self._cursor()}

    def _note_get(self, params):
        if params.get("name", self.note.name) != self.note.name or params.get("id", self.note.id) != self.note.id:
            raise Refusal(2001, "note_not_found", "no such note")
        if self.trick("refusals"):
            raise Refusal(-32603, "internal", "something failed")
        note = self._shown()
        try:
            if "from" in params:
                note["edits"] = texts.to_wire(self._lied(self.note.edits_from(params["from"])))
            else:
                version = params.get("at", self.note.version)
                note.update(version=version, text=self.note.text_at(version).decode())
        except UnknownVersion as error:
            raise Refusal(2003, "unknown_base", "not known", known="") from error
        self.rules.told_version(note["version"])
        return {"note": note}

    def _notes_watch(self, params):
        self.rules.watch(params)
        cursor = self._cursor()
        is_known = params.get("since", cursor).endswith(self.note.replica)
        since = int(params["since"].split(".")[0]) if "since" in params and is_known else len(self.note.main)
        version = self.note.main[min(since, len(self.note.main)) - 1][0] if is_known else "?"
        self.watch = {"seq": 0, "version": version if "since" in params else self.note.version}
        return {"watch": 1, "cursor": cursor, "reset": not is_known}

    def _notes_unwatch(self, params):
        self.watch = None
        return {}

    def _presence_set(self, params):
        """Sends, now and then, the presence of another client when this one sends its own."""
        self.rules.presence(params)
        if params.get("note") is not None and self.random.random() < 0.5:
            self._send(self._others_presence())
        return {}

    def _others_presence(self):
        text = self.note.text
        start = texts.character_start(text, self.random.randint(0, len(text)))
        params = {"note": self.note.id, "dependent": self.random.randint(7, 9), "label": "elsewhere", "user": {"uid": 1, "name": "other"},
                  "version": self.note.version, "selection": {"start": start, "end": start}}
        if self.random.random() < 0.3:
            params.update(version=None, selection=None)
        self.rules.told_version(self.note.version)
        return {"jsonrpc": "2.0", "method": "presence.changed", "params": params}

    def _session_ping(self, params):
        return {}

    def _forget(self):
        """Drops the newest versions with their text, as after the restore of a backup."""
        self.note.roll_back(self.random.randint(1, 4))
        self.results = {op: dot for op, dot in self.results.items() if self._since(dot) is not None}

    def _written(self, params, edits_of):
        op = params.get("op")
        if op in self.results:
            dot = self.results[op]
            return self._outcome(dot, self._since(dot), replayed=True)
        if self.trick("refusals"):
            raise Refusal(3001, "storage_full", "there is no room", retryable=True)
        if self.trick("merging"):
            self._others_write()
        if self.trick("forgets"):
            self._forget()
        try:
            text = self.note.text_at(params["base"])
        except UnknownVersion as error:
            self.rules.went_back()
            raise Refusal(2003, "unknown_base", "not known", known="") from error
        edits = edits_of(text)
        if edits is None:
            raise Refusal(2006, "invalid_edit", "cannot be made", index=0)
        if not edits:
            return {"outcome": "unchanged", "version": params["base"]} if not self.note.edits_from(params["base"]) else dict(
                self._outcome(params["base"], self._since(params["base"])), outcome="unchanged")
        dot, _ = self.note.write(params["base"], edits)
        self.results[op] = dot
        self.rules.told_version(dot)
        return self._outcome(dot, self._since(dot))

    def _since(self, version):
        try:
            return self.note.edits_from(version)
        except UnknownVersion:
            return None

    def _outcome(self, dot, since, replayed=False):
        result = {"outcome": "saved", "dot": dot, "version": dot}
        if replayed:
            result["replayed"] = True
        if since is None:
            # The version is gone, so the response contains the whole merged text.
            result["note"] = {"version": self.note.version, "text": self.note.text.decode(), "conflicts": []}
        elif since or self.note.version != dot:
            result["note"] = {"version": self.note.version, "edits": texts.to_wire(self._lied(since, can_be_found=False)), "conflicts": []}
            result["outcome"] = "merged"
            if self.trick("conflicts"):
                result["outcome"] = "conflicted"
                result["note"]["conflicts"] = [{"id": "c" * 32, "kind": "text", "range": {"start": 0, "end": 0}, "base": "",
                                                "sides": []}]
        if "note" in result:
            self.rules.told_version(self.note.version)
        if self.watch:
            self.watch["version"] = self.note.version if self.random.random() < 0.8 else self.watch["version"]
        return result

    def _note_edit(self, params):
        return self._written(params, lambda text: self.rules.edits(params, text))

    def _note_save(self, params):
        def edits_of(text):
            new = params.get("text", text.decode()).encode()
            return [] if new == text else texts.by_lines(text, new)
        return self._written(params, edits_of)
