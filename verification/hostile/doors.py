"""Files in the place of the daemon's socket and store, and input from its environment."""

import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import time

from daemon import PATIENCE_S, Client, Daemon

NOBODY = 65_534
IS_ROOT = os.geteuid() == 0


def environment(folder, **more):
    """The environment of a daemon to which no configuration of the machine applies."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("NOTESD_", "LISTEN_", "NOTIFY_"))}
    return inherited | {"XDG_CONFIG_HOME": folder, "SWIFT_BACKTRACE": "enable=no"} | more


class Door:
    """One start of the daemon, in a separate folder that was prepared before."""

    def __init__(self, parent, name):
        self.folder = os.path.join(parent, name.replace(" ", "-"))
        os.mkdir(self.folder, 0o755)
        self.data = os.path.join(self.folder, "data")
        self.socket = os.path.join(self.folder, "notesd.sock")
        self.program = os.path.join(os.environ["NOTESD_BIN_DIR"], "notesd")
        # A file elsewhere that must never change.
        self.treasure = os.path.join(self.folder, "treasure")
        with open(self.treasure, "w", encoding="ascii") as file:
            file.write("treasure\n")
        os.chmod(self.treasure, 0o640)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def directory(self, name, mode=0o700, owner=None):
        os.mkdir(self.path(name))
        os.chmod(self.path(name), mode)
        if owner is not None:
            os.chown(self.path(name), owner, owner)
        return self.path(name)

    def start(self, *options, before=(), handed=(), **variables):
        """The exit code and the output; a daemon that serves receives SIGTERM immediately, and the
        code is 0 then. `handed`: inherited descriptors."""
        command = [*before, self.program, "--socket", self.socket, "--data", self.data, *options]
        process = subprocess.Popen(
            command, env=environment(self.folder, **variables), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            preexec_fn=lambda: os.umask(0), errors="replace", pass_fds=handed)
        said = ""
        try:
            while line := process.stdout.readline():
                said += line
                if " listens on " in line:
                    self.met = self.look()
                    os.kill(self.served_by(process), signal.SIGTERM)
            return process.wait(timeout=PATIENCE_S), said
        finally:
            process.kill()
            process.wait()

    def served_by(self, process):
        """The daemon itself, if another program started it."""
        with open(f"/proc/{process.pid}/task/{process.pid}/children", encoding="ascii") as file:
            children = file.read().split()
        return int(children[0]) if children else process.pid

    def look(self):
        """The mode of the socket and its directory while the daemon serves."""
        if not os.path.exists(self.socket):
            return None
        return oct(stat.S_IMODE(os.stat(self.socket).st_mode)), oct(stat.S_IMODE(os.stat(os.path.dirname(self.socket)).st_mode))

    def is_untouched(self):
        with open(self.treasure, encoding="ascii") as file:
            return file.read() == "treasure\n" and stat.S_IMODE(os.stat(self.treasure).st_mode) == 0o640


def run(checks, folder):
    if not IS_ROOT:
        print("  without root there are no other users; their tests are skipped")
    the_socket_is_never_open(checks, folder)
    the_socket_is_put_where_only_its_owner_writes(checks, folder)
    the_store_is_where_only_its_owner_writes(checks, folder)
    the_configuration_is_no_strangers(checks, folder)
    what_a_manager_hands_over_is_looked_at(checks, folder)


def the_socket_is_never_open(checks, folder):
    """The socket is created with its final mode: at no moment can others connect. The system calls
    show that, in order."""
    door = Door(folder, "traced")
    door.socket = door.path("made", "below", "notesd.sock")
    trace = door.path("trace")
    if not shutil.which("strace"):
        print("  strace is missing; the test of the socket's mode is skipped")
        return
    calls = "trace=umask,bind,listen,chmod,fchmod,fchmodat,?fchmodat2,chown,fchown,lchown,fchownat,rename,renameat,renameat2,link,linkat"
    code, said = door.start(before=("strace", "-f", "-o", trace, "-e", calls))
    if not checks.equal(code, 0, "a daemon under strace serves", said):
        return
    checks.equal(door.met, ("0o600", "0o700"), "only the owner can use the socket and its directory, though no mask was set")
    with open(trace, encoding="utf-8", errors="replace") as file:
        lines = [line.rstrip() for line in file]
    bound = [number for number, line in enumerate(lines) if " bind(" in line and door.socket in line]
    if not checks.equal(len(bound), 1, "it is bound once", lines):
        return
    masks = [int(found[1], 8) for line in lines[:bound[0]] if (found := re.search(r" umask\((0\d*)\)", line))]
    checks.check(masks and masks[-1] & 0o177 == 0o177, "the mask at the bind allows nothing to others", masks)
    listened = [number for number, line in enumerate(lines) if " listen(" in line]
    checks.check(listened and min(listened) > bound[0], "the socket listens only afterwards", listened, bound)
    later = [line for line in lines[bound[0] + 1:] if re.search(r" (?:f?chmod|fchmodat2?|\w*chown\w*|rename\w*|link\w*)\(", line)]
    changed = [line for line in later if door.socket in line or f'"{os.path.dirname(door.socket)}"' in line]
    checks.equal(changed, [], "its mode, owner and name never change")


def the_socket_is_put_where_only_its_owner_writes(checks, folder):
    door = Door(folder, "places")
    door.directory("open", 0o777)
    door.directory("sticky", 0o1777)
    door.directory("readable", 0o755)
    os.symlink("open", door.path("link"))
    refused = {"open": "chmod o-w", "link": "chmod o-w"}
    if IS_ROOT:
        door.directory("theirs", 0o755, owner=NOBODY)
        door.directory("theirs-sticky", 0o1777, owner=NOBODY)
        refused |= {"theirs": "belongs to another user", "theirs-sticky": "belongs to another user"}
    for name, why in refused.items():
        door.socket = door.path(name, "notesd.sock")
        code, said = door.start()
        checks.check(code == 73 and why in said, f"a socket's directory that is {name} is refused with the reason", code, said)
        checks.check(not os.path.lexists(door.socket), "nothing is created in it", name)
    for name in ("sticky", "readable"):
        door.socket = door.path(name, "notesd.sock")
        code, said = door.start()
        checks.equal(code, 0, f"one that is {name} is accepted", said)

    kinds = {
        "file": lambda path: open(path, "w", encoding="ascii").close(), "pipe": os.mkfifo,
        "link": lambda path: os.symlink(door.treasure, path), "dangling": lambda path: os.symlink(door.path("nowhere"), path),
        "directory": os.mkdir}
    for kind, make in kinds.items():
        door.socket = door.path("readable", kind)
        make(door.socket)
        before = os.lstat(door.socket)
        code, said = door.start()
        checks.check(code == 73 and "is not a socket" in said, f"a {kind} where the socket is to be is left alone", code, said)
        after = os.lstat(door.socket)
        checks.equal((before.st_ino, before.st_mode), (after.st_ino, after.st_mode), "the file is unchanged", kind)
    checks.check(door.is_untouched() and not os.path.exists(door.path("nowhere")), "the targets of links are unchanged")

    # Another program was there first, in a folder where anybody may create files.
    door.socket = door.path("sticky", "squatted.sock")
    squatter = socket.socket(socket.AF_UNIX)
    squatter.bind(door.socket)
    squatter.listen(8)
    if IS_ROOT:
        os.chown(door.socket, NOBODY, NOBODY)
    code, said = door.start()
    checks.check(code == 75 and "listens on" in said, "the daemon does not start if another program listens there", code, said)
    checks.check(os.path.exists(door.socket), "the other program's socket stays")
    if IS_ROOT:
        client = os.path.join(os.environ["NOTESD_BIN_DIR"], "notesctl")
        squatter.close()
        told = subprocess.run(
            [client, "--socket", door.socket, "doctor"], env=environment(door.folder), capture_output=True, text=True, check=False)
        checks.check(f"belongs to another user ({NOBODY})" in told.stdout, "`notesctl doctor` names the owner of a socket", told.stdout)


def the_store_is_where_only_its_owner_writes(checks, folder):
    def refused(name, why, prepare, code=73):
        door = Door(folder, f"store {name}")
        prepare(door)
        found, said = door.start()
        checks.check(found == code and why in said, f"a store with {name} is refused with the reason", found, said)
        checks.check(door.is_untouched() and not os.path.exists(door.path("nowhere")), "nothing elsewhere is touched", name)
        checks.check(not os.path.lexists(door.socket), "there is no socket", name)

    def store(door):
        return door.directory("data")

    refused("a directory that others write", "is writable by other users", lambda door: door.directory("data", 0o777))
    refused("one of a group", "is writable by other users", lambda door: door.directory("data", 0o770))
    refused("one that is sticky", "is writable by other users", lambda door: door.directory("data", 0o1777))
    refused("a link to such", "is writable by other users",
            lambda door: (door.directory("open", 0o777), os.symlink("open", door.data)))
    refused("a link to a file", "is not a directory", lambda door: os.symlink(door.treasure, door.data))
    refused("a dangling link", "cannot be found", lambda door: os.symlink(door.path("nowhere"), door.data))
    if IS_ROOT:
        refused("a directory of somebody else's", "belongs to another user",
                lambda door: door.directory("data", 0o755, owner=NOBODY))
    for file in ("lock", "notes.sqlite3", "notes.sqlite3-wal"):
        for to in ("treasure", "nowhere"):
            refused(f"a link for {file} to {to}", "cannot be opened",
                    lambda door: os.symlink(door.path(to), os.path.join(store(door), file)))
    refused("a pipe for its file", "is not a plain file", lambda door: os.mkfifo(os.path.join(store(door), "notes.sqlite3")))
    # A file that can be rebuilt does not prevent a start.
    door = Door(folder, "search")
    os.symlink(door.treasure, os.path.join(store(door), "search.sqlite3"))
    code, said = door.start()
    checks.equal(code, 0, "a link for the search index does not prevent a start", said)
    checks.check(door.is_untouched(), "its target is not touched")
    modes = {name: oct(stat.S_IMODE(os.lstat(os.path.join(door.data, name)).st_mode)) for name in os.listdir(door.data)
             if not os.path.islink(os.path.join(door.data, name))}
    checks.equal(modes.pop("files", None), "0o700", "the folder of files is private")
    checks.equal(set(modes.values()), {"0o600"}, "all files of a store are private, though no mask was set", modes)


def the_configuration_is_no_strangers(checks, folder):
    """The writer of the configuration decides who has access, and where."""
    def written(door, *names, mode=0o644, owner=None):
        path = door.path(*names)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="ascii") as file:
            file.write('[access]\nadmin = ["*"]\n')
        os.chmod(path, mode)
        if owner is not None:
            os.chown(path, owner, owner)
        return path

    for place in (("notesd", "notesd.toml"), ("notesd", "conf.d", "50-more.toml")):
        cases = [("anybody may write", 0o646, None, "all users can write it")]
        if IS_ROOT:
            cases.append(("is another user's", 0o644, NOBODY, "belongs to another user"))
        for name, mode, owner, why in cases:
            door = Door(folder, f"{place[-1]} that {name}")
            path = written(door, *place, mode=mode, owner=owner)
            code, said = door.start()
            checks.check(code == 78 and path in said and why in said, f"a {place[-1]} that {name} is refused", code, said)
        door = Door(folder, f"own {place[-1]}")
        written(door, *place)
        checks.equal(door.start()[0], 0, f"a {place[-1]} of the daemon's user is accepted")
    door = Door(folder, "no configuration")
    checks.equal(door.start("--config", "/dev/null")[0], 0, "a device may be given as the configuration, even if others can write it")
    if IS_ROOT:
        a_stranger_lets_himself_in(checks, folder)


def a_stranger_lets_himself_in(checks, folder):
    """An untrusted file appears beside the configuration while the daemon runs."""
    below = os.path.join(folder, "reloaded")
    os.makedirs(os.path.join(below, "notesd", "conf.d"))
    daemon = Daemon(below)
    try:
        os.chmod(daemon.socket, 0o666)
        path = os.path.join(below, "notesd", "conf.d", "99-me-too.toml")
        with open(path, "w", encoding="ascii") as file:
            file.write('[access]\nadmin = ["*"]\n[log]\nlevel = "debug"\n')
        os.chown(path, NOBODY, NOBODY)
        os.kill(daemon.pid, signal.SIGHUP)
        until = time.monotonic() + PATIENCE_S
        told = ""
        while "belongs to another user" not in told and time.monotonic() < until:
            time.sleep(0.02)
            with open(daemon.log, encoding="utf-8", errors="replace") as file:
                told = file.read()
        checks.check("belongs to another user" in told, "a running daemon reports that it refuses an untrusted file", told)
        owner = Client(daemon.socket, "owner")
        kept = [one for one in owner.ask("daemon.config")["settings"] if one["key"] == "access.admin"]
        checks.check([one["value"] for one in kept] == ["[]"], "the earlier configuration stays in force", kept)
        owner.close()
    finally:
        daemon.end()


def sockets_that_are_none(door):
    """Descriptors that could be taken for the daemon's socket, each with a name."""
    bound = socket.socket(socket.AF_UNIX)
    bound.bind(door.path("bound"))
    connected, door.peer = socket.socketpair()
    packets = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    packets.bind(door.path("packets"))
    packets.listen()
    network = socket.socket()
    network.bind(("127.0.0.1", 0))
    network.listen()
    return (("a socket that does not listen", bound), ("one that is connected", connected), ("one of packets", packets),
            ("one of the network", network))


