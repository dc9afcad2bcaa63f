"""The drafts of unsent text that the Emacs package keeps on disk."""

import contextlib
import json
import os


def drafts_below(folder):
    """The files of drafts, in any folder of Emacs below it."""
    return [os.path.join(path, name) for path, _, names in os.walk(folder) if os.path.basename(path) == "notesd-drafts"
            for name in names if name.endswith(".json") and not name.startswith(".")]


def texts_of_drafts(folder):
    texts = []
    for path in drafts_below(folder):
        # Emacs removes a draft when all of it is acknowledged.
        with contextlib.suppress(FileNotFoundError):
            with open(path, encoding="utf-8") as file:
                texts.append(json.load(file)["text"])
    return texts
