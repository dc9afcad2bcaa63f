"""Holds a daemon that was started after a crash to all that was told before it.

Every law is checked on what the daemon says now, through the protocol, and at last on the files that it leaves.
"""

import collections
import os
import sqlite3

import wording
from connection import Connection, Lost, all_answered, pump
from expectations import digest
from load import watchers
from places import PATIENCE_S

# How many of the notes have a token of theirs searched for.
SEARCHED = 4


class Judge:
    """`check(holds, law, *details)` is told what holds and what does not."""

    def __init__(self, daemon, ledger, check, random, label="judge"):
        self.daemon = daemon
        self.ledger = ledger
        self.check = check
        self.random = random
        self.label = label
        self.texts = {}

    def run(self, versions_most=None):
        """All laws, on the daemon as it runs. `versions_most` bounds how many told versions are read again."""
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
            self.check(len(self.ledger.replicas - replicas) == 1, "a run has a replica of its own", self.ledger.replicas)
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
        self.check(not self.ledger.lies, "what the daemon says agrees with what it said")
        self.ledger.lies.clear()

    def is_synced(self, watcher):
        return watcher.lost or watcher.state is not None and watcher.state.synced

    def ask(self, requests):
        """Answers to many requests, each `(method, params)`; in their order."""
        sent = [self.asker.send(method, params, keep=True) for method, params in requests]
        return self.answers(sent)

    def answers(self, sent):
        pump([self.asker] + self.watching, lambda: not any(request.id in self.asker.in_flight for request in sent))
        if self.asker.lost:
            raise Lost("the daemon closed the connection")
        return [self.asker.answers.pop(request.id) for request in sent]

    def settle(self):
        """Until all that was written has been told, and what the notes show has been read."""
        self.read_notes()
        pump([self.asker] + self.watching,
             lambda: all(self.agrees(watcher) for watcher in self.watching) or any(w.lost for w in self.watching), PATIENCE_S)

    def agrees(self, watcher):
        return all(self.is_told(watcher, note) for note in self.texts)

    def is_told(self, watcher, note):
        """Whether he was told how the note is now. Of one that he knows to be deleted, that it was deleted once more is nothing to him: a
        tombstone is not in what he watches."""
        version, _, shown = self.texts[note]
        return watcher.state.known.get(note) == version or shown["deleted"] and note in watcher.state.gone

    def read_notes(self):
        """What every note shows now; one whose creation was acknowledged, or that anybody was told of, is there."""
        ids = list(self.ledger.shown)
        may_be = [r.note for r in self.ledger.pending.values() if r.method == "note.create" and r.note not in self.ledger.shown]
        self.texts = {}
        for id, answer in zip(ids + may_be, self.ask([("note.get", {"id": id}) for id in ids + may_be])):
            note = answer.get("result", {}).get("note")
            if id in self.ledger.shown:
                self.check(note is not None, "a note that was told of is there", id, answer)
            if note:
                self.texts[id] = (note["version"], note["text"].encode(), note)

    def versions(self, most):
        """Every text that was ever told is read again at its version, byte for byte."""
        all_told = [(note, version, seen) for note, versions in self.ledger.shown.items() for version, seen in versions.items()]
        if most is not None and len(all_told) > most:
            all_told = all_told[-most // 2:] + self.random.sample(all_told[:-most // 2], most - most // 2)
        asked = [("note.get", {"id": note, "at": version}) for note, version, _ in all_told]
        for (note, version, seen), answer in zip(all_told, self.ask(asked)):
            text = answer["result"]["note"]["text"].encode() if "result" in answer else None
            if text is None:
                self.check(False, "a version that was told can be read again", note, version, answer)
            else:
                self.check(digest(text) == seen, "a version that was told has the text that was told", note, version, text[:300])

    def shown_tokens(self):
        """What was written is shown, once, unless a write whose writer had seen it took it away."""
        must, may, gone, refused = {}, set(), set(), set()
        for id in self.ledger.answered:
            request = self.ledger.requests[id]
            must.update(dict.fromkeys(request.inserted, request.note))
            if request.method != "note.delete":
                gone |= request.removed
            may |= request.removed
        for request in self.ledger.pending.values():
            may |= request.removed
        for id in self.ledger.refused:
            refused |= self.ledger.requests[id].inserted
        counts = {note: collections.Counter(t.decode() for t in wording.tokens(text)) for note, (_, text, _) in self.texts.items()}
        for token, note in must.items():
            shown = counts.get(note, {}).get(token.decode(), 0)
            if token not in may:
                self.check(shown == 1, "what an acknowledged write inserted is shown, once", note, token, shown)
            elif token in gone:
                self.check(shown == 0, "what an acknowledged write removed is not shown", note, token, shown)
        for note, count in counts.items():
            twice = [token for token, number in count.items() if number > 1]
            self.check(not twice, "nothing is shown twice", note, twice)
            self.check(not refused.intersection(t.encode() for t in count), "what was refused changed nothing", note)

    def watchers_missed_nothing(self):
        for watcher in self.watching:
            for note, (version, _, _) in self.texts.items():
                told = watcher.state.known.get(note)
                is_told = self.is_told(watcher, note)
                lines = [] if is_told else [line for line in watcher.state.lines if line[0] != "note.changed" or line[3] == note]
                self.check(is_told, "who goes on from his cursor hears of every change", watcher.state.name, note, told, version,
                           watcher.state.cursor, lines)

    def made_once(self, unanswered):
        """Named writes that were not answered are sent again, twice: they are made once. What was shown of one was made before."""
        named = [request for request in unanswered if "op" in request.params]
        seen_before = {t for _, text, _ in self.texts.values() for t in wording.tokens(text)}
        first = self.answers([self.asker.resend(request, keep=True) for request in named])
        again = self.answers([self.asker.resend(request, keep=True) for request in named])
        for request, one, two in zip(named, first, again):
            # Its base was told, and nobody else has its id or its name.
            if not self.check("result" in one, "a write that was not answered can be sent again", request.line[:300], one):
                continue
            replayed = one["result"].get("replayed", False)
            self.check(two.get("result", {}).get("replayed") is True, "a named write is made once", request.line[:300], two)
            if request.inserted & seen_before:
                self.check(replayed, "a named write that is shown already is not made again", request.line[:300], one)
        done = [self.ledger.requests[id] for id in self.ledger.answered]
        done = [request for request in done if request.is_write and "op" in request.params][-2000:]
        sample = self.random.sample(done, min(len(done), 20))
        for request, answer in zip(sample, self.answers([self.asker.resend(request, keep=True) for request in sample])):
            self.check(answer.get("result", {}).get("replayed") is True, "an acknowledged named write is known", request.line[:300], answer)

    def go_on(self):
        """Somebody writes on what was there before, new and old; each dot is one that was never given."""
        sent = []
        notes = self.random.sample(sorted(self.ledger.texts), min(len(self.ledger.texts), 3))
        for note in notes:
            version, text = self.random.choice(self.ledger.texts[note])
            new = b"after [" + self.ledger.token().encode() + b"]\n" + text
            params = {"id": note, "base": version, "text": new.decode(), "op": self.ledger.token()}
            sent.append(self.asker.send("note.save", params, new, text, keep=True))
        # That a dot was never given before, to another text, is seen by the ledger.
        for request, answer in zip(sent, self.answers(sent)):
            self.check("dot" in answer.get("result", {}), "a version that was told can be written on", request.line[:200], answer)

    def search(self):
        """What is shown is found, by a word that stands in one note alone."""
        shown = [(note, token) for note, (_, text, _) in self.texts.items() for token in wording.tokens(text)[:3]]
        sample = self.random.sample(shown, min(len(shown), SEARCHED))
        for (note, token), answer in zip(sample, self.ask([("note.search", {"query": token.decode()}) for _, token in sample])):
            if answer.get("error", {}).get("data", {}).get("kind") == "overloaded":
                continue
            hits = [hit["note"]["id"] for hit in answer.get("result", {}).get("hits", [])]
            self.check(hits == [note], "what is shown is found", token, note, hits, answer.get("error"))

    def audit(self):
        (answer,) = self.ask([("daemon.audit", {})])
        self.check(answer.get("result", {}).get("ok") is True, "the daemon's audit finds nothing", answer)


def files(daemon, check):
    """What a daemon that has ended left: whole, to its own eyes and to SQLite's."""
    found = daemon.verify()
    check(found == "", "notesd verify finds nothing", found)
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
