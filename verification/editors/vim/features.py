#!/usr/bin/env python3
"""Tests the Vim plugin with a real Vim in a terminal, a real daemon, and a second client for the other
users. Keys are typed into the terminal.

usage: features.py [--seed N]
"""

import argparse
import json
import os
import pty
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "lib"))

from checks import Checks  # noqa: E402
from daemon import Client, Daemon  # noqa: E402
from places import PATIENCE_S, ROOT  # noqa: E402

ESC = "\x1b"


class Vim:
    """A Vim in a terminal, which evaluates expressions for the test through a socket."""

    def __init__(self, folder, daemon, *commands):
        self.folder = tempfile.mkdtemp(dir=folder)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(os.path.join(self.folder, "s"))
        listener.listen(1)
        listener.settimeout(PATIENCE_S)
        bin_dir = os.path.dirname(os.path.realpath(daemon.notesd))
        environment = dict(os.environ, NOTESD_SOCKET=daemon.socket, PATH=f"{bin_dir}:{os.environ['PATH']}", TERM="xterm", HOME=self.folder,
                           XDG_STATE_HOME=os.path.join(self.folder, "state"), LC_ALL="C.UTF-8")
        arguments = ["vim", "-u", "NONE", "-i", "NONE", "-N", "-n", "--cmd", f"set rtp^={ROOT}/editors/vim noesckeys backspace=2 hidden",
                     "-c", "runtime plugin/notesd.vim"]
        for command in (*commands, f"let driver = ch_open('unix:{self.folder}/s')"):
            arguments += ["-c", command]
        self.terminal, end = pty.openpty()
        self.process = subprocess.Popen(arguments, env=environment, cwd=self.folder, stdin=end, stdout=end, stderr=end, start_new_session=True)
        os.close(end)
        self.screen = b""
        threading.Thread(target=self.drain, daemon=True).start()
        try:
            self.socket, _ = listener.accept()
        except TimeoutError:
            sys.exit(f"Vim does not start: {self.screen!r}")
        self.socket.settimeout(PATIENCE_S)
        self.rest = b""
        self.asked = 0

    def drain(self):
        try:
            while piece := os.read(self.terminal, 65536):
                self.screen = (self.screen + piece)[-4000:]
        except OSError:
            pass

    def type(self, keys):
        os.write(self.terminal, keys.encode())

    def ask(self, expression):
        """The value of an expression."""
        self.asked -= 1
        self.socket.sendall(json.dumps(["expr", expression, self.asked]).encode() + b"\n")
        while b"\n" not in self.rest:
            self.rest += self.socket.recv(65536)
        line, _, self.rest = self.rest.partition(b"\n")
        return json.loads(line)[1]

    def text(self):
        """The text of the note, byte for byte."""
        return self.ask("join(getline(1, '$'), \"\\n\") .. (&endofline && getline(1, '$') != [''] ? \"\\n\" : '')")

    def mode(self):
        return self.ask("mode(1)")

    def host(self):
        """The number of the process of the host."""
        found = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True, check=False).stdout.split()
        return int(found[-1]) if found else None

    def quit(self):
        if self.process.poll() is None:
            self.type(f"{ESC}{ESC}:qall!\r")
            try:
                self.process.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


