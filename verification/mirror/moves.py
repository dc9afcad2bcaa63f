"""Scenarios in which folders and files are renamed and removed."""

import os
import shutil
import threading
import time

from pair import PATIENCE_S, digest, until

# So few files may be removed beside so many others that no mirror asks: a twentieth.
OTHERS = 100


def others(pair, side, count=OTHERS):
    """Files that nobody changes."""
    for number in range(count):
        side.write(f"others/{number}.md", pair.content("other.md"))


def renamed_while_filling(checks, pair, options):
    """1. A folder is renamed in A while another program adds files to it."""
    a, b = pair.sides
    kept = {name: pair.content(name) for number in range(5) for name in (f"{number}.md", f"{number}.png")}
    for name, content in kept.items():
        a.write(f"work/{name}", content)
    pair.start()
    pair.in_step()
    before = a.ids()
    folder = os.open(a.path("work"), os.O_PATH | os.O_DIRECTORY)
    for number in range(60):
        if number == 25:
            os.rename(a.path("work"), a.path("renamed"))
        name = f"added {number}.{('md', 'png')[number % 2]}"
        kept[name] = pair.content(name)
        with open(os.open(name, os.O_WRONLY | os.O_CREAT, dir_fd=folder), "wb") as file:
            file.write(kept[name])
        time.sleep(pair.chance.random() * 0.04)
    os.close(folder)
    pair.judge()
    expected = {b"renamed/" + name.encode(): digest(content) for name, content in kept.items()}
    for side in pair.sides:
        checks.equal(side.files(), expected, "each file is below the new name, once")
    now = b.ids()
    moved = [name for name in before if now.get(name.replace("work/", "renamed/")) != before[name]]
    checks.equal(moved, [], "the renamed files keep their notes")


def removed_while_filled(checks, pair, options):
    """2. A folder is removed in A while files are added to it in B."""
    a, b = pair.sides
    others(pair, a, 400)
    old = {folder: [pair.content("x.md" if number % 2 else "x.png") for number in range(count)]
           for folder, count in (("few", 8), ("many", 60))}
    for folder, contents in old.items():
        for number, content in enumerate(contents):
            a.write(f"{folder}/old {number}.{'md' if number % 2 else 'png'}", content)
    pair.start()
    pair.in_step()
    remover = threading.Thread(target=lambda: [shutil.rmtree(a.path(folder)) for folder in old])
    remover.start()
    added = {}
    for number in range(20):
        for folder in old:
            name = f"{folder}/added {number}.{('md', 'png')[number % 2]}"
            added[name] = pair.content(name)
            b.write(name, added[name])
    remover.join()
    checks.check(until(lambda: all(a.read(name) == added[name] for name in added)), "the added files come to A")
    # Those of the large folder wait for a person.
    checks.check(until(lambda: "approve" in a.status()[1]), "the removal of many files is held", a.status())
    checks.equal(sum(f"many/old {number}.".encode() in b"\n".join(b.files()) for number in range(60)), 60, "B keeps what is held")
    pair.approve()
    pair.in_step()
    for content in sum(old.values(), []):
        pair.forget(content)
    pair.judge()
    for side in pair.sides:
        rest = {path: hash_ for path, hash_ in side.files().items() if not path.startswith(b"others/")}
        checks.equal(rest, {name.encode(): digest(content) for name, content in added.items()}, "the added files stay, the removed ones go")


def renamed_and_made_again(checks, pair, options):
    """4. A folder is renamed, and an empty one of the old name is made, while no mirror runs; then files move back."""
    a, b = pair.sides
    for number in range(10):
        name = f"work/{number}.{('md', 'png')[number % 2]}"
        a.write(name, pair.content(name))
    pair.start()
    pair.in_step()
    before = a.ids()
    a.stop()
    os.rename(a.path("work"), a.path("old work"))
    os.mkdir(a.path("work"))
    a.mirror.start()
    pair.in_step()
    checks.equal({name.replace("old work", "work"): note for name, note in b.ids().items()}, before, "the notes are the same ones")
    a.stop()
    for number in range(0, 10, 3):
        name = f"{number}.{('md', 'png')[number % 2]}"
        os.rename(a.path(f"old work/{name}"), a.path(f"work/{name}"))
    os.rename(a.path("old work"), a.path("older work"))
    a.mirror.start()
    pair.judge()
    now = {name.replace("older work", "work"): note for name, note in b.ids().items()}
    checks.equal(now, before, "the notes are the same ones after some moved back")
    checks.equal(b.heads(deleted=True), [], "no note is deleted")


def folder_becomes_file(checks, pair, options):
    """5. A folder becomes a file of its name, and back; then each side makes one of them."""
    a, b = pair.sides
    others(pair, a)
    for name in ("thing/a.md", "thing/b.png"):
        a.write(name, pair.content(name))
    pair.start()
    pair.in_step()
    shutil.rmtree(a.path("thing"))
    a.write("thing", pair.content("thing"))
    checks.check(until(lambda: b.read("thing") == a.read("thing"), 2 * PATIENCE_S), "the folder becomes a file in B", b.status())
    pair.in_step()
    os.unlink(a.path("thing"))
    for name in ("thing/c.md", "thing/d.png"):
        a.write(name, pair.content(name))
    checks.check(until(lambda: b.read("thing/c.md") == a.read("thing/c.md"), 2 * PATIENCE_S),
                 "the file becomes a folder in B", a.status(), b.status())
    pair.in_step()
    # Both at once: a path has room for one of them only.
    pair.part()
    a.write("both", pair.content("both"))
    b.write("both/e.md", pair.content("both/e.md"))
    for side, name in ((a, "both"), (b, "both/e")):
        checks.check(until(lambda side=side, name=name: name in side.ids()), "each side has its own", side.status())
    pair.carry()
    checks.check(until(lambda: all({"both", "both/e"} <= set(side.ids()) for side in pair.sides)), "both notes are on both sides")
    checks.check(until(lambda: all("both" in side.status()[1] for side in pair.sides)),
                 "both sides name what has no room", a.status(), b.status())
    checks.equal((a.read("both") is not None, b.read("both/e.md") is not None), (True, True), "each keeps its own")
    os.rename(a.path("both"), a.path("both as a file"))
    pair.judge()


def removed_and_changed(checks, pair, options):
    """13. A file is removed in A and changed in B before they meet."""
    a, b = pair.sides
    others(pair, a)
    for name in ("gone.md", "gone.png"):
        a.write(name, pair.content(name))
    pair.start()
    pair.in_step()
    pair.part()
    changed = {}
    for name in ("gone.md", "gone.png"):
        os.unlink(a.path(name))
        changed[name] = (b.read(name) if name.endswith(".md") else b"") + pair.content(name)
        b.write(name, changed[name])
    checks.check(until(lambda: not {"gone", "gone.png"} & set(a.ids())), "the notes are deleted in A", a.status())
    checks.check(until(lambda: [side_has(b, name, changed[name]) for name in changed] == [True] * 2), "the changes are in the notes of B")
    pair.carry()
    pair.judge()
    for side in pair.sides:
        for name, content in changed.items():
            checks.equal(side.read(name), content, "the change stays on both sides")
    history = a.machine.notesctl("history", "gone").stdout
    checks.check("delet" in history, "the history says that it was removed", history)


def side_has(side, name, content):
    return digest(content) in side.notes().get(os.fsencode(name), [])


ALL = {1: renamed_while_filling, 2: removed_while_filled, 4: renamed_and_made_again, 5: folder_becomes_file, 13: removed_and_changed}
