#!/usr/bin/env python3
"""Several daemons that `notesctl sync` keeps in step over connections that are cut, closed, silent
in one direction or slow, while clients write on all of them, programs are killed, and stores are
put back and copied.

    verification/replication/fleet.py [--seed N] [--rounds N] [--histories N] [--planted]

Each write adds a word that no other write has. The judge knows the words alone: at the end, each
acknowledged word is on every machine once, unless a client removed it, and texts that anybody read
at one version are equal. Then a text that came to all machines is purged on one of them, and no file
of any machine keeps it. With `--planted`, the connections or the answers to the judge lie, and the
judge has to notice each lie.
"""

import argparse
import copy
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))

from checks import Checks  # noqa: E402
from daemon import Client  # noqa: E402
from machine import Machine, until  # noqa: E402
from network import LIES_OF_THE_NETWORK, Link  # noqa: E402
from places import PATIENCE_S, program  # noqa: E402

TOPOLOGIES = {
    "line": [(0, 1), (2, 1)],
    "ring": [(0, 1), (1, 2), (2, 0)],
    "star": [(1, 0), (2, 0), (3, 0)],
}
KINDS = ["cut", "cut at a byte", "close", "mute forth", "mute back", "slow", "kill daemon", "kill sync", "put back"]


class Words:
    """The words that clients wrote."""

    def __init__(self):
        self.count = 0
        self.acknowledged = {}
        # Words that may be missing: without an answer, removed, or only in a store that was put back.
        self.doubtful = set()

    def new(self):
        self.count += 1
        return f"w{self.count}w"

    def acknowledge(self, word, machine):
        self.acknowledged[word] = machine

    def removed(self, word):
        self.doubtful.add(word)


class Sync:
    """A running `notesctl sync` of one machine with another, through a link."""

    def __init__(self, machine, name, link):
        self.machine, self.name, self.link = machine, name, link
        self.log = os.path.join(machine.folder, f"sync-{name}.log")
        self.process = None

    def add(self, checks):
        added = self.machine.notesctl("peer", "add", "--yes", "--no-start", self.name, f"unix:{self.link.path}")
        checks.equal(added.returncode, 0, "peer add joins the stores", added.stderr)

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen([program("notesctl"), "sync", self.name], stdout=log, stderr=log,
                                            env=self.machine.environment())

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()


