#!/usr/bin/env python3
"""Uses the page in Debian's Chromium or Firefox beside other programs: lists, types, searches, settles conflicts, loses the
server, the daemon and the browser. Every word that was typed must be in the note once.

    verification/web/page.py [SEED] [PART]
    NOTESD_BROWSER=firefox verification/web/page.py [SEED] [PART]
"""

import base64
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))

import browser as chromium  # noqa: E402
from checks import Checks  # noqa: E402
from daemon import Client  # noqa: E402
from places import program  # noqa: E402
from server import until  # noqa: E402
from world import IS_FIREFOX, STATE, TEXT, World, browsers, is_accessible, reload, to_end  # noqa: E402


def lists(world):
    """The list is live; a search filters it; Enter makes a note."""
    checks, site = world.checks, world.site
    site.notesctl("new", "work/plan", "-", text="# Plan for May\n\nsend the letter to Emil\n")
    page = world.page()
    page.wait("return document.querySelectorAll('#notes a').length === 1")
    checks.equal(page.run("return location.href"), f"{site.address}/", "the key is not in the address any more")
    site.notesctl("new", "shopping", "-", text="milk\n")
    page.wait("return document.querySelectorAll('#notes a').length === 2")
    checks.equal(page.run("return document.querySelector('#notes b').textContent"), "shopping", "the newest note is first")
    site.notesctl("append", "work/plan", "--text", "book the hall")
    page.wait("return document.querySelector('#notes b').textContent === 'work/plan'")
    page.click("#find")
    page.type("lett")
    page.wait("return document.querySelector('#notes mark')?.textContent === 'letter'")
    checks.equal(page.run("return document.querySelectorAll('#notes a').length"), 1, "a search filters as one types")
    is_accessible(page, checks, "the list with a search")
    page.chord("escape")
    page.wait("return document.querySelectorAll('#notes a').length === 2")
    page.type("brand new thing")
    page.wait("return document.getElementById('count').textContent.startsWith('Nothing found')")
    page.chord("enter")
    page.wait(STATE, "Saved")
    page.type("first line")
    world.equals("brand new thing", "first line", "Enter makes a note of what was typed")
    page.click("#new")
    page.type("work/more")
    page.chord("enter")
    page.wait("return document.getElementById('name').textContent === 'work/more'")
    page.wait(STATE, "Saved")
    page.type("more")
    world.equals("work/more", "more", "New note")
    site.notesctl("rm", "shopping")
    page.wait("return ![...document.querySelectorAll('#notes b')].some(name => name.textContent === 'shopping')")
    checks.equal(page.faults(), [], "no error in the console")
    page.end()


def types(world):
    """Typing beside another program: both see each other's text, and the caret keeps its place."""
    checks, site = world.checks, world.site
    site.notesctl("new", "typed", "-", text="one\ntwo\nthree\n")
    page = world.page()
    world.open(page, "typed")
    page.type("four 😀 ä\n")
    world.equals("typed", "one\ntwo\nthree\nfour 😀 ä\n", "what is typed is saved")
    other = Client(site.daemon.socket, "other")
    note = other.ask("note.get", name="typed")["note"]
    other.ask("note.edit", id=note["id"], base=note["version"], edits=[{"start": 0, "end": 0, "text": "zero\n"}])
    page.wait(TEXT + ".startsWith('zero\\n')")
    page.type("five")
    world.equals("typed", "zero\none\ntwo\nthree\nfour 😀 ä\nfive", "the caret stays in its line when others write above")
    page.chord("control", "z")
    world.equals("typed", "zero\none\ntwo\nthree\nfour 😀 ä\n", "undo takes back what was typed")
    page.chord("control", "y")
    world.equals("typed", "zero\none\ntwo\nthree\nfour 😀 ä\nfive", "redo brings it back")
    # A selection over text that others change.
    page.run("page.view.focus(); const node = document.getElementById('text').firstChild; getSelection().setBaseAndExtent(node, 5, node, 12)")
    note = other.ask("note.get", name="typed")["note"]
    other.ask("note.edit", id=note["id"], base=note["version"], edits=[{"start": 9, "end": 9, "text": "and a half "}])
    page.wait(TEXT + ".includes('half')")
    checks.equal(page.run("return getSelection().toString()"), "one\nand a half two", "a selection keeps its ends")
    # An input method composes while others write before it. Firefox lets no program compose.
    if not IS_FIREFOX:
        to_end(page)
        page.protocol("Input.imeSetComposition", text="ni", selectionStart=2, selectionEnd=2)
        note = other.ask("note.get", name="typed")["note"]
        other.ask("note.edit", id=note["id"], base=note["version"], edits=[{"start": 0, "end": 4, "text": "ZERO"}])
        page.wait(TEXT + ".startsWith('ZERO')")
        page.protocol("Input.insertText", text="你")
        world.equals("typed", "ZERO\none\nand a half two\nthree\nfour 😀 ä\nfive你", "an input method beside another writer")
    to_end(page)
    before = site.text("typed")
    large = "".join(f"line {number} of a large text\n" for number in range(4_000))
    page.run("const data = new DataTransfer(); data.setData('text/plain', arguments[0]);"
             "document.getElementById('text').dispatchEvent(new InputEvent('beforeinput', "
             "{inputType: 'insertFromPaste', dataTransfer: data, bubbles: true, cancelable: true}))", "\n" + large)
    world.equals("typed", before + "\n" + large, f"a paste of {len(large)} bytes")
    page.chord("control", "z")
    world.equals("typed", before, "and its undo")
    checks.equal(page.faults(), [], "no error in the console")
    other.close()
    page.end()


