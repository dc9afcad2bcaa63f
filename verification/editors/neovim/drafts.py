#!/usr/bin/env python3
"""Tests unacknowledged text when Neovim loses its connection, closes the buffer or dies: none is
lost, and none arrives twice.

usage: drafts.py [--seed N]
"""

import fcntl
import os
import random
import resource
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "lib"))

from held_neovim import HeldNeovim, is_write  # noqa: E402


class Drafts(HeldNeovim):
    parts = (
        "read_again_in_flight", "closed_in_flight", "closed_and_deleted_from", "closed_at_once", "killed_in_flight",
        "killed_in_next_flight", "killed_behind_half_command", "draft_on_lost_version", "two_drafts", "draft_that_cannot_be_written",
        "new_note_offline", "new_note_in_flight", "saved_while_made", "new_note_left", "killed_at_random",
    )

    # Existing notes.

    def read_again_in_flight(self):
        note = self.open("again", "base\n")
        self.holder.hold()
        self.keys("Aone<Esc>")
        self.has(note, "one")
        self.keys(":e!<CR>")
        self.holder.release()
        self.expect_rest(note, "baseone\n", "a note that is read again during a write has its text once")

    def closed_in_flight(self):
        note = self.open("closed", "a\n")
        self.holder.hold()
        self.keys("Aqq<Esc>")
        self.has(note, "qq")
        self.keys(":bd!<CR>")
        self.holder.release()
        self.keys(":Notes closed<CR>")
        self.expect_rest(note, "aqq\n", "the reopened note has the text once")
        self.holder.hold()
        self.keys("Arr<Esc>")
        self.has(note, "rr")
        self.keys("Ass<Esc>:bd!<CR>")
        self.holder.release()
        self.keys(":Notes closed<CR>")
        self.expect_rest(note, "aqqrrss\n", "text typed after the write is sent when the note is opened again")

    def closed_and_deleted_from(self):
        note = self.open("wiped", "a\n")
        self.holder.hold()
        self.keys("Axx<Esc>")
        self.has(note, "xx")
        self.keys(":bw!<CR>")
        self.other.ask("note.save", id=note["id"], base=self.shown(note)["version"], text="a\n")
        self.holder.release()
        self.keys(":Notes wiped<CR>")
        self.expect_rest(note, "a\n", "text deleted by others stays deleted")

    def closed_at_once(self):
        note = self.open("at once", "a\n")
        self.keys("Alast<Esc>:bd!<CR>")
        self.has(note, "last")
        self.wait_for(lambda: not self.drafts(), "text typed before the buffer was closed is sent", self.drafts())

    def killed_in_flight(self):
        note = self.open("milk", "milk\n")
        self.holder.hold()
        self.keys("A one<Esc>")
        self.has(note, "one")
        self.holder.cut()
        self.keys("A two<Esc>")
        self.drafted("two")
        self.begin_again()
        self.keys(":Notes milk<CR>")
        self.expect_rest(note, "milk one two\n", "text sent without a response before the editor died arrives once")

    def killed_in_next_flight(self):
        note = self.open("bread", "bread\n")
        self.holder.hold(is_write)
        self.keys("A one<Esc>")
        self.has(note, "one")
        self.keys("A two<Esc>")
        self.drafted("two")
        self.holder.release(lambda request: is_write(request) and " two" in str(request["params"]))
        self.has(note, "two")
        self.begin_again()
        self.keys(":Notes bread<CR>")
        self.expect_rest(note, "bread one two\n", "a draft has the write that was sent after it was made")

    def killed_behind_half_command(self):
        note = self.open("behind", "base\n")
        self.holder.hold()
        self.other.ask("note.edit", id=note["id"], base=note["version"], edits=[{"start": 0, "end": 0, "text": "top\n"}])
        self.keys("Amine<Esc>")
        self.has(note, "mine")
        self.lua("vim.api.nvim_input('d') return true")
        self.editor.wait(lambda state: state["mode"] == "no", "half a command")
        self.holder.release()
        self.begin_again()
        self.keys(":Notes behind<CR>")
        self.expect_rest(note, "top\nbasemine\n", "sent text arrives once, though the text of others was not shown yet")

    def _left_draft(self, name, text):
        """A draft with `text` that an editor left for the note `name`, whose base is not the newest
        version."""
        note = self.open(name, "base\n")
        self.holder.cut()
        self.keys(f"A{text}<Esc>")
        self.drafted(text)
        self.editor.kill()
        self.other.ask("note.edit", id=note["id"], base=note["version"], edits=[{"start": 0, "end": 0, "text": "others\n"}])
        return note

    def _marker(self, note):
        """The file that says what the draft of a note is based on, and its lines, when its host has
        ended."""
        for path in self.drafts():
            marker = os.path.join(os.path.dirname(path), ".notesctl-edit")
            with open(marker) as file:
                if file.readline().strip() == note["id"]:
                    fcntl.flock(file, fcntl.LOCK_EX)
                    file.seek(0)
                    return marker, file.read().split("\n")
        raise AssertionError("the note has no draft")

    def draft_on_lost_version(self):
        note = self._left_draft("lost", "mine")
        marker, lines = self._marker(note)
        with open(marker, "w") as file:
            file.write("\n".join(lines[:2] + ["ffffffffffffffff:1"] + lines[3:]))
        path = os.path.join(os.path.dirname(marker), lines[1])
        self.begin()
        self.keys(":Notes lost<CR>")
        self.wait_for(lambda: self.is_told(path), "the user learns the path of a draft on a lost version", self.log())
        self.checks.equal([self.shown(note)["text"], path in self.drafts()], ["others\nbase\n", True], "it is not sent, and stays")
        shutil.rmtree(os.path.dirname(path))

    def two_drafts(self):
        note = self._left_draft("two", "mine")
        marker, lines = self._marker(note)
        folder = os.path.dirname(marker)
        shutil.copytree(folder, folder + "2")
        with open(os.path.join(folder + "2", ".notesctl-edit"), "w") as file:
            file.write("\n".join(lines[:3] + ["12345678", ""]))
        with open(os.path.join(folder + "2", "two.md"), "w") as file:
            file.write("earlier\nbase\n")
        self.begin()
        self.keys(":Notes two<CR>")
        self.wait_for(lambda: self.is_told("An earlier text of this note"), "the user is notified of the other", self.log())
        self.editor.settled()
        self.keys(":e<CR>")
        self.wait_for(lambda: not self.drafts(), "the other is sent when the note is read again", self.drafts())
        self.editor.settled()
        self.checks.equal(sorted(self.editor.text().split()), ["basemine", "earlier", "others"], "both texts are there, once")
        self.checks.equal(self.shown(note)["text"], self.editor.text(), "the daemon has both")

    def draft_that_cannot_be_written(self):
        self.open("full", "x" * 6000 + "\n")
        self.holder.cut()
        self.keys("A good<Esc>")
        self.drafted("good")
        resource.prlimit(self.host, resource.RLIMIT_FSIZE, (4096, 4096))
        self.keys("A better<Esc>:w<CR>")
        self.wait_for(lambda: self.is_told("cannot be written"), "a draft that cannot be written is reported", self.log())
        self.drafted("good")
        self.begin_again()
        self.keys(":Notes full<CR>")
        self.wait_for(lambda: self.editor.text() == "x" * 6000 + " good\n", "the earlier draft is intact", self.editor.text())

    # Notes that do not exist yet.

    def new_note_offline(self):
        self.keys(":Notes fresh<CR>")
        self.holder.cut()
        self.wait_for(lambda: not self.lua("return require('notesd.client').is_up"), "the connection is gone")
        self.keys("iin the dark<Esc>")
        self.drafted("in the dark")
        self.begin_again()
        self.keys(":Notes fresh<CR>")
        self.editor.settled()
        note = self.other.ask("note.get", name="fresh")["note"]
        self.expect_rest(note, "in the dark\n", "the next editor creates a note that was typed offline")

    def new_note_in_flight(self):
        self.keys(":Notes newer<CR>")
        self.holder.hold()
        self.keys("ione<Esc>")

        def names():
            return [note["name"] for note in self.other.ask("note.list")["notes"]]
        self.wait_for(lambda: "newer" in names(), "the note is created", names())
        self.holder.cut()
        self.keys("A two<Esc>")
        self.drafted("two")
        note = self.other.ask("note.get", name="newer")["note"]
        self.other.ask("note.edit", id=note["id"], base=note["version"], edits=[{"start": 0, "end": 0, "text": "others\n"}])
        self.begin_again()
        self.keys(":Notes newer<CR>")
        self.expect_rest(note, "one two\nothers\n", "a note created without a response has its text once")

    def saved_while_made(self):
        self.keys(":Notes saved<CR>")
        self.holder.hold()
        self.keys("itext<Esc>:w<CR>:w<CR>")
        before = len([message for message in self.log() if "saved: saved durably" in message])
        self.holder.release()
        self.wait_for(lambda: len([message for message in self.log() if "saved: saved durably" in message]) == before + 2,
                      ":w during the creation of a note is answered", self.log())

    def new_note_left(self):
        self.keys(":Notes left<CR>")
        self.editor.start("keys", keys="ilast words<Esc>:qa!<CR>")
        self.editor.process.wait(timeout=60)
        note = self.other.ask("note.get", name="left")["note"]
        self.checks.equal(note["text"], "last words\n", "a new note is created before the editor ends")
        self.begin()
        self.keys(":Notes left<CR>")
        self.expect_rest(note, "last words\n", "it has its text once")

    # At any moment.

    def killed_at_random(self):
        """Types unique words while responses are held, connections end, and the editor is killed or
        closes the note. No word may occur twice, and each word that was in a draft or had reached
        the daemon must be there."""
        self.random = random.Random(self.checks.seed)
        self.begin_again()
        self.note = self.open("random", "top\n-\n-\n-\nbottom\n")
        self.words, self.typed = [], 0
        steps = {self._type: 8, self._others_write: 3, self._hold: 3, self._release: 3, self._lose_connection: 2,
                 self._wait_for_draft: 2, self._close: 2, self._kill: 2}
        for _ in range(60):
            self.random.choices(list(steps), list(steps.values()))[0]()
        self._kill()

    def _type(self):
        self.typed += 1
        word = f"w{self.typed:03}"
        self.words.append(word)
        self.keys(self.random.choice(["GA ", "Go", "GI"]) + word + "<Esc>")

    def _others_write(self):
        self.other.ask("note.edit", id=self.note["id"], base=self.shown(self.note)["version"], edits=[{"start": 0, "end": 0, "text": "o\n"}])

    def _hold(self):
        self.holder.hold(self.random.choice([is_write, lambda request: True]))

    def _release(self):
        self.holder.release()

    def _lose_connection(self):
        self.holder.cut()
        self.holder.mend()

    def _wait_for_draft(self):
        text = self.editor.text()
        if self.words and self.words[-1] in text:
            self.wait_for(lambda: self.words[-1] in self._kept() + self.shown(self.note)["text"], "typed text is saved soon")

    def _kept(self):
        """The text in drafts."""
        return "".join(self.drafts().values())

    def _close(self):
        self.holder.release()
        self.keys(":bd!<CR>:Notes random<CR>")
        self._expect_words()

    def _kill(self):
        self.editor.stop()
        kept = self._kept() + self.shown(self.note)["text"]
        self.begin_again()
        self.keys(":Notes random<CR>")
        self.editor.settled()
        self.words = [word for word in self.words if word in kept or word in self.shown(self.note)["text"]]
        self._expect_words()

    def _expect_words(self):
        self.editor.settled()
        text = self.shown(self.note)["text"]
        wrong = {word: text.count(word) for word in self.words if text.count(word) != 1}
        self.checks.equal(wrong, {}, "each word is there once", text)
        self.checks.equal(self.shown(self.note)["conflicts"], [], "there is no conflict", text)


if __name__ == "__main__":
    Drafts.main()
