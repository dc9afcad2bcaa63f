#!/usr/bin/env python3
"""Types into a note on the page while another program writes, with a connection that takes 0, 50 and 500 ms in each direction
and is cut. Each word must be in its line once, and the caret must stay behind what was typed.

    verification/web/beside.py [SEED] [--pairs N]

A pair is a word on the page and one of the program, at the same time. N is the number for each delay.
"""

import argparse
import os
import random
import re
import shutil
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))

import browser as chromium  # noqa: E402
from checks import Checks  # noqa: E402
from daemon import Client  # noqa: E402
from delay import Proxy, free_port  # noqa: E402
from places import program  # noqa: E402
from server import until  # noqa: E402
from world import TEXT, World  # noqa: E402

LINES = 8
# Puts the caret at the end of a line.
GO = """page.view.focus();
const text = page.view.text, start = text.indexOf('L' + arguments[0] + ':'), end = text.indexOf('\\n', start);
getSelection().collapse(document.getElementById('text').firstChild, end < 0 ? text.length : end);
return start;"""
CARET = "const at = getSelection(); return document.getElementById('text').firstChild.data.slice(0, at.anchorOffset).endsWith(arguments[0])"


def write(world, other, identifier, line, word):
    """The other program puts a word behind the name of a line."""
    note = other.ask("note.get", id=identifier)["note"]
    place = note["text"].encode().index(f"L{line}:".encode()) + len(f"L{line}:")
    edits = [{"start": place, "end": place, "text": f" {word}"}]
    if world.chance.random() < 0.1:
        edits.insert(0, {"start": 0, "end": 0, "text": f"above {word}\n"})
    other.ask("note.edit", id=identifier, base=note["version"], edits=edits)


def session(world, proxy, page, delay, pairs):
    """Pairs with one delay; returns how many a minute."""
    checks, site, chance = world.checks, world.site, world.chance
    name = f"delay {round(delay * 1000)} {site.folder[-4:]} {chance.randrange(1 << 30)}"
    site.notesctl("new", name, "-", text="".join(f"L{number}: end\n" for number in range(LINES)))
    proxy.delay = 0
    world.open(page, name)
    identifier = page.run("return page.view.id")
    proxy.delay = delay
    other = Client(site.daemon.socket, "other")
    words = {}
    began = time.monotonic()
    for number in range(pairs):
        lines = [chance.randrange(LINES) for _ in range(2)]
        mine, theirs = f"p{number}", f"o{number}"
        words[mine], words[theirs] = lines
        if chance.random() < 0.5:
            write(world, other, identifier, lines[1], theirs)
            theirs = None
        checks.check(page.run(GO, lines[0]) >= 0, "the line is there")
        page.type(f" {mine}")
        if theirs:
            write(world, other, identifier, lines[1], theirs)
        if delay and chance.random() < 0.04:
            proxy.cut()
        if chance.random() < 0.3:
            time.sleep(chance.random() * 2 * delay)
        checks.check(page.run(CARET, f" {mine}"), f"the caret is behind {mine}", page.run(TEXT))
    took = time.monotonic() - began
    page.wait("return page.connection.up && !page.view.isUnsaved", timeout=60)
    until(lambda: page.run(TEXT) == site.text(name), "the page shows what the note is")
    text = site.text(name)
    for word, line in words.items():
        places = [found for found in text.splitlines() if re.search(rf"(?<!above )\b{word}\b", found)]
        checks.check([found.partition(":")[0] for found in places] == [f"L{line}"] and places[0].split().count(word) == 1,
                     f"{word} is once in line {line}, with {round(delay * 1000)} ms", text)
    checks.equal("conflict" in page.run("return document.getElementById('conflicts').textContent")
                 and not page.run("return document.getElementById('conflicts').hidden"), False, "no conflict")
    other.close()
    return pairs / took * 60


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seed", nargs="?", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--pairs", type=int, default=10)
    given = parser.parse_args()
    if not chromium.is_there() or not os.access(program("notesd-web"), os.X_OK):
        print("skipped: no chromium and chromedriver on this machine, or notesd-web is not built")
        return
    checks = Checks("beside on the page", given.seed)
    folder = tempfile.mkdtemp(prefix="notesd-web-")
    driver = chromium.Driver(folder)
    own, other = free_port(), free_port()
    proxy = Proxy(own, other)
    place = os.path.join(folder, "site")
    os.mkdir(place)
    world = World(checks, place, driver, random.Random(given.seed), ["--listen", f"127.0.0.1:{other}", "--host", f"127.0.0.1:{own}"])
    done, began = 0, time.monotonic()
    try:
        page = world.page()
        # Notes of at most 50 pairs, so that a fault is found where it is.
        for delay in (0, 0.05, 0.5):
            left, rates = given.pairs, []
            while left > 0:
                rates.append(session(world, proxy, page, delay, min(50, left)))
                left -= 50
            done += given.pairs
            checks.say(f"{round(delay * 1000)} ms: {sum(rates) / len(rates):.0f} pairs a minute")
        checks.equal([fault for fault in page.faults() if "WebSocket" not in fault and "ERR_" not in fault], [], "no error in the console")
    except (chromium.BrowserFailed, TimeoutError, RuntimeError, OSError) as error:
        checks.check(False, "beside goes on", str(error))
    finally:
        driver.end()
        world.site.end()
        shutil.rmtree(folder, ignore_errors=True)
    checks.say(f"{done} pairs took {time.monotonic() - began:.0f} s")
    checks.finish()


main()
