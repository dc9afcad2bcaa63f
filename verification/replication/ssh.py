#!/usr/bin/env python3
"""Two daemons that `notesctl sync` keeps in step through a real ssh server on this machine, while
clients write on both sides, connections are cut or hang, and a store is put back.

    verification/replication/ssh.py [--if-possible] [--seed N] [--rounds N]

Each write adds a line that no other write has. At the end, each line that a daemon acknowledged is
in both stores once, unless its store was put back to a state before it and no other store had it.
"""

import argparse
import getpass
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))

from checks import Checks  # noqa: E402
from daemon import Client  # noqa: E402
from machine import Machine, until  # noqa: E402
from places import PATIENCE_S, program  # noqa: E402


class Server:
    """An ssh server on the loopback address that lets one key run the bridge and nothing else."""

    def __init__(self, folder, machine):
        self.folder = os.path.join(folder, "ssh")
        os.mkdir(self.folder, 0o700)
        for key in ("host", "user"):
            subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.file(key)], check=True)
        with open(self.file("user.pub")) as key, open(self.file("authorized_keys"), "w") as keys:
            # Another shell than a person's may print before the command runs.
            keys.write(f'restrict,command="echo Welcome; NOTESD_SOCKET={machine.daemon.socket} exec {program("notesctl")} bridge --only exchange" ' + key.read())
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        with open(self.file("sshd_config"), "w") as config:
            config.write(f"""Port {self.port}
ListenAddress 127.0.0.1
HostKey {self.file("host")}
AuthorizedKeysFile {self.file("authorized_keys")}
PidFile none
UsePAM no
StrictModes no
PasswordAuthentication no
PermitRootLogin yes
MaxStartups 100
""")
        with open(self.file("host.pub")) as key, open(self.file("known_hosts"), "w") as hosts:
            hosts.write(f"[127.0.0.1]:{self.port} " + key.read())
        with open(self.file("config"), "w") as config:
            config.write(f"Host *\n  IdentityFile {self.file('user')}\n  IdentitiesOnly yes\n  UserKnownHostsFile {self.file('known_hosts')}\n")
        # ssh takes the files of the user that the system knows, not those of $HOME.
        self.programs = self.file("bin")
        os.mkdir(self.programs)
        with open(os.path.join(self.programs, "ssh"), "w") as wrapper:
            wrapper.write(f'#!/bin/sh\nexec {shutil.which("ssh")} -F {self.file("config")} "$@"\n')
        os.chmod(os.path.join(self.programs, "ssh"), 0o700)
        self.process = None
        self.start()

    def file(self, name):
        return os.path.join(self.folder, name)

    @property
    def address(self):
        return f"ssh://{getpass.getuser()}@127.0.0.1:{self.port}"

    def start(self):
        if os.geteuid() == 0:
            os.makedirs("/run/sshd", exist_ok=True)
        with open(self.file("log"), "ab") as log:
            self.process = subprocess.Popen([sshd(), "-D", "-e", "-f", self.file("sshd_config")], stderr=log, start_new_session=True)
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.02)
        raise TimeoutError("the ssh server does not listen")

    def sessions(self):
        """The process ids of the running sessions."""
        found = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True)
        return [int(pid) for pid in found.stdout.split()]

    def cut(self):
        self.signal(self.sessions(), signal.SIGKILL)

    def signal(self, sessions, number):
        """Sends a signal to those of the sessions that have not ended by themselves meanwhile."""
        for pid in sessions:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass

    def stop(self):
        self.cut()
        self.process.kill()
        self.process.wait()


def sshd():
    return shutil.which("sshd") or shutil.which("/usr/sbin/sshd")


class Sync:
    """A running `notesctl sync`."""

    def __init__(self, machine, server):
        self.machine = machine
        self.server = server
        self.log = os.path.join(machine.folder, "sync.log")
        self.process = None
        self.start()

    def environment(self):
        return self.machine.environment(PATH=self.server.programs + ":" + os.environ["PATH"])

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen([program("notesctl"), "sync", "server"], stderr=log, stdout=log, env=self.environment())

    def stop(self):
        self.process.kill()
        self.process.wait()

    def said(self):
        with open(self.log, errors="replace") as log:
            return log.read()[-1500:]


def lines(machine):
    return sorted(line for name, text in machine.texts().values() if name == "list" for line in text.splitlines() if line)


def in_step(checks, here, there, sync, what):
    checks.check(until(lambda: here.texts() == there.texts()), f"the stores are equal after {what}", sync.said())


def disturb(kind, here, there, server, sync, random):
    """Something that may happen while two machines are connected."""
    if kind == "cut":
        server.cut()
    elif kind == "no server":
        server.stop()
        time.sleep(random.random())
        server.start()
    elif kind == "hang":
        # The network takes what is sent and delivers it later.
        stopped = server.sessions()
        server.signal(stopped, signal.SIGSTOP)
        time.sleep(random.random() * 2)
        server.signal(stopped, signal.SIGCONT)
    elif kind == "kill here":
        here.daemon.restart()
    elif kind == "kill there":
        there.daemon.restart()
    elif kind == "kill sync":
        sync.stop()
        sync.start()