def settles(world):
    """Conflicts, history, names, deletion, links, people."""
    checks, site = world.checks, world.site
    site.notesctl("new", "fight", "-", text="one\ntwo\nthree\n")
    page = world.page()
    world.open(page, "fight")
    other = Client(site.daemon.socket, "laptop/nvim")
    note = other.ask("note.get", name="fight")["note"]
    for word in ("TWO", "2"):
        other.ask("note.save", id=note["id"], base=note["version"], text=f"one\n{word}\nthree\n")
    page.wait("return document.getElementById('conflicts').textContent === '1 conflict'")
    page.click("#conflicts")
    page.wait("return document.querySelectorAll('#side .alternative').length === 2")
    is_accessible(page, checks, "a conflict")
    page.run("[...document.querySelectorAll('#side .alternative')].find(side => side.textContent.includes('TWO')).querySelector('button').click()")
    world.equals("fight", "one\nTWO\nthree\n", "one tap takes a side")
    page.wait("return document.getElementById('conflicts').hidden")
    note = other.ask("note.get", name="fight")["note"]
    for word in ("a", "b"):
        other.ask("note.save", id=note["id"], base=note["version"], text=f"{word}\nTWO\nthree\n")
    page.wait("return document.getElementById('conflicts').textContent === '1 conflict'")
    page.click("#conflicts")
    page.wait("return document.querySelectorAll('#side .alternative').length === 2")
    page.run("[...document.querySelectorAll('#side button')].find(button => button.textContent === 'Keep both').click()")
    page.wait("return document.getElementById('conflicts').hidden")
    checks.equal(sorted(site.text("fight").splitlines()), ["TWO", "a", "b", "three"], "one tap keeps both")
    page.click("#history")
    page.wait("return document.querySelectorAll('#side .step').length > 1")
    page.run("[...document.querySelectorAll('#side .step')].at(-1).click()")
    page.wait("return [...document.querySelectorAll('#side button')].some(button => button.textContent === 'Return to this text')")
    is_accessible(page, checks, "the history")
    page.run("[...document.querySelectorAll('#side button')].find(button => button.textContent === 'Return to this text').click()")
    world.equals("fight", "one\ntwo\nthree\n", "back to an old text")
    page.chord("escape")
    page.wait("return document.getElementById('side').hidden")
    site.notesctl("append", "fight", "--text", "see [[target]] and [[none]]")
    site.notesctl("new", "target", "-", text="from [[fight]]\n")
    page.wait(TEXT + ".includes('target')")
    page.click("#more")
    page.wait("return document.querySelectorAll('#side .link').length === 2")
    is_accessible(page, checks, "the links")
    checks.check("Write none" in page.words(), "a missing note can be written", page.words())
    page.click("#side .choices button")
    page.wait("return document.getElementById('ask').open")
    is_accessible(page, checks, "a question")
    page.type("peace")
    page.chord("enter")
    page.wait("return document.getElementById('name').textContent === 'peace'")
    checks.check("peace" in site.notesctl("list", "--json=name"), "a note is renamed")
    page.run("[...document.querySelectorAll('#side .choices button')].find(button => button.textContent === 'Delete').click()")
    page.wait("return page.view.deleted !== null")
    checks.check("peace" not in site.notesctl("list", "--json=name"), "a note is deleted")
    page.click("#more")
    page.wait("return document.querySelector('#side .choices')")
    page.run("[...document.querySelectorAll('#side .choices button')].find(button => button.textContent === 'Bring back').click()")
    page.wait("return page.view.deleted === null")
    checks.check("peace" in site.notesctl("list", "--json=name"), "a deleted note is brought back")
    # Firefox takes no wish for dark colours.
    second = world.page("--device", "ada's phone", width=360, height=740, **({} if IS_FIREFOX else {"dark": True}))
    is_accessible(second, checks, "the list on a phone in the dark")
    second.run("location.hash = '#/note/' + arguments[0]", page.run("return page.view.id"))
    page.wait("return document.querySelector('#people button')?.textContent.includes('ada’s phone') || "
              "document.querySelector('#people button')?.textContent.includes(\"ada's phone\")")
    second.wait(STATE, "Saved")
    checks.check(not second.run("return document.getElementById('list').checkVisibility()"), "on a phone, a note has the whole screen")
    is_accessible(second, checks, "a note on a phone in the dark")
    second.click("#read")
    second.wait("return document.querySelector('#reader p')")
    is_accessible(second, checks, "a note to read on a phone in the dark")
    second.click("#read")
    second.click("#back")
    second.wait("return document.getElementById('list').checkVisibility()")
    page.wait("return !document.querySelector('#people button')")
    for shown in (page, second):
        checks.equal(shown.faults(), [], "no error in the console")
        shown.end()
    other.close()


