#!/usr/bin/env python3
"""Tests of the extension for VS Code, in Node, with a stand-in for VS Code, a real daemon and real hosts.

usage: features.py [--seed N]

The stand-in (fake.js) has the text in another process than the extension, as VS Code has.
"""

import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "lib"))

from editor_features import EditorFeatures  # noqa: E402
from editors import VSCode, kept_drafts  # noqa: E402
from places import PATIENCE_S, ROOT  # noqa: E402


class Features(EditorFeatures):
    kind = VSCode
    parts = ("words", "in_trouble", "stopped_host", "moved_version", "at_caret", "hidden", "line_ends", "undo", "own_undo", "save", "offline", "conflict", "people",
             "names", "kept", "drafted", "crashed", "carriage_return", "packed")

    def begin(self):
        super().begin()
        self.random = random.Random(1)

    # Helpers.

    def open(self, name, text):
        """Creates a note and opens it."""
        note = self.create(name, text)
        self.editor.open(name)
        self.editor.settled()
        return note

    def write(self, note, change):
        """Changes the text as another user."""
        now = self.shown(note)
        self.other.ask("note.save", id=note["id"], base=now["version"], text=change(now["text"]))

    def same(self, note, text, law):
        """Waits until the editor shows this text and the daemon has it."""
        self.editor.wait(lambda state: state["settled"] and state["text"] == text, law)
        self.checks.equal(self.shown(note)["text"], text, law)

    def hosts(self):
        found = subprocess.run(["pgrep", "-P", str(self.editor.process.pid)], capture_output=True, text=True, check=False)
        return [int(number) for number in found.stdout.split()]

    def kill_hosts(self):
        for host in self.hosts():
            os.kill(host, signal.SIGKILL)

    def told(self, part):
        return any(part in entry["message"] for entry in self.editor.do("log"))

    def waits(self, condition, what):
        return self.editor.wait(condition, what)

    def places(self, note):
        """Where the daemon knows a caret of VS Code in the note."""
        shown = [each.get("presence") or {} for each in self.other.ask("dependents.list")["dependents"] if "/vscode" in (each.get("label") or "")]
        return [each["selection"]["start"] for each in shown if each.get("note") == note["id"] and each.get("selection")]

    def marked(self):
        """The first line of each mark, and the one behind its last."""
        return [(each["range"]["start"]["line"], each["range"]["end"]["line"]) for each in self.editor.do("marks")]

    def types(self, name, disturb, count, pause=5):
        """The user types words in the line `mine` while others write above and below it."""
        note = self.open(name, "others:\n\nmine:\n\nbelow:\n")
        self.editor.do("go", at=len("others:\n\nmine:"))
        for number in range(count):
            begun = self.editor.start("type", text=f" w{number}", pause=pause)
            try:
                place, word = self.random.choice((("others:", "o"), ("below:", "b"))), number
                self.write(note, lambda text, place=place, word=word: text.replace(place[0], f"{place[0]} {place[1]}{word}", 1))
            except (OSError, RuntimeError):
                self.meet()                           # the daemon was killed, or the version has moved
            self.editor.finish(begun)
            disturb(number)
        self.editor.settled()
        text = self.shown(note)["text"]
        self.waits(lambda state: state["text"] == text, "the daemon's text")
        lines = text.split("\n")
        self.checks.equal(lines[2], "mine:" + "".join(f" w{number}" for number in range(count)), "each word is in its line once")
        self.checks.equal([each.split(":")[0] for each in lines], ["others", "", "mine", "", "below", ""], "the lines are there")
        words = lines[0].split()[1:] + lines[4].split()[1:]
        self.checks.equal(len(words), len(set(words)), "others' words are there once", words)
        self.checks.equal(self.shown(note)["conflicts"], [], "nothing is in conflict")

    # The tests.

    def words(self):
        before = self.editor.do("counts")
        self.types("words", lambda _: None, 15, pause=40)
        after = self.editor.do("counts")
        self.checks.check(after["accept"] > before["accept"], "others' text arrives while the user types", before, after)

    def in_trouble(self):
        """The same while the host and the daemon are killed in the middle of words."""
        def disturb(number):
            if number % 4 == 2:
                self.kill_hosts()
            elif number % 7 == 3:
                self.daemon.restart()
                self.meet()
        self.types("trouble", disturb, 16)

    def stopped_host(self):
        """The host stops in the middle of a word, and is killed before it goes on."""
        note = self.open("stopped", "a\n\nmine: \n")
        self.editor.do("go", at=9)
        for number in range(3):
            hosts = self.hosts()
            for host in hosts:
                os.kill(host, signal.SIGSTOP)
            self.editor.do("type", text=f"s{number} ")
            self.write(note, lambda text, number=number: f"{number}" + text)
            for host in hosts:
                os.kill(host, signal.SIGKILL if number else signal.SIGCONT)
            self.editor.settled()
        self.same(note, "210a\n\nmine: s0 s1 s2 \n", "words while the host was stopped are there once")

    def moved_version(self):
        """Others' text meets a document that changes all the time and far from the extension."""
        before = self.editor.do("counts")
        self.editor.do("slow", ms=40)
        self.types("moved", lambda _: None, 12, pause=20)
        after = self.editor.do("counts")
        self.editor.do("slow", ms=4)
        self.checks.check(after["decline"] > before["decline"], "an edit for another version is declined", before, after)

    def at_caret(self):
        """Others insert where the user types: no word is split."""
        note = self.open("caret", "line\n")
        self.editor.do("go", at=4)
        for number in range(2):
            begun = self.editor.start("type", text=" together", pause=60)
            time.sleep(0.15)
            now = self.shown(note)
            end = len(now["text"]) - 1
            self.other.ask("note.edit", id=note["id"], base=now["version"], edits=[{"start": end, "end": end, "text": f" <{number}>"}])
            self.editor.finish(begun)
        self.editor.settled()
        text, since = self.shown(note)["text"], time.monotonic()
        self.waits(lambda state: state["text"] == text, "others' text after a rest")
        self.checks.check(time.monotonic() - since < 15, "it comes after a rest")
        self.checks.equal((text.count("together"), [text.count(f"<{number}>") for number in range(2)]), (2, [1, 1]), "no word is split", text)

    def hidden(self):
        """A document that no editor shows."""
        note = self.open("hidden", "a\nb\n")
        self.editor.do("hide")
        for word in ("x", "y"):
            self.write(note, lambda text, word=word: word + text)
        self.same(note, "yxa\nb\n", "a document without an editor follows")
        self.editor.do("close")

    def line_ends(self):
        """CR LF, characters of two code units, and what a note cannot have."""
        note = self.open("ends", "a𝄞\r\nb\r\n")
        self.editor.do("insert", at=len("a𝄞".encode()), text="é𝄞\nx")
        self.same(note, "a𝄞é𝄞\r\nx\r\nb\r\n", "a note with CR LF keeps it")
        self.write(note, lambda text: "𝄞" + text)
        self.same(note, "𝄞a𝄞é𝄞\r\nx\r\nb\r\n", "others' text in a note with CR LF")
        note = self.open("chosen", "a\nb\n")
        self.editor.do("crlf")
        self.editor.do("insert", at=4, text="c\nd")
        self.same(note, "a\nb\nc\nd", "a document with CR LF, chosen by the user, leaves the note as it is")
        self.write(note, lambda text: text.replace("b", "b, B"))
        self.same(note, "a\nb, B\nc\nd", "others' text in a document with CR LF")
        note = self.open("lone", "")
        self.editor.do("type", text="a\0b")
        self.waits(lambda state: state["settled"], "what a note cannot have")
        self.checks.equal(self.shown(note)["text"], "a\ufffdb", "what a note cannot have is replaced")

    def undo(self):
        """Ctrl+Z undoes own changes, step by step, wherever others' text is."""
        note = self.open("undo", "one\n\ntwo\n")
        self.editor.do("insert", at=3, text=" abc")
        self.editor.settled()
        self.write(note, lambda text: text.replace("two", "TWO two"))
        self.same(note, "one abc\n\nTWO two\n", "others' text")
        self.editor.do("insert", at=len("one abc\n\nTWO two"), text=" xyz")
        self.editor.settled()
        self.write(note, lambda text: "above\n" + text)
        self.waits(lambda state: state["text"].startswith("above"), "others' text")
        for text in ("one abc\n\nTWO two\n", "one\n\nTWO two\n"):
            self.checks.check(self.editor.do("undo"), "there is a step to undo")
            self.same(note, "above\n" + text, "undo takes back one own step")
        self.waits(lambda state: (state["row"], state["col"]) == (1, 3), "the caret where it was")
        self.checks.check(not self.editor.do("undo"), "nothing else is undone")
        self.checks.check(self.told("Nothing of yours to undo"), "the user is told so")
        self.editor.do("redo")
        self.same(note, "above\none abc\n\nTWO two\n", "redo")

    def own_undo(self):
        """The undo of the menu is a change like others, and is undone as one."""
        note = self.open("menu", "a\n")
        self.editor.do("insert", at=1, text="x")
        self.editor.settled()
        self.write(note, lambda text: "others\n" + text)
        self.same(note, "others\nax\n", "others' text")
        self.editor.do("menuUndo")
        self.waits(lambda state: state["settled"] and state["text"] == "ax\n", "the undo of the menu")
        self.wait_for(lambda: self.told("The undo of the menu"), "the user is warned")
        self.editor.do("undo")
        self.same(note, "others\nax\n", "Ctrl+Z brings back what the menu took")

    def save(self):
        note = self.open("save", "a\n")
        for word in ("x", "y"):
            self.editor.do("insert", at=1, text=word)
            answer = self.editor.do("save")
            self.checks.check(answer["durable"], "the text is saved", answer)
            self.checks.check(word in self.shown(note)["text"], "what is saved is in the note")
            self.checks.check(not self.editor.state()["modified"], "the document is not modified")

    def offline(self):
        """Typing goes on without the daemon; saving reports it, and the text is sent later, once."""
        note = self.open("offline", "a\n")
        self.daemon.kill()
        self.waits(lambda state: state["bar"] and "offline" in state["bar"], "the word offline")
        self.editor.do("insert", at=1, text=" offline")
        answer = self.editor.do("save")
        self.checks.check(not answer["durable"] and answer["message"], "saving without the daemon fails", answer)
        self.kill_hosts()
        time.sleep(0.5)
        self.editor.do("type", text=" more")
        self.daemon.start()
        self.meet()
        self.same(note, "a offline more\n", "what was typed offline is there once")
        self.waits(lambda state: "saved" in state["bar"], "the word saved")

    def conflict(self):
        for number, (action, text, mark) in enumerate((("Keep both", "x\na\n1\n2\nc\n", 2), ("Take other's", None, 2), ("Take", None, 2))):
            note = self.open(f"conflict{number}", "a\nb\nc\n")
            self.write_at_once(note, "a\n1\nc\n", "a\n2\nc\n")
            self.wait_for(lambda: len(self.editor.do("marks")) == 1, "a conflict is marked")
            self.editor.settled()
            both = self.editor.text()
            self.wait_for(lambda mark=mark: self.marked() == [(1, 1 + mark)], "the mark is at its lines", lambda: self.editor.do("marks"))
            if number == 0:
                hosts = self.hosts()
                for host in hosts:
                    os.kill(host, signal.SIGSTOP)
                self.editor.do("insert", at=0, text="x\n")
                self.wait_for(lambda mark=mark: self.marked() == [(2, 2 + mark)], "the mark moves with the text", self.marked)
                for host in hosts:
                    os.kill(host, signal.SIGCONT)
                self.editor.settled()
                both = self.editor.text()
            titles = [each["title"] for each in self.editor.do("actions")]
            self.checks.check(titles[0] == "Keep both" and len(titles) == 3 and all("other/test" in title for title in titles[1:]), "the actions", titles)
            self.checks.check(self.editor.do("act", title="Keep both" if number == 0 else titles[number]), action)
            self.wait_for(lambda note=note: self.shown(note)["conflicts"] == [], "the conflict is resolved")
            self.editor.settled()
            self.same(note, both if number == 0 else f"a\n{number}\nc\n" if self.shown(note)["text"] == f"a\n{number}\nc\n" else f"a\n{3 - number}\nc\n", action)
            self.wait_for(lambda: self.editor.do("marks") == [], "nothing is marked any more")
            self.checks.check(text is None or len(both.split("\n")) == len(text.split("\n")), "both texts were there", both)

    def people(self):
        note = self.open("people", "one\ntwo\n")
        self.other.ask("presence.set", note=note["id"], version=self.shown(note)["version"], selection={"start": 4, "end": 4})
        self.wait_for(lambda: len(self.editor.do("carets")) == 1, "others' carets are shown", lambda: self.editor.do("people"))
        self.checks.equal(self.editor.do("carets")[0]["range"]["start"], {"line": 1, "character": 0}, "a caret is at its place")
        self.waits(lambda state: "2 here" in state["bar"], "the number of people")
        self.editor.do("insert", at=3, text="!")
        self.wait_for(lambda: self.places(note) == [4], "others see the caret", lambda: self.places(note))
        self.editor.do("go", at=1)
        self.wait_for(lambda: self.places(note) == [1], "others see that the caret moved", lambda: self.places(note))
        self.other.ask("presence.set", note=None)
        self.wait_for(lambda: self.editor.do("carets") == [], "carets go")

    def names(self):
        """New notes and today's."""
        self.editor.do("create", note="work/new")
        self.editor.do("type", text="text")
        self.editor.settled()
        self.checks.equal(self.other.ask("note.get", name="work/new")["note"]["text"], "text", "a new note has what was typed")
        self.create("there", "existing\n")
        self.editor.do("create", note="there")
        self.editor.settled()
        self.checks.equal(self.editor.text(), "existing\n", "an existing note is opened")
        self.editor.do("today")
        self.editor.settled()
        self.checks.check("text" in self.other.ask("note.get", name=time.strftime("diary/%Y-%m-%d"))["note"], "today's note")

    def kept(self):
        """VS Code kept an older text over a restart: the note is not changed by it."""
        note = self.create("kept", "new\n")
        self.editor.do("restore", note=note["id"], kept="old, and more\n")
        self.same(note, "new\n", "a text that VS Code kept does not change the note")
        self.wait_for(lambda: "old, and more\n" in self.editor.do("others"), "it is shown beside")
        self.editor.do("type", text="x")
        self.same(note, "xnew\n", "typing goes on")

    def drafted(self):
        """VS Code ends while the daemon is away: the next one has the text."""
        note = self.open("drafted", "a\n")
        self.daemon.kill()
        self.editor.do("insert", at=1, text=" kept")
        self.editor.quit()
        self.daemon.start()
        self.meet()
        self.begin()
        self.editor.open("drafted")
        self.same(note, "a kept\n", "the draft is taken up")

    def crashed(self):
        """VS Code and its host are killed while the daemon is away, after another host ended: the draft has all."""
        note = self.open("crashed", "a\n")
        self.daemon.kill()
        self.editor.do("insert", at=1, text=" one")
        self.kill_hosts()
        time.sleep(1)
        self.editor.do("type", text=" two")
        self.wait_for(lambda: any("one two" in text for text in kept_drafts(self.editor.folder).values()), "the draft has all")
        hosts = self.hosts()
        self.editor.kill()
        self.wait_for(lambda: not any(os.path.exists(f"/proc/{host}") for host in hosts), "the host ends")
        self.daemon.start()
        self.meet()
        self.begin()
        self.editor.open("crashed")
        self.same(note, "a one two\n", "the draft is taken up")

    def carriage_return(self):
        """VS Code makes all line ends alike, so such a note is shown only, and one that becomes so stops."""
        self.create("mixed", "a\r\nb\nc\rd")
        self.editor.open("mixed")
        self.checks.check(self.editor.state()["readOnly"], "a note with mixed line ends is read-only")
        note = self.open("returns", "a\nb\n")
        self.write(note, lambda text: text.replace("a", "a\rx"))
        self.waits(lambda state: state["status"] == "stopped", "the end")
        self.checks.check(self.told("carriage return"), "the user is told so")
        self.editor.do("type", text="lost")
        self.checks.check(not self.editor.do("save")["durable"], "saving fails")
        self.checks.equal(self.shown(note)["text"], "a\rx\nb\n", "the note is as the other left it")

    def packed(self):
        """The package is the same each time, and has all files that the extension requires."""
        script = os.path.join(ROOT, "editors", "vscode", "scripts", "vsix")
        digests = set()
        for number in range(2):
            path = os.path.join(self.folder, f"{number}.vsix")
            subprocess.run([script, path], check=True, stdout=subprocess.DEVNULL, timeout=PATIENCE_S)
            with open(path, "rb") as file:
                digests.add(hashlib.sha256(file.read()).hexdigest())
        self.checks.equal(len(digests), 1, "the package is reproducible")
        with zipfile.ZipFile(path) as archive:
            self.checks.check({"extension.vsixmanifest", "[Content_Types].xml"} <= set(archive.namelist()), "the package has its manifest")
            archive.extractall(os.path.join(self.folder, "packed"))
        script = ("const M = require('module'); const r = M._resolveFilename; M._resolveFilename = (n, ...x) => n === 'vscode' ? process.argv[1] : r.call(M, n, ...x);"
                  "const e = require(process.argv[2]); process.exit(typeof e.activate === 'function' ? 0 : 1)")
        done = subprocess.run(["node", "-e", script, os.path.join(os.path.dirname(os.path.realpath(__file__)), "fake.js"),
                               os.path.join(self.folder, "packed", "extension", "extension.js")], check=False, timeout=PATIENCE_S)
        self.checks.equal(done.returncode, 0, "the packed extension loads")


if not shutil.which("node"):
    print("vscode features: skipped: no node on this machine")
    sys.exit(0)
Features.main()
