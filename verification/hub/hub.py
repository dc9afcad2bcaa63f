#!/usr/bin/env python3
"""Three daemons that exchange notes through a space of a real PostgreSQL database, while clients write on
all of them, the server and the gateways are killed, and the database is restored.

    verification/hub/hub.py [--if-possible] [--seed N] [--rounds N]

Each write adds a line that no other write has. At the end, all daemons show the same, and each line that a
daemon acknowledged is there once. The commands of docs/postgres.md set the database up.
"""

import argparse
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "replication")]

import conformance  # noqa: E402
import costs  # noqa: E402
import pictures  # noqa: E402
from checks import Checks  # noqa: E402
from gateway import Gateway, refusal, revision  # noqa: E402
from machine import Machine, until  # noqa: E402
from places import PATIENCE_S, ROOT, open_folder, program  # noqa: E402
from postgres import Held, Postgres, programs  # noqa: E402
from syncs import Sync, equal, searched  # noqa: E402
from troubles import certificate_is_wrong, disk_is_full  # noqa: E402

NAMES = ("laptop", "desktop", "server")


class Writer(threading.Thread):
    """Appends lines to the note `list` of a machine until it is stopped."""

    def __init__(self, machine, name):
        super().__init__(daemon=True)
        self.machine, self.label, self.count, self.ends = machine, name, 0, False

    def run(self):
        while not self.ends:
            self.count += 1
            self.machine.append("list", f"{self.label} {self.count}")
            time.sleep(0.02)


def lines(machine):
    return sorted(line for name, text in machine.texts().values() if name == "list" for line in text.splitlines() if line)


def typed(checks, database, machines):
    """Runs the commands of the document, on the machine that each prompt names."""
    with open(os.path.join(ROOT, "docs/postgres.md"), encoding="utf-8") as page:
        commands = re.findall(r"^    (db|laptop|desktop)\$ (.*)$", page.read().split("## Two machines")[1].split("\n## ")[0], re.M)
    checks.check(0 < len(commands) <= 10, "the document begins with ten lines at most", commands)
    for place, line in commands:
        words = shlex.split(line.replace("@db.example/", "@/"))
        environment = {"PGHOST": database.folder}
        if place == "db":
            path = programs() + ":" + os.path.dirname(program("notesctl")) + ":" + os.environ["PATH"]
            done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE_S,
                                  env=os.environ | environment | {"PGUSER": "admin", "PATH": path})
        else:
            done = machines[place].notesctl(*words[1:], "--yes", "--no-start", **searched(**environment))
        checks.equal(done.returncode, 0, f"{line} works as documented", done.stdout, done.stderr)


def rows_are_gone(database, count):
    """The newest rows disappear, as after a restore behind a pooler that keeps the sessions."""
    database.sql(f"DELETE FROM notes.revision WHERE position > (SELECT max(position) - {count} FROM notes.revision)")


def restore(database, dump):
    database.sql("DROP DATABASE notes WITH (FORCE)", "postgres")
    database.sql("CREATE DATABASE notes", "postgres")
    database.command("pg_restore", "-h", database.folder, "-U", "admin", "-d", "notes", dump)


def disturb(kind, database, syncs, machines, chance):
    if kind == "kill server":
        database.kill()
        time.sleep(chance.random())
        database.start()
    elif kind == "kill gateway":
        for pid in chance.choice(syncs).gateways():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
    elif kind == "cut connections":
        database.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'notesd-postgres'")
    elif kind == "kill sync":
        sync = chance.choice(syncs)
        sync.stop()
        sync.start()
    elif kind == "kill daemon":
        chance.choice(list(machines.values())).daemon.restart()
    elif kind == "rows are gone":
        rows_are_gone(database, chance.randrange(1, 20))


KINDS = ["kill server", "kill gateway", "cut connections", "kill sync", "kill daemon", "rows are gone"]


