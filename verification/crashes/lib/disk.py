"""A disk that loses, reorders and tears unsynced writes.

For each file, it holds the certain bytes and the operations since the last sync; for each folder,
the changes of names since the folder's last sync. `crashed` makes one of the many states that a
power cut can leave.

Allowed: any subset of the writes since the last sync survives, older ones without newer ones and
the other way round. Each may be torn at sectors of 512 bytes, and one between two bytes, with zeros
or garbage in the rest of its part of that sector. A file may have any of its sizes. A name that was
created or removed without a sync of its folder may be there or not.
Not allowed: a change of bytes that nobody wrote to (SQLite calls that powersafe overwrite, and
relies on it by default).
"""

import itertools

SECTOR = 512
# Operations on all files share one numbering, which shows whether they survived out of order.
ORDER = itertools.count()
# Names whose contents mean nothing after a crash: they may contain anything.
ANYTHING = "-shm"


class File:
    """`certain` is the content on the disk; `asked` has the operations since, each `(kind, offset,
    data, number)`."""

    def __init__(self, content=b""):
        self.certain = bytearray(content)
        self.asked = []

    def write(self, offset, data):
        self.asked.append(("write", offset, data, next(ORDER)))

    def truncate(self, size):
        self.asked.append(("truncate", size, b"", next(ORDER)))

    def grow(self, size):
        self.asked.append(("grow", size, b"", next(ORDER)))

    def content(self):
        content = bytearray(self.certain)
        for one in self.asked:
            _make(content, one)
        return content

    def sync(self):
        for one in self.asked:
            _make(self.certain, one)
        self.asked = []


class Fate:
    """The fate of the uncertain operations: by number, whether all of it survived, a part, or
    nothing."""

    def __init__(self):
        self.lost = set()
        self.torn = set()
        self.kept = set()
        self.names_lost = False

    def words(self):
        """The survivors."""
        found = []
        if self.lost or self.torn or self.names_lost:
            found.append("forgotten")
        if self.torn:
            found.append("torn")
        missing, there = self.lost | self.torn, self.kept | self.torn
        if missing and there and min(missing) < max(there):
            found.append("reordered")
        return found


class Folder:
    def __init__(self, name):
        self.name = name


def _make(content, asked):
    kind, offset, data = asked[:3]
    if kind == "truncate":
        if offset < len(content):
            del content[offset:]
        else:
            content.extend(bytes(offset - len(content)))
        return
    end = offset + len(data)
    if end > len(content):
        content.extend(bytes(end - len(content)))
    content[offset:end] = data


class Disk:
    def __init__(self, files, ignores_syncs=False):
        self.ignores_syncs = ignores_syncs
        # The certain file of each name; and the changes of names since, in order: `(name, file,
        # old)`, with None for a removal; `old` is a name that the change removes.
        self.certain = {name: Folder(name) if content is None else File(content) for name, content in files.items()}
        self.now = dict(self.certain)
        self.asked = []

    def opened(self, name, is_new):
        file = self.now.get(name)
        if file is None:
            # A folder, or a new file.
            if not is_new:
                return Folder(name)
            file = File()
            self._name(name, file)
        return file

    def made_folder(self, name):
        self._name(name, Folder(name))

    def unlinked(self, name):
        self._name(name, None)

    def renamed(self, old, name):
        """Renames within a folder; both names change or neither."""
        self._name(name, self.now[old], old)

    def _name(self, name, file, old=None):
        self.asked.append((name, file, old))
        _name(self.now, name, file, old)

    def synced(self, file):
        if self.ignores_syncs:
            return
        if isinstance(file, File):
            file.sync()
            return
        kept = []
        for name, what, old in self.asked:
            if _folder_of(name) == file.name:
                _name(self.certain, name, what, old)
            else:
                kept.append((name, what, old))
        self.asked = kept

    def crashed(self, random):
        """One state that a power cut can leave: names to contents, None for folders; a description
        of it; and the words of its fate."""
        fate = Fate()
        names, said = self._names(random)
        fate.names_lost = names != self.now
        # How many of the writes survive, for all files alike or for each separately.
        way = _way(random)
        state = {}
        for name, file in names.items():
            if _folder_of(name) not in names and _folder_of(name) != "":
                continue
            if isinstance(file, Folder):
                state[name] = None
            elif not name.endswith(ANYTHING):
                state[name] = _content(random, file, way if random.random() < 0.7 else _way(random), fate)
            elif random.random() < 0.7:
                state[name] = _anything(random)
        words = fate.words()
        return state, f"names: {said}; writes: {way[0]} {way[1]:.2f}; {' '.join(words) or 'whole'}", words

    def has_log(self):
        """Whether a run left a log that was not copied into its database. A log of zeros is empty."""
        return any(name.endswith(".sqlite3-wal") and isinstance(file, File) and any(file.content()[:32]) for name, file in self.now.items())

    def copying(self):
        """The databases with uncertain writes: a checkpoint, or the creation of the database."""
        return [name for name, file in self.now.items() if name.endswith(".sqlite3") and isinstance(file, File) and file.asked]

    def _names(self, random):
        names = dict(self.certain)
        kind = random.choice(("all", "all", "none", "first", "some"))
        first = random.randrange(len(self.asked) + 1)
        stopped = set()
        for number, (name, file, old) in enumerate(self.asked):
            if kind == "none" or kind == "first" and number >= first:
                continue
            # Changes of one name take effect in their order; changes of different names in any.
            if {name, old} & stopped or kind == "some" and random.random() < 0.3:
                stopped |= {name, old} - {None}
                continue
            _name(names, name, file, old)
        return names, kind


