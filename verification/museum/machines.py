"""Several machines: offline work, clocks, first contacts, deletions and backups that meet."""

import os
import random
import shutil
import threading

from cases import case, clock
from machine import files_below, read, stays, write


@case()
def lines_deleted_here_and_added_there(scene):
    """One device deletes old lines, and another adds new ones. After the sync, the deleted lines are
    back among the new ones.

    Reports: vrtmrz/obsidian-livesync#993
    """
    a, b = scene.machine("a"), scene.machine("b")
    old = [f"old {number}\n" for number in range(10)]
    left = [line for line in old if line not in ("old 3\n", "old 4\n", "old 5\n")]
    a.new("n", "".join(old))
    b.add_peer(a)
    base_a, base_b = a.version("n"), b.version("n")
    a.save("n", "".join(left), base_a)
    b.save("n", "".join(old) + "new\n", base_b)
    b.sync()
    for machine in (a, b):
        scene.equal(machine.text("n"), "".join(left) + "new\n", f"{machine.name}: deletions and additions are both there")
        scene.equal(machine.conflicts(), "", f"{machine.name}: no conflict is reported")


@case()
def four_devices_write_at_once(scene):
    """Four devices write in one note, and their syncs resolve conflicts by themselves. Lines vanish,
    and no copy has them.

    Reports: remotely-save/remotely-save#697
    """
    chance = random.Random(scene.seed)
    machines = [scene.machine(name) for name in "abcd"]
    lines = [f"line {number}" for number in range(40)]
    machines[0].new("n", "".join(line + "\n" for line in lines))
    for machine in machines[1:]:
        machine.add_peer(machines[0])
    for turn in range(6):
        for machine in machines:
            text, base = machine.text("n").splitlines(), machine.version("n")
            lines.append(f"{machine.name} wrote this in turn {turn}")
            text.insert(chance.randrange(len(text) + 1), lines[-1])
            machine.save("n", "\n".join(text) + "\n", base)
        chance.choice(machines[1:]).sync()
    for _ in range(2):
        for machine in machines[1:]:
            machine.sync()
    scene.equal(len({machine.text("n") for machine in machines}), 1, "all machines have the same text")
    scene.lines_once(machines[0].text("n"), lines, "every line is there once")


@case(quick=False)
def typing_while_a_sync_runs(scene):
    """Words that are typed while a sync runs are neither in the note nor in the conflict copy.

    Reports: laurent22/joplin#13531, laurent22/joplin#121
    """
    a, b = scene.machine("a"), scene.machine("b")
    writer = a.client()
    for number in range(300):
        writer.ask("note.create", name=f"bulk/{number}", text="x" * 2000 + "\n")
    writer.close()
    a.new("n", "".join(f"line {number}\n" for number in range(50)))
    b.add_peer(a)
    is_over = threading.Event()
    failures, typed = [], []

    def sync():
        while not is_over.is_set():
            done = b.sync(expected=None)
            if done.code:
                failures.append(done.errors)

    def type_on(machine):
        client = machine.client()
        note = client.ask("note.get", name="n")["note"]
        text, version = note["text"], note["version"]
        for number in range(60):
            line = f"{machine.name} typed word {number}"
            typed.append(line)
            at = len(text.encode()) if number % 2 else 0
            version = client.ask("note.edit", id=note["id"], base=version, edits=[{"start": at, "end": at, "text": line + "\n"}])["version"]
            text = text + line + "\n" if number % 2 else line + "\n" + text
            if number % 5 == 0:
                newest = client.ask("note.get", id=note["id"])["note"]
                text, version = newest["text"], newest["version"]
        client.close()

    syncing = threading.Thread(target=sync)
    typists = [threading.Thread(target=type_on, args=(machine,)) for machine in (a, b)]
    for thread in [syncing] + typists:
        thread.start()
    for thread in typists:
        thread.join()
    is_over.set()
    syncing.join()
    b.sync()
    scene.equal(failures, [], "no sync fails")
    scene.equal(a.text("n"), b.text("n"), "both machines have the same text")
    scene.lines_once(a.text("n"), typed, "every typed line is there once")


