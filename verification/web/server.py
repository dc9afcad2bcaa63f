"""A page server beside a daemon, and a plain client of it."""

import base64
import json
import os
import re
import socket
import struct
import subprocess
import time

from daemon import Daemon
from places import PATIENCE_S, program


class Site:
    """A daemon and the page; both can be killed and started again."""

    def __init__(self, folder, options=()):
        self.folder = folder
        self.daemon = Daemon(folder)
        self.environment = dict(os.environ, NOTESD_SOCKET=self.daemon.socket, HOME=folder, XDG_STATE_HOME=os.path.join(folder, "state"),
                                XDG_RUNTIME_DIR=folder)
        self.log = os.path.join(folder, "web.log")
        self.options = list(options)
        self.process = None
        self.start()

    def start(self):
        """Starts the page; it takes the port of the last time."""
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen([program("notesd-web"), *self.options], stdout=subprocess.PIPE, stderr=log, text=True,
                                            env=self.environment)
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        self.said = line
        self.port = int(found.group(1)) if found else None

    def kill(self):
        self.process.kill()
        self.process.wait()

    @property
    def host(self):
        return f"127.0.0.1:{self.port}"

    @property
    def address(self):
        return f"http://{self.host}"

    def notesctl(self, *words, check=True, text=None):
        """The output of a command."""
        done = subprocess.run([program("notesctl"), *words], capture_output=True, text=True, env=self.environment, input=text, check=False)
        if check and done.returncode not in (0, 2):
            raise RuntimeError(f"notesctl {' '.join(words)}: {done.stderr}")
        return done.stdout if check else done

    def link(self, *words):
        """A link with which a browser signs in."""
        return self.notesctl("web", "link", *words).strip()

    def text(self, name):
        """A note's text; '' if there is none."""
        return self.notesctl("show", name, check=False).stdout

    def end(self):
        self.process.terminate()
        self.process.wait(timeout=PATIENCE_S)
        self.daemon.stop()

    # MARK: Plain requests

    def connect(self, timeout):
        """A connection to the page."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=timeout)

    def request(self, head, body=b"", timeout=20):
        """Sends lines and a body, and returns the status, the headers and the body of the response; a status
        of 0 if the server closes without one."""
        with self.connect(timeout) as connection:
            try:
                connection.sendall("\r\n".join([*head, "", ""]).encode() + body)
                return response(connection)
            except (ConnectionError, socket.timeout):
                return 0, {}, b""

    def get(self, path, *headers, method="GET", host=None):
        return self.request([f"{method} {path} HTTP/1.1", f"Host: {host or self.host}", "Connection: close", *headers])

    def post(self, path, body, *headers):
        data = json.dumps(body).encode()
        return self.request([f"POST {path} HTTP/1.1", f"Host: {self.host}", "Connection: close", f"Content-Length: {len(data)}",
                             *headers], data)

    def sign_in(self, link, device=None):
        """Signs in with a link, and returns the cookie."""
        key = link.partition("#key=")[2]
        body = {"key": key} | ({"device": device} if device else {})
        status, headers, _ = self.post("/login", body, f"Origin: {self.address}")
        return headers["set-cookie"].partition(";")[0] if status == 204 else None

    def attach(self, cookie, origin=None, host=None):
        """A WebSocket, or the status with which it was refused."""
        connection = self.connect(PATIENCE_S)
        head = ["GET /attach HTTP/1.1", f"Host: {host or self.host}", "Upgrade: websocket", "Connection: Upgrade",
                "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode()]
        if origin != "none":
            head.append(f"Origin: {self.address if origin is None else origin}")
        if cookie:
            head.append(f"Cookie: {cookie}")
        connection.sendall("\r\n".join([*head, "", ""]).encode())
        status, headers, _ = response(connection)
        if status == 101:
            return Socket(connection)
        connection.close()
        return status


def response(connection):
    """Reads one response."""
    data = b""
    while b"\r\n\r\n" not in data:
        part = connection.recv(65536)
        if not part:
            return 0, {}, b""
        data += part
    head, _, body = data.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
    while len(body) < int(headers.get("content-length", 0)):
        part = connection.recv(65536)
        if not part:
            break
        body += part
    return int(lines[0].split()[1]), headers, body


class Socket:
    """A WebSocket from the client's side."""

    def __init__(self, connection):
        self.connection = connection
        self.data = b""
        self.number = 0
        self.notices = []
        self.pongs = []

    def frame(self, opcode, content, end=True, masked=True):
        """Sends a frame."""
        length = len(content)
        mask = os.urandom(4) if masked else b""
        size = bytes([length]) if length < 126 else b"\x7e" + struct.pack(">H", length) if length < 65536 else b"\x7f" + struct.pack(">Q", length)
        head = bytes([opcode | (0x80 if end else 0), size[0] | (0x80 if masked else 0)]) + size[1:] + mask
        if masked:
            whole = int.from_bytes((mask * (length // 4 + 1))[:length], "big") ^ int.from_bytes(content, "big")
            content = whole.to_bytes(length, "big")
        self.connection.sendall(head + content)

    def send(self, message):
        self.frame(1, json.dumps(message).encode())

    def tell(self, method, **params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method, **params):
        """The response to a request."""
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params})
        while True:
            message = self.receive()
            if message is None:
                raise ConnectionError("closed")
            if message.get("id") == self.number and "method" not in message:
                return message
            self.notices.append(message)

    def hello(self):
        return self.ask("attach.hello", protocol=[1], client={"name": "test", "version": "1"}, positions="utf-16")

    def _read(self, count):
        while len(self.data) < count:
            part = self.connection.recv(1 << 16)
            if not part:
                return None
            self.data += part
        part, self.data = self.data[:count], self.data[count:]
        return part

    def receive(self):
        """The next message; None when the server closes, whose code is then in `code`."""
        while True:
            try:
                head = self._read(2)
                if head is None:
                    self.code = None
                    return None
                size = head[1] & 0x7F
                if size > 125:
                    size = int.from_bytes(self._read(2 if size == 126 else 8), "big")
                content = self._read(size) if size else b""
            except (ConnectionError, TypeError):
                self.code = None
                return None
            opcode = head[0] & 0x0F
            if opcode == 8:
                self.code = int.from_bytes(content[:2], "big")
                return None
            if opcode == 9:
                self.frame(10, content)
            elif opcode == 10:
                self.pongs.append(content)
            elif opcode == 1:
                return json.loads(content)

    def closed(self):
        """Reads until the server closes, and returns the code."""
        while self.receive() is not None:
            pass
        return self.code

    def close(self):
        self.connection.close()


def until(condition, what, seconds=PATIENCE_S):
    """Waits until a condition holds."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.02)
