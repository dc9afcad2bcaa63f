"""The list of cases. A module adds a function to it with `@case`; the function's doc comment says
what users reported, and its last line names the reports."""

import glob
import os
import re
import shutil

ALL = []

# The library that moves the clock of a program; "" if it is not installed.
FAKETIME = next(iter(glob.glob("/usr/lib/*/faketime/libfaketime.so.1")), "")

NEEDS = {
    "git": lambda: shutil.which("git"),
    "neovim": lambda: shutil.which("nvim"),
    "root": lambda: os.geteuid() == 0,
    "libfaketime": lambda: FAKETIME,
}


class Case:
    """`is_quick` is true for a case that takes a few seconds and needs nothing special."""

    def __init__(self, run, is_quick, needs):
        self.run = run
        self.name = run.__name__.replace("_", " ")
        self.is_quick = is_quick and not needs
        self.needs = needs
        self.story, _, reports = run.__doc__.strip().rpartition("Reports: ")
        self.story = " ".join(self.story.split())
        self.reports = re.findall(r"[\w.-]+/[\w.-]+#\d+", reports)

    def missing(self):
        return [need for need in self.needs if not NEEDS[need]()]


def case(quick=True, needs=()):
    """Adds a function to the list."""
    def add(run):
        ALL.append(Case(run, quick, needs))
        return run
    return add


def clock(when):
    """The environment of a daemon whose clock shows another time, in the words of libfaketime."""
    return {"LD_PRELOAD": FAKETIME, "FAKETIME": when, "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
