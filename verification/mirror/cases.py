"""What happens in a folder besides saves: removals, moves, copies, odd names, git, other mirrors.

Each case has its own names, so that all cases of one scene wait at the same time.
"""

import mmap
import os
import random
import shutil
import signal
import subprocess
import sys
import threading
import time

sys.path[:0] = [os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "editors", "lib")]

from editors import KINDS, is_installed  # noqa: E402
from scene import PATIENCE_S, Scene, is_open_to_all, program  # noqa: E402

# How long the mirror waits until a missing file counts as removed, in seconds.
GONE_S = 10
# A user without rights.
NOBODY = 65534


def git_in(place, *words):
    subprocess.run(("git", "-c", "user.name=test", "-c", "user.email=test@localhost", *words), cwd=place, check=True,
                   stdin=subprocess.DEVNULL, capture_output=True, timeout=60)


def lines(checks, scene):
    """Lines that come, and of which the user deletes some."""
    scene.make("lines", "the first line\n")
    checks.check(scene.until(lambda: scene.read("lines.md")), "a new note comes into the folder")
    come = [f"a line that has come, number {number}" for number in range(3)]
    scene.save("lines", "the first line\n" + "".join(line + "\n" for line in come))
    checks.check(scene.until(lambda: come[2] in scene.read("lines.md")), "three lines come")
    scene.write("lines.md", f"the first line\n{come[1]}\n")
    checks.check(scene.until(lambda: come[0] not in scene.text("lines")), "two of three new lines are deleted", scene.text("lines"))
    checks.equal(scene.text("lines"), f"the first line\n{come[1]}\n", "and the third stays")


def auto_saver(checks, scene):
    """A program saves the same buffer again and again, and never loads what has come."""
    scene.write("auto.md", "the first line\n")
    checks.check(scene.until(lambda: scene.text("auto")), "auto is a note")
    typed = "the first line\n"
    for number in range(6):
        scene.insert("auto", f"a client wrote line {number} of auto", 0)
        time.sleep(0.3)
        typed += f"the saver typed line {number}\n"
        scene.write("auto.md", typed)
    expected = {f"a client wrote line {number} of auto" for number in range(6)} | set(typed.splitlines())
    checks.check(scene.until(lambda: set(scene.text("auto").splitlines()) == expected), "a program that never loads takes nothing out",
                 scene.text("auto"))


def readers(checks, scene):
    """Readers of a file never see a mixture of two texts."""
    scene.make("read", "0 line\n" * 2000)
    checks.check(scene.until(lambda: scene.read("read.md")), "read is a file")
    is_over, mixed, count = threading.Event(), [], [0]

    def reader():
        while not is_over.is_set():
            text = scene.read("read.md")
            count[0] += 1
            if text is None or len(set(text.splitlines())) != 1 or text.count("\n") != 2000:
                mixed.append(text and text[:100])

    threads = [threading.Thread(target=reader) for _ in range(2)]
    for thread in threads:
        thread.start()
    for number in range(1, 20):
        scene.save("read", f"{number} line\n" * 2000)
        time.sleep(0.06)
    is_over.set()
    for thread in threads:
        thread.join()
    checks.equal(mixed, [], "no reader sees half of a text")
    checks.say(f"{count[0]} reads")


def moves(checks, scene):
    """Renamed files and folders, swaps, copies, and removals."""
    for name in ("from", "over", "onto", "swap 1", "swap 2", "origin", "removed", "folder/x", "folder/y"):
        scene.write(name + ".md", f"the text of {name}\n")
    checks.check(scene.until(lambda: all(scene.text(name) for name in ("from", "folder/y", "removed"))), "the files are notes")
    ids = {head["name"]: head["id"] for head in scene.heads()}
    for old, new in (("from.md", "to.md"), ("over.md", "onto.md"), ("folder", "moved")):
        os.rename(scene.path(old), scene.path(new))
    for old, new in (("swap 1", "swap"), ("swap 2", "swap 1"), ("swap", "swap 2")):
        os.rename(scene.path(old + ".md"), scene.path(new + ".md"))
    scene.write("copy.md", scene.read("origin.md"))
    os.unlink(scene.path("removed.md"))
    expected = {"to": "from", "onto": "over", "swap 1": "swap 2", "swap 2": "swap 1", "origin": "origin", "copy": "origin",
                "moved/x": "folder/x", "moved/y": "folder/y", "removed": None, "from": None, "over": None, "folder/x": None}

    def texts():
        return {name: scene.text(name) for name in expected}

    right = {name: text and f"the text of {text}\n" for name, text in expected.items()}
    checks.check(scene.until(lambda: texts() == right, GONE_S + PATIENCE_S), "moved, copied and removed files", texts(), scene.mirror.said()[-500:])
    now = {head["name"]: head["id"] for head in scene.heads()}
    for old, new in (("from", "to"), ("folder/x", "moved/x"), ("origin", "origin")):
        checks.equal(now.get(new), ids.get(old), f"{new} is the note {old}")


