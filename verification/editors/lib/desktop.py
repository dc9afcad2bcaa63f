"""Programs of a desktop, in the folder of an editor: a clipboard with a picture, and `xdg-open`."""

import os

PICTURE = b"\x89PNG\r\n\x1a\npicture"


class Desktop:
    """Stands in for `wl-paste` and `xdg-open`; the second writes the bytes of what it opens to `opened`."""

    def __init__(self, folder):
        self.folder = os.path.join(folder, "desktop")
        self.opened = os.path.join(folder, "opened")
        os.makedirs(self.folder)
        with open(os.path.join(self.folder, "picture"), "wb") as file:
            file.write(PICTURE)
        self._program("wl-paste", f"cat {self.folder}/picture")
        self._program("xdg-open", f"cat \"$1\" >{self.opened}")

    def _program(self, name, script):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\n{script}\n")
        os.chmod(path, 0o755)

    def empty(self):
        """Takes the picture out of the clipboard."""
        os.unlink(os.path.join(self.folder, "picture"))

    def has_opened(self):
        """Whether the picture was opened."""
        try:
            with open(self.opened, "rb") as file:
                return file.read() == PICTURE
        except FileNotFoundError:
            return False
