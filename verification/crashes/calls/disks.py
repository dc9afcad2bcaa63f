#!/usr/bin/env python3
"""Real disks that fill up or become read-only while the daemon runs, and one that fills up during a
backup.

usage: disks.py [--seed N] [--if-possible]

Needs root and loop devices with ext4. If these are missing, the test prints that; with
--if-possible it does not fail.
"""

import argparse
import os
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "..", "lib")]

import shims  # noqa: E402
import template  # noqa: E402
from account import ACKED, REFUSED, Account  # noqa: E402
from case import is_whole  # noqa: E402
from checks import Checks  # noqa: E402
from control import SLOW, Control, preloaded  # noqa: E402
from daemon import Daemon  # noqa: E402
from filesystem import FileSystem, NotPossible  # noqa: E402
from scenario import PATIENCE_S, Gone, Hang, Run, Visitor, rests  # noqa: E402


def fill(folder):
    """Fills a file system. Returns the file that fills it."""
    path = os.path.join(folder, "ballast")
    descriptor, size, at = os.open(path, os.O_CREAT | os.O_WRONLY, 0o600), 1 << 26, 0
    while size >= 512:
        try:
            os.posix_fallocate(descriptor, at, size)
            at += size
        except OSError:
            size //= 2
    os.close(descriptor)
    return path


