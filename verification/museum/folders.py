"""Files and folders: emptied folders, renames, git, links, floods of events, and round trips."""

import os
import signal

from cases import case
from machine import read, write

PNG = b"\x89PNG\r\n\x1a\n"


@case()
def emptied_folder(scene):
    """A stale or empty copy of the vault deletes the notes everywhere.

    Reports: obsidianmd/obsidian-headless#15, obsidianmd/obsidian-headless#19,
    abcamus/obsidian-sync-vault-ce#30
    """
    machine = scene.machine()
    folder = machine.folder()
    for number in range(30):
        machine.new(f"n{number}", f"text {number}\n")
    machine.mirror(folder)
    for name in os.listdir(folder):
        if name.endswith(".md"):
            os.unlink(f"{folder}/{name}")

    def status():
        return machine.run("mirror", "status", folder, expected=None)

    scene.eventually(lambda: "mirror approve" in status().output, "mirror status names the command that approves the removals", status())
    scene.equal(len(machine.names()), 30, "no note is deleted without approval")
    fresh = machine.folder("fresh")
    machine.mirror_once(fresh)
    scene.equal(len(os.listdir(fresh)), 30, "a fresh folder gets all notes")
    scene.equal(len(machine.names()), 30, "a fresh folder deletes nothing")


@case()
def name_created_on_both_sides(scene):
    """A page is created by name while a file of that name, which the program has not read yet, has text.
    The file is overwritten.

    Reports: logseq/logseq#1332
    """
    machine = scene.machine()
    folder = machine.folder()
    machine.new("x", "x\n")
    machine.mirror_once(folder)
    write(f"{folder}/both.md", "text of the file\n")
    machine.new("both", "text of the note\n")
    machine.mirror_once(folder, expected=(0, 2, 65))
    files = "".join(read(f"{folder}/{name}") for name in os.listdir(folder) if name.endswith(".md"))
    for words in ("text of the file", "text of the note"):
        scene.check(machine.has(words), "a note has the words", words)
        scene.check(words in files, "a file has the words", words)


@case()
def folder_behind_a_symbolic_link(scene):
    """The folder of notes is a symbolic link to another place. Texts go back to older versions.

    Reports: logseq/logseq#4507
    """
    machine = scene.machine()
    real, folder = machine.folder("cloud/notes"), os.path.join(machine.home, "notes")
    os.symlink(real, folder)
    machine.new("n", "1\n")
    machine.mirror(folder)
    write(f"{real}/n.md", "1\n2\n")
    scene.eventually(lambda: machine.text("n") == "1\n2\n", "a change in the real folder is in the note")
    machine.save("n", "1\n2\n3\n", machine.version("n"))
    scene.eventually(lambda: read(f"{folder}/n.md") == "1\n2\n3\n", "a change of the note is in the file")
    scene.check(machine.is_in_step(real), "both stay equal")
    scene.equal(machine.text("n"), "1\n2\n3\n", "the note has the newest text")
    scene.check(os.path.islink(folder), "the link is still a link")


@case()
def times_and_modes_only(scene):
    """A program changes the times or the modes of files only. Conflicts appear, or old texts come back.

    Reports: syncthing/syncthing#2584
    """
    machine = scene.machine()
    folder = machine.folder()
    machine.new("n", "a\nb\n")
    machine.mirror(folder)
    before = len(machine.dots("n"))
    text = "a\nb\n"
    for number in range(20):
        os.utime(f"{folder}/n.md", (1_000_000_000 + number, 1_000_000_000 + number))
        os.chmod(f"{folder}/n.md", 0o644 if number % 2 else 0o600)
        if number % 5 == 0:
            machine.append("n", f"line {number}")
            text += f"line {number}\n"
            scene.eventually(lambda: read(f"{folder}/n.md") == text, f"line {number} is in the file")
    scene.check(machine.is_in_step(folder), "the folder is in step")
    scene.equal(machine.text("n"), text, "the note has its text and the four lines")
    scene.equal(machine.conflicts(), "", "no conflict is reported")
    scene.equal(len(machine.dots("n")), before + 4, "times and modes make no revisions")