def what_a_manager_hands_over_is_looked_at(checks, folder):
    door = Door(folder, "handed over")
    # The shell becomes the daemon, so they have the same process number.
    counts = {"-1": "a count", "": "a count", "x": "a count", "1025": "a count", "99999999999999999999": "a count",
              "1": "is not a listening Unix stream socket", "2": "passed 2 sockets"}
    for count, why in counts.items():
        code, said = door.start(before=("sh", "-c", 'export LISTEN_PID=$$; exec "$0" "$@" 3</dev/null'), LISTEN_FDS=count)
        checks.check(code == 64 and why in said, f"LISTEN_FDS={count} is refused with the reason", code, said)
    for what, one in sockets_that_are_none(door):
        with one:
            become = f'export LISTEN_PID=$$; exec "$0" "$@" 3<&{one.fileno()}'
            code, said = door.start(before=("bash", "-c", become), handed=[one.fileno()], LISTEN_FDS="1")
        checks.check(code == 64 and "is not a listening Unix stream socket" in said, f"{what} is refused with the reason", code, said)
    code, said = door.start(LISTEN_PID="1", LISTEN_FDS="1")
    checks.equal(code, 0, "sockets for another process are not accepted", said)
    checks.equal(door.met[0], "0o600", "the daemon makes its own socket")
    for path in ("/" + "x" * 200, "relative/path", "@" + "x" * 200, "@", "/", "/nowhere/at/all", "vsock:2:1234"):
        code, said = door.start(NOTIFY_SOCKET=path)
        checks.equal(code, 0, f"a daemon serves with any NOTIFY_SOCKET: {path[:20]}", said)