def odd_files(checks, scene):
    """Files that cannot be notes stay as they are and are reported."""
    odd = {"zero.md": b"a\0b\n", "latin.md": b"caf\xe9\n", "large.md": b"x" * (5 << 20), "two.txt": b"1\n", "two.txt.md": b"2\n"}
    for name, text in odd.items():
        scene.write(name, text)
    os.symlink("/etc/passwd", scene.path("link.md"))
    os.mkfifo(scene.path("pipe.md"))
    for name in ("zero.md", "latin.md", "large.md"):
        checks.check(scene.until(lambda name=name: f"skipped {name}" in scene.mirror.said()), f"{name} is reported")
    for name, text in odd.items():
        with open(scene.path(name), "rb") as file:
            checks.equal(file.read() == text, True, f"{name} stays as it is")
    checks.equal(scene.text("link"), None, "a link is not followed")
    for name in [*odd, "link.md", "pipe.md"]:
        os.unlink(scene.path(name))


def odd_texts(checks, scene):
    """Any text comes out as it went in."""
    for name, text in (("crlf", "one\r\ntwo\r\n"), ("no end", "one\ntwo"), ("bom", "\ufeffone\n"), ("empty", "")):
        scene.write(f"{name}.md", text)
        scene.make(f"{name} too", text)
        checks.check(scene.until(lambda name=name, text=text: scene.text(name) == text), f"{name} becomes a note, byte for byte")
        checks.check(scene.until(lambda name=name, text=text: scene.read(f"{name} too.md") == text),
                     f"{name} becomes a file")


def log_file(checks, scene):
    """A program keeps a file open, as a log."""
    with open(scene.path("log.md"), "a", encoding="utf-8") as log:
        log.write("a line of the log\n")
        log.flush()
        checks.check(scene.until(lambda: scene.text("log") == "a line of the log\n"), "a log is saved while it is open")


def emptied(checks, scene):
    scene.write("emptied.md", "a text\n")
    checks.check(scene.until(lambda: scene.text("emptied")), "emptied is a note")
    scene.write("emptied.md", "")
    checks.check(scene.until(lambda: scene.text("emptied") == ""), "an emptied file empties its note")


def cut_short(checks, scene):
    """A writer is killed in the middle of a save; the half is what there is, and the history has the whole."""
    scene.write("cut.md", "one\ntwo\nthree\n")
    checks.check(scene.until(lambda: scene.text("cut")), "cut is a note")
    note = scene.note("cut")["id"]
    subprocess.run(("sh", "-c", 'printf "one\\nt" > "$1"; kill -9 $$', "sh", scene.path("cut.md")), timeout=PATIENCE_S, check=False)
    checks.check(scene.until(lambda: scene.text("cut") == "one\nt"), "the half is saved", scene.text("cut"))
    checks.check("one\ntwo\nthree\n" in scene.revisions(note), "the history has the whole")


def held_open(checks, scene):
    """A program has a file open for reading, and another one has it mapped."""
    scene.make("held", "the first line\n")
    checks.check(scene.until(lambda: scene.read("held.md")), "held is a file")
    with open(scene.path("held.md"), "rb") as file, mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ) as memory:
        scene.insert("held", "a client wrote this")
        checks.check(scene.until(lambda: "a client wrote this" in scene.read("held.md")), "a change comes into an open file")
        checks.equal(memory[:], b"the first line\n", "the reader keeps the text that it opened")


def read_only(checks, scene):
    """A file without write permission gets changes and keeps its mode."""
    scene.make("read-only", "the first line\n")
    checks.check(scene.until(lambda: scene.read("read-only.md")), "read-only is a file")
    os.chmod(scene.path("read-only.md"), 0o444)
    scene.insert("read-only", "a client wrote this")
    checks.check(scene.until(lambda: "a client wrote this" in scene.read("read-only.md")), "a read-only file gets the change")
    checks.equal(os.stat(scene.path("read-only.md")).st_mode & 0o777, 0o444, "and keeps its mode")


