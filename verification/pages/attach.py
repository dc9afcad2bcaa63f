#!/usr/bin/env python3
"""Runs the clients docs/examples/attach.py and attach.js against a real daemon.

Two of them append numbered lines to one note, while their hosts and the daemon are killed. Each line
must be in the note once.

    verification/pages/attach.py [SEED]
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))

from checks import Checks  # noqa: E402
from daemon import Client, Daemon  # noqa: E402
from places import PATIENCE_S, ROOT  # noqa: E402

LINES = 60


def programs():
    """The clients that this machine can run, as commands."""
    commands = []
    for name, runner in (("attach.py", sys.executable), ("attach.js", shutil.which("node"))):
        if runner:
            commands.append([runner, os.path.join(ROOT, "docs", "examples", name)])
        else:
            print(f"skipped: no program for {name} on this machine")
    return commands


def kill_hosts(process):
    """Kills the hosts of a client. One may have ended by itself."""
    found = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True, check=False)
    for number in found.stdout.split():
        try:
            os.kill(int(number), signal.SIGKILL)
        except ProcessLookupError:
            pass


def types(checks, folder, commands, kills, chance):
    """Clients append lines; the note has each once."""
    os.mkdir(folder)
    daemon = Daemon(folder)
    clients = []
    try:
        note = Client(daemon.socket).ask("note.create", name="list", text="start\n")["note"]["id"]
        bin_dir = os.path.dirname(os.path.realpath(daemon.notesd))
        environment = dict(os.environ, NOTESD_SOCKET=daemon.socket, PATH=f"{bin_dir}:{os.environ['PATH']}",
                           XDG_STATE_HOME=os.path.join(folder, "state"))
        for number, command in enumerate(commands):
            with open(os.path.join(folder, f"output{number}"), "w", encoding="utf-8") as output:
                clients.append(subprocess.Popen([*command, "list"], stdin=subprocess.PIPE, stdout=output,
                                                env=environment))
        words = []
        for number in range(LINES):
            client = chance.choice(clients)
            words.append(f"line {number}")
            client.stdin.write(f"line {number}\n".encode())
            client.stdin.flush()
            if kills and chance.random() < 0.08:
                kill_hosts(client)
            if kills and number in (LINES // 3, 2 * LINES // 3):
                daemon.restart()
            time.sleep(chance.random() * 0.04)

        def lines():
            return Client(daemon.socket).ask("note.get", id=note)["note"]["text"].splitlines()

        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until and not set(words) <= set(lines()):
            time.sleep(0.1)
        for client in clients:
            client.stdin.close()
        checks.equal([client.wait(PATIENCE_S) for client in clients], [0] * len(clients), "the clients end", kills)
        checks.equal(sorted(lines()), sorted(["start", *words]), "each line is there once", kills)
        for number in range(len(clients)):
            with open(os.path.join(folder, f"output{number}"), encoding="utf-8") as output:
                checks.check(output.read().startswith("start\n"), "a client prints the note", kills)
    finally:
        for client in clients:
            if client.poll() is None:
                kill_hosts(client)
                client.kill()
                client.wait()
        daemon.stop()
    checks.equal(daemon.verify(), "", "the store is whole", kills)


def dies(checks, folder):
    """An editor that is killed while the host writes to it leaves what it typed to the daemon."""
    os.mkdir(folder)
    daemon = Daemon(folder)
    host = None
    try:
        other = Client(daemon.socket)
        note = other.ask("note.create", name="list", text="start\n")["note"]
        program = os.path.join(os.path.dirname(os.path.realpath(daemon.notesd)), "notesctl")
        host = subprocess.Popen([program, "attach", "--stdio", "--socket", daemon.socket], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, env=dict(os.environ, XDG_STATE_HOME=folder))

        def send(method, number=None, **params):
            message = {"jsonrpc": "2.0", "method": method, "params": params} | ({"id": number} if number else {})
            host.stdin.write(json.dumps(message).encode() + b"\n")
            host.stdin.flush()

        send("attach.hello", 1, protocol=[1], client={"name": "test", "version": "1"}, positions="utf-8")
        send("buffer.open", 2, buffer=1, id=note["id"])
        while json.loads(host.stdout.readline()).get("id") != 2:
            pass
        host.stdout.close()
        # The host has to answer, and finds no reader.
        for number in range(3, 6):
            send("attach.ping", number)
        send("buffer.change", buffer=1, n=1, edits=[[0, 0, "typed\n"]], length=12)
        host.stdin.close()
        checks.equal(host.wait(PATIENCE_S), 0, "the host ends by itself")
        checks.equal(other.ask("note.get", id=note["id"])["note"]["text"], "typed\nstart\n", "what was typed is saved")
    except BrokenPipeError as error:
        checks.check(False, "the host reads to the end", error)
    finally:
        if host and host.poll() is None:
            host.kill()
            host.wait()
        daemon.stop()


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else random.randrange(1 << 30)
    checks = Checks("docs/attach.md", seed)
    folder = tempfile.mkdtemp()
    try:
        commands = programs()
        commands = (commands * 2)[:max(2, len(commands))]
        dies(checks, os.path.join(folder, "dies"))
        types(checks, os.path.join(folder, "quiet"), commands, False, random.Random(seed))
        types(checks, os.path.join(folder, "kills"), commands, True, random.Random(seed))
    finally:
        shutil.rmtree(folder)
    checks.finish()


if __name__ == "__main__":
    main()
