"""State words: what notesd reports when a peer, a note, a folder, a disk or the store is in trouble."""

import os
import signal
import subprocess

from cases import case
from machine import DaemonFailed, read, write


@case(quick=False)
def peer_that_stopped_answering(scene):
    """The other side has stopped answering. The sync hangs, reports nothing, and does not go on
    afterwards.

    Reports: syncthing/syncthing#1443, facebook/watchman#96, automerge/automerge-repo#264
    """
    a, b = scene.machine("a"), scene.machine("b")
    a.new("n", "x\n")
    b.add_peer(a)
    b.start("sync", "peer", log="sync.log")
    a.append("n", "written before")
    scene.eventually(lambda: "written before" in b.text("n"), "the replicator carries changes")
    a.daemon.process.send_signal(signal.SIGSTOP)
    b.append("n", "written while the peer is frozen")
    scene.eventually(lambda: "1 missing there" in b.run("peer", "list").output, "the state names the missing revision", b.run("peer", "list").output)
    a.daemon.process.send_signal(signal.SIGCONT)
    scene.eventually(lambda: "written while the peer is frozen" in a.text("n"), "the sync goes on when the peer does", b.run("peer", "list").output)


@case(quick=False)
def one_note_that_cannot_be_taken(scene):
    """One item that cannot be taken blocks the whole sync, which stays at 100 % and reports nothing.

    Reports: syncthing/syncthing#1443, kozec/syncthing-gtk#396, phpbg/easysync#52,
    serenity-kit/serenity-notes-clients#29, streetwriters/notesnook#8154, laurent22/joplin#9162
    """
    a = scene.machine("a")
    b = scene.machine("b", config="[limits]\nnote_bytes_max = 65536\n")
    a.new("first", "x\n")
    a.new("large", ("z" * 79 + "\n") * 3000)
    for number in range(20):
        a.new(f"n{number}", f"text {number}\n")
    added = b.run("peer", "add", "peer", "unix:" + a.daemon.socket, "--no-start", "--yes", expected=None)
    done = b.sync(expected=None)
    listed = b.run("peer", "list", expected=None)
    names = b.names()
    scene.check({"first"} | {f"n{number}" for number in range(20)} <= set(names), "all other notes arrive", names, done)
    reported = added.output + added.errors + done.output + done.errors + listed.output
    scene.check("large" in names or "not accepted" in reported or "room" in reported, "the note that is not taken is reported", reported)
    a.daemon.process.send_signal(signal.SIGSTOP)
    frozen = b.sync(expected=None)
    a.daemon.process.send_signal(signal.SIGCONT)
    scene.check(frozen.code != 0 and frozen.errors, "a sync with a frozen peer ends with an error", frozen)


@case()
def store_emptied_by_something_else(scene):
    """The database file is empty or gone. The program begins a new one, and reports that all is well.

    Reports: Crustack/NotallyX#1061, Crustack/NotallyX#1075, ueberdosis/hocuspocus#382
    """
    machine = scene.machine()
    for number in range(10):
        machine.new(f"n{number}", f"text {number}\n")
    machine.daemon.stop()
    write(os.path.join(machine.data, "notes.sqlite3"), b"")
    try:
        machine.daemon.start()
    except DaemonFailed as refusal:
        scene.check("notes.sqlite3" in str(refusal), "the daemon refuses to start, and names the file", refusal)
        return
    done = machine.run("doctor", expected=None)
    scene.check(done.code != 0, "notesctl doctor reports the emptied store", done)


def mount(scene, place, *options):
    """Mounts something for the duration of the case."""
    subprocess.run(["mount", *options, place], check=True, capture_output=True)
    scene.undo.append(lambda: subprocess.run(["umount", "-l", place], check=False, capture_output=True))


