#!/usr/bin/env python3
"""The laws that each peer of a replicator keeps: a daemon behind `notesctl bridge`, and a space of a
PostgreSQL database behind `notesd-postgres serve`.

    verification/hub/conformance.py [--seed N] [--planted]

Each law gets a fresh peer. The revisions are those of a scratch daemon. With --planted, connections
have faults, and a law has to notice each.
"""

import argparse
import base64
import json
import os
import random
import shutil
import sys

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "lib")]

from checks import Checks  # noqa: E402
from gateway import PART, Connection, File, Refused  # noqa: E402
from peers import OTHER, DaemonPeer, SpacePeer, Stock, made, prepare, watched  # noqa: E402
from places import open_folder  # noqa: E402
from postgres import Postgres, programs  # noqa: E402

# The number of pages that a peer sends before the first one is acknowledged.
PAGES_MAX = 4
# The number of requests that are answered before a law concludes that a peer sends no further page.
TURNS = 20


class Case:
    """One law for one fresh peer. It ends all connections that the law opened."""

    def __init__(self, peer, stock, chance, check):
        self.peer, self.stock, self.chance, self.check = peer, stock, chance, check
        self.opened = []

    def connect(self):
        self.opened.append(self.peer.connect())
        return self.opened[-1]

    def equal(self, left, right, law):
        return self.check(left == right, law, left, right)

    def adopt(self, connection, revisions, law, committed=0, known=0, **others):
        """Offers revisions, and checks the whole result."""
        result = connection.ask("revisions.adopt", revisions=revisions)
        named = {name: [one["dot"] if isinstance(one, dict) else one for one in result[name]]
                 for name in ("waiting", "quarantined", "refused", "unreadable")}
        wanted = {name: others.get(name, []) for name in named}
        self.equal((result["committed"], result["known"], named), (committed, known, wanted), law)

    def refused(self, connection, code, path, law, method, **params):
        try:
            self.check(False, law, connection.ask(method, **params))
        except Refused as error:
            self.equal((error.code, error.path), (code, path), law)

    def known(self):
        """What a new connection is told."""
        return self.connect().ask("revisions.known")

    def holds(self, revisions, law):
        """Checks that a new connection is sent these revisions, in any order and each once."""
        found, _ = watched(self.connect())
        self.check(sorted(map(str, found)) == sorted(map(str, revisions)), law, len(found), len(revisions))

    def end(self):
        for connection in self.opened:
            connection.process.kill()
            connection.process.wait()
            for file in (connection.process.stdin, connection.process.stdout, connection.process.stderr):
                try:
                    file.close()
                except BrokenPipeError:
                    pass


# MARK: Laws


def hello(case):
    """a hello names the store and the replica, and the store is the same for each connection"""
    one, two = case.connect().hello, case.connect().hello
    for name in ("store", "replica"):
        case.check(len(one[name]) == 16 and int(one[name], 16) > 0, f"{name} is an id", one[name])
    case.equal((one["store"], one["access"] in ("sync", "admin")), (two["store"], True), "the store and the access")
    case.check("replication" in one["capabilities"] and one["store"] != one["replica"], "the peer can exchange revisions", one)
    case.equal(case.connect().ask("session.ping"), {}, "a ping is answered")


def empty(case):
    """an empty peer knows nothing, and sends nothing"""
    connection = case.connect()
    known = connection.ask("revisions.known")
    case.equal((known["known"], known["quarantined"], known["waiting"]), ("", "", 0), "nothing is known")
    case.check(known["forms"] and known["view"] >= 1, "the forms and the view are named", known)
    case.equal(connection.ask("revisions.watch", peer=OTHER, known="")["lacks"], 0, "nothing is lacking")


def repeated(case):
    """an offer that is repeated changes nothing"""
    connection, small = case.connect(), case.stock.small
    case.adopt(connection, small, "the first offer is committed", committed=36)
    case.adopt(connection, small, "the second offer is known", known=36)
    case.adopt(connection, case.stock.large[:1] * 2, "one offer with a revision twice commits it once", committed=1, known=1)
    case.equal(case.known()["known"], case.stock.dots(range(37)), "each is known")
    case.holds(small + case.stock.large[:1], "each is sent once")


