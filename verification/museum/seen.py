"""Who has seen what: editors, scripts and clients that save a text without the newest changes."""

import os
import random
import shutil
import subprocess

from cases import case
from machine import program, read, stays, write


@case()
def file_and_note_change_the_same_line(scene):
    """An editor and the sync program change the same line at once. One of the two texts is gone without
    a trace.

    Reports: obsidianmd/obsidian-headless#42
    """
    machine = scene.machine()
    folder = machine.folder()
    machine.new("n", "a\nmiddle\nz\n")
    machine.mirror(folder)
    base = machine.version("n")
    write(f"{folder}/n.md", "a\nmiddle by file\nz\n")
    machine.save("n", "a\nmiddle by note\nz\n", base)
    for side, text in (("note", lambda: machine.text("n")), ("file", lambda: read(f"{folder}/n.md"))):
        scene.eventually(lambda: "by file" in text() and "by note" in text(), f"the {side} has both sides")
    scene.check(machine.conflicts(), "a conflict is reported")


def edit_with(scene, machine, script):
    """Starts `notesctl edit n` with a shell script as the editor."""
    editor = machine.editor_script("editor", "#!/bin/sh\n" + script)
    return subprocess.Popen([program("notesctl"), "edit", "n"], env=dict(machine.environment, EDITOR=editor, VISUAL=editor),
                            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@case()
def external_editor_and_another_device(scene):
    """A note is open in an external editor when a change of another device arrives. The next save in
    the editor reverts the change.

    Reports: laurent22/joplin#15789, laurent22/joplin#11236, laurent22/joplin#8984
    """
    machine = scene.machine()
    machine.new("n", "one\ntwo\nthree\n")
    gate = os.path.join(machine.home, "gate")
    process = edit_with(scene, machine, f"""cp "$1" {gate}.loaded
        while [ ! -e {gate}.go ]; do sleep 0.05; done
        sed -i 's/three/three by editor/' "$1"
        while [ ! -e {gate}.more ]; do sleep 0.05; done
        echo 'four by editor' >> "$1"
        """)
    scene.eventually(lambda: os.path.exists(gate + ".loaded"), "the editor loads the note")
    machine.save("n", "by another device\none\ntwo\nthree\n", machine.version("n"))
    write(gate + ".go", "")
    scene.eventually(lambda: "three by editor" in machine.text("n"), "a save is in the note while the editor is open")
    write(gate + ".more", "")
    scene.equal(process.wait(timeout=60), 0, "notesctl edit ends without an error")
    scene.equal(machine.text("n"), "by another device\none\ntwo\nthree by editor\nfour by editor\n", "the note has the lines of both")


@case()
def long_session_in_an_external_editor(scene):
    """In a long session with an external editor that saves by renaming a file, only the first save
    arrives.

    Reports: laurent22/joplin#10186, laurent22/joplin#10672, laurent22/joplin#8202
    """
    machine = scene.machine()
    machine.new("n", "0\n")
    gate = os.path.join(machine.home, "gate")
    process = edit_with(scene, machine, f"""for save in 1 2 3 4 5 6; do
            cp "$1" "$1.new"
            echo $save >> "$1.new"
            mv "$1.new" "$1"
            while [ ! -e {gate}.$save ]; do sleep 0.05; done
        done
        """)
    text = "0\n"
    for save in range(1, 7):
        text += f"{save}\n"
        scene.eventually(lambda: machine.text("n") == text, f"save {save} is in the note while the editor is open")
        write(f"{gate}.{save}", "")
    scene.equal(process.wait(timeout=60), 0, "notesctl edit ends without an error")
    scene.equal(machine.text("n"), text, "the note has all saves")


@case()
def name_opened_before_it_existed(scene):
    """An editor opens a name that does not exist yet, and somebody else creates the file. The save of
    the editor wipes out the other text.

    Reports: microsoft/vscode#67946, vrtmrz/obsidian-livesync#303
    """
    machine = scene.machine()
    folder = machine.folder()
    machine.new("x", "x\n")
    machine.mirror(folder)
    machine.new("late", "made elsewhere\n")
    scene.check(machine.is_in_step(folder), "the file of the new note is there")
    write(f"{folder}/late.md", "typed in the editor\n")
    scene.eventually(lambda: "typed in the editor" in machine.text("late"), "the note has what the editor saved")
    scene.check(machine.is_in_step(folder), "the folder is in step")
    scene.check("made elsewhere" in machine.text("late"), "the note has the other text too", machine.text("late"))


@case()
def old_buffer_saved_days_later(scene):
    """An editor comes back with an old buffer plus a line of its own, and saves. Ten hours of work of
    others are gone.

    Reports: microsoft/vscode#15749, microsoft/vscode#69180, microsoft/vscode#45420
    """
    machine = scene.machine()
    folder = machine.folder()
    path = f"{folder}/n.md"
    machine.new("n", "".join(f"paragraph number {number}\n" for number in range(20)))
    machine.mirror(folder)
    old = read(path)
    added = []
    for number in range(10):
        reworked = f"paragraph number {2 * number} reworked elsewhere"
        added += [reworked, f"new paragraph {number}"]
        write(path, read(path).replace(f"paragraph number {2 * number}\n", reworked + "\n") + added[-1] + "\n")
        scene.eventually(lambda: added[-1] in machine.text("n"), f"change {number} through the file is in the note")
    scene.check(machine.is_in_step(folder), "all changes are on both sides")
    write(path, old.replace("paragraph number 5\n", "paragraph number 5 from the old window\n"))
    scene.eventually(lambda: "from the old window" in machine.text("n"), "the save of the old window is in the note")
    scene.check(machine.is_in_step(folder), "the folder is in step")
    found = machine.text("n")
    scene.equal([line for line in added if line not in found.splitlines()], [], "the note has all changes of others", found)


@case()
def two_whole_texts_from_one_base(scene):
    """Two programs replace the whole text at once. The result has lines twice, in another order, or
    lines that nobody wrote.

    Reports: naveedharri/baalda#78
    """
    chance = random.Random(scene.seed)
    client = scene.machine().client()
    for turn in range(150):
        base = [f"line {turn} {number} {'abcdefgh'[number % 8] * chance.randrange(1, 9)}" for number in range(30)]
        note = client.ask("note.create", text="\n".join(base) + "\n")["note"]
        saved = [_changed(chance, base, writer) for writer in "AB"]
        for lines in saved:
            client.ask("note.save", id=note["id"], base=note["version"], text="\n".join(lines) + "\n")
        merged = client.ask("note.get", id=note["id"])["note"]["text"].splitlines()
        unknown = [line for line in merged if line not in saved[0] and line not in saved[1]]
        scene.equal(unknown, [], f"round {turn}: every line is a line that a writer saved")
        expected = [line for lines in saved for line in lines if line not in base]
        expected += [line for line in base if all(line in lines for lines in saved)]
        scene.lines_once("\n".join(merged), expected, f"round {turn}: new and kept lines are there once")
        for lines in saved:
            places = [merged.index(line) for line in lines if line in merged]
            scene.equal(places, sorted(places), f"round {turn}: the lines of each writer keep their order")


def _changed(chance, base, writer):
    """A copy of the lines with up to seven changes."""
    lines = list(base)
    for _ in range(chance.randrange(1, 8)):
        at, kind = chance.randrange(len(lines)), chance.random()
        if kind < 0.4:
            lines[at] += f" {writer} changed"
        elif kind < 0.7:
            lines.insert(at, f"{writer} new {chance.randrange(1_000_000_000)}")
        else:
            del lines[at]
    return lines


@case()
def file_replaced_by_a_move(scene):
    """A sync client replaces the file by moving another over it. The program does not notice, and saves
    its old text over the new one.

    Reports: pbek/QOwnNotes#3468
    """
    machine = scene.machine()
    folder = machine.folder()
    machine.new("n", "1\n")
    machine.mirror(folder)
    lines = ["1\n"]
    for number in range(2, 8):
        lines.append(f"{number}\n")
        write(f"{folder}/.n.md.~dce5e2c", "".join(lines))
        os.rename(f"{folder}/.n.md.~dce5e2c", f"{folder}/n.md")
        scene.eventually(lambda: machine.text("n") == "".join(lines), f"move {number} is in the note")
        if number == 4:
            lines[0] = "1 changed in the note\n"
            machine.save("n", "".join(lines), machine.version("n"))
            scene.eventually(lambda: read(f"{folder}/n.md") == "".join(lines), "a change of the note is in the file")
    scene.check(machine.is_in_step(folder), "the folder is in step")
    scene.equal(machine.text("n"), "".join(lines), "the note has all lines")


@case()
def old_copy_of_a_file_comes_back(scene):
    """A backup or a sync client copies an old version of a file into the folder. What was added since
    is gone. Here, a line that the daemon added stays, and the history has a line that was added
    through the file.

    Reports: baumgarr/nixnote2#509, streetwriters/notesnook#135, BijoySingh/Scarlet-Notes#169
    """
    machine = scene.machine()
    folder = machine.folder()
    text = "".join(f"sentence number {number}\n" for number in range(8))
    machine.new("by note", text)
    machine.new("by file", text)
    machine.mirror(folder)
    backup = os.path.join(machine.home, "backup")
    shutil.copytree(folder, backup)
    machine.append("by note", "added by another program")
    write(f"{folder}/by file.md", text + "added through the file\n")
    scene.check(machine.is_in_step(folder), "both lines are on both sides")
    scene.check("added through the file" in machine.text("by file"), "the line of the file is in the note")
    for name in ("by note", "by file"):
        shutil.copy2(f"{backup}/{name}.md", folder)
        scene.check(machine.is_in_step(folder), f"the folder is in step after the old copy of {name}")
    scene.check("added by another program" in machine.text("by note"), "the line that another program added stays", machine.text("by note"))
    texts = [machine.text("by file")] + [machine.text("by file", at=dot) for dot in machine.dots("by file")]
    scene.check(any("added through the file" in text for text in texts), "the note or its history has the line that was added through the file")


@case(needs=["neovim"])
def deleted_elsewhere_while_open(scene):
    """A note that was deleted elsewhere stays on the screen. What is typed there vanishes, or revives
    the note without a word.

    Reports: standardnotes/app#196, mozilla/notes#1484
    """
    a, b = scene.machine("a"), scene.machine("b")
    a.new("n", "text\n")
    b.add_peer(a)
    editor = b.neovim()
    editor.open("n")
    editor.settled()
    a.run("rm", "n")
    b.sync()
    scene.eventually(lambda: b.names() == [], "the deletion arrives")
    editor.do("keys", keys="Gotyped on a deleted note<Esc>")
    scene.check("typed on a deleted note" in editor.text(), "the words are in the buffer", editor.text())
    scene.check(editor.do("log"), "the editor reports the deletion")
    b.sync()
    stays(lambda: b.texts() + a.texts())
    kept = "typed on a deleted note" in (editor.text() or "") or any(machine.has("typed on a deleted note") for machine in (a, b))
    scene.check(kept, "the words are in the buffer or in a living note", editor.text(), editor.do("log"))


@case()
def conflict_copy_is_merged(scene):
    """A sync program leaves a conflict copy, and users have to merge its text into the note by hand.
    Here, the mirror merges it and removes the copy.

    Reports: syncthing/syncthing#1746, syncthing/syncthing#4831, syncthing/syncthing#8805,
    pbek/QOwnNotes#3662, canton7/SyncTrayzor#699
    """
    machine = scene.machine()
    folder = machine.folder()
    text = "".join(f"paragraph number {number}\n" for number in range(8))
    machine.new("n", text)
    machine.mirror(folder)
    copy = f"{folder}/n.sync-conflict-20261126-081407-ABCDEFG.md"
    write(copy, text.replace("number 6\n", "number 6 from the phone\n"))
    machine.save("n", text.replace("number 1\n", "number 1 from the desk\n"), machine.version("n"))
    scene.eventually(lambda: "from the phone" in machine.text("n"), "the note has the text of the copy", machine.text("n"))
    merged = text.replace("number 6\n", "number 6 from the phone\n").replace("number 1\n", "number 1 from the desk\n")
    scene.equal(machine.text("n"), merged, "the note has both changes once")
    scene.equal(machine.conflicts(), "", "the merge has no conflict")
    scene.eventually(lambda: not os.path.exists(copy), "the copy is removed")
    scene.check(machine.is_in_step(folder), "the folder is in step")
    scene.equal(machine.names(), ["n"], "the copy is no note")
