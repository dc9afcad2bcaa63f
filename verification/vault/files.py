"""Makes a vault: a folder of notes and of everything else that people keep next to them."""

import json
import os
import tarfile

from places import ROOT

FIXTURES = os.path.join(ROOT, "Tests", "EndToEndTests", "Fixtures")
TEXTS = os.path.join(ROOT, "Tests", "TestKit", "Fixtures")
WORDS = "bread cache drift éclair fjord grep heap index journal kernel lock mutex naïve offset pipe queue 日本 🙂 straße".split()
# The limit of a note by default, in bytes.
NOTE_BYTES_MAX = 4 << 20


class Vault:
    """The content of the folder: regular files, symbolic links and pipes, by their paths below it."""

    def __init__(self):
        self.files = {}
        self.links = {}
        self.pipes = set()

    def add(self, path, content):
        """Adds a file, unless its path is taken."""
        path = path if isinstance(path, bytes) else os.fsencode(path)
        parts = path.split(b"/")
        taken = path in self.files or any(b"/".join(parts[:count]) in self.files for count in range(1, len(parts)))
        if not taken:
            self.files[path] = content
        return not taken

    def write(self, folder):
        """Writes everything to the disk."""
        for path, content in self.files.items():
            put(folder, path, content)
        for path, target in self.links.items():
            os.makedirs(os.path.dirname(os.path.join(folder, path)), exist_ok=True)
            os.symlink(target, os.path.join(folder, path))
        for path in self.pipes:
            os.mkfifo(os.path.join(folder, path))


def put(folder, path, content):
    """Writes one file, as an editor does: under another name first."""
    place = os.path.join(folder, path)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    # A name of 255 bytes leaves no room for an addition.
    aside = os.path.join(os.path.dirname(place), b".being-written")
    with open(aside, "wb") as file:
        file.write(content)
    os.rename(aside, place)


def scan(folder):
    """What is on the disk: regular files, symbolic links and pipes."""
    found = Vault()
    for parent, folders, names in os.walk(folder):
        for name in folders + names:
            place = os.path.join(parent, name)
            path = os.path.relpath(place, folder)
            if os.path.islink(place):
                found.links[path] = os.readlink(place)
            elif os.path.isfile(place):
                with open(place, "rb") as file:
                    found.files[path] = file.read()
            elif not os.path.isdir(place):
                found.pipes.add(path)
    return found


