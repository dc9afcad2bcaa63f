"""One case: which call fails, how, and when, and the outcomes that are required or forbidden."""

import errno
import os
import re
import shutil
import sqlite3
import tempfile
import time
from dataclasses import dataclass, field

import control as controls
from account import ACKED, OPEN, Account
from control import Control, DONE_AND_FAILED, SHORT, preloaded
from daemon import Daemon, DaemonFailed
from scenario import PATIENCE_S, Gone, Hang, Run, Visitor, rests

STARTING, SERVING = "from the start", "while it serves"
# The exit codes after a failure of the store or of its folder (`notesd --help`).
EXITS = {"start": {73, 74, 78}, "run": {73, 74}}
STORE = {"database", "wal", "shm"}


@dataclass(frozen=True)
class Case:
    kind: str
    subject: str
    fault: int
    # Whether all calls fail from the n-th on.
    is_lasting: bool = False
    phase: str = SERVING
    # Whether calls still fail while the daemon stops.
    is_stopped_failing: bool = False

    def __str__(self):
        how = "all from then on" if self.is_lasting else "once"
        return f"{self.kind} on {self.subject}: {controls.fault_name(self.fault)}, {how}, {self.phase}" + (
            ", stopped so" if self.is_stopped_failing else "")

    @property
    def is_sync_of_store(self):
        return self.kind == "sync" and self.subject in {"database", "wal"}

    @property
    def is_no_room(self):
        return self.fault in {errno.ENOSPC, errno.EDQUOT}

    @property
    def must_pass_unseen(self):
        """Errors that the daemon must retry or ignore."""
        return self.fault in {errno.EINTR, SHORT} and self.kind != "sync"

    @property
    def may_end(self):
        """Whether the outcome of a commit can be unknown, so that the daemon ends rather than
        guesses; or no client could connect any more."""
        if self.must_pass_unseen or self.subject not in STORE:
            return self.kind in {"malloc", "thread"} or (self.kind, self.fault) == ("accept", errno.EPERM)
        if self.kind in {"write", "allocate"}:
            return self.fault not in {errno.ENOSPC, errno.EDQUOT, errno.EROFS}
        return True

    @property
    def may_crash(self):
        """Failures at which the toolchain or SwiftNIO ends the process: no memory, no threads, or a
        socket that cannot listen."""
        return self.kind in {"malloc", "thread"} or (self.kind == "epoll" and self.phase == STARTING)


@dataclass
class Outcome:
    case: Case
    number: int
    failed_calls: int = 0
    place: str = ""
    seconds: float = 0
    end: str = ""
    errors: list = field(default_factory=list)
    # The number of calls of each kind on each subject, by the phase from which they are counted.
    calls: dict = field(default_factory=dict)
    checks: list = field(default_factory=list)

    def check(self, holds, law, *details):
        self.checks.append((bool(holds), law, f"call {self.number} of: {self.case} ({self.place})", *details))
        return holds