def any_order(case):
    """the order of offers does not matter for what is known at the end"""
    connection, numbers = case.connect(), list(range(36))
    case.chance.shuffle(numbers)
    while numbers:
        count = case.chance.randrange(1, 6)
        connection.ask("revisions.adopt", revisions=[case.stock.small[number] for number in numbers[:count]])
        del numbers[:count]
    known = case.known()
    case.equal((known["known"], known["waiting"]), (case.stock.dots(range(36)), 0), "all are known")
    case.holds(case.stock.small, "all are sent")


def unreadable(case):
    """an entry that is no revision does not harm its neighbours"""
    small = case.stock.small
    broken = [{"head": "Ag==", "text": ""}, small[2] | {"text": small[2]["text"][1:]}, small[3] | {"head": small[3]["head"][:8]}]
    offer = [broken[0], small[0], broken[1], broken[2], small[1]]
    case.adopt(case.connect(), offer, "the others are committed", committed=2, unreadable=[0, 2, 3])
    case.equal(case.known()["known"], case.stock.dots(range(2)), "the others are known")
    case.holds(small[:2], "the others are sent")


def taken(case):
    """other content under a dot that the peer has is named, and does not replace it"""
    connection, small = case.connect(), case.stock.small
    other = small[0] | {"text": small[0]["text"].swapcase()}
    case.check(other != small[0], "the content differs")
    case.adopt(connection, small[:1], "the first content is committed", committed=1)
    case.adopt(connection, [other, small[1]], "the other content is named", committed=1, quarantined=[case.stock.dots([0])])
    case.equal(case.known()["known"], case.stock.dots(range(2)), "the dots are known")
    case.holds(small[:2], "the first content is sent")


def lacking(case):
    """a watch sends what is lacking, each revision once, in numbered pages"""
    stock, connection = case.stock, case.connect()
    connection.ask("revisions.adopt", revisions=stock.small)
    connection.ask("revisions.adopt", revisions=stock.large[:3])
    for share in (0, 0.3, 0.9):
        held = {number for number in range(39) if case.chance.random() < share}
        wanted = [one for number, one in enumerate(stock.small + stock.large[:3]) if number not in held]
        reader = case.connect()
        found, pages = watched(reader, known=stock.dots(held))
        case.check(found == wanted, "what is lacking is sent in the order of commits", len(found), len(wanted), held)
        case.equal([page["seq"] for page in pages], list(range(1, len(pages) + 1)), "pages are numbered from 1 without a gap")
        lefts = [sum(len(page["revisions"]) for page in pages[number + 1:]) for number in range(len(pages))]
        case.equal([page["left"] for page in pages], lefts, "left counts what follows")
        case.equal([page["gone"] for page in pages], [[]] * len(pages), "nothing is gone")
    reader = case.connect()
    case.equal(reader.ask("revisions.watch", peer=OTHER, known=stock.dots(range(39)))["lacks"], 0, "a peer that has all lacks nothing")
    connection.ask("revisions.adopt", revisions=stock.large[3:4])
    page = reader.page()
    holds = (page["seq"], page["left"], page["revisions"]) == (1, 0, stock.large[3:4])
    case.check(holds, "its first page is the next revision", page["seq"], page["left"])


def filled(case):
    """A watch of ten pages, and the number of the watch."""
    writer, large = case.connect(), case.stock.large
    writer.ask("revisions.adopt", revisions=large[:5])
    writer.ask("revisions.adopt", revisions=large[5:])
    reader = case.connect()
    return reader, reader.ask("revisions.watch", peer=OTHER, known="")["watch"]


def sent(case, reader, count, law):
    """Waits until `count` pages have arrived, and checks that no more do."""
    while len(reader.pages) < count:
        reader.receive()
    for _ in range(TURNS):
        reader.ask("revisions.known")
    case.equal([page["seq"] for page in reader.pages], list(range(1, count + 1)), law)