class Fleet:
    def __init__(self, folder, topology, checks, chance, lie=None):
        self.folder, self.checks, self.chance = folder, checks, chance
        self.words = Words()
        # The text of each note at each version that anybody read.
        self.seen = {}
        links = TOPOLOGIES[topology]
        self.machines = [Machine(folder, f"m{number}") for number in range(max(map(max, links)) + 1)]
        self.syncs = []
        for number, (start, end) in enumerate(links):
            self.join(start, end, lie if number == 0 else None)

    def join(self, start, end, lie=None):
        link = Link(os.path.join(self.folder, f"link{len(self.syncs)}"), self.machines[end].daemon.socket, lie)
        sync = Sync(self.machines[start], f"m{end}", link)
        sync.add(self.checks)
        sync.start()
        self.syncs.append(sync)

    def stop(self):
        for sync in self.syncs:
            sync.stop()
            sync.link.stop()
        for machine in self.machines:
            machine.daemon.kill()

    # Reading

    def read(self, machine):
        """Name, version and text of all notes."""
        client = Client(machine.daemon.socket, "judge")
        notes = {}
        for listed in client.ask("note.list", limit=1000)["notes"]:
            note = client.ask("note.get", id=listed["id"])["note"]
            notes[note["id"]] = (note.get("name"), note["version"], note["text"])
        client.close()
        for note, (_, version, text) in notes.items():
            self.look(note, version, text)
        return notes

    def look(self, note, version, text):
        """Nobody may read another text at the same version."""
        known = self.seen.setdefault((note, version), text)
        self.checks.check(known == text, "texts at one version are equal", note, version, known, text)

    # Writing

    def write(self):
        chance = self.chance
        number = chance.randrange(len(self.machines))
        word = self.words.new()
        try:
            client = Client(self.machines[number].daemon.socket, f"writer-{number}")
            self.change(client, word)
            self.words.acknowledge(word, number)
            client.close()
        except OSError:
            self.words.doubtful.add(word)
        except RuntimeError as error:
            self.checks.check(False, "a write is accepted", error)

    def change(self, client, word):
        chance = self.chance
        notes = client.ask("note.list", limit=1000)["notes"]
        if not notes or chance.random() < 0.05 and len(notes) < 8:
            client.ask("note.create", text=word + "\n", **({"name": f"n/{word}"} if chance.random() < 0.7 else {}))
            return
        note = client.ask("note.get", id=chance.choice(notes)["id"])["note"]
        text = note["text"]
        self.look(note["id"], note["version"], text)
        places = [match.start() for match in re.finditer(r"\b\w", text)] + [len(text)]
        place = chance.choice(places)
        # Each line is terminated, so that a save that adds a line changes no other one.
        end = chance.choice([" ", "\n"]) if place < len(text) else "\n"
        kind = chance.randrange(8)
        if kind == 0:
            lines = text.splitlines(keepends=True)
            lines.insert(chance.randrange(len(lines) + 1), word + "\n")
            client.ask("note.save", id=note["id"], base=note["version"], text="".join(lines))
        elif kind == 1 and (gone := re.findall(r"\w+ ", text)):
            self.remove(client, note, chance.choice(gone), word)
        elif kind == 2:
            done = client.ask("note.edit", id=note["id"], base=note["version"], edits=[insertion(text, place, word + end)])
            self.words.removed(word)
            client.ask("note.undo", id=note["id"], base=done["version"], revisions=[done["version"]])
        elif kind == 3:
            client.ask("note.save", id=note["id"], base=note["version"], text=f"{text}{word}\n", name=f"n/{word}")
        else:
            client.ask("note.edit", id=note["id"], base=note["version"], edits=[insertion(text, place, word + end)])

    def remove(self, client, note, gone, word):
        """Replaces a word that a client has seen."""
        self.words.removed(gone.strip())
        edit = insertion(note["text"], note["text"].index(gone), word + " ")
        edit["end"] += len(gone.encode())
        client.ask("note.edit", id=note["id"], base=note["version"], edits=[edit])

    # Disturbing

    def disturb(self, kind):
        chance = self.chance
        sync, machine = chance.choice(self.syncs), chance.choice(self.machines)
        if kind == "cut":
            sync.link.cut()
        elif kind == "cut at a byte":
            sync.link.cut(after=chance.randrange(3_000))
        elif kind in ("close", "mute forth", "mute back", "slow"):
            sync.link.set("closed" if kind == "close" else kind)
            for _ in range(chance.randrange(1, 8)):
                self.write()
            # After a long silence, the network gives up the connection.
            if kind.startswith("mute") and chance.random() < 0.5:
                sync.link.cut()
            sync.link.set("open")
        elif kind == "kill daemon":
            machine.daemon.restart()
        elif kind == "kill sync":
            sync.stop()
            sync.start()
        elif kind == "put back":
            self.put_back(self.machines.index(machine))

    def put_back(self, number):
        """Puts a store back to a state from before some writes. What no other machine got is gone."""
        daemon = self.machines[number].daemon
        saved = os.path.join(self.folder, "saved")
        daemon.kill()
        shutil.copytree(daemon.data, saved)
        daemon.start()
        before = set(self.words.acknowledged)
        for _ in range(self.chance.randrange(1, 8)):
            self.write()
        daemon.kill()
        shutil.rmtree(daemon.data)
        os.rename(saved, daemon.data)
        daemon.start()
        self.words.doubtful |= {word for word in self.words.acknowledged if word not in before}

    def copy(self):
        """A new machine begins with a copy of a store."""
        daemon = self.machines[0].daemon
        daemon.kill()
        place = os.path.join(self.folder, f"m{len(self.machines)}")
        os.mkdir(place, 0o700)
        shutil.copytree(daemon.data, os.path.join(place, "data"))
        daemon.start()
        self.machines.append(Machine(self.folder, os.path.basename(place)))
        self.join(len(self.machines) - 1, 0)

    # Judging

    def judge(self, lie=None, patience=PATIENCE_S):
        """Waits until the machines are in step, and examines all texts."""
        for sync in self.syncs:
            sync.link.heal()

        def read():
            found = [self.read(machine) for machine in self.machines]
            if lie:
                lie(found[-1])
            return found
        started = time.monotonic()
        equal = until(lambda: (found := read())[0] != {} and all(one == found[0] for one in found), patience)
        found = read()
        self.checks.check(equal, "the machines are in step after the disturbances", found, self.said())
        for number, notes in enumerate(found):
            for note, (_, version, text) in notes.items():
                self.look(note, version, text)
            shown = re.findall(r"w\d+w", " ".join(text for _, _, text in notes.values()))
            counts = {word: shown.count(word) for word in set(shown)}
            for word in self.words.acknowledged:
                count = counts.pop(word, 0)
                self.checks.check(count == 1 or count == 0 and word in self.words.doubtful,
                                  "each acknowledged word is there once", number, word, count)
            strange = {word: count for word, count in counts.items() if count > 1 or word not in self.words.doubtful}
            self.checks.equal(strange, {}, "no word is there that nobody wrote", number)
        return time.monotonic() - started

    # Purging

    def purge(self):
        """A text comes to all machines, and is removed and purged on one of them: no machine keeps it.
        Returns whether there was a note that can be purged."""
        secret = f"secret{self.chance.randrange(10 ** 6)}"
        client = Client(self.chance.choice(self.machines).daemon.socket, "purger")
        notes = [listed for listed in client.ask("note.list", limit=1000)["notes"] if not listed["conflicts"]]
        if not notes:
            return False
        note = client.ask("note.get", id=self.chance.choice(notes)["id"])["note"]
        place = {"start": 0, "end": 0, "text": secret + " "}
        first = client.ask("note.edit", id=note["id"], base=note["version"], edits=[place])
        everywhere = until(lambda: all(secret in text for machine in self.machines for _, _, text in [self.read(machine)[note["id"]]]))
        self.checks.check(everywhere, "a text comes to all machines", self.said())
        place = {"start": 0, "end": len(secret) + 1, "text": ""}
        second = client.ask("note.edit", id=note["id"], base=first["version"], edits=[place])
        client.ask("note.purge", id=note["id"], base=second["version"])
        client.close()
        self.judge()

        def found():
            return [path for machine in self.machines for path in files(machine.daemon.data) if secret.encode() in read(path)]
        self.checks.check(until(lambda: not found()), "no machine keeps what was purged on one", found(), self.said())
        return True

    def said(self):
        return "".join(open(sync.log, errors="replace").read()[-400:] for sync in self.syncs)

    def end(self):
        """A last exchange carries nothing, and the audits find nothing."""
        for sync in self.syncs:
            sync.stop()
        for sync in self.syncs:
            once = sync.machine.notesctl("sync", "--once", sync.name)
            self.checks.equal((once.returncode, once.stdout), (0, "received 0, sent 0 revisions\n"),
                              "a last exchange carries nothing", once.stderr)
        for machine in self.machines:
            machine.daemon.stop()
            self.checks.equal(machine.daemon.verify(), "", "the audit finds nothing")
            machine.daemon.start()


