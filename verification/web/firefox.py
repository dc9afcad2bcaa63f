"""Drives Debian's Firefox by WebDriver BiDi, with the interface of browser.Browser."""

import base64
import json
import os
import re
import shutil
import signal
import socket
import subprocess

from browser import KEYS, Browser, BrowserFailed
from server import Socket, response


def is_there():
    """Whether this machine has the browser."""
    return shutil.which("firefox-esr") is not None


class Driver:
    """Starts Firefoxes."""

    def __init__(self, folder):
        self.folder = folder
        self.browsers = []

    def browser(self, width=1200, height=800, profile=None):
        """A new browser with a profile of its own, or with that of one that has ended."""
        browser = Firefox(self, width, height, profile)
        self.browsers.append(browser)
        return browser

    def end(self):
        """Ends the browsers."""
        for browser in self.browsers:
            browser.end()


class Firefox(Browser):
    """A Firefox with one tab."""

    def __init__(self, driver, width, height, profile):  # pylint: disable=super-init-not-called
        self.profile = profile or os.path.join(driver.folder, f"profile{len(driver.browsers)}")
        os.makedirs(self.profile, exist_ok=True)
        with open(os.path.join(driver.folder, "firefox.log"), "ab") as log:
            self.process = subprocess.Popen(
                ["firefox-esr", "--headless", "--no-remote", "--profile", self.profile, "--remote-debugging-port", "0"],
                stdout=log, stderr=subprocess.PIPE, text=True, env=dict(os.environ, TMPDIR=driver.folder, HOME=driver.folder))
        port = None
        for line in self.process.stderr:
            found = re.search(r"ws://127\.0\.0\.1:(\d+)", line)
            if found:
                port = int(found.group(1))
                break
        if port is None:
            raise BrowserFailed("Firefox did not start")
        self.pid = self.process.pid
        self.session = True
        self.messages = []
        connection = socket.create_connection(("127.0.0.1", port), timeout=60)
        key = base64.b64encode(os.urandom(16)).decode()
        connection.sendall(f"GET /session HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                           f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode())
        if response(connection)[0] != 101:
            raise BrowserFailed("Firefox has no WebDriver BiDi")
        self.socket = Socket(connection)
        self.number = 0
        self._do("session.new", capabilities={})
        self._do("session.subscribe", events=["log.entryAdded"])
        self.tab = self._do("browsingContext.getTree")["contexts"][0]["context"]
        self._do("browsingContext.setViewport", context=self.tab, viewport={"width": width, "height": height})

    def _do(self, method, **params):
        self.number += 1
        self.socket.send({"id": self.number, "method": method, "params": params})
        while True:
            message = self.socket.receive()
            if message is None:
                raise BrowserFailed(f"{method}: Firefox has ended")
            if message.get("id") == self.number:
                if message["type"] == "error":
                    raise BrowserFailed(f"{method}: {message['message']}")
                return message["result"]
            if message.get("method") == "log.entryAdded":
                self.messages.append(message["params"])

    def go(self, address):
        self._do("browsingContext.navigate", context=self.tab, url=address, wait="complete")

    def run(self, script, *arguments):
        given = ", ".join(json.dumps(argument) for argument in arguments)
        wrapped = (f"async () => {{ const value = await (function () {{ {script} }})({given});"
                   "return JSON.stringify(value instanceof Node ? true : value) ?? null }")
        result = self._do("script.callFunction", functionDeclaration=wrapped, awaitPromise=True, target={"context": self.tab})
        if result["type"] == "exception":
            raise BrowserFailed(f"{script}: {result['exceptionDetails']['text']}")
        value = result["result"].get("value")
        return json.loads(value) if value is not None else None

    def click(self, selector):
        # On a busy machine, what is above or before an element may come after the element was measured.
        place = self.run("const [selector] = arguments; const box = () => { const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();"
                         "return [Math.round(x + width / 2), Math.round(y + height / 2)]; };"
                         "const frame = () => new Promise((done) => setTimeout(done, 30));"
                         "return (async () => { let old, now = box();"
                         "do { old = now; await frame(); now = box(); } while (String(old) !== String(now)); return now; })();", selector)
        pointer = {"type": "pointer", "id": "mouse", "actions": [
            {"type": "pointerMove", "x": place[0], "y": place[1]}, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}]}
        self._do("input.performActions", context=self.tab, actions=[pointer])

    def _keys(self, actions):
        self._do("input.performActions", context=self.tab, actions=[{"type": "key", "id": "keyboard", "actions": actions}])

    def type(self, text):
        actions = []
        for key in text:
            key = KEYS["enter"] if key == "\n" else key
            actions += [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self._keys(actions)

    def chord(self, *keys):
        keys = [KEYS.get(key, key) for key in keys]
        self._keys([{"type": "keyDown", "value": key} for key in keys] + [{"type": "keyUp", "value": key} for key in reversed(keys)])

    def protocol(self, name, **params):
        raise BrowserFailed(f"{name} is of Chromium alone")

    def faults(self):
        messages, self.messages = self.messages, []
        return [message["text"] for message in messages if message["level"] == "error"]

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self._do("browsingContext.captureScreenshot", context=self.tab)["data"]))

    def end(self):
        if self.session:
            self.session = None
            self.socket.close()
            self.process.send_signal(signal.SIGTERM)
            try:
                self.process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
