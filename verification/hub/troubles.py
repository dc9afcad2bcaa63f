"""A full disk of the database, and a server with a certificate that a machine does not trust."""

import errno
import os
import shutil
import socket
import subprocess

from machine import Machine, until
from places import PATIENCE_S, program
from syncs import Sync, equal, searched

DISK_BYTES = 8 << 20


class Pair:
    """Two machines that are in step through a space of their own database on a server."""

    def __init__(self, checks, folder, server, name, **parameters):
        self.server, self.name = server, name
        server.sql(f"CREATE DATABASE {name}", "postgres")
        url = server.url("admin", name)
        for words in (["init", url], ["space", "add", url, "team"], ["member", "add", url, "team", "admin"]):
            subprocess.run([program("notesd-postgres"), *words], check=True, stdout=subprocess.DEVNULL)
        self.machines = {place: Machine(folder, f"{name}-{place}") for place in ("one", "two")}
        self.syncs = []
        self.machines["one"].notesctl("new", "first")
        for machine in self.machines.values():
            added = machine.notesctl("peer", "add", "--yes", "--no-start", "team", server.url("admin", name, space="team", **parameters),
                                     **searched())
            checks.equal(added.returncode, 0, "a machine joins", added.stderr)
            self.syncs.append(Sync(machine))
        equal(checks, self.machines, self.syncs, "the start")

    def state(self, machine):
        return self.machines[machine].notesctl("peer", "list", "--format", "{state}").stdout.strip()

    def write(self, machine, count, size):
        for number in range(count):
            self.machines[machine].append("first", f"{number} " + os.urandom(size // 2).hex())

    def lines(self, machine):
        return {line for _, text in self.machines[machine].texts().values() for line in text.splitlines()}

    def stop(self):
        for sync in self.syncs:
            sync.stop()
        for machine in self.machines.values():
            machine.daemon.stop()

    def goes_on(self, checks, what):
        """Both machines have all that either of them acknowledged."""
        equal(checks, self.machines, self.syncs, what)
        wanted = {line for machine in self.machines.values() for line in machine.acknowledged}
        checks.equal(wanted - self.lines("two"), set(), f"no acknowledged line is missing after {what}")
        checks.check(until(lambda: self.state("one") == "up to date"), f"a machine goes on by itself after {what}", self.state("one"))


def disk_is_full(checks, folder, server):
    """The disk of the database fills up while a machine writes, and has room again later."""
    disk = os.path.join(folder, "small")
    os.mkdir(disk)
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES},mode=0777", "tmpfs", disk]
    if os.geteuid() != 0 or subprocess.run(command, capture_output=True, check=False).returncode != 0:
        checks.say("a full disk was left out: only root can mount a small file system")
        return
    try:
        with_full_disk(checks, folder, server, disk)
    finally:
        subprocess.run(["umount", "-l", disk], check=True)


def fill(path):
    """Writes to a file until the disk has no room."""
    file = os.open(path, os.O_WRONLY | os.O_CREAT)
    try:
        while True:
            os.write(file, bytes(4096))
    except OSError as error:
        if error.errno != errno.ENOSPC:
            raise
    finally:
        os.close(file)


def with_full_disk(checks, folder, server, disk):
    place = os.path.join(disk, "tables")
    os.mkdir(place)
    shutil.chown(place, server.user)
    server.sql(f"CREATE TABLESPACE small LOCATION '{place}'", "postgres")
    pair = Pair(checks, folder, server, "small_disk")
    try:
        server.sql("ALTER TABLE notes.revision SET TABLESPACE small", "small_disk")
        filler = os.path.join(disk, "filler")
        fill(filler)
        pair.write("one", 20, 4000)
        checks.check(until(lambda: "disk is full" in pair.state("one")), "the state names the full disk", pair.state("one"), pair.syncs[0].said())
        checks.check(len(pair.machines["one"].acknowledged) == 20, "a full disk of the database stops no save")
        os.remove(filler)
        pair.goes_on(checks, "a full disk")
    finally:
        pair.stop()
        server.sql("DROP DATABASE small_disk WITH (FORCE)", "postgres")
        server.sql("DROP TABLESPACE small", "postgres")


def authority(folder, name):
    """A certificate that signs itself, for the address 127.0.0.1, and its key."""
    certificate, key = os.path.join(folder, f"{name}.crt"), os.path.join(folder, f"{name}.key")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}",
                    "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate], check=True, capture_output=True)
    return certificate, key


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def certificate_is_wrong(checks, folder, server):
    """A machine does not trust the certificate of the server, and does later."""
    if not shutil.which("openssl"):
        checks.say("certificates were left out: openssl is missing")
        return
    right, key = authority(folder, "right")
    wrong, _ = authority(folder, "wrong")
    port = free_port()
    for source, name in ((right, "server.crt"), (key, "server.key")):
        target = os.path.join(server.data, name)
        shutil.copy(source, target)
        os.chmod(target, 0o600)
        shutil.chown(target, server.user)
    server.write("pg_hba.conf", "local all all trust\nlocal replication all trust\nhostssl all all 127.0.0.1/32 trust\n")
    server.stop()
    server.start("ssl=on", "listen_addresses=127.0.0.1", port=port)
    trusted = os.path.join(folder, "trusted.crt")
    shutil.copy(right, trusted)
    pair = Pair(checks, folder, server, "certificates", host="127.0.0.1", sslmode="verify-full", sslrootcert=trusted)
    try:
        shutil.copy(wrong, trusted)
        server.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'notesd-postgres'", "postgres")
        pair.write("one", 3, 100)
        named = lambda: all(word in pair.state("one") for word in ("certificate verify failed", "sslrootcert"))  # noqa: E731
        checks.check(until(named), "the state names the certificate", pair.state("one"), pair.syncs[0].said())
        checks.check(pair.state("one").startswith("waiting"), "the service waits", pair.state("one"))
        shutil.copy(right, trusted)
        pair.goes_on(checks, "a wrong certificate")
    finally:
        pair.stop()
        server.sql("DROP DATABASE certificates WITH (FORCE)", "postgres")
        server.stop()
        server.start()
