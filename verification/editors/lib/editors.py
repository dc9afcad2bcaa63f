"""Real editors, each started for one test and driven through a socket.

A driven editor connects to the Unix socket in NOTESD_TEST_DRIVER and reads one JSON object per
line; `verification/editors/README.md` lists the commands. `Neovim` and `Emacs` start the programs;
everything else is common.
"""

import atexit
import functools
import glob
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from places import PATIENCE_S, ROOT, program


class EditorFailed(Exception):
    """The editor ended, did not answer, or reported that a command failed."""


class Editor:
    """One running editor. `name` distinguishes it from others in the same test; it may write in
    `folder`."""

    program = None

    def __init__(self, name, folder, daemon_socket):
        self.name = name
        self.folder = os.path.join(folder, name)
        os.makedirs(self.folder, exist_ok=True)
        self.daemon_socket = daemon_socket
        self.next_id = 0
        self.rest = b""
        self.answers = {}
        self._start()

    def command(self):
        raise NotImplementedError

    def _start(self):
        path = os.path.join(self.folder, "driver.sock")
        if os.path.exists(path):
            os.unlink(path)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(path)
        listener.listen(1)
        listener.settimeout(PATIENCE_S)
        environment = dict(os.environ, NOTESD_TEST_DRIVER=path, NOTESD_SOCKET=self.daemon_socket, HOME=self.folder,
                           PATH=f"{os.path.dirname(os.path.abspath(program('notesctl')))}:{os.environ['PATH']}",
                           XDG_DATA_HOME=self.folder + "/data", XDG_STATE_HOME=self.folder + "/state",
                           XDG_CONFIG_HOME=self.folder + "/config", XDG_CACHE_HOME=self.folder + "/cache", LC_ALL="C.UTF-8")
        self.output = open(os.path.join(self.folder, "output"), "ab")
        self.process = subprocess.Popen(self.command(), env=environment, stdin=subprocess.DEVNULL, stdout=self.output,
                                        stderr=self.output, cwd=self.folder)
        self.socket, _ = listener.accept()
        listener.close()

    def start(self, do, **params):
        """Sends a command without waiting for its response; returns the argument for `finish`."""
        self.next_id += 1
        line = json.dumps(dict(params, id=self.next_id, do=do)) + "\n"
        self.socket.sendall(line.encode())
        return self.next_id

    def finish(self, number):
        """The value of the response."""
        until = time.monotonic() + PATIENCE_S
        while number not in self.answers:
            if not select.select([self.socket], [], [], max(0, until - time.monotonic()))[0]:
                raise EditorFailed(f"{self.name} has not answered in {PATIENCE_S} s")
            data = self.socket.recv(1 << 20)
            if not data:
                raise EditorFailed(f"{self.name} ended; its output is in {self.output.name}")
            self.rest += data
            *lines, self.rest = self.rest.split(b"\n")
            for line in lines:
                answer = json.loads(line.decode(errors="surrogateescape"))
                self.answers[answer["id"]] = answer
        answer = self.answers.pop(number)
        if answer.get("failure"):
            raise EditorFailed(f"{self.name}: {answer['failure']}")
        return answer.get("value")

    def do(self, what, **params):
        return self.finish(self.start(what, **params))

    def open(self, note):
        return self.do("open", note=note)

    def text(self):
        return self.do("text")

    def state(self):
        return self.do("state")

    def wait(self, condition, what):
        """Polls the state until `condition(state)`, and returns the last state."""
        until = time.monotonic() + PATIENCE_S
        while True:
            state = self.state()
            if condition(state):
                return state
            if time.monotonic() > until:
                raise EditorFailed(f"{self.name}: timed out waiting for {what}; {state}; log {self.do('log')[-5:]}")
            time.sleep(0.005)

    def settled(self):
        """Waits until all shown text is acknowledged and no request is in flight."""
        return self.wait(lambda state: state["settled"] and state["text"] == state.get("shadow", state["text"]), "rest")

    def stop(self):
        os.kill(self.process.pid, signal.SIGSTOP)

    def go_on(self):
        os.kill(self.process.pid, signal.SIGCONT)

    def kill(self):
        """Kills it, as a crash would."""
        self.process.kill()
        self.process.wait()
        self.socket.close()

    def quit(self):
        try:
            self.start("quit")
            self.process.wait(timeout=PATIENCE_S)
        except (OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        self.socket.close()


def kept_drafts(folder):
    """The drafts that hosts keep for an editor: the path of each, with its text."""
    drafts = {}
    for marker in glob.glob(os.path.join(folder, "state", "notesctl", "draft-*", ".notesctl-edit")):
        try:
            with open(marker, encoding="utf-8") as file:
                path = os.path.join(os.path.dirname(marker), file.read().split("\n")[1])
            with open(path, encoding="utf-8") as file:
                drafts[path] = file.read()
        except (FileNotFoundError, IndexError):
            # The host removes a draft when everything is acknowledged.
            continue
    return drafts


class Neovim(Editor):
    kind = "neovim"
    program = "nvim"

    def command(self):
        plugin = os.path.join(ROOT, "editors", "neovim")
        return ["nvim", "--headless", "--clean", "-n", "-i", "NONE", "--cmd", f"set rtp^={plugin}", "--cmd", "set noautoindent",
                "--cmd", "filetype plugin indent off", "-c", f"luafile {ROOT}/verification/editors/neovim/driver.lua"]


class NeovimOnScreen(Neovim):
    """Neovim in a terminal. Without one, it never asks for ENTER after a long message."""

    def command(self):
        _, *arguments = [argument for argument in super().command() if argument != "--headless"]
        return [sys.executable, "-c", "import pty, sys; pty.spawn(sys.argv[1:])", "env", "TERM=xterm", "nvim", *arguments]


class Emacs(Editor):
    kind = "emacs"
    program = "emacs"

    def command(self):
        # Each Emacs has a separate home and would compile everything to machine code again in the
        # background.
        as_it_is = "(setq native-comp-deferred-compilation nil native-comp-jit-compilation nil)"
        return ["emacs", "-Q", f"--fg-daemon=notesd-{os.getpid()}-{self.name}", "--eval", as_it_is, "-L", compiled_package(), "-l",
                os.path.join(ROOT, "verification", "editors", "emacs", "driver.el")]


@functools.cache
def compiled_package():
    """A folder with the Emacs package as installed for users: compiled, which makes it several
    times as fast."""
    folder = tempfile.mkdtemp(prefix="notesd-elisp-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for path in glob.glob(os.path.join(ROOT, "editors", "emacs", "*.el")):
        shutil.copy(path, folder)
    subprocess.run(["emacs", "-Q", "--batch", "-L", folder, "-f", "batch-byte-compile", *glob.glob(folder + "/*.el")], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return folder


class VSCode(Editor):
    """The extension for VS Code, in a stand-in for VS Code."""

    kind = "vscode"
    program = "node"

    def command(self):
        return ["node", os.path.join(ROOT, "verification", "editors", "vscode", "driver.js")]


KINDS = {"neovim": Neovim, "emacs": Emacs, "vscode": VSCode}


def is_installed(kind):
    return shutil.which(KINDS[kind].program) is not None
