"""Helpers of the tests of the Emacs package."""

import contextlib
import os
import signal

from editors import Emacs, kept_drafts
from editor_features import EditorFeatures


class EmacsFeatures(EditorFeatures):
    kind = Emacs

    def lisp(self, code):
        """The printed value of Lisp code, which runs in the selected window's buffer."""
        return self.editor.do("eval", code=f"(with-current-buffer (window-buffer) (save-current-buffer {code}))")

    def press(self, keys):
        """Presses keys, as a user does, without a boundary of undo around them."""
        self.lisp(f'(execute-kbd-macro (kbd "{keys}"))')

    def host(self, editor=None):
        """The number of the process of notesctl, or None."""
        number = (editor or self.editor).do("eval", code="(and (process-live-p notesd-rpc--process) (process-id notesd-rpc--process))")
        return None if number == "nil" else int(number)

    def kill_host(self):
        host = self.host()
        if host:
            with contextlib.suppress(ProcessLookupError):
                os.kill(host, signal.SIGKILL)

    def die(self, *editors):
        """Kills editors, or the editor, as a crash would, and waits until their hosts have ended."""
        for editor in editors or [self.editor]:
            host = self.host(editor)
            editor.kill()
            self.wait_for(lambda: not os.path.exists(f"/proc/{host}"), "the host ends", host)

    def drafts(self):
        return kept_drafts(self.editor.folder)

    def drafted(self, part):
        self.wait_for(lambda: any(part in text for text in self.drafts().values()), f"a draft has {part}", self.drafts())

    def offline(self):
        self.daemon.kill()
        self.editor.wait(lambda state: state["status"] == "offline", "the state offline")

    def online(self):
        self.daemon.start()
        self.meet()

    def user_places(self):
        """Where this user is, as the others learn it."""
        dependents = self.other.ask("dependents.list")["dependents"]
        return [dependent["presence"] for dependent in dependents if dependent["label"] != "other/test"]
