"""Running `notesctl sync`, and machines that it keeps in step."""

import os
import subprocess

from machine import until
from places import PATIENCE_S, program


def searched(**others):
    return others | {"PATH": os.path.dirname(program("notesctl")) + ":" + os.environ["PATH"]}


class Sync:
    """A running `notesctl sync team`."""

    def __init__(self, machine, **environment):
        self.machine, self.environment = machine, environment
        self.log = os.path.join(machine.folder, "sync.log")
        self.start()

    def start(self):
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen([program("notesctl"), "sync", "team"], stderr=log, stdout=log,
                                            env=self.machine.environment(**searched(**self.environment)))

    def gateways(self):
        found = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True)
        return [int(pid) for pid in found.stdout.split()]

    def stop(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def said(self):
        with open(self.log, errors="replace") as log:
            return log.read()[-1500:]


def equal(checks, machines, syncs, what):
    machines = list(machines.values())
    holds = until(lambda: all(machine.texts() == machines[0].texts() for machine in machines[1:]), PATIENCE_S * 2)
    return checks.check(holds, f"all daemons show the same after {what}", *[sync.said() for sync in syncs])
