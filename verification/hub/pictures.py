#!/usr/bin/env python3
"""The bytes of files in a space of a database: two machines with pictures, uploads that are cut, shared or wrong,
limits, and a database of the first version of the schema, which is upgraded.

    verification/hub/pictures.py [--seed N]
"""

import argparse
import base64
import hashlib
import os
import random
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "replication")]

from checks import Checks  # noqa: E402
from gateway import Gateway, Refused, revision  # noqa: E402
from machine import Machine  # noqa: E402
from places import ROOT, open_folder, program  # noqa: E402
from postgres import Postgres  # noqa: E402
from syncs import searched  # noqa: E402

PART = 768 << 10


def first_schema():
    """What `notesd-postgres init` ran before the schema had files."""
    with open(os.path.join(ROOT, "Sources/notesd-postgres/Schema.swift"), encoding="utf-8") as file:
        return re.search(r'firstSQL = #"""\n(.*?)"""#', file.read(), re.S)[1]


def administer(database, *words):
    return subprocess.run([program("notesd-postgres"), *words[:-1], database.url("admin", "pictures"), *words[-1]], check=True,
                          capture_output=True, text=True).stdout


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


def refused(checks, code, law, ask, *words):
    try:
        checks.check(False, law, ask(*words))
    except Refused as error:
        checks.equal(error.code, code, law, str(error))


def two_machines(checks, folder, database, chance):
    """A picture travels through the first schema as a name, and after an upgrade with its bytes."""
    database.sql("CREATE DATABASE pictures", "postgres")
    database.sql("BEGIN;" + first_schema() + "COMMIT;", "pictures")
    database.sql("CREATE ROLE eve LOGIN; CREATE ROLE reader LOGIN", "postgres")
    administer(database, "space", "add", ["team"])
    administer(database, "member", "add", ["team", "eve"])
    machines = [Machine(folder, name) for name in ("camera", "screen")]
    picture = chance.randbytes(2 * PART + 4_321)
    place = os.path.join(folder, "garden.png")
    with open(place, "wb") as file:
        file.write(picture)

    def sync():
        said = [machine.notesctl("sync", "--once", "team", **searched()) for machine in machines]
        checks.equal([one.returncode for one in said], [0, 0], "both machines exchange", *[one.stderr for one in said])
        return [one.stdout + one.stderr for one in said]

    def shown(machine, name="garden-2.png"):
        target = os.path.join(folder, name)
        got = machine.notesctl("file", "get", "pics/garden.png", "--force", "-o", target)
        if got.returncode != 0:
            return got.stderr
        with open(target, "rb") as file:
            return file.read()

    try:
        for machine in machines:
            added = machine.notesctl("peer", "add", "--yes", "--no-start", "team", database.url("eve", "pictures", space="team"), **searched())
            checks.equal(added.returncode, 0, "a machine joins a space without files", added.stderr)
        added = machines[0].notesctl("file", "add", "--to", "pics", place)
        checks.equal(added.returncode, 0, "a picture is added", added.stderr)
        said = sync()
        listed = machines[1].notesctl("list", "--kind", "file").stdout
        checks.check("pics/garden.png" in listed and shown(machines[1]) != picture, "a space without files carries names only", listed)
        checks.check("1 file" in said[1], "the receiver's state counts the file", said[1])
        checks.check("file" in said[0], "the sender's state names the file", said[0])
        gateway = Gateway(database.url("eve", "pictures", space="team"))
        checks.equal(gateway.hello["capabilities"], ["replication"], "a space without files does not claim them")
        upgraded = administer(database, "upgrade", [])
        checks.check("version 2" in upgraded and "1 files" in upgraded, "the upgrade finds the earlier picture", upgraded)
        try:
            gateway.ask("revisions.adopt", revisions=[File(b"x").note(1)])
            checks.check(False, "a gateway that began before the upgrade ends")
        except OSError as error:
            checks.check(gateway.process.wait(60) == 75, "a gateway that began before the upgrade ends", str(error))
        sync()
        checks.check(shown(machines[1]) == picture, "a picture travels through the space with its bytes")
        again = administer(database, "upgrade", [])
        checks.check("already" in again, "a second upgrade changes nothing", again)
    finally:
        for machine in machines:
            machine.daemon.stop()
    for machine in machines:
        checks.equal(machine.daemon.verify(), "", "the audit finds nothing")


