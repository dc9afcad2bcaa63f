"""Well-behaved clients among hostile ones: a writer with its watcher, and a judge that reads
everything."""

import threading

from daemon import Client, Refused

COUNTS = ("notes", "tombstones", "revisions", "commits")
WRITES = ("note.create", "note.save", "note.edit", "note.delete", "note.purge")


class Bystander(threading.Thread):
    """Writes and reads its own note repeatedly, and receives the changes on another connection.
    Nothing may disturb it."""

    def __init__(self, daemon, name="bystander"):
        super().__init__(daemon=True)
        self.writer = Client(daemon.socket, name)
        self.watcher = Client(daemon.socket, f"{name}'s watcher")
        note = self.writer.ask("note.create", text="0\n", name=f"{name}'s note")["note"]
        self.note, self.version = note["id"], note["version"]
        watch = self.watcher.ask("notes.watch", filter={"ids": [self.note]}, include="text")
        self.watch, self.seq = watch["watch"], 0
        self.quiet = threading.Lock()
        self.is_over = threading.Event()
        self.writes = 0
        self.faults = []
        self._expect_told("0\n", self.version)

    def run(self):
        try:
            while not self.is_over.is_set():
                with self.quiet:
                    self._write()
                # Slow enough not to disturb the others; this is not a load test.
                self.is_over.wait(0.002)
        except (OSError, Refused, ValueError, KeyError, TypeError) as fault:
            self.faults.append(f"its session was disturbed after {self.writes} writes: {fault!r}")

    def _write(self):
        text = f"{self.writes + 1}\n"
        outcome = self.writer.ask("note.save", id=self.note, base=self.version, text=text)
        self.version = outcome["version"]
        self.writes += 1
        if outcome["outcome"] != "saved" or set(outcome) != {"outcome", "dot", "version"}:
            self.faults.append(f"the outcome of its write {self.writes} is {outcome}")
        got = self.writer.ask("note.get", id=self.note)["note"]
        if got["text"] != text or got["version"] != self.version:
            self.faults.append(f"its read {self.writes} returned {got}")
        self._expect_told(text, self.version)

    def _expect_told(self, text, version):
        """Reads each write from the watch before the next, so there is one notification per write,
        and no gap."""
        while True:
            notice = self.watcher.notices.pop(0) if self.watcher.notices else self.watcher.read()
            params = notice["params"]
            if notice["method"] == "presence.changed":
                continue
            if params["seq"] != self.seq + 1:
                self.faults.append(f"its watch went from {self.seq} to {params['seq']}")
            self.seq = params["seq"]
            if notice["method"] == "note.changed":
                note = params["note"]
                if note["text"] != text or note["version"] != version or "coalesced" in params:
                    self.faults.append(f"it received {params}, and wrote {text!r}")
                return

    def end(self):
        """The faults that it saw."""
        self.is_over.set()
        self.join(timeout=120)
        if self.is_alive():
            self.faults.append("it gets no responses")
        self.writer.close()
        self.watcher.close()
        return self.faults


class Judge:
    """Reads the whole store, except the bystander's note, through a separate connection."""

    def __init__(self, daemon, bystander, texts):
        self.client = Client(daemon.socket, "judge")
        self.bystander = bystander
        self.texts = texts

    def state(self):
        """(counts without the bystander's, {note: its text}, {dependent: (watches, presence)})"""
        with self.bystander.quiet:
            counts = self.client.ask("daemon.status")
            counts = {name: counts[name] for name in COUNTS}
            counts["revisions"] -= self.bystander.writes
            counts["commits"] -= self.bystander.writes
        notes = {}
        for deleted in (False, True):
            after = {}
            while after is not None:
                page = self.client.ask("note.list", filter={"deleted": deleted}, limit=1000, **after)
                for note in page["notes"]:
                    if note["id"] != self.bystander.note:
                        notes[note["id"]] = note
                after = {"after": page["next"]} if page["next"] else None
        for id, note in notes.items():
            shown = self.client.ask("note.get", id=id)["note"]
            note["text"] = shown["text"]
            self.texts[id, shown["version"]] = shown["text"]
        dependents = {
            one["dependent"]: (one["watches"], one["presence"]) for one in self.client.ask("dependents.list")["dependents"]}
        return counts, notes, dependents


def changed_by(before, after, conversations):
    """The changes of a step that no acknowledged write explains: (law, details) each."""
    if any(one.was_put_out for one in conversations):
        return []
    faults = []
    acknowledged = [one for conversation in conversations for one in conversation.acknowledged]
    writes = [(expected, result) for expected, result in acknowledged
              if expected.method in WRITES and "replayed" not in result]
    dots = [result.get("dot") or result["note"]["version"] for expected, result in writes
            if "dot" in result or expected.method == "note.create"]
    created = sum(expected.method == "note.create" for expected, _ in writes)
    law = "a refused request changed nothing, and an acknowledged one only what it requests"
    (counts, notes, dependents), (counts2, notes2, dependents2) = before, after
    if len(set(dots)) != len(dots):
        faults.append(("no dot is used twice", dots))
    told = {"revisions": len(dots), "all notes": created}
    found = {"revisions": counts2["revisions"] - counts["revisions"],
             "all notes": sum(counts2[name] - counts[name] for name in ("notes", "tombstones"))}
    if told != found:
        faults.append((law, {"acknowledged": told, "found": found}))
    if not len(dots) <= counts2["commits"] - counts["commits"] <= len(writes):
        faults.append((law, ("commits", counts, counts2, len(dots), len(writes))))
    named = {expected.params.get("id") or result["note"]["id"] for expected, result in writes}
    faults += [(law, (notes.get(id), notes2.get(id))) for id in set(notes) | set(notes2)
               if id not in named and notes.get(id) != notes2.get(id)]
    for conversation in conversations:
        faults += _dependent_faults(conversation, dependents2, law)
    return faults + _shown_faults(writes, notes2, len(conversations))


def _dependent_faults(conversation, dependents, law):
    if conversation.dependent is None or conversation.ended:
        return []
    found = dependents.get(conversation.dependent)
    if found is None:
        return [("every connection after its hello is a dependent", (conversation.dependent, dependents))]
    if found[0] != len(conversation.watches):
        return [(law, ("watches", found[0], sorted(conversation.watches)))]
    if not conversation.session.may_be_somewhere and found[1] is not None:
        return [(law, ("presence", found[1]))]
    return []


def _shown_faults(writes, notes, count):
    """The last write of each note: the note must have the state of its response. The order of
    writes that were in flight together is unknown."""
    last = {expected.params.get("id") or result["note"]["id"]: (expected, result) for expected, result in writes}
    faults = []
    for id, (expected, result) in last.items() if count == 1 else ():
        shown, outcome = notes.get(id), result.get("note", {}) if expected.method != "note.create" else {}
        text = outcome.get("text", expected.params.get("text"))
        if expected.method == "note.delete" and "note" not in result:
            holds = shown and shown["text"] == "" and shown["deleted"]
        else:
            holds = shown and (text is None or shown["text"] == text)
        if not holds or result.get("outcome") != "unchanged" and outcome.get("version", shown["version"]) != shown["version"]:
            faults.append(("a note has the state of its last write's response", (expected.params, result, shown)))
    return faults
