#!/usr/bin/env python3
"""Tests the Neovim plugin beside a slow daemon, with several buffers, and with names: no note may
interfere with another.

usage: trouble.py [--seed N]
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "lib"))

from held_neovim import HeldNeovim  # noqa: E402


class Trouble(HeldNeovim):
    parts = (
        "one_closed_beside_another", "one_note_in_two_buffers", "renamed_elsewhere", "deleted_in_flight",
        "deleted_beside_another", "menu_holds_nothing_back", "copies", "left_names", "refused_again", "parted_while_typing",
        "forgets_others",
    )

    # Several notes, several buffers.

    def one_closed_beside_another(self):
        first, second = self.open("first", "a\n"), self.open("second", "b\n")
        self.keys(":Notes first<CR>")
        self.holder.hold()
        self.keys("Axx<Esc>:hide buffer notes://second<CR>Ayy<Esc>")
        self.has(first, "xx")
        self.has(second, "yy")
        self.keys(":bwipeout! notes://first<CR>")
        self.holder.release()
        self.expect_rest(second, "byy\n", "a note continues when its neighbour is closed during a write")
        self.checks.check(not self.is_told("internal error"), "no internal error occurs", self.log())

    def buffers(self):
        return self.lua("""local names = {} for _, b in ipairs(vim.api.nvim_list_bufs()) do
            names[#names + 1] = vim.api.nvim_buf_get_name(b) end return names""")

    def one_note_in_two_buffers(self):
        note = self.open("twice", "a\n")
        buffer = self.lua("return vim.api.nvim_get_current_buf()")
        self.keys(":Notes first<CR>")
        for command in (f":Notes {note['id']}<CR>", f":edit notes://{note['id']}<CR>"):
            self.keys(":Notes first<CR>" + command)
            self.wait_for(lambda: self.lua("return vim.api.nvim_get_current_buf()") == buffer, "a note is shown in one buffer", command,
                          self.buffers())
        self.checks.check(not any(note["id"] in name for name in self.buffers()), "no other buffer is left", self.buffers())
        self.keys("Atyped<Esc>")
        self.expect_rest(note, "atyped\n", "the buffer continues")

    def renamed_elsewhere(self):
        note = self.open("old name", "a\n")
        self.other.ask("note.save", id=note["id"], base=note["version"], name="new name")
        self.wait_for(lambda: "notes://new name" in self.buffers(), "a buffer has the note's name", self.buffers())
        self.checks.check("notes://old name" not in self.buffers(), "the buffer has no other name", self.buffers())
        self.keys(":e<CR>")
        self.editor.settled()
        self.checks.equal(self.editor.text(), "a\n", ":e reads the note again")
        self.keys("Atyped<Esc>:Notes new name<CR>")
        self.expect_rest(note, "atyped\n", "and :Notes with the new name shows it")

    def deleted_in_flight(self):
        note = self.open("to go", "a\n")
        self.holder.hold()
        self.keys("Ax<Esc>:NotesDelete!<CR>")
        self.has(note, "x")
        self.holder.release()
        self.wait_for(lambda: self.shown(note)["deleted"], ":NotesDelete deletes a note whose text is still being sent", self.log())
        self.wait_for(lambda: "notes://to go" not in self.buffers(), "the buffer is removed", self.buffers())
        note = self.open("to name", "a\n")
        self.holder.hold()
        self.keys("Ax<Esc>:NotesRename named<CR>")
        self.has(note, "x")
        self.holder.release()
        self.wait_for(lambda: self.is_told("renamed to named"), "a note is renamed beside a write", self.log())
        self.expect_rest(note, "ax\n", "the text is there")
        self.checks.equal(self.shown(note)["name"], "named", "the note has its name")

    def deleted_beside_another(self):
        note = self.open("kept", "a\n")
        # The host reads the note when its watch begins, and whenever it may have missed something. After `:w`
        # it reads nothing more by itself, so that holding the watch hides the text of others.
        first = self.other.ask("note.edit", id=note["id"], base=note["version"], edits=[{"start": 0, "end": 0, "text": "first\n"}])
        self.editor.wait(lambda state: state["text"] == "first\na\n" and state["settled"], "the watch has begun")
        self.keys(":w<CR>")
        self.wait_for(lambda: self.is_told("kept: saved durably"), "the host is at rest", self.log)
        self.holder.hold(lambda request: request is None)
        self.other.ask("note.edit", id=note["id"], base=first["version"], edits=[{"start": 0, "end": 0, "text": "others\n"}])
        self.keys(":NotesDelete!<CR>")
        self.wait_for(lambda: self.is_told("not deleted: others wrote"), "deleting a note that others change is reported", self.log,
                      lambda: (self.editor.state(), self.shown(note)))
        self.holder.release()
        self.expect_rest(note, "others\nfirst\na\n", "the text of others is shown")

    def menu_holds_nothing_back(self):
        note = self.open("menu", "alpha alps\n")
        self.lua("vim.o.completeopt = 'menuone' vim.api.nvim_input('oal<C-n>') return true")
        self.wait_for(lambda: self.lua("return vim.fn.pumvisible()") == 1, "a menu of completions")
        self.other.ask("note.edit", id=note["id"], base=note["version"], edits=[{"start": 0, "end": 0, "text": "top\n"}])
        self.wait_for(lambda: self.lua("return require('notesd.note').of(0).is_waiting == true"), "the text of another client waits")
        self.lua("vim.api.nvim_input('<C-n>') return true")
        text = self.editor.wait(lambda state: not state["text"].endswith("\nal\n"), "a word")["text"]
        self.wait_for(lambda: self.shown(note)["text"] == "top\n" + text, "typed text is sent beside an open menu", self.shown(note), text)
        self.checks.equal([self.lua("return vim.fn.pumvisible()"), self.editor.text()], [1, text], "the menu stays open")
        self.keys("<Esc>")
        self.expect_rest(note, "top\n" + text, "the text of others is applied when the menu is closed")

    # Names.

    def copies(self):
        note = self.open("source", "one\ntwo\n")
        self.keys(":w notes://copied<CR>")
        self.checks.equal(self.other.ask("note.get", name="copied")["note"]["text"], "one\ntwo\n", ":w NAME makes a copy")
        self.keys(":1w notes://line<CR>")
        self.checks.equal(self.other.ask("note.get", name="line")["note"]["text"], "one\n", ":w NAME copies some lines too")
        self.keys(":w notes://copied<CR>")
        self.checks.check(self.is_told("a note with that name exists"), ":w never overwrites a note", self.log())
        refusals = {":1w!": "can only be written whole", ":r notes://copied": "cannot be read into", ":w >> notes://copied": "cannot be appended"}
        for command, sentence in refusals.items():
            keys = command + "<CR>"
            self.keys(keys)
            self.checks.check(self.is_told(sentence), "an impossible command is reported", keys, self.log()[-3:])
        self.keys("Amore<Esc>")
        self.editor.settled()
        self.checks.equal([self.shown(note)["text"], self.other.ask("note.get", name="copied")["note"]["text"]],
                          ["onemore\ntwo\n", "one\ntwo\n"], "typed text goes to the note shown")
        path = os.path.join(self.editor.folder, "ordinary")
        with open(path, "w") as file:
            file.write("plain\n")
        self.keys(f":edit {path}<CR>:w notes://from a file<CR>")
        self.checks.equal(self.other.ask("note.get", name="from a file")["note"]["text"], "plain\n", "a file is copied into a note")
        self.checks.equal(self.lua("return vim.api.nvim_buf_get_name(0)"), path, "the buffer stays a file")

    def left_names(self):
        note = self.open("stays", "one\n")
        self.keys(":saveas notes://goes<CR>")
        self.editor.settled()
        self.keys("Amore<Esc>")
        self.editor.settled()
        copy = self.other.ask("note.get", name="goes")["note"]
        self.checks.equal([copy["text"], self.shown(note)["text"]], ["onemore\n", "one\n"], "after :saveas the user types into the copy")
        path = os.path.join(self.editor.folder, "saved as")
        self.keys(f":saveas {path.replace(' ', chr(92) + ' ')}<CR>Afile<Esc>:w<CR>")
        with open(path) as file:
            self.checks.equal(file.read(), "onemorefile\n", "a note is saved as a file", self.log()[-3:])
        self.checks.equal(self.shown(copy)["text"], "onemore\n", "the buffer does not follow the note then")
        self.keys("u")
        self.checks.equal(self.lua("return vim.api.nvim_buf_get_lines(0, 0, -1, false)"), ["onemore"], "Neovim's own undo works there")

    # Other situations.

    def refused_again(self):
        self.open("bad", "fine\n")
        for times in (1, 2):
            self.lua("vim.api.nvim_buf_set_lines(0, 0, 0, false, {'\\255bad'}) return true")
            self.wait_for(lambda: sum("line 1 has bytes" in message for message in self.log()) == times, "each refusal is reported",
                          self.log())
            self.keys("ggdd")
            self.editor.settled()

    def parted_while_typing(self):
        """Shows the daemon's differing text in another window; pending keys and their operator
        still apply to the note."""
        def windows():
            return self.lua("""return vim.tbl_map(function(window)
                return vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(window)) end, vim.api.nvim_list_wins())""")
        for number, (keys, mode, more, text) in enumerate((
                ("Atyped", "i", " more<Esc>", "one two typed more\n"), ("w", "n", "iX<Esc>", "one Xtwo \n"), ("ve", "v", "d", " two \n"),
                ("R12", "R", "3<Esc>", "123 two \n"), ("d", "no", "w", "two \n"), (":s/one/", "c", "X/<CR>", "X two \n"),
                ("fo", "n", ";r0", "one tw0 \n"))):
            note = self.open(f"parted{number}", "one two \n")
            self.keys("gg0")
            self.lua(f"vim.api.nvim_input({keys!r}) return true")
            self.editor.wait(lambda state: state["mode"] == mode, f"mode {mode}")
            self.lua("require('notesd.note').of(0):parted('theirs') return true")
            self.keys(more)
            self.wait_for(lambda: len(windows()) == 2, "the daemon's text is shown in another window", keys, windows())
            self.checks.equal(self.editor.text(), text, "text typed meanwhile goes into the note", keys)
            self.checks.check(any(f"parted{number} (daemon)" in name for name in windows()), "the window's name tells what it is", windows())
            self.keys(":only<CR><Esc>:w!<CR>")
            self.expect_rest(note, text, ":w! keeps the text")
        note = self.open("parted elsewhere", "one two \n")
        self.keys(":enew<CR>ione two<Esc>0")
        for keys, mode, more, result, wanted in (
                ("d", "no", "w", "vim.api.nvim_get_current_line()", "two"), ("q:", "n", "ilet g:reached = 1<CR>", "vim.g.reached", 1)):
            self.lua(f"vim.api.nvim_input({keys!r}) return true")
            self.wait_for(lambda: self.lua("return vim.api.nvim_get_mode().mode .. vim.fn.getcmdwintype()") == mode + keys[1:], keys)
            self.lua(f"local n = require('notesd.note').named('{note['id']}') n.is_parted = false n:parted('theirs') return true")
            self.keys(more)
            self.wait_for(lambda: len(windows()) == 2, "the text is shown also while another buffer is in use", keys, windows())
            self.checks.equal(self.lua(f"return {result}"), wanted, "text typed meanwhile goes to the other buffer", keys)
            self.keys(":only<CR>")

    def count(self, buffer):
        return self.lua(f"return require('notesd.presence').count(require('notesd.note').of({buffer}))")

    def forgets_others(self):
        if "presence" not in self.other.hello["capabilities"]:
            return
        buffers = []
        for name in ("here", "there"):
            note = self.open(name, "a\n")
            buffers.append(self.lua("return vim.api.nvim_get_current_buf()"))
            if name == "here":
                self.other.ask("notes.watch", filter={"ids": [note["id"]]}, snapshot=False)
                self.other.ask("presence.set", note=note["id"], version=note["version"], selection={"start": 0, "end": 0})
                self.wait_for(lambda: self.count(buffers[0]) == 1, "another client is present")
        note = self.other.ask("note.get", name="there")["note"]
        self.other.ask("notes.watch", filter={"ids": [note["id"]]}, snapshot=False)
        self.other.ask("presence.set", note=note["id"], version=note["version"], selection={"start": 0, "end": 0})
        self.wait_for(lambda: self.count(0) == 1, "another client is in the other note")
        self.keys(":bwipeout<CR>")
        self.other.ask("presence.set", note=None)
        self.keys(":Notes there<CR>")
        self.editor.settled()
        self.checks.equal(self.count(0), 0, "a client that left while a note was closed is not shown")


if __name__ == "__main__":
    Trouble.main()
