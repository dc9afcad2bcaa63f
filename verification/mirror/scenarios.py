#!/usr/bin/env python3
"""Folder scenarios: two folders on two daemons that a replicator keeps in step, while programs rename, remove and
replace texts and files.

    verification/mirror/scenarios.py [--seed N] [--only NUMBERS] [--rounds 1000] [--entries 10000] [--seconds 60]
                                     [--keep]

--only takes numbers such as 3,12. An oracle knows every content that a program wrote and never removed: it must be in a
folder, or in the history of a note.
"""

import argparse
import os
import random
import shutil
import tempfile
import threading
import time

import extremes
import moves
from pair import PATIENCE_S, Pair, digest, until
from checks import Checks


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
    # Only the whole file counts.
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


ALL = moves.ALL | extremes.ALL | {3: replaced_at_once, 6: one_more_each_round, 7: names, 8: normal_forms, 9: in_pieces, 11: in_turns,
                                  12: made_on_both}


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