@case()
def folder_renamed_in_case_only(scene):
    """The shell renames a folder, and only the case of its name changes. Its notes are deleted.

    Reports: vrtmrz/obsidian-livesync#1168, vrtmrz/obsidian-livesync#130
    """
    machine = scene.machine()
    folder = machine.folder()
    for number in range(6):
        machine.new(f"Parent/Sub/n{number}", f"text {number}\n")
    machine.mirror(folder)
    ids = {head["id"] for head in machine.heads()}
    os.rename(f"{folder}/Parent", f"{folder}/parent")
    renamed = [f"parent/Sub/n{number}" for number in range(6)]
    scene.eventually(lambda: machine.names() == renamed, "the notes have the new names", machine.names())
    scene.equal({head["id"] for head in machine.heads()}, ids, "they are the same notes, with their histories")
    scene.equal(machine.run("list", "--deleted").output.strip(), "", "no note is deleted")


@case(quick=False)
def more_events_than_the_kernel_queues(scene):
    """The kernel drops file events while the program is busy. Changes and renames are missed for good.

    Reports: abraunegg/onedrive#3796, nextcloud/desktop#10587, samuelcolvin/watchfiles#348,
    emcrisostomo/fswatch#191
    """
    machine = scene.machine()
    folder = machine.folder()

    def path(number):
        return f"{folder}/d{number % 20}/n{number}.md"

    for number in range(600):
        write(path(number), f"text {number} is long enough\n")
    mirror = machine.mirror(folder, "--adopt")
    scene.eventually(lambda: len(machine.names()) == 600, "all files become notes")
    queue = int(read("/proc/sys/fs/inotify/max_queued_events"))
    mirror.process.send_signal(signal.SIGSTOP)
    events = 0
    while events < 1.5 * queue:
        for number in range(0, 600, 3):
            os.utime(path(number))
            os.rename(path(number + 1), path(number + 1) + "x")
            os.rename(path(number + 1) + "x", path(number + 1))
            events += 3
    changed = range(0, 600, 10)
    for number in changed:
        with open(path(number), "a", encoding="utf-8") as file:
            file.write("changed in the flood\n")
    os.makedirs(f"{folder}/late")
    moved = [number for number in range(1, 600, 60) if number not in changed]
    for number in moved:
        os.rename(path(number), f"{folder}/late/r{number}.md")
    write(f"{folder}/new/deep/fresh.md", "fresh\n")
    for number in range(2, 20, 6):
        os.unlink(path(number))
    mirror.process.send_signal(signal.SIGCONT)
    scene.eventually(lambda: len(machine.names()) == 600 + 1 - 3, "new and removed files are noticed", len(machine.names()))
    scene.check(machine.is_in_step(folder), "the folder is in step after the flood")
    names = set(machine.names())
    scene.check("new/deep/fresh" in names, "a file in a new folder is a note")
    scene.equal([number for number in moved if f"late/r{number}" not in names], [], "moved files are noticed")
    missed = [number for number in changed if "flood" not in machine.text(f"d{number % 20}/n{number}")]
    scene.equal(missed, [], "changed files are noticed")


@case()
def file_of_a_linked_note_renamed(scene):
    """The file of a note is renamed by the shell, a file manager or the tree of an editor. Links to it
    in other notes are broken.

    Reports: artempyanykh/marksman#308, zk-org/zk#200, dvorka/mindforger#1204,
    Feel-ix-343/markdown-oxide#331
    """
    machine = scene.machine()
    folder = machine.folder()
    machine.new("plan", "# Plan\n")
    machine.new("a", "see [[plan]] and [p](plan.md)\n")
    machine.new("dir/b", "[[plan]] [q](../plan.md)\n")
    machine.mirror(folder)
    os.rename(f"{folder}/plan.md", f"{folder}/project plan.md")
    scene.eventually(lambda: "project plan" in machine.names(), "the note has the new name")
    scene.eventually(lambda: "[[project plan]]" in machine.text("a") and "[[project plan]]" in machine.text("dir/b"),
                     "links by name follow", machine.texts())
    missing = machine.run("links", "--missing", expected=None)
    scene.equal(missing.output.strip(), "", "no link leads nowhere", machine.texts())
    scene.check(machine.is_in_step(folder), "the files have the new links")


