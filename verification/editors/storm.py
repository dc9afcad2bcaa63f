#!/usr/bin/env python3
"""Neovims, Emacsen and `notesctl browse` in one note, while their hosts and the daemon are stopped and killed.

usage: storm.py [--editors neovim,neovim,emacs] [--seed N] [--seconds N] [--soak]

Each person types words at the ends of lines in which nobody else types, and a blank line is between any
two of them, since a whole text that arrives late is in conflict with changes of the lines beside its own. Meanwhile the daemon is killed and
started again, sometimes after longer than ten seconds, and hosts of editors get SIGKILL, or SIGSTOP and
later SIGCONT; `browse`, which is its own host, is only stopped. In the end, each word must be in its line
once, all editors must show the note, nothing may be in conflict, and the store on disk must be intact.
--soak runs for ten minutes.
"""

import argparse
import fcntl
import os
import pty
import random
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

from checks import Checks  # noqa: E402
from daemon import Client, Daemon  # noqa: E402
from editors import PATIENCE_S  # noqa: E402
from people import Person, misplaced, unknown  # noqa: E402
from places import program  # noqa: E402

NOTE = "storm"
TASKS = 5
# Keys of a terminal.
ENTER, END, QUIT = b"\r", b"\x1b[F", b"\x03"


class Browser:
    """`notesctl browse` in a terminal; its person types in the first line of the note only, because it
    has no key that goes to a line."""

    def __init__(self, name, folder, daemon, task, seed):
        self.random, self.name, self.task, self.words = random.Random(f"{seed} {name}"), name, task, []
        state = os.path.join(folder, name)
        environment = dict(os.environ, NOTESD_SOCKET=daemon.socket, HOME=state, XDG_STATE_HOME=state, TERM="xterm", LC_ALL="C.UTF-8")
        self.terminal, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        self.process = subprocess.Popen([program("notesctl"), "browse"], env=environment, stdin=terminal, stdout=terminal,
                                        stderr=terminal, start_new_session=True)
        os.close(terminal)
        self.shown = b""
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        try:
            while data := os.read(self.terminal, 1 << 16):
                self.shown = (self.shown + data)[-1 << 16:]
        except OSError:
            pass

    def type(self, keys):
        os.write(self.terminal, keys)

    def open(self):
        """Goes to the end of the first line."""
        self._wait(NOTE.encode(), "the list")
        self.type(NOTE.encode() + ENTER)
        self._wait(b"^S", "the note")
        self.type(END)

    def _wait(self, shown, what):
        until = time.monotonic() + PATIENCE_S
        while shown not in self.shown:
            if time.monotonic() > until:
                raise RuntimeError(f"browse does not show {what}: {self.shown[-2000:]!r}")
            time.sleep(0.02)

    def write(self, until):
        while time.monotonic() < until:
            word = f"{self.name}{len(self.words)}w"
            self.words.append((self.task, word))
            for key in f" {word}":
                self.type(key.encode())
                time.sleep(self.random.choice((0.02, 0.05, 0.1, 0.2)))

    def hosts(self):
        return [self.process.pid]

    def quit(self):
        self.type(QUIT)
        self.process.wait(timeout=PATIENCE_S)


