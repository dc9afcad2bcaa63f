#!/usr/bin/env python3
"""Measures what a revision costs in a database, and compares the simulation of `scale.py` with small real cases.

    verification/hub/costs.py [--sizes]

`docs/scale.md` states what it prints. `hub.py` runs `check`.
"""

import contextlib
import os
import re
import shutil
import statistics
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "replication")]

import scale  # noqa: E402
from checks import Checks  # noqa: E402
from daemon import Client  # noqa: E402
from gateway import Gateway, revision  # noqa: E402
from machine import until  # noqa: E402
from places import open_folder, program  # noqa: E402
from postgres import Postgres  # noqa: E402
from troubles import Pair  # noqa: E402

# How far the simulation may be from what was measured. Other programs run on the machine of a test.
FACTOR = 4
TEXT = "The quick brown fox jumps over the lazy dog, twice.\n" * 20
CASE_S = 2.0


class Spaces:
    """Spaces of a database of their own."""

    def __init__(self, server):
        self.server, self.replica = server, 5000
        server.sql("CREATE DATABASE costs; CREATE ROLE hasty LOGIN; ALTER ROLE hasty SET synchronous_commit = off", "postgres")
        self.run("init", server.url("admin", "costs"))

    def run(self, *words):
        subprocess.run([program("notesd-postgres"), *words], check=True, stdout=subprocess.DEVNULL)

    def add(self, name):
        self.run("space", "add", self.server.url("admin", "costs"), name)
        for role in ("admin", "hasty"):
            self.run("member", "add", self.server.url("admin", "costs"), name, role)
        return name

    def gateway(self, name, role="admin"):
        return Gateway(self.server.url(role, "costs", space=name))

    def writer(self, name, role="admin"):
        self.replica += 1
        return Writer(self.gateway(name, role), self.replica)

    def reader(self, name):
        gateway = self.gateway(name)
        gateway.ask("revisions.watch", peer={"store": "a" * 16, "replica": "b" * 16}, known=gateway.ask("revisions.known")["known"])
        return gateway


class Writer:
    def __init__(self, gateway, replica):
        self.gateway, self.replica, self.count = gateway, replica, 0

    def append(self, batch):
        """Appends revisions of 1 kB. Returns the seconds until the answer."""
        offers = [revision(self.replica, self.count + place + 1, TEXT) for place in range(batch)]
        self.count += batch
        begin = time.perf_counter()
        self.gateway.ask("revisions.adopt", revisions=offers)
        return time.perf_counter() - begin


def median(count, measure):
    return statistics.median(measure() for _ in range(count))


def statement_seconds(server, space, rows, times):
    """The median time that the server takes for an append of rows that are no revisions, without the commit."""
    statement = """EXPLAIN (ANALYZE, TIMING OFF) SELECT notes.append((SELECT id FROM notes.space WHERE name = '{}'),
        (SELECT array_agg('\\x02'::bytea || decode(md5(i::text), 'hex') || int8send(i::bigint) || '\\x01'::bytea
            || convert_to(repeat('.', 1060), 'UTF8')) FROM generate_series({}, {}) AS i), '{{}}', '{{}}');"""
    first = rows << 32
    text = "".join(statement.format(space, first + number * rows, first + (number + 1) * rows - 1) for number in range(times))
    return execution_seconds(server, text)


def execution_seconds(server, explained):
    """The median time of statements that begin with EXPLAIN ANALYZE, which one session runs."""
    found = re.findall(r"Execution Time: ([0-9.]+) ms", server.sql(explained, "costs"))
    return statistics.median(float(one) for one in found) / 1e3


def read_seconds(server, space, rows, times):
    """The median time that the server takes for a read of the newest rows, without sending them."""
    statement = f"""EXPLAIN (ANALYZE, TIMING OFF) SELECT notes.read_rows(s.id, (SELECT max(position) FROM notes.revision r WHERE r.space = s.id)
        - {rows}, 1024, 1048576) FROM notes.space s WHERE name = '{space}';"""
    return execution_seconds(server, statement * times)


def measured_costs(spaces):
    """The costs of this machine, as the simulation takes them."""
    name = spaces.add("one")
    safe, hasty = spaces.writer(name), spaces.writer(name, "hasty")

    one, many = statement_seconds(spaces.server, name, 1, 20), statement_seconds(spaces.server, name, 256, 10)
    row = max(1e-6, (many - one) / 255)
    locked = max(1e-5, one - row)
    hasty_one, safe_one = median(60, lambda: hasty.append(1)), median(60, lambda: safe.append(1))
    outside_row = max(1e-6, (median(12, lambda: hasty.append(256)) - hasty_one) / 255 - row)
    outside = max(1e-5, hasty_one - locked - row - outside_row)
    reader = spaces.reader(name)

    def told():
        begin = time.perf_counter() + hasty.append(1)
        reader.page()
        return max(1e-5, time.perf_counter() - begin)

    read = median(60, told)
    whole = spaces.gateway(name)
    rows = whole.ask("revisions.watch", peer={"store": "a" * 16, "replica": "b" * 16}, known="")["lacks"]
    begin = time.perf_counter()
    while whole.page()["left"]:
        pass
    read_row = (time.perf_counter() - begin) / rows
    for gateway in (safe.gateway, hasty.gateway, reader, whole):
        gateway.end()
    few, more = read_seconds(spaces.server, name, 1, 20), read_seconds(spaces.server, name, 512, 10)
    print(f"costs: in the server alone, in ms: append {locked * 1e3:.3f} and {row * 1e3:.3f} a row, "
          f"read {few * 1e3:.3f} and {(more - few) / 511 * 1e3:.4f} a row")
    return scale.Costs(outside=outside, outside_row=outside_row, locked=locked, row=row, flush=max(0.0, safe_one - hasty_one),
                       read=read, read_row=read_row, cores=os.cpu_count())


