"""Operations of a user in an editor, as keys; each editor has its own table.

An operation is a function of a random generator and the number of lines in the typist's own part.
It returns keys, or None if it is impossible there. `STEPS` gives the maximum number of undo steps
of the operations that have several. The keys start with the cursor on the heading of the own part
and change nothing outside of it.
"""

WORDS = ["milk", "Brot", "naïve", "日本語", "👍🏽", "e\u0301tude", "foo", "o", "x y", "zwölf", "\u05e9\u05dc\u05d5\u05dd"]


def words(random):
    return " ".join(random.choice(WORDS) for _ in range(random.randint(1, 3)))


def several(keys, least=2):
    """The operation, only if there are enough lines."""
    return lambda random, lines: keys if lines >= least else None


def neovim_down(random, lines):
    return f"{random.randint(1, lines)}j" if lines else None


def neovim_on_line(keys):
    def operation(random, lines):
        down = neovim_down(random, lines)
        return down and down + keys(random)
    return operation


NEOVIM = [
    lambda random, lines: "o" + words(random) + "<Esc>",
    lambda random, lines: "o" + words(random) + "<CR>" + words(random) + "<Esc>",
    neovim_on_line(lambda random: "A " + words(random) + "<Esc>"),
    neovim_on_line(lambda random: "I" + words(random) + " <Esc>"),
    neovim_on_line(lambda random: "wi" + words(random) + "<BS><BS><Esc>"),
    neovim_on_line(lambda random: "ciw" + words(random) + "<Esc>"),
    neovim_on_line(lambda random: ":s/o/0/ge<CR>"),
    neovim_on_line(lambda random: ":s/\\v\\s+/  /ge<CR>"),
    neovim_on_line(lambda random: "yyp"),
    neovim_on_line(lambda random: "xp"),
    neovim_on_line(lambda random: "v$hd"),
    neovim_on_line(lambda random: "R" + words(random) + "<Esc>"),
    neovim_on_line(lambda random: "3x"),
    neovim_on_line(lambda random: "gqq"),
    neovim_on_line(lambda random: "gUU"),
    neovim_on_line(lambda random: "A!<Esc>.."),
    neovim_on_line(lambda random: "qaA+<Esc>q@a"),
    several("jJ"),
    several("jddp", 3),
    several("jdd", 3),
    several("j<C-v>jI|<Esc>"),
    several("jddk", 3),
]

def emacs_keys(text):
    """A text in the notation of `kbd`."""
    return " ".join({" ": "SPC", "\n": "RET"}.get(character, character) for character in text)


def emacs_on_line(keys):
    def operation(random, lines):
        return f"C-u {random.randint(1, lines)} C-n " + keys(random) if lines else None
    return operation


EMACS = [
    lambda random, lines: "C-e RET " + emacs_keys(words(random)),
    lambda random, lines: "C-e RET " + emacs_keys(words(random)) + " RET " + emacs_keys(words(random)),
    emacs_on_line(lambda random: "C-e " + emacs_keys(" " + words(random))),
    emacs_on_line(lambda random: emacs_keys(words(random) + " ")),
    emacs_on_line(lambda random: "M-x forward-word-on-line RET " + emacs_keys(words(random)) + " DEL DEL"),
    emacs_on_line(lambda random: "M-x kill-word-on-line RET " + emacs_keys(words(random))),
    emacs_on_line(lambda random: "M-x replace-regexp-on-line RET"),
    emacs_on_line(lambda random: "C-k C-y SPC C-y"),
    emacs_on_line(lambda random: "C-SPC C-e M-w RET C-y"),
    emacs_on_line(lambda random: "M-x fill-line RET"),
    emacs_on_line(lambda random: "C-SPC C-e C-x C-u"),
    emacs_on_line(lambda random: "C-e ! ? SPC C-t"),
    several("C-n C-n M-^", 3),
    several("C-n C-SPC C-n C-w", 3),
    several("C-n C-SPC C-n C-w C-n C-y", 4),
    several("C-n C-n C-x C-t", 4),
]

STEPS = {"emacs": {}, "neovim": {"xp": 2, "..": 3, "@a": 2, "ddp": 2}}

TABLES = {"neovim": NEOVIM, "emacs": EMACS}


def to_heading(kind, heading):
    """Keys that move the cursor from anywhere to the line `heading`."""
    return {"neovim": f"0/^{heading}$<CR>", "emacs": f"M-x go-to-line-that-is RET {emacs_keys(heading)} RET "}[kind]


def steps_of(kind, keys):
    """The maximum number of undo steps of these keys."""
    return max([1] + [count for end, count in STEPS[kind].items() if keys.endswith(end)])
