"""Machines for one case: each has a daemon, a home, folders, background programs and editors of its
own."""

import collections
import json
import os
import shutil
import subprocess
import sys
import time

_HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(_HERE, "..", "lib"), os.path.join(_HERE, "..", "editors", "lib")]

from agent import Agent  # noqa: E402
from daemon import Client, Daemon, DaemonFailed  # noqa: E402, F401
from editors import Neovim  # noqa: E402
from places import PATIENCE_S, program  # noqa: E402

# Two looks that find the same state must be this far apart, in seconds.
REST_S = 0.4

Done = collections.namedtuple("Done", "code output errors")


class CommandFailed(Exception):
    """A program returned an exit code that the case does not expect."""


def until(holds, seconds=PATIENCE_S):
    """Waits until a condition holds; returns whether it did. A note or file that does not exist yet
    makes the condition false."""
    end = time.monotonic() + seconds
    while True:
        try:
            if holds():
                return True
        except (OSError, RuntimeError, TypeError, CommandFailed):
            pass
        if time.monotonic() > end:
            return False
        time.sleep(0.05)


def stays(value):
    """Waits until a function returns the same value twice in a row; returns the value."""
    last = [value()]

    def is_same():
        time.sleep(REST_S)
        before, last[0] = last[0], value()
        return before == last[0]

    until(is_same)
    return last[0]


def read(path):
    with open(path, "rb") as file:
        return file.read().decode()


