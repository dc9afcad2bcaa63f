"""A PostgreSQL server of this suite alone, on a Unix socket in a directory of its own."""

import glob
import os
import shutil
import subprocess
import time

from places import PATIENCE_S

# The user who runs the server if this suite runs as root, which PostgreSQL refuses.
USERS = ("postgres", "nobody")
PORT = 5432


def programs():
    """The directory of the server's programs; None if they are not installed."""
    places = sorted(glob.glob("/usr/lib/postgresql/*/bin/postgres"), reverse=True) + [shutil.which("postgres") or ""]
    found = [os.path.dirname(place) for place in places if place and os.access(os.path.join(os.path.dirname(place), "initdb"), os.X_OK)]
    return found[0] if found else None


def _as_user():
    """What comes before a command of the server's user, and that user's name."""
    if os.geteuid() != 0:
        return [], None
    for user in USERS:
        if subprocess.run(["id", user], capture_output=True).returncode == 0:
            return ["setpriv", "--reuid", user, "--regid", str(int(subprocess.check_output(["id", "-g", user]))), "--clear-groups"], user
    raise RuntimeError("PostgreSQL does not run as root, and there is no user postgres or nobody")


class Postgres:
    """A server. Its superuser is `admin`; every role but `locked` connects without a password."""

    def __init__(self, folder, name="postgres", base=None):
        self.folder = os.path.join(folder, name)
        self.data = os.path.join(self.folder, "data")
        self.before, self.user = _as_user()
        os.mkdir(self.folder, 0o755)
        if self.user:
            shutil.chown(self.folder, self.user)
        self.process, self.port = None, PORT
        if base:
            self.command("pg_basebackup", "-D", self.data, "-R", "-X", "stream", "-h", base.folder, "-U", "admin")
        else:
            self.command("initdb", "-D", self.data, "-U", "admin", "-A", "trust", "-E", "UTF8", "--locale", "C")
            self.write("pg_hba.conf", "local all locked scram-sha-256\nlocal all all trust\nlocal replication all trust\n")
        self.start()

    def write(self, name, text):
        subprocess.run(self.before + ["tee", os.path.join(self.data, name)], input=text, text=True, check=True, stdout=subprocess.DEVNULL)

    def command(self, program, *arguments, text=None):
        """The output of a program of PostgreSQL."""
        done = subprocess.run(self.before + [os.path.join(programs(), program), *arguments], input=text, capture_output=True, text=True,
                              timeout=PATIENCE_S * 2, cwd="/", env={"PATH": os.environ["PATH"], "LC_ALL": "C", "HOME": self.folder, "PGPORT": str(self.port)})
        if done.returncode != 0:
            raise RuntimeError(f"{program}: {done.stderr[-1500:]}")
        return done.stdout

    def start(self, *settings, port=PORT):
        """Starts the server, with settings of the form NAME=VALUE."""
        self.port = port
        options = [word for setting in ("listen_addresses=", f"port={port}", *settings) for word in ("-c", setting)]
        with open(os.path.join(self.folder, "log") if not self.before else f"{self.folder}.log", "ab") as log:
            self.process = subprocess.Popen(
                self.before + [os.path.join(programs(), "postgres"), "-D", self.data, *options,
                               "-c", f"unix_socket_directories={self.folder}", "-c", "max_connections=60"],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd="/", start_new_session=True)
        until = time.monotonic() + PATIENCE_S
        while subprocess.run([os.path.join(programs(), "pg_isready"), "-q", "-h", self.folder, "-p", str(port)]).returncode != 0:
            if time.monotonic() > until or self.process.poll() is not None:
                raise RuntimeError("the database server does not start")
            time.sleep(0.05)

    def kill(self):
        """Kills the server and its children, as a power cut does to processes."""
        with open(os.path.join(self.data, "postmaster.pid")) as file:
            pid = int(file.readline())
        children = [int(word) for word in subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True).stdout.split()]
        for process in [pid, *children]:
            try:
                os.kill(process, 9)
            except ProcessLookupError:
                pass
        self.process.wait()

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.send_signal(2)
            try:
                self.process.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                self.kill()

    def url(self, role, database="notes", **parameters):
        words = "&".join(f"{name}={value}" for name, value in ({"host": self.folder, "port": self.port} | parameters).items())
        return f"postgres://{role}@/{database}?{words}"

    def sql(self, statement, database="notes", role="admin"):
        """The rows of a statement, one line each."""
        return self.command("psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-h", self.folder, "-U", role, "-d", database,
                            text=statement).strip()

    def backends(self, database="notes"):
        """The process ids of the server's connections with gateways."""
        return [int(line) for line in self.sql(
            "SELECT pid FROM pg_stat_activity WHERE application_name = 'notesd-postgres'", database).split()]


class Held:
    """A transaction that holds a lock; without a statement, that of every space."""

    def __init__(self, database, name="notes", statement="SELECT FROM notes.space FOR UPDATE"):
        self.process = subprocess.Popen([os.path.join(programs(), "psql"), "-X", "-q", "-h", database.folder, "-U", "admin", "-d", name],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdin.write(f"BEGIN; {statement}; \\echo held\n")
        self.process.stdin.flush()
        while "held" not in self.process.stdout.readline():
            pass

    def release(self):
        self.process.stdin.close()
        self.process.wait(PATIENCE_S)
