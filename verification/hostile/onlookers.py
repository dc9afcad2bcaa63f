"""Texts, names and labels that other users see, and files made from them: they are shown, and never
interpreted."""

import os
import pty
import re
import select
import signal
import stat
import subprocess
import time

from bystander import COUNTS
from daemon import PATIENCE_S, Client, Daemon, Refused
from doors import environment

# A window title, a clear screen, a report request, C1's own introducer, backspaces, a carriage
# return, and marks that change the direction of the following text. A name may contain only the
# last.
TURNS = "\u202e\u2066"
OBEYED = "\x1b]0;owned\x07\x1b[2J\x1b[6n\x9b31m\x08\x7f\r" + TURNS
NAMES = [
    "-rf", "--help", "-", ".hidden", ".ssh/authorized_keys", "$(touch owned)", "`touch owned`", ";touch owned", "a\\b", "~root", "*", "a b'\"c",
    "turned" + TURNS, "a\u2028b", "x" * 255, "a/b/c/d", "%n%s", "notes.sqlite3", "con"]
REFUSED = [
    "..", ".", "a/../b", "../above", "/etc/passwd", "a//b", "a/", "", "a\nb", "a\tb", "\x1b[2J", "\u009b2J", "a\x7f", "a\0b", "x" * 5000]
# The sequences with which notesctl clears a line and draws its live list.
OWN = re.compile(r"\x1b\[(?:[0-9;]*[mKJH]|\?1049[hl]|\?25[hl])")
UNSAFE = re.compile("[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029]")
# A carriage return in the middle of a line overwrites the line.
RETURNS = re.compile(r"\r(?!\r*\n|\x1b\[K)")


class Onlooker:
    def __init__(self, checks, folder):
        self.checks = checks
        self.folder = folder
        self.daemon = Daemon(folder)
        self.program = os.path.join(os.environ["NOTESD_BIN_DIR"], "notesctl")
        self.home = os.path.join(folder, "home")
        os.mkdir(self.home, 0o700)
        self.variables = environment(
            self.home, NOTESD_SOCKET=self.daemon.socket, HOME=self.home, XDG_STATE_HOME=os.path.join(self.home, "state"),
            XDG_RUNTIME_DIR=self.home, TERM="xterm", NO_COLOR="1", NOTESD_PAGER="", LC_ALL="C.UTF-8")

    def run(self, *arguments, **variables):
        return subprocess.run(
            [self.program, *arguments], env=self.variables | variables, cwd=self.home, capture_output=True, text=True, timeout=PATIENCE_S,
            check=False, input="")

    def on_terminal(self, *arguments, until=None):
        """The output sent to a terminal; of a command that does not end, up to a given text."""
        process, end = pty.fork()
        if process == 0:
            os.chdir(self.home)
            os.execve(self.program, [self.program, *arguments], self.variables)
        shown, limit = b"", time.monotonic() + PATIENCE_S
        try:
            while select.select([end], [], [], max(0, limit - time.monotonic()))[0]:
                try:
                    part = os.read(end, 65_536)
                except OSError:
                    break
                shown += part
                if not part or (until and until in shown):
                    break
        finally:
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)
            os.close(end)
        return shown.decode("utf-8", errors="surrogateescape")

    def looks(self, *arguments, until=None, shows=None):
        shown = self.on_terminal(*arguments, until=until)
        said = f"notesctl {' '.join(arguments)!r}"
        unsafe = UNSAFE.findall(OWN.sub("", shown)) + RETURNS.findall(shown)
        self.checks.check(not unsafe, f"{said} sends no control sequences to a terminal", unsafe, shown)
        if shows:
            self.checks.check(shows in shown, f"{said} shows it", shows, shown)


def run(checks, folder):
    onlooker = Onlooker(checks, folder)
    try:
        names(onlooker)
        terminals(onlooker)
        exports(onlooker)
        drafts(onlooker)
        client_files_are_private(onlooker)
        code, said = onlooker.daemon.stop()
        checks.equal((code, said, onlooker.daemon.complaints()), (0, "", []), "the daemon ends without an error, and its store is intact")
        with open(onlooker.daemon.log, encoding="utf-8") as file:
            log = file.read()
        checks.check(not UNSAFE.findall(log), "its log has no control sequences", log[-2000:])
    finally:
        onlooker.daemon.end()


