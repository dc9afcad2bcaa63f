"""prepend.py NAME LINE: puts LINE on top of the note NAME. Prints all notes, then the changes."""
import json, os, socket, sys, time, uuid

def find_socket():
    if os.environ.get("NOTESD_SOCKET"):
        return os.environ["NOTESD_SOCKET"]
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    folder = (runtime or state) + "/notesd"
    if os.path.exists(folder + "/notesd.sock"):
        owner, mode = os.stat(folder).st_uid, os.stat(folder).st_mode
        if runtime or owner == os.getuid() and mode & 0o077 == 0:
            return folder + "/notesd.sock"
    return "/run/notesd/notesd.sock"

class Prepender:
    def __init__(self, name, line):
        self.name, self.line = name, line
        self.path = None                                # the socket, once known
        self.notes, self.cursor = {}, None              # the notes that the watch sent
        self.write, self.done = None, False             # the write that waits for its response
        self.wait = 0.05                                # seconds before the next connection

    def run(self):
        while True:
            here = self.path or find_socket()
            try:
                with socket.socket(socket.AF_UNIX) as connection:
                    connection.connect(here)
                    self.path = here                    # keep it
                    self.session(connection.makefile("rwb"))
            except (OSError, ValueError):               # no daemon, or a line that was cut off
                pass
            time.sleep(self.wait)
            self.wait = min(2 * self.wait, 5)

    def session(self, stream):
        self.stream, self.seq = stream, 0
        self.call("hello", "session.hello", {"protocol": [1], "client": {"name": "prepend.py"}})
        since = {"since": self.cursor} if self.cursor else {}
        self.call("watch", "notes.watch", {"include": "text", **since})
        if self.write:                                  # no response came: the same op again
            self.call("save", "note.save", self.write)
        for line in stream:
            message = json.loads(line)
            if "method" in message:
                goes_on = self.on_line(message["method"], message.get("params", {}))
            elif "error" in message:
                goes_on = self.on_error(message["error"])
            else:
                goes_on = self.on_result(message["id"], message["result"])
            if not goes_on:
                return                                  # connect again

    def call(self, id, method, params):
        request = {"jsonrpc": "2.0", "id": id, "method": method, "params": params}
        self.stream.write(json.dumps(request).encode() + b"\n")
        self.stream.flush()

    def save(self, params):
        self.write = {"op": uuid.uuid4().hex, **params}
        self.call("save", "note.save", self.write)

    def on_line(self, method, params):
        if "seq" in params:
            self.seq += 1
            if params["seq"] != self.seq:
                return False
        if method == "note.changed":
            note, change = params["note"], params["change"]
            print(change, note["id"], note["version"])
            self.notes.pop(note["id"], None)
            if change not in ("left", "deleted"):
                self.notes[note["id"]] = note
        elif method == "watch.synced":
            self.on_synced()
        elif method == "session.closing":
            self.wait = (params["retryAfterMs"] or 0) / 1000 or self.wait
        self.cursor = params.get("cursor", self.cursor) # watch.reset has none
        return True

    def on_synced(self):
        if not self.write and not self.done:
            named = [note for note in self.notes.values() if note["name"] == self.name]
            if not named:
                sys.exit(f"there is no note {self.name}")
            note = min(named, key=lambda note: note["id"])
            self.save({"id": note["id"], "base": note["version"],
                       "text": self.line + "\n" + note["text"]})
        if not self.write:
            self.wait = 0.05

    def on_result(self, id, result):
        if id == "watch":
            self.cursor = result["cursor"]
            self.notes = {} if result["reset"] else self.notes
        elif id == "save":
            sent, self.write, self.done, self.wait = self.write, None, True, 0.05
            merged = result.get("note", {})             # absent: the merged text is the text sent
            note = self.notes.get(sent["id"])
            if note:
                note["text"] = merged.get("text", sent.get("text", note["text"]))
                note["version"] = merged.get("version", result["version"])
            conflicts = [conflict for conflict in merged.get("conflicts", [])
                         if any(side["dot"] == result["dot"] for side in conflict["sides"])]
            if conflicts:                               # the merged text has both sides: keep it
                self.save({"id": sent["id"], "base": merged["version"],
                           "resolves": [conflict["id"] for conflict in conflicts]})
        return True

    def on_error(self, error):
        if error["data"]["kind"] in ("unknown_base", "revision_gone", "note_not_found"):
            self.notes, self.cursor, self.write = {}, None, None    # start again with a snapshot
        elif not error["data"]["retryable"]:
            sys.exit(error["message"])
        return False

if __name__ == "__main__":
    name, line = [os.fsencode(word).decode() for word in sys.argv[1:]]  # must be UTF-8
    Prepender(name, line).run()