def four_pages(case):
    """at most four pages are not acknowledged"""
    reader, watch = filled(case)
    sent(case, reader, PAGES_MAX, "four pages come unasked")
    for seq, count in ((1, 5), (3, 7), (4, 8), (8, 10), (10, 10)):
        reader.ask("revisions.proceed", watch=watch, seq=seq)
        sent(case, reader, count, f"the acknowledgement of {seq} makes room for {count}")
    case.equal([page["left"] for page in reader.pages], list(range(9, -1, -1)), "left ends at 0")


def out_of_order(case):
    """an acknowledgement of a page that was not sent, or again, changes nothing"""
    reader, watch = filled(case)
    sent(case, reader, PAGES_MAX, "four pages come")
    for seq in (0, 5, 99):
        case.equal(reader.ask("revisions.proceed", watch=watch, seq=seq), {}, f"{seq} is answered")
        sent(case, reader, PAGES_MAX, f"the acknowledgement of {seq} frees nothing")
    reader.ask("revisions.proceed", watch=watch, seq=2)
    reader.ask("revisions.proceed", watch=watch, seq=1)
    reader.ask("revisions.proceed", watch=watch, seq=2)
    sent(case, reader, 6, "a repeated acknowledgement frees nothing more")
    case.refused(reader, -32602, "params.watch", "another watch is refused", "revisions.proceed", watch=watch + 1, seq=3)
    sent(case, reader, 6, "an acknowledgement of another watch frees nothing")


def replaced(case):
    """a second watch replaces the first one, and numbers its pages from 1"""
    reader, watch = filled(case)
    second = reader.ask("revisions.watch", peer=OTHER, known=case.stock.dots([36]))
    case.check(second["watch"] != watch and second["lacks"] == 9, "the second watch has a number of its own", second)
    reader.pages = [page for page in reader.pages if page["watch"] == second["watch"]]
    left, seen = second["lacks"], []
    while left:
        page = reader.page()
        case.equal(page["watch"], second["watch"], "no page of the first watch follows")
        seen.append(page["seq"])
        left = page["left"]
    case.equal(seen, list(range(1, 10)), "pages are numbered from 1")
    case.refused(reader, -32602, "params.watch", "the first watch is gone", "revisions.proceed", watch=watch, seq=1)