KINDS = ["cut", "no server", "hang", "kill here", "kill there", "kill sync"]


def live(checks, here, there, sync, random):
    """A change on one side is told to a watch on the other."""
    watcher = Client(there.daemon.socket, "watcher")
    watcher.ask("notes.watch", include="text", snapshot=False)
    writer = Client(here.daemon.socket, "writer")
    version = writer.ask("note.create", name="live", text="", id="01890a5d-ac96-774b-bcce-b302099a8057")["note"]["version"]
    waits = []
    for number in range(100):
        start = time.monotonic()
        text = "".join(random.choice("abc é\n") for _ in range(number % 9)) + f"{number}\n"
        version = writer.ask("note.save", id="01890a5d-ac96-774b-bcce-b302099a8057", base=version, text=text)["version"]
        while True:
            notice = watcher.notice()
            if notice.get("method") == "note.changed" and notice["params"]["note"].get("text") == text:
                break
        waits.append(time.monotonic() - start)
    waits.sort()
    checks.check(len(waits) == 100, "each save is told on the other machine")
    checks.say(f"a save here is told there within {waits[50] * 1000:.1f} ms (p50), {waits[98] * 1000:.1f} ms (p99), over ssh on this machine")
    watcher.close()
    writer.close()


def put_back(checks, here, there, sync, server):
    """The other machine's store is put back to an older state, and gets back what it had sent."""
    there.daemon.stop()
    saved = os.path.join(there.folder, "saved")
    shutil.copytree(there.daemon.data, saved)
    there.daemon.start()
    there.append("list", "sent before the store was put back")
    in_step(checks, here, there, sync, "a write there")
    there.daemon.stop()
    shutil.rmtree(there.daemon.data)
    os.rename(saved, there.daemon.data)
    there.daemon.start()
    here.append("list", "written after that")
    in_step(checks, here, there, sync, "the store was put back")


def check_end(checks, here, there, sync, server):
    in_step(checks, here, there, sync, "all disturbances")
    wanted = sorted(here.acknowledged + there.acknowledged)
    for machine, place in ((here, "here"), (there, "there")):
        checks.equal(lines(machine), wanted, f"each acknowledged line is {place} once")
    shown = here.notesctl("peer", "list", "--format", "{missing} {state}").stdout
    checks.check(until(lambda: here.notesctl("peer", "list", "--format", "{missing} {state}").stdout == "0 up to date\n"),
                 "the peer is up to date", shown, sync.said())
    sync.stop()
    once = here.notesctl("sync", "--once", "server", PATH=sync.environment()["PATH"])
    checks.equal((once.returncode, once.stdout), (0, "received 0, sent 0 revisions\n"), "a last exchange carries nothing", once.stderr)
    for machine, place in ((here, "here"), (there, "there")):
        machine.daemon.stop()
        checks.equal(machine.daemon.verify(), "", f"the audit {place} finds nothing")
    server.stop()


def run(folder, seed, rounds):
    checks, chance = Checks("replication", seed), random.Random(seed)
    here, there = Machine(folder, "here"), Machine(folder, "there")
    server = Server(folder, there)
    here.notesctl("new", "list")
    there.notesctl("new", "other", text="there\n")
    path = server.programs + ":" + os.environ["PATH"]
    added = here.notesctl("peer", "add", "--yes", "--no-start", "server", server.address, PATH=path)
    checks.equal((added.returncode, added.stdout.splitlines()[:3]), (0, ["received  1 revisions", "sent      1 revisions", "up to date"]),
                 "peer add joins the stores", added.stderr)
    sync = Sync(here, server)
    try:
        live(checks, here, there, sync, chance)
        for number in range(rounds):
            for line in range(chance.randrange(1, 6)):
                machine, place = chance.choice([(here, "here"), (there, "there")])
                machine.append("list", f"{place} {number} {line}")
            disturb(chance.choice(KINDS), here, there, server, sync, chance)
        put_back(checks, here, there, sync, server)
        check_end(checks, here, there, sync, server)
    finally:
        sync.stop()
        server.stop()
    checks.finish()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--if-possible", action="store_true")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--rounds", type=int, default=20)
    arguments = parser.parse_args()
    if not sshd():
        print("replication: an ssh server is missing; install openssh-server", file=sys.stderr)
        print("replication: skipped")
        sys.exit(0 if arguments.if_possible else 1)
    folder = tempfile.mkdtemp(prefix="notesd-replication-")
    try:
        run(folder, arguments.seed, arguments.rounds)
    finally:
        subprocess.run(["pkill", "-KILL", "-f", folder], check=False)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
