"""The note of the hostile daemon: one line of texts that all writers extend, and the branches of
the editor."""

import texts


class UnknownVersion(Exception):
    pass


# An editor that keeps the last 30 received texts has an older one left.
FORGOTTEN_MAX = 10


class HostileNote:
    """`main` is the list of `(version, text, edits since the previous one)`; `own` has the versions
    that only the editor made."""

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
        """The place where the version joins the main line, and the edits from the version to that
        place."""
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
        """The edits from a version to the merged text, now or at `until`."""
        place, lists = self._place(version)
        stop = len(self.main) if until is None else until + 1
        lists = lists + [edits for _, _, edits in self.main[place + 1:stop]]
        return texts.compose(len(self.text_at(version)), lists)

    def others_edit(self, edits):
        """Another writer writes."""
        self._append(self._dot(), texts.apply(self.text, edits), edits)

    def roll_back(self, count):
        """Drops the newest versions and their texts; keeps the first, and at most all but a few of
        the greatest number so far."""
        del self.main[max(1, self.highest - FORGOTTEN_MAX, len(self.main) - count):]
        self.own = {dot: branch for dot, branch in self.own.items() if branch[2] < len(self.main)}

    def write(self, base, edits):
        """Applies a write of the editor to a version. Returns the version of the editor's own text,
        and the edits from that to the merged text, or None if the merged text is the text sent."""
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
            # Both inserted at one place: the edits must give the order.
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