class Story:
    """One daemon on one store, which may be on a separate disk."""

    def __init__(self, checks, folder, library, disk=None):
        self.check, self.folder, self.disk = checks.check, folder, disk
        self.control = Control(os.path.join(folder, "faults"))
        data = os.path.join(disk.path if disk else folder, "data")
        self.daemon = Daemon(folder, data=data, environment=preloaded(self.control, library))
        self.account = Account()
        visitor = Visitor(Run(self.daemon, self.account, 0), "first")
        template.write(visitor)
        self.run = Run(self.daemon, self.account, 1)
        self.run.load()
        self.check(not self.run.errors and not self.run.hangs, "no request fails at first", self.run.errors, self.run.hangs)
        self.visitor = Visitor(self.run, "later")
        self.written = 0

    def write(self, size=100):
        """Creates a note. Returns its write with the outcome."""
        self.written += 1
        note, token = f"01890a5d-ac96-774b-bcce-0000000a{self.written:04x}", f"token of the disk {self.written}"
        self.run.notes.add(note)
        self.run.write(self.visitor, "note.create", note, token, text=token + "\n" + os.urandom(size // 2).hex())
        return self.account.writes[-1]

    def refuses(self, kind, standing, size=100):
        writes = [self.write(size) for _ in range(3)]
        told = [(write.error or {}).get("data", {}).get("kind") for write in writes]
        self.check(told == [kind] * 3, f"writes are refused as {kind}", [write.error for write in writes], self.daemon.said())
        self.check(self.visitor.ask("daemon.status")["state"] == standing, f"the state is {standing}")
        self.reads_go_on()

    def reads_go_on(self):
        texts = self.run.texts(self.visitor)
        faults = self.account.faults(texts)
        self.check(not faults, "reads work, and return what was acknowledged", faults)
        shown = {note: text for note, text in texts.items() if text is not None}
        self.check(self.run.watcher.hears(shown) and not self.run.watcher.faults, "the watch continues", self.run.watcher.faults)
        having = [text for text in shown.values() if "token" in text]
        try:
            hits = self.visitor.ask("note.search", query="token", limit=100)["hits"]
            self.check(len(hits) == len(having), "a search finds all or none", len(hits), len(having))
        except RuntimeError as error:
            # The index is on the same disk.
            known = {"overloaded", "storage_full", "storage_failed"}
            self.check(error.args[0]["data"]["kind"] in known, "a search that cannot run reports that", error.args[0])

    def goes_on(self):
        write = self.write()
        self.check(write.state == ACKED, "writes work when there is room", write.error)
        self.check(self.visitor.ask("daemon.status")["state"] == "ok", "the state is ok again")

    def end(self, codes=(0,)):
        self.run.end_watching()
        self.visitor.drop()
        self.check(self.daemon.stop() in codes, "the daemon stops", self.daemon.process.returncode, self.daemon.said())

    def judged(self):
        """Checks the store with a restarted daemon."""
        self.daemon.environment = {}
        self.daemon.start()
        visitor = Visitor(self.run, "judge")
        faults = self.account.faults(self.run.texts(visitor))
        self.check(not faults, "after a restart everything acknowledged and nothing refused is there", faults)
        audit = visitor.ask("daemon.audit")
        self.check(audit["ok"], "the audit finds nothing", audit)
        self.check(visitor.ask("note.create", text="after\n"), "the restarted daemon accepts writes")
        visitor.drop()
        self.check(self.daemon.stop() == 0, "the restarted daemon stops with exit code 0", self.daemon.said())

    def kill(self):
        if self.daemon.process.poll() is None:
            self.daemon.kill()


def read_only(checks, folder, library):
    """The kernel makes a file system read-only when it finds an error on it."""
    disk = FileSystem(folder, "errors=remount-ro")
    try:
        story = Story(checks, folder, library, disk)
        try:
            with open(f"/sys/fs/ext4/{os.path.basename(disk.device)}/trigger_fs_error", "w", encoding="ascii") as file:
                file.write("made by a test")
            story.refuses("read_only", "read_only")
            checks.check(rests(story.daemon, story.control), "a daemon on a read-only disk does not spin")
            path = os.path.join(folder, "rescue.db")
            made = story.visitor.ask("daemon.backup", path=path)
            checks.check(is_whole(path, made["bytes"]), "a backup can be made onto another disk", made)
            # The daemon may find that the WAL cannot be written back.
            story.end(codes=(0, 74))
            disk.recover()
            story.judged()
        finally:
            story.kill()
    finally:
        disk.close()


def full(checks, folder, library):
    disk = FileSystem(folder)
    try:
        story = Story(checks, folder, library, disk)
        try:
            for _ in range(2):
                ballast = fill(disk.path)
                written = [story.write(200_000) for _ in range(30)]
                checks.check(written[-1].state == REFUSED, "a full disk accepts no writes", written[-1].error)
                kinds = {write.error["data"]["kind"] for write in written if write.state == REFUSED}
                checks.check(kinds == {"storage_full"}, "a full disk is reported as storage_full", kinds)
                story.refuses("storage_full", "full", 200_000)
                checks.check(rests(story.daemon, story.control), "a daemon on a full disk does not spin")
                os.unlink(ballast)
                story.goes_on()
            story.end()
            story.judged()
        finally:
            story.kill()
    finally:
        disk.close()


def backup_fills(checks, folder, library, is_own_disk):
    """Fills the disk during a backup: the disk of the backup, or the one that it shares with the
    store."""
    disk = FileSystem(folder)
    try:
        story = Story(checks, folder, library, None if is_own_disk else disk)
        story.control.rule(0, ["write"], ["backup"], 1, 0, SLOW)
        story.control.arm()
        target = disk.path if is_own_disk else os.path.join(story.daemon.data, "backups")
        path = os.path.join(target, "late.db")
        said = []

        def ask():
            try:
                said.append(Visitor(story.run, "operator").ask("daemon.backup", path=path if is_own_disk else "late.db"))
            except RuntimeError as error:
                said.append(error.args[0])

        try:
            asking = threading.Thread(target=ask, daemon=True)
            asking.start()
            wait_for_draft(target)
            ballast = fill(disk.path)
            checks.check(not said, "the backup is in progress when the disk is full", said)
            writes = [story.write() for _ in range(5)]
            asking.join(PATIENCE_S)
            kind = said[0].get("data", {}).get("kind") if said else None
            checks.check(kind == "storage_full", "a backup without room is refused", said, story.daemon.said())
            left = [name for name in os.listdir(target) if name != "ballast" and name != "lost+found"]
            checks.check(not left, "no part of it is left", left)
            if is_own_disk:
                checks.check({write.state for write in writes} == {ACKED}, "writes continue", [write.error for write in writes])
            os.unlink(ballast)
            story.control.arm(False)
            story.goes_on()
            story.reads_go_on()
            made = story.visitor.ask("daemon.backup", path=path if is_own_disk else "late.db")
            checks.check(is_whole(path, made["bytes"]), "the next backup is intact", made)
            story.end()
            story.judged()
        finally:
            story.kill()
    finally:
        disk.close()


def backup_fills_another(*where):
    backup_fills(*where, True)


def backup_fills_the_stores(*where):
    backup_fills(*where, False)


def wait_for_draft(folder):
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        if os.path.isdir(folder):
            for name in os.listdir(folder):
                if name.startswith(".notesd-backup-") and os.path.getsize(os.path.join(folder, name)) > 16_384:
                    return
        time.sleep(0.002)
    raise TimeoutError("no backup started")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--if-possible", action="store_true")
    arguments = parser.parse_args()
    checks = Checks("disks", arguments.seed)
    parts = [read_only, full, backup_fills_another, backup_fills_the_stores]
    try:
        for part in parts:
            with tempfile.TemporaryDirectory(prefix="notesd-disks-") as folder:
                try:
                    part(checks, folder, shims.build("failing", folder))
                except (Gone, Hang, TimeoutError) as error:
                    checks.check(False, "the daemon keeps serving", part.__name__, repr(error))
    except NotPossible as reason:
        print(f"disks: skipped: {reason}", flush=True)
        if not checks.passed and arguments.if_possible:
            print(f"disks: 0 checks passed, 0 failed (seed {arguments.seed})", flush=True)
            return
    checks.finish()


if __name__ == "__main__":
    main()
