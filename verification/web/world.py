"""A page in a browser beside a daemon and a page server."""

import json
import os

import browser as chromium
import firefox
from server import Site, until

IS_FIREFOX = os.environ.get("NOTESD_BROWSER") == "firefox"
browsers = firefox if IS_FIREFOX else chromium
STATE = "return document.getElementById('state').textContent === arguments[0]"
TEXT = "return page.view.text"

# What keeps somebody from using what is shown: by the eye, with a screen reader, or with keys.
OBSTACLES = """
const faults = [];
const isSeen = (one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().width > 1;
const all = (selector) => [...document.querySelectorAll(selector)].filter(isSeen);
const what = (one) => one.outerHTML.slice(0, 120);
const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
const light = (color) => numbers(color).slice(0, 3).map((part) => part / 255)
  .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  .reduce((sum, part, place) => sum + part * [0.2126, 0.7152, 0.0722][place], 0);
const behind = (one) => {
  for (; one; one = one.parentElement) {
    const color = getComputedStyle(one).backgroundColor;
    if ((numbers(color)[3] ?? 1) > 0) return color;
  }
  return 'rgb(255, 255, 255)';
};
for (const one of all('body *')) {
  if (![...one.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.data.trim()) || one.disabled) continue;
  const [a, b] = [light(getComputedStyle(one).color), light(behind(one))].sort((x, y) => y - x);
  if ((a + 0.05) / (b + 0.05) < 4.5) faults.push(`contrast ${((a + 0.05) / (b + 0.05)).toFixed(1)}: ${what(one)}`);
}
for (const one of all('button, input, a[href], [role=textbox], section, nav, article, dialog, [role=region]')) {
  const label = one.getAttribute('aria-labelledby');
  const name = one.getAttribute('aria-label') ?? (label ? document.getElementById(label)?.textContent : null)
    ?? (one.labels?.length ? one.labels[0].textContent : /^(BUTTON|A)$/.test(one.nodeName) ? one.textContent : '');
  if (!name.trim()) faults.push(`no name: ${what(one)}`);
  if (one.matches('button, input:not([type=checkbox])') && one.getBoundingClientRect().height < 24) faults.push(`small: ${what(one)}`);
}
for (const one of all('[aria-controls]')) if (!document.getElementById(one.getAttribute('aria-controls'))) faults.push(`controls nothing: ${what(one)}`);
if (all('main').length !== 1) faults.push('not one main landmark');
if (![...document.querySelectorAll("h1")].some((one) => one.checkVisibility())) faults.push('no heading');
for (const id of ['state', 'count', 'offline', 'doortext']) if (document.getElementById(id).role !== 'status') faults.push(`${id} is not live`);
if (document.querySelector('[tabindex]:not([tabindex="0"]):not([tabindex="-1"])')) faults.push('a focus order that is not that of the page');
if (document.documentElement.scrollWidth > innerWidth) faults.push('wider than the window');
return faults;"""


def is_accessible(page, checks, screen):
    """Checks names, contrast, landmarks, live regions and the order of the focus."""
    checks.equal(page.run(OBSTACLES), [], f"{screen} has no obstacles")


def to_end(page):
    """Puts the caret at the end of the text. A Firefox without a window knows no keys that move it."""
    page.run("page.view.focus(); const node = document.getElementById('text').firstChild; getSelection().collapse(node, node.data.length - 1)")


def reload(page):
    """Loads the page anew, and waits until the old one is gone."""
    page.run("window.isOld = true; location.reload()")
    page.wait("return !window.isOld && document.readyState === 'complete'")


class World:
    """A site with a driver of browsers."""

    def __init__(self, checks, folder, driver, chance, options=()):
        self.checks, self.driver, self.chance = checks, driver, chance
        self.site = Site(folder, options)
        self.number = 0

    def page(self, *words, **options):
        """A browser that is signed in."""
        self.number += 1
        page = self.driver.browser(**options)
        page.go(self.site.link(*(words or ("--device", f"device{self.number}"))))
        page.wait("return window.page?.connection.up")
        return page

    def id(self, name):
        return next(note["id"] for note in map(json.loads, self.site.notesctl("list", "--json").splitlines()) if note["name"] == name)

    def open(self, page, name):
        """Shows a note, with the caret at the end of its text."""
        page.run("location.hash = '#/note/' + arguments[0]", self.id(name))
        page.wait("return page.view.id === arguments[0]", self.id(name))
        page.wait(STATE, "Saved")
        page.click("#text")
        to_end(page)

    def equals(self, name, text, law):
        """Waits until a note has a text."""
        try:
            until(lambda: self.site.text(name) == text, law, 20)
            self.checks.check(True, law)
        except TimeoutError:
            self.checks.equal(self.site.text(name), text, law)