def _name(names, name, file, old=None):
    names.pop(old, None)
    if file is None:
        names.pop(name, None)
    else:
        names[name] = file


def _folder_of(name):
    return name.rpartition("/")[0]


def _way(random):
    kind = random.choices(("all", "none", "first", "some", "but one", "sectors"), (15, 10, 30, 20, 10, 15))[0]
    return kind, random.choice((0.1, 0.5, 0.9, random.random()))


def _anything(random):
    size = random.choice((0, 3, 32768, 65536))
    return random.choice((bytes(size), random.randbytes(size)))


def _content(random, file, way, fate):
    """The bytes of a file after the crash."""
    kind, share = way
    content, asked = bytearray(file.certain), file.asked
    sizes = [len(content)]
    # The crash is mostly near the end of the operations: there the writes cluster.
    count = len(asked) + 1
    last = random.randrange(count) if random.random() < 0.5 else count - 1 - min(count - 1, int(random.expovariate(0.3)))
    left_out = random.randrange(max(1, len(asked)))
    for number, one in enumerate(asked):
        if (kind == "none" or kind == "first" and number > last or kind == "but one" and number == left_out
                or kind == "some" and random.random() > share):
            fate.lost.add(one[3])
            continue
        if one[0] == "write" and (kind == "sectors" or kind == "first" and number == last or random.random() < 0.02):
            became = _tear(random, content, one, share)
            {"kept": fate.kept, "torn": fate.torn, "lost": fate.lost}[became].add(one[3])
        else:
            _make(content, one)
            fate.kept.add(one[3])
        sizes.append(len(content))
    if kind in ("some", "sectors") and random.random() < 0.2:
        # The data was written, but not the new size.
        del content[max(len(file.certain) if not any(o[0] == "truncate" for o in asked) else 0, random.choice(sizes)):]
    return bytes(content)


def _tear(random, content, one, share):
    """Some sectors of a write survive; one may have been in progress at the power cut. Returns the
    fate of the write."""
    _, offset, data, _ = one
    survived, lost = 0, 0
    torn = random.random() < 0.5
    at = offset
    while at < offset + len(data):
        end = min((at // SECTOR + 1) * SECTOR, offset + len(data))
        piece = data[at - offset:end - offset]
        if random.random() < share:
            survived += 1
            _make(content, ("write", at, piece))
        elif torn:
            torn = False
            survived, lost = survived + 1, lost + 1
            _make(content, ("write", at, _half(random, piece, content[at:end])))
        else:
            lost += 1
        at = end
    return "kept" if not lost else "torn" if survived else "lost"


def _half(random, piece, before):
    """A sector whose writing was interrupted: its start is new, the rest is old, or zeros, or
    garbage."""
    cut = random.randrange(len(piece) + 1)
    before = bytes(before) + bytes(len(piece) - len(before))
    rest = random.choice((before, bytes(len(piece)), random.randbytes(len(piece))))
    return piece[:cut] + rest[cut:]