@case(needs=["git"])
def branch_without_some_notes(scene):
    """A branch without some of the notes is checked out, and then the first one again. Notes are deleted
    on other devices, or come back without their histories.

    Reports: Vinzent03/obsidian-git#558, Vinzent03/obsidian-git#702, GitJournal/GitJournal#241
    """
    machine, other = scene.machine("a"), scene.machine("b")
    folder = machine.folder()
    for number in range(60):
        write(f"{folder}/n{number}.md", f"note number {number}\n")
    machine.git(folder, "init", "-q", "-b", "main")
    machine.git(folder, "add", ".")
    machine.git(folder, "commit", "-qm", "all")
    machine.git(folder, "checkout", "-q", "-b", "small")
    for number in (1, 2):
        os.unlink(f"{folder}/n{number}.md")
    write(f"{folder}/n5.md", "note number 5\non the branch\n")
    machine.git(folder, "commit", "-qam", "fewer")
    machine.git(folder, "checkout", "-q", "main")
    machine.mirror(folder, "--adopt")
    scene.eventually(lambda: len(machine.names()) == 60, "all files are notes")
    other.add_peer(machine)
    first = machine.id("n1")
    machine.append("n2", "added by a client")
    scene.eventually(lambda: "added by a client" in read(f"{folder}/n2.md"), "the line is in the file")
    machine.git(folder, "commit", "-qam", "a line")
    machine.git(folder, "checkout", "-q", "small")
    scene.eventually(lambda: "on the branch" in machine.text("n5"), "the text of the branch is in the note")
    scene.eventually(lambda: len(machine.names()) == 58, "the notes that the branch lacks are deleted", len(machine.names()))
    other.sync()
    machine.git(folder, "checkout", "-q", "main")
    scene.eventually(lambda: len(machine.names()) == 60, "all notes are back", len(machine.names()))
    scene.check(machine.is_in_step(folder), "the folder is in step")
    other.sync()
    other.sync()
    for one in (machine, other):
        scene.equal(len(one.names()), 60, f"{one.name} has all notes")
        scene.equal(one.id("n1"), first, f"{one.name}: a note that was away is the same note")
        for name, text in (("n1", "note number 1\n"), ("n2", "note number 2\nadded by a client\n"), ("n5", "note number 5\n")):
            scene.equal(one.text(name), text, f"{one.name}: the text of {name}")


@case(needs=["git"])
def pull_that_meets_a_local_change(scene):
    """A pull and a local change meet. Conflict markers pile up in the note, or one side is overwritten
    and pushed.

    Reports: Vinzent03/obsidian-git#558, GitJournal/GitJournal#241, mozilla/notes#542
    """
    machine = scene.machine()
    folder, phone = machine.folder(), os.path.join(machine.home, "phone")
    text = "".join(f"line {number}\n" for number in range(12))
    write(f"{folder}/n.md", text)
    machine.git(folder, "init", "-q", "-b", "main")
    machine.git(folder, "add", ".")
    machine.git(folder, "commit", "-qm", "first")
    machine.git(machine.home, "clone", "-q", folder, phone)
    machine.mirror(folder, "--adopt")
    scene.eventually(lambda: machine.names() == ["n"], "the file is a note")
    write(f"{phone}/n.md", text.replace("line 2\n", "line 2 from the phone\n") + "end from the phone\n")
    machine.git(phone, "commit", "-qam", "phone")
    machine.save("n", text.replace("line 7\n", "line 7 in the note\n"), machine.version("n"))
    scene.eventually(lambda: "in the note" in read(f"{folder}/n.md"), "the change of the note is in the file")
    machine.git(folder, "commit", "-qam", "mine")
    machine.git(folder, "pull", "-q", "--no-rebase", phone, "main")
    merged = text.replace("line 2\n", "line 2 from the phone\n").replace("line 7\n", "line 7 in the note\n") + "end from the phone\n"
    scene.eventually(lambda: machine.text("n") == merged, "the note has both changes and no marker", machine.text("n"))


