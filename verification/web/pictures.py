#!/usr/bin/env python3
"""Makes the pictures of the page in docs/pictures, with the real programs and Debian's Chromium.

    verification/web/pictures.py [FOLDER]
"""

import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))

import browser as browsers  # noqa: E402
from daemon import Client  # noqa: E402
from places import ROOT  # noqa: E402
from server import Site  # noqa: E402

NOTES = {
    "diary/2026-11-29": "Rain all day. Finished the shelf. #house\n",
    "house/shelf": "Boards 80 x 25, six of them. #house\n",
    "books": "Read next: The Dispossessed, Middlemarch.\n",
    "ideas": "A clock that shows only what is left.\n",
    "work/minutes": "Present: Ada, Bo, Cyd.\n",
    "travel/lisbon": "Train at 9:40, hotel near the river.\n",
    "recipes/bread": "# Bread\n\n500 g flour, 350 g water, 10 g salt.\n",
    "shopping": "milk\nbread\n",
    "work/plan": "# Plan for May\n\n- send the letter to Emil\n- book the hall (150 seats)\n- ask Berta about the chairs\n\n"
                 "See [[recipes/bread]] for the buffet.\n",
}


def main():
    target = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "docs", "pictures")
    folder = tempfile.mkdtemp(prefix="notesd-web-")
    driver = browsers.Driver(folder)
    site = Site(folder)
    try:
        for name, text in NOTES.items():
            site.notesctl("new", name, "-", text=text)
        berta = Client(site.daemon.socket, "laptop/nvim")
        shopping = berta.ask("note.get", name="shopping")["note"]
        for milk in ("oat milk", "soy milk"):
            berta.ask("note.save", id=shopping["id"], base=shopping["version"], text=f"{milk}\nbread\n")
        plan = berta.ask("note.get", name="work/plan")["note"]
        berta.ask("presence.set", note=plan["id"], version=plan["version"], selection={"start": 74, "end": 77})
        for picture, note, part, size in (("page.png", plan, "history", (1200, 940)), ("page-phone.png", shopping, "conflicts", (360, 740))):
            page = driver.browser(*size)
            page.go(site.link("--device", "ada's phone"))
            page.wait("return window.page?.connection.up")
            page.run("location.hash = '#/note/' + arguments[0]", note["id"])
            page.wait("return page.view.id === arguments[0] && document.getElementById('state').textContent === 'Saved'", note["id"])
            page.click(f"#{part}")
            page.wait("return document.querySelector('#side .step, #side .card')")
            page.screenshot(os.path.join(target, picture))
            page.end()
    finally:
        driver.end()
        site.end()
        shutil.rmtree(folder, ignore_errors=True)


main()