@case(quick=False, needs=["libfaketime"])
def clocks_years_apart(scene):
    """The clock of one machine is wrong. The older text wins, or every file becomes a conflict.

    Reports: syncthing/syncthing#1306, syncthing/syncthing#220, syncany/syncany#515
    """
    a = scene.machine("a")
    b = scene.machine("b", clock=clock("+2y"))
    c = scene.machine("c", clock=clock("@2001-01-01 00:00:00"))
    a.new("n", "one\ntwo\nthree\n")
    b.add_peer(a)
    c.add_peer(a)
    b.save("n", "one\ntwo by the fast clock\nthree\n", b.version("n"))
    b.sync()
    c.sync()
    scene.equal(c.text("n"), b.text("n"), "the text arrives on the machine with the slow clock")
    newest = "one\ntwo by the slow clock\nthree\n"
    c.save("n", newest, c.version("n"))
    c.sync()
    b.sync()
    for machine in (a, b, c):
        scene.equal(machine.text("n"), newest, f"{machine.name} has the text that saw the other one")
        scene.equal(machine.conflicts(), "", f"{machine.name}: no conflict is reported")
    c.daemon.restart()
    scene.equal(c.text("n"), newest, "the text is there after a kill")
    a.run("rm", "n")
    for machine in (b, c, b):
        machine.sync()
    scene.equal([machine.names() for machine in (a, b, c)], [[], [], []], "a deletion reaches all machines")


@case(quick=False, needs=["libfaketime"])
def deleted_while_a_machine_was_away_for_years(scene):
    """The records of deletions have expired. A machine that was away for long brings all deleted notes
    back.

    Reports: haierkeys/fast-note-sync-service#482, erichll/go-fast-note-sync#9
    """
    a, b = scene.machine("a", config="[history]\nkeep_days = 1\n"), scene.machine("b")
    for number in range(20):
        a.new(f"n{number}", f"text {number}\n" * 5)
    b.add_peer(a)
    scene.equal(len(b.names()), 20, "the first sync carries all notes")
    b.daemon.stop()
    for number in range(15):
        a.run("rm", f"n{number}")
        a.append("n19", f"more {number}")
    a.daemon.stop()
    a.daemon.environment.update(clock("+3y"))
    a.daemon.start()
    a.new("later", "x\n")
    a.daemon.stop()
    a.daemon.start()
    b.daemon.start()
    b.sync()
    b.sync()
    for machine in (a, b):
        scene.equal(machine.names(), sorted([f"n{number}" for number in range(15, 20)] + ["later"]), f"{machine.name}: deleted notes stay deleted")


@case()
def import_of_an_export_after_a_deletion(scene):
    """A user exports all notes, deletes them, and imports the export. The sync then deletes the
    imported notes one by one.

    Reports: standardnotes/forum#711, standardnotes/app#311
    """
    a, b = scene.machine("a"), scene.machine("b")
    names = [f"n{number}" for number in range(8)]
    for name in names:
        a.new(name, f"text of {name}\n")
    b.add_peer(a)
    exported = a.folder("exported")
    a.run("export", exported)
    a.run("rm", "--prefix", "n")
    b.sync()
    scene.equal(a.names() + b.names(), [], "the notes are deleted on both machines")
    done = a.run("import", exported, expected=None)
    if not a.names():
        # The folder of the export remembers that these files were notes, which the user deleted.
        scene.check("deleted" in done.output + done.errors, "an import without effect names the deleted notes", done)
        copy = os.path.join(a.home, "copy")
        os.mkdir(copy)
        for name in names:
            shutil.copy(os.path.join(exported, name + ".md"), copy)
        a.run("import", copy)
    b.sync()
    b.sync()
    for machine in (a, b):
        scene.equal(machine.names(), names, f"{machine.name}: the imported notes stay")


@case()
def first_contact_with_an_empty_machine(scene):
    """The first sync with an empty server removes all local notes.

    Reports: nextcloud/notes-android#131, obsidianmd/obsidian-headless#19
    """
    full, empty = scene.machine("full"), scene.machine("empty")
    for number in range(12):
        full.new(f"n{number}", f"text {number}\n")
    full.add_peer(empty)
    scene.equal(len(full.names()), 12, "the full machine keeps its notes")
    scene.equal(empty.texts(), full.texts(), "the empty machine receives them")