def made(random, count):
    """A vault of about `count` files."""
    vault = Vault()
    _odd_texts(vault)
    _odd_names(vault)
    _other_things(vault, random)
    with open(os.path.join(TEXTS, "naughty-strings.json"), encoding="utf-8") as page:
        for number, text in enumerate(json.load(page)):
            vault.add(f"naughty/{number}.md", text.encode("utf-8", "surrogatepass"))
            name = text.encode("utf-8", "surrogatepass")
            if name and b"/" not in name and b"\0" not in name and len(name) <= 251:
                vault.add(b"strange/" + name + random.choice([b".md", b".md", b".txt"]), b"name: " + name + b"\n")
    with tarfile.open(os.path.join(FIXTURES, "notes-til.tar.gz")) as archive:
        members = [member for member in archive.getmembers() if member.isfile()]
        for member in members[:count // 3]:
            vault.add(member.name, archive.extractfile(member).read())
    while len(vault.files) < count:
        vault.add(_name(random, len(vault.files)), _text(random))
    return vault


def _name(random, number):
    folders = "/".join(random.choice(["Projects", "日記", "a b", "2026", "Área", "x.y"]) for _ in range(random.randrange(4)))
    ending = random.choice([".md"] * 12 + [".txt", ".markdown", ".MD", ".Txt"])
    return os.path.join(folders, f"{random.choice(WORDS)} {number}{ending}")


def _text(random):
    lines = _front_matter(random) if random.random() < 0.4 else []
    for _ in range(random.randrange(1, 30)):
        kind = random.randrange(8)
        words = " ".join(random.choices(WORDS, k=random.randrange(1, 12)))
        lines.append({0: "# " + words, 1: f"[[{random.choice(WORDS)} {random.randrange(99)}]] {words}", 2: "",
                      3: f"- [ ] {words} #{random.choice(WORDS)}", 4: "```", 5: "\t" + words + "  "}.get(kind, words))
    text = random.choice(["\n"] * 9 + ["\r\n"]).join(lines)
    if random.random() < 0.9:
        text += "\n"
    return (b"\xef\xbb\xbf" if random.random() < 0.02 else b"") + text.encode()


def _front_matter(random):
    return random.choice([
        ["---", f"title: {random.choice(WORDS)}", "tags: [a, 'b c', x/y]", "---"],
        ["---", "aliases:", "  - one", "  - 'two: three'", "tags: #bad", "---", ""],
        ["---", "title: never closed", "tags: [a"],
        ["---", "---"],
    ])


def _odd_texts(vault):
    with open(os.path.join(TEXTS, "utf8-stress-test.txt"), "rb") as file:
        vault.add("odd/stress.md", file.read())
    texts = {
        "empty": b"", "line feed": b"\n", "crlf": b"a\r\nb\r\nc\r\n", "cr": b"a\rb\r", "bom": b"\xef\xbb\xbf# Title\n", "blanks": b" \t \n\n",
        "no end": b"one\ntwo", "latin 1": b"caf\xe9\n", "surrogate": b"\xed\xa0\x80\n", "overlong": b"\xc0\xaf\n", "zero": b"a\0b\n",
        "markers": b"<<<<<<< a\nb\n||||||| c\n=======\nd\n>>>>>>> e\n", "controls": b"\x1b[31mred\x07\x7f\n", "wide": "\u2028\u200b\ufeff\n".encode(),
        "largest": b"0123456789abcde\n" * (NOTE_BYTES_MAX // 16), "too large": b"x" * (NOTE_BYTES_MAX + 1), "long line": b"y" * 300_000,
    }
    for name, text in texts.items():
        vault.add(f"odd/{name}.md", text)


def _odd_names(vault):
    names = [
        " .md", "a  b.md", " lead.md", "trail .md", "🙂.md", "👩‍👩‍👧.md", "e\u0301.md", "\u00e9.md", "d/e\u0301/x.md", "d/\u00e9/x.md",
        "..md", "...md", "UP.MD", "up.md", "Up.md", "x.markdown", "y.MarkDown", "z.TXT", "-dash.md", "-rf.txt", "100%.md", "%2F.md", "'q'.md",
        '"q".md', "back\\slash.md", "star*.md", "$(touch x).md", "#tag.md", "a.md.md", "x.txt.bak.md", "~.md", "con:.md", "a.md/b.md",
        "two.txt", "two.txt.md", "new\nline.md", "tab\t.md", "del\x7f.md", "c1\u0085.md", "right\u202eleft.md", "0123.md", "cafe.md",
        "é" * 126 + ".md", "w" * 252 + ".md", "v" * 251 + ".txt", "u" * 246 + ".markdown", "deep/" * 120 + "x.md", "long" * 50 + "/" + "long" * 50 + ".md",
        "/".join(["part" * 50] * 6) + ".md", "node_modules.md", "CON.md", "..a/b.txt", "foo..md", "x/...md",
    ]
    for name in names:
        vault.add(name, f"the name of this file is odd: {len(name)}\nits second line\n".encode())
    vault.add(b"caf\xe9.md", b"the name is not UTF-8\n")
    vault.add(b"bad\xff/x.md", b"nor is that of the folder\n")


def _other_things(vault, random):
    for number in range(60):
        vault.add(f"pictures/{number}{random.choice(['.png', '.jpg', '.PNG'])}", bytes(random.randrange(256) for _ in range(50)))
    for name in ("plan.pdf", "board.canvas", "Makefile", "md", "noending.", "x.mdx"):
        vault.add(name, b"not a note\n")
    for name in (".git/HEAD", ".git/refs/x.md", ".trash/old.md", ".obsidian/app.json", ".obsidian/plugins/p/README.md", "sub/.hidden.md",
                 ".md", ".txt", "sub/.stfolder/x.md", "node_modules/pkg/README.md", "sub/node_modules/a.md", ".DS_Store", "..hidden/x.md"):
        vault.add(name, b"hidden\n")
    vault.links = {b"link.md": b"up.md", b"linked": b"odd", b"broken.md": b"nowhere.md", b"sub/round": b".."}
    vault.pipes = {b"pipe.md", b"sub/pipe"}