def write(path, text):
    """Writes a file as most editors do: opens, truncates and writes at once."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb", buffering=0) as file:
        file.write(text if isinstance(text, bytes) else text.encode())


def files_below(folder):
    """The texts of all Markdown files below a folder, by relative path."""
    found = {}
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            if name.endswith(".md"):
                found[os.path.relpath(path, folder)] = read(path)
    return found


class Program:
    """A background program with a log."""

    def __init__(self, words, environment, log, home):
        self.words = words
        self.environment = environment
        self.log = log
        self.home = home
        self.start()

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(self.words, env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=self.home)

    def said(self):
        with open(self.log, "rb") as log:
            return log.read().decode(errors="replace")

    def is_running(self):
        return self.process.poll() is None

    def kill(self):
        self.process.kill()
        self.process.wait()

    def wait(self):
        return self.process.wait(timeout=PATIENCE_S)


class Machine:
    """A machine of a user. `config` is the text of its notesd.toml; `clock` is the environment that
    moves the clock of its daemon."""

    def __init__(self, name, home, config=None, clock=None):
        self.name = name
        self.home = home
        for folder in ("run", "config/notesd", "state", "share", "tmp"):
            os.makedirs(os.path.join(home, folder), mode=0o700)
        if config:
            write(os.path.join(home, "config", "notesd", "notesd.toml"), config)
        outside = {key: value for key, value in os.environ.items() if not key.startswith(("XDG_", "NOTESD_", "GIT_"))}
        self.own = {"HOME": home, "XDG_CONFIG_HOME": os.path.join(home, "config"), "XDG_STATE_HOME": os.path.join(home, "state"),
                    "XDG_DATA_HOME": os.path.join(home, "share"), "XDG_RUNTIME_DIR": os.path.join(home, "run"),
                    "TMPDIR": os.path.join(home, "tmp"), "LC_ALL": "C.UTF-8", "GIT_CONFIG_GLOBAL": "/dev/null"}
        self.data = os.path.join(home, "share", "notesd")
        self.daemon = Daemon(os.path.join(home, "run"), data=self.data, started=False)
        # Under libfaketime, the daemon sees no arguments and takes its paths from the environment.
        self.daemon.environment = dict(self.own, NOTESD_SOCKET=self.daemon.socket, **(clock or {}))
        self.environment = dict(outside, **self.own, NOTESD_SOCKET=self.daemon.socket)
        self.programs = []
        self.editors = []
        self.agents = []

    def close(self):
        for editor in self.editors:
            if editor.process.poll() is None:
                editor.kill()
        processes = [one.process for one in self.programs + self.agents + [self.daemon] if one.process]
        for process in processes:
            if process.poll() is None:
                process.kill()
                process.wait()

    # Programs.

    def run(self, *words, text=None, expected=(0,), editor=None):
        """Runs notesctl; raises CommandFailed if its exit code is not an expected one. `expected` is
        None if every code is right."""
        environment = dict(self.environment, EDITOR=editor, VISUAL=editor) if editor else self.environment
        data = text.encode() if isinstance(text, str) else text
        given = {"stdin": subprocess.DEVNULL} if data is None else {"input": data}
        done = subprocess.run([program("notesctl"), *words], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.home,
                              timeout=2 * PATIENCE_S, check=False, **given)
        result = Done(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))
        if expected is not None and result.code not in expected:
            raise CommandFailed(f"notesctl {' '.join(words)[:200]} returned {result.code}: {(result.errors or result.output)[:500]}")
        return result

    def notesd(self, *words):
        """Runs notesd on the store of a stopped daemon."""
        done = subprocess.run([program("notesd"), *words], env=self.environment, capture_output=True, timeout=PATIENCE_S, check=False)
        return Done(done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace"))

    def start(self, *words, log):
        """Starts notesctl in the background."""
        started = Program([program("notesctl"), *words], self.environment, os.path.join(self.home, log), self.home)
        self.programs.append(started)
        return started

    def mirror(self, folder, *options):
        """Starts a mirror of a folder, and waits until both are in step."""
        mirror = self.start("mirror", *options, folder, log=f"mirror {len(self.programs)}.log")
        if not until(lambda: "in step" in mirror.said() or not mirror.is_running()) or not mirror.is_running():
            raise CommandFailed(f"the mirror is not in step: {mirror.said()[-500:]}")
        return mirror

    def mirror_once(self, folder, *options, expected=(0,)):
        return self.run("mirror", "--once", *options, folder, expected=expected)

    def neovim(self, name="neovim"):
        editor = Neovim(name, self.home, self.daemon.socket)
        self.editors.append(editor)
        return editor

    def agent(self, *options):
        agent = Agent(self.environment, os.path.join(self.home, "mcp.log"), *options)
        self.agents.append(agent)
        return agent

    def client(self, label="test"):
        return Client(self.daemon.socket, label)

    def git(self, folder, *words, is_checked=True):
        return subprocess.run(("git", "-c", "user.name=test", "-c", "user.email=test@localhost", *words), cwd=folder, check=is_checked,
                              env=self.environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=PATIENCE_S)

    def editor_script(self, name, text):
        """The path of an executable script that a command uses as its editor."""
        path = os.path.join(self.home, name)
        write(path, text)
        os.chmod(path, 0o755)
        return path

    # Notes.

    def new(self, name, text):
        return self.run("new", "--", name, text=text)

    def append(self, name, line):
        return self.run("append", name, "-t", line)

    def save(self, name, text, base=None):
        """Saves a whole text. Without `base`, it replaces whatever the note has."""
        return self.run("save", name, *(["--base", base] if base else ["--replace"]), text=text, expected=(0, 2))

    def ask(self, method, **params):
        """The result of one request on a connection of its own, so that it also works after restarts."""
        client = self.client()
        try:
            return client.ask(method, **params)
        finally:
            client.close()

    def text(self, name, at=None):
        """The text of a note, with the line ends that it has."""
        return self.ask("note.get", name=name, **({"at": at} if at else {}))["note"]["text"]

    def version(self, name):
        return self.ask("note.get", name=name)["note"]["version"]

    def id(self, name):
        return self.ask("note.get", name=name)["note"]["id"]

    def heads(self, *options):
        return [json.loads(line) for line in self.run("list", "--json", *options).output.split("\n") if line]

    def names(self):
        return sorted(head["name"] or "" for head in self.heads())

    def texts(self):
        """Pairs of the name and the text of each living note. Two notes may have one name."""
        client = self.client()
        try:
            return [(head["name"], client.ask("note.get", id=head["id"])["note"]["text"]) for head in self.heads()]
        finally:
            client.close()

    def has(self, words):
        """Whether a living note contains the words."""
        return any(words in text for _, text in self.texts())

    def dots(self, name):
        """The names of the revisions of a note, newest first."""
        return [json.loads(line)["dot"] for line in self.run("history", name, "--json").output.split("\n") if line]

    def conflicts(self):
        return self.run("conflicts", expected=None).output.strip()

    # Peers and folders.

    def add_peer(self, other, name="peer"):
        self.run("peer", "add", name, "unix:" + other.daemon.socket, "--no-start", "--yes")

    def sync(self, peer="peer", expected=(0,)):
        return self.run("sync", "--once", peer, expected=expected)

    def folder(self, name="notes"):
        path = os.path.join(self.home, name)
        os.makedirs(path, exist_ok=True)
        return path

    def is_in_step(self, folder):
        """Whether a folder and the notes become equal, and stay so."""
        def is_equal():
            return files_below(folder) == {name + ".md": text for name, text in self.texts()}

        def rests():
            if not is_equal():
                return False
            time.sleep(REST_S)
            return is_equal()

        return until(rests)


class Scene:
    """The machines of one case, and its checks."""

    def __init__(self, folder, checks, seed):
        self.folder = folder
        self.checks = checks
        self.seed = seed
        self.machines = []
        # Functions that undo what a case did to the system, such as mounts.
        self.undo = []

    def machine(self, name="a", is_started=True, **options):
        """A new machine. It is in the list before its daemon starts, so that `close` ends the daemon
        also if the start fails."""
        machine = Machine(name, os.path.join(self.folder, name), **options)
        self.machines.append(machine)
        if is_started:
            machine.daemon.start()
        return machine

    def close(self):
        for machine in self.machines:
            machine.close()
        for undo in reversed(self.undo):
            undo()
        shutil.rmtree(self.folder, ignore_errors=True)

    # Checks.

    def check(self, holds, law, *details):
        return self.checks.check(holds, law, *details)

    def equal(self, left, right, law, *details):
        return self.checks.equal(left, right, law, *details)

    def eventually(self, holds, law, *details):
        """Checks that a condition comes to hold."""
        return self.checks.check(until(holds), law, *details)

    def lines_once(self, text, lines, law):
        """Checks that a text has each of the lines exactly once."""
        found = text.splitlines()
        return self.checks.equal({line: found.count(line) for line in lines if found.count(line) != 1}, {}, law, text)

    def skip(self, reason):
        raise Skipped(reason)


class Skipped(Exception):
    """The machine lacks something that the case needs."""