@case()
def literal_markers_in_a_conflict(scene):
    """A note whose text has conflict markers of its own gets into a real conflict. To resolve it damages
    the text.

    Reports: mozilla/notes#542
    """
    machine = scene.machine()
    text = "doc\n<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\nend\n"
    machine.new("n", text)
    base = machine.version("n")
    machine.save("n", text.replace("end", "end A"), base)
    machine.save("n", text.replace("end", "end B"), base)
    # The script replaces the last group of markers, which is the real conflict.
    editor = machine.editor_script("editor", """#!/usr/bin/env python3
import sys
with open(sys.argv[1], encoding="utf-8") as file:
    text = file.read()
begin = text.rindex("<<<<<<<")
end = text.index("\\n", text.rindex(">>>>>>>")) + 1
with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.write(text[:begin] + "end A and B\\n" + text[end:])
""")
    done = machine.run("resolve", "n", "--edit", editor=editor, expected=None)
    scene.equal(machine.text("n"), text.replace("end", "end A and B"), "only the real conflict is resolved", done)


@case()
def emptied_folders_go(scene):
    """A folder whose last note was deleted or moved stays behind, empty, on other machines. Or folders
    that the user made vanish.

    Reports: 8thpark/geode#137, hjinco/synch#20, haierkeys/fast-note-sync-service#33,
    stravo1/obsidian-gdrive-sync#69, remotely-save/remotely-save#687
    """
    machine = scene.machine()
    folder = machine.folder()
    for number in range(3):
        machine.new(f"old/sub/n{number}", f"text {number}\n")
    machine.new("x", "x\n")
    machine.mirror(folder)
    os.makedirs(f"{folder}/mine/empty")
    write(f"{folder}/old2/picture.png", PNG)
    machine.new("old2/n", "n\n")
    scene.eventually(lambda: os.path.exists(f"{folder}/old2/n.md"), "a note gets a file next to a picture")
    machine.run("mv", "old/", "new/")
    machine.run("rm", "old2/n")
    scene.check(machine.is_in_step(folder), "the folder is in step")
    scene.eventually(lambda: not os.path.exists(f"{folder}/old"), "the folders that the mirror emptied are gone", os.listdir(folder))
    scene.check(os.path.isdir(f"{folder}/mine/empty"), "a folder that the user made stays")
    scene.check(os.path.exists(f"{folder}/old2/picture.png"), "another file stays")


@case()
def round_trips_change_no_byte(scene):
    """Each round trip adds a blank line, strips trailing spaces or the final newline, or reorders the
    front matter.

    Reports: memrynote/memry#524, marktext/marktext#2342, eyeseast/python-frontmatter#87,
    laurent22/joplin#16023, obsidian-full-calendar-remastered/plugin-full-calendar#313
    """
    machine = scene.machine()
    text = "---\nzeta: 1\nalpha: [b, a]\n---\n\n\n# T  \nhard break  \n- [ ] a\n\n\n- [x] b\n\n\n\nlast   "
    imported, exported = machine.folder("imported"), machine.folder("exported")
    write(f"{imported}/n.md", text)
    machine.run("import", imported)
    for number in range(8):
        machine.run("export", exported)
        scene.equal(read(f"{exported}/n.md"), text, f"export {number} has the same bytes")
        for changed in (text + "x", text):
            write(f"{exported}/n.md", changed)
            machine.run("import", exported)
            scene.equal(machine.text("n"), changed, f"import {number} has the same bytes")
    base = machine.version("n")
    machine.save("n", text.replace("- [ ] a", "- [x] a"), base)
    machine.save("n", text.replace("zeta: 1", "zeta: 2"), base)
    scene.equal(machine.text("n"), text.replace("- [ ] a", "- [x] a").replace("zeta: 1", "zeta: 2"), "a merge keeps all other bytes")
