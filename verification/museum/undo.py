"""Undo, purge and history: whose change goes, what stays, and what the disk keeps."""

import os
import random

from cases import case
from machine import read, write


@case()
def undo_of_one_writer(scene):
    """Undo takes back what another person wrote, or does nothing once another person has written.

    Reports: overleaf/overleaf#793, iderex/kartei#32, nextcloud/text#4601, peer-base/peer-pad#272
    """
    machine = scene.machine()
    a, b = machine.client("a"), machine.client("b")
    note = a.ask("note.create", name="n", text="")["note"]
    after_a = a.ask("note.edit", id=note["id"], base=note["version"], edits=[{"start": 0, "end": 0, "text": "alpha beta gamma\n"}])
    b.ask("note.edit", id=note["id"], base=after_a["version"], edits=[{"start": 6, "end": 6, "text": "BEE "}])
    machine.run("undo", "n", "--label", "a", expected=None)
    text = machine.text("n")
    scene.check("alpha" not in text, "the words of a are gone", text)
    scene.check("BEE" in text, "the word of b stays", text)


@case(needs=["neovim"])
def undo_in_an_editor(scene):
    """In an editor, undo takes back the lines that another person wrote meanwhile.

    Reports: overleaf/overleaf#793, nextcloud/text#4601
    """
    machine = scene.machine()
    machine.new("n", "base\n")
    editor = machine.neovim()
    editor.open("n")
    editor.settled()
    editor.do("keys", keys="Gomine<Esc>")
    editor.settled()
    machine.save("n", "theirs\n" + machine.text("n") + "theirs too\n", machine.version("n"))
    scene.eventually(lambda: "theirs too" in editor.text(), "the lines of the other person are shown")
    editor.do("keys", keys="u")
    scene.eventually(lambda: machine.text("n") == "theirs\nbase\ntheirs too\n", "undo takes out the own line only", machine.text("n"))
    editor.do("keys", keys="<C-r>")
    scene.eventually(lambda: "mine" in machine.text("n"), "redo brings it back")
    scene.lines_once(machine.text("n"), ["theirs", "base", "mine", "theirs too"], "every line is there once")


@case()
def purge_of_a_secret(scene):
    """A secret cannot be removed from the history, or to remove one entry wipes out all notes.

    Reports: apache/pouchdb#802, Automattic/simplenote-electron#2069, laurent22/joplin#12097,
    standardnotes/forum#1324, hedgedoc/hedgedoc#1064, hedgedoc/hedgedoc#182
    """
    a, b = scene.machine("a"), scene.machine("b")
    secret = "hunter2-secret-zq81"
    for number in range(5):
        a.new(f"kept {number}", f"text {number}\n")
    a.new("n", f"top\n{secret}\nend\n")
    b.add_peer(a)
    folder = b.folder()
    b.mirror_once(folder)
    b.run("search", secret)
    a.save("n", "top\nend\n", a.version("n"))
    b.sync()
    b.mirror_once(folder)
    a.run("purge", "n", "--yes", "--text", secret)
    b.sync()
    b.sync()
    for machine in (a, b):
        scene.eventually(lambda: not files_with(machine.home, secret), f"{machine.name}: no file has the secret", files_with(machine.home, secret))
        machine.daemon.stop()
        scene.equal(files_with(machine.home, secret), [], f"{machine.name}: no file has the secret after a stop")
        machine.daemon.start()
        scene.equal(len(machine.names()), 6, f"{machine.name}: all notes are there")
        scene.equal(machine.text("n"), "top\nend\n", f"{machine.name}: the note has the rest of its text")


def files_with(folder, words):
    """The paths of all files below a folder that contain the words."""
    found = []
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            if not os.path.isfile(path):
                continue
            try:
                with open(path, "rb") as file:
                    if words.encode() in file.read():
                        found.append(path)
            except FileNotFoundError:
                continue
    return found


@case()
def undo_of_an_import_lasts(scene):
    """The next automatic import undoes the undo of an import.

    Reports: jj-vcs/jj#922
    """
    machine = scene.machine()
    imported, mirrored = machine.folder("imported"), machine.folder("mirrored")
    for number in range(5):
        write(f"{imported}/n{number}.md", f"text {number}\n")
    machine.run("import", imported)
    machine.run("op", "undo")
    scene.equal(machine.names(), [], "undo removes the imported notes")
    machine.run("import", imported, expected=None)
    scene.equal(machine.names(), [], "the next import does not bring them back")
    machine.new("x", "one\n")
    machine.mirror_once(mirrored)
    write(f"{mirrored}/x.md", "one\nby mistake\n")
    write(f"{mirrored}/y.md", "y\n")
    machine.mirror_once(mirrored)
    machine.run("op", "undo")
    for when in ("after the undo", "after the next look of the mirror"):
        scene.equal(machine.names(), ["x"], f"the new note is gone {when}")
        scene.equal(machine.text("x"), "one\n", f"the note has its old text {when}")
        machine.mirror_once(mirrored, expected=None)
    scene.equal(read(f"{mirrored}/x.md"), "one\n", "the file has its old text")