class Trial:
    """Runs one case on a copy of a store, in a separate folder that is removed afterwards."""

    def __init__(self, case, number, seed, library, template):
        self.outcome = Outcome(case, number)
        self.calls_at_start = None
        self.case, self.number, self.seed, self.library, self.template = case, number, seed, library, template

    def play(self):
        begun = time.monotonic()
        try:
            return self.played()
        finally:
            self.outcome.seconds = time.monotonic() - begun

    def played(self):
        self.folder = tempfile.mkdtemp(prefix="notesd-calls-")
        try:
            self.prepare()
            self.go()
        except (Hang, DaemonFailed) as error:
            self.outcome.check(False, "every request gets a response", str(error), self.daemon.said())
        except RuntimeError as error:
            self.outcome.check(False, "required data can be read", error.args[0], self.daemon.said())
        finally:
            if self.daemon.process and self.daemon.process.poll() is None:
                self.daemon.kill()
            self.control.close()
            shutil.rmtree(self.folder, ignore_errors=True)
        return self.outcome

    def prepare(self):
        shutil.copytree(self.template, os.path.join(self.folder, "data"))
        os.chmod(os.path.join(self.folder, "data"), 0o700)
        with open(os.path.join(self.folder, "notesd.toml"), "w", encoding="ascii") as file:
            file.write("threads = 1\n[log]\nlevel = \"info\"\n")
        self.control = Control(os.path.join(self.folder, "faults"))
        case = self.case
        self.control.rule(0, [case.kind], [case.subject], self.number, 0 if case.is_lasting else 1, case.fault)
        self.daemon = Daemon(self.folder, environment=preloaded(self.control, self.library),
                             options=["--config", os.path.join(self.folder, "notesd.toml")], started=False)
        self.account = Account()
        self.run = Run(self.daemon, self.account, self.seed)

    def go(self):
        self.control.arm(self.case.phase == STARTING)
        self.daemon.launch()
        if self.comes_up():
            self.calls_at_start = self.calls()
            self.control.arm()
            self.run.load()
            for hang in self.run.hangs:
                self.outcome.check(False, "every request gets a response", hang, self.daemon.said())
            if not self.run.has_ended():
                self.look_while_failing()
            if not self.run.has_ended():
                if not self.case.is_stopped_failing:
                    self.control.arm(False)
                    self.look_when_over()
                self.run.end_watching()
                self.daemon.process.terminate()
            self.run.end_watching()
            self.ended("run")
        else:
            self.ended("start")
        self.outcome.calls = {STARTING: self.calls()}
        if self.calls_at_start is not None:
            self.outcome.calls[SERVING] = {key: count - self.calls_at_start[key] for key, count in self.outcome.calls[STARTING].items()}
        self.outcome.errors = self.run.errors
        self.judge_errors()
        self.judge_backup()
        self.judge_store()

    def calls(self):
        return {(kind, subject): self.control.calls(kind, subject) for kind in controls.KINDS for subject in controls.SUBJECTS}

    def comes_up(self):
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            if self.run.has_ended():
                return False
            # The socket exists before connections are accepted. The log line may be missing if
            # calls already fail.
            if os.path.exists(self.daemon.socket) and (self.case.phase == STARTING or "listens on" in self.daemon.said()):
                return True
            time.sleep(0.002)
        raise Hang("the daemon neither serves nor ends")

    # MARK: While it runs

    def look_while_failing(self):
        if self.case.is_lasting:
            self.outcome.check(rests(self.daemon, self.control), "a daemon with failing calls does not spin")
        if self.case.is_lasting and self.case.kind == "write" and self.case.subject == "wal" and not self.run.has_ended():
            standing = {errno.ENOSPC: "full", errno.EDQUOT: "full", errno.EROFS: "read_only"}.get(self.case.fault)
            if standing and self.control.failed():
                status = Visitor(self.run, "looker").ask("daemon.status")
                self.outcome.check(status["state"] == standing, "the state names the problem", status["state"], standing)

    def look_when_over(self):
        """After the faults, a daemon that runs must work as if nothing had happened."""
        visitor = Visitor(self.run, "looker")
        try:
            self.run.write(visitor, "note.create", self.last_note(), "token last", text="token last\n")
            write = self.account.writes[-1]
            self.outcome.check(write.state == ACKED, "writes work when the fault is over", write.error, self.daemon.said())
            self.outcome.check(visitor.ask("daemon.status")["state"] == "ok", "the state is ok again")
            texts = self.run.texts(visitor)
            faults = self.account.faults(texts)
            self.outcome.check(not faults, "the merged text is what was acknowledged", faults)
            shown = {note: text for note, text in texts.items() if text is not None}
            self.outcome.check(self.run.watcher.hears(shown), "a watch receives the newest state of every note", self.daemon.said())
            self.outcome.check(not self.run.watcher.faults, "seq has no gap", self.run.watcher.faults)
            audit = self.audit(visitor)
            self.outcome.check(audit["ok"], "the audit finds nothing", audit)
            having = [note for note, text in shown.items() if "token" in text]
            found = self.search(visitor)
            self.outcome.check(len(found) == len(having), "a search finds all notes when the fault is over", found, having)
        except RuntimeError as error:
            self.outcome.check(False, "reads work when the fault is over", error.args[0], self.daemon.said())
        except Gone:
            pass
        visitor.drop()

    def search(self, visitor):
        """The hits of a search. As in `audit`, the index may have to be rebuilt first."""
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                return [hit["note"]["id"] for hit in visitor.ask("note.search", query="token", limit=100)["hits"]]
            except RuntimeError as error:
                if not error.args[0]["data"]["retryable"] or time.monotonic() > until:
                    return [error.args[0]]
            time.sleep(0.1)

    def audit(self, visitor):
        """The audit. The daemon retries the search index periodically; until then, the audit
        reports that it is unavailable, and the test waits."""
        until = time.monotonic() + PATIENCE_S
        while True:
            audit = visitor.ask("daemon.audit")
            others = [finding for finding in audit["findings"] if "search index" not in finding["message"]]
            if audit["ok"] or others or time.monotonic() > until:
                return audit
            time.sleep(0.2)

    def last_note(self):
        note = "01890a5d-ac96-774b-bcce-b302099a80ff"
        self.run.notes.add(note)
        return note

    # MARK: Its end

    def ended(self, moment):
        outcome, case = self.outcome, self.case
        try:
            code = self.daemon.process.wait(timeout=PATIENCE_S)
        except Exception as error:
            raise Hang("the daemon does not end on SIGTERM") from error
        failed = self.control.failed()
        outcome.failed_calls, outcome.place, outcome.end = failed, self.control.place(), f"{moment} {code}"
        said = self.daemon.said()
        outcome.check(code >= 0 or case.may_crash, "no failed call ends the daemon by a signal", code, said)
        if code == 0:
            is_given_up = case.is_no_room and outcome.place.endswith("notes.sqlite3-wal.copy") and self.was_synced_after()
            outcome.check(not (case.is_sync_of_store and failed) or is_given_up, "a failed sync ends the daemon", said)
            return
        outcome.check(failed, "without a failed call the daemon does not fail", code, said)
        if code < 0:
            return
        outcome.check(code in EXITS[moment], "the exit code names the failure", moment, code, said)
        outcome.check(re.search(r"^notesd: \S+", said, re.MULTILINE), "it reports why it ends", said)
        if moment == "run":
            outcome.check(case.may_end, "only a commit with an unknown outcome ends a serving daemon", code, said)
            if case.is_sync_of_store:
                outcome.check("syncing to disk failed" in said, "a failed sync is reported as one", said)
        if moment == "start":
            outcome.check(not case.must_pass_unseen, "an interrupted call does not prevent a start", said)

    def was_synced_after(self):
        """Whether the start may survive: a copy of a hot WAL without room for it replaces nothing,
        and the daemon syncs the log itself before it serves anybody."""
        return self.calls_at_start is not None and self.calls_at_start[self.case.kind, self.case.subject] > self.number

    # MARK: Its store

    def judge_errors(self):
        case = self.case
        known = {"storage_full", "storage_failed", "read_only", "overloaded", "shutting_down"}
        kinds = sorted({error["data"]["kind"] for _, error in self.run.errors})
        self.outcome.check(set(kinds) <= known, "every error is one of the protocol", self.run.errors)
        if case.must_pass_unseen:
            self.outcome.check(set(kinds) <= {"overloaded"}, "an interrupted call has no visible effect", self.run.errors)
        if case.kind in {"accept", "send", "receive", "epoll", "log", "wait"} or case.subject in {"backup", "log", "settings"}:
            writes = [error for method, error in self.run.errors if method in {"note.create", "note.edit"}]
            self.outcome.check(not writes, "no write fails because of an unrelated call", writes)
        written = {error["data"]["kind"] for method, error in self.run.errors if method in {"note.create", "note.edit"}}
        if case.may_end and self.outcome.end in {"run 73", "run 74"}:
            # A daemon that ends by itself refuses the requests in its queue.
            written -= {"shutting_down"}
        if case.is_no_room and case.subject in STORE:
            self.outcome.check(written <= {"storage_full"}, "a full disk is reported as storage_full", self.run.errors)
        if case.fault == errno.EROFS and case.subject in STORE and case.kind == "write":
            self.outcome.check(written <= {"read_only"}, "a read-only disk is reported as read_only", self.run.errors)

    def judge_backup(self):
        path = os.path.join(self.folder, "copy.db")
        made = isinstance(self.run.backup, dict)
        if made:
            self.outcome.check(is_whole(path, self.run.backup["bytes"]), "an acknowledged backup is intact", self.run.backup)
        elif isinstance(self.run.backup, RuntimeError):
            self.outcome.check(not os.path.exists(path), "a refused backup leaves no file", self.run.backup)
        if not made and os.path.exists(path):
            self.outcome.check(is_whole(path, None), "a file with the name of a backup is intact")
        if self.case.must_pass_unseen and self.outcome.end == "run 0":
            self.outcome.check(made, "an interrupted call does not fail a backup", self.run.backup)
        if self.case.kind != "name" and self.outcome.end == "run 0":
            drafts = [name for name in os.listdir(self.folder) if name.startswith(".notesd")]
            self.outcome.check(not drafts, "no temporary file of a backup is left", drafts)

    def judge_store(self):
        """Starts a daemon without faults on the store."""
        after = Daemon(self.folder, options=self.daemon.options, started=False)
        judge = Run(after, self.account, self.seed)
        judge.notes = self.run.notes
        self.daemon, before = after, self.daemon.said()
        after.start()
        visitor = Visitor(judge, "judge")
        faults = self.account.faults(judge.texts(visitor))
        self.outcome.check(not faults, "after a restart everything acknowledged and nothing refused is there", faults, before)
        audit = visitor.ask("daemon.audit")
        self.outcome.check(audit["ok"], "the audit of the restarted daemon finds nothing", audit, before)
        revisions = visitor.ask("daemon.status")["revisions"] - template_revisions(self.template)
        acked, unknown = len(self.account.of(ACKED)), len(self.account.of(OPEN))
        self.outcome.check(acked <= revisions <= acked + unknown, "no revision exists without a request", revisions, acked, unknown)
        for write in self.account.of(ACKED)[-2:]:
            dots = [revision["dot"] for revision in visitor.ask("note.history", id=write.note)["revisions"]]
            self.outcome.check(write.dot in dots, "an acknowledged dot is in the history", write.dot, dots)
        created = visitor.ask("note.create", text="after\n")
        self.outcome.check(created["note"]["id"], "the restarted daemon accepts writes")
        visitor.drop()
        self.outcome.check(after.stop() == 0, "the restarted daemon stops with exit code 0", after.said())


def template_revisions(template):
    with open(os.path.join(template, "..", "revisions"), encoding="ascii") as file:
        return int(file.read())


def is_whole(path, size):
    """Whether a file is an intact SQLite database that contains a store."""
    if not os.path.exists(path) or (size is not None and os.path.getsize(path) != size):
        return False
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return database.execute("PRAGMA integrity_check").fetchone() == ("ok",) and database.execute(
            "SELECT count(*) FROM store").fetchone() == (1,)
    except sqlite3.Error:
        return False
    finally:
        database.close()