def files(folder):
    return [os.path.join(folder, name) for name in os.listdir(folder) if os.path.isfile(os.path.join(folder, name))]


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return b""


def insertion(text, place, new):
    start = len(text[:place].encode())
    return {"start": start, "end": start, "text": new}


def history(folder, seed, rounds, topology, checks):
    """One random history, which is judged."""
    chance = random.Random(seed)
    fleet = Fleet(folder, topology, checks, chance)
    try:
        copied = chance.randrange(rounds) if chance.random() < 0.5 else None
        for number in range(rounds):
            for _ in range(chance.randrange(1, 6)):
                fleet.write()
            fleet.disturb(chance.choice(KINDS))
            if number == copied:
                fleet.copy()
        seconds = fleet.judge()
        purged = fleet.purge()
        fleet.end()
        checks.say(f"{topology}, seed {seed}: {len(fleet.words.acknowledged)} words on {len(fleet.machines)} machines,"
                   f" in step {seconds:.1f} s after the last disturbance{'' if purged else '; nothing could be purged'}")
    finally:
        fleet.stop()


# Lies to the judge about the notes of one machine: (name, version, text) of each.

def longest(notes):
    return max(notes, key=lambda note: (len(notes[note][2]), note))


def alter(notes, change):
    note = longest(notes)
    name, version, text = notes[note]
    notes[note] = (name, version, change(text))