@case(quick=False)
def history_of_many_small_saves(scene):
    """Each automatic save stores a whole copy, the database grows without bound, and the sync drowns in
    revisions.

    Reports: blazing-Gael/dcms#25, elabftw/elabftw#1968, laurent22/joplin#1415, laurent22/joplin#9162
    """
    machine, other = scene.machine("a"), scene.machine("b")
    client = machine.client()
    text = "".join(f"paragraph {number} " + "lorem ipsum " * 8 + "\n" for number in range(400))
    note = client.ask("note.create", name="n", text=text)["note"]
    version, keystrokes, saves = note["version"], 4000, 400
    begin = size_of(machine.data)
    at = len("paragraph 0 ")
    for number in range(keystrokes):
        change = {"start": at + number, "end": at + number, "text": "x"}
        version = client.ask("note.edit", id=note["id"], base=version, edits=[change])["version"]
    typed = size_of(machine.data)
    text = text[:at] + "x" * keystrokes + text[at:]
    for number in range(saves):
        saved = text.replace("paragraph 200 ", f"paragraph 200.{number} ")
        version = client.ask("note.save", id=note["id"], base=version, text=saved)["version"]
    end = size_of(machine.data)
    scene.check(typed - begin < keystrokes * 1500, "a keystroke takes less than 1.5 kB", typed - begin)
    scene.check(end - typed < saves * 8000, "a save that changes one line takes less than 8 kB", end - typed)
    client.close()
    machine.daemon.restart()
    other.add_peer(machine)
    for one in (machine, other):
        scene.check(one.text("n") == saved, f"{one.name} has the newest text")
    scene.equal(len(other.ask("note.history", id=note["id"], limit=1000)["revisions"]), 1000, "the other machine has the history")


def size_of(folder):
    return sum(os.path.getsize(os.path.join(parent, name)) for parent, _, names in os.walk(folder) for name in names)


@case(quick=False)
def thousand_conflicting_saves(scene):
    """A thousand conflicting revisions of one document bring the server down, or cannot be resolved.

    Reports: feedmepos/foodb#15
    """
    machine = scene.machine()
    client = machine.client()
    note = client.ask("note.create", name="n", text="a\nthe line\nz\n")["note"]
    written = [f"the line by writer {number}" for number in range(1000)]
    for line in written:
        client.ask("note.save", id=note["id"], base=note["version"], text=f"a\n{line}\nz\n")
    client.close()
    scene.lines_once(machine.text("n"), written, "the note has all sides once")
    machine.daemon.restart()
    scene.lines_once(machine.text("n"), written, "the note has all sides once after a restart")
    scene.check(machine.conflicts(), "a conflict is reported")
    machine.save("n", "a\nresolved\nz\n")
    scene.equal(machine.text("n"), "a\nresolved\nz\n", "one save resolves it")
    scene.equal(machine.conflicts(), "", "no conflict is left")


@case()
def every_old_version_byte_for_byte(scene):
    """Certain texts garble old revisions, or the history is empty after an incident.

    Reports: hedgedoc/hedgedoc#6513, dropbox/hackpad#55, ether/etherpad#1357
    """
    chance = random.Random(scene.seed)
    pieces = ["<details>\n<summary>x</summary>\n", "</details>\n", "\u200b\u202e\n", "```\n", "🎉👩‍👩‍👧\n", "a\r\n", "\r", "\n\n", "e\u0301", "\t ",
              "'; --\n", "\\n\n", "\ufffd\n", "x" * 3000 + "\n"]
    machine, restored, peer = scene.machine("a"), scene.machine("b", is_started=False), scene.machine("c")
    client = machine.client()
    text = "start\n"
    note = client.ask("note.create", name="n", text=text)["note"]
    version = note["version"]
    versions = [(version, text)]
    for _ in range(250):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice([0, 0, 1, 5, 200]))
        text = (text[:start] + chance.choice(pieces) + text[end:])[:20_000]
        version = client.ask("note.save", id=note["id"], base=version, text=text)["version"]
        versions.append((version, text))
    client.close()
    backup = os.path.join(machine.home, "backup.db")
    machine.run("backup", backup)
    scene.equal(restored.notesd("restore", backup, "--data", restored.data).code, 0, "the backup is restored")
    restored.daemon.start()
    machine.daemon.restart()
    peer.add_peer(machine)
    for where, one in (("after a kill", machine), ("in a restored backup", restored), ("on another machine", peer)):
        client = one.client()
        wrong = [number for number, (version, text) in enumerate(versions)
                 if client.ask("note.get", id=note["id"], at=version)["note"]["text"] != text]
        scene.equal(wrong, [], f"every old version is the same {where}")
        client.close()