def live(case):
    """what one connection offers is sent to another one, and not back"""
    one, two = case.connect(), case.connect()
    for connection in (one, two):
        connection.ask("revisions.watch", peer=OTHER, known="")
    small = case.stock.small
    for number in range(0, 6, 2):
        one.ask("revisions.adopt", revisions=small[number:number + 1])
        page = two.page()
        case.equal((page["revisions"], page["left"]), (small[number:number + 1], 0), "the other connection is sent it")
        two.ask("revisions.adopt", revisions=small[number + 1:number + 2])
        page = one.page()
        # It would come before the other one's, since pages are in the order of commits.
        case.equal((page["revisions"], page["seq"]), (small[number + 1:number + 2], number // 2 + 1), "its own does not come back")


def refuses(case):
    """what a peer refuses is not sent"""
    writer, stock = case.connect(), case.stock
    writer.ask("revisions.adopt", revisions=stock.small)
    refused = {number for number in range(36) if case.chance.random() < 0.4} | {35}
    known = {number for number in range(36) if case.chance.random() < 0.2}
    reader = case.connect()
    found, _ = watched(reader, known=stock.dots(known), refuses=stock.dots(refused))
    wanted = [one for number, one in enumerate(stock.small) if number not in refused | known]
    case.check(found == wanted, "the others are sent", len(found), len(wanted), refused, known)
    writer.ask("revisions.adopt", revisions=stock.large[:1])
    case.check(reader.page()["revisions"] == stock.large[:1], "the refused ones do not follow")


def limits(case):
    """an offer above a limit is refused, and changes nothing"""
    connection, stock = case.connect(), case.stock
    connection.ask("revisions.adopt", revisions=stock.small[:3])
    before = case.known()
    zero = stock.small[3] | {"text": "\0"}
    for law, path, offer in (("257 revisions", "", [stock.small[5]] * 257), ("more than 1 MiB", "", stock.large[:9]),
                             ("characters U+0000", "[1].text", [stock.small[3], zero])):
        case.refused(connection, -32602, "params.revisions" + path, f"{law} are refused", "revisions.adopt", revisions=offer)
        case.equal(case.known(), before, f"{law} change nothing")
    for path, params in (("params.known", {"known": "x"}), ("params.peer.store", {"known": "", "peer": OTHER | {"store": "x"}})):
        case.refused(connection, -32602, path, f"a wrong {path} is refused", "revisions.watch", **{"peer": OTHER} | params)
    case.adopt(connection, stock.small[3:4] * 256, "256 revisions are taken in", committed=1, known=255)


def unknown_method(case):
    """an unknown method is refused, and the session goes on"""
    connection = case.connect()
    case.refused(connection, -32601, None, "the method is unknown", "revisions.nothing")
    case.adopt(connection, case.stock.small[:1], "the session goes on", committed=1)


def survives(case):
    """what a peer adopted survives a kill"""
    connection, stock = case.connect(), case.stock
    case.adopt(connection, stock.small, "the offer is committed", committed=36)
    store, replica = connection.hello["store"], connection.hello["replica"]
    case.peer.restart()
    again = case.connect()
    case.equal(again.hello["store"], store, "the store is the same")
    case.check(again.hello["replica"] != replica, "the replica is another", replica)
    case.equal(again.ask("revisions.known")["known"], stock.dots(range(36)), "the same is known")
    case.holds(stock.small, "the same is sent")
    case.adopt(again, stock.small[::-1], "all are known", known=36)


def waits(case):
    """a revision without its parent waits, and is committed with it"""
    connection, stock = case.connect(), case.stock
    case.adopt(connection, stock.small[1:2], "the revision waits", waiting=[stock.dots([1])])
    known = case.known()
    case.equal((known["known"], known["waiting"]), ("", 1), "it is not known")
    case.peer.restart()
    case.equal(case.known()["waiting"], 1, "it waits after a restart")
    case.adopt(case.connect(), stock.small[:1], "both are committed", committed=2)
    case.holds(stock.small[:2], "both are sent")


def quarantines(case):
    """other content under a taken dot is kept in quarantine"""
    connection, small = case.connect(), case.stock.small
    connection.ask("revisions.adopt", revisions=small[:1])
    connection.ask("revisions.adopt", revisions=[small[0] | {"text": small[0]["text"].swapcase()}])
    case.equal(case.known()["quarantined"], case.stock.dots([0]), "its dot is in quarantine")


def begins(case):
    """a peer that has no revision of a note takes its beginning"""
    beginning = case.stock.beginning
    result = case.connect().ask("revisions.adopt", revisions=[], beginnings=[beginning])
    case.check("not_begun" not in result, "the beginning is taken", result)
    _, pages = watched(case.connect())
    case.equal([one for page in pages for one in page.get("beginnings", [])], [beginning], "the beginning is sent on")


def takes_any_order(case):
    """a revision without its parent is known and sent at once"""
    case.adopt(case.connect(), case.stock.small[2:3], "it is committed", committed=1)
    case.equal(case.known()["known"], case.stock.dots([2]), "it is known")
    case.holds(case.stock.small[2:3], "it is sent")


def begins_nothing(case):
    """a beginning is named and not kept, and its neighbours are taken in"""
    offer = {"revisions": case.stock.small[:1], "beginnings": [case.stock.beginning]}
    result = case.connect().ask("revisions.adopt", **offer)
    case.equal((result["committed"], len(result.get("not_begun", []))), (1, 1), "the beginning is named")
    case.equal(case.known()["known"], case.stock.dots([0]), "only the revision is known")


def files(case):
    """bytes that a revision names are taken from where they are, compared and given, and no others are"""
    connection, file = case.connect(), File(case.chance.randbytes(PART + 321))
    case.equal(file.begin(connection).get("wanted"), False, "bytes that nothing names are not wanted")
    case.adopt(connection, [file.note(1)], "their name is committed", committed=1)
    missing = [(one["sha256"], one["bytes"]) for one in connection.ask("files.list", state="missing")["files"]]
    case.equal(missing, [(file.hash, len(file.data))], "they are missing")
    file.put(connection, 0, file.data[:1000])
    connection = case.connect()
    case.equal(file.begin(connection), {"there": False, "offset": 1000}, "an upload goes on at another connection")
    case.equal(file.put(connection, 7, b"other")["offset"], 1000, "a part at another place changes nothing")
    file.put(connection, 1000, file.data[1000:PART])
    wrong = {"data": base64.b64encode(bytes(321)).decode(), "offset": PART, "for": "peer"}
    case.refused(connection, 2010, None, "other bytes are refused", "file.put", **file.named, **wrong)
    case.equal(file.begin(connection)["offset"], 0, "the upload is gone")
    case.refused(connection, 2009, None, "bytes that are not there are not given", "file.get", sha256=file.hash)
    case.equal(file.send(connection), {"there": True, "offset": len(file.data)}, "the right bytes are taken")
    case.peer.restart()
    connection = case.connect()
    case.equal(connection.ask("files.have", sha256s=[file.hash])["lacks"], [], "they are there")
    case.check(file.read(connection) == file.data, "they are given")
    case.equal(connection.ask("file.check", sha256=file.hash), {"there": True}, "they have their hash")


LAWS = [hello, empty, repeated, any_order, unreadable, taken, lacking, four_pages, out_of_order, replaced, live, refuses, limits,
        unknown_method, survives, files]
# The laws of one kind of peer: the law, the kind, and the reason why the other kind differs.
LAWS_OF_ONE = [
    (waits, "daemon", "a space keeps no notes, so it looks for no parents"),
    (quarantines, "daemon", "a space keeps nothing beside its log"),
    (begins, "daemon", "a space keeps only whole revisions"),
    (takes_any_order, "space", "a daemon shows notes, and needs the parents to merge"),
    (begins_nothing, "space", "a daemon continues a note whose past is gone"),
]


def keep(law, peer, stock, chance, check):
    """Runs a law."""
    case = Case(peer, stock, chance, lambda holds, what, *details: check(
        holds, f"{peer.kind}: {law.__doc__}: {what}", *details))
    try:
        law(case)
    except (LookupError, OSError, RuntimeError) as error:
        case.check(False, "the peer answers", repr(error))
    finally:
        case.end()
        peer.stop()


def breaks(law, peer, stock, chance):
    """Whether a peer breaks a law."""
    found = []
    keep(law, peer, stock, chance, lambda holds, *_: None if holds else found.append(law))
    return bool(found)


def run(checks, folder, database, chance):
    """Runs each law against fresh peers of both kinds. A law of one kind does not hold for the other."""
    folder = made(folder, "laws")
    stock = Stock(folder, chance)
    prepare(database)
    kinds = {"daemon": lambda name: DaemonPeer(folder, name), "space": lambda name: SpacePeer(database, name)}
    for kind, peer in kinds.items():
        laws = LAWS + [law for law, only, _ in LAWS_OF_ONE if only == kind]
        for law in laws:
            keep(law, peer(law.__name__), stock, chance, checks.check)
        for law, only, reason in LAWS_OF_ONE:
            if only != kind:
                checks.check(breaks(law, peer(law.__name__), stock, chance), f"{law.__doc__}: not for a {kind}, because {reason}")
        checks.say(f"a {kind} was held against {len(laws)} laws of peers")


# MARK: Planted faults


class Paged(Connection):
    """A connection that changes pages before the law sees them."""

    def line(self):
        answer = super().line()
        if answer.get("method") == "revisions.page":
            self.change(answer["params"])
        return answer


class Lossy(Paged):
    """Loses the last revision of each page."""

    def change(self, page):
        page["revisions"][-1:] = []


class Late(Paged):
    """Numbers pages from 2."""

    def change(self, page):
        page["seq"] += 1


class Hasty(Paged):
    """Acknowledges each page by itself, so the peer sends more than four."""

    def change(self, page):
        params = {"watch": page["watch"], "seq": page["seq"]}
        request = {"jsonrpc": "2.0", "id": "hasty", "method": "revisions.proceed", "params": params}
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()


class Deaf(Connection):
    """Offers only the first revision of each batch, and no beginning."""

    def send(self, method, **params):
        if method == "revisions.adopt":
            params = {"revisions": params["revisions"][:1]}
        super().send(method, **params)


class Forgetful(Connection):
    """Does not tell the peer what is refused."""

    def send(self, method, **params):
        params.pop("refuses", None)
        super().send(method, **params)


class Changed(Connection):
    """A connection that changes results before the law sees them."""

    def ask(self, method, **params):
        result = super().ask(method, **params)
        self.change(method, result)
        return result


class Nameless(Changed):
    """Each connection has another store."""

    def change(self, method, result):
        if method == "session.hello":
            result["store"] = f"{self.process.pid:016x}"


class Boastful(Changed):
    """Knows a revision that nobody offered, and has nothing in quarantine."""

    def change(self, method, result):
        if method == "revisions.known":
            result |= {"known": "a" * 16 + ":1", "quarantined": ""}


class Silent(Changed):
    """Counts what was known as committed, and names no revision."""

    def change(self, method, result):
        if method == "revisions.adopt":
            result |= {"committed": result["committed"] + result["known"], "known": 0, "waiting": [], "quarantined": [], "unreadable": []}


class Agreeable(Connection):
    """Answers each error with an empty result."""

    def ask(self, method, **params):
        try:
            return super().ask(method, **params)
        except Refused:
            return {}


class Split(Connection):
    """Offers revisions on a connection of their own, so they come back."""

    def ask(self, method, **params):
        if method != "revisions.adopt":
            return super().ask(method, **params)
        other = Connection(self.process.args)
        try:
            return other.ask(method, **params)
        finally:
            other.end()


class Forgetting(DaemonPeer):
    """A daemon that loses its store in a restart."""

    def restart(self):
        self.daemon.kill()
        shutil.rmtree(self.daemon.data)
        self.daemon.start()


# Each law, and the faults that break it.
PLANTED = {
    hello: [Nameless], empty: [Boastful], repeated: [Silent, Deaf, Lossy], any_order: [Deaf, Boastful], unreadable: [Silent, Deaf],
    taken: [Silent, Lossy], lacking: [Lossy, Late], four_pages: [Hasty, Late], out_of_order: [Hasty, Agreeable],
    replaced: [Late, Agreeable], live: [Split, Lossy], refuses: [Forgetful, Lossy], limits: [Deaf, Agreeable],
    unknown_method: [Agreeable], survives: [Forgetting, Lossy], files: [Agreeable, Forgetting],
    waits: [Silent, Forgetting], quarantines: [Boastful], begins: [Deaf],
}


def planted(checks, folder, chance):
    """Each fault breaks its law."""
    stock = Stock(folder, chance)
    laws = LAWS + [law for law, only, _ in LAWS_OF_ONE if only == "daemon"]
    checks.equal(set(PLANTED), set(laws), "each law of daemons has a fault")
    for law, faults in PLANTED.items():
        for fault in faults:
            name = f"{law.__name__}-{fault.__name__}"
            peer = Forgetting(folder, name) if fault is Forgetting else DaemonPeer(folder, name, fault)
            checks.check(breaks(law, peer, stock, chance), f"{fault.__name__} breaks a law: {law.__doc__}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--planted", action="store_true", help="only connections with faults, each of which a law notices")
    arguments = parser.parse_args()
    checks, chance, database = Checks("conformance", arguments.seed), random.Random(arguments.seed), None
    folder = open_folder("notesd-laws-")
    try:
        if arguments.planted:
            planted(checks, folder, chance)
        elif not programs():
            sys.exit("conformance: the server of PostgreSQL is missing; install postgresql")
        else:
            database = Postgres(folder)
            run(checks, folder, database, chance)
    finally:
        if database:
            database.stop()
        shutil.rmtree(folder, ignore_errors=True)
    checks.finish()


if __name__ == "__main__":
    main()