def names(onlooker):
    client = Client(onlooker.daemon.socket, "writer" + OBEYED)
    for name in NAMES:
        try:
            made = client.ask("note.create", text="text\n", name=name)["note"]
            onlooker.checks.equal(made["name"], name, "a name is kept as it is")
        except Refused as error:
            onlooker.checks.check(False, "a name is taken", name, error)
    before = client.ask("daemon.status")
    for name in REFUSED:
        try:
            client.ask("note.create", text="text\n", name=name)
            onlooker.checks.check(False, "a name is refused", name)
        except Refused as error:
            onlooker.checks.check(error.args[0]["code"] in (-32602, 2007), "a name that leads out of the directory is refused", name, error)
    # Halves of surrogate pairs, alone and in the wrong order.
    for escape in (r"\ud800", r"\udc00", r"\udc00\ud800", r"\ud800x", r"\uD83Dx\uDE00"):
        line = '{"jsonrpc":"2.0","id":"half","method":"note.create","params":{"text":"' + escape + '","name":"' + escape + '"}}\n'
        client.socket.sendall(line.encode("ascii"))
        answer = client.read()
        onlooker.checks.check(answer.get("error", {}).get("code") in (-32700, -32602), "half a character is refused", escape, answer)
    # Numbers that are out of range everywhere.
    got = client.ask("note.list")["notes"][0]
    for number in ("-1", "6", "9007199254740993", "9223372036854775808", "-9223372036854775809", "1e999", "1e2", "1.0", "9" * 400):
        edit = '{"start":' + number + ',"end":' + number + ',"text":"x"}'
        line = '{"jsonrpc":"2.0","id":"far","method":"note.edit","params":{"id":"%s","base":"%s","edits":[%s]}}\n'
        client.socket.sendall((line % (got["id"], got["version"], edit)).encode("ascii"))
        answer = client.read()
        onlooker.checks.check("error" in answer, "an invalid offset is refused", number, answer)
    after = client.ask("daemon.status")
    onlooker.checks.equal({name: before[name] for name in COUNTS}, {name: after[name] for name in COUNTS}, "nothing changed")
    client.close()


def terminals(onlooker):
    one, other = Client(onlooker.daemon.socket, "one" + OBEYED), Client(onlooker.daemon.socket, "other" + OBEYED)
    note = one.ask("note.create", text=f"# Title{OBEYED}\nbody{OBEYED}\n#tag{OBEYED}\n", name="evil" + TURNS)["note"]
    clash = one.ask("note.create", text=f"# A{OBEYED}\n", name="clash")["note"]
    one.ask("note.save", id=clash["id"], base=clash["version"], text=f"# B{OBEYED}\n")
    other.ask("note.save", id=clash["id"], base=clash["version"], text=f"# C{OBEYED}\n")
    id = note["id"]
    for arguments in (
            ["show", id], ["show", "--rendered", id], ["list"], ["list", "--json"], ["list", "--format", "{title} {name} {author}"], ["log"],
            ["history", id], ["history", "clash"], ["diff", id], ["diff", "clash"], ["conflicts"], ["conflicts", "clash"], ["show", "clash"],
            ["tags"], ["search", "body"], ["show", "--json", id], ["status"], ["audit"], ["doctor"], ["op"], ["metrics"]):
        onlooker.looks(*arguments)
    onlooker.looks("show", id, shows=r"\x1B]0;owned\x07")
    onlooker.looks("list", shows=r"\u{202E}")
    onlooker.looks("watch", until=b"connected")
    # Its own arguments occur in its messages.
    for arguments in (["show", "no\x1b[2Jne"], ["new", "a\x1b[2J"], ["show", id, "--format", "{\x1b[2J}"], ["\x1b[2J"], ["--\x1b[2J"],
                      ["--socket", "/no\x1b[2Jne", "list"], ["backup", "/no\x1b[2Jne/x"], ["export", "/no\x1b[2Jne/x"], ["import", "/no\x1b[2Jne"]):
        onlooker.looks(*arguments)
    # A program receives the original bytes.
    text = subprocess.run([onlooker.program, "show", id], env=onlooker.variables, capture_output=True, check=False).stdout
    onlooker.checks.check(OBEYED.encode() in text, "a pipe receives the original bytes", text)
    one.close()
    other.close()


