"""Names and letters: odd names, two forms of one name, links after a rename, and search."""

import os

from cases import case
from machine import files_below, write


@case()
def link_written_while_its_page_is_renamed(scene):
    """A page is renamed while somebody writes a paragraph with a link to it. The link keeps the old name
    and leads to a new, empty page.

    Reports: Roam-Research/issues#699, logseq/logseq#1703
    """
    machine = scene.machine()
    machine.new("assumption", "# A\nself [[assumption]]\n")
    machine.new("test", "Link to [[assumption]] page\nsecond\n")
    machine.new("dir/far", "see [x](../assumption.md) and ![[assumption#h]] and `[[assumption]]`\n")
    base = machine.version("test")
    machine.run("mv", "assumption", "assumptions")
    machine.save("test", "Link to [[assumption]] page\nsecond, typed on\nthird\n", base)
    scene.equal(machine.text("test"), "Link to [[assumptions]] page\nsecond, typed on\nthird\n", "the paragraph has the new name of the page")
    scene.equal(machine.text("assumptions"), "# A\nself [[assumptions]]\n", "the link of a page to itself follows")
    scene.equal(machine.text("dir/far"), "see [x](../assumptions.md) and ![[assumptions#h]] and `[[assumption]]`\n",
                "links to files and headings follow, and code stays")
    missing = machine.run("links", "--missing", expected=None)
    scene.equal(missing.output.strip(), "", "no link leads nowhere")


@case()
def search_in_many_scripts(scene):
    """Search misses words in scripts without spaces, or all that follows a note with an accent. The page
    about search describes what it does not find.

    Reports: streetwriters/notesnook#8044, robert7/nixnote2#132, mdrasmus/keepnote#202, mdrasmus/keepnote#516
    """
    machine = scene.machine()
    texts = {"zh": "标题 你好世界\n早上好，朋友们\n", "ja": "私は日本語を話します\nカタカナ\n",
             "ko": "한국어 검색을 시험합니다\n", "fr": "Élève à côté, cœur, naïve\n", "after": "plain after accents\n", "ru": "Ёлка и ёж\n", "tr": "İstanbul ıssız\n",
             "de": "Straße Übung\n", "nfd": "cafe\u0301 de\u0301ja\u0300\n",
             "code": "foo_bar-baz C++ a.b@c.org 192.168.0.1\n"}
    for name, text in texts.items():
        machine.new(name, text)
    queries = {"zh": ["好世界", "世界", "好"], "ja": ["日本語", "語を", "カタ"], "ko": ["한국어", "검색*"],
               "fr": ["eleve", "ÉLÈVE", "naive"], "after": ["plain"], "ru": ["елка", "ёлка"], "tr": ["istanbul"], "de": ["ubung"], "nfd": ["café", "deja"],
               "code": ["foo_bar", "192.168.0.1", "a.b@c.org"]}
    for name, words in queries.items():
        for word in words:
            found = [hit["note"]["name"] for hit in machine.ask("note.search", query=word)["hits"]]
            scene.check(name in found, f"{word} is found in {name}", found)


ODD_NAMES = ["Z̖̙a̘l̞g̡o", "한국어 å", "👩‍👩‍👧‍👦 family", "a\u202eb", "con", "x" * 240, "..hidden", "semi;colon $(id) `x` 'q' \"d\"",
             "back\\slash", "-dash", "#hash", "[br](x)", "%41", "tab\u00a0nbsp", "a:b?c*d|e<f>", "né", "ne\u0301"]


