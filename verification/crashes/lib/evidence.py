"""What a failing case leaves, for whoever has to find out why: a folder for each of the first few.

In it are what the daemon was started on (an image of the disk, or the files), what it had been told by then and was held to, what went
over its sockets, what it logged, where its threads stood, what the kernel said, and `what.txt`, which says what failed and how to look
again. `look-again.py` starts a daemon on a copy of it and judges it once more.

The folders lie in NOTESD_EVIDENCE, or in `.build/evidence`.
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
    """`checks` counts. A case begins with what the daemon is started on; the first thing that fails in it has it kept."""

    def __init__(self, checks, name, root=None):
        self.checks = checks
        self.name = f"{name.replace(' ', '-')}-{checks.seed}"
        self.root = root or os.environ.get("NOTESD_EVIDENCE", os.path.join(ROOT, ".build", "evidence"))
        self.kept = 0
        self.case = None

    def begin(self, daemon, ledger, keep, **about):
        """`keep(folder)` puts down what the daemon is started on. `ledger` is copied: a judge goes on writing in it."""
        self.case = {"daemon": daemon, "ledger": ledger.fork(), "keep": keep, "about": about}

    def check(self, holds, law, *details):
        if not holds and self.case and self.kept < FOLDERS_MOST:
            self._keep(law, details)
        return self.checks.check(holds, law, *details)

    def _keep(self, law, details):
        # One folder a case: what fails after the first failure mostly comes of it.
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
        self.checks.say(f"what this case left is in {folder}")


class Planted:
    """Counts where failures are wanted: `found` has the laws that fail."""

    def __init__(self, seed):
        self.name, self.seed, self.found = "planted", seed, []

    def check(self, holds, law, *details):
        return holds or self.found.append(law)

    def say(self, text):
        pass


class Unkept(Planted):
    """Keeps nothing of what fails."""

    def begin(self, *case, **about):
        pass


def _write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8", errors="replace") as file:
        file.write(text)