def loses_a_word(notes):
    alter(notes, lambda text: re.sub(r"w\d+w", "", text, count=1))


def doubles_a_word(notes):
    alter(notes, lambda text: re.sub(r"(w\d+w)", r"\1 \1", text, count=1))


def invents_a_word(notes):
    alter(notes, lambda text: text + "w999999w\n")


def exchanges_lines(notes):
    alter(notes, lambda text: "".join(reversed(text.splitlines(keepends=True))) + "\n")


def loses_a_note(notes):
    del notes[longest(notes)]


def shows_an_older_version(notes):
    note = longest(notes)
    name, version, text = notes[note]
    notes[note] = (name, version + ",0000000000000001:1", text)


def forgets_a_name(notes):
    note = next((note for note in notes if notes[note][0]), longest(notes))
    _, version, text = notes[note]
    notes[note] = (None, version, text)


LIES_TO_THE_JUDGE = [loses_a_word, doubles_a_word, invents_a_word, exchanges_lines, loses_a_note, shows_an_older_version,
                     forgets_a_name]


def planted(folder, seed, checks):
    """Each lie is noticed, and without one nothing is."""
    for number, lie in enumerate([None] + LIES_OF_THE_NETWORK):
        quiet = Silent()
        fleet = Fleet(make(folder, number), "line", quiet, random.Random(seed), lie)
        try:
            for _ in range(30):
                fleet.write()
            fleet.judge(patience=PATIENCE_S if lie is None else 4)
            checks.equal(quiet.failed > 0, lie is not None, f"the judge notices {lie.__name__}" if lie else "no lie, no fault",
                         quiet.laws)
            if lie is None:
                true, words, seen = [fleet.read(machine) for machine in fleet.machines], fleet.words, fleet.seen
                for told in LIES_TO_THE_JUDGE:
                    quiet.__init__()
                    fleet.words, fleet.seen = copy.deepcopy(words), dict(seen)
                    fleet.judge(lie=told, patience=0.5)
                    checks.check(quiet.failed > 0, f"the judge notices {told.__name__}", true)
        finally:
            fleet.stop()


class Silent(Checks):
    """Counts failed checks, and says nothing."""

    def __init__(self):
        super().__init__("planted", 0)
        self.laws = set()

    def check(self, holds, law, *details):
        if not holds:
            self.failed += 1
            self.laws.add(law)
        return holds


def make(folder, name):
    place = os.path.join(folder, str(name))
    os.mkdir(place, 0o700)
    return place


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--histories", type=int, default=6)
    parser.add_argument("--planted", action="store_true")
    arguments = parser.parse_args()
    checks = Checks("fleet", arguments.seed)
    folder = tempfile.mkdtemp(prefix="notesd-fleet-", dir="/tmp")
    try:
        if arguments.planted:
            planted(folder, arguments.seed, checks)
        topologies = sorted(TOPOLOGIES)
        for number in range(arguments.histories):
            place = make(folder, f"h{number}")
            history(place, arguments.seed + number, arguments.rounds, topologies[number % len(topologies)], checks)
            shutil.rmtree(place)
    finally:
        subprocess.run(["pkill", "-KILL", "-f", folder], check=False)
        shutil.rmtree(folder, ignore_errors=True)
    checks.finish()


if __name__ == "__main__":
    main()