@case(quick=False, needs=["root"])
def read_only_folder(scene):
    """The folder, or a part of it, cannot be written. The program fails without a word, deletes
    something, or stops for all files.

    Reports: winters27/obsidian-byoc#10, syncthing/syncthing-android#1590, intellibar/main#96
    """
    machine = scene.machine()
    folder = machine.folder()
    machine.new("n", "x\n")
    machine.new("sub/m", "y\n")
    machine.mirror_once(folder)
    sub = f"{folder}/sub"
    mount(scene, sub, "--bind", sub)
    subprocess.run(["mount", "-o", "remount,ro,bind", sub], check=True)
    mirror = machine.start("mirror", folder, log="mirror.log")
    machine.append("sub/m", "more")
    machine.append("n", "more")
    machine.new("sub/new", "z\n")
    machine.run("mv", "n", "sub/n2")

    def status():
        return machine.run("mirror", "status", folder, expected=None)

    scene.eventually(lambda: "sub/m" in status().output and status().code != 0, "mirror status names the file that cannot be written", status())
    scene.check(mirror.is_running(), "the mirror goes on", mirror.said())
    scene.equal(machine.names(), ["sub/m", "sub/n2", "sub/new"], "no note is deleted")
    scene.equal(read(f"{sub}/m.md"), "y\n", "the file has its old text")
    scene.check(os.path.exists(f"{folder}/n.md") or os.path.exists(f"{sub}/n2.md"), "a renamed note keeps a file", os.listdir(folder))
    subprocess.run(["mount", "-o", "remount,rw,bind", sub], check=True)
    scene.check(machine.is_in_step(folder), "all files follow once the folder can be written", status(), mirror.said()[-500:])


@case(quick=False, needs=["root"])
def full_disk(scene):
    """The disk is full. The file is emptied, notes seem to be gone, and nothing is reported.

    Reports: standardnotes/forum#86, microsoft/vscode#34915, microsoft/vscode#97213, gsantner/markor#2516,
    notepad-plus-plus/notepad-plus-plus#14089
    """
    machine = scene.machine(is_started=False)
    store = os.path.join(machine.home, "share")
    folder = machine.folder()
    mount(scene, store, "-t", "tmpfs", "-o", "size=6m", "tmpfs")
    mount(scene, folder, "-t", "tmpfs", "-o", "size=1m", "tmpfs")
    machine.daemon.start()
    machine.new("n", "months of work\n")
    accepted, refused = 0, None
    while refused is None and accepted < 1000:
        done = machine.run("append", "n", "-t", f"{accepted} {os.urandom(50_000).hex()}", expected=None)
        if done.code:
            refused = done
        else:
            accepted += 1
    scene.check(refused and any(word in refused.errors for word in ("full", "room", "space")), "the refusal names the full disk", refused)
    text = machine.text("n")
    scene.check(text.startswith("months of work\n"), "the first line is there")
    scene.equal(text.count("\n"), accepted + 1, "the note has exactly the accepted lines")
    machine.daemon.restart()
    scene.check(machine.text("n") == text, "the note is the same after a kill on the full disk")
    subprocess.run(["mount", "-o", "remount,size=40m", store], check=True)
    machine.append("n", "after")
    scene.check(machine.text("n") == text + "after\n", "the note can be written when there is room again")

    machine.new("small", "small\n")
    machine.mirror_once(folder, expected=None)
    fill(os.path.join(folder, "fill"))
    machine.save("small", "small\n" + "y" * 100_000 + "\n")
    done = machine.mirror_once(folder, expected=None)
    scene.check(done.code != 0, "a mirror of a full disk ends with an error", done)
    scene.equal(read(f"{folder}/small.md"), "small\n", "the file on the full disk has its old text")
    scene.check(machine.text("small").endswith("y\n"), "the note has the new text")


def fill(path):
    """Writes a file until its disk is full."""
    with open(path, "wb", buffering=0) as file:
        try:
            while True:
                file.write(b"x" * 4096)
        except OSError:
            pass