class Weather:
    """What happens to the hosts and the daemon."""

    def __init__(self, daemon, people, browsers, seed):
        self.random, self.daemon, self.people, self.browsers = random.Random(f"{seed} weather"), daemon, people, browsers
        self.counts = {"daemon": 0, "kill": 0, "stop": 0}

    def host(self, with_browsers):
        """The host of somebody, if there is one now."""
        person = self.random.choice(self.people + (self.browsers if with_browsers else []))
        if person in self.browsers:
            return person.hosts()
        found = subprocess.run(["pgrep", "-P", str(person.editor.process.pid), "-x", "notesctl"], capture_output=True, text=True, check=False)
        return [int(number) for number in found.stdout.split()]

    def send(self, hosts, *signals):
        for number in hosts:
            for each in signals:
                try:
                    os.kill(number, each)
                except ProcessLookupError:
                    pass  # It ended meanwhile.

    def step(self, is_long):
        seconds = self.random.uniform(10.5, 14) if is_long else self.random.uniform(0.05, 1.5)
        roll = self.random.random()
        if roll < 0.25:
            self.counts["daemon"] += 1
            self.daemon.kill()
            time.sleep(seconds if self.random.random() < 0.5 else 0)
            self.daemon.start()
        elif roll < 0.6:
            self.counts["kill"] += 1
            self.send(self.host(False), signal.SIGKILL)
        else:
            self.counts["stop"] += 1
            hosts = self.host(True)
            self.send(hosts, signal.SIGSTOP)
            time.sleep(seconds)
            self.send(hosts, *([signal.SIGKILL] if self.random.random() < 0.2 and hosts not in [each.hosts() for each in self.browsers] else []),
                      signal.SIGCONT)

    def run(self, until):
        while time.monotonic() < until:
            time.sleep(self.random.uniform(0.2, 1.5))
            self.step(self.random.random() < 0.03 and time.monotonic() + 15 < until)


class Report(threading.Thread):
    """A thread that keeps why it ended."""

    def __init__(self, run, until):
        super().__init__()
        self.work, self.until, self.problem = run, until, None

    def run(self):
        try:
            self.work(self.until)
        except Exception as problem:
            self.problem = f"{type(problem).__name__}: {problem}"


def settle(checks, client, people, browsers):
    """Waits until the editors show the note and the daemon has every word. Returns the note."""
    for person in people:
        person.editor.settled()
    until = time.monotonic() + PATIENCE_S
    while True:
        note = client.ask("note.get", name=NOTE)["note"]
        if not misplaced(note["text"], browsers) or time.monotonic() > until:
            break
        time.sleep(0.1)
    for person in people:
        person.editor.wait(lambda state: state["text"] == client.ask("note.get", name=NOTE)["note"]["text"], "the daemon's text")
        checks.equal(person.editor.text(), client.ask("note.get", name=NOTE)["note"]["text"], "each editor shows the note")
    return client.ask("note.get", name=NOTE)["note"]


def storm(arguments, checks, folder):
    daemon = Daemon(folder)
    client = Client(daemon.socket)
    kinds = arguments.editors.split(",")
    tasks = range(10, 11 + TASKS * len(kinds))
    client.ask("note.create", name=NOTE, text="".join(f"- task {task}:\n\n" for task in tasks))
    client.close()
    people = []
    browsers = [Browser("b", folder, daemon, 10, arguments.seed)]
    browsers[0].open()
    for index, kind in enumerate(kinds):
        person = Person(kind, f"p{index}", folder, daemon, [task for task in tasks[1:] if task % len(kinds) == index], arguments.seed)
        person.editor.open(NOTE)
        person.editor.settled()
        people.append(person)
    weather = Weather(daemon, people, browsers, arguments.seed)
    until = time.monotonic() + arguments.seconds
    threads = [Report(each, until) for each in [person.write for person in people + browsers] + [weather.run]]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    checks.equal([thread.problem for thread in threads if thread.problem], [], "everybody can type to the end")
    client = Client(daemon.socket)
    note = settle(checks, client, people, browsers)
    checks.equal(misplaced(note["text"], people + browsers), [], "each word is in its line once")
    checks.equal(unknown(note["text"], people + browsers), [], "no word is there that nobody typed")
    checks.equal(note["conflicts"], [], "nothing is in conflict")
    client.close()
    for person in people:
        person.editor.quit()
    for browser in browsers:
        browser.quit()
    daemon.stop()
    checks.equal(daemon.verify(), "", "the store on disk is intact")
    checks.say(f"{sum(len(person.words) for person in people + browsers)} words typed; {weather.counts}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--editors", default="neovim,neovim,emacs")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--soak", action="store_true")
    arguments = parser.parse_args()
    if arguments.soak:
        arguments.seconds = 600
    checks = Checks(f"storm {arguments.editors}", arguments.seed)
    with tempfile.TemporaryDirectory(prefix="notesd-storm-") as folder:
        storm(arguments, checks, folder)
    checks.finish()


main()