def loses(world):
    """The server, the daemon and the browser end while words wait."""
    checks, site = world.checks, world.site
    site.notesctl("new", "train", "-", text="begin\n")
    page = world.page()
    world.open(page, "train")
    site.kill()
    page.type("in the tunnel ")
    page.wait(STATE, "Kept on this device, not sent yet")
    page.wait("return !document.getElementById('offline').hidden")
    site.start()
    page.wait(STATE, "Saved")
    page.type("and out")
    world.equals("train", "begin\nin the tunnel and out", "what was typed without the server is sent")
    site.daemon.kill()
    page.type("\nno daemon")
    page.wait("return !document.getElementById('offline').hidden")
    site.daemon.start()
    world.equals("train", "begin\nin the tunnel and out\nno daemon", "what was typed without the daemon is sent")
    page.wait("return document.getElementById('offline').hidden")
    site.kill()
    page.type("\nbefore the crash")
    page.wait(STATE, "Kept on this device, not sent yet")
    page.wait("return page.kept.read().then(() => page.kept.all().some((draft) => draft.text.endsWith('before the crash')))")
    os.kill(page.pid, signal.SIGKILL)
    page.session = None
    time.sleep(1)
    site.start()
    site.notesctl("append", "train", "--text", "others go on")
    page = world.driver.browser(profile=page.profile)
    # Chromium writes a new cookie only after half a minute.
    page.go(site.link("--device", "again"))
    page.wait("return window.page?.connection.up")
    until(lambda: "before the crash" in site.text("train"), "S: a draft is sent though nobody opens its note")
    text = site.text("train")
    checks.equal((text.count("before the crash"), text.count("others go on"), text.count("no daemon")), (1, 1, 1), "once, beside others", text)
    page.wait("return page.kept.all().length === 0")
    # The response to the creation of a note was lost with its page, which had more text by then.
    lost = "019ad0aa-0000-7000-8000-0000000000bb"
    other = Client(site.daemon.socket, "other")
    other.ask("note.create", id=lost, text="first")
    site.notesctl("append", lost, "--text", "others")
    page.run("page.kept.put(arguments[0] + ' new', { id: arguments[0], name: null, versions: '', text: 'first and more', since: Date.now(),"
             "create: { id: arguments[0], name: null } })", lost)
    reload(page)
    page.wait("return window.page?.connection.up && page.kept.all().length === 0")
    checks.equal(site.text(lost), "first and more\nothers\n", "a note that was created is not created again, and has what was typed since")
    other.close()
    # A new note without the server, and a reload.
    site.kill()
    page.run("page.view.create('written offline')")
    page.wait("return document.getElementById('name').textContent === 'written offline'")
    page.click("#text")
    page.type("new words")
    page.wait(STATE, "Kept on this device, not sent yet")
    site.start()
    world.equals("written offline", "new words", "a note that was made without the server")
    page.wait(STATE, "Saved")
    reload(page)
    page.wait("return window.page?.connection.up")
    page.wait(STATE, "Saved")
    checks.equal(page.run(TEXT), "new words", "a reload shows the note")
    # Without the server, the page opens with the notes that were read last.
    world.open(page, "train")
    page.wait("return page.kept.text(page.view.id).then((kept) => kept?.text.includes('no daemon'))")
    page.wait("return navigator.serviceWorker.ready.then(() => caches.open('page')).then((cache) => cache.match('/page.js')).then(Boolean)")
    site.kill()
    reload(page)
    page.wait("return window.page && page.view.text.includes('no daemon')")
    page.wait("return document.querySelectorAll('#notes a').length === 3")
    to_end(page)
    page.type("typed offline")
    page.wait(STATE, "Kept on this device, not sent yet")
    site.start()
    until(lambda: site.text("train").count("typed offline") == 1, "what was typed into a note that was opened offline")
    page.wait("return !page.view.isUnsaved")
    site.notesctl("web", "revoke", "again")
    page.wait("return !document.getElementById('door').hidden")
    checks.check("may not use the notes" in page.words(), "a revoked page says so", page.words())
    is_accessible(page, checks, "the page without a sign-in")
    checks.equal(page.run("return page.kept.text(page.view.id)"), None, "and forgets what it read")
    page.end()