@case()
def odd_characters_in_names(scene):
    """Combining characters, emoji or odd letters in a title break the list or the whole program. Here,
    a name that is refused is refused with a message, and files whose names begin with a dot come back
    with `import --hidden`.

    Reports: nextcloud/notes#157, Automattic/simplenote-macos#416, notable/notable#1520
    """
    machine, other = scene.machine("a"), scene.machine("b")
    made = []
    for name in ODD_NAMES:
        done = machine.run("new", "--", name, text=f"# {name}\ntext of {name}\n", expected=None)
        if done.code == 0:
            made.append(name)
        else:
            scene.check(done.errors, "a refused name is reported", name)
    scene.equal(machine.names(), sorted(made), "the list has all names")
    for name in made:
        scene.equal(machine.text(name), f"# {name}\ntext of {name}\n", "a note of an odd name has its text")
    folder, exported = machine.folder(), machine.folder("exported")
    for number in range(2):
        machine.mirror_once(folder, expected=None)
        scene.equal(len(files_below(folder)), len(made), f"look {number}: each note has a file")
        scene.equal(machine.names(), sorted(made), f"look {number}: the notes are the same")
    machine.run("export", exported)
    other.run("import", "--hidden", exported)
    scene.equal(other.names(), sorted(made), "an import of the export brings all notes back")


@case()
def two_forms_of_one_name(scene):
    """A name exists in its composed and its decomposed form. That makes two files, a link that opens a
    new note, or a deletion that is missed.

    Reports: owncloud/client#6338, oflisback/obsidian-bridge.nvim#43, cryptomator/cryptomator#264,
    amule-org/amule#312
    """
    machine = scene.machine()
    folder = machine.folder()
    composed, decomposed = "Am\u00e9lie", "Ame\u0301lie"
    machine.new(composed, "text of her\n")
    machine.new("links", f"see [[{decomposed}]]\n")
    missing = machine.run("links", "--missing", expected=None)
    scene.equal(missing.output.strip(), "", "a link in the other form finds the note")
    scene.check("links" in machine.run("links", composed).output, "the note knows the link to it")
    first = machine.id(composed)
    machine.mirror(folder)
    os.rename(f"{folder}/{composed}.md", f"{folder}/{decomposed}.md")
    scene.eventually(lambda: decomposed in machine.names(), "the note has the other form", machine.names())
    scene.equal(machine.names(), sorted([decomposed, "links"]), "it is one note")
    scene.equal(machine.id(decomposed), first, "it is the same note, with its history")
    scene.equal(machine.run("search", "--", "amélie").code, 0, "search finds it in either form")


@case()
def search_after_each_write(scene):
    """A search after a change or a rename does not find the note, or finds a deleted one. Or the index
    is lost and stays so.

    Reports: glushchenko/fsnotes#724, maelchiotti/LocalMaterialNotes#334, plainva/plainva#59
    """
    machine = scene.machine()
    client = machine.client()

    def found(query, limit=20):
        return [hit["note"]["name"] for hit in machine.ask("note.search", query=query, limit=limit)["hits"]]

    note = client.ask("note.create", name="n", text="start\n")["note"]
    version = note["version"]
    for number in range(60):
        version = client.ask("note.save", id=note["id"], base=version, text=f"uniqueword{number} here\n")["version"]
        scene.equal(found(f"uniqueword{number}"), ["n"], f"save {number} is found")
        if number:
            scene.equal(found(f"uniqueword{number - 1}"), [], f"the text before save {number} is not found")
    machine.run("mv", "n", "midnight commander")
    scene.equal(found("midnight"), ["midnight commander"], "the new name is found")
    scene.equal(found("name:commander"), ["midnight commander"], "a search in names finds it")
    for number in range(500):
        client.ask("note.create", name=f"b{number}", text=f"bulk alpha{number % 7}\n")
    client.close()
    expected = len(range(3, 500, 7))
    index = os.path.join(machine.data, "search.sqlite3")
    for what, damage in (("lost", lambda: os.unlink(index)), ("damaged", lambda: write(index, b"garbage" * 5000))):
        machine.daemon.stop()
        damage()
        machine.daemon.start()
        scene.eventually(lambda: len(found("alpha3", limit=100)) == expected, f"an index that is {what} is built again")
    machine.run("rm", "midnight commander")
    scene.equal(found("midnight"), [], "a deleted note is not found")