class Features:
    parts = ("opened", "together", "in_trouble", "undone", "written", "final_lines", "busy", "characters", "faulty", "left", "late", "parted", "people")

    def __init__(self, checks, folder):
        self.checks = checks
        self.folder = folder
        self.chance = random.Random(checks.seed)
        self.daemon = Daemon(folder)
        self.meet()
        self.vim = Vim(folder, self.daemon)
        self.count = 0

    # Helpers.

    def meet(self):
        self.other = Client(self.daemon.socket, label="other/test")

    def wait(self, condition, law, *details):
        until = time.monotonic() + PATIENCE_S
        while not condition() and time.monotonic() < until:
            time.sleep(0.01)
        if not condition():
            details = [detail() if callable(detail) else detail for detail in details]
            self.checks.check(False, law, *details, self.vim.text(), self.vim.ask("execute('messages')"), self.vim.mode())
            raise SystemExit(self.checks.finish())
        self.checks.check(True, law)

    def open(self, text):
        """Opens a new note with this text."""
        self.count += 1
        name = f"note {self.count}"
        self.note = self.other.ask("note.create", name=name, text=text)["note"]["id"]
        self.normal()
        self.vim.type(f":Note {name}\r")
        self.wait(lambda: self.vim.ask("bufname()") == f"notesd://{name}" and self.vim.ask("&modifiable"), "a note opens")
        # The test cannot see a single LF.
        self.wait(lambda: text == "\n" or self.vim.text() == self.shown_text(text), "its text is shown", text)

    def shown_text(self, text):
        return text if "\n" in text.replace("\r\n", "") else text.replace("\r\n", "\n")

    def stored(self):
        return self.other.ask("note.get", id=self.note)["note"]["text"]

    def save(self, change):
        """Changes the text as another user."""
        note = self.other.ask("note.get", id=self.note)["note"]
        self.other.ask("note.save", id=self.note, base=note["version"], text=change(note["text"]))

    def normal(self):
        self.vim.type(ESC)
        self.wait_mode("n")

    def wait_mode(self, mode):
        self.wait(lambda: self.vim.mode() == mode, f"the mode is {mode}")

    def insert(self, keys):
        """Begins Insert mode."""
        self.vim.type(keys)
        self.wait_mode("i")

    def agree(self, text, law, *details):
        self.wait(lambda: self.vim.text() == self.shown_text(text) and self.stored() == text, law, text, self.stored, *details)

    # Parts.

    def opened(self):
        self.vim.type(":Note missing\r")
        self.wait(lambda: ":Note! missing" in self.vim.ask("execute('messages')"), "a missing note is not created")
        self.vim.type(":Note! missing\r")
        self.wait(lambda: self.vim.ask("&modifiable"), "a note is created")
        self.note = self.other.ask("note.get", name="missing")["note"]["id"]
        self.insert("i")
        self.vim.type("one\rtwo")
        self.agree("one\ntwo\n", "text in a new note ends with LF")
        self.open("a\nb\n")
        self.checks.equal(self.vim.ask("getcompletion('Note mis', 'cmdline')"), ["missing"], "names are completed")
        self.normal()
        self.vim.type("yyp")
        self.agree("a\na\nb\n", "a line is put")
        self.vim.type("Gddggdd")
        self.agree("a\n", "lines are deleted")
        self.vim.type("dd")
        self.agree("", "the last line is deleted")
        self.vim.type(":e!\r")
        self.insert("i")
        self.vim.type("x")
        self.agree("x\n", "a note is opened again")

    def together(self):
        """Words of this user and of another, in two lines and with lines between them."""
        self.open("others:\nmine:\nshared: END\n")
        self.vim.type("jA")
        self.wait_mode("i")
        self.words(lambda _: None)
        self.vim.type(f"{ESC}j0fE")
        self.wait_mode("n")
        self.insert("i")
        self.vim.type("early ")
        self.wait(lambda: "shared: early END\n" in self.stored(), "words are typed amid a line", self.stored)
        self.save(lambda text: text.replace("shared:", "shared: now"))
        self.wait(lambda: "shared: now early END\n" in self.vim.text(), "others change the line")
        self.vim.type("late ")
        self.wait(lambda: "shared: now early late END\n" in self.stored(), "the caret keeps its place in the line", self.stored)

    def words(self, disturb, count=25):
        mine, others, lines = [], [], []
        for number in range(count):
            word = f" w{number}" + "äbc€d😀"[: self.chance.randrange(7)]
            half = self.chance.randrange(len(word))
            mine.append(word)
            self.vim.type(word[:half])
            disturb(number)
            if self.chance.random() < 0.6:
                others.append(f" o{number}")
                self.save(lambda text: text.replace("others:", f"others: o{number}", 1))
            if self.chance.random() < 0.4:
                lines.append(f"line {number}\n")
                self.save(lambda text: lines[-1] + text)
            self.vim.type(word[half:])
            time.sleep(self.chance.random() * 0.03)
        rest = "others:" + "".join(reversed(others)) + "\nmine:" + "".join(mine) + "\nshared: END\n"
        self.agree("".join(reversed(lines)) + rest, "each word is there once, in its line")
        place = self.vim.ask("getline('.')")
        self.checks.equal(place, "mine:" + "".join(mine), "the caret is in its line")

    def in_trouble(self):
        """The same while the host and the daemon are killed in the middle of words."""
        self.open("others:\nmine:\nshared: END\n")
        self.vim.type("jA")
        self.wait_mode("i")

        def disturb(number):
            kind = self.chance.random() if number not in (3, 9) else number / 10 - 0.3
            if kind < 0.15:
                self.kill_host()
            elif kind > 0.85 or number == 9:
                self.daemon.kill()
                self.vim.type("X")
                self.vim.type("\x7f")
                self.daemon.start()
                self.meet()

        self.words(disturb)

    def kill_host(self):
        host = self.vim.host()
        if host:
            try:
                os.kill(host, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def undone(self):
        self.open("one\ntwo\nthree\n")
        self.insert("jA")
        self.vim.type(" typed")
        self.agree("one\ntwo typed\nthree\n", "text is typed")
        self.vim.type(" here")
        self.agree("one\ntwo typed here\nthree\n", "text is typed later in the same insert")
        self.normal()
        self.insert("jA")
        self.vim.type(" more")
        self.normal()
        self.agree("one\ntwo typed here\nthree more\n", "text is typed")
        self.save(lambda text: "zero\n" + text.replace("one", "one of others"))
        shown = "zero\none of others\ntwo typed here\nthree more\n"
        self.agree(shown, "others' text comes")
        self.vim.type("u")
        self.agree(shown.replace(" more", ""), "u takes back own text only")
        self.vim.type("\x12")
        self.agree(shown, "CTRL-R brings it back")
        self.vim.type("2u")
        self.agree(shown.replace(" more", "").replace(" typed here", ""), "2u takes back two steps")
        self.vim.type(":redo\r")
        self.agree(shown.replace(" more", ""), ":redo brings a step back")
        self.vim.type(":undo\r")
        self.agree(shown.replace(" more", "").replace(" typed here", ""), ":undo takes it back")
        self.vim.type("u")
        self.wait(lambda: "Nothing of yours" in self.vim.ask("execute('messages')"), "nothing is left to undo")
        self.agree(shown.replace(" more", "").replace(" typed here", ""), "others' text stays")

    def written(self):
        self.open("one\n")
        self.insert("A")
        self.vim.type(" two")
        self.normal()
        self.vim.type(":w\r")
        self.wait(lambda: f'"note {self.count}" 8B, on disk' in self.vim.ask("execute('messages')"), ":w reports that it is on disk")
        self.checks.equal([self.stored(), self.vim.ask("&modified")], ["one two\n", 0], "it is on disk, and not modified")
        self.daemon.kill()
        self.insert("A")
        self.vim.type(" three")
        self.normal()
        self.vim.type(":w\r")
        self.wait(lambda: "is not on disk yet" in self.vim.ask("execute('messages')"), ":w reports that the daemon is away")
        self.checks.equal(self.vim.ask("&modified"), 1, "the text is modified")
        self.daemon.start()
        self.meet()
        self.agree("one two three\n", "it is sent when the daemon is back")
        self.wait(lambda: self.vim.ask("&modified") == 0, "it is not modified any more")

    def final_lines(self):
        self.open("a\nb")
        self.insert("A")
        self.vim.type("x")
        self.agree("ax\nb", "the end without LF stays")
        self.normal()
        self.insert("Go")
        self.vim.type("c")
        self.agree("ax\nb\nc", "the end without LF stays below a new line")
        self.normal()
        self.vim.type(":w\r")
        self.wait(lambda: "on disk" in self.vim.ask("execute('messages')"), "it is written")
        self.checks.equal(self.stored(), "ax\nb\nc", ":w adds no LF")
        self.vim.type(":set eol\r")
        self.agree("ax\nb\nc\n", ":set eol adds a LF")
        self.save(lambda text: text.rstrip("\n"))
        self.agree("ax\nb\nc", "others remove it")
        self.save(lambda text: text + "\nd\n")
        self.agree("ax\nb\nc\nd\n", "others add lines")
        for text in ("\n", "\n\n", "one line"):
            self.open(text)
            self.insert("A")
            self.vim.type("x")
            lines = text.split("\n")
            self.agree("\n".join([lines[0] + "x", *lines[1:]]), "a short note is changed", text)
        self.open("a\r\nb\r\n")
        self.insert("A")
        self.vim.type("1\r2")
        self.agree("a1\r\n2\r\nb\r\n", "CR LF stays")
        self.open("a\r\nb\n")
        self.checks.equal(self.vim.ask("getline(1)"), "a\r", "a single CR is shown")
        self.insert("jA")
        self.vim.type("1")
        self.agree("a\r\nb1\n", "a single CR stays")

    def with_host(self, command, part):
        """Runs a part with another Vim, in which this shell command is the host."""
        earlier = self.vim
        script = os.path.join(self.folder, "host.sh")
        with open(script, "w", encoding="utf-8") as file:
            file.write(command + "\n")
        self.vim = Vim(self.folder, self.daemon, f"let notesd_command = ['sh', '{script}']")
        try:
            part()
        finally:
            self.vim.quit()
            self.vim = earlier

    def busy(self):
        log = os.path.join(self.folder, "sent")
        self.with_host(f"tee {log} | notesctl attach --stdio", lambda: self.half_typed(log))

    def half_typed(self, log):
        seen = "one two\nthree four\nfive\n"

        def declined():
            with open(log, encoding="utf-8") as file:
                return file.read().count('"busy":true')

        for begin, mode, finish, after in (
            ("jd", "no", "w", "one two\nfour\nfive\n"),
            (":2s/three/", "c", "3/\r", "one two\n3 four\nfive\n"),
            ("jV", "V", "d", "one two\nfive\n"),
            ("jR", "R", "THREE" + ESC, "one two\nTHREE four\nfive\n"),
            ("\x16jI", "i", "- " + ESC, "- one two\n- three four\nfive\n"),
            ("A \x0e", "ic", "\x19", "one two three\nthree four\nfive\n"),
        ):
            self.open(seen)
            before = declined()
            self.vim.type(begin)
            self.wait_mode(mode)
            shown = self.vim.text()
            self.save(lambda text: "new\n" + text)
            self.wait(lambda: declined() > before, "others' text does not come while a command is half typed", begin)
            self.checks.equal(self.vim.text(), shown, "the text is as it was", begin)
            self.vim.type(finish)
            self.agree("new\n" + after, "the command changes what the user saw, and others' text comes", begin)
        self.open(seen)
        self.insert("jcw")
        self.save(lambda text: "new\n" + text)
        self.agree("new\none two\n four\nfive\n", "others' text comes after cw")
        self.vim.type("3")
        self.agree("new\none two\n3 four\nfive\n", "text goes where the word was")

    def characters(self):
        log = os.path.join(self.folder, "received")
        self.with_host(f"notesctl attach --stdio | tee {log}", self.all_characters)
        with open(log, encoding="utf-8") as file:
            self.checks.equal(file.read().count('"buffer.fault"'), 0, "no change is wrong")

    def all_characters(self):
        self.open("aaa bbb\n€uro ääää\n")
        self.insert("a")
        self.vim.type("aa")
        self.agree("aaaaa bbb\n€uro ääää\n", "equal characters are typed")
        self.normal()
        self.vim.type("j$xx")
        self.agree("aaaaa bbb\n€uro ää\n", "characters of two bytes are deleted")
        self.vim.type("rö0r¢")
        self.agree("aaaaa bbb\n¢uro äö\n", "characters are replaced, also by one with a common byte")
        self.insert("A")
        self.vim.type("\x16x00")
        self.vim.type("\x16ud800z")
        self.agree("aaaaa bbb\n¢uro äö?\ufffdz\n", "U+0000 and surrogates are replaced")
        self.normal()
        self.vim.type(":%s/a/A/g\r")
        self.agree("AAAAA bbb\n¢uro äö?\ufffdz\n", "lines are substituted")
        self.vim.type(":call append(0, range(5000)->map({_, v -> 'line ' .. v}))\r")
        self.wait(lambda: self.stored().count("\n") == 5002, "many lines are sent")
        self.vim.type(":g/line [0-9]*[1-9]$/d\r")
        self.wait(lambda: self.stored().count("\n") == 502 and self.stored() == self.vim.text(), "many lines are deleted")

    def faulty(self):
        """A message arrives with a wrong number, once."""

        def part():
            self.open("one\ntwo\n")
            self.insert("A")
            self.vim.type(" möre")
            self.save(lambda text: text.replace("two", "2"))
            self.vim.type(" text")
            self.agree("one möre text\n2\n", "after a fault, each word is there once")

        wrong = "0,/ö/{/ö/s/\"n\":[0-9]*/\"n\":9999/}"
        self.with_host(f"sed -u '{wrong}' | notesctl attach --stdio", part)

    def left(self):
        """Vim ends at once after the last character."""

        def part():
            self.open("one\n")
            self.insert("A")
            self.vim.type(f" two{ESC}:qall!\r")
            self.vim.process.wait(PATIENCE_S)
            until = time.monotonic() + PATIENCE_S
            while self.stored() != "one two\n" and time.monotonic() < until:
                time.sleep(0.01)
            self.checks.equal(self.stored(), "one two\n", "what was typed last is sent")

        self.with_host("exec notesctl attach --stdio", part)

    def late(self):
        """A note is opened while the daemon is away."""
        note = self.other.ask("note.create", name="late", text="one\n")["note"]
        self.daemon.kill()

        def part():
            self.vim.type(":Note late\r")
            self.wait(lambda: "daemon does not answer" in self.vim.ask("execute('messages')"), "the user knows that the daemon is away")
            self.checks.equal(self.vim.ask("&modifiable"), 0, "nothing can be typed before the text is there")
            self.daemon.start()
            self.meet()
            self.note = note["id"]
            self.agree("one\n", "the note is shown when the daemon is there")
            self.insert("A")
            self.vim.type(" two")
            self.agree("one two\n", "text is typed")

        self.with_host("exec notesctl attach --stdio", part)

    def parted(self):
        """The daemon comes back with an older store."""

        def part():
            self.open("one\n")
            self.daemon.stop()
            shutil.copytree(self.daemon.data, self.daemon.data + ".old")
            self.daemon.start()
            self.meet()
            self.insert("A")
            self.vim.type(" two")
            self.agree("one two\n", "text is typed")
            self.normal()
            self.daemon.stop()
            self.kill_host()
            shutil.rmtree(self.daemon.data)
            os.rename(self.daemon.data + ".old", self.daemon.data)
            self.daemon.start()
            self.meet()
            self.wait(lambda: "another text" in self.vim.ask("execute('messages')"), "the texts part")
            self.checks.equal(self.vim.text(), "one two\n", "the text is kept")
            other = self.vim.ask("matchstr(execute('messages'), 'sbuffer \\zs\\d*')")
            self.checks.equal(self.vim.ask(f"getbufline({other}, 1, '$')"), ["one", ""], "the daemon's text is there, too")
            self.vim.type(":edit!\r")
            self.agree("one\n", "the note shows the daemon's text")

        self.with_host("exec notesctl attach --stdio", part)

    def people(self):
        self.open("one\ntwo\n")
        note = self.other.ask("note.get", id=self.note)["note"]
        self.other.ask("presence.set", note=self.note, version=note["version"], selection={"start": 5, "end": 5})
        self.wait(lambda: "other/test), line 2" in self.vim.ask("execute('NotePeople')"), "people are listed")
        self.wait(lambda: [p["col"] for p in self.vim.ask("prop_list(2)")] == [2], "their places are shown")
        self.other.ask("note.delete", id=self.note, base=note["version"])
        self.wait(lambda: "deleted this note" in self.vim.ask("execute('messages')"), "the deletion is reported")

    def run(self, parts):
        try:
            for part in parts or self.parts:
                getattr(self, part)()
        finally:
            self.vim.quit()
            self.daemon.stop()
        self.checks.equal(self.daemon.verify(), "", "the store on disk is intact")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("parts", nargs="*")
    arguments = parser.parse_args()
    checks = Checks("vim features", arguments.seed)
    folder = tempfile.mkdtemp(prefix="notesd-vim-")
    try:
        Features(checks, folder).run(arguments.parts)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    checks.finish()


if __name__ == "__main__":
    main()