def refuses(world):
    """S9, S11: nothing in a note is more than text."""
    checks, site = world.checks, world.site
    hostile = "<img src=x onerror=window.hacked=1><script>window.hacked=1</script> javascript:alert(1) \u202egnp.exe </title>"
    other = Client(site.daemon.socket, "<img src=x onerror=window.hacked=1>/</script>")
    note = other.ask("note.create", name="<b>n\u202eame</b><img src=x onerror=window.hacked=1>", text=f"{hostile}\n#<b>tag\n[[<i>link]]\n")["note"]
    got = other.ask("note.get", id=note["id"])["note"]
    for line in ("<img src=y onerror=window.hacked=1>", "<s>two</s>"):
        other.ask("note.save", id=note["id"], base=got["version"], text=f"{line}\n#<b>tag\n[[<i>link]]\n")
    page = world.page("--device", "<u>me")
    page.wait("return document.querySelectorAll('#notes a').length >= 1")
    page.run("location.hash = '#/note/' + arguments[0]", note["id"])
    page.wait(STATE, "Saved")
    for part in ("conflicts", "history", "more"):
        page.click(f"#{part}")
        page.wait("return document.getElementById('side').childNodes.length > 1")
        time.sleep(0.3)
    page.run("const find = document.getElementById('find'); find.value = 'two'; find.dispatchEvent(new Event('input'))")
    page.wait("return document.querySelector('#notes mark')")
    checks.equal(page.run("return window.hacked ?? null"), None, "S9: nothing ran")
    checks.equal(page.run("return document.querySelectorAll('main img, nav img, script:not([src]), b b, main i, main s').length"), 0, "S9: no element")
    checks.equal(page.faults(), [], "S9: no request and no violation of the policy")
    for script in ("document.body.innerHTML = '<p>x'", "document.write('x')", "const s = document.createElement('script'); s.src = '//evil.example/x'"):
        try:
            page.run(script)
            checks.check(False, f"S11: {script} is blocked")
        except chromium.BrowserFailed as error:
            checks.check("Trusted" in str(error) or "blocked by CSP" in str(error), f"S11: {script} is blocked", str(error))
    page.end()
    # S4: a page of another origin does not attach.
    other_site = world.driver.browser(**({} if IS_FIREFOX else {"further": ["--host-resolver-rules=MAP rebound.example 127.0.0.1"]}))
    other_site.go("about:blank" if IS_FIREFOX else "data:text/html,<title>evil</title>")
    closed = other_site.run("return new Promise(done => { const socket = new WebSocket(arguments[0]); socket.onopen = () => done('open'); "
                            "socket.onclose = () => done('closed'); })", f"ws://{site.host}/attach")
    checks.equal(closed, "closed", "S4: another page does not attach")
    framed = other_site.run("return new Promise(done => { const frame = document.createElement('iframe'); frame.src = arguments[0]; "
                            "frame.onload = () => { try { done(frame.contentDocument ? 'same' : 'blocked'); } catch { done('blocked'); } }; "
                            "document.documentElement.append(frame); })", site.address)
    checks.equal(framed, "blocked", "S12: no other page frames this one")
    if not IS_FIREFOX:
        other_site.go(f"http://rebound.example:{site.port}/")
        checks.check("another name" in other_site.words(), "S5: a name that leads here is not the page's", other_site.words())
    other_site.end()
    other.close()


def guests(world):
    """A guest sees one note, and reads it or types."""
    checks, site = world.checks, world.site
    site.notesctl("new", "party", "-", text="cake\n")
    site.notesctl("new", "private", "-", text="secret\n")
    page = world.page("--note", "party", "--device", "bob", "--until", "1h", "--write")
    page.wait(STATE, "Saved")
    checks.check("private" not in page.words() and not page.run("return document.getElementById('list').checkVisibility()"), "a guest sees no list", page.words())
    page.click("#text")
    to_end(page)
    page.type("juice")
    world.equals("party", "cake\njuice", "a guest types")
    site.notesctl("append", "party", "--text", "bread")
    page.wait(TEXT + ".includes('bread')")
    page.run("location.hash = '#/note/' + arguments[0]", world.id("private"))
    time.sleep(0.5)
    checks.check("secret" not in page.words(), "a guest opens no other note", page.words())
    reader = world.page("--note", "party", "--device", "eve", "--until", "1h")
    reader.wait(STATE, "You may read this note.")
    checks.equal(reader.run("return document.getElementById('text').isContentEditable"), False, "a reading guest cannot type")
    checks.equal(reader.run("return page.view.session.pictures"), False, "who got no pictures sees none")
    page.end()
    reader.end()
    # With --pictures, a guest sees those of the text and no other, and knows no note of theirs.
    for name in ("cake.png", "hidden.png"):
        with open(os.path.join(site.folder, name), "wb") as file:
            file.write(base64.b64decode(DOT) + name.encode())
        site.notesctl("file", "add", "--to", "private pictures", file.name)
    site.notesctl("new", "invitation", "-", text="![[cake.png|30]]\n\n![it](private%20pictures/cake.png) [[hidden.png]] ![[none.png]]\n")
    reader = world.page("--note", "invitation", "--device", "una", "--until", "1h", "--pictures")
    reader.wait(STATE, "You may read this note.")
    reader.click("#read")
    reader.wait("return [...document.querySelectorAll('#reader img')].filter(({ naturalWidth }) => naturalWidth === 1).length === 2")
    checks.equal(reader.run("return [...document.querySelectorAll('#reader img')].map(({ alt, width }) => [alt, width])"),
                 [["cake.png", 30], ["it", 1]], "a guest sees the pictures of the note")
    checks.equal(reader.run("return document.querySelectorAll('#reader [href]').length"), 0, "and no link to another note")
    is_accessible(reader, checks, "a guest's note with pictures")
    site.notesctl("append", "invitation", "--text", "\n![[hidden.png]]")
    reader.wait("return [...document.querySelectorAll('#reader img')].filter(({ naturalWidth }) => naturalWidth === 1).length === 3")
    checks.equal(reader.faults(), [], "no error in the console")
    reader.end()


