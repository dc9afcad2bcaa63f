"""Reads tables of faults and plants the faults.

A table is a text file with entries of this form. scripts/mutation by-hand and scripts/mutation guarantees define the
first word of an entry and further lines. Empty lines and lines that begin with # do not count.

    mutant NAME
    for DESCRIPTION
    in FILE
    -OLD LINES
    +NEW LINES

The old lines must occur exactly once in the file. There may be no new lines. An entry that changes
several places has one `in` for each.
"""

import argparse
import dataclasses
import glob
import re

from copies import fail


@dataclasses.dataclass
class Place:
    path: str
    old: str = ""
    new: str = ""


@dataclasses.dataclass
class Fault:
    """An entry. `where` is its table and line; `words` has the other lines, by first word."""

    name: str
    where: str
    words: dict = dataclasses.field(default_factory=dict)
    places: list = dataclasses.field(default_factory=list)


def arguments(description):
    """The arguments of scripts/mutation by-hand and scripts/mutation guarantees."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-v", dest="is_verbose", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("names", nargs="*", metavar="REGEX")
    return parser.parse_args()


def read_tables(folder, first, needed, optional):
    """The faults of all tables in a folder. `first` is the word that begins an entry, `needed` the
    words of lines that each entry must have, and `optional` lines that it may have."""
    faults = {}
    for path in sorted(glob.glob(f"{folder}/*.txt")):
        for fault in read_table(path, first, needed, optional):
            missing = [f"`{word}`" for word in needed if word not in fault.words]
            if missing or not fault.places or not all(place.old for place in fault.places):
                fail(f"{fault.where}: {fault.name} has no {', '.join(missing) or 'old lines'}")
            if fault.name in faults:
                fail(f"{fault.where}: {faults[fault.name].where} has the same name")
            faults[fault.name] = fault
    return list(faults.values())


def read_table(path, first, needed, optional):
    """The faults of one table, which may be incomplete."""
    faults = []
    with open(path, encoding="utf-8") as table:
        lines = table.read().split("\n")
    for number, line in enumerate(lines, 1):
        word, _, value = line.partition(" ")
        fault = faults[-1] if faults else None
        place = fault.places[-1] if fault and fault.places else None
        if not line or line.startswith("#"):
            continue
        if word == first and value:
            faults.append(Fault(value, f"{path}:{number}"))
        elif fault and word == "in" and value:
            fault.places.append(Place(value))
        elif place and line[0] == "-" and not place.new:
            place.old += line[1:] + "\n"
        elif place and line[0] == "+" and place.old:
            place.new += line[1:] + "\n"
        elif fault and word not in fault.words and (word in needed and value or line in optional):
            fault.words[word] = value
        else:
            fail(f"{path}:{number}: invalid or misplaced line: {line}")
    return faults


def matching(faults, expressions):
    """The faults whose names match one of the regular expressions; all if there are none."""
    try:
        found = [fault for fault in faults if re.search("|".join(expressions), fault.name)]
    except re.error as error:
        fail(f"invalid regular expression: {error}")
    if not found:
        fail(f"no name matches {' or '.join(expressions)}")
    return found


def plant(files, fault):
    """The files that a fault changes, with the fault in them. Files are bytes by path."""
    changed = {}
    for place in fault.places:
        if place.path not in files:
            fail(f"{fault.where}: {fault.name}: {place.path} not found")
        content = changed.get(place.path, files[place.path])
        count = content.count(place.old.encode())
        if count != 1:
            fail(f"{fault.where}: {fault.name}: the old text occurs {count} times in {place.path}; "
                 "it must occur once")
        changed[place.path] = content.replace(place.old.encode(), place.new.encode())
    return changed
