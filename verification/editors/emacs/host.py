#!/usr/bin/env python3
"""Tests of the Emacs package with notesctl: words while the host and the daemon are killed, commands
that keep positions, undo, and what the host reports.

usage: host.py [--seed N]
"""

import os
import random
import shutil
import signal
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "lib"))

from editors import Emacs  # noqa: E402
from emacs_features import EmacsFeatures  # noqa: E402
from places import program  # noqa: E402


class Host(EmacsFeatures):
    parts = ("query_replace", "words", "in_trouble", "completion", "carets", "steps", "one_step", "points", "modified", "chain", "other_undo", "lines_of_others", "sides",
             "apart", "running", "faulty", "rare_hooks", "too_large", "parted", "quitting", "late")

    # Helpers.

    def open(self, name, text):
        """Creates a note and opens it."""
        note = self.create(name, text)
        self.editor.open(name)
        self.editor.settled()
        return note

    def save(self, note, change):
        """Changes the text as another user."""
        now = self.shown(note)
        self.other.ask("note.save", id=note["id"], base=now["version"], text=change(now["text"]))

    def same(self, note, text, law):
        """Waits until the editor shows this text and the daemon has it."""
        self.editor.wait(lambda state: state["settled"] and state["text"] == text, law)
        self.checks.equal(self.shown(note)["text"], text, law)

    def told(self):
        return [entry["message"] for entry in self.editor.do("log")]

    def with_command(self, command, part):
        """Runs a part with an Emacs of its own, for which this shell command is the host."""
        earlier, script = self.editor, os.path.join(self.folder, "host.sh")
        with open(script, "w", encoding="utf-8") as file:
            file.write(command.replace("notesctl", program("notesctl")) + "\n")
        self.editor = Emacs("other", self.folder, self.daemon.socket)
        self.editor.do("eval", code=f'(setq notesd-command (list "sh" "{script}"))')
        try:
            part()
        finally:
            self.editor.kill()
            self.editor = earlier

    # The tests.

    def words(self):
        note = self.open("words", "others:\nmine:\nshared: END\n")
        self.type_words(note, lambda _: None)

    def in_trouble(self):
        """The same while the host and the daemon are killed in the middle of words."""
        note = self.open("trouble", "others:\nmine:\nshared: END\n")

        def disturb(number):
            if number in (3, 8) or self.chance.random() < 0.12:
                self.kill_host()
            elif number == 6 or self.chance.random() < 0.08:
                self.daemon.kill()
                self.lisp('(insert "X")')
                self.lisp("(delete-char -1)")
                self.daemon.start()
                self.meet()

        self.type_words(note, disturb)

    def type_words(self, note, disturb, count=25):
        """Words of this user and of another, in two lines, with lines between them."""
        self.lisp('(progn (goto-char (point-min)) (search-forward "mine:"))')
        mine, others, lines = [], [], []
        for number in range(count):
            word = f" w{number}" + "äbc€d😀"[: self.chance.randrange(7)]
            half = self.chance.randrange(len(word))
            mine.append(word)
            self.lisp(f'(insert "{word[:half]}")')
            disturb(number)
            if self.chance.random() < 0.6:
                others.append(f" o{number}")
                self.save(note, lambda text: text.replace("others:", f"others: o{number}", 1))
            if self.chance.random() < 0.4:
                lines.append(f"line {number}\n")
                self.save(note, lambda text: lines[-1] + text)
            self.lisp(f'(insert "{word[half:]}")')
            time.sleep(self.chance.random() * 0.03)
        rest = "others:" + "".join(reversed(others)) + "\nmine:" + "".join(mine) + "\nshared: END\n"
        self.same(note, "".join(reversed(lines)) + rest, "each word is there once, in its line")
        line = self.lisp("(buffer-substring-no-properties (line-beginning-position) (point))")
        self.checks.equal(line, '"mine:' + "".join(mine) + '"', "point is behind the last word")

    def query_replace(self):
        """Others write while the user is asked about a place: the answers apply to what the user saw."""
        lines = "head\n" + "".join(f"foo {number}\n" for number in range(1, 6))
        note = self.open("query", lines)
        # While the command reads, others' text comes from the process and must wait.
        reads = ("(lambda (&rest _) (while (and (not (notesd-note-busy notesd-sync-note)) (< test-asked 1)) (accept-process-output nil 0.02))"
                 " (setq test-asked (1+ test-asked)) (aref \"ynyq\" (1- test-asked)))")
        reading = os.path.join(self.folder, "asked")
        number = self.editor.start("eval", code=f"""(with-current-buffer (window-buffer)
            (setq test-asked 0) (goto-char (point-min)) (write-region "" nil "{reading}" nil 'silent)
            (let ((this-command 'query-replace)) (cl-letf (((symbol-function 'read-event) {reads})) (query-replace "foo" "bar"))))""")
        self.wait_for(lambda: os.path.exists(reading), "query-replace asks")
        self.save(note, lambda text: "above\n" + text)
        self.editor.finish(number)
        replaced = lines.replace("foo 1", "bar 1").replace("foo 3", "bar 3")
        self.same(note, "above\n" + replaced, "the places that the user saw are replaced")
        self.editor.do("undo")
        self.same(note, "above\n" + lines.replace("foo 1", "bar 1"), "undo takes back one answer, as in other buffers")
        self.editor.do("undo")
        self.same(note, "above\n" + lines, "and then the one before")

    def completion(self):
        note = self.open("completion", "wor\nnext\n")
        self.lisp("(progn (goto-char 4) (let ((completion-at-point-functions (list (lambda () '(1 4 (\"word\" \"work\"))))))"
                  " (completion-at-point)))")
        self.checks.equal(self.lisp("(and completion-in-region-mode t)"), "t", "a completion is open")
        self.save(note, lambda text: "above\n" + text)
        self.wait_for(lambda: self.lisp("(notesd-note-busy notesd-sync-note)") == "t", "another's change waits")
        self.checks.equal(self.editor.text(), "wor\nnext\n", "the text stays while a completion is open")
        self.lisp("(completion-in-region-mode -1)")
        self.same(note, "above\nwor\nnext\n", "the change comes when it is closed")
        self.lisp("(delete-other-windows)")

    def carets(self):
        note = self.open("carets", "shared: END\n")
        self.lisp('(progn (goto-char (point-min)) (search-forward "shared: ") (insert "early "))')
        self.same(note, "shared: early END\n", "words are typed amid a line")
        self.save(note, lambda text: text.replace("shared:", "shared: now"))
        self.same(note, "shared: now early END\n", "others change the line")
        self.lisp('(insert "late ")')
        self.same(note, "shared: now early late END\n", "point keeps its place in the line")

    def steps(self):
        note = self.open("steps", "one\ntwo\nthree\n")
        for line, word in (("two", " typed"), ("three", " more")):
            self.lisp(f'(progn (goto-char (point-min)) (search-forward "{line}"))')
            self.editor.do("keys", keys=word.replace(" ", "SPC ", 1).replace("typed", "t y p e d").replace("more", "m o r e"))
        self.same(note, "one\ntwo typed\nthree more\n", "text is typed")
        self.save(note, lambda text: "zero\n" + text.replace("one", "one of others"))
        shown = "zero\none of others\ntwo typed\nthree more\n"
        self.same(note, shown, "others' text comes")
        self.editor.do("undo")
        self.same(note, shown.replace(" more", ""), "undo takes back own text only")
        self.checks.equal(self.lisp("(line-number-at-pos)"), "4", "point is where it was taken back")
        self.editor.do("redo")
        self.same(note, shown, "undo-redo brings it back")
        self.press("C-u 2 M-x undo-only RET")
        self.same(note, shown.replace(" more", "").replace(" typed", ""), "a count takes back several steps")
        self.checks.equal(self.editor.do("undo"), False, "nothing is left to undo")
        self.same(note, shown.replace(" more", "").replace(" typed", ""), "others' text stays")

    def one_step(self):
        """What Emacs takes for one step of undo is one."""
        note = self.open("one step", "alpha\nbeta\nalpha\nbeta\n")
        self.press("M-< a b c C-e SPC")
        self.lisp("(progn (goto-char (point-min)) (replace-regexp \"beta\" \"B\") (undo-boundary))")
        self.editor.do("undo")
        self.same(note, "abcalpha \nbeta\nalpha\nbeta\n", "a command in several places is one step")
        self.editor.do("undo")
        self.same(note, "abcalpha\nbeta\nalpha\nbeta\n", "typing after a movement is a step")
        self.editor.do("undo")
        self.same(note, "alpha\nbeta\nalpha\nbeta\n", "typing without one is one step")

    def points(self):
        """Keys and undo in a note and in another buffer: text and point are the same. Redo puts point where
        the text changes, also if that is ambiguous."""
        text = "one two three\nfour five\n\nsix seven\n"
        moves = ["M-<", "C-f", "M-f", "C-n", "C-e", "C-a", "M-b", "M->"]
        changes = ["a b c", "DEL", "C-d", "M-d", "M-DEL", "M-u", "C-k", "C-o", "RET", "C-x C-t", "M-t", "C-SPC M-f C-w", "C-SPC M-b C-w",
                   "M-SPC", "M-z o"]
        undo = ("(let ((places nil) (last-command nil) (inhibit-message t)) (dolist (command '(undo-only undo-only undo-redo) (nreverse places))"
                " (undo-boundary) (let ((this-command 'undo)) (condition-case nil (funcall command 1) (user-error nil)))"
                " (setq last-command 'undo) (push (list (if (eq command 'undo-only) (point)) (buffer-string)) places)))")
        for number in range(25):
            # The same change twice may change nothing, and so be no step.
            steps = [" ".join([*self.chance.choices(moves, k=self.chance.randrange(1, 4)), change])
                     for change in self.chance.sample(changes, 3)]
            places = []
            for other in (False, True):
                if other:
                    self.lisp(f'(progn (switch-to-buffer "plain") (text-mode) (buffer-enable-undo) (erase-buffer) (insert {self.quoted(text)}))')
                else:
                    self.open(f"points {number}", text)
                self.lisp("(progn (goto-char (point-min)) (deactivate-mark) (setq buffer-undo-list nil))")
                # Some keys signal an error, as at an end of the buffer.
                for step in steps:
                    self.lisp(f'(condition-case nil (execute-kbd-macro (kbd "{step}")) (error nil))')
                    # What comes and goes within milliseconds is no step.
                    self.lisp("(notesd-sync-flush)")
                places.append(self.lisp(undo))
                self.lisp("(progn (set-buffer-modified-p nil) (kill-buffer))")
            self.checks.equal(places[0], places[1], "text and point are as in another buffer", steps)
        self.open("redone", "one two three\n")
        for keys, place in (("M-f DEL DEL", "2"), ("M-< M-f a b", "2")):
            self.press(keys)
            self.editor.do("undo")
            self.editor.do("redo")
            self.checks.equal(self.lisp("(point)"), place, "redo puts point at the start of what it changes", keys)

    @staticmethod
    def quoted(text):
        return '"' + text.replace("\n", "\\n") + '"'

    def modified(self):
        """A buffer is modified from an undo until that is on disk, and not by text that comes and goes."""
        note = self.open("modified", "one\n")
        self.press("M-< m i n e SPC")
        self.same(note, "mine one\n", "text is typed")
        self.lisp("(progn (setq test-modified nil) (advice-add 'notesd-take--saved :before"
                  " (lambda (&rest _) (push (buffer-modified-p) test-modified)) '((name . test))))")
        self.lisp("(undo)")
        self.checks.check(self.lisp("(or (buffer-modified-p) test-modified)") != "nil", "the buffer is modified after an undo")
        self.same(note, "one\n", "undo takes back the text")
        self.checks.equal(self.lisp("(list (buffer-modified-p) test-modified)"), "(nil (t))", "it is not any more when that is on disk")
        self.lisp("(advice-remove 'notesd-take--saved 'test)")
        self.lisp('(progn (insert "x") (delete-char -1))')
        self.editor.settled()
        self.checks.equal(self.lisp("(buffer-modified-p)"), "nil", "nor after a character that comes and goes")

    def chain(self):
        """After another command, undo reverts what undo did, and then goes on."""
        note = self.open("chain", "x\n")
        for word in ("a", "b"):
            self.press(f"M-> {word} RET")
            self.lisp("(undo-boundary)")
        self.same(note, "x\na\nb\n", "two lines are typed")
        self.press("M-< C-/ C-/")
        self.checks.check("b" not in self.editor.text(), "undo takes back steps", self.editor.text())
        self.press("C-b C-/ C-/")
        self.same(note, "x\na\nb\n", "after a movement, it brings them back")
        self.press("C-b C-/ C-/ C-/ C-/")
        self.same(note, "x\n", "with more presses, it takes back all")

    def other_undo(self):
        """Commands and packages that call `undo` by name do not take out what others wrote."""
        note = self.open("by name", "one\n")
        self.press("M-< m i n e SPC")
        self.same(note, "mine one\n", "text is typed")
        self.save(note, lambda text: "theirs\n" + text)
        self.same(note, "theirs\nmine one\n", "others' text comes")
        self.lisp("(undo)")
        self.same(note, "theirs\none\n", "undo takes back own text only")
        self.lisp("(undo-redo)")
        self.same(note, "theirs\nmine one\n", "undo-redo brings it back")
        self.press("M-x undo RET")
        self.same(note, "theirs\none\n", "M-x undo takes it back")
        self.lisp("(primitive-undo 1 buffer-undo-list)")
        self.same(note, "theirs\none\n", "the undo list of Emacs has nothing of others")

    def lines_of_others(self):
        """A line that others move away and back, and a step whose lines are gone."""
        note = self.open("moved", "one\ntwo\nthree\n")
        self.lisp('(progn (goto-char (point-min)) (search-forward "two") (insert " typed") (undo-boundary))')
        self.same(note, "one\ntwo typed\nthree\n", "text is typed")
        self.save(note, lambda text: "one\nthree\n")
        self.same(note, "one\nthree\n", "others delete the line")
        self.editor.do("undo")
        self.editor.settled()
        self.checks.check("typed" not in self.editor.text(), "undo does not bring back the typed text", self.editor.text())

    def sides(self):
        """The sides of a conflict: `mine` is what this Emacs wrote."""
        note = self.open("sides", "a\nb\nc\n")
        for command, law, expected in (("notesd-keep-mine", "the own side", "MINE"), ("notesd-keep-other", "the other's side", "THEIRS"),
                                       ("notesd-keep-base", "the text before", "b")):
            self.save(note, lambda text: "a\nb\nc\n")
            self.same(note, "a\nb\nc\n", "the text is as in the beginning")
            base = self.shown(note)["version"]
            self.daemon.freeze()
            self.lisp('(progn (goto-char (point-min)) (search-forward "b") (delete-char -1) (insert "MINE"))')
            self.daemon.process.send_signal(signal.SIGCONT)
            self.editor.settled()
            self.other.ask("note.save", id=note["id"], base=base, text="a\nTHEIRS\nc\n")
            self.wait_for(lambda: self.lisp("(length notesd-conflicts--overlays)") == "1", "the conflict is highlighted")
            self.editor.wait(lambda state: state["settled"] and "THEIRS" in state["text"], "both sides")
            self.lisp(f"(progn (goto-char (point-min)) (notesd-next-conflict) ({command}))")
            self.same(note, f"a\n{expected}\nc\n", law)
            self.wait_for(lambda: self.shown(note)["conflicts"] == [], "the conflict is resolved")
            self.wait_for(lambda: self.lisp("(length notesd-conflicts--overlays)") == "0", "and not highlighted")
        self.lisp("(delete-other-windows)")

    def apart(self):
        """Two Emacsen of one user have different labels."""
        if "presence" not in self.other.hello["capabilities"]:
            return
        note = self.open("apart", "one\ntwo\n")
        second = Emacs("second", self.folder, self.daemon.socket)
        second.open("apart")
        second.settled()
        second.do("insert", at=4, text="x")
        names = "(mapcar #'notesd-presence--name notesd-presence--others)"
        writer = second.do("eval", code="notesd-rpc-writer").strip('"')
        self.wait_for(lambda: writer in self.lisp(names), "the other Emacs is shown with its own digits", self.lisp(names))
        self.same(note, "one\nxtwo\n", "its text comes")
        second.quit()
        self.wait_for(lambda: self.lisp(names) == "nil", "it is not shown any more")

    def running(self):
        """The draft of an Emacs that is still running is its own affair."""
        note = self.open("running", "one\n")
        self.offline()
        self.editor.do("insert", at=0, text="x")
        self.drafted("xone\n")
        host = self.host()
        os.kill(host, signal.SIGSTOP)
        self.online()
        second = Emacs("second", self.folder, self.daemon.socket)
        second.do("eval", code=f'(setenv "XDG_STATE_HOME" "{self.editor.folder}/state")')
        second.open("running")
        second.settled()
        self.checks.equal([self.shown(note)["text"], len(self.drafts())], ["one\n", 1], "another Emacs does not send it")
        second.quit()
        os.kill(host, signal.SIGCONT)
        self.same(note, "xone\n", "the first Emacs goes on")
        self.wait_for(lambda: self.drafts() == {}, "and its draft is removed when everything is durable", self.drafts())

    def too_large(self):
        note = self.open("too large", "one\n")
        self.lisp(r'(progn (goto-char (point-max)) (dotimes (_ 43000) (insert (make-string 99 ?x) "\n")))')
        self.wait_for(lambda: "REFUSED" in self.lisp("(notesd-mode-line)"), "a text that is too large is refused")
        self.checks.check(any("cannot be saved" in message for message in self.told()[-3:]), "the user learns why", self.told()[-3:])
        said = self.lisp("(condition-case problem (notesd--write-contents) (user-error (cadr problem)))")
        self.checks.check("not durable" in said, "saving reports it again", said)
        self.lisp("(delete-region 9 (point-max))")
        self.same(note, "one\nxxxx", "the text is sent when it is shorter")
        self.checks.check("REFUSED" not in self.lisp("(notesd-mode-line)"), "and not refused any more")

    def faulty(self):
        """A message arrives with a wrong number, once."""

        def part():
            note = self.open("faulty", "one\ntwo\n")
            self.lisp('(progn (goto-char 4) (insert " möre"))')
            self.save(note, lambda text: text.replace("two", "2"))
            self.lisp('(insert " text")')
            self.same(note, "one möre text\n2\n", "after a fault, each word is there once")

        wrong = "0,/ö/{/ö/s/\"n\":[0-9]*/\"n\":9999/}"
        self.with_command(f"sed -u '{wrong}' | notesctl attach --stdio", part)

    def rare_hooks(self):
        """Changes that hooks do not report are sent, too."""
        note = self.open("hooks", "one\ntwo\n")
        self.lisp('(let ((inhibit-modification-hooks t)) (goto-char 4) (insert "X"))')
        self.lisp('(progn (goto-char (point-max)) (insert "Y"))')
        self.same(note, "oneX\ntwo\nY", "text that no hook reported is sent with the next")
        self.lisp('(progn (goto-char (point-min)) (insert (make-string 3000 ?a) "\\n") (upcase-region 1 500))')
        self.same(note, "A" * 499 + "a" * 2501 + "\noneX\ntwo\nY", "a long text is sent")
        self.lisp("(let ((number 0)) (goto-char (point-max)) (while (< number 1000) (insert ?b) (setq number (1+ number))))")
        self.same(note, "A" * 499 + "a" * 2501 + "\noneX\ntwo\nY" + "b" * 1000, "many changes of one command are sent")

    def parted(self):
        """The daemon comes back with an older store."""
        note = self.open("parted", "one\n")
        self.daemon.stop()
        shutil.copytree(self.daemon.data, self.daemon.data + ".old")
        self.daemon.start()
        self.meet()
        self.editor.settled()
        self.editor.do("insert", at=3, text=" two")
        self.same(note, "one two\n", "text is typed")
        self.daemon.stop()
        self.kill_host()
        shutil.rmtree(self.daemon.data)
        os.rename(self.daemon.data + ".old", self.daemon.data)
        self.daemon.start()
        self.meet()
        self.wait_for(lambda: any("separate buffer" in message for message in self.told()), "the user learns that the texts part")
        self.same(note, "one\n", "the buffer shows the daemon's text")
        self.checks.equal(self.lisp('(with-current-buffer "parted<yours>" (buffer-string))'), '"one two\n"', "the own text is in another buffer")
        self.lisp('(progn (with-current-buffer "parted<yours>" (set-buffer-modified-p nil)) (kill-buffer "parted<yours>"))')

    def quitting(self):
        """Emacs exits at once after the last character."""

        def part():
            note = self.open("quitting", "one\n")
            self.lisp('(progn (goto-char 4) (insert " two"))')
            self.editor.quit()
            self.wait_for(lambda: self.shown(note)["text"] == "one two\n", "what was typed last is sent", self.shown(note)["text"])

        self.with_command("exec notesctl attach --stdio", part)

    def late(self):
        """A note is opened before the daemon is there."""
        self.create("late", "one\n")
        self.daemon.kill()

        def part():
            said = self.lisp('(condition-case problem (notesd-find "late") (user-error (cadr problem)))')
            self.checks.check("does not answer" in said, "the user learns that the daemon is away", said)
            self.daemon.start()
            self.meet()
            self.editor.open("late")
            self.checks.equal(self.editor.text(), "one\n", "the note opens when it is there")

        self.with_command("exec notesctl attach --stdio", part)

    def run(self):
        self.chance = random.Random(self.checks.seed)
        super().run()


Host.main()
