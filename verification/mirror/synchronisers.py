"""Other programs that change a mirrored folder: git rebase, Unison, and two Syncthings."""

import os
import re
import shutil
import socket
import subprocess
import time
import urllib.request

from cases import git_in
from scene import PATIENCE_S, Scene

# Notes that every part begins with.
COUNT = 20


def _scene(checks, folder):
    """A scene whose folder has notes."""
    scene = Scene(folder)
    for number in range(COUNT):
        scene.write(f"{number}.md", f"the first line of {number}\n\n\nthe last line of {number}\n")
    scene.mirror.start()
    checks.check(scene.is_in_step(), "the files become notes", scene.mirror.said())
    return scene


def rebase(checks, seed, folder):
    """git rebase takes the commits of a branch back and applies them again, one after the other."""
    scene = _scene(checks, folder)
    git_in(scene.place, "init", "-q", "-b", "main")
    git_in(scene.place, "add", ".")
    git_in(scene.place, "commit", "-qm", "all")
    ids = {head["name"]: head["id"] for head in scene.heads()}
    git_in(scene.place, "checkout", "-qb", "branch")
    for number in range(6):
        text = scene.read(f"{number}.md")
        scene.write(f"{number}.md", f"the branch wrote this in {number}\n" + text)
        scene.write(f"new {number}.md", f"a new file {number}\n")
        git_in(scene.place, "add", ".")
        git_in(scene.place, "commit", "-qm", str(number))
    git_in(scene.place, "checkout", "-q", "main")
    for number in range(3, 9):
        scene.write(f"{number}.md", scene.read(f"{number}.md") + f"main wrote this in {number}\n")
    git_in(scene.place, "commit", "-qam", "main")
    git_in(scene.place, "checkout", "-q", "branch")
    checks.check(scene.is_in_step(), "both sides are equal before the rebase", scene.differences())
    git_in(scene.place, "rebase", "-q", "main")
    checks.check(scene.is_in_step(), "both sides are equal after the rebase", scene.differences(), scene.mirror.said()[-500:])
    for number in range(9):
        lines = (scene.text(str(number)) or "").splitlines()
        checks.equal(f"the branch wrote this in {number}" in lines, number < 6, f"{number} has the commit of the branch, if any")
        checks.equal(f"main wrote this in {number}" in lines, number >= 3, f"{number} has the commit of main, if any")
    status = subprocess.run(("git", "status", "--porcelain"), cwd=scene.place, capture_output=True, check=True, timeout=PATIENCE_S).stdout
    checks.equal(status, b"", "git has all of it")
    now = {head["name"]: head["id"] for head in scene.heads()}
    checks.equal({name: now.get(name) for name in ids}, ids, "each note is the same one")
    scene.close()


def _both_ways(checks, scene, other, moved):
    """Changes of a client and of the other folder reach each other; concurrent ones lose nothing.

    `moved` carries changes between both folders, and returns at once.
    """
    def arrives(holds, what):
        def carried():
            moved()
            return holds()
        # A synchroniser that met a locked or changing file tries again after up to a minute.
        checks.check(scene.until(carried, 3 * PATIENCE_S), what, scene.differences(), scene.mirror.said()[-500:])

    ids = {head["name"]: head["id"] for head in scene.heads()}
    path = os.path.join(other, "0.md")
    arrives(lambda: os.path.exists(path), "the other folder gets the files")
    with open(path, "a", encoding="utf-8") as file:
        file.write("the other folder wrote this\n")
    arrives(lambda: "the other folder wrote this" in scene.text("0"), "a change there becomes one of the note")
    scene.insert("1", "a client wrote this")
    arrives(lambda: "a client wrote this" in (scene.read("1.md", other) or ""), "a change of the note gets there")
    with open(os.path.join(other, "new.md"), "w", encoding="utf-8") as file:
        file.write("a new file\n")
    arrives(lambda: scene.text("new") == "a new file\n", "a new file there becomes a note")
    os.unlink(os.path.join(other, "2.md"))
    arrives(lambda: scene.note("2") is None, "a removal there deletes the note")
    # Both sides change one note while nothing carries.
    with open(os.path.join(other, "3.md"), "a", encoding="utf-8") as file:
        file.write("the other folder wrote this too\n")
    scene.insert("3", "a client wrote this too", 0)
    checks.check(scene.until(lambda: "a client wrote this too" in scene.read("3.md")), "the client's line comes into the folder")

    def everywhere():
        texts = [scene.read(name, place) or "" for place in (scene.place, other) for name in os.listdir(place) if name.startswith("3.")]
        return "\n".join(texts)

    arrives(lambda: all(line in everywhere() for line in ("the other folder wrote this too", "a client wrote this too")),
            "concurrent changes are both there")
    checks.check("a client wrote this too" in "".join(scene.revisions(ids["3"])), "the history has the client's line")
    now = {head["name"]: head["id"] for head in scene.heads()}
    checks.equal({name: now.get(name) for name in ids if name != "2"}, {name: ids[name] for name in ids if name != "2"},
                 "each note is the same one")
    checks.check(scene.until(lambda: not scene.differences()), "notes and files are equal", scene.differences())