def hard_links(checks, scene):
    """A second name of a file is a second note with the same text, and neither loses a change."""
    scene.write("linked.md", "the first line\n")
    checks.check(scene.until(lambda: scene.text("linked")), "linked is a note")
    os.link(scene.path("linked.md"), scene.path("link too.md"))
    checks.check(scene.until(lambda: scene.text("link too") == "the first line\n"), "the second name is a note")
    scene.insert("linked", "a client wrote this")
    checks.check(scene.until(lambda: "a client wrote this" in scene.read("linked.md")), "a change comes into the first name")
    checks.equal(scene.text("link too"), "the first line\n", "the second note keeps its text")


def normal_forms(checks, scene):
    """One name in two normal forms of Unicode is two notes, and two files."""
    names = ["caf\u00e9", "cafe\u0301"]
    for number, name in enumerate(names):
        scene.write(f"{name}.md", f"the text of form {number}\n")
    for number, name in enumerate(names):
        checks.check(scene.until(lambda number=number, name=name: scene.text(name) == f"the text of form {number}\n"),
                     f"form {number} is a note of its own")


def everyday(checks, seed, folder):
    scene = Scene(folder)
    scene.mirror.start()
    checks.check(scene.until(lambda: "in step" in scene.mirror.said()), "an empty folder and no notes are in step")
    threads = [threading.Thread(target=case, args=(checks, scene))
               for case in (lines, auto_saver, readers, moves, odd_files, odd_texts, log_file, emptied, cut_short, held_open,
                             read_only, hard_links, normal_forms)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    checks.check(scene.is_in_step(), "both sides are equal in the end", scene.differences(), scene.mirror.said()[-500:])
    scene.close()


def git(checks, seed, folder):
    """git changes, removes and restores many files at once."""
    scene = Scene(folder)
    for number in range(120):
        scene.write(f"{number}.md", f"the text of {number}\n")
    git_in(scene.place, "init", "-q", "-b", "one")
    scene.mirror.start()
    checks.check(scene.is_in_step(), "the files become notes")
    git_in(scene.place, "add", ".")
    git_in(scene.place, "commit", "-qm", "one")
    git_in(scene.place, "checkout", "-qb", "two")
    for number in range(40):
        scene.write(f"{number}.md", f"the other text of {number}\n")
    for number in range(40, 50):
        os.unlink(scene.path(f"{number}.md"))
    git_in(scene.place, "commit", "-qam", "two")
    for branch in ("one", "two", "one"):
        git_in(scene.place, "checkout", "-q", branch)
        checks.check(scene.until(lambda branch=branch: scene.text("7") == scene.read("7.md")), f"{branch} is in the notes")
    checks.check(scene.is_in_step(), "the folder of the first branch", scene.differences())
    scene.write("1.md", "a stashed line\n")
    checks.check(scene.until(lambda: scene.text("1") == "a stashed line\n"), "a change before the stash")
    git_in(scene.place, "stash")
    checks.check(scene.until(lambda: scene.text("1") == "the text of 1\n"), "a stash takes the change back", scene.text("1"))
    git_in(scene.place, "stash", "pop")
    checks.check(scene.until(lambda: scene.text("1") == "a stashed line\n"), "and pop brings it again", scene.text("1"))
    checks.check(scene.is_in_step(), "both sides are equal after git", scene.differences())
    checks.equal(len(scene.heads()), 120, "no note is deleted or made")
    scene.close()


def two_folders(checks, seed, folder):
    """Two mirrors of one daemon come to rest, and one folder has one mirror."""
    scene = Scene(folder)
    other = scene.another(os.path.join(folder, "other"))
    scene.write("a.md", "the first line\n")
    scene.mirror.start()
    other.start()
    checks.check(scene.is_in_step() and scene.is_in_step(other.place), "both folders have the note")
    for number in range(12):
        place = (scene.place, other.place)[number % 2]
        text = scene.read("a.md", place)
        with open(os.path.join(place, "a.md"), "wb", buffering=0) as file:
            file.write(f"folder {number % 2} wrote line {number}\n{text}".encode())
        time.sleep(0.1)
    checks.check(scene.is_in_step() and scene.is_in_step(other.place), "both folders are equal in the end")
    found = set(scene.text("a").splitlines())
    checks.equal({f"folder {number % 2} wrote line {number}" for number in range(12)} - found, set(), "every line is there")
    count = len(scene.revisions(scene.note("a")["id"]))
    time.sleep(2)
    checks.equal(len(scene.revisions(scene.note("a")["id"])), count, "no mirror writes what the other one put in")
    checks.equal(scene.mirror.once()[0], 75, "a second mirror of a folder ends")
    checks.equal(scene.another(os.path.join(other.place, "inner")).once()[0], 75, "a mirror in a mirror ends")
    other.kill()
    scene.close()


def editor_and_sed(checks, seed, folder, count=400):
    """Neovim with its plugin and `sed -i` in the folder change one note at the same time."""
    if not is_installed("neovim"):
        checks.say("skipped Neovim and sed: needs Neovim")
        return
    scene = Scene(folder)
    first = [f"the first line {number} of both" for number in range(5)]
    scene.write("both.md", "".join(line + "\n" for line in first))
    scene.mirror.start()
    checks.check(scene.is_in_step(), "the file becomes a note", scene.mirror.said())
    editor = KINDS["neovim"]("typist", folder, scene.daemon.socket)
    editor.open("both")
    # A text may change between a look and the typing, so each change has a character of its own.
    typed, streamed = ([chr(start + number) for number in range(count)] for start in (0x4E00, 0x6000))

    def stream():
        chance = random.Random(seed)
        for letter in streamed:
            words = ("sed", "-i", f"{chance.randint(1, len(first))}a sed wrote {letter} here", scene.path("both.md"))
            subprocess.run(words, timeout=PATIENCE_S, check=True)

    thread = threading.Thread(target=stream)
    thread.start()
    chance = random.Random(-seed)
    for letter in typed:
        editor.do("insert", at=chance.randint(0, len(editor.text().encode())), text=f" {letter} ")
    thread.join()
    editor.settled()
    checks.check(scene.is_in_step(), "both sides are equal", scene.differences(), scene.mirror.said()[-500:])
    shown = scene.text("both")
    editor.wait(lambda state: state["text"] == shown, "the daemon's text")
    found = [letter for letter in shown if letter >= chr(0x4E00)]
    checks.equal(sorted(set(typed + streamed) - set(found)), [], "no word is lost")
    again = len(found) - len(set(found))
    revisions = len(scene.ask("note.history", id=scene.note("both")["id"], limit=1000)["revisions"])
    checks.check(revisions <= 2 * count + 1, "there are at most as many revisions as changes", revisions)
    checks.say(f"{2 * count} changes, {revisions} revisions, {again} words twice")
    editor.quit()
    scene.close()


def may_only_read(checks, seed, folder):
    """A user who may not write: the notes reach the files, and what the user changed waits."""
    if os.geteuid() != 0 or not shutil.which("setpriv") or not is_open_to_all(program("notesctl")):
        checks.say("skipped a user who may only read: needs root, setpriv, and programs that all users may run")
        return
    os.chmod(folder, 0o755)
    config = os.path.join(folder, "notesd.toml")

    def allow(kind):
        with open(config, "w", encoding="utf-8") as file:
            file.write(f'[access]\n{kind} = ["{NOBODY}"]\n')

    allow("read")
    scene = Scene(folder, options=["--config", config])
    for place in (scene.place, os.path.join(folder, "state")):
        os.makedirs(place, exist_ok=True)
        os.chown(place, NOBODY, NOBODY)
    scene.mirror.words = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *scene.mirror.words]
    os.chmod(scene.daemon.folder, 0o755)
    os.chmod(scene.daemon.socket, 0o666)
    scene.make("a", "the first line\n")
    scene.make("removed", "a text\n")
    scene.mirror.start()
    checks.check(scene.until(lambda: scene.read("a.md") and scene.read("removed.md")), "the notes reach the folder", scene.mirror.said())
    scene.write("mine.md", "a file of the user\n")
    checks.check(scene.until(lambda: "skipped mine.md" in scene.mirror.said()), "the refused file is reported", scene.mirror.said())
    scene.insert("a", "a client wrote this")
    checks.check(scene.until(lambda: "a client wrote this" in scene.read("a.md")), "notes still reach the folder", scene.mirror.said())
    os.unlink(scene.path("removed.md"))
    checks.check(scene.until(lambda: "skipped removed.md" in scene.mirror.said()), "the refused removal is reported", scene.mirror.said())
    allow("write")
    scene.daemon.process.send_signal(signal.SIGHUP)
    checks.check(scene.until(lambda: scene.text("mine") == "a file of the user\n"), "the file is saved once it may be", scene.mirror.said())
    checks.check(scene.until(lambda: scene.note("removed") is None), "the note is deleted once it may be", scene.mirror.said())
    checks.check(scene.is_in_step(), "both sides are equal in the end", scene.differences())
    scene.close()


ALL = [("may only read", may_only_read), ("everyday", everyday), ("git", git), ("two folders", two_folders),
       ("editor and sed", editor_and_sed)]
