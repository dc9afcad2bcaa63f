#!/usr/bin/env python3
"""Runs notesctl lsp with the client that is built into Neovim, over a mirrored folder, and measures completion.

    verification/pages/lsp.py [NOTES]

Neovim opens a file, completes names, follows a link, lists references and symbols, shows the diagnostics of
a conflict in an unsaved buffer, creates a missing note, and renames one. Emacs follows a link and completes
a name, with eglot and with lsp-mode, set up as docs/language-server.md says. Then a bare client measures the
time from the request to the response of completion, next to NOTES notes (default: 300).
"""

import glob
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))

from checks import Checks  # noqa: E402
from daemon import Client, Daemon  # noqa: E402
from places import PATIENCE_S, ROOT, program  # noqa: E402

HERE = os.path.dirname(os.path.realpath(__file__))
PAIRS = ("𝄞 two words", "# 𝄞 Title\r\nx")


def make(client, name, text):
    return client.ask("note.create", name=name, text=text)["note"]


def mirror(folder, environment, *options):
    command = [program("notesctl"), "mirror", *options, os.path.join(folder, "notes")]
    if "--once" in options:
        return subprocess.run(command, env=environment, check=False, capture_output=True, text=True)
    return subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def neovim(checks, folder):
    """Neovim's client against the real server, with a running mirror."""
    if not shutil.which("nvim"):
        print("skipped: no Neovim on this machine")
        return
    os.makedirs(os.path.join(folder, "notes"))
    daemon = Daemon(folder)
    environment = dict(os.environ, NOTESD_SOCKET=daemon.socket, XDG_STATE_HOME=os.path.join(folder, "state"),
                       HOME=folder, LSP_NOTESCTL=program("notesctl"), LSP_FOLDER=os.path.join(folder, "notes"))
    running = None
    try:
        client = Client(daemon.socket)
        make(client, *PAIRS)
        make(client, "home", "see [[𝄞 two words#𝄞 Title]] and [[nowhere]]\n")
        conflicted = make(client, "work/conflicted", "one\ntwo\nthree\n")
        make(client, "spare", "# Spare\n")
        make(client, "closed", "[x](spare.md)\n")
        make(client, "opened", "𝄞 [[spare]]\n")
        make(client, "work/plan", "# Plan\n## Next\n[[home]]\n")
        running = mirror(folder, environment)
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until and not os.path.exists(os.path.join(folder, "notes", "work", "plan.md")):
            time.sleep(0.05)
        result = os.path.join(folder, "result.json")
        editor = subprocess.Popen(
            ["nvim", "--headless", "-u", "NONE", "-i", "NONE", "-n", "-S",
             os.path.join(HERE, "lsp.lua")],
            env=dict(environment, LSP_RESULT=result), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        # The script waits for the conflict.
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until and not os.path.exists(result + ".ready"):
            time.sleep(0.05)
        for text in ("one\n2\nthree\n", "one\nTWO\nthree\n"):
            client.ask("note.save", id=conflicted["id"], base=conflicted["version"], text=text)
        output, _ = editor.communicate(timeout=PATIENCE_S)
        if not os.path.exists(result):
            checks.check(False, "Neovim's script ends", output.decode(errors="replace")[-2000:])
            return
        with open(result, encoding="utf-8") as file:
            found = json.load(file)
        path = os.path.join(folder, "notes")
        checks.equal(found.get("error"), None, "the script has no error")
        checks.equal(found["definition"], [os.path.join(path, "𝄞 two words.md"), 0], "definition")
        checks.equal(found["completion"], ["𝄞 two words"], "completion of a name")
        checks.equal(found["completed"], "[[𝄞 two words]]", "what is inserted")
        checks.equal(found["references"], [[os.path.join(path, "work", "plan.md"), 2, 2]], "references")
        checks.equal(found["symbols"], ["Plan", "Next"], "headings")
        checks.equal(found["missing"], ["no note has the name, alias or title nowhere"], "diagnostics of a missing note")
        checks.equal(found["missing_after"], [], "the action creates the note")
        checks.equal([name for name in ("nowhere",) if client.ask("note.get", name=name)["note"]["text"] == ""],
                     ["nowhere"], "the note is there")
        # Two lines of the buffer are not saved.
        checks.equal(found["conflict"], [[3, 1]], "the conflict is in the right lines of the unsaved buffer")
        checks.equal(found["modified"], True, "the buffer is as the user left it")
        checks.equal(found["renamed"], ["unsaved 𝄞 [[renamed]]", "𝄞 [[renamed]]"], "the links of an unsaved buffer")
        checks.equal(client.ask("note.get", name="closed")["note"]["text"], "[x](renamed.md)\n", "the link of a closed note")
        checks.equal(client.ask("note.get", name="renamed")["note"]["text"], "# Spare\n", "the renamed note")
        checks.equal(found["hover"][:11], "𝄞 two words", "hover")
    finally:
        if running:
            running.terminate()
            running.wait()
        daemon.stop()
    checks.equal(daemon.verify(), "", "the store is whole")


def has_emacs(client):
    return bool(shutil.which("emacs")) and bool(glob.glob(f"/usr/share/emacs/site-lisp/elpa/{client}-*")
                                                and glob.glob("/usr/share/emacs/site-lisp/elpa/markdown-mode-*"))


def emacs(checks, folder, name):
    """The lines of docs/language-server.md for a client of Emacs: eglot or lsp-mode."""
    if not has_emacs(name):
        print(f"skipped: no Emacs with {name} and markdown-mode on this machine (Debian: elpa-{name} elpa-markdown-mode)")
        return
    os.makedirs(os.path.join(folder, "notes"))
    daemon = Daemon(folder)
    path = f"{os.path.dirname(os.path.realpath(program('notesctl')))}:{os.environ['PATH']}"
    environment = dict(os.environ, NOTESD_SOCKET=daemon.socket, XDG_STATE_HOME=os.path.join(folder, "state"), HOME=folder,
                       PATH=path, LC_ALL="C.UTF-8", LSP_FOLDER=os.path.join(folder, "notes"), LSP_CLIENT=name, LSP_SETUP=os.path.join(folder, "setup.el"),
                       LSP_RESULT=os.path.join(folder, "result.json"))
    try:
        client = Client(daemon.socket)
        make(client, *PAIRS)
        make(client, "home", "see [[𝄞 two words]] \n")
        mirror(folder, environment, "--once")
        with open(os.path.join(ROOT, "docs", "language-server.md"), encoding="utf-8") as page:
            setup, = (code for code in re.findall(r"^```elisp\n(.*?)^```$", page.read(), re.DOTALL | re.MULTILINE)
                      if f"'{name}" in code)
        with open(environment["LSP_SETUP"], "w", encoding="utf-8") as file:
            file.write(setup)
        done = subprocess.run(["emacs", "-Q", "--batch", "-l", os.path.join(HERE, "lsp.el")], env=environment, check=False,
                              capture_output=True, timeout=PATIENCE_S)
        if not os.path.exists(environment["LSP_RESULT"]):
            checks.check(False, f"the script of {name} ends", done.stderr.decode(errors="replace")[-2000:])
            return
        with open(environment["LSP_RESULT"], encoding="utf-8") as file:
            found = json.load(file)
        checks.equal(found.get("error"), None, f"{name}: the script has no error", done.stderr.decode(errors="replace")[-2000:])
        checks.equal(found.get("definition"), "𝄞 two words.md", f"{name}: definition")
        checks.check("𝄞 two words" in found.get("completion", []), f"{name}: completion of a name", found)
    finally:
        daemon.stop()


class BareClient:
    """Sends requests and reads responses."""

    def __init__(self, environment):
        self.server = subprocess.Popen([program("notesctl"), "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       env=environment)
        self.number = 0

    def send(self, method, params, number=None):
        message = {"jsonrpc": "2.0", "method": method, "params": params} | ({"id": number} if number else {})
        body = json.dumps(message).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def ask(self, method, params):
        self.number += 1
        self.send(method, params, self.number)
        while True:
            length = int(self.server.stdout.readline().split(b":")[1])
            self.server.stdout.readline()
            message = json.loads(self.server.stdout.read(length))
            if message.get("id") == self.number and "method" not in message:
                return message["result"]

    def end(self):
        self.ask("shutdown", {})
        self.send("exit", {})
        return self.server.wait(PATIENCE_S)


def completion(checks, folder, count):
    """The time of completion next to many notes."""
    os.makedirs(os.path.join(folder, "notes"))
    daemon = Daemon(folder)
    environment = dict(os.environ, NOTESD_SOCKET=daemon.socket, XDG_STATE_HOME=os.path.join(folder, "state"))
    try:
        client = Client(daemon.socket)
        for number in range(count):
            links = "".join(f"[[note {(number * 7 + link * 13) % count}]] " for link in range(5))
            make(client, f"folder {number % 50}/note {number}", f"# Title {number}\n{links}\n{'text ' * 150}\n")
        make(client, "home", "x\n")
        mirror(folder, environment, "--once")
        began = time.monotonic()
        editor = BareClient(environment)
        uri = "file://" + os.path.join(folder, "notes", "home.md")
        editor.ask("initialize", {"capabilities": {"general": {"positionEncodings": ["utf-8"]}}})
        started = (time.monotonic() - began) * 1000
        version = 1
        editor.send("textDocument/didOpen", {"textDocument": {
            "uri": uri, "languageId": "markdown", "version": version, "text": "x\n"}})
        times = {}
        for typed in ("", "no", "note", f"note {count // 3}", "folder 7 no"):
            for _ in range(40):
                version += 1
                editor.send("textDocument/didChange", {"textDocument": {"uri": uri, "version": version},
                                                       "contentChanges": [{"text": f"see [[{typed}"}]})
                began = time.monotonic()
                found = editor.ask("textDocument/completion", {
                    "textDocument": {"uri": uri}, "position": {"line": 0, "character": 6 + len(typed)}})
                times.setdefault(typed, []).append((time.monotonic() - began) * 1000)
                checks.check(found["items"], "completion offers notes", typed)
        with open(f"/proc/{editor.server.pid}/status", encoding="ascii") as status:
            memory = [line.split()[1] for line in status if line.startswith("VmRSS")][0]
        checks.equal(editor.end(), 0, "the server ends")
        print(f"lsp: {count} notes: initialize {started:.0f} ms, {int(memory) // 1024} MiB; completion, median and longest:")
        for typed, spent in times.items():
            print(f"lsp:   [[{typed}: {statistics.median(spent):.1f} ms, {max(spent):.1f} ms")
    finally:
        daemon.stop()


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    checks = Checks("notesctl lsp", 0)
    folder = tempfile.mkdtemp()
    try:
        neovim(checks, os.path.join(folder, "neovim"))
        for name in ("eglot", "lsp-mode"):
            emacs(checks, os.path.join(folder, name), name)
        completion(checks, os.path.join(folder, "completion"), count)
    finally:
        shutil.rmtree(folder)
    checks.finish()


if __name__ == "__main__":
    main()
