"""Stands between an editor and the daemon, and holds what the daemon answers: a slow daemon, or a connection that ends before an answer.

What the editor sends goes to the daemon at once. `hold()` keeps back all that comes from there, or, with a condition, the answers to the
requests for which it is true; `release()` lets it through, in order. `cut()` ends the connections with what was held, and takes none
before `mend()`.
"""

import json
import os
import socket
import threading


class Holder:
    def __init__(self, path, daemon_path):
        self.path = path
        self.daemon_path = daemon_path
        self.lock = threading.Lock()
        self.connections = []
        self.condition = None
        self.held = []
        self.requests = []
        self.listener = None
        self.mend()

    def _accept(self, listener):
        while True:
            try:
                editor, _ = listener.accept()
                daemon = socket.socket(socket.AF_UNIX)
                daemon.connect(self.daemon_path)
            except OSError:
                return
            asked = {}
            with self.lock:
                self.connections.append((editor, daemon))
            threading.Thread(target=self._up, args=(editor, daemon, asked), daemon=True).start()
            threading.Thread(target=self._down, args=(editor, daemon, asked), daemon=True).start()

    def _up(self, editor, daemon, asked):
        try:
            for line in editor.makefile("rb"):
                request = json.loads(line)
                asked[request.get("id")] = request
                with self.lock:
                    self.requests.append(request)
                daemon.sendall(line)
            daemon.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def _down(self, editor, daemon, asked):
        try:
            for line in daemon.makefile("rb"):
                request = asked.pop(json.loads(line).get("id"), None)
                with self.lock:
                    if self.condition and self.condition(request):
                        self.held.append((editor, line))
                    else:
                        editor.sendall(line)
            editor.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def hold(self, condition=lambda request: True):
        """`condition` gets the request that is answered; None for what answers none."""
        with self.lock:
            self.condition = condition

    def release(self, condition=None):
        """What comes from now on is held by `condition`, if there is one."""
        with self.lock:
            self.condition = condition
            held, self.held = self.held, []
            for editor, line in held:
                try:
                    editor.sendall(line)
                except OSError:
                    pass

    def say(self, message):
        """Sends a line to the editor, as if from the daemon."""
        with self.lock:
            self.connections[-1][0].sendall(json.dumps(message).encode() + b"\n")

    def cut(self):
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        os.unlink(self.path)
        with self.lock:
            connections, self.connections, self.held, self.condition = self.connections, [], [], None
        for pair in connections:
            for end in pair:
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    def mend(self):
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.path)
        self.listener.listen(8)
        threading.Thread(target=self._accept, args=(self.listener,), daemon=True).start()
