"""One run of a daemon in which calls fail: it starts, several clients write, one watches, a backup
is made, the configuration is reloaded, and the daemon stops. Everything that the clients receive
goes into an `Account`."""

import json
import os
import random
import signal
import socket
import threading
import time

from account import ACKED, OPEN, REFUSED
from daemon import Client

WRITERS, WRITES = 3, 5
SHARED = ["01890a5d-ac96-774b-bcce-b302099a80a1", "01890a5d-ac96-774b-bcce-b302099a80a2"]
# The timeout in seconds of a response, or of an end; it passes only if something is wrong.
PATIENCE_S = 30


class Hang(Exception):
    """A request got no response."""


class Gone(Exception):
    """The daemon cannot be reached any more."""


def note_id(generator):
    digits = f"{generator.getrandbits(128):032x}"
    return f"{digits[:8]}-{digits[8:12]}-7{digits[13:16]}-a{digits[17:20]}-{digits[20:]}"


class Visitor:
    """A client that reconnects when its connection ends, as long as there is a daemon."""

    def __init__(self, run, label):
        self.run, self.label, self.client = run, label, None
        # How often the last request was sent without a response.
        self.unanswered = 0

    def connect(self):
        until = time.monotonic() + PATIENCE_S
        while True:
            if self.run.has_ended():
                raise Gone()
            try:
                client = Client(self.run.daemon.socket, self.label)
                client.socket.settimeout(PATIENCE_S)
                self.client = client
                return
            except TimeoutError as error:
                raise Hang(f"{self.label}: no answer to hello") from error
            except (OSError, ValueError):
                # One connection may end while accepting or answering fails; not all of them for
                # ever.
                if time.monotonic() > until:
                    raise Hang(f"{self.label}: cannot connect") from None
                time.sleep(0.01)

    def once(self, method, **params):
        """One try: a response, a refusal (RuntimeError), or OSError if the connection ends first."""
        if self.client is None:
            self.connect()
        try:
            return self.client.ask(method, **params)
        except TimeoutError as error:
            self.drop()
            raise Hang(f"{self.label}: no answer to {method}") from error
        except (OSError, ValueError) as error:
            self.drop()
            raise OSError(str(error)) from error

    def ask(self, method, **params):
        """Retries, on a new connection, until there is a response."""
        until, self.unanswered = time.monotonic() + PATIENCE_S, 0
        while time.monotonic() < until:
            try:
                return self.once(method, **params)
            except OSError:
                self.unanswered += 1
        raise Hang(f"{self.label}: every connection ends before {method} is answered")

    def drop(self):
        if self.client is not None:
            client, self.client = self.client, None
            try:
                client.close()
            except OSError:
                pass


class Watcher(threading.Thread):
    """Watches all notes with their texts, resumes from its cursor on a new connection, and records
    gaps."""

    def __init__(self, run):
        super().__init__(daemon=True)
        self.run_, self.cursor, self.latest, self.faults = run, None, {}, []
        self.news = threading.Condition()
        self.is_over = False

    def run(self):
        visitor = Visitor(self.run_, "watcher")
        while not self.is_over:
            try:
                visitor.connect()
                self.watch(visitor.client)
            except (Gone, Hang):
                return
            except (OSError, ValueError, RuntimeError):
                pass
            visitor.drop()

    def watch(self, client):
        params = {"include": "text"}
        if self.cursor:
            params["since"] = self.cursor
        # Raw reads from here on: notifications arrive without a request.
        request = {"jsonrpc": "2.0", "id": 0, "method": "notes.watch", "params": params}
        client.socket.sendall(json.dumps(request).encode() + b"\n")
        client.socket.settimeout(0.05)
        buffer, next_seq = b"", 1
        while not self.is_over:
            try:
                piece = client.socket.recv(1 << 16)
            except TimeoutError:
                continue
            if not piece:
                return
            *lines, buffer = (buffer + piece).split(b"\n")
            for line in lines:
                next_seq = self.take(json.loads(line), next_seq)

    def take(self, notice, next_seq):
        if "error" in notice:
            raise RuntimeError(notice["error"])
        params = notice.get("params", {})
        if "seq" not in params:
            return next_seq
        if params["seq"] != next_seq:
            self.faults.append(f"seq {params['seq']} where {next_seq} is due")
        self.cursor = params.get("cursor", self.cursor)
        note = params.get("note", {})
        if "text" in note:
            tokens = [line for line in note["text"].split("\n") if line.startswith("token ")]
            self.run_.account.tell(tokens, note["id"])
            with self.news:
                self.latest[note["id"]] = note["text"]
                self.news.notify_all()
        return params["seq"] + 1

    def hears(self, texts):
        """Whether it has received all of these texts, within the timeout."""
        with self.news:
            return self.news.wait_for(lambda: all(self.latest.get(note) == text for note, text in texts.items()), PATIENCE_S)


