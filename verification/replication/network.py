"""Connections between machines that a test can cut, close, silence, slow down, or make lie."""

import json
import os
import socket
import threading

# Bytes and seconds of a step of a slow connection.
SLOW_BYTES, SLOW_S = 400, 0.002


class Link:
    """Listens on a socket, and carries what comes to the socket of a daemon and back.

    `mode` is `open`; `closed`, which refuses connections; `mute forth` or `mute back`, which holds
    what one direction carries until the mode changes; or `slow`. `lie` is called with each message
    and its direction (`forth` to the daemon), and returns the messages to deliver and to answer.
    """

    def __init__(self, path, target, lie=None):
        self.path = path
        self.target = target
        self.lie = lie
        self.changed = threading.Condition()
        self.mode = "open"
        self.pairs = []
        self.budget = None
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(path)
        self.listener.listen(50)
        threading.Thread(target=self.accept, daemon=True).start()

    def set(self, mode):
        with self.changed:
            self.mode = mode
            self.changed.notify_all()
        if mode == "closed":
            self.cut()

    def cut(self, after=None):
        """Cuts all connections, now or after some more bytes."""
        with self.changed:
            self.budget = after
            if after is not None:
                return
            pairs, self.pairs = self.pairs, []
        for pair in pairs:
            for end in pair:
                shut(end)

    def heal(self):
        """Disturbs nothing any more."""
        self.set("open")
        with self.changed:
            self.budget = None

    def stop(self):
        self.set("closed")
        self.listener.close()
        os.unlink(self.path)

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
            except OSError:
                return
            far = socket.socket(socket.AF_UNIX)
            try:
                if self.mode == "closed":
                    raise OSError("closed")
                far.connect(self.target)
            except OSError:
                shut(near)
                shut(far)
                continue
            with self.changed:
                self.pairs.append((near, far))
            # A lie may have to be remembered for a connection.
            lie = self.lie() if self.lie else None
            for source, sink, direction in ((near, far, "forth"), (far, near, "back")):
                threading.Thread(target=self.carry, args=(source, sink, direction, lie), daemon=True).start()

    def carry(self, source, sink, direction, lie):
        rest = b""
        try:
            while True:
                data = source.recv(1 << 16)
                if not data:
                    break
                if lie is None:
                    self.deliver(sink, data, direction)
                    continue
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    onward, returned = lie(json.loads(line), direction)
                    for message in onward:
                        self.deliver(sink, json.dumps(message).encode() + b"\n", direction)
                    for message in returned:
                        self.deliver(source, json.dumps(message).encode() + b"\n", direction)
        except OSError:
            pass
        shut(source)
        shut(sink)

    def deliver(self, sink, data, direction):
        with self.changed:
            self.changed.wait_for(lambda: self.mode != "mute " + direction)
            if self.budget is not None:
                self.budget -= len(data)
                if self.budget < 0:
                    data = data[:self.budget]
            ends, isSlow = self.budget is not None and self.budget < 0, self.mode == "slow"
        step = SLOW_BYTES if isSlow else len(data) or 1
        for start in range(0, len(data), step):
            sink.sendall(data[start:start + step])
            if isSlow:
                threading.Event().wait(SLOW_S)
        if ends:
            self.cut()
            raise OSError("cut")


def shut(end):
    try:
        end.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
    end.close()


# Lies. Each is a function that makes the liar of one connection.

def drops_a_revision():
    """Leaves a revision out of each page of several."""
    def lie(message, direction):
        revisions = message.get("params", {}).get("revisions") if message.get("method") == "revisions.page" else None
        if revisions:
            del revisions[len(revisions) // 2]
        return [message], []
    return lie


def only_claims_to_adopt():
    """Answers that revisions were committed, and forwards nothing."""
    def lie(message, direction):
        if message.get("method") != "revisions.adopt":
            return [message], []
        count = len(message["params"]["revisions"])
        result = {"committed": count, "known": 0, "waiting": [], "quarantined": [], "refused": [], "unreadable": []}
        return [], [{"jsonrpc": "2.0", "id": message["id"], "result": result}]
    return lie


def changes_a_letter():
    """Changes a letter of a revision on its way."""
    def lie(message, direction):
        for revision in message.get("params", {}).get("revisions", []) if isinstance(message.get("params"), dict) else []:
            text = revision["text"]
            if text[:1].isalpha():
                revision["text"] = ("x" if text[0] != "x" else "y") + text[1:]
                break
        return [message], []
    return lie


LIES_OF_THE_NETWORK = [drops_a_revision, only_claims_to_adopt, changes_a_letter]