def exports(onlooker):
    """Each name becomes a file below the directory, and no other file is written."""
    checks = onlooker.checks
    outside = os.path.join(onlooker.home, "outside")
    target = os.path.join(onlooker.home, "exported")
    os.mkdir(outside)
    os.mkdir(target)
    # The directory was prepared by an attacker: parts of names lead out of it.
    os.symlink(outside, os.path.join(target, "a"))
    os.symlink(outside, os.path.join(target, ".ssh"))
    os.symlink(os.path.join(outside, "written"), os.path.join(target, "con.md"))
    told = onlooker.run("export", target)
    checks.equal(os.listdir(outside), [], "an export writes through no link", told.stderr)
    checks.check("a/b/c/d" in told.stderr and ".ssh/authorized_keys" in told.stderr, "the omitted files are reported", told.stderr)
    for name in ("-rf", "--help", "-", ".hidden", "$(touch owned)", "`touch owned`", ";touch owned", "a\\b", "~root", "*", "notes.sqlite3"):
        path = os.path.join(target, name + ".md")
        checks.check(os.path.isfile(path) and not os.path.islink(path), "a note becomes a file of its name", name)
    link = os.path.join(target, "con.md")
    checks.check(os.path.islink(link) and "con.md" in told.stderr, "a link in the place of a file stays, and is reported", told.stderr)
    told = onlooker.run("export", "--force", target)
    checks.check(os.path.isfile(link) and not os.path.islink(link), "--force replaces a link, and does not follow it", told.stderr)
    checks.equal(os.listdir(outside), [], "a forced export writes through no link", told.stderr)
    checks.check("owned" not in os.listdir(onlooker.home), "a shell interprets no name")


def drafts(onlooker):
    """The file of an edit: in a private folder, new, and with a name that an editor takes for a
    file."""
    checks = onlooker.checks
    seen = os.path.join(onlooker.home, "seen")
    script = os.path.join(onlooker.home, "editor")
    with open(script, "w", encoding="ascii") as file:
        file.write(
            '#!/bin/sh\numask 0\n{ printf "%s\\n" "$#" "$1"; stat -c %a "$1" "$(dirname "$1")" "$(dirname "$(dirname "$1")")"; } >"' + seen + '"\n'
            'printf "more\\n" >>"$1"\n')
    os.chmod(script, 0o700)
    for name in NAMES:
        before = set(os.listdir(onlooker.home))
        told = onlooker.run("edit", "--", name, VISUAL=script, EDITOR=script)
        if not checks.equal(told.returncode, 0, "a note of that name can be edited", name, told.stderr):
            continue
        with open(seen, encoding="utf-8") as file:
            count, path, mode, folder, _above = file.read().splitlines()
        checks.equal((count, mode, folder), ("1", "600", "700"), "its file is one argument, and private", name, path)
        checks.check(path.startswith(onlooker.home + "/") and not os.path.basename(path).startswith(("-", ".")),
                     "its file is below the user's own folder, with a name that is not an option", path)
        checks.check(not os.path.lexists(path) and not os.path.lexists(os.path.dirname(path)), "nothing of it is left", path)
        checks.equal(set(os.listdir(onlooker.home)) - before - {"state", "seen"}, set(), "no other file is left", name)
    client = Client(onlooker.daemon.socket, "reader")
    for name in NAMES:
        checks.check(client.ask("note.get", name=name)["note"]["text"].endswith("more\n"), "the edited text is in the note", name)
    client.close()


def client_files_are_private(onlooker):
    """The client's own files."""
    open_to_others = []
    for folder, _, files in os.walk(os.path.join(onlooker.home, "state")):
        for path in [folder, *(os.path.join(folder, name) for name in files)]:
            if stat.S_IMODE(os.lstat(path).st_mode) & 0o077 and path != os.path.join(onlooker.home, "state"):
                open_to_others.append(path)
    onlooker.checks.equal(open_to_others, [], "the client's own files are private")