def unison(checks, seed, folder):
    """Unison keeps the mirrored folder and another one in step."""
    if not shutil.which("unison"):
        checks.say("skipped Unison: not installed")
        return
    scene = _scene(checks, folder)
    other = os.path.join(folder, "other")
    os.makedirs(other)

    def moved():
        # 1 and 2: it has left out conflicts, or files that changed meanwhile.
        done = subprocess.run(("unison", "-ui", "text", "-batch", "-auto", "-confirmbigdel=false", scene.place, other),
                              env=dict(os.environ, UNISON=os.path.join(folder, "archives"), HOME=folder), stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=PATIENCE_S, check=False)
        checks.check(done.returncode in (0, 1, 2), "Unison runs", done.stderr[-500:])

    _both_ways(checks, scene, other, moved)
    scene.close()


def _free_port():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]


class Syncthing:
    """One Syncthing that talks to another one on this machine only."""

    def __init__(self, home, folder):
        self.home, self.folder, self.process = home, folder, None
        self.port, self.gui = _free_port(), _free_port()
        self._run("generate", "--no-default-folder")
        self.id = self._run("--device-id").strip()

    def _run(self, command, *options):
        words = ["syncthing", command, f"--home={self.home}"] if not command.startswith("-") else ["syncthing", f"--home={self.home}", command]
        done = subprocess.run([*words, *options], env=dict(os.environ, HOME=self.home), capture_output=True, text=True, timeout=PATIENCE_S, check=True)
        return done.stdout

    def start(self, other):
        devices = "".join(f'<device id="{one.id}" compression="never"><address>tcp://127.0.0.1:{one.port}</address></device>'
                          for one in (self, other))
        members = "".join(f'<device id="{one.id}"/>' for one in (self, other))
        config = f"""<configuration version="36">
<folder id="notes" path="{self.folder}" type="sendreceive" rescanIntervalS="5" fsWatcherEnabled="true" fsWatcherDelayS="1">{members}</folder>
{devices}
<gui enabled="true" tls="false"><address>127.0.0.1:{self.gui}</address><apikey>mirror</apikey></gui>
<options><listenAddress>tcp://127.0.0.1:{self.port}</listenAddress><globalAnnounceEnabled>false</globalAnnounceEnabled>
<localAnnounceEnabled>false</localAnnounceEnabled><relaysEnabled>false</relaysEnabled><natEnabled>false</natEnabled>
<startBrowser>false</startBrowser><urAccepted>-1</urAccepted><crashReportingEnabled>false</crashReportingEnabled>
<autoUpgradeIntervalH>0</autoUpgradeIntervalH><reconnectionIntervalS>1</reconnectionIntervalS></options>
</configuration>"""
        with open(os.path.join(self.home, "config.xml"), "w", encoding="utf-8") as file:
            file.write(config)
        with open(os.path.join(self.home, "log"), "ab") as log:
            self.process = subprocess.Popen(("syncthing", "serve", f"--home={self.home}", "--no-browser", "--no-restart", "--no-upgrade"),
                                            env=dict(os.environ, HOME=self.home), stdout=log, stderr=log)

    def scan(self):
        request = urllib.request.Request(f"http://127.0.0.1:{self.gui}/rest/db/scan?folder=notes", method="POST", headers={"X-API-Key": "mirror"})
        try:
            urllib.request.urlopen(request, timeout=5).close()
        except OSError:
            # It is starting.
            time.sleep(0.2)

    def said(self):
        with open(os.path.join(self.home, "log"), "rb") as log:
            return re.sub(r"\[[A-Z0-9]{5}\] ", "", log.read().decode(errors="replace"))[-1500:]

    def end(self):
        if self.process:
            self.process.terminate()
            self.process.wait(timeout=PATIENCE_S)


def syncthing(checks, seed, folder):
    """Two Syncthings keep the mirrored folder and another one in step."""
    if not shutil.which("syncthing"):
        checks.say("skipped Syncthing: not installed")
        return
    scene = _scene(checks, folder)
    other = os.path.join(folder, "other")
    os.makedirs(other)
    ours, theirs = Syncthing(os.path.join(folder, "home 1"), scene.place), Syncthing(os.path.join(folder, "home 2"), other)
    try:
        for place in (scene.place, other):
            os.makedirs(os.path.join(place, ".stfolder"))
        ours.start(theirs)
        theirs.start(ours)

        def moved():
            for one in (ours, theirs):
                one.scan()

        _both_ways(checks, scene, other, moved)
        if checks.failed:
            checks.say(ours.said() + theirs.said())
    finally:
        ours.end()
        theirs.end()
    scene.close()


ALL = [("rebase", rebase), ("unison", unison), ("syncthing", syncthing)]