def uploads(checks, database, chance):
    """Uploads that are cut, shared, wrong, too large or not wanted."""
    url = database.url("eve", "pictures", space="team")
    one, two = Gateway(url), Gateway(url)
    files = [File(chance.randbytes(size)) for size in (1, PART - 1, PART, PART + 1, 3 * PART + 7)]
    large = files[-1]
    checks.equal(large.begin(one).get("wanted"), False, "bytes that no revision names are not taken")
    one.ask("revisions.adopt", revisions=[file.note(number + 1) for number, file in enumerate(files)])
    missing = [file["sha256"] for file in one.ask("files.list", state="missing")["files"]]
    checks.equal(missing, sorted(file.hash for file in files), "a space is missing what revisions name")
    checks.equal(one.ask("files.have", sha256s=[file.hash for file in files])["lacks"], list(range(5)), "it has none of them")
    for file in files[:-1]:
        checks.equal(file.send(one), {"there": True, "offset": len(file.data)}, f"{len(file.data)} bytes are sent")
        checks.check(file.read(two) == file.data, f"{len(file.data)} bytes are read")

    checks.equal(large.put(one, 0, large.data[:1000])["offset"], 1000, "a part is taken")
    one.process.kill()
    one.process.wait(60)
    one = Gateway(url)
    checks.equal(large.begin(one), {"there": False, "offset": 1000}, "an upload that was cut goes on")
    checks.equal(large.put(two, 5, b"other")["offset"], 1000, "a part at another place changes nothing")
    refused(checks, -32602, "bytes after the end are refused", large.put, one, len(large.data) - 1, b"ab")
    # Two members take turns, and each asks where the upload is.
    offset, turns = 1000, [one, two]
    while offset < len(large.data) - 1:
        offset = large.put(turns[0], offset, large.data[offset:min(offset + 300_000, len(large.data) - 1)])["offset"]
        turns.reverse()
    refused(checks, 2010, "bytes that do not have their hash are not taken", large.put, one, offset, bytes([large.data[-1] ^ 1]))
    checks.equal(large.begin(two), {"there": False, "offset": 0}, "the upload of other bytes is gone")
    refused(checks, 2009, "bytes that are not there are not read", large.read, two)
    checks.equal(large.send(two)["there"], True, "the right bytes are taken afterwards")
    checks.check(large.read(one) == large.data, "and read")
    checks.equal(large.begin(one), {"there": True, "offset": len(large.data)}, "a second machine need not send them")

    database.sql(f"UPDATE notes.file_part SET data = set_byte(data, 0, 255 - get_byte(data, 0)) WHERE place > {PART}", "pictures")
    checks.equal(one.ask("file.check", sha256=files[0].hash)["there"], True, "intact bytes stay")
    checks.equal(one.ask("file.check", sha256=large.hash)["there"], False, "damaged bytes are noticed")
    checks.equal([file["sha256"] for file in one.ask("files.list", state="missing")["files"]], [large.hash], "and missing then")

    database.sql("UPDATE notes.space SET file_bytes_max = 1000000", "pictures")
    refused(checks, 4004, "a file above the limit is refused", large.begin, one)
    database.sql("UPDATE notes.space SET file_bytes_max = DEFAULT, total_bytes_max = 5000000", "pictures")
    refused(checks, 3001, "a file above the limit of the space is refused", large.begin, one)
    checks.equal(one.ask("revisions.adopt", revisions=[revision(901, 1, "text\n")])["committed"], 1, "texts are taken all the same")
    database.sql("UPDATE notes.space SET total_bytes_max = DEFAULT", "pictures")
    checks.equal(large.send(one)["there"], True, "a file is taken when there is room again")
    for gateway in (one, two):
        checks.equal(gateway.end()[0], 0, "a gateway leaves in order")
    rights(checks, database, large)


def rights(checks, database, file):
    administer(database, "member", "add", ["team", "reader", "--read-only"])
    reader = Gateway(database.url("reader", "pictures", space="team"))
    checks.check(file.read(reader) == file.data, "a member who may only read gets bytes")
    refused(checks, 6001, "and sends none", file.begin, reader)
    reader.end()
    for statement in ("SELECT FROM notes.file_part", "SELECT notes.file_hash(1)", "SELECT notes.file_name(1, '{}', '{}')"):
        try:
            database.sql(statement, "pictures", "eve")
            checks.check(False, f"a member may not: {statement}")
        except RuntimeError as error:
            checks.check("permission denied" in str(error), f"a member may not: {statement}", str(error))


def run(checks, folder, database, chance):
    two_machines(checks, folder, database, chance)
    uploads(checks, database, chance)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    seed = parser.parse_args().seed
    checks, folder = Checks("pictures", seed), open_folder("notesd-pictures-")
    database = Postgres(folder)
    try:
        run(checks, folder, database, random.Random(seed))
    finally:
        database.stop()
        shutil.rmtree(folder, ignore_errors=True)
    checks.finish()


if __name__ == "__main__":
    main()
