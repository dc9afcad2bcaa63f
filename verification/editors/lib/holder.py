"""A proxy between an editor and the daemon that holds back the daemon's lines: it plays a slow
daemon, or a connection that ends before a response.

It forwards the editor's lines to the daemon immediately. `hold()` holds back all lines of the
daemon or, with a condition, the responses to the requests for which it is true; `release()`
forwards them in order. `cut()` ends the connections together with the held lines, and refuses new
ones until `mend()`.
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
        """`condition` receives the answered request, or None for a line that answers no request."""
        with self.lock:
            self.condition = condition

    def release(self, condition=None):
        """Holds the lines that arrive from now on, if `condition` is true or absent."""
        with self.lock:
            self.condition = condition
            held, self.held = self.held, []
            for editor, line in held:
                try:
                    editor.sendall(line)
                except OSError:
                    pass

    def say(self, message):
        """Sends a line to the editor as if it came from the daemon."""
        with self.lock:
            self.connections[-1][0].sendall(json.dumps(message).encode() + b"\n")

    def cut(self):
        if not os.path.exists(self.path):
            return
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
