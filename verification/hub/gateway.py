"""A client of `notesd-postgres serve`, and the revisions that it offers."""

import base64
import json
import os
import subprocess

from places import program


def number(value):
    """LEB128."""
    out = bytearray()
    while value >= 128:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def revision(replica, counter, text):
    """A first revision of a note of its own, in the form of a connection."""
    note = (0x01890A5DAC96 << 80 | 0x7 << 76 | 0x2 << 62 | replica << 20 | counter).to_bytes(16, "big")
    head = b"\x02" + note + replica.to_bytes(8, "big") + number(counter) + number(0) + b"\0"
    head += number(1) + number(0) + number(0) + number(len(text)) + number(0)
    head += number(3) + b"ada" + number(0) + number(0)
    return {"head": base64.b64encode(head).decode(), "text": text}


class Gateway:
    """A running gateway that is registered."""

    def __init__(self, url, **environment):
        self.process = subprocess.Popen([program("notesd-postgres"), "serve", url], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, env=os.environ | environment)
        self.last = 0
        self.pages = []
        self.hello = self.ask("session.hello", protocol=[1], client={"name": "test"})

    def line(self):
        line = self.process.stdout.readline()
        if not line:
            raise OSError(f"the gateway ended: {self.process.stderr.read().decode()}")
        return json.loads(line)

    def send(self, method, **params):
        self.last += 1
        request = {"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method, **params):
        """The result; raises RuntimeError with the error."""
        self.send(method, **params)
        while True:
            answer = self.line()
            if answer.get("method") == "revisions.page":
                self.pages.append(answer["params"])
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise RuntimeError(answer["error"]["message"])
                return answer["result"]

    def page(self):
        """The next page, which is acknowledged."""
        while not self.pages:
            answer = self.line()
            if answer.get("method") == "revisions.page":
                self.pages.append(answer["params"])
        page = self.pages.pop(0)
        self.ask("revisions.proceed", watch=page["watch"], seq=page["seq"])
        return page

    def end(self):
        """Leaves. The exit status and what it reported."""
        self.process.stdin.close()
        status = self.process.wait(60)
        return status, self.process.stderr.read().decode()


def refusal(url, **environment):
    """The reason with which a gateway refuses the hello, and its exit status."""
    gateway = None
    try:
        gateway = Gateway(url, **environment)
    except RuntimeError as error:
        return str(error)
    finally:
        if gateway:
            gateway.end()
    return ""
