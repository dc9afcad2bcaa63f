"""The note of the hostile daemon: one line of texts that others and the editor write on, and the branches of the editor's own."""

import texts


class UnknownVersion(Exception):
    pass


# An editor that keeps the last 30 texts that it was shown has one left that is older.
FORGOTTEN_MAX = 10


class HostileNote:
    """`main` is the row of `(version, text, edits since the one before)`; `own` has the versions that only the editor made."""

    def __init__(self, replica, text):
        self.id = "01890a5d-ac96-774b-bcce-b302099a8057"
        self.name = "hostile"
        self.replica = replica
        self.counter = 0
        self.main = []
        self.own = {}
        self.conflicts = []
        self.highest = 0
        self._append(self._dot(), text, [])

    def _dot(self):
        self.counter += 1
        return f"{self.replica}:{self.counter}"

    def _append(self, version, text, edits):
        self.main.append((version, text, edits))
        self.highest = max(self.highest, len(self.main))

    @property
    def version(self):
        return self.main[-1][0]

    @property
    def text(self):
        return self.main[-1][1]

    def _place(self, version):
        """Where the version joins the main line, and the edits that lead there from it."""
        if version in self.own:
            _, edits, place = self.own[version]
            return place, [edits]
        for place in range(len(self.main) - 1, -1, -1):
            if self.main[place][0] == version:
                return place, []
        raise UnknownVersion(version)

    def text_at(self, version):
        place, _ = self._place(version)
        return self.own[version][0] if version in self.own else self.main[place][1]

    def edits_from(self, version, until=None):
        """What leads from a version to what is shown now, or was at `until`."""
        place, lists = self._place(version)
        stop = len(self.main) if until is None else until + 1
        lists = lists + [edits for _, _, edits in self.main[place + 1:stop]]
        return texts.compose(len(self.text_at(version)), lists)

    def others_edit(self, edits):
        """Somebody else writes."""
        self._append(self._dot(), texts.apply(self.text, edits), edits)

    def roll_back(self, count):
        """The newest versions and their texts are gone; the first one stays, and so do all but a few of the most that there were."""
        del self.main[max(1, self.highest - FORGOTTEN_MAX, len(self.main) - count):]
        self.own = {dot: branch for dot, branch in self.own.items() if branch[2] < len(self.main)}

    def write(self, base, edits):
        """The editor writes on a version. The version of its own text, and the edits from that to what is shown, or None where the
        note shows what was sent."""
        sent = texts.apply(self.text_at(base), edits)
        since = self.edits_from(base)
        moved = texts.transform(edits, since)
        dot = self._dot()
        shown = texts.apply(self.text, moved)
        if not since:
            self._append(dot, shown, moved)
            return dot, None
        version = " ".join(sorted([self.version.split(" ")[-1], dot], key=lambda item: int(item.split(":")[1])))
        self._append(version, shown, moved)
        to_shown = texts.transform(since, edits, first=True)
        if texts.apply(sent, to_shown) != shown:
            # Both inserted at one place: the edits have to say in which order it is shown.
            to_shown = difference(sent, shown)
        self.own[dot] = (sent, to_shown, len(self.main) - 1)
        return dot, to_shown


def difference(old, new):
    """One edit, in whole characters."""
    if old == new:
        return []
    prefix = 0
    while prefix < min(len(old), len(new)) and old[prefix] == new[prefix]:
        prefix += 1
    suffix = 0
    while suffix < min(len(old), len(new)) - prefix and old[-1 - suffix] == new[-1 - suffix]:
        suffix += 1
    while prefix and any(0x80 <= (text[prefix:prefix + 1] or b"a")[0] < 0xC0 for text in (old, new)):
        prefix -= 1
    while suffix and 0x80 <= old[len(old) - suffix] < 0xC0:
        suffix -= 1
    return [(prefix, len(old) - suffix, new[prefix:len(new) - suffix])]
