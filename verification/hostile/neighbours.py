"""Tests other users of the machine who can open the socket: the identity that the daemon gives
them, their limits, and the files that it writes for them."""

import array
import contextlib
import os
import socket
import stat
import struct
import time

import strictjson
from bystander import Bystander
from daemon import PATIENCE_S, Client, Daemon, Refused
from doors import IS_ROOT

# Ids that no user of the machine has: the daemon's, two allowed users, one refused user, and an
# administrator.
OWNER, ADA, MALLORY, CARL, ADMIN = 64_101, 64_102, 64_103, 64_104, 64_105
# The first is beyond the largest signed integer; the second is the last valid user id.
LARGE, LAST = 2**31 + 5, 2**32 - 2
EDITORS = 64_110


@contextlib.contextmanager
def acting_as(user, groups=()):
    """A connection made here belongs to that user, according to the kernel."""
    own = os.getgroups()
    os.setgroups(list(groups))
    os.setegid(user)
    os.seteuid(user)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)
        os.setgroups(own)


def client_of(user, daemon, name="test", groups=()):
    with acting_as(user, groups):
        return Client(daemon.socket, name)


def refusal(client, method, **params):
    """The code of the error, or the fate of the connection; None on success."""
    try:
        client.ask(method, **params)
        return None
    except Refused as error:
        return error.args[0]["code"]
    except OSError as fault:
        return repr(fault)


def hello_of(connected):
    """The daemon's response to the hello of a connection, as a dictionary."""
    connected.settimeout(PATIENCE_S)
    connected.sendall(strictjson.dump({
        "jsonrpc": "2.0", "id": 1, "method": "session.hello", "params": {"protocol": [1], "client": {"name": "stranger"}}}) + b"\n")
    with connected.makefile("rb") as lines:
        return strictjson.parse(lines.readline()[:-1], None)


def has_all_users():
    """Whether this root has all users, and is not the root of a container with some of them."""
    with open("/proc/self/uid_map", encoding="ascii") as file:
        return any(int(line.split()[2]) >= LAST for line in file)


def opened(folder, settings):
    """A daemon of a separate user whose socket everybody can open."""
    os.makedirs(folder, exist_ok=True)
    os.chown(folder, OWNER, OWNER)
    os.chmod(folder, 0o755)
    daemon = Daemon(folder, settings, user=OWNER)
    os.chmod(daemon.socket, 0o666)
    return daemon


def run(checks, folder):
    if not IS_ROOT or not has_all_users():
        print("  without root over all users there are no other users; neighbours is skipped")
        return
    with_daemon(checks, os.path.join(folder, "known"), [
        f"access.read={CARL}", f"access.write={ADA},{LARGE},@{EDITORS}", f"access.admin={ADMIN}", "threads=1"],
        they_are_whom_the_kernel_says, descriptors_are_not_kept, rights_are_kept_to)
    with_daemon(checks, os.path.join(folder, "backups"), [f"access.admin={ADMIN}"], backups_go_nowhere_else)
    with_daemon(checks, os.path.join(folder, "crowded"), [
        "access.write=*", "limits.connections_max=80", "limits.hello_seconds_max=600", "limits.user_in_flight_max=8",
        "threads=1"],
        the_silent_starve_nobody, a_flood_starves_nobody)
    with_daemon(checks, os.path.join(folder, "hasty"), ["access.write=*", "limits.hello_seconds_max=1"], the_silent_are_sent_away)


def with_daemon(checks, folder, settings, *parts):
    daemon = opened(folder, settings)
    try:
        for part in parts:
            part(checks, daemon, folder)
        checks.check(daemon.lives, "the daemon lives")
        code, said = daemon.stop()
        checks.equal((code, said, daemon.complaints()), (0, "", []), "it ends without an error, and its store is intact")
    finally:
        daemon.end()


