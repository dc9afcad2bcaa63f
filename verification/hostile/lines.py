"""Sends requests made from docs/openrpc.json, valid and slightly wrong, to the real daemon, and
checks each response against the protocol.

    lines.py [--seed N] [--lines N] [--folder DIRECTORY] [--plant FAULT]

In each step, one to three hostile connections send some lines at once, in pieces, while a bystander
works. Afterwards a judge checks that the store has changed by the acknowledged writes and by
nothing else.
"""

import argparse
import collections
import os
import random as randomness
import shutil
import sys
import tempfile
import time

import plants
from bystander import Bystander, Judge, changed_by
from conversation import HELLO, Conversation, play
from daemon import PATIENCE_S, Daemon
from generator import Generator
from openrpc import Contract
from shrinking import again, shrunk
from world import World

SETTINGS = ["limits.note_bytes_max=65536", "limits.line_bytes_max=262144", "limits.hello_seconds_max=600", "limits.in_flight_max=64"]
ENCODINGS = ["utf-8", "utf-16", "utf-32"]
# The allowed growth of the daemon's memory after the warm-up: its cache (cache.bytes_max, 64 MiB)
# and as much again.
GROWTH_MAX_KB = 128 << 10
NOTES_MAX = 40


class Run:
    def __init__(self, seed, folder, plant):
        self.seed = seed
        self.random = randomness.Random(seed)
        self.contract = Contract()
        self.daemon = Daemon(folder, SETTINGS)
        self.texts = {}
        self.bystander = Bystander(self.daemon)
        self.judge = Judge(self.daemon, self.bystander, self.texts)
        self.limits = self.judge.client.hello["limits"]
        self.world = World(self.limits, self.texts, folder)
        self.plant = plants.PLANTS[plant] if plant else None
        self.generator = Generator(self.contract, self.random, self.world)
        self.passed = self.failed = self.lines = self.steps = 0
        self.kinds = collections.Counter()
        self.methods = collections.Counter()
        self.kept = []
        self.state = None

    # Steps.

    def step(self):
        self.steps += 1
        if self.state is None:
            self.state = self.judge.state()
        self.world.learn(self.state, self.judge.client.hello, self.kept)
        self.tidy()
        conversations = self.kept or [self.open() for _ in range(self.random.choice([1, 1, 1, 1, 2, 3]))]
        for conversation in conversations:
            conversation.acknowledged, conversation.sent = [], conversation.sent[-1000:]
            self.speak(conversation)
        play(conversations, 2 if self.plant else PATIENCE_S)
        faults = [(law, details, line, one) for one in conversations for law, details, line in one.faults]
        if self.plant and self.plant.state:
            self.plant.state(self)
        try:
            after = self.judge.state()
            faults += [(law, details, None, conversations[0]) for law, details in changed_by(self.state, after, conversations)]
        except OSError as fault:
            after = None
            faults.append(("the daemon keeps running", (repr(fault), self.daemon.process.poll()), None, conversations[0]))
        self.passed += sum(one.checks for one in conversations) + 6
        for one in conversations:
            self.methods.update(expected.method for expected, _ in one.acknowledged)
            one.checks, one.faults = 0, []
        if not self.bystander.is_alive() and not faults or self.bystander.faults:
            faults.append(("the bystander continues undisturbed", self.bystander.faults, None, conversations[0]))
        for law, details, line, one in faults:
            self.tell(law, details, line, one)
        self.state = after if self.state is not None else None
        keeps = len(conversations) == 1 and not conversations[0].ended and not faults and self.random.random() < 0.8
        self.kept = conversations if keeps else []
        if not self.kept:
            for one in conversations:
                one.close()

    def open(self):
        conversation = Conversation(self.daemon, self.contract, self.limits, self.texts, self.plant and self.plant.answers)
        if self.random.random() < 0.9:
            conversation.say_hello(self.random.choice(ENCODINGS))
        return conversation

    def speak(self, conversation):
        """Some lines, mostly few, sometimes more than may be in flight, and perhaps an end."""
        random = self.random
        self.generator.encoding = conversation.session.encoding
        count = random.choice([1, 2, 5, 12, 30, 30, 200 if random.random() < 0.3 else 8])
        lines = [self.generator.line() for _ in range(count)]
        if random.random() < 0.03:
            lines.insert(random.randrange(len(lines)), b"x" * (self.limits["maxLineBytes"] + random.choice([0, 1, 5000])))
        if random.random() < 0.03:
            lines.append(b" " * (65_536 - 60) + b'{"jsonrpc":"2.0","id":1,"method":"session.ping","params":{}}' + b" " * random.choice([0, 1]))
        self.lines += len(lines)
        fence = b'{"jsonrpc":"2.0","id":"fence","method":"session.ping"}'
        conversation.send([*lines, fence], chop=self.chop if sum(map(len, lines)) < 60_000 else None)
        if random.random() < 0.05:
            conversation.send_half(self.generator.dumped(self.generator.request("note.create"))[:-1])
            conversation.hang_up()
        elif random.random() < 0.03:
            conversation.hang_up()

    def chop(self, data):
        """Splits at arbitrary places."""
        if self.random.random() < 0.4:
            return [data]
        size = self.random.choice([1, 2, 7, 64, 1000])
        if len(data) // size > 3000:
            return [data]
        return [data[at:at + size] for at in range(0, len(data), size)]

    def tidy(self):
        """Keeps the number of notes small, so that each step can check all of them."""
        _, notes, _ = self.state
        living = [note for note in notes.values() if not note["deleted"]]
        if len(notes) > 8 * NOTES_MAX:
            self.world.ids = self.random.sample(self.world.ids, NOTES_MAX)
        if len(living) > NOTES_MAX:
            for note in living[NOTES_MAX // 2:]:
                self.judge.client.ask("note.delete", id=note["id"], base=note["version"])
            self.state = self.judge.state()

    # Failures.

    @property
    def caught(self):
        """Whether the planted lie was detected by its law."""
        return self.plant is not None and self.kinds[self.plant.law] > 0

    def tell(self, law, details, line, conversation):
        self.failed += 1
        self.kinds[law] += 1
        if self.kinds[law] > 3:
            return
        print(f"FAILED hostile clients, seed {self.seed}: {law}: {details!r:.1500}", flush=True)
        if not self.daemon.lives:
            self.revive()
        lines = conversation.sent[-40:] if line is None else [line]
        if not self.plant:
            guilty = next((one for one in reversed(lines) if self.breaks(one, law)), None)
            lines = [shrunk(guilty, lambda one: self.breaks(one, law))] if guilty is not None else lines
            self.state = None
        hello = HELLO % conversation.session.encoding.encode()
        print("  again: " + again([hello, *lines] if conversation.session.registered else lines, self.daemon.socket)[:6000], flush=True)

    def revive(self):
        self.daemon.start()
        self.bystander = Bystander(self.daemon, f"bystander {self.failed}")
        self.bystander.start()
        self.judge = Judge(self.daemon, self.bystander, self.texts)
        self.state, self.kept = None, []

    def breaks(self, line, law):
        """Whether the line alone breaks the law."""
        if not self.daemon.lives:
            self.revive()
        try:
            before = self.judge.state()
            one = Conversation(self.daemon, self.contract, self.limits, self.texts)
            one.say_hello()
            one.send([line, b'{"jsonrpc":"2.0","id":"fence","method":"session.ping"}'])
            play([one])
            found = one.faults + changed_by(before, self.judge.state(), [one])
            one.close()
        except OSError:
            return law == "the daemon keeps running" and not self.daemon.lives
        return any(fault[0] == law for fault in found)

    def finish(self, warm_kb):
        for fault in self.bystander.end():
            self.tell("the bystander continues undisturbed", fault, None, self.open())
        for line in self.daemon.complaints():
            self.tell("the log has no fault of the daemon", line, None, self.open())
        end_kb = self.daemon.kilobytes()
        self.passed += 4
        if end_kb - warm_kb > GROWTH_MAX_KB:
            self.tell("memory stays within its bound", (warm_kb, end_kb), None, self.open())
        status = self.judge.client.ask("daemon.audit")
        if not status["ok"]:
            self.tell("the store is intact", status, None, self.open())
        code, faults = self.daemon.stop()
        if code != 0 or faults:
            self.tell("the daemon stops on SIGTERM, and leaves an intact store", (code, faults), None, self.open_none())
        return end_kb

    def open_none(self):
        """Replaces a closed connection, for the report only."""
        one = Conversation.__new__(Conversation)
        one.sent, one.session = [], type("Nobody", (), {"encoding": "utf-8", "registered": False})
        return one


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--lines", type=int, default=20_000)
    parser.add_argument("--folder")
    parser.add_argument("--plant", choices=sorted(plants.PLANTS))
    options = parser.parse_args()
    folder = options.folder or tempfile.mkdtemp(prefix="notesd-hostile-")
    os.makedirs(folder, exist_ok=True)
    run = Run(options.seed, folder, options.plant)
    run.bystander.start()
    began, warm_kb = time.monotonic(), None
    try:
        while run.lines < options.lines and run.failed < 30 and not run.caught:
            run.step()
            if warm_kb is None and run.lines >= options.lines // 10:
                warm_kb = run.daemon.kilobytes()
        end_kb = 0 if run.caught else run.finish(warm_kb or run.daemon.kilobytes())
    finally:
        run.daemon.end()
    if run.plant:
        print(f"plant {options.plant}: {'caught' if run.caught else 'NOT CAUGHT'} in {run.lines} lines")
        sys.exit(0 if run.caught else 1)
    seconds = time.monotonic() - began
    print(f"  {run.lines} lines in {seconds:.0f} s, {run.bystander.writes} writes of the bystander; "
          f"resident {warm_kb} kB after the warm-up, {end_kb} kB at the end")
    print("  results: " + ", ".join(f"{name} {count}" for name, count in sorted(run.methods.items())))
    if run.failed:
        print(f"  the store and the log are in {folder}")
    elif not options.folder:
        shutil.rmtree(folder)
    print(f"lines: {run.passed} checks passed, {run.failed} failed (seed {options.seed})", flush=True)
    sys.exit(1 if run.failed else 0)


if __name__ == "__main__":
    main()