def closed(spaces, label, count, writers, batch, readers):
    """The revisions that writers append in a second, as `scale.closed` simulates them."""
    names = [spaces.add(f"{label}-{number}") for number in range(count)]
    found = [spaces.writer(names[number % count]) for number in range(writers)]
    watching = [spaces.reader(name) for name in names for _ in range(readers)]
    end = time.monotonic() + CASE_S

    def write(writer):
        while time.monotonic() < end:
            writer.append(batch)

    def read(reader):
        # The case ends the gateway.
        with contextlib.suppress(OSError):
            while True:
                reader.page()

    threads = [threading.Thread(target=write, args=(writer,)) for writer in found]
    threads += [threading.Thread(target=read, args=(reader,), daemon=True) for reader in watching]
    begin = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads[:writers]:
        thread.join()
    rate = sum(writer.count for writer in found) / (time.monotonic() - begin)
    for gateway in [writer.gateway for writer in found] + watching:
        gateway.process.kill()
        gateway.process.wait()
    return rate


# Spaces, writers, revisions in a batch, readers of each space.
CASES = {"one-space": (1, 6, 8, 0), "four-spaces": (4, 4, 8, 0), "with-readers": (1, 2, 8, 3)}


def check(checks, server):
    """The simulation is within `FACTOR` of small real cases."""
    spaces = Spaces(server)
    costs = measured_costs(spaces)
    checks.say("costs in ms: " + ", ".join(f"{name} {value * 1e3:.3f}" for name, value in costs._asdict().items() if name != "cores"))
    for label, (count, writers, batch, readers) in CASES.items():
        real = closed(spaces, label, count, writers, batch, readers)
        simulated = scale.closed(costs, count, writers, batch, readers)
        checks.check(real / FACTOR <= simulated <= real * FACTOR, f"the simulation fits {label}", simulated, real)
        checks.say(f"{label}: {real:.0f} revisions/s, simulated {simulated:.0f}")
    server.sql("DROP DATABASE costs WITH (FORCE)", "postgres")


def sizes(checks, folder, server, count=500):
    """Prints the rows and bytes that a keystroke, a save and a note leave in the database."""
    pair = Pair(checks, folder, server, "sizes")
    try:
        print_sizes(pair, server, count)
    finally:
        pair.stop()


def print_sizes(pair, server, count):
    client = Client(pair.machines["one"].daemon.socket, "judge")
    note = client.ask("note.create", text=TEXT)["note"]
    version, identity = note["version"], note["id"]

    def facts():
        rows, table, heap, wal = server.sql(
            "SELECT count(*), pg_total_relation_size('notes.revision'), pg_relation_size('notes.revision'), "
            "pg_current_wal_lsn() - '0/0'::pg_lsn FROM notes.revision", "sizes").split("|")
        return int(rows), int(table), int(heap), int(wal)

    def keystroke(number):
        nonlocal version
        edit = {"start": 5 + number, "end": 5 + number, "text": "x"}
        version = client.ask("note.edit", id=identity, base=version, edits=[edit])["version"]

    def save(number):
        nonlocal version
        version = client.ask("note.save", id=identity, base=version, text=TEXT.replace("quick", f"quick {number}", 1))["version"]

    def create(number):
        client.ask("note.create", text=f"{number}\n{TEXT}")

    server.sql("CHECKPOINT", "sizes")
    for name, write in (("keystroke", keystroke), ("save of one line of 1 kB", save), ("note of 1 kB", create)):
        before = facts()
        for number in range(count):
            write(number)
        until(lambda: facts()[0] >= before[0] + count)
        rows, table, heap, wal = (after - was for after, was in zip(facts(), before))
        print(f"{name}: {rows / count:.2f} rows, {table / count:.0f} bytes in the table and its indexes ({heap / count:.0f} in the "
              f"table), {wal / count:.0f} bytes of WAL")
    print("dead rows:", server.sql("SELECT relname, n_dead_tup FROM pg_stat_user_tables ORDER BY relname", "sizes").split())
    before = facts()
    server.sql("SELECT notes.fold((SELECT id FROM notes.open('team')))", "sizes")
    print("fold:", facts()[3] - before[3], "bytes of WAL,", server.sql("SELECT count(*) FROM notes.range", "sizes"), "ranges")
    print("memory of a connection in kB:", backend_memory(server))


def backend_memory(server):
    """The private memory of the server's processes for gateways, in kB."""
    found = []
    for pid in server.backends("sizes"):
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
            found.append(sum(int(line.split()[1]) for line in file if line.startswith(("Private_Clean", "Private_Dirty"))))
    return found


def main():
    checks, folder = Checks("costs", 0), open_folder("notesd-costs-")
    server = Postgres(folder)
    try:
        if "--sizes" in sys.argv:
            sizes(checks, folder, server)
        check(checks, server)
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
    checks.finish()


if __name__ == "__main__":
    main()
