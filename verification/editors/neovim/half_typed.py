#!/usr/bin/env python3
"""Tests the Neovim plugin while a command is half typed and others write: Neovim survives, the
command applies to the text that the user saw, and the text of others appears when the command ends.

usage: half_typed.py [--seed N]
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "lib"))

from editors import Neovim  # noqa: E402
from editor_features import EditorFeatures  # noqa: E402

TEXT = "foo line 1\nfoo line 2\nfoo line 3\nfoo line 4\n"
# What others write, above the text and in it.
ABOVE = "foo of others\n"
# The beginnings of commands that Neovim previews, each with the text that the whole command makes of
# TEXT. The command continues with `X/`, and a line of others comes above TEXT meanwhile.
ALL = TEXT.replace("foo line", "FOX")
PREVIEWED = {
    ":%s/foo line/FO": ALL,
    ":silent %s/foo line/FO": ALL,
    ":keeppatterns %substitute/foo line/FO": ALL,
    ":%smagic/foo line/FO": ALL,
    ":%sno/foo line/FO": ALL,
    ":s/foo line/FO": TEXT.replace("foo line 1", "FOX 1"),
    ":3s/foo line/FO": TEXT.replace("foo line 3", "FOX 3"),
    ":2,$s/foo line/FO": ALL.replace("FOX 1", "foo line 1"),
    "jVj:s/foo line/FO": ALL.replace("FOX 1", "foo line 1").replace("FOX 4", "foo line 4"),
    "i<C-o>:3s/foo line/FO": TEXT.replace("foo line 3", "FOX 3"),
}


class HalfTyped(EditorFeatures):
    kind = Neovim
    parts = (
        "entered", "given_up", "typed_by_mapping", "changed_by_script", "command_line_window", "searched", "asked", "completed_without_menu",
    )

    # Helpers.

    def keys(self, keys):
        self.editor.do("keys", keys=keys)

    def lua(self, code):
        return self.editor.do("eval", code=code)

    def open(self, text=TEXT):
        """Opens a new note, with the cursor at its start."""
        self.number = getattr(self, "number", 0) + 1
        note = self.create(f"note{self.number}", text)
        self.keys(f"<Esc>:Notes note{self.number}<CR>gg0")
        self.editor.settled()
        self.buffer = self.lua("return vim.api.nvim_get_current_buf()")
        return note

    def lines(self):
        return self.lua(f"return table.concat(vim.api.nvim_buf_get_lines({self.buffer}, 0, -1, false), '\\n') .. '\\n'")

    def type(self, keys, condition, what):
        """Types keys, with nothing after them: Neovim shows no preview while more keys follow. Waits
        until `condition` holds."""
        self.lua(f"vim.api.nvim_input([=[{keys}]=]) return true")
        self.wait_for(condition, what, keys)

    def type_command(self, keys, line, preview=None):
        """Types keys until a command line ends with `line` and, if `preview` is given, the window shows
        that text."""
        ends = f"return vim.endswith(vim.fn.getcmdline(), [=[{line}]=])"
        self.type(keys, lambda: self.lua(ends) and (preview is None or preview in self.screen()), "a command is half typed")

    def screen(self):
        return self.lua("""local rows = {} for row = 1, vim.o.lines - vim.o.cmdheight do
            rows[row] = '' for col = 1, 40 do rows[row] = rows[row] .. vim.fn.screenstring(row, col) end end
            return table.concat(rows, '\\n')""")

    def is_amid_command(self):
        return self.lua("return vim.fn.getcmdtype() ~= '' or vim.fn.getcmdwintype() ~= ''")

    def give_up(self, keys):
        """Types keys that end a command. An interrupt also discards what is typed after it."""
        self.type(keys, lambda: not self.is_amid_command(), "the command is given up")

    def others_write(self, note, text=ABOVE, at=0):
        """Inserts a text as another client, and waits until it has arrived in the editor, whether it is
        shown or waits."""
        version = self.other.ask("note.edit", id=note["id"], base=self.shown(note)["version"],
                                 edits=[{"start": at, "end": at, "text": text}])["version"]
        has_arrived = f"local n = require('notesd.note').of({self.buffer}) return n.is_waiting or n.version == '{version}'"
        self.wait_for(lambda: self.lua(has_arrived), "the text of others arrives", text)

    def expect_waiting(self, text, *details):
        self.checks.equal(self.lines(), text, "the text of others waits for the end of the command", *details)

    def expect(self, note, text, law, *details):
        self.wait_for(lambda: self.lines() == text, law, *details, self.lines())
        self.editor.settled()
        self.checks.equal([self.shown(note)["text"], self.lines()], [text, text], law, *details)

    # The tests.

    def preview(self, keys, is_on=True):
        """Opens a note and types the beginning of a command and an X, while others write. The preview is
        shown before and after that."""
        note = self.open()
        end = keys[keys.index(":") + 1:]
        self.type_command(keys, end, "FO " if is_on else None)
        self.others_write(note)
        self.type_command("X", end + "X", "FOX " if is_on else None)
        self.expect_waiting(TEXT, keys)
        return note

    def entered(self):
        for preview in ("nosplit", "split", ""):
            self.lua(f"vim.o.inccommand = '{preview}' return true")
            for keys, result in PREVIEWED.items():
                note = self.preview(keys, preview != "")
                self.others_write(note, "twice ")
                self.keys("/<CR><Esc>")
                self.expect(note, "twice " + ABOVE + result, "the command applies to the text that the user saw", preview, keys)
                self.keys("u")
                self.expect(note, "twice " + ABOVE + TEXT, "undo reverts the command and nothing else", preview, keys)
                self.keys("<C-r>")
                self.expect(note, "twice " + ABOVE + result, "redo repeats it", preview, keys)
        self.lua("vim.o.inccommand = 'nosplit' return true")

    def given_up(self):
        for keys in PREVIEWED:
            for end in ("<Esc>", "<C-c>", "<C-u><BS>"):
                note = self.preview(keys)
                self.give_up(end)
                self.expect(note, ABOVE + TEXT, "a command that is given up changes nothing", keys, end)

    def typed_by_mapping(self):
        """The keys of a mapping follow what the user typed without a pause."""
        self.lua("vim.keymap.set('i', '<F5>', '<C-o>:%s/foo line/FO') return true")
        note = self.open()
        self.type_command("imine <F5>", "FO", "mine FO 1")
        self.others_write(note)
        self.type_command("X", "FOX", "mine FOX 1")
        self.keys("/<CR><Esc>")
        self.expect(note, ABOVE + "mine " + ALL, "a mapping substitutes right after typing")
        note = self.open()
        self.keys(":enew<CR>")
        self.others_write(note)
        self.lua(f"vim.keymap.set('n', '<F6>', ':buffer {self.buffer}<CR>:%s/foo line/FO') return true")
        self.type_command("<F6>", "FO", "FO 1")
        self.keys("X/<CR>")
        self.expect(note, ABOVE + ALL, "a mapping substitutes in a buffer that others have changed")

    def changed_by_script(self):
        note = self.open()
        self.type_command(":%s/foo line/FO", "FO", "FO 1")
        self.lua(f"vim.api.nvim_buf_set_text({self.buffer}, 0, 0, 0, 0, {{ 'script ' }}) return true")
        self.others_write(note)
        self.type_command("X", "FOX", "script FOX 1")
        self.keys("/<CR>")
        self.expect(note, ABOVE + "script " + ALL, "a script changes the text during the preview")

    def command_line_window(self):
        for end, result in (("<CR>", TEXT.replace("foo line 3", "FOX 3")), ("<Esc>:quit<CR>", TEXT)):
            note = self.open()
            self.type(":3s/foo line/FO<C-f>", lambda: self.lua("return vim.fn.getcmdwintype()") == ":", "the command-line window")
            self.others_write(note)
            self.expect_waiting(TEXT, end)
            self.keys("AX/" + end)
            self.wait_for(lambda: not self.is_amid_command(), "the window is closed", end)
            self.expect(note, ABOVE + result, "the text of others appears when the command-line window is closed", end)

    def searched(self):
        for keys, end, result in (
                ("d/line 3", "<CR>", "foo line 4\n".replace("foo line 4", "line 3\nfoo line 4")),
                ("jv/line 3", "<CR>d", "foo line 1\nine 3\nfoo line 4\n"),
                ("jd/line 3", "<Esc>", TEXT),
                ("/line 3", "<CR>D", TEXT.replace("line 3", "")),
                ("G?line 2", "<CR>D", TEXT.replace("line 2", ""))):
            note = self.open()
            self.type_command(keys, "line " + keys[-1])
            self.others_write(note)
            self.expect_waiting(TEXT, keys)
            self.keys(end)
            self.expect(note, ABOVE + result, "a search applies to the text that the user saw", keys)

    def asked(self):
        note = self.open()
        self.lua("vim.keymap.set('n', '<F5>', function() local line = vim.fn.line('.') local text = vim.fn.input('text: ')"
                 " vim.fn.setline(line, text) end) return true")
        self.type_command("jj<F5>ans", "ans")
        self.others_write(note)
        self.expect_waiting(TEXT)
        self.keys("wer<CR>")
        self.expect(note, ABOVE + TEXT.replace("foo line 3", "answer"), "the answer to a question goes where the question was asked")

    def completed_without_menu(self):
        note = self.open("alpha alps\n\n")
        self.lua("vim.o.completeopt = '' return true")
        self.type("joand al<C-n>", lambda: self.lua("return vim.api.nvim_get_mode().mode") == "ic", "a completion")
        self.wait_for(lambda: self.shown(note)["text"] == "alpha alps\n\nand alpha\n", "the completed word is sent")
        self.others_write(note, "others ", len("alpha alps\n\n"))
        self.expect_waiting("alpha alps\n\nand alpha\n")
        self.keys("<C-n>")
        self.expect_waiting("alpha alps\n\nand alps\n")
        self.keys("<Esc>")
        self.expect(note, "alpha alps\n\nothers and alps\n", "a completion replaces the completed word")
        self.lua("vim.o.completeopt = 'menu,preview' return true")


if __name__ == "__main__":
    HalfTyped.main()
