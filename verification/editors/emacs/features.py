#!/usr/bin/env python3
"""Tests the features of the Emacs package beside the text, with a real Emacs, a real daemon, and a
second client for the other users.

usage: features.py [--seed N]
"""

import fcntl
import os
import re
import struct
import subprocess
import sys
import termios
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "lib"))

from daemon import Client  # noqa: E402
from desktop import Desktop  # noqa: E402
from editors import PATIENCE_S  # noqa: E402
from emacs_features import EmacsFeatures  # noqa: E402


class Terminal:
    """A terminal for a frame of Emacs; reads and drops what Emacs draws. `name` is its device."""

    def __enter__(self):
        self.ours, self.theirs = os.openpty()
        fcntl.ioctl(self.theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.name = os.ttyname(self.theirs)
        threading.Thread(target=self._read, daemon=True).start()
        return self

    def _read(self):
        try:
            while os.read(self.ours, 1 << 16):
                pass
        except OSError:
            pass

    def __exit__(self, *_):
        os.close(self.theirs)


class Features(EmacsFeatures):
    parts = (
        "opening", "listing", "searching", "past", "texts", "conflict", "completing", "following", "pictures", "places", "mistyped_name", "bookmark", "undo_beside_region", "asking", "scripts", "presence", "columns", "one_line",
        "deletion", "unsendable", "draft",
    )

    # Helpers.

    def open(self, note):
        self.editor.open(note["name"])
        self.editor.settled()

    def edit(self, note, start, end, text):
        self.other.ask("note.edit", id=note["id"], base=self.shown(note)["version"],
                       edits=[{"start": start, "end": end, "text": text}])

    def told(self, part):
        return any(part in entry["message"] for entry in self.editor.do("log")[-5:])

    def same(self, note, law):
        self.editor.wait(lambda state: state["settled"] and state["text"] == self.shown(note)["text"], law)
        self.checks.check(True, law)

    # The tests.

    def opening(self):
        self.create("work/inbox", "one #todo\n")
        self.create("work/code.py", "pass\n")
        self.editor.do("eval", code='(execute-kbd-macro (kbd "M-x notesd-find RET work/inbox RET"))')
        self.checks.equal(self.editor.text(), "one #todo\n", "notesd-find opens a note")
        self.checks.equal(self.lisp("(notesd--names)"), '("work/code.py" "work/inbox")', "it knows the names of all notes")
        self.checks.equal(self.lisp("major-mode"), "text-mode", "a name without extension is text")
        self.editor.open("work/code.py")
        self.checks.equal(self.lisp("major-mode"), "python-mode", "the name determines the major mode")
        self.lisp("(text-mode)")
        for number, text in enumerate((
                "-*- mode: server; fill-column: 13; eval: (setq notesd-test-obeyed t) -*-\n", "-*- server -*-\n",
                "Local Variables:\nmode: server\nfill-column: 13\neval: (setq notesd-test-obeyed t)\nEnd:\n")):
            self.create(f"bids{number}", text)
            self.editor.open(f"bids{number}")
            got = self.lisp("(list major-mode fill-column (bound-and-true-p server-mode) (boundp 'notesd-test-obeyed))")
            self.checks.equal(got, "(text-mode 70 nil nil)", "instructions in a text are not executed", text)
        self.editor.open("work/code.py")
        self.editor.do("insert", at=0, text="x")
        self.editor.settled()
        self.checks.equal(self.other.ask("note.get", name="work/code.py")["note"]["text"], "xpass\n", "the note may be changed")
        self.editor.open("quite new")
        self.editor.do("insert", at=0, text="hello\n")
        saved = self.editor.do("save")
        self.checks.check(saved["durable"] and "quite new" in saved["message"], "saving reports that the text is durable", saved)
        self.checks.equal(self.other.ask("note.get", name="quite new")["note"]["text"], "hello\n", "an unknown name creates a note")
        self.lisp('(notesd-rename "other name")')
        self.wait_for(lambda: "other name" in self.lisp("(buffer-name)"), "it can be renamed")

    def listing(self):
        self.lisp("(notesd-list)")
        rows = self.lisp("(buffer-substring-no-properties (point-min) (point-max))")
        self.checks.check("work/inbox" in rows and "one #todo" in rows and "todo" in rows, "notesd-list has all notes", rows)
        self.lisp('(progn (goto-char (point-min)) (search-forward "work/inbox") (notesd-list-open))')
        self.checks.equal(self.editor.text(), "one #todo\n", "a note opens from the list")

    def searching(self):
        self.create("recipes/cake", "flour\nCrème brûlée, eggs\n")
        self.lisp('(notesd-search "brulee")')
        marked = self.lisp("(progn (goto-char (point-min)) (let ((match (text-property-search-forward 'face 'match t)))"
                           " (buffer-substring-no-properties (prop-match-beginning match) (prop-match-end match))))")
        self.checks.equal(marked, '"brûlée"', "what was found is marked")
        self.lisp("(notesd-list-visit)")
        self.checks.equal(self.editor.text(), "flour\nCrème brûlée, eggs\n", "the note opens from there")
        refused = self.lisp("(condition-case problem (notesd-search \"milk \\\"oat\") (user-error (cadr problem)))")
        self.checks.check(len(refused) > 10, "a wrong query says why", refused)

    def past(self):
        note = self.create("past", "first\n")
        self.other.ask("note.save", id=note["id"], base=note["version"], text="second\n")
        self.open(note)
        self.lisp("(notesd-history)")
        self.checks.equal(self.lisp("(length tabulated-list-entries)"), "2", "both revisions are listed")
        self.lisp("(progn (goto-char (point-max)) (forward-line -1) (notesd-history-view))")
        self.checks.equal(self.lisp("(buffer-string)"), '"first\n"', "the text of a revision is shown")
        self.lisp('(progn (pop-to-buffer "*history of past*") (goto-char (point-max)) (forward-line -1) (notesd-history-diff))')
        self.wait_for(lambda: "+second" in self.editor.do("eval", code='(with-current-buffer "*Diff*" (buffer-string))'), "revisions are compared")
        self.lisp('(progn (pop-to-buffer "*history of past*") (goto-char (point-max)) (forward-line -1)'
                  " (cl-letf (((symbol-function 'y-or-n-p) #'always)) (notesd-history-revert)))")
        self.wait_for(lambda: self.shown(note)["text"] == "first\n", "and brought back")
        self.lisp("(delete-other-windows)")

    def texts(self):
        for number, text in enumerate(["", "\n", "\n\n", "a", "a\r\nb\r\n", "a\r\nb", "a\r\nb\n", "\r\n", "a\rb\n", "é日👍\n", "\ufeffa\n"]):
            note = self.create(f"text{number}", text)
            self.open(note)
            self.checks.equal(self.editor.text(), text, "every text is shown exactly")
            self.editor.do("insert", at=0, text="X")
            self.editor.settled()
            self.checks.equal(self.shown(note)["text"], "X" + text, "every text is written back exactly")
            self.edit(note, 0, 0, "y\r\n")
            self.same(note, "the other's line end comes")
            self.editor.do("undo")
            self.editor.settled()
            self.checks.equal(self.shown(note)["text"], "y\r\n" + text, "undo works beside a line end of another writer", text)

    def conflict(self):
        note = self.create("torn", "a\nb\nc\n")
        self.open(note)
        self.write_at_once(note, "a\nLEFT\nc\n", "a\nRIGHT\nc\n")
        self.editor.wait(lambda state: "LEFT" in state["text"] and "RIGHT" in state["text"], "both sides")
        self.wait_for(lambda: "!1" in self.lisp("(notesd-mode-line)"), "the mode line counts the conflict")
        self.wait_for(lambda: self.lisp("(length notesd-conflicts--overlays)") == "1", "it is highlighted")
        self.lisp("(progn (goto-char (point-min)) (notesd-next-conflict))")
        sides = self.editor.do("eval", code='(with-current-buffer "*note conflict*" (buffer-string))')
        self.checks.check("LEFT" in sides and "RIGHT" in sides and "other/test" in sides, "both sides are shown", sides)
        number = 1 if sides.index("LEFT") < sides.index("RIGHT") else 2
        self.lisp(f"(notesd-keep-side {number})")
        self.expect_taken_and_undone(note, "a\nLEFT\nc\n", "RIGHT")
        self.write_at_once(note, "x\n", "y\n")
        self.editor.wait(lambda state: "x" in state["text"] and "y" in state["text"], "both sides again")
        self.wait_for(lambda: self.lisp("(> (length notesd-conflicts--overlays) 0)") == "t", "the conflict is highlighted")
        self.lisp("(progn (goto-char (point-min)) (notesd-next-conflict) (notesd-keep-all))")
        self.wait_for(lambda: self.shown(note)["conflicts"] == [], "both sides are kept, and the conflict is resolved")
        self.wait_for(lambda: "!" not in self.lisp("(notesd-mode-line)"), "the mode line counts no conflict")
        self.undo_overwritten(note)
        self.wait_for(lambda: self.lisp("(length notesd-conflicts--overlays)") == "1", "the conflict of an undo is highlighted")
        self.lisp("(progn (goto-char (point-min)) (notesd-next-conflict))")
        sides = self.editor.do("eval", code='(with-current-buffer "*note conflict*" (buffer-string))')
        self.checks.check(", undone\nb\n" in sides, "an undone side is shown as undone, with the text before it", sides)
        self.lisp("(progn (goto-char (point-min)) (notesd-next-conflict) (notesd-keep-all))")
        self.wait_for(lambda: self.shown(note)["conflicts"] == [], "the conflict of the undo is resolved")
        self.lisp("(delete-other-windows)")

    def completing(self):
        note = self.create("links", "see [[work/in\n#to\n")
        self.open(note)
        self.lisp("(progn (goto-char (point-min)) (end-of-line) (completion-at-point))")
        self.editor.settled()
        self.checks.equal(self.shown(note)["text"], "see [[work/inbox]]\n#to\n", "names are completed in links")
        self.lisp("(progn (goto-char (point-max)) (forward-char -1) (completion-at-point))")
        self.editor.settled()
        self.checks.equal(self.shown(note)["text"], "see [[work/inbox]]\n#todo\n", "tags are completed after #")

    def following(self):
        self.create("linked/plan", "plan\n")
        note = self.create("linking", "x [a](linked/pl%61n.md) and [[plan|shown]] or [[nothing]]\n")
        for place in ["(point-min)", '(progn (goto-char (point-min)) (search-forward "|"))']:
            self.open(note)
            self.lisp(f"(progn (goto-char {place}) (notesd-follow))")
            self.checks.equal(self.editor.text(), "plan\n", "a link opens its note")
        self.lisp("(notesd-backlinks)")
        self.checks.equal(self.lisp("(car (split-string (buffer-string) \"\\n\"))"), '"2 links to linked/plan"', "the links to a note are listed")
        self.lisp("(progn (goto-char (point-max)) (forward-line -2) (notesd-list-visit))")
        self.checks.check(self.editor.text().startswith("x [a]"), "the linking note opens from there")
        refused = self.lisp("(condition-case problem (progn (goto-char (point-max)) (forward-line -1) (end-of-line) (notesd-follow)) (user-error (cadr problem)))")
        self.checks.check("No note has the name nothing" in refused, "a link to nothing is reported", refused)

    def pictures(self):
        desktop = Desktop(self.editor.folder)
        self.lisp(f'(progn (setenv "PATH" (concat "{desktop.folder}:" (getenv "PATH"))) (setenv "WAYLAND_DISPLAY" "none"))')
        note = self.create("with a picture", "see \n")
        self.open(note)
        self.lisp("(progn (goto-char (point-min)) (end-of-line) (notesd-paste))")
        self.editor.settled()
        text = self.shown(note)["text"]
        self.checks.check(re.fullmatch(r"see !\[\[files/pasted-[-0-9]+\.png\]\]\n", text), "a picture is pasted as a link", text)
        self.lisp("(progn (goto-char (point-min)) (notesd-follow))")
        self.wait_for(desktop.has_opened, "the link opens the picture")
        desktop.empty()
        refused = self.lisp("(condition-case problem (notesd-paste) (user-error (cadr problem)))")
        self.checks.check("no picture in the clipboard" in refused, "an empty clipboard is reported", refused)

    def places(self):
        note = self.create("rest", "zero\none two\nthree\nfour\n")
        self.open(note)
        self.lisp('(progn (goto-char 6) (set-mark (point)) (activate-mark) (search-forward "two") (narrow-to-region 6 20)'
                  ' (make-overlay 10 13) (split-window) (set-window-point (next-window) 14))')
        self.edit(note, 0, 0, "above\n")
        self.edit(note, len("above\nzero\none"), len("above\nzero\none"), "X")
        self.same(note, "others' edits come into a narrowed buffer")
        self.checks.equal(self.lisp("(buffer-substring-no-properties (mark) (point))"), '"oneX two"', "the region stays at its text")
        self.checks.equal(self.lisp("(region-active-p)"), "t", "the region stays active")
        self.checks.equal(self.lisp("(buffer-substring-no-properties (point-min) (point-max))"), '"oneX two\nthree\n"', "narrowing stays")
        self.checks.equal(self.lisp("(let ((o (seq-find (lambda (o) (= 3 (- (overlay-end o) (overlay-start o)))) (overlays-in 1 99))))"
                                    " (buffer-substring-no-properties (overlay-start o) (overlay-end o)))"), '"two"', "overlays stay")
        self.checks.equal(self.lisp("(char-after (window-point (next-window)))"), str(ord("t")), "other windows stay")
        self.lisp("(progn (widen) (delete-other-windows) (deactivate-mark))")

    def mistyped_name(self):
        self.lisp('(condition-case nil (execute-kbd-macro (kbd "M-x notesd-find RET wrok/inbox RET C-g")) (quit nil))')
        names = [note.get("name") for note in self.other.ask("note.list")["notes"]]
        self.checks.check("wrok/inbox" not in names, "a name that no note has creates none without a second RET", names)
        self.press("M-x notesd-find RET wrok/new RET RET")
        self.editor.settled()
        names = [note.get("name") for note in self.other.ask("note.list")["notes"]]
        self.checks.check("wrok/new" in names, "a second RET creates the note", names)

    def bookmark(self):
        note = self.create("marked", "one\ntwo\n")
        self.open(note)
        self.lisp('(progn (setq bookmark-save-flag nil) (goto-char 5) (bookmark-set "here"))')
        self.lisp("(kill-buffer)")
        self.open(self.create("elsewhere", "three\n"))
        self.lisp('(bookmark-jump "here")')
        self.checks.equal([self.editor.text(), self.lisp("(point)")], ["one\ntwo\n", "5"], "a bookmark leads to its place in the note")
        self.lisp("(progn (insert \"X\") (revert-buffer))")
        self.same(note, "reverting reads the note again")
        self.checks.equal(self.shown(note)["text"], "one\nXtwo\n", "reverting keeps typed text")

    def undo_beside_region(self):
        """The keys of undo revert the newest own step even if a region is active: undo in a region
        takes changes out of order, and removed text by others."""
        for number, keys in enumerate(("C-/", "C-u C-/", "C-x u")):
            note = self.create(f"region {number}", "middle\n")
            self.open(note)
            self.press("M-< 丒 丑 丐")
            self.press("M-> end")
            self.press(f"M-< C-SPC C-f C-f C-f {keys}")
            self.checks.equal(self.editor.text(), "丒丑丐middle\n", "undo reverts the newest own step, not the one in the region", keys)
            self.editor.settled()
            self.edit(note, 3, 3, "专")
            self.same(note, "text by another inside own text arrives")
            self.press(f"M-< C-SPC C-f C-f C-f C-f {keys}")
            self.same(note, "undo is sent")
            self.checks.check("专" in self.editor.text(), "undo with a region keeps text by others", keys, self.editor.text())

    def asking(self):
        note = self.create("asking", "one two one\n")
        self.open(note)
        self.lisp('(setq replace-overlay (make-overlay 1 4))')
        self.edit(note, 0, 0, "above ")
        self.wait_for(lambda: self.lisp("(notesd-note-busy notesd-sync-note)") == "t", "the other's edit comes")
        self.checks.equal(self.editor.text(), "one two one\n", "it waits while query-replace asks about a place")
        self.lisp("(delete-overlay replace-overlay)")
        self.same(note, "the edit is applied afterwards")

    def scripts(self):
        note = self.create("scripts", "start\n")
        self.open(note)
        notesctl = os.path.join(os.path.dirname(self.daemon.notesd), "notesctl")
        running = []
        for number in range(20):
            running.append(subprocess.Popen([notesctl, "append", "scripts", "-t", f"line {number}"], stdout=subprocess.DEVNULL,
                                            stderr=subprocess.PIPE, env=dict(os.environ, NOTESD_SOCKET=self.daemon.socket)))
            self.editor.do("insert", at=0, text=chr(0x4E00 + number))
        for script in running:
            # Exit code 2: others changed the same place, and the note contains both texts.
            self.checks.check(script.wait(timeout=PATIENCE_S) in (0, 2), "a script can append while the user types", script.stderr.read())
        self.same(note, "the text of scripts and of the user is on both sides")
        lines = self.editor.text().split("\n")
        for number in range(20):
            self.checks.equal(lines.count(f"line {number}"), 1, "text of a script is there once")
            self.checks.equal(lines[0].count(chr(0x4E00 + number)), 1, "text of the user is there once")
        for number in range(20):
            self.editor.do("undo")
        self.same(note, "everything is undone")
        self.checks.equal(sorted(self.editor.text().split("\n")), sorted(["start", ""] + [f"line {number}" for number in range(20)]),
                          "undoing all typed text leaves the text of scripts")

    def presence(self):
        if "presence" not in self.other.hello["capabilities"]:
            print("emacs features: this daemon has no presence, so its tests are skipped")
            return
        note = self.create("crowd", "one\r\ntwo é three\r\n")
        self.open(note)
        self.other.ask("presence.set", note=note["id"], version=note["version"], selection={"start": 5, "end": 8})
        drawn = ("(mapcar (lambda (o) (list (buffer-substring-no-properties (overlay-start o) (overlay-end o)) (overlay-get o 'notesd-presence)))"
                 " (seq-filter (lambda (o) (stringp (overlay-get o 'notesd-presence))) (overlays-in 1 99)))")
        self.wait_for(lambda: self.lisp(drawn) == '(("two" "other/test"))', "another's selection is drawn", self.lisp(drawn))
        self.editor.do("insert", at=0, text="zero\n")
        self.editor.settled()
        self.checks.equal(self.lisp(drawn), '(("two" "other/test"))', "the selection moves along with its text")
        twin = Client(self.daemon.socket, label="other/test")
        twin.ask("presence.set", note=note["id"], version=self.shown(note)["version"], selection={"start": 0, "end": 0})
        names = "(mapcar #'notesd-presence--name notesd-presence--others)"
        found = lambda: set(re.findall('"(.*?)"', self.lisp(names)))
        self.wait_for(lambda: len(found()) == 2 and all(re.fullmatch("other/test \\d+", name) for name in found()),
                      "two clients with one label have different names", found())
        twin.close()
        self.wait_for(lambda: found() == {"other/test"}, "the name is as before when one of them has left", found())
        self.lisp('(progn (goto-char (point-min)) (search-forward "é") (run-hooks (quote post-command-hook)))')
        self.wait_for_place({"start": 17, "end": 17}, "the own place is sent")
        self.press("C-SPC C-b C-b")
        self.wait_for_place({"start": 14, "end": 17}, "the own selection is sent")
        self.lisp("(deactivate-mark)")
        self.press("C-x b * s c r a t c h * RET C-a")
        self.wait_for(lambda: not any(self.user_places()), "a user who goes to another buffer is in no note", self.user_places())
        self.press("C-x b RET C-f")
        self.wait_for_place({"start": 15, "end": 15}, "and in the note again after coming back")
        self.lisp("(setq notesd-presence nil)")
        self.press("C-f")
        self.wait_for(lambda: not any(self.user_places()), "without notesd-presence, the user is in no note", self.user_places())
        self.lisp("(setq notesd-presence t)")
        self.press("C-b")
        self.wait_for_place({"start": 15, "end": 15}, "with it, the user is there again")
        self.other.ask("presence.set", note=None)
        self.wait_for(lambda: self.lisp(drawn) == "nil", "the selection of a client that leaves is removed")

    def wait_for_place(self, place, law):
        self.wait_for(lambda: [p["selection"] for p in self.user_places() if p] == [place], law, self.user_places())

    def columns(self):
        """The cursors of others move neither point nor text: in a terminal, keys of line motion go to
        the same places as without others, wherever others are, and the columns on the screen are
        those of the text."""
        if "presence" not in self.other.hello["capabilities"]:
            return
        text = "# T\nA: B: C: D: .\n\nend of it\n" + 32 * "wrap " + "\nlast"
        note = self.create("columns", text)
        others = [Client(self.daemon.socket, label=f"another/long-name-{number}") for number in range(2)]
        with Terminal() as terminal:
            self.lisp("(progn (setq line-move-visual t) (select-frame (make-frame '((window-system . nil)"
                      f' (tty . "{terminal.name}") (tty-type . "xterm")))))')
            self.open(note)
            alone = self.motions()
            drawn = "(overlays-in (point-min) (point-max))"
            names = f"(mapconcat (lambda (o) (or (overlay-get o 'after-string) (overlay-get o 'display) \"\")) {drawn} \"\")"
            inside = ("(seq-some (lambda (o) (or (overlay-get o 'before-string) (and (overlay-get o 'display) (/= ?\\n (char-after (overlay-start o))))"
                      f" (and (overlay-get o 'after-string) (/= (point-max) (overlay-end o))))) {drawn})")
            # The begin, the middle and the end of lines, an empty line, a wrapped line, and the end of the buffer.
            for place in (0, 1, 3, 4, 10, 17, 18, 20, 28, 29, 100, 189, len(text)):
                for other in others:
                    other.ask("presence.set", note=note["id"], version=note["version"], selection={"start": place, "end": place})
                ends = ("(and (= 2 (length notesd-presence--others))"
                        f" (seq-every-p (lambda (o) (and (nth 2 o) (= {place + 1} (overlay-end (nth 2 o))))) notesd-presence--others))")
                self.wait_for(lambda: self.lisp(ends) == "t", "the others are drawn", place)
                self.checks.equal(self.motions(), alone, "the cursors of others do not change where keys go", place)
                # The last key of `motions` left point in the first line.
                self.checks.equal(self.lisp(names).count("another/long-name-"), 2, "both names are shown", place)
                self.checks.equal(self.lisp(inside), "nil", "nothing is drawn inside a line", place)
                self.press("M->")
                self.checks.equal(self.lisp(names).count("another/long-name-"), 0 if place == len(text) else 2,
                                  "the end of the buffer shows no name while point is there", place)
            self.lisp("(progn (goto-char (point-max)) (insert \"X\\nY\") (run-hooks 'post-command-hook) nil)")
            self.same(note, "text is typed at the cursors of others")
            self.lisp("(progn (delete-frame) (setq line-move-visual nil))")
        for other in others:
            other.close()

    def motions(self):
        """Line and column in the text, and on the screen, after each of some keys. As in the command
        loop, the hook also runs after an error, such as that at the end of the buffer."""
        place = ("(progn (redisplay t) (let ((shown (posn-col-row (posn-at-point))))"
                 " (list (line-number-at-pos) (current-column) (cdr shown) (car shown))))")
        press = '(progn (condition-case nil (execute-kbd-macro (kbd "{}")) (error (run-hooks (quote post-command-hook)))) '
        starts = ["M-<", "M-< C-f", "M-< C-e", "M-< C-n C-e", "M-< C-n C-f C-f C-f C-f C-f", "M->", "M-> C-a", "M-> C-p C-e"]
        return [self.lisp(f'(progn (execute-kbd-macro (kbd "{start}")) (list {place} '
                          + " ".join(press.format(key) + place + ")" for key in keys) + "))")
                for start in starts for keys in (["C-n"] * 4, ["C-p"] * 4)]

    def one_line(self):
        """Messages have one line, and `*Messages*` has all of them."""
        name = "one line/" + "long name " * 20
        self.create(name, "text\n")
        with Terminal() as terminal:
            self.lisp("(select-frame (make-frame '((window-system . nil)" f' (tty . "{terminal.name}") (tty-type . "xterm"))))')
            self.lisp(f'(notesd-find "{name}")')
            self.editor.do("insert", at=0, text="more ")
            self.lisp("(progn (setq notesd-test-shown nil) (define-advice message (:filter-return (text) shown)"
                      " (unless inhibit-message (push text notesd-test-shown)) text))")
            self.checks.check(self.editor.do("save")["durable"], "the note is saved")
            self.lisp('(notesd-message "two\\nlines %s" (make-string 100 ?日))')
            shown = self.lisp("(mapcar (lambda (text) (list (string-width text) (string-match-p \"\\n\" text))) notesd-test-shown)")
            self.checks.equal(shown, "((79 nil) (79 nil))", "messages are cut to the width of the line")
            kept = self.editor.do("eval", code='(with-current-buffer "*Messages*" (buffer-string))')
            self.checks.check(name + " is saved durably" in kept and "two lines " + 100 * "日" in kept, "*Messages* has all of them", kept[-900:])
            self.lisp("(progn (advice-remove 'message #'message@shown) (delete-frame))")

    def deletion(self):
        note = self.create("gone", "text\n")
        self.open(note)
        self.other.ask("note.delete", id=note["id"], base=note["version"])
        self.editor.wait(lambda state: state["status"] == "deleted", "the state deleted")
        self.checks.equal(self.editor.text(), "text\n", "the text of a deleted note stays")
        self.editor.do("insert", at=0, text="more ")
        self.editor.settled()
        self.checks.equal([self.shown(note)[key] for key in ("text", "deleted", "name")], ["more text\n", False, "gone"], "typing restores the note")

    def unsendable(self):
        note = self.create("bytes", "a\n")
        self.open(note)
        self.lisp("(progn (goto-char 2) (insert 0))")
        self.wait_for(lambda: self.told("No note can contain"), "text that no note can have is reported")
        self.editor.settled()
        self.checks.equal(self.shown(note)["text"], "a\ufffd\n", "another character is sent in its place")
        self.edit(note, 0, 0, "x")
        self.editor.wait(lambda state: state["settled"] and state["text"] == "xa\0\n", "text of others, and the character in its place")
        told = len(self.editor.do("log"))
        self.lisp("(notesd-save)")
        self.wait_for(lambda: any("No note can contain" in entry["message"] for entry in self.editor.do("log")[told:]),
                      "saving reports it again")
        self.lisp("(progn (goto-char 3) (delete-char 1) (insert ?b))")
        self.editor.settled()
        self.checks.equal(self.shown(note)["text"], "xab\n", "the character goes when it is removed")

    def draft(self):
        note = self.create("draft", "one\n")
        self.open(note)
        self.offline()
        self.checks.check("OFFLINE" in self.lisp("(notesd-mode-line)"), "the mode line shows that")
        self.editor.do("insert", at=0, text="held ")
        self.lisp("(notesd-save)")
        self.checks.check(self.told("not durable"), "saving reports that the text is not durable")
        self.drafted("held one\n")
        self.die()
        self.online()
        self.edit(note, 4, 4, "two\n")
        self.begin()
        self.editor.open("draft")
        self.editor.settled()
        self.checks.equal(self.shown(note)["text"], "held one\ntwo\n", "the next Emacs sends it")
        self.wait_for(lambda: self.drafts() == {}, "the draft is removed then", self.drafts())


Features.main()