def falls_back(world):
    """A browser without plain text editing has a text area. Firefox cannot be made to forget it."""
    checks, site = world.checks, world.site
    if IS_FIREFOX:
        return
    site.notesctl("new", "old", "-", text="one\ntwo\n")
    page = world.page()
    page.run("Object.defineProperty(HTMLElement.prototype, 'contentEditable', { get: () => 'inherit' });"
             "location.hash = '#/note/' + arguments[0]", world.id("old"))
    page.wait(STATE, "Saved")
    checks.equal(page.run("return document.getElementById('text').nodeName"), "TEXTAREA", "the text is in a text area")
    page.click("#text")
    page.chord("control", "end")
    page.type("three")
    world.equals("old", "one\ntwo\nthree", "what is typed there is saved")
    site.notesctl("filter", "old", "--", "sed", "1i zero")
    page.wait("return document.getElementById('text').value.startsWith('zero')")
    page.type(" and four")
    world.equals("old", "zero\none\ntwo\nthree and four", "the caret stays in its line when others write above")
    # After a pause, what was typed is another step.
    page.chord("control", "z")
    page.chord("control", "z")
    world.equals("old", "zero\none\ntwo\n", "undo takes back what was typed, not what others wrote")
    checks.equal(page.faults(), [], "no error in the console")
    page.end()


def together(world):
    """A page and another program type words into one note at random."""
    checks, site, chance = world.checks, world.site, world.chance
    lines = 6
    site.notesctl("new", "crowd", "-", text="".join(f"L{number}: end\n" for number in range(lines)))
    page = world.page()
    world.open(page, "crowd")
    other = Client(site.daemon.socket, "other")
    identifier = world.id("crowd")
    words = {}
    for number in range(60):
        line = chance.randrange(lines)
        if chance.random() < 0.5:
            word = f"p{number}"
            place = page.run("const text = page.view.text, start = text.indexOf('L' + arguments[0] + ':'), end = text.indexOf('\\n', start);"
                             "const node = document.getElementById('text').firstChild; getSelection().collapse(node, end < 0 ? text.length : end); return start",
                             line)
            checks.check(place >= 0, "the line is there")
            page.type(f" {word}")
        else:
            word = f"o{number}"
            note = other.ask("note.get", id=identifier)["note"]
            # Behind the line's name: what two people type in one place at one moment may stand in either order.
            place = note["text"].encode().index(f"L{line}:".encode()) + 3
            other.ask("note.edit", id=identifier, base=note["version"], edits=[{"start": place, "end": place, "text": f" {word}"}])
        words[word] = line
        if chance.random() < 0.05:
            site.daemon.restart()
            other = Client(site.daemon.socket, "other")
        if chance.random() < 0.05:
            site.kill()
            site.start()
    page.wait("return !page.view.isUnsaved", timeout=60)
    text = site.text("crowd")
    until(lambda: page.run(TEXT) == site.text("crowd"), "the page shows what the note is")
    for word, line in words.items():
        places = [found for found in text.splitlines() if re.search(rf"\b{word}\b", found)]
        checks.equal([found.partition(":")[0] for found in places], [f"L{line}"], f"{word} is once in its line", text)
    other.close()
    page.end()


MARKDOWN = """# Plan

A *new* **plan** with ~~no~~ `code`, see [[target|the target]], [[nowhere]] and [it](target.md).
Second line, www.example.org and [mail](mailto:a@example.org).

- [x] done
- [ ] to do
  1. inner

| a | b |
|---|--:|
| 1 | 2 |

> quoted

```c
int [[target]];
```

![a picture](http://elsewhere.example/x.png)
"""

