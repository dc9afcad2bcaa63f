"""Clients of `notesd-postgres serve` and of other peers, and the revisions that they offer."""

import base64
import hashlib
import json
import os
import select
import subprocess

from places import PATIENCE_S, program

# The most bytes of a file that a request carries.
PART = 768 << 10


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


class File:
    """Some bytes, and their requests."""

    def __init__(self, data):
        self.data, self.hash = data, hashlib.sha256(data).hexdigest()
        self.named = {"sha256": self.hash, "bytes": len(data)}

    def note(self, counter):
        """A revision that names them."""
        return revision(900, counter, f"notesd-file sha256:{self.hash} {len(self.data)}")

    def begin(self, gateway):
        return gateway.ask("file.begin", **self.named, **{"for": "peer"})

    def put(self, gateway, offset, data):
        return gateway.ask("file.put", **self.named, offset=offset, data=base64.b64encode(data).decode(), **{"for": "peer"})

    def send(self, gateway, offset=0, part=PART):
        """Sends the rest. The last result."""
        result = None
        while offset < len(self.data):
            result = self.put(gateway, offset, self.data[offset:offset + part])
            offset = result["offset"]
        return result

    def read(self, gateway):
        data = b""
        while len(data) < len(self.data):
            part = gateway.ask("file.get", sha256=self.hash, offset=len(data))
            data += base64.b64decode(part["data"])
            if not part["data"]:
                break
        return data


class Refused(RuntimeError):
    """A peer answered with an error."""

    def __init__(self, error):
        super().__init__(error["message"])
        self.code, self.path = error["code"], error.get("data", {}).get("path")


class Connection:
    """A program that speaks the exchange part of the protocol on its standard input and output."""

    def __init__(self, command, **environment):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env=os.environ | environment)
        self.last, self.rest = 0, b""
        self.pages = []
        self.hello = self.ask("session.hello", protocol=[1], client={"name": "test"})

    def line(self):
        """The next line; raises OSError if there is none in time."""
        name = os.path.basename(self.process.args[0])
        while b"\n" not in self.rest:
            if not select.select([self.process.stdout], [], [], PATIENCE_S)[0]:
                raise OSError(f"{name} does not answer")
            read = os.read(self.process.stdout.fileno(), 1 << 18)
            if not read:
                raise OSError(f"{name} ended: {self.process.stderr.read().decode()}")
            self.rest += read
        line, _, self.rest = self.rest.partition(b"\n")
        return json.loads(line)

    def send(self, method, **params):
        self.last += 1
        request = {"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()

    def receive(self):
        """The next line. A page is kept in `pages`, too."""
        answer = self.line()
        if answer.get("method") == "revisions.page":
            self.pages.append(answer["params"])
        return answer

    def ask(self, method, **params):
        """The result; raises Refused with the error."""
        self.send(method, **params)
        while True:
            answer = self.receive()
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise Refused(answer["error"])
                return answer["result"]

    def page(self):
        """The next page, which is acknowledged."""
        while not self.pages:
            self.receive()
        page = self.pages.pop(0)
        self.ask("revisions.proceed", watch=page["watch"], seq=page["seq"])
        return page

    def end(self):
        """Leaves. The exit status and what it reported."""
        self.process.stdin.close()
        status = self.process.wait(60)
        return status, self.process.stderr.read().decode()


class Gateway(Connection):
    """A running gateway that is registered."""

    def __init__(self, url, **environment):
        super().__init__([program("notesd-postgres"), "serve", url], **environment)


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