def three_daemons(checks, folder, database, chance, rounds):
    machines = {name: Machine(folder, name) for name in NAMES}
    machines["laptop"].notesctl("new", "list")
    syncs = []
    try:
        typed(checks, database, machines)
        database.sql("CREATE ROLE cleo LOGIN")
        subprocess.run([program("notesd-postgres"), "member", "add", database.url("admin"), "team", "cleo"], check=True,
                       stdout=subprocess.DEVNULL)
        added = machines["server"].notesctl("peer", "add", "--yes", "--no-start", "team", database.url("cleo", space="team"), **searched())
        checks.equal(added.returncode, 0, "a third machine joins", added.stderr)
        syncs += [Sync(machine, PGHOST=database.folder) for machine in machines.values()]
        equal(checks, machines, syncs, "the start")
        writers = [Writer(machine, name) for name, machine in machines.items()]
        for writer in writers:
            writer.start()
        dump = os.path.join(database.folder, "dump")
        for number in range(rounds):
            time.sleep(chance.random() * 1.5)
            disturb(KINDS[number] if number < len(KINDS) else chance.choice(KINDS), database, syncs, machines, chance)
            if number == rounds // 3:
                database.command("pg_dump", "-Fc", "-f", dump, "-h", database.folder, "-U", "admin", "notes")
        time.sleep(1)
        restore(database, dump)
        time.sleep(1)
        for writer in writers:
            writer.ends = True
        for writer in writers:
            writer.join()
        if equal(checks, machines, syncs, "all disturbances and a restored dump"):
            wanted = {line for machine in machines.values() for line in machine.acknowledged}
            offered = {f"{writer.label} {number + 1}" for writer in writers for number in range(writer.count)}
            found = lines(machines["laptop"])
            checks.equal(wanted - set(found), set(), "no acknowledged line is missing")
            checks.equal(set(found) - offered, set(), "no line is there that no client wrote")
            checks.equal(len(found), len(set(found)), "each line is there once")
            checks.say(f"{len(wanted)} lines were acknowledged by three daemons")
        for machine in machines.values():
            shown = lambda: machine.notesctl("peer", "list", "--format", "{missing} {state}").stdout  # noqa: E731
            checks.check(until(lambda: shown() == "0 up to date\n"), "the peer is up to date", shown())
    finally:
        for sync in syncs:
            sync.stop()
        for machine in machines.values():
            machine.daemon.stop()
    for machine in machines.values():
        checks.equal(machine.daemon.verify(), "", "the audit finds nothing")


def writers_and_reader(checks, database, count=6, batches=40):
    """No revision is missed by a reader who follows positions while others append."""
    url = database.url("ada", space="team")
    reader = Gateway(url)
    reader.ask("revisions.watch", peer={"store": "a" * 16, "replica": "b" * 16}, known=reader.ask("revisions.known")["known"])

    def write(writer):
        gateway = Gateway(url)
        for batch in range(batches):
            revisions = [revision(1000 + writer, batch * 8 + place + 1, f"{writer} {batch} {place}\n") for place in range(8)]
            gateway.ask("revisions.adopt", revisions=revisions)
        gateway.end()

    threads = [threading.Thread(target=write, args=(writer,)) for writer in range(count)]
    for thread in threads:
        thread.start()
    found = set()
    until_s = time.monotonic() + PATIENCE_S
    while len(found) < count * batches * 8 and time.monotonic() < until_s:
        texts = [one["text"] for one in reader.page()["revisions"]]
        checks.check(not found.intersection(texts), "no revision comes twice")
        found.update(texts)
    for thread in threads:
        thread.join()
    wanted = {f"{writer} {batch} {place}\n" for writer in range(count) for batch in range(batches) for place in range(8)}
    checks.equal(found, wanted, "a reader misses no revision of six writers")
    reader = session_survives(checks, database, reader, url)
    before = reader.ask("revisions.known")["known"]
    database.sql("SELECT notes.fold((SELECT id FROM notes.open('team')))", role="ada")
    folded = database.sql("SELECT (SELECT folded FROM notes.space) = (SELECT max(position) FROM notes.revision)")
    checks.equal((reader.ask("revisions.known")["known"], folded), (before, "t"), "folded rows are known as before")
    reader.end()


def session_survives(checks, database, reader, url):
    """A restore in place does not end the session of a gateway, so the gateway has to notice it."""
    rows_are_gone(database, 5)
    try:
        while True:
            reader.line()
    except OSError as error:
        checks.check("is not the one that was there before" in str(error) and reader.process.wait(PATIENCE_S) == 75,
                     "a gateway notices that the newest rows are gone", str(error))
    return Gateway(url)


def cut_in_a_batch(checks, database):
    """A batch whose connection ends while it is being appended is there whole or not at all."""
    url = database.url("ada", space="team")
    for kind in ("gateway", "server"):
        replica = 500 + len(kind)
        batch = [revision(replica, place + 1, f"batch {place}\n") for place in range(256)]
        held, writer = Held(database), Gateway(url)
        writer.send("revisions.adopt", revisions=batch)
        waits = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'notesd-postgres' AND wait_event_type = 'Lock'"
        checks.check(until(lambda: database.sql(waits) == "1"), "the append waits for the space")
        if kind == "gateway":
            writer.process.kill()
            held.release()
        else:
            database.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'")
            held.release()
            checks.equal(writer.process.wait(PATIENCE_S), 75, "a gateway whose connection was cut ends with 75")
        writer.process.wait(PATIENCE_S)
        until(lambda: database.sql(waits) == "0")
        count = f"SELECT count(*) FROM notes.revision WHERE replica = '\\x{replica:016x}'"
        checks.check(database.sql(count) in ("0", "256"), "a batch is appended whole or not at all", database.sql(count))
        again = Gateway(url)
        result = again.ask("revisions.adopt", revisions=batch)
        checks.check({result["committed"], result["known"]} == {0, 256}, "the batch is offered again and is there", result)
        checks.equal(database.sql(count), "256", "each revision of the batch is there once")
        again.end()


