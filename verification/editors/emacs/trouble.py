#!/usr/bin/env python3
"""Tests the Emacs package when things go wrong or several things happen at once: a daemon that does
not answer for a while, half-typed characters, indirect buffers, several Emacs processes, and unsent
text when Emacs dies.

usage: trouble.py [--seed N]
"""

import contextlib
import os
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "lib"))

from editors import Emacs  # noqa: E402
from emacs_features import EmacsFeatures  # noqa: E402
from holder import Holder  # noqa: E402


class Trouble(EmacsFeatures):
    parts = (
        "half_typed", "asked", "argument", "indirect", "long_undo", "files", "names", "restored", "slow", "listed", "found", "problem", "off",
        "hooks", "offline_deletion", "raw", "died_while_sending", "drafts_later", "two_drafts", "new_draft",
    )

    # Helpers.

    def open(self, name, text):
        """Creates a note and opens it."""
        note = self.create(name, text)
        self.editor.open(name)
        self.editor.settled()
        return note

    def edit(self, note, start, end, text):
        self.other.ask("note.edit", id=note["id"], base=self.shown(note)["version"],
                       edits=[{"start": start, "end": end, "text": text}])

    def told(self):
        return [entry["message"] for entry in self.editor.do("log")]

    def same(self, note, text, law):
        """Waits until the editor shows this text and the daemon has it."""
        self.editor.wait(lambda state: state["settled"] and state["text"] == text, law)
        self.checks.equal(self.shown(note)["text"], text, law)

    def same_shown(self, note, text, law):
        """Waits until the daemon has this text."""
        self.wait_for(lambda: self.shown(note)["text"] == text, law, self.shown(note)["text"])

    @contextlib.contextmanager
    def held(self):
        """Stops the daemon meanwhile."""
        self.daemon.freeze()
        try:
            yield
        finally:
            self.daemon.process.send_signal(signal.SIGCONT)

    def no_draft(self):
        self.wait_for(lambda: self.drafts() == {}, "no draft is left then", self.drafts())

    # The tests.

    def half_typed(self):
        note = self.open("half typed", "one\n")
        self.editor.do("insert", at=0, text="MINE ")
        self.editor.settled()
        self.lisp('(activate-input-method "latin-1-postfix")')
        # The command loop looks for an input method in the current buffer, which is this one after
        # a command.
        self.lisp("(setq unread-command-events (list ?\\C-b ?\\C-f ?e))")
        self.wait_for(lambda: self.lisp("(buffer-string)") == '"MINE eone\n"', "the input method shows a key that may be a half character")
        self.edit(note, 0, 0, "above\n")
        self.wait_for(lambda: self.lisp("(notesd-note-busy notesd-sync-note)") == "t", "another's change comes")
        self.checks.equal(self.lisp("(buffer-string)"), '"MINE eone\n"', "the change waits while a character is half typed")
        self.checks.equal(self.shown(note)["text"], "above\nMINE one\n", "half a character is not sent")
        self.lisp("(setq unread-command-events (list ?' ?\\C-b ?\\C-f))")
        self.same(note, "above\nMINE éone\n", "both changes are there when the character is typed")
        self.lisp("(deactivate-input-method)")
        self.editor.do("undo")
        self.same(note, "above\nMINE one\n", "undo removes the character")
        self.editor.do("undo")
        self.same(note, "above\none\n", "undo removes the text typed before and nothing of others")

    def asked(self):
        note = self.open("asked", "one\n")
        self.lisp("(setq replace-overlay (make-overlay 1 2))")
        self.edit(note, 0, 0, "above\n")
        self.wait_for(lambda: self.lisp("(notesd-note-busy notesd-sync-note)") == "t", "another's change comes")
        self.editor.do("insert", at=3, text="X")
        self.wait_for(lambda: self.shown(note)["text"] == "above\noneX\n", "the text of a replacement is sent while a question is asked")
        self.checks.equal(self.editor.text(), "oneX\n", "the text of others waits")
        self.editor.do("insert", at=4, text="Y")
        self.same_shown(note, "above\noneXY\n", "all of it is sent")
        self.lisp("(delete-overlay replace-overlay)")
        self.same(note, "above\noneXY\n", "everything is sent and received when the question is answered")
        self.no_draft()

    def argument(self):
        """A command computes the region and then reads a string in the minibuffer; meanwhile, others
        insert a line above."""
        lines = [f"foo line {number}\n" for number in range(1, 5)]
        note, reading = self.open("argument", "".join(lines)), os.path.join(self.folder, "reading")
        number = self.editor.start("eval", code=f"""(with-current-buffer (window-buffer)
            (goto-char 12) (push-mark nil t) (goto-char 26)
            (let ((buffer (current-buffer)) (size (buffer-size)))
              (minibuffer-with-setup-hook
                  (lambda ()
                    (write-region "" nil "{reading}" nil 'silent)
                    (while (and (not (notesd-note-busy (buffer-local-value 'notesd-sync-note buffer))) (= size (buffer-size buffer)))
                      (accept-process-output nil 0.02))
                    (setq unread-command-events (listify-key-sequence "X\\r")))
                (call-interactively 'string-rectangle))))""")
        self.wait_for(lambda: os.path.exists(reading), "a command reads its argument")
        self.edit(note, 0, 0, "above\n")
        self.editor.finish(number)
        self.same(note, "above\n" + lines[0] + "X line 2\nX line 3\n" + lines[3], "the command changes the lines that were selected")

    def died_while_sending(self):
        note, earlier = self.create("died", "one\n"), self.editor
        holder = Holder(os.path.join(self.folder, "held.sock"), self.daemon.socket)
        self.editor = Emacs("held", self.folder, holder.path)
        self.editor.open("died")
        self.editor.settled()
        holder.hold()
        self.editor.do("insert", at=3, text=" two")
        self.same_shown(note, "one two\n", "the daemon has a write whose response does not come")
        holder.cut()
        self.editor.do("insert", at=7, text="!")
        self.drafted("one two!\n")
        self.die()
        self.editor = Emacs("held", self.folder, self.daemon.socket)
        self.editor.open("died")
        self.same(note, "one two!\n", "the next Emacs sends the rest, and nothing twice")
        self.no_draft()
        self.editor.kill()
        self.editor = earlier

    def indirect(self):
        note = self.open("indirect", "one\n")
        for number, make in enumerate(["(make-indirect-buffer base name t)", "(clone-indirect-buffer name nil)"]):
            self.lisp(f'(let ((base (current-buffer)) (name "clone")) (setq test-base base) {make})')
            typed = f"typed{number} "
            self.lisp(f'(with-current-buffer "clone" (goto-char (point-min)) (insert "{typed}"))')
            self.same(note, typed + "one\n", "text typed in an indirect buffer is sent")
            self.lisp('(with-current-buffer "clone" (goto-char (point-min)) (insert "Y") (save-buffer))')
            self.checks.equal(self.shown(note)["text"], "Y" + typed + "one\n", "it is durable after a save there")
            self.edit(note, 0, len("Y" + typed), "")
            self.same(note, "one\n", "text of others arrives")
            self.offline()
            self.editor.do("insert", at=0, text="X")
            self.wait_for(lambda: len(self.drafts()) == 1, "text that cannot be sent is kept")
            self.lisp("(cl-letf (((symbol-function 'yes-or-no-p) #'always)) (kill-buffer \"clone\"))")
            self.checks.equal(len(self.drafts()), 1, "the draft stays when an indirect buffer is killed")
            self.online()
            self.same(note, "Xone\n", "the base buffer follows the note then")
            self.edit(note, 0, 1, "")
            self.same(note, "one\n", "the base buffer receives text of others")

    def long_undo(self):
        """The user types much before others write, and then chooses another mode or continues in an
        indirect buffer."""
        undo = "(let ((this-command 'undo) (last-command nil)) (run-hooks 'pre-command-hook) (let ((inhibit-message t)) (undo-only 150)))"
        for name, code in {
            "undo in an indirect buffer": '(progn (make-indirect-buffer (current-buffer) "clone" t) (with-current-buffer "clone"'
                                          f' (notesd-sync-clone-p) (undo-boundary) {undo}) (kill-buffer "clone"))',
            "undo in another mode": f"(progn (fundamental-mode) (undo-boundary) {undo})",
        }.items():
            note = self.open(name, "one\n")
            for number in range(150):
                self.editor.do("insert", at=number, text="x")
            self.editor.settled()
            self.edit(note, 0, 0, "above\n")
            self.same(note, "above\n" + "x" * 150 + "one\n", "another's change comes")
            self.lisp(code)
            self.same(note, "above\none\n", f"{name} removes the typed text and nothing of others")

    def files(self):
        note = self.open("files", "a\r\nb\r\n")
        path = os.path.join(self.folder, "copy")
        self.editor.do("keys", keys=f"C-x C-w C-a C-k {path} RET")
        self.checks.equal(open(path, newline="").read(), "a\r\nb\r\n", "C-x C-w writes a copy")
        self.editor.do("insert", at=0, text="x")
        self.same(note, "xa\r\nb\r\n", "the buffer still follows its note")
        other = os.path.join(self.folder, "other")
        self.lisp(f'(write-file "{other}")')
        self.checks.equal(open(other, newline="").read(), "xa\r\nb\r\n", "write-file makes the buffer visit a file")
        self.checks.equal(self.lisp("(list notesd-mode notesd-sync-note)"), "(nil nil)", "the buffer follows no note then")
        self.lisp("(progn (set-buffer-modified-p nil) (kill-buffer))")

    def names(self):
        note = self.create("old name", "text\n")
        for name in ("left", "right"):
            self.other.ask("note.save", id=note["id"], base=note["version"], name=name)
        self.checks.equal([c["kind"] for c in self.shown(note)["conflicts"]], ["name"], "two names are in conflict")
        self.editor.open(self.shown(note)["name"])
        self.editor.settled()
        self.lisp("(progn (notesd-next-conflict) (notesd-keep-base))")
        self.wait_for(lambda: self.shown(note)["conflicts"] == [], "restoring the earlier state resolves the conflict")
        self.checks.equal([self.shown(note)["name"], self.shown(note)["text"]], ["old name", "text\n"], "that state has a name and no text change")
        self.lisp("(delete-other-windows)")

    def restored(self):
        note = self.open("restored", "text\n")
        self.other.ask("note.delete", id=note["id"], base=note["version"])
        self.editor.wait(lambda state: state["status"] == "deleted", "the state deleted")
        told = len(self.told())
        self.lisp("(notesd-save)")
        self.checks.check(any("brings it back" in message for message in self.told()[told:]), "saving says how to bring the note back")
        self.lisp("(notesd-save t)")
        self.wait_for(lambda: any("saved durably" in message for message in self.told()[told:]), "the user learns that the restored note is durable")
        self.checks.equal([self.shown(note)["text"], self.shown(note)["deleted"], self.shown(note)["name"]], ["text\n", False, "restored"],
                          "and is")
        self.same(note, "text\n", "with its text once")

    def slow(self):
        """The user types and renames the note while the daemon does not answer."""
        note = self.open("slow", "text\n")
        with self.held():
            self.editor.do("insert", at=0, text="x")
            said = self.lisp('(condition-case problem (let ((notesd-timeout 0.1)) (notesd-rename "given")) (user-error (cadr problem)))')
            self.checks.check("does not answer" in said, "the user learns that the daemon does not answer", said)
            self.editor.do("insert", at=1, text="y")
        self.wait_for(lambda: self.shown(note)["name"] == "given", "the name changes when it does")
        self.same(note, "xytext\n", "typed text is there once")

    def listed(self):
        note = self.open("listed", "text\n")
        self.lisp("(notesd-list)")
        self.lisp('(progn (goto-char (point-min)) (search-forward "listed")'
                  " (cl-letf (((symbol-function 'y-or-n-p) #'always)) (notesd-list-delete)))")
        self.checks.equal(self.shown(note)["deleted"], True, "a note is deleted from the list")
        self.wait_for(lambda: "DELETED" in self.lisp('(with-current-buffer "listed<note>" (notesd-mode-line))'), "its buffer shows that")
        self.lisp('(switch-to-buffer "listed<note>")')

    def found(self):
        self.create("found", "again and again\r\n" * 40 + "the needle is here\r\n" + "again and again\r\n" * 40)
        self.lisp('(notesd-search "needle")')
        self.lisp("(progn (goto-char (point-max)) (forward-line -2) (notesd-list-visit))")
        self.checks.equal(self.lisp("(looking-at-p \"needle is here\")"), "t", "point is on the match",
                          self.lisp("(line-number-at-pos)"))
        self.lisp("(delete-other-windows)")

    def problem(self):
        self.open("problem", "a\n")
        self.lisp("(progn (goto-char (point-max)) (insert 0))")
        self.wait_for(lambda: "PROBLEM" in self.lisp("(notesd-mode-line)"), "text that no note can have is reported as a problem")
        self.checks.check(any("on line 2" in message for message in self.told()[-3:]), "the message names the line", self.told()[-3:])
        self.lisp("(delete-char -1)")
        self.wait_for(lambda: "PROBLEM" not in self.lisp("(notesd-mode-line)"), "the problem is gone when the text is removed")
        self.editor.settled()

    def off(self):
        note = self.open("off", "a\n")
        self.offline()
        self.editor.do("insert", at=0, text="kept ")
        self.lisp("(notesd-mode -1)")
        path = os.path.join(self.folder, "off")
        self.lisp(f'(write-file "{path}")')
        self.checks.equal(open(path).read(), "kept a\n", "a buffer that follows no note is written to a file")
        self.lisp("(kill-buffer)")
        self.online()
        self.editor.open("off")
        self.same(note, "kept a\n", "unsent text is sent when the note is opened again")
        self.no_draft()

    def hooks(self):
        note = self.open("hooks", "a\n")
        self.lisp("(progn (setq test-hook (lambda () (error \"A hook fails\")))"
                  " (add-hook 'notesd-rpc-disconnected-functions test-hook -90) (add-hook 'notesd-rpc-connected-functions test-hook -90))")
        self.kill_host()
        self.editor.do("insert", at=0, text="x")
        self.same(note, "xa\n", "a hook that fails does not prevent another start of notesctl")
        self.lisp("(progn (remove-hook 'notesd-rpc-disconnected-functions test-hook)"
                  " (remove-hook 'notesd-rpc-connected-functions test-hook))")

    def offline_deletion(self):
        note = self.open("offline deletion", "text\n")
        self.other.ask("note.delete", id=note["id"], base=note["version"])
        self.editor.wait(lambda state: state["status"] == "deleted", "the state deleted")
        self.offline()
        self.editor.do("insert", at=0, text="more ")
        self.wait_for(lambda: "OFFLINE" in self.lisp("(notesd-mode-line)"), "the mode line shows that there is no connection",
                      self.lisp("(notesd-mode-line)"))
        self.checks.equal(self.lisp("(notesd-sync-durable-p)"), "nil", "nothing counts as sent")
        self.online()
        self.same(note, "more text\n", "typed text restores the note")

    def raw(self):
        note = self.open("raw", "secret words\n")
        self.lisp('(progn (goto-char (point-max)) (insert "\\351"))')
        self.same_shown(note, "secret words\n\ufffd", "another character is sent in place of an invalid byte")
        self.checks.check(not any("secret words" in message for message in self.told()), "the text is not shown as a message")
        self.checks.equal(self.lisp('(equal (buffer-string) (string-to-multibyte "secret words\n\\351"))'), "t", "the byte stays in the buffer")
        self.lisp("(progn (goto-char (point-max)) (delete-char -1) (insert ?é))")
        self.same(note, "secret words\né", "the text is sent when the byte is removed")
        self.no_draft()

    def type_offline_and_die(self, name):
        """Two Emacs processes of one user hold text for one note, and are killed."""
        first, second = self.editor, Emacs("second", self.folder, self.daemon.socket)
        second.do("eval", code=f'(setenv "XDG_STATE_HOME" "{first.folder}/state")')
        for editor in (first, second):
            editor.open(name)
            editor.settled()
        self.daemon.kill()
        for editor, text in ((first, "first\n"), (second, "second\n")):
            editor.wait(lambda state: state["status"] == "offline", "the state offline")
            editor.do("insert", at=0, text=text)
        self.wait_for(lambda: len(self.drafts()) == 2, "each Emacs keeps its own text", self.drafts())
        self.die(first, second)
        self.online()
        self.begin()

    def two_drafts(self):
        note = self.create("drafts", "one\n")
        self.type_offline_and_die("drafts")
        self.editor.open("drafts")
        self.editor.settled()
        self.wait_for(lambda: len(self.drafts()) == 1, "one draft is sent", self.drafts())
        (path,) = self.drafts()
        self.wait_for(lambda: any(path in message for message in self.told()), "the user learns where the second draft is", self.told())
        self.lisp("(kill-buffer)")
        self.editor.open("drafts")
        self.editor.settled()
        self.no_draft()
        text = self.shown(note)["text"]
        self.checks.equal([text.count("first\n"), text.count("second\n"), text.count("one\n")], [1, 1, 1],
                          "the text that each Emacs held is sent once", text)
        self.same(note, text, "the buffer shows it")

    def drafts_later(self):
        note = self.open("later", "one\n")
        self.offline()
        self.editor.do("insert", at=0, text="held ")
        self.wait_for(lambda: len(self.drafts()) == 1, "held text is kept in a draft")
        self.die()
        self.begin()
        said = self.lisp('(condition-case problem (notesd-find "later") (user-error (cadr problem)))')
        self.checks.check("does not answer" in said, "a draft does not count as lost while the daemon is away", said)
        self.checks.equal(self.lisp("(notesd-sync-buffers)"), "nil", "the note is not opened")
        self.checks.equal(len(self.drafts()), 1, "the draft stays")
        self.online()
        self.editor.open("later")
        self.same(note, "held one\n", "the draft is sent when the note is opened again")

        self.no_draft()

    def new_draft(self):
        """Another editor typed a note while the daemon was away, and ended."""
        folder = os.path.join(self.editor.folder, "state", "notesctl", "draft-of-another")
        os.makedirs(folder, mode=0o700)
        with open(os.path.join(folder, "fresh.md"), "w", encoding="utf-8") as file:
            file.write("typed elsewhere\n")
        with open(os.path.join(folder, ".notesctl-edit"), "w", encoding="utf-8") as file:
            file.write("name fresh\nfresh.md\nnew 01900000-0000-7000-8000-00000000f4e5\n12345678\n")
        self.editor.open("fresh")
        self.editor.settled()
        self.checks.equal([self.other.ask("note.get", name="fresh")["note"]["text"], self.editor.text()], ["typed elsewhere\n"] * 2,
                          "the note is made from the draft")
        self.no_draft()


Trouble.main()