class Run:
    """The load on one daemon, which may end during it."""

    def __init__(self, daemon, account, seed, writes=WRITES, lines=(1, 200)):
        self.daemon, self.account, self.writes, self.lines = daemon, account, writes, lines
        self.generator = random.Random(seed)
        self.prefix = f"{seed}."
        self.errors = []
        self.hangs = []
        self.backup = None
        self.watcher = Watcher(self)
        self.lock = threading.Lock()
        self.notes = set(SHARED)

    def has_ended(self):
        return self.daemon.process.poll() is not None

    # MARK: Writing

    def write(self, visitor, method, note, token, text_of=None, **params):
        """Sends a write until it gets a response, with its `op`."""
        op = f"{self.prefix}{token}"
        write = self.account.begin(note, token, op, method == "note.create")
        try:
            result = visitor.ask(method, id=note, op=op, **params)
            write.dot = (result["note"]["version"] if method == "note.create" else result["dot"])
            write.state = ACKED
            return result
        except RuntimeError as error:
            write.error = error.args[0]
            # A refusal is about the last try. The outcome of an earlier try without a response is
            # unknown.
            write.state = OPEN if visitor.unanswered else REFUSED
            with self.lock:
                self.errors.append((method, write.error))
            return None

    def writer(self, number):
        visitor = Visitor(self, f"writer {number}")
        random_ = random.Random(f"{self.prefix}{number}")
        own, versions = None, {}
        try:
            for step in range(self.writes):
                token = f"token {self.prefix}{number}.{step}"
                if own is None:
                    note = note_id(random_)
                    with self.lock:
                        self.notes.add(note)
                    text = token + "\n" + "".join(f"{random_.getrandbits(256):x}\n" for _ in range(random_.choice(self.lines)))
                    result = self.write(visitor, "note.create", note, token, text=text)
                    if result:
                        own, versions[note] = note, result["note"]["version"]
                    continue
                note = own if step == self.writes - 1 else random_.choice(SHARED)
                if note not in versions:
                    versions[note] = visitor.ask("note.get", id=note)["note"]["version"]
                result = self.write(visitor, "note.edit", note, token, base=versions[note],
                                    edits=[{"start": 0, "end": 0, "text": token + "\n"}])
                if result:
                    versions[note] = result["version"]
        except RuntimeError as error:
            with self.lock:
                self.errors.append(("note.get", error.args[0]))
        except Gone:
            pass
        except Hang as hang:
            self.hangs.append(str(hang))
        visitor.drop()

    # MARK: Other requests

    def operator(self):
        """Makes a backup, reloads the configuration, and searches."""
        visitor = Visitor(self, "operator")
        path = os.path.join(self.daemon.folder, "copy.db")
        try:
            try:
                self.backup = visitor.once("daemon.backup", path=path)
            except (RuntimeError, OSError) as error:
                self.backup = error
            if not self.has_ended():
                self.daemon.process.send_signal(signal.SIGHUP)
            for method, params in (("note.search", {"query": "token"}), ("note.list", {}), ("daemon.status", {})):
                try:
                    visitor.ask(method, **params)
                except RuntimeError as error:
                    with self.lock:
                        self.errors.append((method, error.args[0]))
        except Gone:
            pass
        except Hang as hang:
            self.hangs.append(str(hang))
        visitor.drop()

    def load(self):
        """Waits until all requests have a response, or the daemon has ended."""
        self.watcher.start()
        threads = [threading.Thread(target=self.writer, args=(number,), daemon=True) for number in range(WRITERS)]
        threads.append(threading.Thread(target=self.operator, daemon=True))
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    # MARK: Reading

    def texts(self, visitor):
        """The current text of every note that was ever requested."""
        found = {}
        for note in sorted(self.notes):
            try:
                shown = visitor.ask("note.get", id=note)["note"]
                found[note] = shown["text"]
            except RuntimeError as error:
                if error.args[0]["data"]["kind"] != "note_not_found":
                    raise
                found[note] = None
        return found

    def end_watching(self):
        self.watcher.is_over = True
        if self.watcher.is_alive():
            self.watcher.join()


def processor_ns(pid):
    """The processor time of all threads of a process."""
    total = 0
    for thread in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{thread}/schedstat", encoding="ascii") as file:
                total += int(file.read().split()[0])
        except OSError:
            pass
    return total


def rests(daemon, control):
    """Whether the daemon comes to rest, that is, computes almost nothing and makes almost no calls
    for a while. A spinning daemon never does."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until and daemon.process.poll() is None:
        computed, called = processor_ns(daemon.process.pid), control.all_calls()
        time.sleep(0.15)
        try:
            if processor_ns(daemon.process.pid) - computed < 20_000_000 and control.all_calls() - called < 200:
                return True
        except OSError:
            break
    return daemon.process.poll() is not None