def bad_input(checks, database):
    """Each failure is a sentence that says what to do."""
    def gives(law, url, *words, **environment):
        reason = refusal(url, **environment)
        checks.check(all(word in reason for word in words), law, reason)

    team = {"space": "team"}
    database.sql("CREATE ROLE locked LOGIN PASSWORD 'right'; CREATE ROLE stranger LOGIN")
    gives("a wrong password is named", database.url("locked", **team), "password authentication failed", PGPASSWORD="wrong")
    gives("a missing password is named", database.url("locked", **team), "~/.pgpass", PGPASSFILE="/dev/null")
    gives("a role without rights is named", database.url("stranger", **team), "stranger", "member add")
    gives("an unknown space is named", database.url("ada", space="other"), "other", "member add")
    gives("an address without a space is named", database.url("ada"), "?space=NAME")
    gives("an unknown database is named", database.url("ada", "nothing", **team), "nothing", "does not exist")
    gives("a server that is away is named", "postgres://ada@/notes?host=/tmp/nowhere-at-all&space=team", "No such file")
    gives("a database without the schema is named", database.url("ada", "postgres", **team), "notesd-postgres init")
    for number, advice in ((3, "update notesd-postgres"), (0, "update the schema")):
        database.sql(f"CREATE OR REPLACE FUNCTION notes.schema_version() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT {number}'")
        gives(f"version {number} of the schema is named", database.url("ada", **team), f"version {number}", advice)
    database.sql("CREATE OR REPLACE FUNCTION notes.schema_version() RETURNS integer LANGUAGE sql IMMUTABLE AS 'SELECT 2'")

    # Members can store any bytes. These begin as a revision does, and are none.
    junk = "\\x02" + "01890a5dac967000800000000000beef" + "00000000000000aa" + "05" + "00" * 20
    database.sql(f"SELECT notes.append((SELECT id FROM notes.open('team')), ARRAY['{junk}'::bytea], '{{}}', '{{}}')", role="ada")
    reader = Gateway(database.url("ada", **team))
    start = reader.ask("revisions.watch", peer={"store": "a" * 16, "replica": "b" * 16}, known="")
    gone, left = [], start["lacks"]
    while left:
        page = reader.page()
        gone, left = gone + page["gone"], page["left"]
    status, reported = reader.end()
    checks.check(gone == ["00000000000000aa:5"] and "00000000000000aa:5, was left out: its body is no revision" in reported and status == 0,
                 "a row that is no revision is left out and named", gone, reported, status)

    database.sql("ALTER ROLE ada SET statement_timeout = 300")
    writer = Gateway(database.url("ada", **team))
    held = Held(database)
    try:
        writer.ask("revisions.adopt", revisions=[revision(77, 1, "late\n")])
        checks.check(False, "a statement timeout ends the gateway")
    except OSError as error:
        checks.check("statement timeout" in str(error) and writer.process.wait(PATIENCE_S) == 75,
                     "a statement timeout ends the gateway with 75 and a sentence", str(error))
    held.release()
    database.sql("ALTER ROLE ada RESET statement_timeout")

    readonly = [program("notesd-postgres"), "member", "add", database.url("admin"), "team", "stranger", "--read-only"]
    subprocess.run(readonly, check=True, stdout=subprocess.DEVNULL)
    reader = Gateway(database.url("stranger", **team))
    checks.equal(reader.hello["access"], "read", "a member who may only read has the access read")
    try:
        reader.ask("revisions.adopt", revisions=[revision(78, 1, "no\n")])
        checks.check(False, "a member who may only read appends nothing")
    except RuntimeError as error:
        checks.check("only read" in str(error), "a member who may only read appends nothing", str(error))
    reader.end()


def commands(command, path=()):
    """The names of the commands below a command, with their own options."""
    below = [one for one in command.get("subcommands", []) if one["commandName"] != "help"]
    for one in below:
        yield from commands(one, (*path, one["commandName"]))
    if not below:
        names = [name["name"] for argument in command.get("arguments", []) for name in argument.get("names", []) if name["kind"] == "long"]
        yield " ".join(path), sorted(set(names) - {"help", "version"})


