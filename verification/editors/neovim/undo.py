#!/usr/bin/env python3
"""Compares undo in a note with Neovim's own: after each of some sequences of keys, the text and the
cursor are the same in a note that nobody else writes and in a buffer without a note.

usage: undo.py [--seed N]
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "lib"))

from editors import Neovim  # noqa: E402
from editor_features import EditorFeatures  # noqa: E402

TEXT = "first line here\nsecond line\n  third, indented\nfourth (a b) c\n\nsixth 41 end\nlast\n"

# A space separates the parts that are typed one after the other; <Space> is that key.
SEQUENCES = """
Ahello<Space>world <C-u> <Esc> u
Ahello<Space>world <C-w> <Esc> u u
Ahello <C-g>u there <Esc> u u
A<Space>hello<Space>world<C-w> new <Esc> u u u <C-r> <C-r>
jA<Space>x <C-u> y <Esc> u u
A<CR>new<Space>line <C-u> <Esc> u u
iab <Left> cd <Esc> u u
iab <Right> cd <Esc> u
Aab <Right> cd <Esc> u
Aab <Left> <Right> cd <Esc> u
Aab <Home> cd <Esc> u u
Aab <End> cd <Esc> u
iab <Down> cd <Esc> u u
iab <Up> cd <Esc> u
jiab <C-Right> cd <S-Left> e <Esc> u u u
iab <C-g>U<Left> cd <Esc> u
iab <C-o>l cd <Esc> u u
iab <BS> <BS> c <Esc> u
A<BS> <BS> <Esc> u
A <C-u> new <Esc> u u
oadded <Esc> u
3Gwoadded <Esc> u
Goadded <Esc> u
3GwOadded <Esc> u
wOabove <Esc> u
oa<CR>b<CR>c <Esc> u
yyjp u
yyjP u
2yyGp u
jwyiww p u
wywbP u
J u
2GwJ u
3J u
jgJ u
x u
wx.. u u
5x u
X u
wX u
D u
wD u
wdb u
dw u
wdw . u u
2wdiw u
dd u
jwdd u
3Gw2dd u
Gdd u
dG u
wdG u
dk u
jwdk u
dgg u
jwvjd u
vjwd u
wviwd u
Vjd u
jwVd u
cwchanged <Esc> u
wcwchanged <Esc> . u u
ccchanged <Esc> u
3Gwccchanged <Esc> u
wCchanged <Esc> u
sab <Esc> u
Sab <Esc> u
3Gci(in <Esc> u
4Gci(in <Esc> u
rx u
w3rx u
~ u
w3~ u
wg~iw u
V~ u
gUU u
>> u
2G>j u
3G<lt><lt> u
3Gw>> u
jwRabc <Esc> u
Rabc <BS> <BS> <Esc> u
6G<C-a> u
6Gw<C-a> u
:s/line/LINE/<CR> u
:%s/line/LINE/<CR> u
G:%s/line/LINE/<CR> u
3G:%s/e/EE/g<CR> u
:g/line/d<CR> u
:2,3d<CR> u
G:2d<CR> u
:m3<CR> u
:2t5<CR> u
:normal<Space>Ax<CR> u
ddp u u
ddjp u u
yyp jp u u <C-r> <C-r>
xp u u
dwwP u u
Ione<Esc>jItwo<Esc>jIthree<Esc> u u u
Ione<Esc>jAtwo <Esc> u u <C-r> <C-r>
oadded <Esc> u <C-r>
Goadded <Esc> u <C-r>
J u <C-r>
dd u gg <C-r>
jwdw u gg <C-r>
wcwchanged <Esc> u gg <C-r> u
qqAx<Esc>jq2@q u u u
gqj u
gqG u
jgwj u
Gi<CR> <Esc> u
jwi<CR> <Esc> u
A<CR> <CR>x <Esc> u
yiwA<C-r>" <Esc> u
wiab<Esc>la<Space>cd <Esc> u u
jwyiwjviwp u
wyiwjviwp u
jlxhx u u
"adjG"ap u u
jI<C-t> <Esc> u
jA<C-y> <Esc> u
wi<Del> <Del> <Esc> u
3Gwdj u
3G$d0 u
3G$dF, u
4Gdap u
4Gdip u
wd/third<CR> u
ggd2j u 2u
j$daw u
$hx u
$X u
$dh u
wcwlinen <Esc> u
3w cwhers <Esc> u
wgUiw u
:s/e/e<C-v><CR>/<CR> u
jdd jp u u u <C-r>
jA<C-g>u <Esc> u
ma jA,<C-g>uand,<C-g>u <Esc> u u u
vey 3jP u
wi<C-k>a: <Esc> u
A<Space>one <C-w> <C-w> <Esc> u u u
""".strip().split("\n")


class Undo(EditorFeatures):
    kind = Neovim
    parts = ("at_once", "one_by_one", "with_others", "own_mappings")

    def lua(self, code):
        return self.editor.do("eval", code=code)

    def result(self, parts):
        """Lines and cursor after the keys, which are typed in the current buffer."""
        for part in parts:
            self.editor.do("keys", keys=part)
        return self.lua("return { vim.api.nvim_buf_get_lines(0, 0, -1, false), vim.api.nvim_win_get_cursor(0), vim.fn.mode() }")

    def plain(self, parts):
        self.lua("vim.cmd('enew!') vim.bo.undolevels = -1 vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split([[\n"
                 + TEXT.rstrip("\n") + "]], '\\n')) vim.bo.undolevels = 1000 vim.api.nvim_win_set_cursor(0, { 1, 0 }) return true")
        return self.result(parts)

    def noted(self, name, parts):
        self.create(name, TEXT)
        self.editor.open(name)
        self.lua("vim.api.nvim_win_set_cursor(0, { 1, 0 }) return true")
        return self.result(parts)

    def compare(self, split):
        for number, keys in enumerate(SEQUENCES):
            parts = split(keys)
            plain = self.plain(parts)
            noted = self.noted(f"{split.__name__} {number}", parts)
            self.checks.equal(noted, plain, "text and cursor are as without a note", keys)
            self.lua("vim.cmd('bwipeout!') return true")

    def at_once(self):
        """All keys are there before Neovim reads the first, as from a macro."""
        def at_once(keys):
            return [keys.replace(" ", "")]
        self.compare(at_once)

    def one_by_one(self):
        def one_by_one(keys):
            return keys.split(" ")
        self.compare(one_by_one)

    def with_others(self):
        """The cursor returns to its character although others have moved it."""
        note = self.create("with others", TEXT)
        self.editor.open("with others")
        for keys in ("gg03Gwoadded<Esc>", "gg03GwJ", "gg03Gwwwx", "gg03GwyyP"):
            self.editor.do("keys", keys=keys)
            self.editor.settled()
            for text in ("above\n", "and "):
                self.other.ask("note.edit", id=note["id"], base=self.shown(note)["version"], edits=[{"start": 0, "end": 0, "text": text}])
            self.editor.wait(lambda state: state["text"] == self.shown(note)["text"], "the text of the other")
            self.editor.do("keys", keys="u")
            line, col = self.lua("return vim.api.nvim_win_get_cursor(0)")
            self.checks.equal([line, col], [4, 9 if "ww" in keys else 2], "undo puts the cursor on the character where it was", keys)
            self.editor.do("keys", keys="gg<C-r>")
            self.checks.equal(self.lua("return vim.api.nvim_win_get_cursor(0)"), [line, col], "redo puts it there, too", keys)
            self.editor.do("keys", keys="u")
            self.editor.settled()
            self.other.ask("note.save", id=note["id"], base=self.shown(note)["version"], text=TEXT)
            self.editor.wait(lambda state: state["text"] == TEXT, "the text from the start")

    def own_mappings(self):
        """CTRL-G u in the user's own mappings begins a step as well; without Neovim's mapping, CTRL-U
        begins none."""
        self.lua("vim.cmd('inoremap , ,<C-g>u') vim.cmd('silent! iunmap <C-u>') return true")
        for keys in ("Aone,two,<Esc>u", "Aone,two,<Esc>uu", "Aone,two<C-u><Esc>u", "Aone<C-u><Esc>u"):
            self.checks.equal(self.noted(f"mapped {keys}", [keys]), self.plain([keys]), "mappings end steps as without a note", keys)
        self.lua("vim.cmd('iunmap ,') return true")


if __name__ == "__main__":
    Undo.main()