@case()
def client_that_slept_for_weeks(scene):
    """An old client that slept for weeks joins for a moment. Notes are deleted on one side, and come
    back in heaps on the other.

    Reports: TriliumNext/Trilium#9247
    """
    a, b, sleeper = scene.machine("a"), scene.machine("b"), scene.machine("sleeper")
    writer = a.client()
    for number in range(40):
        writer.ask("note.create", name=f"t/{number}", text=f"text {number}\n[[t/{(number + 1) % 40}]]\n")
    b.add_peer(a)
    sleeper.add_peer(a)
    sleeper.daemon.stop()
    a.run("mv", "t/", "u/")
    for number in range(10):
        a.run("rm", f"u/{number}")
    for number in range(20, 25):
        a.append(f"u/{number}", "more")
    b.sync()
    sleeper.daemon.start()
    sleeper.append("t/30", "typed while it slept")
    sleeper.sync()
    sleeper.daemon.stop()
    b.sync()
    for machine in (a, b):
        scene.equal(machine.names(), sorted(f"u/{number}" for number in range(10, 40)), f"{machine.name}: renames and deletions hold")
        scene.check("typed while it slept" in machine.text("u/30"), f"{machine.name}: the words of the sleeper are in the renamed note")


@case()
def two_people_join_with_the_same_files(scene):
    """Two people join with the same tree of files. One overwrites the other, or every file is there
    twice.

    Reports: teamtype/teamtype#399, standardnotes/forum#94
    """
    a, b = scene.machine("a"), scene.machine("b")
    for number in range(25):
        text = f"# File {number}\n" + "".join(f"line {number} {line}\n" for line in range(8))
        write(f"{a.folder()}/n{number}.md", text)
        changed = text.replace(" 3\n", " 3 changed by b\n") + f"only on b {number}\n"
        write(f"{b.folder()}/n{number}.md", text if number < 20 else changed)
    for machine in (a, b):
        write(f"{machine.folder()}/only {machine.name}.md", f"the file of {machine.name}\n")
        machine.run("import", machine.folder())
    b.add_peer(a)
    b.sync()
    for machine in (a, b):
        names = [head["name"] for head in machine.heads()]
        counts = {names.count(f"n{number}") for number in range(20)}
        scene.equal(counts, {1}, f"{machine.name}: equal files become one note", names)
        for number in range(20, 25):
            for words in (f"only on b {number}\n", f"line {number} 3\n"):
                scene.check(machine.has(words), f"{machine.name}: both versions of n{number} are there", words)
        scene.check({"only a", "only b"} <= set(names), f"{machine.name}: files of one side are there")


@case()
def offline_on_both_sides(scene):
    """Changes and new notes that were made offline are overwritten or deleted when the machines meet
    again.

    Reports: Automattic/simplenote-electron#602, standardnotes/forum#117, standardnotes/bounties#36,
    Fmstrat/ownnote#258, Fmstrat/ownnote#161, brvier/ownNotes#13
    """
    a, b = scene.machine("a"), scene.machine("b")
    a.new("n", "1\n2\n3\n")
    b.add_peer(a)
    a.daemon.stop()
    b.save("n", "1\n2\n3 offline\n", b.version("n"))
    b.new("made/offline", "x\n")
    b.new("empty", "")
    a.daemon.start()
    a.save("n", "1 online\n2\n3\n", a.version("n"))
    b.sync()
    for machine in (a, b):
        scene.equal(machine.text("n"), "1 online\n2\n3 offline\n", f"{machine.name} has both changes")
        scene.equal(machine.names(), ["empty", "made/offline", "n"], f"{machine.name} has the new notes")