def papers(checks, database):
    """The example queries run, and the manual page has each command."""
    examples = os.path.join(ROOT, "packaging/postgres")
    for role, name in (("admin", "roles.sql"), ("notes_monitor", "monitoring.sql")):
        with open(os.path.join(examples, name), encoding="utf-8") as file:
            text = file.read()
        try:
            database.sql(text, role=role)
            checks.check(True, f"{name} runs as {role}")
        except RuntimeError as error:
            checks.check(False, f"{name} runs as {role}", str(error))
    try:
        database.command("pg_dump", "-Fc", "-f", os.path.join(database.folder, "backup"), "-h", database.folder, "-U", "notes_backup", "notes")
        checks.check(True, "the role that backs up dumps all")
    except RuntimeError as error:
        checks.check(False, "the role that backs up dumps all", str(error))
    try:
        database.sql("SELECT body FROM notes.revision", role="notes_monitor")
        checks.check(False, "the role that monitors reads no text")
    except RuntimeError as error:
        checks.check("permission denied" in str(error), "the role that monitors reads no text", str(error))
    with open(os.path.join(ROOT, "docs/man/notesd-postgres.1"), encoding="utf-8") as file:
        page = file.read()
    help_text = subprocess.run([program("notesd-postgres"), "--experimental-dump-help"], capture_output=True, text=True, check=True).stdout
    found = list(commands(json.loads(help_text)["command"]))
    checks.check(len(found) == 7, "the program has seven commands", found)
    for name, options in found:
        checks.check(f".Cm {name}\n" in page and f".It Cm {name} " in page, f"the manual page has {name}")
        for option in options:
            checks.check("Fl \\-" + option.replace("-", "\\-") in page, f"the manual page has the option {option} of {name}")


def standby(checks, folder, primary):
    """A standby that lacks the last commits takes over. The daemons give it what it lacks."""
    machines = {name: Machine(folder, f"{name}-2") for name in NAMES[:2]}
    second = Postgres(folder, "standby", base=primary)
    url = f"postgres://ada@/notes?host={primary.folder},{second.folder}&target_session_attrs=read-write&space=team"
    syncs = []
    try:
        machines["laptop"].notesctl("new", "after")
        for machine in machines.values():
            added = machine.notesctl("peer", "add", "--yes", "--no-start", "team", url, **searched())
            checks.equal(added.returncode, 0, "a machine joins a pair of servers", added.stderr)
            syncs.append(Sync(machine))
        equal(checks, machines, syncs, "the start with two servers")
        second.stop()
        for number in range(20):
            machines["laptop"].append("after", f"late {number}")
        equal(checks, machines, syncs, "writes that the standby lacks")
        syncs[1].stop()
        primary.kill()
        machines["desktop"].append("after", "while there was no server")
        second.start()
        # Once it is promoted, the daemons send what it lacks at once.
        lost = int(second.sql("SELECT count(*) FROM notes.revision"))
        second.command("pg_ctl", "promote", "-w", "-D", second.data)
        syncs[1].start()
        equal(checks, machines, syncs, "the standby took over")
        until(lambda: int(second.sql("SELECT count(*) FROM notes.revision")) >= lost + 21)
        held = int(second.sql("SELECT count(*) FROM notes.revision"))
        checks.check(held >= lost + 21, "the promoted standby has the commits that it lacked", lost, held)
    finally:
        for sync in syncs:
            sync.stop()
        for machine in machines.values():
            machine.daemon.stop()
        second.stop()


def run(folder, seed, rounds, only_troubles):
    checks, chance = Checks("hub", seed), random.Random(seed)
    database = Postgres(folder)
    try:
        if not only_troubles:
            three_daemons(checks, folder, database, chance, rounds)
            writers_and_reader(checks, database)
            cut_in_a_batch(checks, database)
            bad_input(checks, database)
            pictures.run(checks, folder, database, random.Random(seed))
            costs.check(checks, database)
            papers(checks, database)
            conformance.run(checks, folder, database, random.Random(seed))
        disk_is_full(checks, folder, database)
        certificate_is_wrong(checks, folder, database)
        if not only_troubles:
            standby(checks, folder, database)
    finally:
        database.stop()
    checks.finish()


def missing():
    """The reason why this suite cannot run; None if it can."""
    if not programs():
        return "the server of PostgreSQL is missing; install postgresql"
    if subprocess.run(["pkg-config", "--exists", "libpq"], check=False).returncode != 0:
        return "the headers of libpq are missing; install libpq-dev and pkg-config"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--if-possible", action="store_true")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--troubles", action="store_true", help="only a full disk and a wrong certificate")
    arguments = parser.parse_args()
    reason = missing()
    if reason:
        print(f"hub: {reason}", file=sys.stderr)
        print("hub: skipped")
        sys.exit(0 if arguments.if_possible else 1)
    # No other suite needs the gateway, so it is built here.
    if os.path.realpath(os.path.dirname(program("notesctl"))) == os.path.realpath(os.path.join(ROOT, ".build/release")):
        subprocess.run(["make", "-C", ROOT, "postgres"], check=True)
    folder = open_folder("notesd-hub-")
    try:
        run(folder, arguments.seed, arguments.rounds, arguments.troubles)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
