"""A Neovim behind a `Holder`, and the helpers of its tests: they kill it, hold responses back, and
read its drafts."""

import glob
import json
import os

import editors
from editor_features import EditorFeatures
from holder import Holder

WRITES = ("note.edit", "note.save", "note.create", "note.delete")


class Neovim(editors.Neovim):
    """A Neovim that survives a write beyond the limit of file sizes: the write fails."""

    def command(self):
        return ["env", "--ignore-signal=XFSZ"] + super().command()


def is_write(request):
    return request is not None and request["method"] in WRITES


class HeldNeovim(EditorFeatures):
    kind = Neovim

    # Helpers.

    def begin(self):
        self.number = getattr(self, "number", 0) + 1
        self.holder = Holder(os.path.join(self.folder, f"held{self.number}.sock"), self.daemon.socket)
        self.editor = self.kind(self.kind.__name__.lower(), self.folder, self.holder.path)

    def begin_again(self):
        """Kills the editor and starts another one."""
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
        """Opens a note that exists, and waits until it is synced."""
        note = self.create(name, text)
        self.keys(f":Notes {name}<CR>")
        self.editor.settled()
        return note

    def has(self, note, part):
        """Waits until the daemon has this text, whether it has answered or not."""
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
        self.wait_for(lambda: self.drafts() == [], f"{law}: no draft is left", self.drafts())
