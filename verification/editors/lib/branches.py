"""A proxy between an editor and the daemon that decides when the editor receives the writes of
others: a network with any delay.

It forwards the editor's writes to the daemon immediately. It rewrites responses as if the daemon
knew nothing else yet, and holds changes until `Branch.show` names the version up to which they are
shown. A test can thus make an editor write on exactly the version that it needs.
"""

import json
import queue
import socket
import threading

from editors import PATIENCE_S

WRITES = ("note.edit", "note.save")


class Branch:
    """The connection of one editor. `writes` has `(base, dot)` of each answered write, in order."""

    def __init__(self, path, daemon_path, note):
        self.path = path
        self.daemon_path = daemon_path
        self.note = note
        self.writes = queue.Queue()
        self.refusals = []
        self.lock = threading.Lock()
        self.asked = {}
        self.watch = None
        # The newest version that may be shown; None before the first.
        self.bound = None
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(path)
        listener.listen(4)
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def _accept(self, listener):
        while True:
            editor, _ = listener.accept()
            daemon = socket.socket(socket.AF_UNIX)
            daemon.connect(self.daemon_path)
            threading.Thread(target=self._up, args=(editor, daemon), daemon=True).start()
            threading.Thread(target=self._down, args=(editor, daemon), daemon=True).start()

    def _up(self, editor, daemon):
        for line in self._lines(editor):
            request = json.loads(line)
            if request["method"] == "note.get" and "from" in request["params"] and self.bound:
                request["params"].setdefault("at", self.bound)
                line = json.dumps(request).encode() + b"\n"
            is_watch = request["method"] == "notes.watch" and self.note in request["params"].get("filter", {}).get("ids", [])
            if request["method"] in WRITES or is_watch:
                self.asked[request["id"]] = request
            daemon.sendall(line)
        daemon.shutdown(socket.SHUT_WR)

    def _lines(self, editor):
        try:
            yield from editor.makefile("rb")
        except ConnectionResetError:
            # The editor's host has ended.
            return

    def _down(self, editor, daemon):
        for line in daemon.makefile("rb"):
            message = json.loads(line)
            with self.lock:
                passed = self._answer(message, editor) if "id" in message else self._notice(message)
                try:
                    if passed:
                        editor.sendall(json.dumps(passed).encode() + b"\n")
                except OSError:
                    # The editor has ended.
                    return

    def _answer(self, message, editor):
        request = self.asked.pop(message["id"], None)
        if request is None:
            return message
        if "error" in message:
            self.refusals.append((request, message["error"]))
        elif request["method"] == "notes.watch":
            self.watch = {"editor": editor, "number": message["result"]["watch"], "seq": 0, "cursor": message["result"]["cursor"]}
        else:
            result = message["result"]
            self.bound = result["version"]
            self.writes.put((request["params"]["base"], result.get("dot")))
            message["result"] = {key: result[key] for key in ("outcome", "dot", "version") if key in result}
            message["result"]["outcome"] = "saved" if "dot" in result else "unchanged"
        return message

    def _notice(self, message):
        params = message.get("params", {})
        if self.watch is None or params.get("watch") != self.watch["number"]:
            return message
        self.watch["cursor"] = params.get("cursor", self.watch["cursor"])
        if message["method"] == "note.changed":
            return None
        self.watch["seq"] += 1
        params["seq"] = self.watch["seq"]
        return message

    def show(self, client, base, version):
        """Sends the editor, which shows `base`, the edits from there to `version`; the version as
        the daemon writes it."""
        note = client.ask("note.get", id=self.note, at=version, **{"from": base})["note"]
        note["base"] = base
        params = {"watch": self.watch["number"], "cursor": self.watch["cursor"], "change": "edited", "note": note}
        with self.lock:
            self.bound = note["version"]
            self.watch["seq"] += 1
            params["seq"] = self.watch["seq"]
            line = {"jsonrpc": "2.0", "method": "note.changed", "params": params}
            self.watch["editor"].sendall(json.dumps(line).encode() + b"\n")
        return note["version"]

    def next_write(self):
        """The base and the dot of the next write of the editor that the daemon has applied; raises
        `queue.Empty` if there is none."""
        return self.writes.get(timeout=PATIENCE_S)