def they_are_whom_the_kernel_says(checks, daemon, folder):
    for user, groups, access in ((OWNER, (), "admin"), (0, (), "admin"), (ADA, (), "write"), (LARGE, (), "write"), (CARL, (), "read"),
                                 (MALLORY, (EDITORS,), "write"), (CARL, (EDITORS, 7), "write"), (ADMIN, (), "admin")):
        client = client_of(user, daemon, groups=groups)
        got = client.hello["user"]["uid"], client.hello["access"]
        checks.equal(got, (user, access), f"the user {user}, of groups {groups}, is known by their id")
        client.close()

    # Names of sockets that contain another user's id, for a program that parses a peer's address as
    # text.
    os.mkdir(os.path.join(folder, "theirs"))
    os.chown(os.path.join(folder, "theirs"), MALLORY, MALLORY)
    names = [os.path.join(folder, "theirs", "sock;uid=0;"), os.path.join(folder, "theirs", f"pid=1;uid={OWNER};gid={OWNER};"),
             f"\0pid=1;uid=0;gid=0;socket={daemon.socket};", f"\0uid={ADMIN}", "\0root"]
    for user in (MALLORY, LARGE + 1, LAST, 65_534):
        for name in names if user == MALLORY else names[2:3]:
            with acting_as(user), socket.socket(socket.AF_UNIX) as stranger:
                stranger.bind(name)
                stranger.connect(daemon.socket)
                answer = hello_of(stranger)
                checks.check(answer.get("error", {}).get("code") == 6001, "a socket's name gives nobody access", name, answer)
                checks.equal(stranger.recv(1), b"", "the connection is closed", name)

    # A connection belongs to its user, no matter which process writes to it later and what the data claims.
    with acting_as(CARL):
        passed_on = socket.socket(socket.AF_UNIX)
        passed_on.connect(daemon.socket)
    line = b'{"jsonrpc":"2.0","id":1,"method":"session.hello","params":{"protocol":[1],"client":{"name":"x"}}}\n'
    passed_on.settimeout(PATIENCE_S)
    passed_on.sendmsg([line], [(socket.SOL_SOCKET, socket.SCM_CREDENTIALS, struct.pack("iII", os.getpid(), 0, 0))])
    with passed_on.makefile("rb") as lines:
        told = strictjson.parse(lines.readline()[:-1], None)["result"]
        checks.equal((told["user"]["uid"], told["access"]), (CARL, "read"), "data that root writes to a user's connection counts as that user's")
    passed_on.close()


def descriptors_are_not_kept(checks, daemon, folder):
    """Descriptors sent along with a line would leak into the daemon if it accepted them."""
    client = client_of(ADA, daemon)
    before = daemon.files()
    pipe = os.pipe()
    line = b'{"jsonrpc":"2.0","id":"ping","method":"session.ping"}\n'
    for _ in range(50):
        client.socket.sendmsg([line], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [pipe[0]] * 20))])
        client.read()
    # By this response, the daemon has read all of them.
    checks.equal(daemon.files(), before, "passed descriptors are not accepted")
    for end in pipe:
        os.close(end)
    client.close()


def rights_are_kept_to(checks, daemon, folder):
    owner = client_of(OWNER, daemon)
    note = owner.ask("note.create", text="the owner's\n", name="of-owner")["note"]
    writes = {
        "note.create": {"text": "x\n"}, "note.save": {"id": note["id"], "base": note["version"], "text": "x\n"},
        "note.edit": {"id": note["id"], "base": note["version"], "edits": [{"start": 0, "end": 0, "text": "x"}]},
        "note.delete": {"id": note["id"], "base": note["version"]}}
    administers = {"daemon.backup": {"path": os.path.join(folder, "stolen.db")}, "daemon.config": {}}
    for user, refused in ((CARL, writes | administers), (ADA, administers)):
        client = client_of(user, daemon)
        for method, params in refused.items():
            checks.equal(refusal(client, method, **params), 6001, f"{method} is refused for the user {user}")
        checks.equal(refusal(client, "note.get", id=note["id"]), None, "a user with read access can read")
        client.close()
    checks.check(not os.path.exists(os.path.join(folder, "stolen.db")), "no backup was made")
    checks.equal(owner.ask("note.get", id=note["id"])["note"]["version"], note["version"], "the note is unchanged")
    owner.close()


