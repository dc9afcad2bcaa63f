"""Accepting connections fails for a long time: the daemon still serves connected clients, and
waiting clients connect when it is over."""

import json
import socket
import time

from account import ACKED
from case import PATIENCE_S, Trial
from daemon import Client
from scenario import Hang, Visitor, rests


class CrowdedTrial(Trial):
    def go(self):
        self.daemon.launch()
        if not self.comes_up():
            raise Hang("the daemon does not start")
        inside = Visitor(self.run, "inside")
        inside.connect()
        self.control.arm()
        waiting = socket.socket(socket.AF_UNIX)
        waiting.connect(self.daemon.socket)
        waiting.sendall(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "session.ping", "params": {}}).encode() + b"\n")
        until = time.monotonic() + PATIENCE_S
        while self.control.failed() < 2 and time.monotonic() < until:
            self.run.write(inside, "note.create", *self.next_note(), text="while others wait\n")
            time.sleep(0.02)
        self.outcome.failed_calls, self.outcome.place = self.control.failed(), self.control.place()
        self.outcome.check(self.control.failed() >= 2, "the daemon retries accepting")
        states = {write.state for write in self.account.writes}
        self.outcome.check(states == {ACKED}, "connected clients are served", states)
        self.outcome.check(rests(self.daemon, self.control), "a daemon with failing calls does not spin")
        self.control.arm(False)
        waiting.settimeout(PATIENCE_S)
        self.outcome.check(b'"result":{}' in waiting.recv(1000), "a waiting client connects when it is over")
        waiting.close()
        Client(self.daemon.socket).close()
        inside.drop()
        self.outcome.check(self.daemon.stop() == 0, "the daemon stops with exit code 0", self.daemon.said())
        self.outcome.check("accepting failed" in self.daemon.said(), "the log reports that connections wait", self.daemon.said())

    def next_note(self):
        number = len(self.account.writes)
        note = f"01890a5d-ac96-774b-bcce-{number:012x}"
        self.run.notes.add(note)
        return note, f"token {number}"