@case()
def backup_restored_on_one_machine(scene):
    """A backup is restored on one machine. The sync then spreads old or empty texts, or ignores what
    is typed after the restore.

    Reports: streetwriters/notesnook#3472, streetwriters/notesnook#135, turtl/tracker#301,
    standardnotes/mobile#18, baumgarr/nixnote2#509
    """
    a, b = scene.machine("a"), scene.machine("b")
    for number in range(6):
        a.new(f"n{number}", f"old {number}\n")
    b.add_peer(a)
    backup = os.path.join(a.home, "backup.db")
    a.run("backup", backup)
    for number in range(6):
        a.append(f"n{number}", "newer")
    a.run("rm", "n5")
    a.new("late", "late\n")
    b.sync()
    a.daemon.stop()
    shutil.rmtree(a.data)
    done = a.notesd("restore", backup, "--data", a.data)
    scene.equal(done.code, 0, "the backup is restored", done)
    a.daemon.start()
    scene.equal(a.text("n1"), "old 1\n", "the restored store has the old text")
    a.append("n1", "typed after the restore")
    b.sync()
    b.sync()
    for machine in (a, b):
        scene.equal(machine.names(), ["late", "n0", "n1", "n2", "n3", "n4"], f"{machine.name} has the newest names")
        scene.equal(machine.text("n0"), "old 0\nnewer\n", f"{machine.name} has the newer text")
        scene.lines_once(machine.text("n1"), ["old 1", "newer", "typed after the restore"], f"{machine.name} has all three lines once")


@case(quick=False)
def restarts_of_both_sides(scene):
    """After a restart of either side, the changes in one direction are skipped for good, or the feed is
    dead and reports nothing.

    Reports: vrtmrz/livesync-bridge#64, apache/pouchdb#8050, apache/pouchdb#7887, apache/pouchdb#9063,
    apache/pouchdb#8192, vrtmrz/obsidian-livesync#1020, sysadminmike/couch-to-postgres#22
    """
    a, b = scene.machine("a"), scene.machine("b")
    a.new("n", "0\n")
    b.add_peer(a)
    folder = b.folder()
    b.mirror(folder)
    sync = b.start("sync", "peer", log="sync.log")
    watch = b.start("watch", "--json", log="watch.log")

    def both(act):
        for machine in (a, b):
            act(machine)

    def sync_away():
        sync.kill()
        a.append("n", "while the replicator was away")
        b.new("made/away", "x\n")
        sync.start()

    def peer_away():
        a.daemon.stop()
        b.append("n", "while the peer was away")
        a.daemon.start()

    events = {
        "nothing": lambda: None,
        "the peer restarts": lambda: (a.daemon.stop(), a.daemon.start()),
        "this daemon is killed": b.daemon.restart,
        "the replicator is killed": sync_away,
        "both daemons are killed": lambda: both(lambda machine: machine.daemon.restart()),
        "the peer is away": peer_away,
    }
    for number, (event, happen) in enumerate(events.items()):
        happen()
        a.append("n", f"a wrote {number}")
        scene.eventually(lambda: f"a wrote {number}\n" in b.text("n"), f"after this event, a change of a arrives on b: {event}", sync.said()[-500:])
        b.append("n", f"b wrote {number}")
        scene.eventually(lambda: f"b wrote {number}\n" in a.text("n"), f"after this event, a change of b arrives on a: {event}", sync.said()[-500:])
        scene.eventually(lambda: read(f"{folder}/n.md") == b.text("n"), f"after this event, the folder follows: {event}")
    scene.eventually(lambda: "made/away" in a.names(), "the note that was made while the replicator was away arrives")
    scene.lines_once(b.text("n"), ["while the replicator was away", "while the peer was away"], "both lines are there once")
    newest = b.version("n")
    scene.eventually(lambda: newest in watch.said(), "the watch has reported the newest version", watch.said()[-500:])


