"""Crashes: killed daemons and editors, and words that were not on disk yet."""

import glob
import threading
import time
import uuid

from cases import case


def open_in(editor, note):
    editor.open(note)
    editor.settled()


@case(needs=["neovim"])
def crash_of_the_daemon_keeps_the_buffer(scene):
    """The daemon crashes. The buffer of the editor is emptied, or words that were typed after the crash
    are lost.

    Reports: teamtype/teamtype#346, teamtype/teamtype#454
    """
    machine = scene.machine()
    text = "".join(f"line {number}\n" for number in range(50))
    machine.new("n", text)
    editor = machine.neovim()
    open_in(editor, "n")
    machine.daemon.kill()
    scene.eventually(lambda: editor.do("state")["status"] != "synced", "the editor notices the crash", editor.do("state")["status"])
    scene.equal(editor.text(), text, "the buffer keeps its text")
    editor.do("keys", keys="Gotyped after the crash<Esc>")
    scene.equal(editor.text(), text + "typed after the crash\n", "the buffer has the new line")
    machine.daemon.start()
    scene.eventually(lambda: machine.text("n") == text + "typed after the crash\n", "the new line is in the note once the daemon is back")


@case(needs=["neovim"])
def editor_killed_after_typing(scene):
    """The editor is killed a moment after typing, and the words were not on disk yet.

    Reports: vim/vim#3505, tpope/vim-sensible#196, pbek/QOwnNotes#960
    """
    machine = scene.machine()
    machine.new("n", "one\n")
    editor = machine.neovim()
    open_in(editor, "n")
    editor.do("keys", keys="Goabc def ghi<Esc>")
    editor.settled()
    editor.kill()
    scene.check("abc def ghi" in machine.text("n"), "acknowledged words are in the note")
    editor = machine.neovim()
    open_in(editor, "n")
    machine.daemon.kill()
    editor.do("keys", keys="Gotyped without a daemon<Esc>")
    draft = b"typed without a daemon"
    scene.eventually(lambda: draft in drafts_of(editor), "the words come into a draft on disk")
    editor.kill()
    machine.daemon.start()
    editor = machine.neovim()
    editor.open("n")

    def are_back():
        shown = editor.text() or ""
        return "typed without a daemon" in shown or "typed without a daemon" in machine.text("n")

    scene.eventually(are_back, "a new editor brings the words back", editor.text(), editor.do("log"))


def drafts_of(editor):
    """All that the editor has written into its state and data folders."""
    texts = []
    for path in glob.glob(editor.folder + "/**/*", recursive=True):
        try:
            with open(path, "rb") as file:
                texts.append(file.read())
        except OSError:
            continue
    return b"".join(texts)


@case(needs=["neovim"])
def typing_while_another_program_writes(scene):
    """The last seconds of typing vanish and the cursor jumps, because a sync program changes the note.

    Reports: pbek/QOwnNotes#2416
    """
    machine = scene.machine()
    machine.new("n", "head\nmiddle\nend\n")
    editor = machine.neovim()
    open_in(editor, "n")
    editor.do("keys", keys="2GA<Esc>")
    others = []
    for number in range(40):
        editor.do("keys", keys=f"A x{number}<Esc>")
        if number % 4 == 0:
            others.append(f"other {number}")
            # The text and its version come from one response, because the editor writes meanwhile.
            note = machine.ask("note.get", name="n")["note"]
            machine.save("n", note["text"].replace("head\n", f"head\n{others[-1]}\n", 1), note["version"])
    editor.settled()
    scene.eventually(lambda: editor.text() == machine.text("n"), "the buffer and the note are equal")
    typed = "middle" + "".join(f" x{number}" for number in range(40))
    scene.lines_once(machine.text("n"), ["head", typed, "end"] + others, "the typed words and the lines of the other are there once")
    row = editor.state()["row"]
    scene.equal(editor.text().splitlines()[row], typed, "the cursor is in the line in which it was")


@case(quick=False)
def kills_under_load(scene):
    """A crash or a power failure leaves a damaged database, or loses acknowledged writes.

    Reports: laurent22/joplin#11686, couchbase/couchbase-lite-ios#1482, automerge/automerge-repo#264
    """
    machine = scene.machine()
    acknowledged = {number: [] for number in range(4)}
    is_over = threading.Event()

    def write_on(number):
        while not is_over.is_set():
            try:
                client = machine.client()
                try:
                    note = client.ask("note.create", name=f"n{number}", text="")["note"]
                except RuntimeError:  # The name exists since the first connection.
                    note = client.ask("note.get", name=f"n{number}")["note"]
                version = note["version"]
                while not is_over.is_set():
                    line = uuid.uuid4().hex
                    change = {"start": 0, "end": 0, "text": line + "\n"}
                    version = client.ask("note.edit", id=note["id"], base=version, edits=[change])["version"]
                    acknowledged[number].append(line)
            except (OSError, ValueError):
                time.sleep(0.02)

    threads = [threading.Thread(target=write_on, args=(number,)) for number in acknowledged]
    for thread in threads:
        thread.start()
    for _ in range(8):
        before = sum(map(len, acknowledged.values()))
        scene.eventually(lambda: sum(map(len, acknowledged.values())) > before + 100, "a hundred lines are acknowledged before the next kill")
        machine.daemon.restart()
    is_over.set()
    for thread in threads:
        thread.join()
    for number, lines in acknowledged.items():
        found = set(machine.text(f"n{number}").splitlines())
        scene.equal([line for line in lines if line not in found], [], f"writer {number}: every acknowledged line is there")
    machine.daemon.stop()
    scene.equal(machine.daemon.verify(), "", "the store is sound")