def backups_go_nowhere_else(checks, daemon, folder):
    """Nothing is overwritten for anybody; and an administrator who is not the daemon's user cannot
    choose the place of a backup."""
    inside = os.path.join(folder, "inside")
    os.mkdir(inside, 0o700)
    os.chown(inside, OWNER, OWNER)
    treasure = os.path.join(inside, "treasure")
    with open(treasure, "w", encoding="ascii") as file:
        file.write("treasure\n")
    os.mkfifo(os.path.join(inside, "pipe"), 0o666)
    os.symlink("treasure", os.path.join(inside, "link"))
    os.symlink("nowhere", os.path.join(inside, "dangling"))
    os.symlink("loop", os.path.join(inside, "loop"))
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(os.path.join(inside, "socket"))
    roots = os.path.join(folder, "roots")
    os.mkdir(roots, 0o755)
    before = sorted(os.listdir(inside))
    client = client_of(OWNER, daemon)
    store = sorted(os.listdir(daemon.data))
    refused = [
        "relative/name", "../above", "..", ".", "", ".hidden", "./name", *(os.path.join(inside, name) for name in before),
        os.path.join(inside, "treasure", "below"), os.path.join(inside, "nowhere", "x"), os.path.join(inside, "x" * 300),
        "/dev/stdout", "/dev/stderr", "/dev/null", "/dev/full", "/proc/self/fd/1", f"/proc/{daemon.pid}/mem", "/proc/self/environ",
        os.path.join(daemon.data, "x"), os.path.join(daemon.data, "backups", "..", "x"), f"{daemon.data}/./x",
        f"/proc/self/cwd/../{'x' * 300}", "a\0b", os.path.join(inside, "a\0b"), "/" + "x/" * 3000, "\ud800", 7, ["x"], {}]
    for path in refused:
        if path == "\ud800":
            client.socket.sendall(b'{"jsonrpc":"2.0","id":"half","method":"daemon.backup","params":{"path":"\\ud800"}}\n')
            answer = client.read()
            checks.check(answer.get("error", {}).get("code") in (-32700, -32602), "half a surrogate pair is not a path", answer)
        else:
            code = refusal(client, "daemon.backup", path=path)
            checks.check(code == -32602, "a backup is not made there", path if len(str(path)) < 200 else "long", code)
    for path in (os.path.join(roots, "x"), roots, "/", "/x", "/etc/x", os.path.expanduser("~root/x"), "/proc/x"):
        code = refusal(client, "daemon.backup", path=path)
        checks.check(code in (3003, -32602), "no backup is made where the daemon's user may not write", path, code)
    checks.equal(sorted(os.listdir(inside)), before, "the folder is unchanged")
    checks.equal((os.listdir(roots), sorted(os.listdir(daemon.data))), ([], store), "no other folder has changed")
    with open(treasure, encoding="ascii") as file:
        checks.equal(file.read(), "treasure\n", "nothing was overwritten")
    client.close()

    # A line of a note would be a line of that file, which the daemon's user may execute.
    client = client_of(ADMIN, daemon)
    client.ask("note.create", text="\nssh-ed25519 AAAA somebody\n")
    for path in (os.path.join(inside, "authorized_keys"), inside, inside + "/", os.path.join(daemon.data, "backups", "x"), "/"):
        checks.equal(refusal(client, "daemon.backup", path=path), 6001, "an administrator cannot choose the place of a backup", path)
    for path in ("", ".", "..", ".hidden", "./x", "../x", "a/b"):
        checks.equal(refusal(client, "daemon.backup", path=path), -32602, "only a plain name is accepted", path)
    checks.equal(sorted(os.listdir(inside)), before, "no backup is in the folders of others")
    made = client.ask("daemon.backup", path="mine.db")["path"]
    found = os.lstat(made)
    checks.equal((made, oct(found.st_mode), found.st_uid), (
        os.path.join(daemon.data, "backups", "mine.db"), oct(stat.S_IFREG | 0o600), OWNER), "only the daemon's user can read a backup")
    checks.equal(refusal(client, "daemon.backup", path="mine.db"), -32602, "a backup is not overwritten")
    listener.close()
    client.close()


