#!/usr/bin/env python3
"""The bytes of files in a space of a database: two machines with pictures, uploads that are cut, shared or wrong,
limits, and a database of the first version of the schema, which is upgraded.

    verification/hub/pictures.py [--seed N]
"""

import argparse
import os
import random
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "replication")]

from checks import Checks  # noqa: E402
from gateway import PART, File, Gateway, Refused, revision  # noqa: E402
from machine import Machine, until  # noqa: E402
from places import ROOT, open_folder, program  # noqa: E402
from postgres import Held, Postgres  # noqa: E402
from syncs import Sync, searched  # noqa: E402

def first_schema():
    """What `notesd-postgres init` ran before the schema had files."""
    with open(os.path.join(ROOT, "Sources/notesd-postgres/Schema.swift"), encoding="utf-8") as file:
        return re.search(r'firstSQL = #"""\n(.*?)"""#', file.read(), re.S)[1]


def administer(database, *words):
    return subprocess.run([program("notesd-postgres"), *words[:-1], database.url("admin", "pictures"), *words[-1]], check=True,
                          capture_output=True, text=True).stdout


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
    database.sql("CREATE ROLE saver LOGIN; GRANT USAGE ON SCHEMA notes TO saver; GRANT SELECT ON ALL TABLES IN SCHEMA notes TO saver; "
                 "GRANT SELECT ON ALL SEQUENCES IN SCHEMA notes TO saver", "pictures")
    administer(database, "space", "add", ["team"])
    administer(database, "member", "add", ["team", "eve"])
    machines = [Machine(folder, name) for name in ("camera", "screen")]
    picture = chance.randbytes(2 * PART + 4_321)
    place, syncs = os.path.join(folder, "garden.png"), []
    with open(place, "wb") as file:
        file.write(picture)

    def shown(machine, name):
        target = os.path.join(folder, name)
        got = machine.notesctl("file", "get", "pics/garden.png", "-o", target)
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
        syncs += [Sync(machine) for machine in machines]
        states = lambda: [machine.notesctl("peer", "list", "--format", "{missing} {state}").stdout.strip() for machine in machines]  # noqa: E731
        counted = [f"0 up to date{here}; the bytes of 1 file missing there" for here in ("", "; the bytes of 1 file missing here")]
        checks.check(until(lambda: states() == counted), "both states count the file that is not in the space", states())
        listed = machines[1].notesctl("list", "--kind", "file").stdout
        checks.check("pics/garden.png" in listed and shown(machines[1], "none.png") != picture, "a space without files carries names only", listed)
        gateway = Gateway(database.url("eve", "pictures", space="team"))
        checks.equal(gateway.hello["capabilities"], ["replication"], "a space without files does not claim them")
        upgraded = administer(database, "upgrade", [])
        checks.check("version 2" in upgraded and "name: 1." in upgraded, "the upgrade finds the earlier picture", upgraded)
        try:
            gateway.ask("revisions.adopt", revisions=[File(b"x").note(1)])
            checks.check(False, "a gateway that began before the upgrade ends")
        except OSError as error:
            checks.check(gateway.process.wait(60) == 75, "a gateway that began before the upgrade ends", str(error))
        # A write ends the gateways at once; without one, they notice the upgrade within five seconds.
        machines[0].notesctl("new", "list")
        checks.check(until(lambda: states() == ["0 up to date"] * 2), "the running services send and get the file", states(),
                     *[one.said() for one in syncs])
        checks.equal(shown(machines[1], "garden-2.png") == picture, True, "a picture travels through the space with its bytes")
        database.command("pg_dump", "-f", "/dev/null", "-h", database.folder, "-U", "saver", "pictures")
        again = administer(database, "upgrade", [])
        checks.check("already" in again, "a second upgrade changes nothing", again)
    finally:
        for one in syncs:
            one.stop()
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
    refused_statements(checks, database, large)
    for gateway in (one, two):
        checks.equal(gateway.end()[0], 0, "a gateway leaves in order")
    rights(checks, database, large)


def refused_statements(checks, database, file):
    """The server ends a statement about a file, and the session goes on."""
    database.sql("ALTER ROLE eve SET lock_timeout = 200", "pictures")
    held = Held(database, "pictures", f"SELECT FROM notes.file WHERE hash = '\\x{file.hash}' FOR UPDATE")
    late = Gateway(database.url("eve", "pictures", space="team"))
    refused(checks, 3002, "a statement that waits too long fails alone", lambda: late.ask("file.check", sha256=file.hash))
    checks.equal(late.ask("revisions.adopt", revisions=[revision(902, 1, "text\n")])["committed"], 1, "texts are taken all the same")
    held.release()
    late.end()


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
    with open(os.path.join(ROOT, "docs/postgres.md"), encoding="utf-8") as page:
        removal = "".join(re.findall(r"^    (DELETE FROM .*)$", page.read(), re.M)).replace("5891…", file.hash)
    database.sql(removal, "pictures")
    reader = Gateway(database.url("reader", "pictures", space="team"))
    refused(checks, 2009, "an administrator removes a file", file.read, reader)
    checks.equal(reader.ask("files.list", state="missing")["files"], [], "which is not asked for again")
    reader.end()


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
