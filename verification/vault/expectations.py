"""An oracle of import and export: a dictionary of files, one of notes, and the rules that the help
texts state. It shares no code with notesctl."""

import unicodedata

from files import NOTE_BYTES_MAX

WHOLE = (b".txt", b".markdown")
DOTTED = (b"..md", b"...md")


class Note:
    """A note of the daemon, as it should be."""

    def __init__(self, name, text):
        self.name = name
        self.text = text
        # The texts that a merge may give; None if nothing is to be merged.
        self.merges = None
        self.is_deleted = False
        self.id = None

    @property
    def path(self):
        if self.name is None:
            return self.id.encode() + b".md"
        return self.name if is_whole_name(self.name) else self.name + b".md"


def is_whole_name(path):
    """Whether a note is called as its file is, with the ending."""
    last = path.rpartition(b"/")[2]
    lower = last.lower()
    return last in DOTTED + (b".md",) or lower.endswith(WHOLE) or lower.endswith(b".md") and not last.endswith(b".md")


def name_of(path):
    """The name of the note in a file; None if the file is not a note."""
    if is_whole_name(path):
        return path
    return path[:-3] if path.endswith(b".md") else None


def is_valid_name(name):
    try:
        text = name.decode()
    except UnicodeDecodeError:
        return False
    parts = name.split(b"/")
    return (0 < len(name) <= 1024 and all(0 < len(part) <= 255 and part not in (b".", b"..") for part in parts)
            and not any(unicodedata.category(sign) == "Cc" for sign in text))


def is_valid_text(text):
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return b"\0" not in text and len(text) <= NOTE_BYTES_MAX


class World:
    """Both sides, and for each folder the record of what its files last showed."""

    def __init__(self, vault):
        self.vault = vault
        self.notes = []
        self.records = {}

    @property
    def living(self):
        return {note.name if note.name is not None else note.id: note for note in self.notes if not note.is_deleted}

    # What an import finds.

    def found(self):
        """The paths of the notes, and the numbers of the other things by kind."""
        paths, others, hidden = [], {}, set()
        for path in list(self.vault.files) + list(self.vault.links) + list(self.vault.pipes):
            first = self._hidden(path)
            if first is not None:
                hidden.add(first)
                continue
            name = path.rpartition(b"/")[2]
            if path in self.vault.links:
                kind = "symbolic links"
            elif path in self.vault.pipes:
                kind = "special files"
            elif name_of(path) is not None:
                paths.append(path)
                continue
            else:
                kind = "." + name.rpartition(b".")[2].decode().lower() if b"." in name[1:] else "without an ending"
            others[kind] = others.get(kind, 0) + 1
        return paths, others, len(hidden)

    @staticmethod
    def _hidden(path):
        """The outermost hidden folder or file of a path; None if all of it can be seen."""
        parts = path.split(b"/")
        for count, part in enumerate(parts, 1):
            is_file = count == len(parts)
            if part == b"node_modules" and not is_file or part.startswith(b".") and not (is_file and part in DOTTED):
                return b"/".join(parts[:count])
        return None

    def import_folder(self):
        """Applies an import. Returns the counts that it prints, and the paths that it skips."""
        paths, _, _ = self.found()
        counts = dict.fromkeys(("files", "new", "changed", "unchanged", "merged", "conflicted", "deleted", "skipped"), 0)
        counts["files"] = len(paths)
        skipped = []
        names = {}
        for path in paths:
            names.setdefault(name_of(path), []).append(path)
        living = self.living
        for path in sorted(paths):
            outcome = self._import(path, names[name_of(path)], living)
            counts[outcome] += 1
            if outcome == "skipped":
                skipped.append(path)
        return counts, skipped

    def _import(self, path, same_name, living):
        name, text = name_of(path), self.vault.files[path]
        if not is_valid_name(name) or len(same_name) > 1 or not is_valid_text(text):
            return "skipped"
        note, base = self.records.get(path, (None, None))
        if note is None:
            note = living.get(name)
            if note is None:
                note = Note(name, text)
                self.notes.append(note)
                self.records[path] = (note, text)
                return "new"
            if note.text != text:
                return "skipped"
            self.records[path] = (note, text)
            return "unchanged"
        if text == base:
            return "deleted" if note.is_deleted else "unchanged"
        self.records[path] = (note, text)
        if note.is_deleted:
            note.is_deleted, note.text = False, text
            return "conflicted"
        if note.text == base:
            note.text = text
            return "changed"
        if note.text == text:
            return "changed"
        note.text = None
        return "conflicted" if len(note.merges) > 1 else "merged"

    def export(self, vault, records, is_deleting=False):
        """Applies an export into a folder. Returns the counts that it prints, and the paths that it
        skips."""
        counts = dict.fromkeys(("written", "unchanged", "removed", "skipped"), 0)
        skipped, kept = [], set()
        notes = {note.path: note for note in self.living.values()}
        for path, note in sorted(notes.items()):
            outcome = self._export(path, note.text, vault, records)
            counts[outcome] += 1
            if outcome == "skipped":
                skipped.append(path)
                kept.add(note)
            else:
                records[path] = (note, note.text)
        for path, (note, base) in sorted(records.items() if is_deleting else ()):
            if path in notes or path == note.path and not note.is_deleted or note in kept:
                continue
            if vault.files.get(path, base) == base:
                vault.files.pop(path, None)
                del records[path]
                counts["removed"] += 1
            else:
                counts["skipped"] += 1
                skipped.append(path)
        return counts, skipped

    @staticmethod
    def _export(path, text, vault, records):
        parts = path.split(b"/")
        above = [b"/".join(parts[:count]) for count in range(1, len(parts))]
        is_blocked = any(part in vault.files or part in vault.links or part in vault.pipes for part in above)
        if is_blocked or path in vault.links or path in vault.pipes or any(len(part) > 255 for part in parts):
            return "skipped"
        content = vault.files.get(path)
        if content == text:
            return "unchanged"
        if content is not None and (path not in records or records[path][1] != content):
            return "skipped"
        vault.files[path] = text
        return "written"
