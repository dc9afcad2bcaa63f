#!/usr/bin/env python3
"""Folder scenarios: two folders on two daemons that a replicator keeps in step, while programs rename, remove and
replace texts and files.

    verification/mirror/scenarios.py [--seed N] [--only NUMBERS] [--rounds 1000] [--entries 10000] [--seconds 60]

--only takes numbers such as 3,12. An oracle knows every content that a program wrote and never removed: it must be in a
folder, or in the history of a note.
"""

import argparse
import os
import random
import shutil
import sys
import tempfile
import threading
import time

import extremes
from pair import PATIENCE_S, Pair, digest, until
from checks import Checks

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
    old = {folder: [pair.content("x.md" if number % 2 else "x.png") for number in range(count)] for folder, count in (("few", 8), ("many", 60))}
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


def replaced_at_once(checks, pair, options):
    """3. A picture and a large text are replaced on A and B at the same moment, many times."""
    names = ("photo.png", "long.md")
    def large(name):
        return pair.content(name, 4000) if name.endswith(".md") else pair.know(name, pair.chance.randbytes(2_000_000))

    for name in names:
        pair.a.write(name, large(name))
    pair.start()
    pair.in_step()
    over, mixed = threading.Event(), []

    def reader():
        while not over.is_set():
            for side in pair.sides:
                content = side.read("photo.png")
                if content is not None and digest(content) not in pair.wrote and digest(content) not in replaced:
                    mixed.append(digest(content))
            over.wait(0.02)

    replaced = set()
    thread = threading.Thread(target=reader)
    thread.start()
    for number in range(6):
        new = [{name: large(name) for name in names} for _ in pair.sides]
        barrier = threading.Barrier(2)

        def replace(side, mine):
            barrier.wait()
            for name in names:
                side.replace(name, mine[name])

        writers = [threading.Thread(target=replace, args=pair_) for pair_ in zip(pair.sides, new)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()
        if number % 2:
            # What the program itself replaces before the mirror has seen it is gone.
            replaced |= {digest(content) for mine in new for content in mine.values()}
            for mine in new:
                for content in mine.values():
                    pair.forget(content)
        else:
            pair.in_step(f"in step after replacement {number}")
    pair.in_step()
    over.set()
    thread.join()
    checks.equal(mixed, [], "nobody reads a mixture of two pictures")
    pair.judge()
    names = sorted({name for side in pair.sides for name in side.files()})
    checks.say(f"files at the end: {names}")


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
    checks.check(until(lambda: b.read("thing/c.md") == a.read("thing/c.md"), 2 * PATIENCE_S), "the file becomes a folder in B", a.status(), b.status())
    pair.in_step()
    # Both at once: a path has room for one of them only.
    pair.part()
    a.write("both", pair.content("both"))
    b.write("both/e.md", pair.content("both/e.md"))
    for side, name in ((a, "both"), (b, "both/e")):
        checks.check(until(lambda side=side, name=name: name in side.ids()), "each side has its own", side.status())
    pair.carry()
    checks.check(until(lambda: all({"both", "both/e"} <= set(side.ids()) for side in pair.sides)), "both notes are on both sides")
    checks.check(until(lambda: all("both" in side.status()[1] for side in pair.sides)), "both sides name what has no room", a.status(), b.status())
    checks.equal((a.read("both") is not None, b.read("both/e.md") is not None), (True, True), "each keeps its own")
    os.rename(a.path("both"), a.path("both as a file"))
    pair.judge()


def one_more_each_round(checks, pair, options):
    """6. One file more in each of many rounds, from both sides."""
    pair.start()
    ahead, new, start = 25, [], time.monotonic()
    for number in range(options.rounds):
        side, other = pair.sides[::1 if pair.chance.random() < 0.5 else -1]
        name = f"round {number}.{('md', 'png')[number % 3 == 0]}"
        new.append((other, name, pair.content(name)))
        side.write(name, new[-1][2])
        if number >= ahead:
            there, name, content = new[number - ahead]
            checks.check(until(lambda: there.read(name) == content), "the file of an earlier round is there", name)
    pair.judge()
    checks.equal([len(side.files()) for side in pair.sides], [options.rounds] * 2, "all files are there")
    checks.say(f"{options.rounds} rounds in {time.monotonic() - start:.0f} s")


def names(checks, pair, options):
    """7. Odd names: byte for byte, or named as skipped."""
    odd = [b"quote'\"`", b"back\\slash", b"col:on", b"dots...", b"spaces  ", b"-dash", b"--only", b"100%", b"%41%2F", b"tab\there", b"new\nline",
           b"bell\x07", b"escape\x1b[31m", b"star*?[a]", b"$HOME", b"&;|<>", b"~", b"~12345678", b"CON", b"\xe2\x80\xae reversed", b"latin \xe9",
           b" leading", b"#hash", b"{a,b}", "\U0001f600".encode(), b"a" * 252, b"x" * 251, "ü".encode() * 126, b"\xef\xbb\xbfbom", b"a.b.c"]
    written = []
    pair.start()
    for number, name in enumerate(odd):
        # A text and a file without an ending of the same name would be one note.
        for ending in (b".md", b".png", b".txt"):
            if len(name + ending) <= 255:
                side = pair.sides[number % 2]
                content = pair.content(name + ending)
                side.write(name + ending, content)
                written.append((name + ending, side, pair.sides[1 - number % 2], content))
    checks.check(until(lambda: all(is_there_or_named(*one) for one in written), 2 * PATIENCE_S),
                 "each file is on the other side, or named", [one[0] for one in written if not is_there_or_named(*one)])
    skipped = [name for name, _, there, content in written if there.read(name) != content]
    for name, side, _, content in written:
        checks.equal(side.read(name), content, "the file stays as it is")
        if name in skipped:
            os.unlink(side.path(name))
            pair.forget(content)
    checks.say(f"{len(written)} names, skipped: {skipped}")
    pair.judge()


def is_there_or_named(name, side, there, content):
    if there.read(name) == content:
        return True
    # The status shows bytes that are no text as a sign, so the beginning must do.
    return f"    {name[:3].decode(errors='replace')}" in side.status()[1]


def normal_forms(checks, pair, options):
    """8. Names in composed and decomposed form, in both folders."""
    pair.start()
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    for ending in ("md", "png"):
        for side, form in ((pair.a, composed), (pair.b, decomposed)):
            side.write(f"{form}.{ending}", pair.content(f"{form}.{ending}"))
            side.write(f"{form}/in.{ending}", pair.content(f"in.{ending}"))
    checks.check(until(lambda: len(pair.b.files()) == 8), "all files are in B", pair.b.files())
    pair.judge()
    checks.equal(sorted(pair.a.files()), sorted(os.fsencode(f"{form}{rest}.{ending}") for form in (composed, decomposed)
                                                for rest in ("", "/in") for ending in ("md", "png")), "each form has its own file")


def in_pieces(checks, pair, options):
    """9. Programs write files in pieces."""
    a, b = pair.sides
    pair.start()
    names, wholes, mixed = ("open.md", "appended.md", "open.png"), {}, []
    for name in names:
        wholes[name] = b"".join(pair.content(name) for _ in range(40))
        for line in range(40):
            pair.wrote.clear()
    over = threading.Event()

    def reader():
        sizes = dict.fromkeys(names, 0)
        while not over.is_set():
            for name in names:
                for side in pair.sides:
                    content = side.read(name)
                    if content and not wholes[name].startswith(content):
                        mixed.append((name, side.place, len(content)))
                    if side is a and content is not None:
                        if len(content) < sizes[name]:
                            mixed.append((name, "an older text came back"))
                        sizes[name] = len(content)
            over.wait(0.02)

    thread = threading.Thread(target=reader)
    thread.start()
    opened = {name: open(a.path(name), "wb", buffering=0) for name in names if name.startswith("open")}
    at = dict.fromkeys(names, 0)
    for piece in range(40):
        for name in names:
            end = len(wholes[name]) * (piece + 1) // 40
            part, at[name] = wholes[name][at[name]:end], end
            if name in opened:
                opened[name].write(part)
            else:
                with open(a.path(name), "ab", buffering=0) as file:
                    file.write(part)
        time.sleep(options.seconds / 40)
    for file in opened.values():
        file.close()
    for name in names:
        pair.know(name, wholes[name])
        checks.check(until(lambda name=name: b.read(name) == wholes[name]), f"{name} is whole in B", len(b.read(name) or b""))
    over.set()
    thread.join()
    checks.equal(mixed[:3], [], "no older text is put over what a program wrote")
    pair.judge()
    revisions = {name: len(b.ask("note.history", id=note, limit=1000)["revisions"]) for name, note in b.ids().items()}
    checks.say(f"40 pieces in {options.seconds} s: revisions {revisions}")


def in_turns(checks, pair, options):
    """11. Two programs append to a file in turn, each as soon as it sees the other's line."""
    pair.a.write("turns.md", pair.content("turns.md"))
    pair.start()
    pair.in_step()
    lines, start = pair.a.read("turns.md"), time.monotonic()
    for number in range(30):
        side, other = pair.sides[::1 if number % 2 else -1]
        line = pair.content("turns.md")
        lines += line
        with open(side.path("turns.md"), "ab", buffering=0) as file:
            file.write(line)
        if not checks.check(until(lambda: line in other.read("turns.md")), "the line comes to the other side", number):
            break
    checks.say(f"30 turns in {time.monotonic() - start:.1f} s")
    pair.judge()
    for side in pair.sides:
        checks.equal(side.read("turns.md"), lines, "all lines are there in order")


def made_on_both(checks, pair, options):
    """12. A file is made on both sides, with the same content and with different ones."""
    pair.start()
    pair.in_step()
    pair.part()
    same = {name: pair.content(name) for name in ("same.md", "same.png")}
    for side in pair.sides:
        for name, content in same.items():
            side.write(name, content)
        for name in ("other.md", "other.png"):
            side.write(name, pair.content(name))
    checks.check(until(lambda: all(len(side.ids()) == 4 for side in pair.sides)), "the files become notes", pair.a.ids())
    pair.carry()
    pair.judge()
    for side in pair.sides:
        checks.say(f"{sorted(side.files())}")
        same_notes = [head["name"] for head in side.heads() if head["name"].startswith("same")]
        checks.equal(sorted(same_notes), ["same", "same.png"], "equal files are one note each")


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


ALL = {1: renamed_while_filling, 2: removed_while_filled, 3: replaced_at_once, 4: renamed_and_made_again, 5: folder_becomes_file,
       6: one_more_each_round, 7: names, 8: normal_forms, 9: in_pieces, 11: in_turns, 12: made_on_both, 13: removed_and_changed} | extremes.ALL


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--only", default="", help="numbers of scenarios, with commas between them")
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--keep", action="store_true", help="keep the folders")
    options = parser.parse_args()
    checks = Checks("scenarios", options.seed)
    chosen = [int(number) for number in options.only.split(",") if number] or sorted(ALL)
    for number in chosen:
        folder = tempfile.mkdtemp(prefix="scene-")
        start, failed = time.monotonic(), checks.failed
        try:
            with Pair(checks, folder, options.seed + number) as pair:
                ALL[number](checks, pair, options)
        finally:
            if not options.keep:
                shutil.rmtree(folder, ignore_errors=True)
        result = "passed" if checks.failed == failed else "FAILED"
        checks.say(f"{ALL[number].__doc__} {result} in {time.monotonic() - start:.1f} s" + (f", in {folder}" if options.keep else ""))
    checks.finish()


if __name__ == "__main__":
    main()