# Nothing of these is a link, an element or a request.
HOSTILE = """[a](javascript:window.hacked=1) [b](JaVaScript:window.hacked=1) [c](&#106;avascript&colon;window.hacked=1)
[d](data:text/html,<script>window.hacked=1</script>) [e](<java\tscript:window.hacked=1>) [f](vbscript:x) [g](//evil.example/x)
[h](/login) [i](file:///etc/passwd) <javascript:window.hacked=1> ![j](javascript:window.hacked=1) ![k](data:image/svg+xml,x)
<img src=x onerror=window.hacked=1> <svg onload=window.hacked=1> <a href=javascript:window.hacked=1>l</a> [m](blob:x)
[n](\x01javascript:window.hacked=1) [constructor][o] [[__proto__]] [[<img src=x onerror=window.hacked=1>]]

<script>window.hacked=1</script>

<style>body { display: none }</style>

<iframe src="http://evil.example/"></iframe>

| <img src=x onerror=window.hacked=1> | [p](javascript:x) |
|---|---|

[o]: javascript:window.hacked=1 "<b>"
"""


def reads(world):
    """A note as rendered Markdown: its elements, links to notes, others' changes, places, hostile texts, without the server."""
    checks, site = world.checks, world.site
    site.notesctl("new", "target", "-", text="the end\n")
    site.notesctl("new", "plan", "-", text=MARKDOWN)
    page = world.page()
    world.open(page, "plan")
    page.chord("control", "e")
    page.wait("return document.querySelector('#reader h2')?.textContent === 'Plan'")
    for selector, text in (("em", "new"), ("strong", "plan"), ("del", "no"), ("p > code", "code"), ("li li", "inner"), ("th", "a"),
                           ("td.right", "2"), ("blockquote p", "quoted"), ("pre", "int [[target]];\n")):
        checks.equal(page.run("return document.querySelector('#reader ' + arguments[0])?.textContent", selector), text, f"the note has {selector}")
    checks.equal(page.run("return [...document.querySelectorAll('#reader input')].map(({ checked, disabled }) => [checked, disabled])"),
                 [[True, True], [False, True]], "tasks are done or not")
    target = f"#/note/{world.id('target')}"
    page.wait("return document.querySelector('#reader a[href^=\"#\"]')")
    links = page.run("return [...document.querySelectorAll('#reader a')].map((link) => [link.textContent, link.getAttribute('href')])")
    checks.equal(links, [["the target", target], ["nowhere", None], ["it", target], ["www.example.org", "http://www.example.org"],
                         ["mail", "mailto:a@example.org"], ["Picture: a picture", "http://elsewhere.example/x.png"]], "links")
    checks.equal(page.run("return document.querySelectorAll('#reader img').length"), 0, "a picture of elsewhere is a link")
    site.notesctl("append", "plan", "--text", "from *another*")
    page.wait("return document.querySelector('#reader > :last-child em')?.textContent === 'another'")
    page.click("#reader a[href^='#']")
    page.wait("return document.querySelector('#reader p')?.textContent === 'the end'")
    checks.equal(page.run("return document.getElementById('text').checkVisibility()"), False, "a link is followed to read")
    # Places: others write above, and the view does not move; reading and writing show the same line.
    site.notesctl("new", "long", "-", text="".join(f"## Part {number}\n\nText of part {number}.\n\n" for number in range(300)))
    page.run("location.hash = '#/note/' + arguments[0]", world.id("long"))
    page.wait("return document.querySelectorAll('#reader h3').length === 300")
    place = "return [...document.querySelectorAll('#reader h3')].find(({ textContent }) => textContent === 'Part 200').getBoundingClientRect().top"
    page.run("[...document.querySelectorAll('#reader h3')].find(({ textContent }) => textContent === 'Part 200').scrollIntoView()")
    before = page.run(place)
    site.notesctl("filter", "long", "--", "sed", "1i # New\\n\\nwords *above*\\n\\n")
    page.wait("return document.querySelector('#reader em')?.textContent === 'above'")
    checks.check(abs(page.run(place) - before) <= 1, "others write above, and the view stays", before)
    page.chord("control", "e")
    page.wait("return document.getElementById('text').checkVisibility()")
    top = page.run("return page.view.text.split('\\n')[arguments[0] - 1]", page.run("return page.view.line"))
    checks.check("199" in top or "200" in top or top == "", "writing shows the line that was read", top)
    other = Client(site.daemon.socket, "other")
    note = other.ask("note.create", name="hostile", text=HOSTILE + "[" * 3000 + "> " * 3000 + "x")["note"]
    page.run("location.hash = '#/note/' + arguments[0]", note["id"])
    page.wait("return page.view.id === arguments[0] && document.getElementById('state').textContent === 'Saved'", note["id"])
    page.click("#read")
    page.wait("return document.querySelector('#reader table')")
    time.sleep(0.3)
    checks.equal(page.run("return [...document.querySelectorAll('#reader [href], #reader :is(img, script, style, iframe, svg)')].map((one) => one.outerHTML)"),
                 [], "S9: no link, no element of a hostile note")
    checks.equal(page.run("return window.hacked ?? null"), None, "S9: nothing of a hostile note ran")
    checks.check(page.run("return document.querySelectorAll('#reader *').length") < 2000, "elements in each other are limited")
    page.run("location.hash = arguments[0]", target)
    page.wait("return document.querySelector('#reader p')?.textContent === 'the end'")
    faults = [fault for fault in page.faults() if "/read" not in fault]
    checks.equal(faults, [], "no request and no violation of the policy")
    page.chord("control", "e")
    site.kill()
    page.wait("return !page.connection.up")
    page.chord("control", "e")
    page.wait("return document.querySelector('#reader .quiet')?.textContent.startsWith('Offline')")
    checks.equal(page.run("return document.querySelector('#reader pre').textContent"), "the end\n", "without the server, a note is shown as it is written")
    site.start()
    other.close()
    page.end()


