"""Several writers on several notes, and watchers: the load on the daemon until something happens to
it."""

import threading
import uuid

from connection import Connection, pump
from wording import Writing, apply, to_wire

# Notes longer than this shrink.
SMALL_BYTES = 1500


class Writer(Connection):
    """Keeps `depth` requests in flight. Each write extends a delivered version, mostly the newest."""

    def __init__(self, load, name, depth):
        self.load = load
        self.random = load.random
        self.depth = depth
        super().__init__(load.path, load.ledger, name)
        self.writing = Writing(self.random, self.ledger.token)
        # Own acknowledged writes that this writer has not undone.
        self.done = []
        self.more()

    def took(self, message):
        super().took(message)
        if "method" not in message:
            request = self.ledger.requests.get(message.get("id"))
            if request and request.method in ("note.save", "note.edit", "note.delete") and message.get("result", {}).get("dot"):
                self.done.append(request)
            self.load.came(message)
            self.more()

    def more(self):
        while len(self.in_flight) < self.depth and not self.load.is_enough:
            self.one()

    def one(self):
        notes = self.load.notes()
        kind = self.random.random()
        if len(notes) < self.load.notes_most and (not notes or kind < 0.06):
            return self.create()
        if self.done and self.random.random() < 0.04:
            return self.undo()
        note = self.random.choice(notes[-self.load.live:] if self.load.live else notes)
        version, text = self.base(note)
        most = self.load.large_bytes if note in self.load.large else SMALL_BYTES
        params = {"id": note, "base": version}
        if self.random.random() < 0.9:
            params["op"] = self.ledger.token()
        if kind < 0.5:
            new = self.writing.saved(text, most)
            return self.send("note.save", dict(params, text=new.decode()), new, text)
        if kind < 0.9:
            edits = self.writing.edits(text, most, whole_lines=False, drops=True)
            return self.send("note.edit", dict(params, edits=to_wire(edits)), apply(text, edits), text)
        if kind < 0.93:
            return self.send("note.delete", params, b"", text)
        if kind < 0.96:
            return self.send("note.save", dict(params, name=f"named/{self.ledger.token()}"), text, text)
        if kind < 0.98:
            return self.send("note.save", dict(params, text=text.decode()), text, text)
        return self.send("note.get", {"id": note})

    def undo(self):
        """Undoes an own write at its own version, so that the undo is concurrent with what followed."""
        undone = self.done.pop(self.random.randrange(max(0, len(self.done) - 20), len(self.done)))
        result = self.ledger.answered[undone.id]
        params = {"id": undone.note, "base": result["version"], "op": self.ledger.token()}
        if "op" in undone.params and self.random.random() < 0.5:
            params["ops"] = [undone.params["op"]]
        else:
            params["revisions"] = [result["dot"]]
        return self.send("note.undo", params, undone.text, undone.text, undone)

    def base(self, note):
        texts = self.ledger.texts[note]
        return texts[-1] if self.random.random() < 0.7 else self.random.choice(texts)

    def create(self):
        random = self.random
        id = str(uuid.UUID(int=(0x0190 << 112) | random.getrandbits(112) & ~(0xF << 76) & ~(3 << 62) | 7 << 76 | 2 << 62))
        size = self.load.large_bytes if len(self.load.large) < self.load.large_most else 0
        if size:
            self.load.large.add(id)
        text = self.writing.text(random.randrange(2, 8), size)
        params = {"id": id, "text": text.decode()}
        if random.random() < 0.5:
            params["name"] = f"new/{self.ledger.token()}"
        if random.random() < 0.9:
            params["op"] = self.ledger.token()
        return self.send("note.create", params, text)


class Watcher(Connection):
    """Watches all notes; resumes from the last cursor that it received, if any."""

    def __init__(self, path, ledger, name, include):
        self.include = include
        super().__init__(path, ledger, name)
        state = ledger.watches.get(include + name)
        params = {"include": include}
        if state and state.cursor:
            params["since"] = state.cursor
        self.send("notes.watch", params)

    @property
    def state(self):
        return self.ledger.watches.get(self.include + self.name)


INCLUDES = ("text", "edits", "meta")


def watchers(path, ledger):
    """One watcher of each kind; watchers of an existing ledger resume where they were."""
    return [Watcher(path, ledger, f"watcher{index}", include) for index, include in enumerate(INCLUDES)]


class Load:
    """`answers` is the number of responses after which the load sends no more requests; without it,
    the load runs until the daemon is gone. `live` is the number of notes, the newest, that are
    written at all.

    If `end` is given, a separate thread calls it during the load: some responses after the start,
    and up to 20 ms after the last of them.
    """

    def __init__(self, path, ledger, random, writers=4, answers=None, notes=8, large=1, large_bytes=60_000, live=None, end=None):
        self.path = path
        self.ledger = ledger
        self.random = random
        self.answers_most = answers
        self.notes_most = notes
        self.live = live
        self.large_most = large
        self.large_bytes = large_bytes
        self.large = {note for note, texts in ledger.texts.items() if len(texts[0][1]) > 4 * SMALL_BYTES}
        self.answers = 0
        self.is_enough = False
        self.end_at = random.randrange(150) if end else None
        self.ending = threading.Timer(random.random() ** 2 * 0.02, end) if end else None
        self.watchers = watchers(path, ledger)
        self.writers = [Writer(self, f"writer{index}", random.choice((1, 2, 8))) for index in range(writers)]

    @property
    def connections(self):
        return self.watchers + self.writers

    def notes(self):
        return list(self.ledger.texts)

    def came(self, message):
        self.answers += 1
        if self.answers == self.end_at:
            self.ending.start()
        if self.answers_most and self.answers >= self.answers_most:
            self.is_enough = True

    def run(self):
        """Runs until there are enough responses, or the daemon is gone."""
        if self.end_at == 0:
            self.ending.start()
        pump(self.connections, lambda: self.is_enough and not any(writer.in_flight for writer in self.writers))

    def close(self):
        if self.ending and self.ending.ident is None:
            self.ledger.lie("the daemon ended by itself")
        elif self.ending:
            self.ending.join()
        for connection in self.connections:
            connection.close()