def ended(connection):
    try:
        return connection.recv(1, socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def the_silent_starve_nobody(checks, daemon, folder):
    """A user opens as many connections as possible and sends nothing. Other users can still
    connect, and existing connections continue."""
    bystander = Bystander(daemon)
    bystander.start()
    silent = []

    def crowd(count):
        with acting_as(MALLORY):
            for _ in range(count):
                one = socket.socket(socket.AF_UNIX)
                one.connect(daemon.socket)
                silent.append(one)
    crowd(300)
    until = time.monotonic() + PATIENCE_S
    while sum(ended(one) for one in silent) < 300 - 20 and time.monotonic() < until:
        time.sleep(0.02)
    held = 300 - sum(ended(one) for one in silent)
    checks.check(0 < held <= 20, "silent connections take at most a quarter of all", held)
    for user in (ADA, OWNER, CARL, 0):
        client = client_of(user, daemon)
        checks.equal(refusal(client, "note.list"), None, f"the user {user} can connect meanwhile")
        crowd(40)
        checks.equal(refusal(client, "note.list"), None, "stays connected meanwhile")
        client.close()
    for one in silent:
        one.close()

    # The same with hello: one user may have half of all connections.
    loud, turned_away = [], 0
    for _ in range(60):
        try:
            loud.append(client_of(MALLORY, daemon))
        except OSError:
            turned_away += 1
    checks.equal((len(loud), turned_away), (40, 20), "one user gets half of all connections")
    client = client_of(ADA, daemon)
    checks.equal(refusal(client, "note.list"), None, "another user is served meanwhile")
    client.close()
    for one in loud:
        one.close()
    bystander.is_over.set()
    bystander.join(PATIENCE_S)
    checks.equal(bystander.faults, [], "an existing connection is not disturbed")


def a_flood_starves_nobody(checks, daemon, folder):
    """A user sends requests on many connections without reading. The daemon buffers little for
    them, and others do not wait."""
    text = "x" * 100_000 + "\n"
    line = strictjson.dump({"jsonrpc": "2.0", "id": 1, "method": "note.create", "params": {"text": text}}) + b"\n"
    flood = [client_of(MALLORY, daemon) for _ in range(10)]
    for one in flood:
        one.socket.setblocking(False)
        with contextlib.suppress(BlockingIOError):
            while True:
                one.socket.send(line * 2)
    client = client_of(ADA, daemon)
    for number in range(20):
        checks.equal(refusal(client, "note.create", text=f"{number}\n"), None, "another user writes during a flood")
    refused = 0
    for one in flood:
        one.socket.settimeout(PATIENCE_S)
        refused += strictjson.parse(one.lines.readline()[:-1], None).get("error", {}).get("code") == 4003
        one.close()
    checks.check(refused > 0, "the flooding user gets errors", refused)
    client.close()


def the_silent_are_sent_away(checks, daemon, folder):
    with acting_as(MALLORY):
        silent = [socket.socket(socket.AF_UNIX) for _ in range(20)]
        for number, one in enumerate(silent):
            one.connect(daemon.socket)
            # A line that never ends is not a hello, either.
            one.send(b'{"jsonrpc":"2.0",' * (number % 3))
    until = time.monotonic() + PATIENCE_S
    while not all(ended(one) for one in silent) and time.monotonic() < until:
        for one in silent:
            with contextlib.suppress(OSError):
                one.send(b" ")
        time.sleep(0.02)
    checks.check(all(ended(one) for one in silent), "a connection without a hello is closed in time, even if it sends single bytes")
    for one in silent:
        one.close()
