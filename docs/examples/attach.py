# attach.py NAME: appends each line of its input to the note NAME, and prints the note when it changes.
import json, os, select, subprocess, sys, time

class Editor:
    def __init__(self, name):
        self.subject, self.writer, self.text = {"name": name}, None, None
        self.shown = self.saved = ""                  # versions: of the newest edit, of the newest saved
        self.since = None                             # when text was typed that is not saved
        self.start()

    def start(self):
        self.host = subprocess.Popen(["notesctl", "attach", "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.rest, self.is_open, self.is_away = b"", False, False
        old = {"writer": self.writer} if self.writer else {}
        self.send("attach.hello", 1, protocol=[1], client={"name": "attach.py", "version": "1"},
                  label="attach.py", positions="utf-32", **old)
        self.open()

    def open(self):
        self.n, self.told, resume = 0, None, {}
        if self.writer:
            self.told = self.text
            age = int(time.time() - self.since) if self.since else 0
            resume = {"resume": {"versions": f"{self.shown} {self.saved}".strip(), "writer": self.writer,
                                 "text": self.text, "age": age}}
        self.send("buffer.open", 2, buffer=1, **self.subject, **resume)

    def send(self, method, request=None, **params):
        message = {"jsonrpc": "2.0", "method": method, "params": params} | ({"id": request} if request else {})
        try:
            self.host.stdin.write(json.dumps(message).encode() + b"\n")
            self.host.stdin.flush()
        except OSError:                               # the host ended; its output ends, too
            pass

    def change(self, start, end, new):
        self.text = self.text[:start] + new + self.text[end:]
        self.since = self.since or time.time()
        if self.is_open:
            self.n += 1
            self.send("buffer.change", buffer=1, n=self.n, edits=[[start, end, new]], length=len(self.text))

    def receive(self, message):
        params = message.get("params", {})
        if message.get("id") == 2:
            self.is_away = message.get("error", {}).get("code") == 7002
            if self.is_away:
                return                                # attach.daemon will say when it is there
            if "error" in message:
                sys.exit(message["error"]["message"])
            result = message["result"]
            self.subject, self.writer, self.is_open = {"id": result["id"]}, result["writer"], True
            self.shown = result["version"]
            if self.told is None:
                self.told = result["text"]
                self.text = self.told + (self.text or "")
                print(self.told, end="", flush=True)
            if self.text != self.told:                # typed since the request
                self.n += 1
                self.send("buffer.change", buffer=1, n=self.n, text=self.text, length=len(self.text))
        elif message.get("method") == "buffer.edit":
            answer = {"buffer": 1, "k": params["k"], "n": self.n}
            if params["n"] != self.n:                 # the user typed meanwhile
                return self.send("buffer.decline", **answer)
            for start, end, new in reversed(params["edits"]):
                self.text = self.text[:start] + new + self.text[end:]
            self.shown = params["version"]
            self.send("buffer.accept", **answer)
            print(self.text, end="", flush=True)
        elif message.get("method") == "buffer.saved":
            self.saved = params["version"]
            if params["n"] == self.n:
                self.since = None
        elif message.get("method") == "attach.daemon" and params["up"] and self.is_away:
            self.open()
        elif message.get("method") == "buffer.fault":
            self.host.kill()                          # and start it again, with resume

    def run(self):
        typed = b""
        while True:
            output = self.host.stdout.fileno()
            for file in select.select([0, output], [], [])[0]:
                piece = os.read(file, 65536)
                if file == 0:
                    if not piece:
                        return self.host.stdin.close(), self.host.wait()
                    *lines, typed = (typed + piece).split(b"\n")
                    for line in lines:
                        self.text = self.text or ""
                        self.change(len(self.text), len(self.text), line.decode() + "\n")
                elif piece:
                    *lines, self.rest = (self.rest + piece).split(b"\n")
                    for line in lines:
                        self.receive(json.loads(line))
                else:
                    time.sleep(0.1)
                    self.start()
                    break

Editor(sys.argv[1]).run()
