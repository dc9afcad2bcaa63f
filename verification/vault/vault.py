#!/usr/bin/env python3
"""Keeps a large vault in step with a real daemon: import, changes on both sides, export, deletions
and renames. An oracle knows what every file and every note must then be, byte for byte, and which
counts the commands print.

    verification/vault/vault.py [--seed N] [--files 10000] [--plant file|note]

--plant removes one line, from an exported file or from a note, and the run must fail. Durations are
printed as information.
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))

import files  # noqa: E402
from checks import Checks  # noqa: E402
from daemon import Client, Daemon  # noqa: E402
from expectations import Note, World, is_valid_name, is_valid_text  # noqa: E402
from places import program  # noqa: E402

CHANGED = 200
CHANGED_ON_BOTH_SIDES = 50
# The phrases of a summary, for each count.
IMPORTED = {"files": r"(\d+) files?:", "new": r"(\d+) new", "changed": r"(\d+) changed", "unchanged": r"(\d+) unchanged",
            "merged": r"(\d+) merged with", "conflicted": r"(\d+) in conflict", "deleted": r"(\d+) deleted notes? left",
            "skipped": r"(\d+) skipped"}
EXPORTED = {"written": r"(\d+) notes? written", "unchanged": r"(\d+) unchanged", "removed": r"(\d+) removed",
            "skipped": r"(\d+) skipped"}


class Run:
    """One run: the folder on the disk, the daemon, and the oracle."""

    def __init__(self, options, folder):
        self.random = random.Random(options.seed)
        self.checks = Checks("vault", options.seed)
        self.plant = options.plant
        self.place = os.fsencode(os.path.join(folder, "vault"))
        self.copy = os.fsencode(os.path.join(folder, "copy"))
        self.world = World(files.made(self.random, options.files))
        os.mkdir(self.place)
        self.world.vault.write(self.place)
        os.mkdir(os.path.join(folder, "daemon"))
        self.daemon = Daemon(os.path.join(folder, "daemon"))
        self.client = Client(self.daemon.socket)
        self.environment = dict(os.environ, NOTESD_SOCKET=self.daemon.socket, XDG_STATE_HOME=os.path.join(folder, "state"))
        # What was written on either side, and must not be lost on both.
        self.tokens = []
        # The version and the text of each note, as the daemon returned them last, by id.
        self.texts = {}
        # Paths of which a step has changed the file or the note.
        self.used = set()
        # How long the last command took.
        self.seconds = 0.0

    # Commands.

    def notesctl(self, *words, stdin=b""):
        """Runs a command; returns its exit code, its output and its messages."""
        start = time.monotonic()
        done = subprocess.run([program("notesctl"), *words], input=stdin, capture_output=True, env=self.environment, check=False)
        self.seconds = time.monotonic() - start
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def timed(self, what, *words, stdin=b""):
        result = self.notesctl(*words, stdin=stdin)
        self.checks.say(f"{what}: {self.seconds:.2f} s")
        self.checks.equal(result[0], 0, f"{what} succeeds", result[2])
        return result

    def counts(self, line, phrases):
        found = {name: re.search(phrase, line) for name, phrase in phrases.items()}
        return {name: int(match[1]) if match else 0 for name, match in found.items()}

    def judge(self, what, result, phrases, counts, skipped):
        """The counts, the reasons and the exit code are those of the oracle."""
        code, output, messages = result
        lines = output.splitlines()
        self.checks.say(f"{what}: {lines[0] if lines else ''} ({self.seconds:.2f} s)")
        self.checks.equal(self.counts(lines[0] if lines else "", phrases), counts, f"{what}: the counts", messages[-1000:])
        reasons = [line for line in messages.splitlines() if line.startswith("notesctl: skipped ")]
        self.checks.equal(len(reasons), len(skipped), f"{what}: a reason for each skipped file", reasons, skipped)
        code_due = 65 if skipped else 2 if counts.get("conflicted") else 0
        self.checks.equal(code, code_due, f"{what}: the exit code", messages[-1000:])

    def import_folder(self, what, *options):
        _, others, hidden = self.world.found()
        counts, skipped = self.world.import_folder()
        result = self.notesctl("import", "--files", "none", *options, self.place)
        self.judge(what, result, IMPORTED, counts, skipped)
        other = result[1].splitlines()[1]
        kinds = {kind: int(number) for number, kind in re.findall(r"(\d+) ([^,;]+)", other.partition(";")[0])}
        self.checks.equal(kinds, others, f"{what}: what is no note")
        self.checks.equal(self.counts(other, {"hidden": r"hidden: (\d+)"}), {"hidden": hidden}, f"{what}: what is hidden")
        self.read_notes(what)
        self.compare_folder(what, self.place, self.world.vault)

    def export(self, what, *options, place=None, vault=None, records=None):
        place = place or self.place
        vault = self.world.vault if vault is None else vault
        records = self.world.records if records is None else records
        counts, skipped = self.world.export(vault, records, is_deleting="--delete" in options)
        result = self.notesctl("export", "--files", "none", *options, place)
        self.judge(what, result, EXPORTED, counts, skipped)
        self.lose("file")
        self.compare_folder(what, place, vault)
        self.read_notes(what)

    # Both sides.

    def compare_folder(self, what, place, vault):
        """The folder is as the oracle has it: each file byte for byte, and nothing else."""
        found = files.scan(place)
        missing = sorted(set(vault.files) - set(found.files))
        extra = sorted(set(found.files) - set(vault.files))
        other = sorted(path for path in vault.files if path in found.files and vault.files[path] != found.files[path])
        self.checks.equal((missing, extra), ([], []), f"{what}: which files are there")
        self.checks.check(not other, f"{what}: what the files contain", len(other),
                          [(path, vault.files[path][-300:], found.files[path][-300:]) for path in other[:3]])
        self.checks.equal((found.links, found.pipes), (vault.links, vault.pipes), f"{what}: links and pipes")

    def read_notes(self, what):
        """The daemon has the notes of the oracle: names, and texts byte for byte. A merged note has one
        of the texts that the oracle allows, which the oracle then adopts."""
        heads, after = [], {}
        while True:
            page = self.client.ask("note.list", limit=1000, **after)
            heads += page["notes"]
            if not page.get("next"):
                break
            after = {"after": page["next"]}
        expected = self.world.living
        found = {}
        for head in heads:
            key = head["name"].encode() if head["name"] is not None else head["id"]
            self.checks.check(key not in found, f"{what}: a name belongs to one note", key)
            found[key] = head
        self.checks.equal((sorted(map(str, set(expected) - set(found))), sorted(map(str, set(found) - set(expected)))), ([], []),
                          f"{what}: which notes are there")
        wrong = []
        for key, head in found.items():
            note = expected.get(key)
            if note is None:
                continue
            if note.id not in (None, head["id"]):
                wrong.append((key, "another note has this name"))
            note.id = head["id"]
            cached = self.texts.get(note.id)
            if cached is None or cached[0] != head["version"]:
                got = self.client.ask("note.get", id=note.id)["note"]
                self.texts[note.id] = cached = (got["version"], got["text"].encode())
            if note.text is None and cached[1] in note.merges:
                note.text, note.merges = cached[1], None
            if cached[1] != note.text:
                wrong.append((key, note.text if note.text is not None else note.merges, cached[1][-500:]))
                # The later steps go on with what is there.
                note.text = cached[1]
        self.checks.check(not wrong, f"{what}: what the notes contain", len(wrong), wrong[:3])

    def lose(self, where):
        """The planted fault."""
        if self.plant != where:
            return
        self.plant = None
        if where == "file":
            path = self.random.choice(sorted(path for path, text in self.world.vault.files.items() if text.count(b"\n") > 2))
            files.put(self.place, path, self.world.vault.files[path].partition(b"\n")[2])
        else:
            note = self.random.choice([note for note in self.world.living.values() if note.text.count(b"\n") > 2])
            self.save(note, note.text.partition(b"\n")[2])

    # Changes.

    def token(self, side):
        self.tokens.append(f"typed on the side of the {side}: {len(self.tokens)} {self.random.randrange(1 << 40)}".encode())
        return self.tokens[-1]

    def save(self, note, text):
        """Saves a text in the daemon, as a client that has read the newest version."""
        self.client.ask("note.save", id=note.id, base=self.texts[note.id][0], text=text.decode())

    def edited(self, text, side):
        """A text after an edit of any kind."""
        token, lines = self.token(side), text.split(b"\n")
        place = self.random.randrange(len(lines))
        kind = self.random.randrange(6)
        if kind == 0:
            return text + (b"" if text.endswith(b"\n") or not text else b"\n") + token + b"\n"
        if kind == 1:
            return token + b"\r\n" + text
        if kind == 2:
            return b"\n".join(lines[:place] + [token] + lines[place + 1:])
        if kind == 3:
            return token
        if kind == 4:
            return b"\n".join(lines[:place] + [token, b""] + lines[place:])
        return text.removesuffix(b"\n") + token

    def write(self, path, text):
        self.world.vault.files[path] = text
        files.put(self.place, path, text)

    def change_notes(self, notes):
        for note in notes:
            note.text = self.edited(note.text, "daemon")
            self.save(note, note.text)

    def change_files(self, paths):
        for path in paths:
            self.write(path, self.edited(self.world.vault.files[path], "folder"))

    def change_both(self, path, note, kind):
        """Changes a note and its file: at different places, in the same line, or in the same way."""
        base = note.text
        ours, theirs = self.token("daemon"), self.token("folder")
        if kind == "apart":
            saved, written = ours + b"\n" + base, base + theirs + b"\n"
            merges = {ours + b"\n" + base + theirs + b"\n"}
        else:
            lines = base.split(b"\n")
            place = next(place for place in range(1, len(lines) - 1) if lines[place] and lines.count(lines[place]) == 1)
            before, after = lines[:place], lines[place + 1:]
            if kind == "same":
                self.tokens.remove(theirs)
                theirs = ours
            saved, written = (b"\n".join(before + [token] + after) for token in (ours, theirs))
            merges = {b"\n".join(before + list(both) + after) for both in ((ours, theirs), (theirs, ours))}
        note.text = saved
        self.save(note, saved)
        self.write(path, written)
        note.merges = merges

    def pick(self, count, suits=lambda text: True):
        """Paths and notes that no step has changed yet."""
        ready = [(path, note) for path, (note, base) in sorted(self.world.records.items())
                 if path not in self.used and not note.is_deleted and note.path == path and len(base) < 20_000
                 and base == note.text == self.world.vault.files.get(path) and suits(base)]
        picked = self.random.sample(ready, count)
        self.used.update(path for path, _ in picked)
        return picked

    def rename(self, note, name):
        self.client.ask("note.save", id=note.id, base=self.texts[note.id][0], name=name.decode())
        note.name = name

    def create(self, name, text):
        note = Note(name, text)
        made = self.client.ask("note.create", text=text.decode(), **({"name": name.decode()} if name else {}))
        note.id = made["note"]["id"]
        self.world.notes.append(note)

    def remove(self, note):
        self.client.ask("note.delete", id=note.id, base=self.texts[note.id][0])
        note.is_deleted = True

    # The steps.

    def run(self):
        self.checks.say(f"{len(self.world.vault.files)} files")
        self.import_folder("first import")
        self.import_folder("import of an untouched folder")
        self.change_both_sides()
        self.lose("note")
        self.import_folder("import of changed files")
        self.export("export into the same folder")
        vault, records = files.Vault(), {}
        self.export("export into an empty folder", place=self.copy, vault=vault, records=records)
        self.export("the same again", place=self.copy, vault=vault, records=records)
        self.import_folder("import after an export")
        self.delete_and_rename()
        self.import_folder("import after deletions and renames")
        self.export("export without --delete")
        self.export("export --delete", "--delete")
        self.export("export --delete into the copy", "--delete", place=self.copy, vault=vault, records=records)
        self.import_folder("last import")
        self.nothing_is_lost()
        self.measure()
        self.daemon.stop()
        self.checks.equal(self.daemon.verify(), "", "the store is whole")

    def change_both_sides(self):
        both = self.pick(CHANGED_ON_BOTH_SIDES, lambda text: self.has_a_line(text))
        for number, (path, note) in enumerate(both):
            self.change_both(path, note, ("apart", "line", "apart", "line", "same")[number % 5])
        apart = self.pick(2 * (CHANGED - CHANGED_ON_BOTH_SIDES))
        self.change_notes([note for _, note in apart[::2]])
        self.change_files([path for path, _ in apart[1::2]])
        for number in range(10):
            self.write(b"new/file %d.md" % number, self.token("folder"))
            self.create(b"new/note %d" % number, self.token("daemon"))
            # A new file and a new note of one name: with one text, and with two.
            self.create(b"new/twin %d" % number, b"twin\n")
            self.write(b"new/twin %d.md" % number, b"twin\n" if number % 2 else self.token("folder"))
        for _ in range(5):
            self.create(None, self.token("daemon"))

    @staticmethod
    def has_a_line(text):
        """Whether a text has lines for the edits of `change_both`."""
        lines = text.split(b"\n")
        return text.endswith(b"\n") and b"\r" not in text and any(line and lines.count(line) == 1 for line in lines[1:-1])

    def delete_and_rename(self):
        for _, note in self.pick(20):
            self.remove(note)
        for path, note in self.pick(10, self.has_a_line):
            self.remove(note)
            self.change_files([path])
        for number, (_, note) in enumerate(self.pick(20)):
            self.rename(note, b"renamed/note %d" % number)
        for number, (path, note) in enumerate(self.pick(5)):
            self.rename(note, b"renamed/changed %d.txt" % number)
            self.change_files([path])
        for path, note in self.pick(20):
            self.take(path)
        for path, note in self.pick(5):
            self.take(path)
            self.change_notes([note])
        for number, (path, _) in enumerate(self.pick(20)):
            self.write(b"moved/file %d.md" % number, self.take(path))
        for (left, _), (right, _) in zip(self.pick(2), self.pick(2)):
            texts = self.world.vault.files[left], self.world.vault.files[right]
            self.write(left, texts[1])
            self.write(right, texts[0])
        # Names whose file cannot be written: a link, a pipe, a folder behind a link, a file that is no
        # note, a folder that is a file, a name without room for `.md`.
        names = [b"link", b"pipe", b"linked/note", b"odd/latin 1", b"plan.pdf/x", b"n" * 255]
        for (_, note), name in zip(self.pick(len(names)), names):
            self.rename(note, name)

    def take(self, path):
        os.unlink(os.path.join(self.place, path))
        return self.world.vault.files.pop(path)

    def nothing_is_lost(self):
        """Whatever was typed is in a file or in a note; this looks at the bytes only."""
        everything = b"\n".join(list(files.scan(self.place).files.values()) + [text for _, text in self.texts.values()])
        lost = [token for token in self.tokens if token not in everything]
        self.checks.check(not lost, "nothing that was typed is lost", lost)
        names = [note.name for note in self.world.notes if note.name is not None]
        self.checks.check(all(map(is_valid_name, names)) and all(is_valid_text(note.text) for note in self.world.notes),
                          "the oracle made no note that cannot be")

    def measure(self):
        self.timed("list -n 100", "list", "-n", "100")
        self.timed("list", "list")
        self.timed("log", "log")
        self.timed("tags", "tags")
        self.timed("append", "append", "--create", "measured", stdin=b"x\n")
        self.timed("search", "search", "bread")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--plant", choices=("file", "note"))
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="vault-")
    run = None
    try:
        run = Run(options, folder)
        run.run()
    finally:
        if run and run.daemon.process.poll() is None:
            run.daemon.stop()
        shutil.rmtree(folder)
    if options.plant:
        found = run.checks.failed > 0
        print(f"vault: the planted fault was {'found' if found else 'NOT FOUND: error: the run passed'} (seed {options.seed})")
        sys.exit(0 if found else 1)
    run.checks.finish()


if __name__ == "__main__":
    main()
