"""A Neovim behind a `Holder`, and what the tests of its troubles do: they end it, hold answers back, and look at its drafts."""

import glob
import json
import os

import editors
from editor_features import EditorFeatures
from holder import Holder

WRITES = ("note.edit", "note.save", "note.create", "note.delete")


class Neovim(editors.Neovim):
    """One that goes on where a file would be larger than is allowed: then writing it fails."""

    def command(self):
        return ["env", "--ignore-signal=XFSZ"] + super().command()


def is_write(request):
    return request is not None and request["method"] in WRITES


class HeldNeovim(EditorFeatures):
    kind = Neovim

    # Tools.

    def begin(self):
        self.number = getattr(self, "number", 0) + 1
        self.holder = Holder(os.path.join(self.folder, f"held{self.number}.sock"), self.daemon.socket)
        self.editor = self.kind(self.kind.__name__.lower(), self.folder, self.holder.path)

    def begin_again(self):
        """The editor is killed, and another one started."""
        self.editor.kill()
        self.begin()

    def keys(self, keys):
        self.editor.do("keys", keys=keys)

    def lua(self, code):
        return self.editor.do("eval", code=code)

    def log(self):
        return [entry["message"] for entry in self.editor.do("log")]

    def is_told(self, part):
        return any(part in message for message in self.log())

    def open(self, name, text):
        """A note that there is, shown and at rest."""
        note = self.create(name, text)
        self.keys(f":Notes {name}<CR>")
        self.editor.settled()
        return note

    def has(self, note, part):
        """Waits until the daemon has something, be it answered or not."""
        self.wait_for(lambda: part in self.shown(note)["text"], f"the daemon has {part}", self.shown(note))

    def drafts(self, ending=".json"):
        return glob.glob(os.path.join(self.editor.folder, "data", "nvim", "notesd", "drafts", "*" + ending))

    def drafted(self, part):
        def is_there():
            try:
                return any(part in json.load(open(path))["text"] for path in self.drafts())
            except (FileNotFoundError, json.JSONDecodeError):
                return False
        self.wait_for(is_there, f"a draft has {part}", self.drafts())

    def expect_rest(self, note, text, law):
        self.editor.settled()
        self.checks.equal([self.shown(note)["text"], self.editor.text()], [text, text], law)
        self.wait_for(lambda: self.drafts() == [], f"{law}: and no draft is left", self.drafts())
