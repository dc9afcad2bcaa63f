"""The responses and notifications that the clients of one run received, and how the store must
agree with them."""

import threading

# The outcome of a write, as its writer knows it.
ACKED, REFUSED, OPEN = "acknowledged", "refused", "not answered"


class Write:
    def __init__(self, note, token, op, is_creation):
        self.note, self.token, self.op, self.is_creation = note, token, op, is_creation
        self.state, self.dot, self.error = OPEN, None, None


class Account:
    """Every write of a run. The token of a write is a separate line of its note."""

    def __init__(self):
        self.lock = threading.Lock()
        self.writes = []
        # The tokens that a watch received, with their sources.
        self.told = {}

    def begin(self, note, token, op, is_creation=False):
        write = Write(note, token, op, is_creation)
        with self.lock:
            self.writes.append(write)
        return write

    def tell(self, tokens, note):
        with self.lock:
            for token in tokens:
                self.told[token] = note

    def of(self, state):
        with self.lock:
            return [write for write in self.writes if write.state == state]

    def faults(self, texts):
        """The disagreements of a store with these texts: by note, None for a missing note."""
        lines = {note: text.split("\n") if text is not None else [] for note, text in texts.items()}
        there = {}
        for note, found in lines.items():
            for line in found:
                there.setdefault((note, line), []).append(line)
        found = []
        with self.lock:
            for write in self.writes:
                count = len(there.get((write.note, write.token), []))
                if write.state == ACKED and count != 1:
                    found.append(f"{write.token} was acknowledged and occurs {count} times")
                if write.state == REFUSED and count:
                    found.append(f"{write.token} was refused ({write.error}) and exists")
                if count > 1:
                    found.append(f"{write.token} occurs {count} times")
                if write.is_creation and write.state == REFUSED and texts.get(write.note) is not None:
                    found.append(f"the note of {write.token} was refused ({write.error}) and exists")
            for token, note in self.told.items():
                if (note, token) not in there:
                    found.append(f"{token} was sent to a watch and is missing")
        return found
