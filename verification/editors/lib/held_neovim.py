"""A Neovim behind a `Holder`, and the helpers of its tests: they kill it, hold responses back, and
read its drafts."""

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
        self.host = self.lua("return require('notesd.client').host().process")

    def begin_again(self):
        """Kills the editor, cuts the connection of its host, and starts another editor when the host has
        ended."""
        self.editor.kill()
        self.holder.cut()
        self.wait_for(lambda: not os.path.exists(f"/proc/{self.host}"), "the host ends", self.host)
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

    def drafts(self):
        return editors.kept_drafts(self.editor.folder)

    def drafted(self, part):
        self.wait_for(lambda: any(part in text for text in self.drafts().values()), f"a draft has {part}", self.drafts())

    def expect_rest(self, note, text, law):
        self.wait_for(lambda: self.editor.state()["settled"] and self.editor.text() == text == self.shown(note)["text"], law, text,
                      self.shown(note)["text"], self.editor.state())
        self.wait_for(lambda: not self.drafts(), f"{law}: no draft is left", self.drafts())
