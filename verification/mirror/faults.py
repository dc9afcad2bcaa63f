"""Disks that are full, and kills at single system calls of the mirror."""

import collections
import ctypes
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
import uuid

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "crashes", "lib")]

from filesystem import FileSystem, NotPossible, be_alone, libc  # noqa: E402
from scene import PATIENCE_S, Scene  # noqa: E402

MNT_DETACH = 2
MS_BIND = 4096
# The calls that change a file, the record or the daemon, and those that read what the mirror decides by.
CALLS = ["openat", "pread64", "pwrite64", "read", "write", "writev", "sendto", "sendmsg", "recvfrom", "recvmsg", "fsync", "fdatasync",
         "syncfs", "rename", "renameat", "renameat2", "link", "linkat", "unlink", "unlinkat", "ftruncate", "fallocate", "utimensat",
         "fchmod", "fcntl", "flock", "mkdir", "mkdirat"]


class SmallDisk:
    """A file system in memory over a folder, until the block ends."""

    def __init__(self, path, size):
        self.path, self.size = path, size

    def __enter__(self):
        be_alone()
        os.makedirs(self.path, exist_ok=True)
        if libc.mount(b"small", os.fsencode(self.path), b"tmpfs", 0, f"size={self.size},mode=700".encode()) != 0:
            raise NotPossible(f"cannot mount a file system: {os.strerror(ctypes.get_errno())}")
        return self

    def __exit__(self, *_):
        libc.umount2(os.fsencode(self.path), MNT_DETACH)

    def fill(self):
        """Fills it. Returns the file that does."""
        path = os.path.join(self.path, "ballast")
        with open(path, "wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"\0" * 4096)
            except OSError:
                pass
        return path


def _possible(checks, what):
    if os.geteuid() == 0:
        return True
    checks.say(f"skipped {what}: needs root")
    return False


def full_folder(checks, seed, folder):
    """The disk of the folder is full: files stay whole, what programs save still arrives, and the rest
    follows once there is room."""
    if not _possible(checks, "the full disk of a folder"):
        return
    scene = Scene(folder)
    with SmallDisk(scene.place, "1m") as disk:
        for name in ("a", "b"):
            scene.write(f"{name}.md", f"the first line of {name}\n")
        scene.mirror.start()
        checks.check(scene.is_in_step(), "the files become notes", scene.mirror.said())
        ballast = disk.fill()
        long = "".join(f"line {number} of a client\n" for number in range(2000))
        scene.save("a", "the first line of a\n" + long)
        scene.make("c", long)
        for name in ("a.md", "c.md"):
            checks.check(scene.until(lambda name=name: f"skipped {name}" in scene.mirror.said()), f"{name} is reported", scene.mirror.said())
        checks.equal(scene.read("a.md"), "the first line of a\n", "the file has its old text as a whole")
        checks.equal(scene.read("c.md"), None, "half of a new file is not there")
        with open(scene.path("b.md"), "r+b", buffering=0) as file:
            file.write(b"THE")
        checks.check(scene.until(lambda: scene.text("b") == "THE first line of b\n"), "what a program saves arrives", scene.text("b"))
        os.unlink(ballast)
        checks.check(scene.until(lambda: scene.read("c.md") == long), "the new note follows", scene.mirror.said()[-500:])
        checks.equal(scene.read("a.md"), "the first line of a\n" + long, "the changed note follows")
        checks.check(scene.is_in_step(), "both sides are equal in the end", scene.differences())
        checks.equal(scene.leftovers(), [], "no temporary file is left")
        scene.close()


def full_state(checks, seed, folder):
    """The disk of the record is full: nothing is saved that is not recorded, and nothing is lost."""
    if not _possible(checks, "the full disk of a record"):
        return
    scene = Scene(folder)
    with SmallDisk(os.path.join(folder, "state"), "4m") as disk:
        for name in ("a", "b"):
            scene.write(f"{name}.md", f"the first line of {name}\n")
        scene.mirror.start()
        checks.check(scene.is_in_step(), "the files become notes", scene.mirror.said())
        ballast = disk.fill()
        scene.write("a.md", "the first line of a\na program wrote this\n")
        scene.insert("a", "a client wrote this", 0)
        scene.insert("b", "a client wrote this")
        checks.check(scene.until(lambda: "is not in step" in scene.mirror.said()), "the full disk is reported", scene.mirror.said())
        checks.check("a program wrote this" in (scene.read("a.md") or ""), "the file keeps what the program saved")
        os.unlink(ballast)
        checks.check(scene.is_in_step(), "both sides are equal once there is room", scene.differences(), scene.mirror.said()[-500:])
        for line in ("the first line of a", "a program wrote this", "a client wrote this"):
            checks.equal(scene.text("a").splitlines().count(line), 1, f"a has the line once: {line}")
        checks.check("a client wrote this" in scene.read("b.md"), "b has the line")
        scene.close()


class Rounds:
    """Changes on both sides of one folder, and `--once` after each."""

    def __init__(self, checks, folder):
        self.checks, self.scene, self.number = checks, Scene(folder), 0
        self.lines = {name: [f"the first line of {name}"] for name in ("ours", "theirs", "both")}
        for name in self.lines:
            self.scene.write(f"{name}.md", f"the first line of {name}\n")
        code, said = self.scene.mirror.once()
        checks.equal(code, 0, "the files become notes", said)

    def change(self):
        self.number += 1
        for name in ("ours", "both"):
            line = f"a program wrote line {self.number} of {name}"
            self.lines[name].append(line)
            self.scene.write(f"{name}.md", self.scene.read(f"{name}.md") + line + "\n")
        for name in ("theirs", "both"):
            line = f"a client wrote line {self.number} of {name}"
            self.lines[name].append(line)
            self.scene.insert(name, line, 0)
        for side in ("file", "note"):
            self.lines[f"new {side}"] = [f"a new {side} {self.number}"]
        self.scene.write("new file.md", self.lines["new file"][0] + "\n")
        if self.number == 1:
            self.scene.make("new note", self.lines["new note"][0] + "\n")
        else:
            self.scene.save("new note", self.lines["new note"][0] + "\n")

    def killed(self, *options):
        """Runs the mirror under strace. Returns its exit code and the log of strace."""
        log = os.path.join(self.scene.folder, "strace")
        mirror = self.scene.mirror
        done = subprocess.run(["strace", "-f", "-qq", "-o", log, *options, mirror.words[0], "mirror", "--once", mirror.place],
                              env=mirror.environment, capture_output=True, timeout=PATIENCE_S, check=False)
        with open(log, encoding="utf-8", errors="replace") as file:
            return done.returncode, file.read()

    def judge(self, what):
        code, said = self.scene.mirror.once()
        self.checks.equal(code, 0, f"{what}: the next run succeeds", said)
        self.checks.equal(self.scene.differences(), [], f"{what}: both sides are equal")
        self.checks.equal(self.scene.leftovers(), [], f"{what}: no temporary file is left")
        for name, lines in self.lines.items():
            text = self.scene.text(name) or ""
            self.checks.equal(sorted(text.splitlines()), sorted(lines), f"{what}: {name} has each line once")


def killed_calls(checks, seed, folder, count):
    """Kills `mirror --once` at single system calls, while it writes both ways; the next run completes it."""
    if not shutil.which("strace"):
        checks.say("skipped kills at system calls: needs strace")
        return
    rounds = Rounds(checks, folder)
    rounds.change()
    code, log = rounds.killed("-e", "trace=" + ",".join(f"?{call}" for call in CALLS))
    checks.equal(code, 0, "a run that is only watched succeeds")
    rounds.judge("no kill")
    # strace counts the calls of each thread for itself.
    calls = collections.Counter(re.findall(r"^(\d+) +(\w+)\(", log, re.MULTILINE))
    most = collections.Counter()
    for (_, call), times in calls.items():
        most[call] = max(most[call], times)
    chance = random.Random(seed)
    points = [(call, number) for call, times in sorted(most.items()) for number in range(1, times + 1)]
    chance.shuffle(points)
    # One of each call first.
    firsts = list({call: (call, number) for call, number in points}.values())
    points = firsts + [point for point in points if point not in firsts]
    kills = 0
    for call, number in points[:count]:
        rounds.change()
        code, _ = rounds.killed("-e", f"trace={call}", "-e", f"inject={call}:signal=KILL:when={number}")
        kills += code != 0
        rounds.judge(f"killed at {call} {number}")
    checks.check(kills > 0, "some runs are killed", kills)
    checks.say(f"{kills} kills at {len(points)} places of {len(most)} system calls")
    rounds.scene.close()


def _boot(folder):
    """Gives the machine the id of a new boot, for this process and its children."""
    path = os.path.join(folder, "boot_id")
    with open(path, "w", encoding="ascii") as file:
        file.write(f"{uuid.uuid4()}\n")
    if libc.mount(os.fsencode(path), b"/proc/sys/kernel/random/boot_id", None, MS_BIND, None) != 0:
        raise NotPossible(f"cannot set the id of the boot: {os.strerror(ctypes.get_errno())}")


def power_cuts(checks, seed, folder, count):
    """Cuts the power of a machine while `mirror --once` writes both ways: its folder, its records and the
    daemon's store are on one disk. What programs had synced and the daemon had acknowledged is there
    once, and the next run completes the one that was cut."""
    try:
        disk = FileSystem(folder, size="192M")
    except NotPossible as error:
        checks.say(f"skipped power cuts: {error}")
        return
    try:
        chance = random.Random(seed)
        rounds = Rounds(checks, os.path.join(disk.path, "machine"))
        scene = rounds.scene
        rounds.change()
        start = time.monotonic()
        rounds.judge("no cut")
        longest = time.monotonic() - start
        cuts = 0
        for number in range(count):
            rounds.change()
            subprocess.run(["sync", "-f", disk.path], check=True)
            with open(os.devnull, "wb") as nowhere:
                process = subprocess.Popen([scene.mirror.words[0], "mirror", "--once", scene.place], stdout=nowhere, stderr=nowhere,
                                           env=scene.mirror.environment)
            time.sleep(chance.random() * longest)
            cuts += process.poll() is None
            how = chance.choice(["nothing", "log"])
            disk.cut(how)
            process.kill()
            process.wait()
            scene.daemon.kill()
            scene.client.close()
            disk.recover()
            # In half of the cases the records of the last minute count as those of an earlier boot.
            if chance.random() < 0.5:
                _boot(folder)
            scene.daemon.start()
            rounds.judge(f"cut {number}, {how}")
        checks.check(cuts > 0 or count < 4, "some cuts meet a run", cuts)
        checks.say(f"{cuts} of {count} power cuts met a run of the mirror")
        scene.close()
    finally:
        disk.close()


def _has_lease(process, path):
    """Whether a process has a lease on the file that has a path."""
    file = f":{os.stat(path).st_ino}"
    with open("/proc/locks", encoding="ascii") as locks:
        fields = [line.split() for line in locks if " LEASE " in line]
    return any(words[4] == str(process) and words[5].endswith(file) for words in fields)


def _is_stopped(process):
    """Whether all threads of a process are stopped."""
    states = []
    for thread in os.listdir(f"/proc/{process}/task"):
        with open(f"/proc/{process}/task/{thread}/stat", encoding="utf-8") as file:
            states.append(file.read().rpartition(")")[2].split()[0])
    return all(state == "T" for state in states)


def stopped_under_lease(checks, seed, folder):
    """The mirror is stopped with SIGSTOP while it has a lease: a program that opens the file goes on after
    the time of the kernel, and what it writes is not written over."""
    scene = Scene(folder)
    # A large file is read for long enough to be met.
    first = "".join(f"the first line {number} of a large note\n" for number in range(20000))
    scene.write("large.md", first)
    scene.mirror.start()
    checks.check(scene.is_in_step(), "the file becomes a note", scene.mirror.said())
    process, number, stopped = scene.mirror.process.pid, 0, False
    until = time.monotonic() + PATIENCE_S
    while not stopped and time.monotonic() < until:
        scene.insert("large", f"a client wrote line {number}", 0)
        number += 1
        look = time.monotonic() + 1
        while not stopped and time.monotonic() < look:
            if _has_lease(process, scene.path("large.md")):
                os.kill(process, signal.SIGSTOP)
                checks.check(scene.until(lambda: _is_stopped(process)), "the mirror stops")
                stopped = _has_lease(process, scene.path("large.md"))
                if not stopped:
                    os.kill(process, signal.SIGCONT)
    checks.check(stopped, "the mirror is stopped while it has a lease", number)
    with open("/proc/sys/fs/lease-break-time", encoding="ascii") as file:
        limit = int(file.read())
    start = time.monotonic()
    with open(scene.path("large.md"), "r+b", buffering=0) as file:
        waited = time.monotonic() - start
        file.seek(0, os.SEEK_END)
        file.write(b"a program wrote this meanwhile\n")
    checks.check(waited < limit + 10, "the program goes on after the time of the kernel", waited, limit)
    os.kill(process, signal.SIGCONT)
    checks.check(scene.is_in_step(), "both sides are equal once the mirror goes on", scene.differences(), scene.mirror.said()[-500:])
    text = scene.text("large").splitlines()
    lines = first.splitlines() + ["a program wrote this meanwhile"] + [f"a client wrote line {count}" for count in range(number)]
    checks.equal(sorted(text), sorted(lines), "the note has each line once")
    checks.equal(scene.leftovers(), [], "no temporary file is left")
    checks.say(f"stopped after {number} changes; the program waited for {waited:.1f} s")
    scene.close()


def replaced_for_a_moment(checks, seed, folder):
    """Programs make a file anew right before and right after the mirror puts a note's text there.

    The mirror exchanges the two files, finds that the one that comes out is not the one that it looked at, and
    exchanges them back. A program that reads the file in between makes its text of the note's, and replaces the
    other program's file, which nobody else has seen.
    """
    if not shutil.which("strace"):
        checks.say("skipped a file that is replaced for a moment: needs strace")
        return
    scene = Scene(folder)
    first = [f"the first line {number} of the note" for number in range(5)]
    scene.write("a.md", "".join(line + "\n" for line in first))
    checks.equal(scene.mirror.once()[0], 0, "the file becomes a note")

    def replace(number):
        """As `sed -i "3a …"` does."""
        line = f"program {number} wrote this"
        text = scene.read("a.md").replace("line 2 of the note\n", f"line 2 of the note\n{line}\n")
        scene.write("a.new", text)
        os.rename(scene.path("a.new"), scene.path("a.md"))
        return line

    lines = first + ["a client wrote this"]
    scene.insert("a", lines[-1], 1)
    # Each exchange begins and ends a second late.
    mirror = scene.mirror
    with subprocess.Popen(["strace", "-f", "-qq", "-o", os.devnull, "-e", "trace=renameat2", "-e",
                           "inject=renameat2:delay_enter=1000000:delay_exit=1000000", *mirror.words[:2], "--once", mirror.place],
                          env=mirror.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
        met = scene.until(lambda: any(name.endswith(".tmp") for name in scene.leftovers()))
        lines.append(replace(1))
        met = met and scene.until(lambda: "a client" in scene.read("a.md"))
        lines.append(replace(2))
        run.wait(timeout=PATIENCE_S)
    checks.check(met, "the programs meet the exchange")
    checks.equal(scene.mirror.once()[0], 0, "the next run succeeds")
    checks.equal(sorted(scene.text("a").splitlines()), sorted(lines), "each line is there once")
    checks.equal((scene.differences(), scene.leftovers()), ([], []), "both sides are equal, and no file is left")
    scene.close()


ALL = [("full folder", full_folder), ("full state", full_state), ("stopped under a lease", stopped_under_lease),
       ("replaced for a moment", replaced_for_a_moment)]
