"""Keeps what a failing case leaves, for its diagnosis: a folder for each of the first few.

The folder contains what the daemon was started on (an image of the disk, or the files), the ledger
that it was held to, its socket traffic, its log, the stacks of its threads, the kernel's messages,
and `what.txt`, which names the failure and the command to repeat it. `look-again.py` starts a
daemon on a copy of the folder and judges it again.

The folders are in NOTESD_EVIDENCE, or in `.build/evidence`.
"""

import os
import pickle
import shlex
import shutil
import subprocess
import sys

from places import ROOT

FOLDERS_MOST = 5


class Evidence:
    """`checks` counts. A case begins with what the daemon is started on; the first failure in it
    keeps that."""

    def __init__(self, checks, name, root=None):
        self.checks = checks
        self.name = f"{name.replace(' ', '-')}-{checks.seed}"
        self.root = root or os.environ.get("NOTESD_EVIDENCE", os.path.join(ROOT, ".build", "evidence"))
        self.kept = 0
        self.case = None

    def begin(self, daemon, ledger, keep, **about):
        """`keep(folder)` saves what the daemon is started on. `ledger` is copied, because a judge
        continues to write to it."""
        self.case = {"daemon": daemon, "ledger": ledger.fork(), "keep": keep, "about": about}

    def check(self, holds, law, *details):
        if not holds and self.case and self.kept < FOLDERS_MOST:
            self._keep(law, details)
        return self.checks.check(holds, law, *details)

    def _keep(self, law, details):
        # One folder per case: later failures are mostly consequences of the first.
        case, self.case = self.case, None
        self.kept += 1
        folder = os.path.join(self.root, f"{self.name}-{self.kept}")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        daemon = case["daemon"]
        try:
            _write(folder, "threads.txt", daemon.threads())
            case["keep"](folder)
            shutil.copytree(daemon.data, os.path.join(folder, "now"), ignore_dangling_symlinks=True)
        except (OSError, shutil.Error) as error:
            _write(folder, "not-kept.txt", f"{error}\n")
        for path in (daemon.log, case["ledger"].traffic):
            if path and os.path.exists(path):
                shutil.copy(path, folder)
        with open(os.path.join(folder, "ledger.pickle"), "wb") as file:
            pickle.dump(case["ledger"], file)
        kernel = subprocess.run(["dmesg"], capture_output=True, text=True).stdout if shutil.which("dmesg") else ""
        _write(folder, "kernel.txt", "".join(kernel.splitlines(keepends=True)[-200:]))
        command = " ".join(map(shlex.quote, [os.path.relpath(os.path.realpath(sys.argv[0]), ROOT)] + sys.argv[1:]))
        if "--seed" not in sys.argv:
            command += f" --seed {self.checks.seed}"
        about = "".join(f"{name}: {value}\n" for name, value in case["about"].items())
        shown = "\n".join(f"  {detail!r}" for detail in details)
        _write(folder, "what.txt", f"{law}\n{shown}\n\n{about}drawn by: {command}\n"
               f"look again: verification/crashes/look-again.py {shlex.quote(folder)}\n")
        self.checks.say(f"evidence of this case: {folder}")


class Planted:
    """Counts where failures are wanted: `found` has the failing laws."""

    def __init__(self, seed):
        self.name, self.seed, self.found = "planted", seed, []

    def check(self, holds, law, *details):
        return holds or self.found.append(law)

    def say(self, text):
        pass


class Unkept(Planted):
    """Keeps nothing."""

    def begin(self, *case, **about):
        pass


def _write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8", errors="replace") as file:
        file.write(text)