def shows(world):
    """Files: their list, their own view, and pictures in rendered Markdown."""
    checks, site = world.checks, world.site
    folder = site.folder
    with open(os.path.join(folder, "dot.png"), "wb") as file:
        file.write(base64.b64decode(DOT))
    with open(os.path.join(folder, "x.svg"), "w", encoding="utf-8") as file:
        file.write("<svg xmlns='http://www.w3.org/2000/svg' onload='parent.hacked=1'/>")
    site.notesctl("file", "add", "--to", "pics", file.name, os.path.join(folder, "dot.png"))
    tour = "# Tour\n\n![the dot](pics/dot.png)\n\n![[dot.png|40]]\n\n![[x.svg]] ![[none.png]]\n"
    site.notesctl("new", "tour", "-", text=tour)
    page = world.page()
    page.wait("return document.querySelectorAll('#notes a').length === 1")
    page.click("#files")
    page.wait("return document.querySelectorAll('#notes a').length === 2")
    checks.equal(page.run("return document.querySelector('#notes a .snip').textContent"), "68 bytes · image/png", "a file in the list")
    is_accessible(page, checks, "the list of files")
    # A list that is drawn meanwhile has other rows.
    page.run("document.querySelector('#notes a').click()")
    page.wait("return document.querySelector('#file img')?.naturalWidth === 1")
    checks.equal(page.run("return document.getElementById('text').checkVisibility()"), False, "a picture is shown in place of its text")
    is_accessible(page, checks, "a picture")
    site.notesctl("mv", "pics/dot.png", "pics/point.png")
    page.wait("return document.querySelector('#file a')?.download === 'point.png'")
    site.notesctl("mv", "pics/point.png", "pics/dot.png")
    page.wait("return [...document.querySelectorAll('#notes a')].some((link) => link.textContent.startsWith('pics/dot.png'))")
    page.run("location.hash = '#/note/' + arguments[0]", page.run("return [...document.querySelectorAll('#notes a')].at(-1).hash.slice(7)"))
    page.wait("return document.getElementById('name').textContent === 'pics/x.svg' && document.querySelector('#file a')?.download === 'x.svg'")
    checks.equal(page.run("return document.querySelectorAll('#file :is(img, svg, object, iframe)').length"), 0, "SVG is a download")
    page.click("#files")
    world.open(page, "tour")
    page.click("#read")
    page.wait("return [...document.querySelectorAll('#reader img')].filter(({ naturalWidth }) => naturalWidth === 1).length === 2")
    checks.equal(page.run("return [...document.querySelectorAll('#reader img')].map(({ alt, width }) => [alt, width])"),
                 [["the dot", 1], ["dot.png", 40]], "pictures of a note are shown")
    is_accessible(page, checks, "a note with pictures")
    before = page.run("return document.querySelector('#reader img').getAttribute('src')")
    with open(os.path.join(folder, "dot.png"), "ab") as file:
        file.write(bytes(7))
    site.notesctl("file", "put", "pics/dot.png", file.name)
    page.wait("return [...document.querySelectorAll('#reader img')].every((one) => one.getAttribute('src') !== arguments[0] && one.naturalWidth === 1)", before)
    checks.equal(page.run("return document.querySelectorAll('#reader img').length"), 2, "new bytes are shown at once")
    page.click("#read")
    # The same picture twice: the second gets another name. A script cannot paste files in Firefox.
    event = ("new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })" if IS_FIREFOX
             else "new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })")
    for _ in range(2):
        to_end(page)
        page.run("const data = new DataTransfer(); const bytes = Uint8Array.from(atob(arguments[0]), (one) => one.charCodeAt(0));"
                 "data.items.add(new File([bytes, new Uint8Array(600_000)], 'a [photo].png', { type: 'image/png' }));"
                 f"document.getElementById('text').dispatchEvent({event})", DOT)
        page.wait("return document.getElementById('state').textContent.endsWith('is kept.')")
        page.run("page.view.tell('')")
    world.equals("tour", tour + "![[files/a photo.png]]![[files/a photo-2.png]]", "pasted pictures are kept, with links at the caret")
    page.click("#read")
    page.wait("return [...document.querySelectorAll('#reader img')].filter(({ naturalWidth }) => naturalWidth === 1).length === 4")
    checks.equal(page.run("return window.hacked ?? null"), None, "S9: nothing of a file ran")
    checks.equal(page.faults(), [], "no error in the console")
    page.end()


