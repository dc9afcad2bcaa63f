"""The rules that every plugin must keep, checked on the requests that it sends. The numbers are
those of docs/live-clients.md."""

import texts
from hostile_note import UnknownVersion


class Rules:
    """`note` is the hostile note. `broken` has the violations found, one line each, with the number
    of the rule."""

    def __init__(self, note):
        self.note = note
        self.broken = []
        self.seen = {}
        self.known_ops = {}
        self.told = set()
        self.cursors = set()
        self.writes_open = 0
        self.unanswered = None
        # The next new write has the held text: set by a test that knows that something was typed.
        self.must_save = False
        # A daemon that sent wrong edits cannot object to the edits that it receives.
        self.was_lied_to = False
        self.newest = -1
        self.counts = {"writes": 0, "saves": 0, "repeated": 0}

    def breaks(self, number, what):
        self.broken.append(f"rule {number}: {what}")

    def told_version(self, version):
        """The editor received the text of this version, or made it."""
        self.told.add(version)

    def went_back(self):
        """The editor received an unknown-base error: older bases are valid again."""
        self.newest = -1

    def connection_lost(self):
        self.writes_open = 0

    def hello(self, params):
        if 1 not in params.get("protocol", []) or "utf-8" not in params.get("positionEncoding", []):
            self.breaks(1, f"hello does not offer version 1 and utf-8: {params}")

    def watch(self, params):
        if "since" in params and params["since"] not in self.cursors:
            self.breaks(7, f"a cursor that the daemon never sent: {params['since']}")

    def presence(self, params):
        """A selection lies in the text of its version, which the editor has received."""
        version, selection = params.get("version"), params.get("selection")
        if params.get("note") is None:
            return
        if version is None or version not in self.told:
            self.breaks(8, f"presence in a version that the editor never received: {params}")
            return
        try:
            text = self.note.text_at(version)
        except UnknownVersion:
            return
        places = [selection["start"], selection["end"]] if selection else []
        if any(texts.character_start(text, min(place, len(text))) != place for place in places) and not self.was_lied_to:
            self.breaks(8, f"a selection that does not lie in its text: {params}")

    def write_came(self, method, params):
        """Checks an incoming write. Returns whether it was sent before."""
        self.counts["writes"] += 1
        self.writes_open += 1
        if self.writes_open > 1:
            self.breaks(3, "a second write before the first is answered")
        op = params.get("op")
        if not op:
            self.breaks(5, f"a write without op: {method}")
            return False
        is_repeated = op in self.known_ops
        if self.unanswered and op != self.unanswered:
            self.breaks(5, f"{op} comes before {self.unanswered} has been answered")
        if is_repeated:
            self.counts["repeated"] += 1
            if self.known_ops[op] != (method, params):
                self.breaks(5, f"{op} comes again with other params")
        else:
            self._new_write(method, params)
        self.known_ops[op] = (method, params)
        self.unanswered = op
        return is_repeated

    def _new_write(self, method, params):
        if method == "note.create":
            return
        base = params.get("base")
        if base is None or base == "":
            self.breaks(4, f"a write on no base: {params}")
        elif base not in self.told:
            self.breaks(4, f"a write on {base}, whose text the editor never received")
        else:
            self._newer(base)
        if method == "note.save" and "text" in params:
            self.counts["saves"] += 1
            self.must_save = False
        elif method == "note.edit" and self.must_save:
            self.must_save = False
            self.breaks(6, "text held without a connection arrived as edits")

    def _newer(self, base):
        try:
            place, _ = self.note._place(base)
        except UnknownVersion:
            return
        if place < self.newest:
            self.breaks(4, f"a write on {base}, after one on a newer version")
        self.newest = max(self.newest, place)

    def edits(self, params, text):
        """The edits of a write; [] if they are invalid."""
        try:
            return texts.from_wire(params["edits"], text)
        except (ValueError, KeyError, TypeError) as error:
            if not self.was_lied_to:
                self.breaks(2, f"edit {error} cannot be made on its base: {params.get('edits')}")
            return None

    def write_answered(self, may_come_again=False):
        self.writes_open = max(0, self.writes_open - 1)
        if not may_come_again:
            self.unanswered = None
