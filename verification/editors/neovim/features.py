#!/usr/bin/env python3
"""Tests the features of the Neovim plugin beside the text, with a real Neovim, a real daemon, and a
second client for the other users.

usage: features.py [--seed N]
"""

import os
import re
import signal
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "lib"))

from daemon import Client  # noqa: E402
from desktop import Desktop  # noqa: E402
from editors import Neovim, NeovimOnScreen, kept_drafts  # noqa: E402
from editor_features import EditorFeatures  # noqa: E402


class Features(EditorFeatures):
    kind = Neovim
    parts = (
        "opening", "new_note", "made_by_another_meanwhile", "without_daemon", "texts", "conflict", "conflicts_of_other_kinds",
        "history", "search", "links", "pictures", "cursors", "away", "commands_of_undo", "deletion", "bad_bytes", "presence", "health",
        "one_line", "draft", "quitting", "leaving",
    )

    # Helpers.

    def keys(self, keys):
        self.editor.do("keys", keys=keys)

    def lua(self, code):
        return self.editor.do("eval", code=code)

    def log(self):
        return [entry["message"] for entry in self.editor.do("log")]

    def last_told(self, part):
        return any(part in message for message in self.log()[-3:])

    def buffer_lines(self):
        return self.lua("return vim.api.nvim_buf_get_lines(0, 0, -1, false)")

    # The tests.

    def opening(self):
        note = self.create("work/inbox", "one\n")
        self.create("work/later", "two\n")
        self.keys(":Notes work/inbox<CR>")
        self.checks.equal(self.editor.text(), "one\n", ":Notes NAME opens a note")
        names = self.lua("return vim.fn.getcompletion('Notes work/', 'cmdline')")
        self.checks.equal(names, ["work/inbox", "work/later"], "names are completed")
        self.lua("vim.ui.select = function(items, options, chosen) _G.offered = #items; chosen(items[2]) end return true")
        self.keys(":Notes<CR>")
        self.checks.equal([self.lua("return _G.offered"), self.editor.text()], [2, "two\n"], ":Notes offers a choice")
        self.keys(f":edit notes://{note['id']}<CR>")
        self.checks.equal(self.editor.text(), "one\n", "a note opens by its id")
        self.checks.equal(self.lua("return vim.bo.filetype"), "markdown", "its file type is set")
        self.lua("vim.o.modeline, vim.o.modelines = true, 5 return true")
        self.create("bids", "vim: set shiftwidth=13 filetype=lua foldmethod=marker:\n")
        self.keys(":Notes bids<CR>")
        self.checks.equal(
            self.lua("return { vim.bo.shiftwidth, vim.bo.filetype, vim.wo.foldmethod }"), [8, "markdown", "manual"],
            "instructions in a text are not executed")

    def new_note(self):
        self.keys(":Notes quite new<CR>")
        self.checks.equal(self.editor.state()["status"], "new", "a name that no note has is new")
        self.keys("ihello<Esc>")
        self.editor.settled()
        self.checks.equal(self.other.ask("note.get", name="quite new")["note"]["text"], "hello\n", "typing creates the note, with a last line end")
        self.keys(":w<CR>")
        self.checks.check(self.last_told("saved durably"), ":w reports that the text is durable", self.log()[-3:])
        self.keys(":NotesRename other name<CR>")
        self.wait_for(lambda: self.last_told("renamed"), "it can be renamed", self.log()[-3:])
        self.checks.equal(self.other.ask("note.get", name="other name")["note"]["text"], "hello\n", "the renamed note has its text")

    def made_by_another_meanwhile(self):
        self.keys(":Notes same name<CR>")
        self.checks.equal(self.editor.state()["status"], "new", "a name that no note has is new")
        note = self.create("same name", "theirs\n")
        self.keys("imine<Esc>")
        self.editor.settled()
        self.checks.equal(self.shown(note)["text"], "theirs\nmine\n", "if another client created the note meanwhile, both texts are there")

    def without_daemon(self):
        note = self.create("later on", "text\n")
        self.daemon.kill()
        self.wait_for(lambda: not self.lua("return require('notesd.client').is_up"), "the connection is gone")
        self.keys(":Notes later on<CR>")
        self.checks.equal([self.editor.state()["status"], self.lua("return vim.bo.modifiable")], ["offline", False], "nothing is shown while offline")
        self.daemon.start()
        self.meet()
        self.editor.wait(lambda state: state["text"] == "text\n", "the note")
        self.keys("Amore<Esc>")
        self.editor.settled()
        self.checks.equal(self.shown(note)["text"], "textmore\n", "the note is shown when the daemon is back")

    def texts(self):
        for number, text in enumerate(["", "\n", "\n\n", "a", "a\r\nb\r\n", "a\r\nb", "a\r\nb\n", "\r\n", "a\rb\n", "é日👍\n", "\ufeffa\n"]):
            note = self.create(f"text{number}", text)
            self.keys(f":Notes text{number}<CR>")
            self.checks.equal(self.editor.text(), text, "every text is shown exactly")
            self.keys("ggiX<Esc>:w<CR>")
            self.editor.settled()
            expected = "X" + text if text else "X\n"
            self.checks.equal(self.shown(note)["text"], expected, "every text is written back exactly")
            self.other.ask("note.edit", id=note["id"], base=self.shown(note)["version"], edits=[{"start": 1, "end": 1, "text": "\r\ny"}])
            self.editor.wait(lambda state, note=note: state["text"] == self.shown(note)["text"], "the other's line end")
            self.editor.do("undo")
            self.editor.settled()
            without = expected.replace("X", "\r\ny", 1) if text else "\r\ny"
            self.checks.equal(self.shown(note)["text"], without, "undo works beside a line end of another writer", text)

    def conflict(self):
        note = self.create("torn", "a\nb\nc\n")
        self.keys(":Notes torn<CR>")
        self.editor.settled()
        self.write_at_once(note, "a\nLEFT\nc\n", "a\nRIGHT\nc\n")
        self.editor.wait(lambda state: "LEFT" in state["text"] and "RIGHT" in state["text"], "both sides")
        self.wait_for(lambda: "1 conflict" in self.lua("return require('notesd').statusline()"), "the status line counts the conflict")
        self.diagnostics(note)
        self.keys(":NotesConflicts<CR>")
        shown = "\n".join(self.buffer_lines())
        self.checks.check("LEFT" in shown and "RIGHT" in shown and "other/test" in shown, "both sides are shown", shown)
        left = next(line.split()[0] for line, after in zip(self.buffer_lines(), self.buffer_lines()[1:]) if after.strip() == "LEFT")
        self.keys(left)
        self.wait_for(lambda: self.lua("return #vim.diagnostic.get()") == 0, "a resolved conflict is no diagnostic")
        self.expect_taken_and_undone(note, "a\nLEFT\nc\n", "RIGHT")
        self.write_at_once(note, "x\n", "y\n")
        self.editor.wait(lambda state: "x" in state["text"] and "y" in state["text"], "both again")
        self.keys(":NotesConflicts<CR>b")
        self.wait_for(lambda: self.shown(note)["conflicts"] == [], "both sides are kept, and the conflict is resolved", self.log()[-3:])
        self.undo_overwritten(note)
        self.editor.wait(lambda state: "b\n" in state["text"] and "B2" in state["text"], "the undone side too")
        self.keys(":NotesConflicts<CR>")
        lines = self.buffer_lines()
        undone = next((after for line, after in zip(lines, lines[1:]) if line.endswith(", undone:")), None)
        self.checks.equal(undone, "    b", "an undone side is shown as undone, with the text before it", lines)
        self.keys("b")
        self.wait_for(lambda: self.shown(note)["conflicts"] == [], "the conflict of the undo is resolved", self.log()[-3:])

    def diagnostics(self, note):
        """An open conflict is a diagnostic with a sign, which moves with the text."""
        shown = "local d = vim.diagnostic.get(0); return { #d, #d > 0 and d[1].lnum, #d > 0 and d[1].source }"
        # Since 0.10, signs are extmarks.
        signs = ("local b = vim.api.nvim_get_current_buf(); if vim.fn.has('nvim-0.10') == 1 then"
                 " return #vim.api.nvim_buf_get_extmarks(b, -1, 0, -1, { type = 'sign' }) end"
                 " return #vim.fn.sign_getplaced(b, { group = '*' })[1].signs")
        self.checks.equal(self.lua(shown), [1, 1, "notesd"], "an open conflict is a diagnostic, on its line")
        self.checks.check(self.lua(signs) > 0, "the diagnostic has a sign")
        version = self.shown(note)["version"]
        self.other.ask("note.edit", id=note["id"], base=version, edits=[{"start": 0, "end": 0, "text": "above\n"}])
        self.wait_for(lambda: self.lua(shown) == [1, 2, "notesd"], "the diagnostic moves with its text", self.lua(shown))
        self.keys("ggdd")
        self.editor.settled()
        self.wait_for(lambda: self.lua(shown) == [1, 1, "notesd"], "and with text typed here", self.lua(shown))

    def away(self):
        """Without a status line, one message reports that the daemon is away, and one that it is
        back."""
        self.create("away", "text\n")
        self.keys(":Notes away<CR>")
        self.editor.settled()
        self.lua("require('notesd.notices').away_ms = 1 return true")
        count = lambda: sum("OFFLINE" in message for message in self.log())
        before = count()
        self.daemon.kill()
        self.wait_for(lambda: count() > before, "a message reports that the daemon is away")
        self.lua("vim.wait(500) return true")
        self.checks.equal(count(), before + 1, "there is one message for all attempts to connect")
        self.keys("Amore<Esc>")
        self.daemon.start()
        self.meet()
        self.wait_for(lambda: self.last_told("connected again"), "a message reports that the daemon is back", self.log()[-3:])
        self.editor.settled()

    def conflicts_of_other_kinds(self):
        note = self.create("two names", "text\n")
        self.keys(":only<CR>:Notes two names<CR>")
        self.editor.settled()
        for name in ("left name", "right name"):
            self.other.ask("note.save", id=note["id"], base=note["version"], name=name)
        self.wait_for(lambda: "1 conflict" in self.lua("return require('notesd').statusline()"), "two names are a conflict", self.log()[-3:])
        self.keys(":NotesConflicts<CR>")
        lines = self.buffer_lines()
        self.checks.check(any("right name" in line for line in lines), "both names are shown", lines)
        number = next(line.split()[0] for line, after in zip(lines, lines[1:]) if after.strip() == "right name")
        self.keys(number)
        self.wait_for(lambda: self.shown(note)["name"] == "right name" and self.shown(note)["conflicts"] == [], "one name is chosen")
        note = self.create("kept", "text\n")
        self.keys(":Notes kept<CR>")
        self.editor.settled()
        self.other.ask("note.delete", id=note["id"], base=note["version"])
        self.other.ask("note.edit", id=note["id"], base=note["version"], edits=[{"start": 0, "end": 0, "text": "more "}])
        self.editor.wait(lambda state: state["text"] == "more text\n", "the text of the write")
        self.keys(":NotesConflicts<CR>")
        self.checks.check(any("(deleted)" in line for line in self.buffer_lines()), "a deletion is shown", self.buffer_lines())
        self.keys("b")
        self.wait_for(lambda: self.shown(note)["conflicts"] == [], "the note is kept")
        self.checks.equal([self.shown(note)["deleted"], self.shown(note)["text"]], [False, "more text\n"], "the kept note has its text")

    def history(self):
        note = self.create("past", "first\n")
        self.other.ask("note.save", id=note["id"], base=note["version"], text="second\n")
        self.keys(":Notes past<CR>:NotesHistory<CR>")
        self.checks.equal(len(self.buffer_lines()), 2, "both revisions are listed", self.buffer_lines())
        self.keys("G<CR>")
        self.checks.equal(self.buffer_lines(), ["first"], "the text of a revision is shown")
        self.keys(":close<CR>d")
        self.checks.equal(self.lua("return vim.wo.diff"), True, "revisions are compared")
        self.keys(":only<CR>:diffoff!<CR>")

    def search(self):
        self.create("recipes/cake", "flour\nCrème brûlée, eggs\n")
        self.keys(":NotesSearch brulee<CR>")
        self.checks.equal(self.buffer_lines(), ["notes://recipes/cake| Crème brûlée, eggs"], "the quickfix list has the match")
        self.keys(":cfirst<CR>")
        self.checks.equal(self.editor.text(), "flour\nCrème brûlée, eggs\n", "the note opens from there")
        self.checks.equal(self.lua("return vim.api.nvim_win_get_cursor(0)"), [2, 7], "the cursor is at the match")
        self.create("paths", "a\\b\r\nsee /usr/lib/[x]*\r\nfar from here\r\n")
        self.keys(":NotesSearch far<CR>:cfirst<CR>")
        self.checks.equal(self.lua("return vim.api.nvim_win_get_cursor(0)"), [3, 0], "the text around a match has no effect", self.log()[-3:])
        self.keys(":NotesSearch milk \"oat<CR>")
        self.checks.check(self.last_told("at byte"), "a wrong query is reported with its offset", self.log()[-2:])

    def links(self):
        self.create("linked/plan", "plan\n")
        note = self.create("linking", "x [a](linked/pl%61n.md) and [[plan|shown]] or [[nothing]]\n[[lin\n")
        self.keys(":only<CR>:Notes linking<CR>gg0:NotesFollow<CR>")
        self.checks.equal(self.editor.text(), "plan\n", "a path link opens its note")
        self.keys("<C-o>")
        self.checks.equal(self.lua("return vim.fn.bufname()"), "notes://linking", "CTRL-O returns to the link")
        self.keys("gg0f|:NotesFollow<CR>")
        self.checks.equal(self.editor.text(), "plan\n", "a wiki link opens its note")
        self.keys(":NotesBacklinks<CR>")
        self.checks.equal(
            self.buffer_lines(), ["notes://linking| x [a](linked/pl%61n.md) and [[plan|shown]] or [[nothing]]"] * 2,
            "the links to a note are listed")
        self.keys(":cfirst<CR>")
        self.checks.equal(self.lua("return vim.fn.bufname()"), "notes://linking", "the linking note opens from there")
        self.keys(":only<CR>gg$:NotesFollow<CR>")
        self.checks.check(self.last_told("no note has the name nothing"), "a link to nothing is reported", self.log()[-2:])
        self.keys("jA<C-x><C-o><C-e><Esc>")
        self.checks.equal(
            self.lua("vim.api.nvim_win_set_cursor(0, { 2, 5 }) return require('notesd.links').complete(1, '')"), 2,
            "completion begins after the brackets")
        found = self.lua("return vim.tbl_map(function(item) return item.word end, require('notesd.links').complete(0, 'lin'))")
        self.checks.equal(found, ["linked/plan", "linking"], "names are completed in links")

    def pictures(self):
        desktop = Desktop(self.editor.folder)
        self.lua(f"vim.env.PATH = '{desktop.folder}:' .. vim.env.PATH vim.env.WAYLAND_DISPLAY = 'none' return true")
        note = self.create("with a picture", "see \n")
        self.keys(":only<CR>:Notes with a picture<CR>gg$:NotesPaste<CR>")
        self.editor.settled()
        text = self.shown(note)["text"]
        self.checks.check(re.fullmatch(r"see !\[\[files/pasted-[-0-9]+\.png\]\]\n", text), "a picture is pasted as a link", text)
        self.keys("gg0:NotesFollow<CR>")
        self.wait_for(desktop.has_opened, "the link opens the picture")
        desktop.empty()
        self.keys(":NotesPaste<CR>")
        self.checks.check(self.last_told("no picture in the clipboard"), "an empty clipboard is reported", self.log()[-2:])

    def cursors(self):
        note = self.create("rest", "one two\nthree\n")
        self.keys(":only<CR>:Notes rest<CR>gg0wi")
        self.other.ask("note.edit", id=note["id"], base=note["version"], edits=[
            {"start": 0, "end": 0, "text": "above\n"}, {"start": 4, "end": 4, "text": "X"}])
        self.editor.wait(lambda state: "above" in state["text"], "the other's text")
        self.keys("mine<Esc>")
        self.editor.settled()
        self.checks.equal(self.shown(note)["text"], "above\none mineXtwo\nthree\n", "the user continues typing at the same place")
        self.keys("/three<CR>vl")
        note = self.shown(note)
        self.other.ask("note.edit", id=note["id"], base=note["version"], edits=[{"start": 0, "end": 0, "text": "more\n"}])
        self.editor.wait(lambda state: "more" in state["text"], "more")
        self.checks.equal(self.editor.state()["mode"], "v", "the selection stays active")
        self.keys("cTHR<Esc>")
        self.editor.settled()
        self.checks.equal(self.shown(note)["text"], "more\nabove\none mineXtwo\nTHRree\n", "a selection stays on its text")
        self.lua("vim.api.nvim_input('gg0d') return true")
        self.editor.wait(lambda state: state["mode"] == "no", "half a command")
        note = self.shown(note)
        self.other.ask("note.edit", id=note["id"], base=note["version"], edits=[{"start": 0, "end": 0, "text": "zero\n"}])
        before = self.editor.text()
        taking = "return require('notesd.note').of(0).is_waiting or false"
        self.wait_for(lambda: self.lua(taking), "the text of the other client has arrived")
        self.checks.equal(self.editor.text(), before, "a pending operator delays the text of others")
        self.keys("w")
        self.editor.wait(lambda state: state["text"] == self.shown(note)["text"], "rest")
        self.checks.equal(self.shown(note)["text"], "zero\n\nabove\none mineXtwo\nTHRree\n", "the text is applied when the command is complete")
        self.lua("vim.cmd('vsplit') vim.api.nvim_win_set_cursor(0, {4, 2}) vim.cmd('wincmd p') return true")
        note = self.shown(note)
        self.other.ask("note.edit", id=note["id"], base=note["version"], edits=[{"start": 0, "end": 0, "text": "A\nB\n"}])
        self.editor.wait(lambda state: state["text"].startswith("A"), "A")
        rows = self.lua("return vim.tbl_map(function(w) return vim.api.nvim_win_get_cursor(w) end, vim.api.nvim_tabpage_list_wins(0))")
        self.checks.check([6, 2] in rows, "cursors of other windows stay, too", rows)
        self.keys(":only<CR>")

    def commands_of_undo(self):
        note = self.create("undo", "one\n")
        self.keys(":Notes undo<CR>Amine<Esc>")
        self.editor.settled()
        self.other.ask("note.edit", id=note["id"], base=self.shown(note)["version"], edits=[{"start": 0, "end": 0, "text": "theirs\n"}])
        self.editor.wait(lambda state: "theirs" in state["text"], "theirs")
        for keys, law in (("u", "u"), (":undo<CR>", ":undo"), (":normal u<CR>", ":normal u"), ("g-", "g-"), ("U", "U")):
            self.keys(keys)
            self.checks.equal(self.editor.text(), "theirs\none\n", f"{law} removes the user's own text")
            self.keys("<C-r>")
            self.checks.equal(self.editor.text(), "theirs\nonemine\n", "CTRL-R restores it")
        for keys in (":normal! u<CR>", ":earlier 10<CR>", ":undo 0<CR>"):
            self.keys(keys)
            self.checks.equal(self.editor.text(), "theirs\nonemine\n", "Neovim's own undo does nothing", keys)
        self.keys("5u")
        self.checks.equal(self.editor.text(), "theirs\none\n", "a larger count undoes everything")

    def deletion(self):
        note = self.create("gone", "text\n")
        self.keys(":Notes gone<CR>")
        self.editor.settled()
        self.other.ask("note.delete", id=note["id"], base=note["version"])
        self.editor.wait(lambda state: state["status"] == "deleted", "deletion")
        self.checks.equal(self.editor.text(), "text\n", "the text of a deleted note stays")
        self.keys(":w<CR>")
        self.checks.check(self.last_told(":write! brings it back"), ":w reports the deletion", self.log()[-2:])
        self.keys(":w!<CR>")
        self.editor.settled()
        back = self.shown(note)
        self.checks.equal([back["deleted"], back["text"], back["name"]], [False, "text\n", "gone"], ":w! restores the note")
        self.other.ask("note.delete", id=note["id"], base=back["version"])
        self.editor.wait(lambda state: state["status"] == "deleted", "deletion")
        self.keys("Amore<Esc>")
        self.editor.settled()
        self.checks.equal(self.shown(note)["text"], "textmore\n", "typing restores the note, too")
        self.keys(":NotesDelete!<CR>")
        self.wait_for(lambda: self.shown(note)["deleted"], ":NotesDelete deletes")

    def bad_bytes(self):
        note = self.create("bytes", "fine\n")
        self.keys(":Notes bytes<CR>")
        self.lua("vim.api.nvim_buf_set_lines(0, 0, 0, false, {'\\255bad'}) return true")
        self.editor.wait(lambda state: state["status"] == "refused", "refusal")
        self.checks.check(any("line 1 has bytes" in message for message in self.log()[-3:]), "invalid bytes are reported", self.log()[-3:])
        self.checks.equal(self.shown(note)["text"], "fine\n", "such text is not sent")
        self.keys("ggdd")
        self.editor.settled()
        self.keys("Amore<Esc>")
        self.editor.settled()
        self.checks.equal(self.shown(note)["text"], "finemore\n", "sending continues when they are removed")

    def marks(self):
        return self.lua("""local n = vim.api.nvim_get_namespaces().notesd_presence
            return vim.tbl_map(function(m) return { m[2], m[3], m[4].virt_text[1][1] } end,
                vim.api.nvim_buf_get_extmarks(0, n, 0, -1, { details = true }))""")

    def presence(self):
        if "presence" not in self.other.hello["capabilities"]:
            print("features neovim: this daemon has no presence, so its tests are skipped")
            return
        note = self.create("present", "one two\nthree\n")
        self.keys(":only<CR>:Notes present<CR>gg0")
        self.editor.settled()
        self.other.ask("notes.watch", filter={"ids": [note["id"]]}, snapshot=False)
        where = {"note": note["id"], "version": note["version"], "selection": {"start": 8, "end": 8}}
        self.other.ask("presence.set", **where)
        self.wait_for(lambda: len(self.marks()) == 1, "another's cursor is drawn", self.log()[-3:])
        name = f" ◂ {self.other.hello['user']['name']} (test)"
        self.checks.equal(self.marks(), [[1, 0, name]], "the cursor is at its place, with its name")
        self.checks.check("1 here" in self.lua("return require('notesd').statusline()"), "the status line counts the other client")
        self.keys("Oabove<Esc>")
        self.editor.settled()
        self.checks.equal(self.marks(), [[2, 0, name]], "the cursor moves with the text")
        twin = Client(self.daemon.socket, label="other/test")
        now = {"note": note["id"], "version": self.shown(note)["version"], "selection": {"start": 0, "end": 0}}
        twin.ask("presence.set", **now)

        def names():
            return {each for _, _, each in self.marks()}
        self.wait_for(lambda: len(names()) == 2 and all(re.fullmatch(r" ◂ \S+ \(test [12]\)", each) for each in names()),
                      "two clients with one label have different names", names(), self.lua("return require('notesd.note').of(0).people"))
        twin.close()
        self.wait_for(lambda: self.marks() == [[2, 0, name]], "the name is as before when one of them has left", self.marks())
        self.keys("gg0w")

        def told():
            self.other.ask("session.ping")
            return [line["params"]["selection"] for line in self.other.notices if line["method"] == "presence.changed"][-1:]
        self.wait_for(lambda: told() == [{"start": 6, "end": 6}], "the own cursor is sent", told())
        self.other.ask("presence.set", note=None)
        self.wait_for(lambda: self.marks() == [], "the cursor of a client that leaves is removed")
        self.keys(":Notes work/inbox<CR>")
        self.wait_for(lambda: told() == [None], "leaving a note is sent", told())

    def one_line(self):
        """No message of the plugin makes Neovim ask for ENTER, and `:messages` has all of it."""
        note = self.create("one line/" + "long name " * 20, "text\n")
        editor = NeovimOnScreen("on-screen", self.folder, self.daemon.socket)

        def lua(code):
            return editor.do("eval", code=code)

        def messages():
            return lua("return vim.fn.execute('messages')").replace("…", "").replace("\n", "")
        lua("vim.notify = _G.notify_of_neovim return true")
        lua(f"vim.cmd('edit notes://{note['id']}') return true")
        editor.settled()
        editor.do("keys", keys="Amore<Esc>:w<CR>")
        self.checks.equal(editor.state()["mode"], "n", "the message of :w fits into a line")
        self.wait_for(lambda: messages().endswith("long name : saved durably"), ":messages has all of it", messages()[-500:])
        for level in ("INFO", "WARN", "ERROR"):
            for text in ("two\\nlines", "wide 日本 " * 30, "a" * 500):
                lua(f"local tell = require('notesd.client').tell; for i = 1, 3 do tell('{text}', vim.log.levels.{level}) end return true")
                self.checks.equal(editor.state()["mode"], "n", "several long messages ask for nothing", level, text)
        self.checks.check("a" * 500 in messages(), "no message is lost")
        cut = "local cut = require('notesd.message').cut; return vim.fn.strdisplaywidth((cut(('日'):rep(50), {})))"
        self.checks.equal([lua(cut.replace("{}", str(width))) for width in (20, 21, 100)], [19, 21, 100],
                          "a message is cut by columns, between characters")
        editor.do("keys", keys=":echo")
        lua("require('notesd.client').tell('beside a command') return true")
        self.checks.equal([editor.state()["mode"], lua("return vim.fn.getcmdline()")], ["c", "echo"], "a message does not disturb a command line")
        lua("vim.api.nvim_input('<C-c>') return true")
        self.wait_for(lambda: messages().endswith("beside a command"), "the message is shown after the command line", messages()[-100:])
        editor.quit()

    def draft(self):
        note = self.create("draft", "base\n")
        self.keys(":Notes draft<CR>")
        self.editor.settled()
        self.daemon.kill()
        self.editor.wait(lambda state: state["status"] == "offline", "offline")
        self.checks.check("OFFLINE" in self.lua("return require('notesd').statusline()"), "the status line shows OFFLINE")
        self.keys("Awritten in the dark<Esc>:w<CR>")
        self.checks.check(self.last_told("not saved: the daemon does not answer"), ":w reports that the text is not saved", self.log()[-2:])
        self.wait_for(lambda: any("dark" in text for text in kept_drafts(self.editor.folder).values()), "a draft is on disk")
        self.editor.kill()
        self.daemon.start()
        self.meet()
        self.other.ask("note.edit", id=note["id"], base=note["version"], edits=[{"start": 0, "end": 0, "text": "meanwhile\n"}])
        self.begin()
        self.keys(":Notes draft<CR>")
        text = "basewritten in the dark\nmeanwhile\n"
        self.editor.wait(lambda state: state["text"] == text and state["settled"], "the text of the draft")
        self.checks.equal(self.shown(note)["text"], text, "the next editor sends the draft")
        self.keys(":Notes draft<CR>:edit<CR>")
        self.editor.settled()
        self.checks.equal(self.editor.text(), text, "the draft is sent once")

    def quitting(self):
        note = self.create("quitting", "base\n")
        self.keys(":Notes quitting<CR>")
        self.editor.settled()
        self.daemon.freeze()
        self.keys("Aheld<Esc>:q<CR>")
        self.wait_for(lambda: self.last_told(":q! loses nothing"), ":q reports that nothing is lost", self.log()[-3:])
        self.wait_for(lambda: list(kept_drafts(self.editor.folder).values()) == ["baseheld\n"], "the draft is on disk", kept_drafts(self.editor.folder))
        self.checks.equal(self.editor.text(), "baseheld\n", "the note is still open")
        self.daemon.process.send_signal(signal.SIGCONT)
        self.editor.settled()
        told = len(self.log())
        self.keys(":split<CR>:q<CR>")
        self.checks.equal(self.log()[told:], [], "closing a window without unsent text reports nothing")

    def leaving(self):
        note = self.create("leaving", "")
        self.keys(":Notes leaving<CR>")
        self.editor.settled()
        self.editor.start("keys", keys="ilast words<Esc>:wq<CR>")
        self.editor.process.wait(timeout=15)
        self.checks.equal(self.shown(note)["text"], "last words\n", "the last typed text is there after :wq")

    def health(self):
        self.keys(":checkhealth notesd<CR>")
        report = "\n".join(self.buffer_lines())
        self.checks.check("notesd" in report and "it can write" in report and "ERROR" not in report, ":checkhealth reports no error", report)
        self.keys(":bwipeout!<CR>")
        self.lua("vim.cmd('helptags ' .. vim.fn.fnameescape(vim.fn.fnamemodify(vim.api.nvim_get_runtime_file('doc/notesd.txt', false)[1], ':h'))) return true")
        self.keys(":help notesd-undo<CR>")
        self.checks.check(any("*notesd-undo*" in line for line in self.buffer_lines()), "help has its tags")
        self.keys(":helpclose<CR>")


if __name__ == "__main__":
    Features.main()