# A picture of one pixel.
DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="


def cuts(world):
    """Of a long note, a part is shown; what is typed there, and what others write elsewhere, arrives in its place."""
    checks, site = world.checks, world.site
    lines = [f"line {number} of a long note\n" for number in range(18_000)]
    site.notesctl("new", "long", "-", text="".join(lines))
    page = world.page()
    world.open(page, "long")
    size = "return document.getElementById('text').textContent.length"
    checks.check(page.run(size) <= 200_001, "a part is shown", page.run(size))
    site.notesctl("new", "short", "-", text="short")
    world.open(page, "short")
    checks.equal(page.run("return [document.getElementById('above').hidden, document.getElementById('below').hidden]"), [True, True], "a short note is whole")
    world.open(page, "long")
    checks.equal(page.run(TEXT + ".length"), len("".join(lines)), "and the page has all")
    page.run("page.view.focus(); getSelection().collapse(document.getElementById('text').firstChild, 4)")
    page.type("X")
    lines[0] = "lineX 0 of a long note\n"
    world.equals("long", "".join(lines), "typed at the top")
    for _ in range(2):
        page.click("#below")
    checks.check(page.run(size) <= 200_001 and page.run("return !document.getElementById('above').hidden"), "and still a part, with more above")
    first = page.run("return Number(/line (\\d+)/.exec(document.getElementById('text').textContent)[1])")
    page.run("page.view.focus(); getSelection().collapse(document.getElementById('text').firstChild, 4)")
    site.notesctl("filter", "long", "--", "sed", "-e", "1i first", "-e", "$a last", "-e", f"{first + 3}s/of/OF/")
    lines = ["first\n", *lines, "last\n"]
    lines[first + 3] = lines[first + 3].replace("of", "OF")
    page.wait(TEXT + ".startsWith('first') && page.view.text.endsWith('last\\n')")
    page.type("Y")
    lines[first + 1] = f"lineY {first} of a long note\n"
    world.equals("long", "".join(lines), "typed in the middle, while others write before, in and behind the part")
    page.chord("control", "z")
    lines[first + 1] = f"line {first} of a long note\n"
    world.equals("long", "".join(lines), "undone in the middle")
    while page.run("return !document.getElementById('below').hidden"):
        page.click("#below")
    page.run("page.view.focus(); const node = document.getElementById('text').firstChild; getSelection().collapse(node, node.data.length - 1)")
    page.type("Z")
    world.equals("long", "".join(lines) + "Z", "typed at the end")
    while page.run("return !document.getElementById('above').hidden"):
        page.click("#above")
    checks.equal(page.run("return document.getElementById('text').textContent.slice(0, 5)"), "first", "back at the top")
    page.run("page.view.focus()")
    page.chord("control", "z")
    world.equals("long", "".join(lines), "an undo at another place")
    checks.equal(page.run("return document.getElementById('below').hidden"), True, "shows that place")
    page.run("page.view.surface.select(0, page.view.text.length); document.execCommand('selectAll')")
    page.chord("delete")
    until(lambda: site.text("long").startswith("first"), "deleting all deletes the part that is shown")
    checks.check(len(site.text("long")) > 200_000, "and nothing else", len(site.text("long")))
    checks.equal(page.faults(), [], "no error in the console")
    page.end()


PARTS = [lists, types, settles, loses, refuses, reads, shows, cuts, guests, falls_back, together]


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else random.randrange(1 << 32)
    if not browsers.is_there():
        print(f"skipped: no {'firefox-esr' if IS_FIREFOX else 'chromium and chromedriver'} on this machine")
        return
    if not os.access(program("notesd-web"), os.X_OK):
        print("skipped: notesd-web is not built; it needs libcmark-gfm-dev and libcmark-gfm-extensions-dev")
        return
    checks = Checks("web page", seed)
    folder = tempfile.mkdtemp(prefix="notesd-web-")
    driver = browsers.Driver(folder)
    try:
        for part in PARTS:
            # These two take long; Firefox runs them by name.
            if len(sys.argv) > 2 and sys.argv[2] != part.__name__ or len(sys.argv) < 3 and IS_FIREFOX and part in (reads, cuts):
                continue
            began = time.monotonic()
            place = os.path.join(folder, part.__name__)
            os.mkdir(place)
            world = World(checks, place, driver, random.Random(f"{seed} {part.__name__}"))
            try:
                part(world)
            except (chromium.BrowserFailed, TimeoutError, RuntimeError, OSError) as error:
                checks.check(False, f"{part.__name__} goes on", str(error))
            finally:
                world.site.end()
            checks.say(f"{part.__name__} took {time.monotonic() - began:.1f} s")
    finally:
        driver.end()
        shutil.rmtree(folder, ignore_errors=True)
    checks.finish()


main()
