"""Checks a daemon that was started after a crash against everything sent before the crash.

Checks every law on the daemon's responses, through the protocol, and finally on the files that it
leaves.
"""

import collections
import os
import sqlite3

import wording
from connection import Connection, Lost, all_answered, pump
from expectations import digest
from load import watchers
from places import PATIENCE_S

# The number of notes for which the judge searches for a token.
SEARCHED = 4


class Judge:
    """`check(holds, law, *details)` receives each result."""

    def __init__(self, daemon, ledger, check, random, label="judge"):
        self.daemon = daemon
        self.ledger = ledger
        self.check = check
        self.random = random
        self.label = label
        self.texts = {}

    def run(self, versions_most=None):
        """Checks all laws on the running daemon. `versions_most` limits the number of delivered
        versions that are read again."""
        unanswered = [request for request in self.ledger.pending.values() if request.is_write]
        replicas = set(self.ledger.replicas)
        everyone = []
        try:
            self.asker = Connection(self.daemon.socket, self.ledger, self.label)
            self.watching = watchers(self.daemon.socket, self.ledger)
            everyone += [self.asker] + self.watching
            pump(everyone, lambda: all_answered(everyone)() and all(self.is_synced(watcher) for watcher in self.watching))
            if any(connection.lost for connection in everyone):
                raise Lost("the daemon closed a connection")
            self.check(len(self.ledger.replicas - replicas) == 1, "each run has a new replica", self.ledger.replicas)
            self.read_notes()
            self.versions(versions_most)
            self.shown_tokens()
            self.watchers_missed_nothing()
            self.made_once(unanswered)
            self.go_on()
            self.settle()
            self.shown_tokens()
            self.watchers_missed_nothing()
            self.search()
            self.audit()
        except (Lost, OSError) as error:
            self.check(False, "the daemon serves after the crash", repr(error), self.daemon.said())
        finally:
            for connection in everyone:
                connection.close()
        for lie in self.ledger.lies:
            self.check(False, lie)
        self.check(not self.ledger.lies, "the daemon does not contradict itself")
        self.ledger.lies.clear()

    def is_synced(self, watcher):
        return watcher.lost or watcher.state is not None and watcher.state.synced

    def ask(self, requests):
        """The responses to many requests, each `(method, params)`; in their order."""
        sent = [self.asker.send(method, params, keep=True) for method, params in requests]
        return self.answers(sent)

    def answers(self, sent):
        pump([self.asker] + self.watching, lambda: not any(request.id in self.asker.in_flight for request in sent))
        if self.asker.lost:
            raise Lost("the daemon closed the connection")
        return [self.asker.answers.pop(request.id) for request in sent]

    def settle(self):
        """Waits until all writes have been sent to the watches, and reads the merged text of each
        note."""
        self.read_notes()
        pump([self.asker] + self.watching,
             lambda: all(self.agrees(watcher) for watcher in self.watching) or any(w.lost for w in self.watching), PATIENCE_S)

    def agrees(self, watcher):
        return all(self.is_told(watcher, note) for note in self.texts)

    def is_told(self, watcher, note):
        """Whether a watch received the current state of the note. If it knows that the note is
        deleted, a second deletion is not reported: its filter does not contain tombstones."""
        version, _, shown = self.texts[note]
        return watcher.state.known.get(note) == version or shown["deleted"] and note in watcher.state.gone

    def read_notes(self):
        """The current state of every note. A note whose creation was acknowledged, or that any
        client received, must exist."""
        ids = list(self.ledger.shown)
        may_be = [r.note for r in self.ledger.pending.values() if r.method == "note.create" and r.note not in self.ledger.shown]
        self.texts = {}
        for id, answer in zip(ids + may_be, self.ask([("note.get", {"id": id}) for id in ids + may_be])):
            note = answer.get("result", {}).get("note")
            if id in self.ledger.shown:
                self.check(note is not None, "a delivered note is there", id, answer)
            if note:
                self.texts[id] = (note["version"], note["text"].encode(), note)

    def versions(self, most):
        """Reads every delivered text again at its version, and compares it byte for byte."""
        all_told = [(note, version, seen) for note, versions in self.ledger.shown.items() for version, seen in versions.items()]
        if most is not None and len(all_told) > most:
            all_told = all_told[-most // 2:] + self.random.sample(all_told[:-most // 2], most - most // 2)
        asked = [("note.get", {"id": note, "at": version}) for note, version, _ in all_told]
        for (note, version, seen), answer in zip(all_told, self.ask(asked)):
            text = answer["result"]["note"]["text"].encode() if "result" in answer else None
            if text is None:
                self.check(False, "a delivered version can be read again", note, version, answer)
            else:
                self.check(digest(text) == seen, "a delivered version has the delivered text", note, version, text[:300])

    def shown_tokens(self):
        """Checks that inserted text is there once, unless a write whose writer had seen it removed
        it. A write that an acknowledged undo names counts as if it had never been made, except in a
        note that was deleted: the deletion also hides what the write had removed. A line stays, as the
        writer who removed it saw it, if an edit inserted text in it that this writer had not seen."""
        must, may, gone, refused = {}, set(), set(), set()
        keepers = self.keepers()
        undone = {request.id: request for request in self.ledger.undone(self.ledger.answered)}
        either = {token for request in self.ledger.undone(self.ledger.pending) for token in request.inserted | request.removed}
        deleted = {request.note for request in map(self.ledger.requests.get, [*self.ledger.answered, *self.ledger.pending])
                   if request.method == "note.delete"}
        for request in undone.values():
            if request.note in deleted:
                either |= request.removed
        for id in self.ledger.answered:
            request = self.ledger.requests[id]
            if id in undone:
                continue
            must.update(dict.fromkeys(request.inserted, request.note))
            if request.method != "note.delete":
                gone.update(token for token in request.removed if keepers.get(token, request.removed) <= request.removed)
            may |= request.removed
        for request in self.ledger.pending.values():
            may |= request.removed
        for id in self.ledger.refused:
            refused |= self.ledger.requests[id].inserted
        counts = {note: collections.Counter(t.decode() for t in wording.tokens(text)) for note, (_, text, _) in self.texts.items()}
        for request in undone.values():
            for token in request.inserted:
                shown = counts.get(request.note, {}).get(token.decode(), 0)
                self.check(shown == 0, "text inserted by an undone write is not there", request.note, token, shown)
        for token, note in must.items():
            shown = counts.get(note, {}).get(token.decode(), 0)
            if token in either:
                continue
            elif token not in may:
                self.check(shown == 1, "text inserted by an acknowledged write is there once", note, token, shown)
            elif token in gone:
                self.check(shown == 0, "text removed by an acknowledged write is not there", note, token, shown)
        for note, count in counts.items():
            twice = [token for token, number in count.items() if number > 1]
            self.check(not twice, "nothing is there twice", note, twice)
            self.check(not refused.intersection(t.encode() for t in count), "a refused write changed nothing", note)

    def keepers(self):
        """Each token to the tokens that edits inserted in its line, in any version of it. Two lines
        are one here if a writer saw them as one and removed it."""
        lines = {}
        inserted = set()
        for request in map(self.ledger.requests.get, [*self.ledger.answered, *self.ledger.pending]):
            for tokens in request.lines:
                line = tokens.union(*(lines.get(token, ()) for token in tokens))
                lines.update(dict.fromkeys(line, line))
                inserted |= tokens & request.inserted
        return {token: line & inserted for token, line in lines.items()}

    def watchers_missed_nothing(self):
        for watcher in self.watching:
            for note, (version, _, _) in self.texts.items():
                told = watcher.state.known.get(note)
                is_told = self.is_told(watcher, note)
                lines = [] if is_told else [line for line in watcher.state.lines if line[0] != "note.changed" or line[3] == note]
                self.check(is_told, "a watch that resumes receives every change", watcher.state.name, note, told, version,
                           watcher.state.cursor, lines)

    def made_once(self, unanswered):
        """Sends unanswered writes with an op again, twice: each must be applied once. If its text
        was already delivered, it must not be applied again."""
        named = [request for request in unanswered if "op" in request.params]
        seen_before = {t for _, text, _ in self.texts.values() for t in wording.tokens(text)}
        first = self.answers([self.asker.resend(request, keep=True) for request in named])
        again = self.answers([self.asker.resend(request, keep=True) for request in named])
        for request, one, two in zip(named, first, again):
            # Its base was delivered, and no other write has its id or its op.
            if not self.check("result" in one, "an unanswered write can be sent again", request.line[:300], one):
                continue
            replayed = one["result"].get("replayed", False)
            self.check(two.get("result", {}).get("replayed") is True, "a write with an op is applied once", request.line[:300], two)
            if request.inserted & seen_before:
                self.check(replayed, "a write with an op is not applied again", request.line[:300], one)
        done = [self.ledger.requests[id] for id in self.ledger.answered]
        done = [request for request in done if request.is_write and "op" in request.params][-2000:]
        sample = self.random.sample(done, min(len(done), 20))
        for request, answer in zip(sample, self.answers([self.asker.resend(request, keep=True) for request in sample])):
            self.check(answer.get("result", {}).get("replayed") is True, "an acknowledged op is known", request.line[:300], answer)

    def go_on(self):
        """Writes on earlier versions, new and old; each write must get a new dot."""
        sent = []
        notes = self.random.sample(sorted(self.ledger.texts), min(len(self.ledger.texts), 3))
        for note in notes:
            version, text = self.random.choice(self.ledger.texts[note])
            new = b"after [" + self.ledger.token().encode() + b"]\n" + text
            params = {"id": note, "base": version, "text": new.decode(), "op": self.ledger.token()}
            sent.append(self.asker.send("note.save", params, new, text, keep=True))
        # The ledger detects a dot that was already used for another text.
        for request, answer in zip(sent, self.answers(sent)):
            self.check("dot" in answer.get("result", {}), "a delivered version can be the base of a write", request.line[:200], answer)

    def search(self):
        """Searches for a word of a single note, which must be found."""
        shown = [(note, token) for note, (_, text, _) in self.texts.items() for token in wording.tokens(text)[:3]]
        sample = self.random.sample(shown, min(len(shown), SEARCHED))
        for (note, token), answer in zip(sample, self.ask([("note.search", {"query": token.decode()}) for _, token in sample])):
            if answer.get("error", {}).get("data", {}).get("kind") == "overloaded":
                continue
            hits = [hit["note"]["id"] for hit in answer.get("result", {}).get("hits", [])]
            self.check(hits == [note], "a search finds the merged text", token, note, hits, answer.get("error"))

    def audit(self):
        (answer,) = self.ask([("daemon.audit", {})])
        self.check(answer.get("result", {}).get("ok") is True, "the daemon's audit finds nothing", answer)


def files(daemon, check):
    """Checks the files of a daemon that has ended, with `notesd audit` and with SQLite."""
    found = daemon.verify()
    check(found == "", "notesd audit finds nothing", found)
    for name in ("notes.sqlite3", "search.sqlite3"):
        path = os.path.join(daemon.data, name)
        if name.startswith("search") and not os.path.exists(path):
            continue
        database = sqlite3.connect(path)
        try:
            found = [row[0] for row in database.execute("PRAGMA integrity_check")]
        except sqlite3.DatabaseError as error:
            found = [str(error)]
        database.close()
        check(found == ["ok"], f"SQLite's integrity check of {name} finds nothing", found[:5])
