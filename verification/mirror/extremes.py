"""Scenarios with storms of changes, large folders, full disks, wrong clocks and other things than files."""

import os
import random
import shutil
import socket
import stat
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "crashes", folder) for folder in ("lib", "calls")]

import shims  # noqa: E402
from control import Control, preloaded  # noqa: E402
from faults import SmallDisk  # noqa: E402
from pair import PATIENCE_S, digest, is_missing, until  # noqa: E402


def storm(checks, pair, options):
    """10. A thousand small files are written, renamed and removed in a storm on both sides."""
    pair.start()
    survivors, lock, start = {}, threading.Lock(), time.monotonic()

    def work(side, letter, seed):
        chance, mine = random.Random(seed), {}
        for number in range(500):
            name = f"{chance.choice(['', 'x/', 'x/y/', 'z/'])}{letter}{number}.{chance.choice(['md', 'png'])}"
            with lock:
                content = pair.content(name)
            chance.choice([side.write, side.replace])(name, content)
            mine[name] = content
            if chance.random() < 0.4:
                old = chance.choice(sorted(mine))
                new = os.path.join(chance.choice(["", "x", "z"]), f"{letter}{number} renamed{old[-4:] if old.endswith('png') else '.md'}")
                os.makedirs(os.path.dirname(side.path(new)), exist_ok=True)
                try:
                    os.rename(side.path(old), side.path(new))
                    mine[new] = mine.pop(old)
                except FileNotFoundError:
                    # The mirror writes the file of this path at the moment.
                    pass
            if chance.random() < 0.3:
                old = chance.choice(sorted(mine))
                os.unlink(side.path(old))
                with lock:
                    pair.forget(mine.pop(old))
            time.sleep(chance.random() * 0.01)
        survivors.update(mine)

    threads = [threading.Thread(target=work, args=(side, letter, pair.chance.random())) for side, letter in zip(pair.sides, "ab")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    done = time.monotonic()
    checks.check(pair.approve(), "both sides come in step", pair.difference(), *[side.status()[1][-500:] for side in pair.sides])
    pair.judge()
    for side in pair.sides:
        files = side.files()
        lost = [name for name, content in survivors.items() if files.get(name.encode()) != digest(content)]
        checks.equal(lost, [], "each file that was not removed is there")
        back = sorted(path for path in files if path.decode() not in survivors)
        checks.equal(back[:5], [], f"no other one is there, of {len(back)}")
    checks.say(f"the storm took {done - start:.1f} s, in step {time.monotonic() - done:.1f} s later, {len(survivors)} survivors")


def deep_and_wide(checks, pair, options):
    """14. A tree of depth 60, and a folder with many entries."""
    for depth in range(1, 61):
        path = "/".join(f"d{level}" for level in range(depth))
        for name in ("n.md", "p.png"):
            pair.a.write(f"{path}/{name}", pair.content(name))
    start = time.monotonic()
    pair.start()
    pair.in_step()
    checks.say(f"a tree of depth 60: {time.monotonic() - start:.1f} s")
    deep = "/".join(f"d{level}" for level in range(60))
    pair.b.write(f"{deep}/more.md", pair.content("more.md"))
    os.rename(pair.b.path("d0"), pair.b.path("renamed"))
    pair.in_step()
    checks.check(pair.a.read("renamed" + deep[2:] + "/more.md"), "the tree is renamed")
    start = time.monotonic()
    for number in range(options.entries):
        pair.a.write(f"wide/{number}.{'png' if number % 10 == 0 else 'md'}", pair.content("n.md" if number % 10 else "n.png"))
    written = time.monotonic()
    last = f"wide/{options.entries - 1}.md"
    checks.check(until(lambda: len(os.listdir(pair.b.path("wide"))) == options.entries, 20 * PATIENCE_S), "all entries come to B")
    checks.say(f"{options.entries} entries: written in {written - start:.1f} s, in B {time.monotonic() - written:.1f} s later")
    begun = time.monotonic()
    with open(pair.a.path(last), "ab") as file:
        file.write(b"one line more\n")
    checks.check(until(lambda: b"one line more" in pair.b.read(last)), "a change in the large folder comes to B")
    checks.say(f"one change among them: {time.monotonic() - begun:.2f} s")
    pair.wrote.clear()
    pair.judge()


def full_disk(checks, pair, options):
    """15. The disk of B is full, and then has room."""
    if os.geteuid() != 0:
        checks.say("skipped: needs root")
        return
    a, b = pair.sides
    with SmallDisk(b.place, "4m") as disk:
        for name in ("text.md", "photo.png"):
            a.write(name, pair.content(name, 5))
        pair.start()
        pair.in_step()
        ballast = disk.fill()
        new = {"text.md": a.read("text.md") + pair.content("text.md", 2000), "photo.png": pair.know("photo.png", os.urandom(300_000)),
               "new.md": pair.content("new.md", 2000), "new.png": pair.know("new.png", os.urandom(300_000))}
        for name, content in new.items():
            a.write(name, content)
        old = {name: b.read(name) for name in new}
        checks.check(until(lambda: all(name in b.status()[1] for name in new)), "B names what waits", b.status())
        checks.equal({name: b.read(name) for name in new}, old, "the files of B are whole")
        # A program changes a text and a picture in place meanwhile.
        with open(b.path("text.md"), "r+b", buffering=0) as file:
            file.write(b"CONTENT")
        checks.check(until(lambda: a.read("text.md").startswith(b"CONTENT")),
                     "what a program saves in B comes to A", b.status(), a.read("text.md")[:300])
        os.unlink(ballast)
        begun = time.monotonic()
        pair.in_step()
        checks.say(f"in step {time.monotonic() - begun:.1f} s after there was room")
        changed = b"CONTENT" + new["text.md"][7:]
        for side in pair.sides:
            checks.equal(side.read("text.md") == changed, True, "the text has both changes")
            checks.equal([name for name in new if name != "text.md" and side.read(name) != new[name]], [], "the other files are there")
        pair.judge()
        b.stop()


def wrong_clock(checks, pair, options):
    """16. The clock of B is a year ahead, and then two behind."""
    a, b = pair.sides
    daemon = b.machine.daemon
    clocks = Control(os.path.join(pair.folder, "clock"))
    environment = preloaded(clocks, shims.build("failing", pair.folder))
    daemon.environment = environment
    b.mirror.environment.update(environment)
    daemon.restart()
    for number in range(60):
        a.write(f"other {number}.md", pair.content("other.md"))
    # The clock jumps while the programs run, and the times of files are those of the former clock.
    pair.start()
    for number, years in enumerate((1, -1)):
        clocks.clock_shifted(years * 365 * 86_400)
        names = {f"{letter}{number}.{ending}": side for side, letter in zip(pair.sides, "ab") for ending in ("md", "png")}
        for name, side in names.items():
            side.write(name, pair.content(name))
        pair.in_step(f"in step with a clock that is wrong by {years} years")
        for name, side in names.items():
            other = b if side is a else a
            other.write(name, (other.read(name) if name.endswith("md") else b"") + pair.content(name))
        pair.in_step(f"changes of the other side arrive with a clock that is wrong by {years} years")
        contents = {name: a.read(name) for name in names}
        for name, side in names.items():
            if name.endswith("md"):
                os.rename(side.path(name), side.path(f"renamed {name}"))
            else:
                os.unlink(side.path(name))
        checks.check(until(lambda: not any(side.read(name) for side in pair.sides for name in names)), "removals arrive", b.status())
        pair.in_step()
        for name in names:
            if name.endswith("md"):
                checks.equal([side.read(f"renamed {name}") for side in pair.sides], [contents[name]] * 2, "a renamed file has its text")
    checks.check(clocks.clock_reads() > 0, "the programs read the wrong clock")
    pair.judge()


def old_copy(checks, pair, options):
    """17. A's folder is put back from an old copy while its mirror is away."""
    a, b = pair.sides
    for number in range(60):
        name = f"{number}.{('md', 'png')[number % 4 == 0]}"
        a.write(name, pair.content(name))
    pair.start()
    pair.in_step()
    copy = os.path.join(pair.folder, "copy")
    shutil.copytree(a.place, copy)
    newer = {}
    for number in range(30):
        name = f"{number}.{('md', 'png')[number % 4 == 0]}"
        newer[name] = (b.read(name) if name.endswith(".md") else b"") + pair.content(name)
        b.write(name, newer[name])
    made = {name: pair.content(name) for number in range(30) for name in (f"made {number}.md", f"made {number}.png")}
    for name, content in made.items():
        b.write(name, content)
    pair.in_step()
    ids = b.ids()
    a.stop()
    for name in os.listdir(a.place):
        os.unlink(os.path.join(a.place, name))
    for name in os.listdir(copy):
        shutil.copy2(os.path.join(copy, name), os.path.join(a.place, name))
    a.mirror.start()
    checks.check(until(lambda: "approve" in a.status()[1]), "what A lacks is held and named", a.status())
    checks.equal({name for name in made if b.read(name) != made[name]}, set(), "B keeps what A lacks")
    checks.equal(sorted(b.ids()), sorted(ids), "no note is deleted")
    # The files come back from B.
    for name, content in made.items():
        a.write(name, content)
    pair.judge()
    now = b.ids()
    checks.equal([name for name in ids if now.get(name) != ids[name]], [], "the notes are the same ones")
    back = [name for name, content in newer.items() if b.read(name) != content]
    checks.say(f"{len(back)} of {len(newer)} newer contents are replaced by those of the copy; the histories have them")


def no_files(checks, pair, options):
    """18. Hard links, links out of the folder, pipes, sockets and devices of the names of notes."""
    a, b = pair.sides
    for number in range(40):
        a.write(f"other {number}.md", pair.content("other.md"))
    pair.start()
    pair.in_step()
    outside = os.path.join(pair.folder, "outside.md")
    with open(outside, "wb") as file:
        file.write(b"a text outside of the folder\n")
    made = {"link": lambda path: os.symlink(outside, path), "pipe": os.mkfifo, "dangling": lambda path: os.symlink("/nonexistent", path),
            "loop": lambda path: os.symlink(pair.a.place, path), "socket": _bound}
    if os.geteuid() == 0:
        made["device"] = lambda path: os.mknod(path, stat.S_IFCHR | 0o600, os.makedev(1, 3))
    modes = {}
    for kind, make in made.items():
        for ending in ("md", "png"):
            path = a.path(f"{kind}.{ending}")
            make(path)
            modes[path] = os.lstat(path).st_mode
            # A note of that name comes from B.
            b.write(f"{kind}.{ending}", pair.content(f"{kind}.{ending}"))
    os.link(a.path("other 1.md"), a.path("hard link.md"))
    os.link(outside, a.path("linked outside.md"))
    for kind in made:
        for ending in ("md", "png"):
            name = f"{kind}.{ending}"
            checks.check(until(lambda name=name: name in a.status()[1]), f"{name} is named", a.status())
    checks.equal({path: os.lstat(path).st_mode for path in modes}, modes, "they are left alone")
    checks.check(until(lambda: b.read("hard link.md") == a.read("other 1.md")), "a hard link is a note of its own")
    text = a.read("other 1.md")
    b.write("other 1.md", text + pair.content("other 1.md"))
    b.write("linked outside.md", b"a text outside of the folder\n" + pair.content("linked outside.md"))
    checks.check(until(lambda: a.read("other 1.md") == b.read("other 1.md") and a.read("linked outside.md") == b.read("linked outside.md")),
                 "changes arrive at hard links", a.status())
    checks.equal(a.read("hard link.md"), text, "the other hard link keeps its text")
    with open(outside, "rb") as file:
        checks.equal(file.read(), b"a text outside of the folder\n", "what is outside stays")
    for path in modes:
        os.unlink(path)
    pair.judge()


def _bound(path):
    """A socket with a short path, moved to the folder."""
    short = f"/tmp/scene-{os.getpid()}.sock"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(short)
    shutil.move(short, os.fsdecode(path))


def stressed(checks, pair, options):
    """19. stress-ng makes, renames, links and removes entries in A, beside files that nobody changes."""
    if is_missing(checks, "stress-ng", "stress-ng"):
        return
    a = pair.a
    kept = {name: pair.content(name) for number in range(30) for name in (f"kept {number}.md", f"kept {number}.png")}
    for name, content in kept.items():
        a.write(name, content)
    pair.start()
    pair.in_step()
    seconds = str(max(5, int(options.seconds / 4)))
    words = ["stress-ng", "--temp-path", a.place, "--filename", "1", "--filename-opts", "posix", "--rename", "1", "--link", "1",
             "--dentry", "1", "--dentries", "256", "--timeout", f"{seconds}s", "--quiet"]
    done = subprocess.run(words, capture_output=True, timeout=20 * PATIENCE_S, check=False)
    checks.check(done.returncode in (0, 3), "stress-ng runs", done.returncode, done.stderr[-500:])
    checks.say(f"it left {sorted(os.listdir(a.place))[:3]}, {len(a.files()) - len(kept)} files")
    begun = time.monotonic()
    checks.check(pair.approve(), "both sides come in step", pair.difference(), *[side.status()[1][-500:] for side in pair.sides])
    checks.say(f"in step after {time.monotonic() - begun:.1f} s")
    for side in pair.sides:
        files = side.files()
        checks.equal([name for name, content in kept.items() if files.get(name.encode()) != digest(content)], [], "the other files stay")
    pair.judge()


ALL = {10: storm, 14: deep_and_wide, 15: full_disk, 16: wrong_clock, 17: old_copy, 18: no_files, 19: stressed}