@case()
def daily_note_begun_on_two_machines(scene):
    """Today's note is begun on two devices from the same template. One of the two is kept, or there are
    two notes of one name.

    Reports: vrtmrz/obsidian-livesync#303, obsidianmd/obsidian-help#344, clipto-pro/Android#34,
    srg-kostyrko/obsidian-journal#191
    """
    a, b = scene.machine("a"), scene.machine("b")
    a.new("template", "# {{name}}\n\n## Log\n")
    b.add_peer(a)
    words = {"diary/today": "written on", "diary/log": "logged on", "diary/file": "file of"}
    for machine in (a, b):
        machine.run("new", "--template", "template", "diary/today")
        machine.append("diary/today", f"written on {machine.name}")
        machine.run("append", "--create", "diary/log", "-t", f"logged on {machine.name}")
        machine.mirror_once(machine.folder())
        write(f"{machine.folder()}/diary/file.md", f"# Today\n\nfile of {machine.name}\n")
        machine.mirror_once(machine.folder())
    b.sync()
    b.sync()
    for machine in (a, b):
        machine.mirror_once(machine.folder(), expected=None)
        for name, part in words.items():
            texts = [text for noted, text in machine.texts() if noted == name]
            for other in "ab":
                scene.check(any(f"{part} {other}" in text for text in texts), f"{machine.name}: {name} has the words of {other}", texts)
                files = files_below(machine.folder()).values()
                scene.check(any(f"{part} {other}" in text for text in files), f"{machine.name}: a file has the words of {other} in {name}")
            if name != "diary/log":
                scene.equal(len(texts), 1, f"{machine.name}: {name} is one note", texts)


@case(quick=False)
def daily_note_typed_on_in_an_old_buffer(scene):
    """Today's note is begun as a file on two machines, which then meet. The editor on one of them types
    on in its old buffer and saves, and the words of the other are gone.

    Reports: vrtmrz/obsidian-livesync#303, clipto-pro/Android#34, obsidianmd/obsidian-help#344
    """
    begin = "# Today is the day\n\n## Log of the day\n"
    for order in ("ab", "ba"):
        machines = {name: scene.machine(f"{name} {order}") for name in "ab"}
        a, b = machines["a"], machines["b"]
        a.new("x", "x\n")
        b.add_peer(a)
        for machine in machines.values():
            machine.mirror(machine.folder())
        for name in order:
            write(f"{machines[name].folder()}/diary/today.md", begin + f"written first on machine {name}\n")
            scene.eventually(lambda: "diary/today" in machines[name].names(), f"{order}: the file becomes a note")
        b.sync()
        b.sync()
        for machine in machines.values():
            scene.check(machine.is_in_step(machine.folder()), f"{machine.name}: the folder has what came")
        open_file = f"{b.folder()}/diary/today.md"
        scene.check("written first on machine b" in read(open_file), f"{order}: the open file keeps its own text", read(open_file))
        write(open_file, begin + "written first on machine b\ntyped on in the old buffer\n")
        scene.eventually(lambda: b.has("typed on in the old buffer"), f"{order}: the save becomes a revision")
        scene.check(b.is_in_step(b.folder()), f"{order}: the folder and the notes are in step after the save")
        b.sync()
        b.sync()
        for machine in machines.values():
            for words in ("written first on machine a", "written first on machine b", "typed on in the old buffer"):
                scene.check(machine.has(words), f"{machine.name}: a living note has the words", words, machine.texts())


@case(quick=False, needs=["neovim"])
def restart_of_the_server_doubles_nothing(scene):
    """After a restart of the server, the whole content is there twice, then four times.

    Reports: ueberdosis/hocuspocus#344, ueberdosis/hocuspocus#84, ueberdosis/hocuspocus#725,
    ueberdosis/hocuspocus#509
    """
    a, b = scene.machine("a"), scene.machine("b")
    text = "".join(f"line {number}\n" for number in range(30))
    a.new("n", text)
    folder = a.folder()
    mirror = a.mirror(folder)
    b.add_peer(a)
    sync = b.start("sync", "peer", log="sync.log")
    editor = a.neovim()
    editor.open("n")
    editor.settled()
    sides = {"note": lambda: a.text("n"), "file": lambda: read(f"{folder}/n.md"), "peer": lambda: b.text("n"), "buffer": editor.text}
    for number in range(5):
        if number % 2:
            a.daemon.kill()
        else:
            a.daemon.stop()
        a.daemon.start()
        text += f"line after restart {number}\n"
        a.save("n", text, a.version("n"))
        for side, now in sides.items():
            scene.eventually(lambda: now() == text, f"restart {number}: the {side} has each line once", mirror.said()[-300:], sync.said()[-300:])
    scene.equal(set(stays(lambda: [now() for now in sides.values()])), {text}, "no text changes by itself afterwards")
