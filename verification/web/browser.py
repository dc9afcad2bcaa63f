"""Drives Debian's Chromium through chromedriver, by the WebDriver protocol."""

import base64
import json
import os
import shutil
import subprocess
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"

# Keys of WebDriver's actions.
KEYS = {"enter": "\ue007", "backspace": "\ue003", "escape": "\ue00c", "control": "\ue009", "shift": "\ue008", "home": "\ue011",
        "end": "\ue010", "left": "\ue012", "up": "\ue013", "right": "\ue014", "down": "\ue015", "delete": "\ue017", "tab": "\ue004"}


class BrowserFailed(Exception):
    """The driver refused a command."""


def is_there():
    """Whether this machine has the browser and its driver."""
    return shutil.which("chromium") is not None and shutil.which("chromedriver") is not None


class Driver:
    """A chromedriver, which starts browsers."""

    def __init__(self, folder):
        self.folder = folder
        with open(os.path.join(folder, "driver.log"), "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=log, text=True,
                                            env=dict(os.environ, TMPDIR=folder))
        self.port = None
        for line in self.process.stdout:
            if "successfully on port" in line:
                self.port = int(line.rstrip(".\n").split()[-1])
                break
        if self.port is None:
            raise BrowserFailed("chromedriver did not start")
        self.browsers = []

    def browser(self, width=1200, height=800, profile=None, dark=False, further=()):
        """A new browser with a profile of its own, or with that of one that has ended."""
        browser = Browser(self, width, height, profile, dark, further)
        self.browsers.append(browser)
        return browser

    def end(self):
        """Ends the browsers and the driver."""
        for browser in self.browsers:
            browser.end()
        self.process.terminate()
        self.process.wait()


class Browser:
    """A browser with one window."""

    def __init__(self, driver, width, height, profile, dark, further):
        self.driver = driver
        self.profile = profile or os.path.join(driver.folder, f"profile{len(driver.browsers)}")
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                     "--password-store=basic", "--lang=en-US", f"--window-size={width},{height}", f"--user-data-dir={self.profile}", *further]
        if dark:
            arguments.append("--blink-settings=preferredColorScheme=0")
        options = {"args": arguments}
        if width < 500:
            options["mobileEmulation"] = {"deviceMetrics": {"width": width, "height": height, "pixelRatio": 2}}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        value = self._send("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.session = value["sessionId"]
        self.pid = value["capabilities"].get("goog:processID")

    def _send(self, method, path, body=None):
        data = json.dumps(body or {}).encode() if method == "POST" else None
        request = urllib.request.Request(f"http://127.0.0.1:{self.driver.port}{path}", data, method=method,
                                         headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise BrowserFailed(f"{method} {path}: {value['error']}: {value['message'].splitlines()[0]}") from None

    def command(self, path, body=None, method="POST"):
        """A command of the session."""
        return self._send(method, f"/session/{self.session}{path}", body)

    def go(self, address):
        """Opens an address."""
        self.command("/url", {"url": address})

    def run(self, script, *arguments):
        """The value of a script's `return`; a promise is awaited."""
        return self.command("/execute/sync", {"script": script, "args": list(arguments)})

    def find(self, selector):
        """An element, when it is there."""
        return self.command("/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        """Clicks on an element."""
        self.command(f"/element/{self.find(selector)}/click")

    def type(self, text):
        """Types a text, key by key, where the focus is."""
        actions = []
        for key in text:
            actions += [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        self.command("/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def chord(self, *keys):
        """Presses keys together, each a name of KEYS or a character."""
        keys = [KEYS.get(key, key) for key in keys]
        actions = [{"type": "keyDown", "value": key} for key in keys] + [{"type": "keyUp", "value": key} for key in reversed(keys)]
        self.command("/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    def protocol(self, name, **params):
        """A command of Chromium's own protocol."""
        return self.command("/goog/cdp/execute", {"cmd": name, "params": params})

    def wait(self, script, *arguments, timeout=20):
        """Waits until the value of a script is true, and returns it."""
        end = time.monotonic() + timeout
        while True:
            try:
                value = self.run(script, *arguments)
            except BrowserFailed:                     # the page is being loaded
                if time.monotonic() > end:
                    raise
                value = None
            if value:
                return value
            if time.monotonic() > end:
                raise BrowserFailed(f"still not: {script} {arguments}; the page says {self.words()!r}")
            time.sleep(0.02)

    def words(self):
        """What the page shows, as text."""
        return self.run("return document.body.innerText")

    def faults(self):
        """Errors in the browser's console since the last time, such as violations of the page's policy."""
        entries = self.command("/se/log", {"type": "browser"})
        return [entry["message"] for entry in entries if entry["level"] == "SEVERE"]

    def screenshot(self, path):
        """Writes what the window shows as a PNG."""
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.command("/screenshot", method="GET")))

    def end(self):
        """Ends the browser, if it runs."""
        if self.session:
            try:
                self.command("", method="DELETE")
            except (BrowserFailed, OSError):
                pass
            self.session = None
