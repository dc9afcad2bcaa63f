#!/usr/bin/env python3
"""Plants the faults of verification/mutation/guarantees in a copy of the daemon, all in one build,
and checks that the guarantee checker reports each under the guarantee that it breaks.

    scripts/mutation guarantees [-v] [--check] [REGEX...]

Runs the faults whose names match a REGEX, by default all. The copy is in .build/planted, and
PLANTED_FAULT selects its fault when the daemon starts. The copy without a fault must pass first. A
fault is caught if the checker reports its guarantee as broken; the script also prints other
guarantees that the checker reports. The checker comes from NOTESD_BIN_DIR, by default
.build/release.

-v       print the output of the checker
--check  only check, without a build, that the tables are valid and fit the code

verification/mutation/tables.py describes the tables. Here an entry begins with `fault` and needs a
line `breaks GUARANTEE`. It may have one of these lines:

    with kills          kill and restart the daemon
    with rollbacks      also restore an older copy of its store, and check only G9
    with backups        make a backup once, and restore it
    with haste          shorten timeouts
"""

import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, f"{ROOT}/verification/mutation")

import copies  # noqa: E402
import tables  # noqa: E402

WORK = ROOT / ".build/planted"
TREE = WORK / "tree"
LOG = WORK / "log"
SECONDS_MAX = 600
RESTART = str(ROOT / "verification/mutation/guarantees/restart.py")
# The options of the checker for each `with`.
OPTIONS = {
    "none": [],
    "kills": ["--disturb", f"{shlex.quote(RESTART)} kills"],
    "rollbacks": [
        "--disturb", f"{shlex.quote(RESTART)} rollbacks", "--only", "G9", "--timeout", "5"],
    "backups": ["--replace", f"{shlex.quote(RESTART)} backups"],
    "haste": ["--timeout", "5"],
}
MANIFEST = """
package.products.removeAll { $0.name != "notesd" }
package.targets.removeAll {
    $0.isTest || ["TestKit", "ClientTestKit", "StoreTestKit", "GuaranteeChecker", "check-guarantees"].contains($0.name)
}
"""
# The source file that the planted code uses.
PLANTED = r"""
import Glibc

/// The fault that is on. Exists only in the copy for `scripts/mutation guarantees`.
package enum Planted {
    private static let fault = getenv("PLANTED_FAULT").map { String(cString: $0) } ?? ""
    nonisolated(unsafe) private static var count = 0

    package static func isOn(_ name: StaticString) -> Bool { fault == "\(name)" }

    /// Returns true on every `number`-th call. Must be called from one thread.
    package static func isEach(_ number: Int) -> Bool {
        count += 1
        return count % number == 0
    }

    /// Truncates a file by a quarter.
    package static func cutShort(_ path: String) {
        var facts = stat()
        if stat(path, &facts) == 0 { truncate(path, facts.st_size * 3 / 4) }
    }
}
"""


def planted_files(faults):
    """The files of the daemon with all faults."""
    files = copies.files_in(ROOT, "Sources", "Package.swift", "Package.resolved")
    for fault in faults:
        files |= tables.plant(files, fault)
    for path in {place.path for fault in faults for place in fault.places}:
        if b"import Causality\n" not in files[path] and not path.startswith("Sources/Causality/"):
            files[path] = b"import Causality\n" + files[path]
    files["Sources/Causality/Planted.swift"] = PLANTED.encode()
    files["Package.swift"] += (MANIFEST + copies.WARNINGS_ALLOWED).encode()
    return files


def build(files):
    copies.make_tree(TREE, files)
    if not copies.build(TREE, LOG, "-c", "release", "--static-swift-stdlib", "--product", "notesd"):
        errors = re.findall(".*error:.*", LOG.read_text(errors="replace"))
        copies.fail("\n".join(["the copy does not build:", *errors[:20]]))


def run_checker(checker, name, how, is_verbose):
    """Runs the checker on a daemon with a fault. Returns its verdicts, such as ("BROKEN", "G1"),
    and none if it fails."""
    environment = {**os.environ, "PLANTED_FAULT": name, "NOTESD_BIN_DIR": f"{TREE}/.build/release"}
    command = [checker, "--seed", os.environ.get("NOTESD_SEED") or "1", "--writes", "600",
               "--socket", "notesd.sock", *OPTIONS[how]]
    with tempfile.TemporaryDirectory() as folder:
        options = {"cwd": folder, "env": environment}
        # If the daemon does not start, the checker fails.
        subprocess.run([RESTART, "start"], **options)
        try:
            if how == "rollbacks":
                # A store without a commit, so that no run of the daemon has recorded itself in it.
                subprocess.run([RESTART, "copy"], **options)
            code = copies.run(command, LOG, SECONDS_MAX, **options)
        finally:
            subprocess.run([RESTART, "stop"], **options)
        said = LOG.read_text(errors="replace")
        if is_verbose:
            print(said + copies.last_lines(Path(folder, "daemon.log"), 5), flush=True)
    if code not in (0, 1):
        return []
    return re.findall(r"^(kept|BROKEN|not judged) +(G\d+)", said, re.MULTILINE)


def broken(verdicts):
    return [guarantee for verdict, guarantee in verdicts if verdict == "BROKEN"]


def check_without_fault(checker, how, is_verbose):
    verdicts = run_checker(checker, "", how, is_verbose)
    if not verdicts:
        copies.fail(f"no verdicts without a fault: {copies.last_lines(LOG, 1)}")
    if broken(verdicts):
        copies.fail(f"without a fault, with {how}: BROKEN {' '.join(broken(verdicts))}")
    kept = sum(verdict == "kept" for verdict, _ in verdicts)
    print(f"Without a fault, disturbed by {how}: {kept} kept, {len(verdicts) - kept} not judged",
          flush=True)


def attempt(checker, fault, is_verbose):
    """Tests one fault and prints the verdict. Returns whether it is caught."""
    start = time.monotonic()
    verdicts = run_checker(checker, fault.name, fault.words.get("with", "none"), is_verbose)
    expected = fault.words["breaks"]
    others = " ".join(guarantee for guarantee in broken(verdicts) if guarantee != expected)
    is_caught = expected in broken(verdicts)
    if is_caught:
        verdict = f"caught, {expected}" + (f"; also {others}" if others else "")
    elif verdicts:
        verdict = f"MISSED, should break {expected}" + (f"; found {others}" if others else "")
    else:
        verdict = f"NOT JUDGED: {copies.last_lines(LOG, 1)}"
    print(f"{fault.name:34} {verdict} ({time.monotonic() - start:.0f} s)", flush=True)
    return is_caught


def main():
    options = tables.arguments(__doc__)
    os.chdir(ROOT)
    # If the script is terminated, it ends the programs that it started.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    start = time.monotonic()
    faults = tables.read_tables(
        "verification/mutation/guarantees", "fault", needed=("breaks", "for"),
        optional=[f"with {how}" for how in OPTIONS])
    wanted = tables.matching(faults, options.names)
    files = planted_files(faults)
    if options.check:
        print(f"planted: {len(faults)} faults fit the code")
        return 0
    programs = Path(os.environ.get("NOTESD_BIN_DIR") or ".build/release")
    checker = programs.resolve() / "check-guarantees"
    if not checker.exists():
        copies.fail(f"{checker} not found; run `make build-all`")
    with copies.lock(WORK):
        build(files)
        for how in ("none", "kills", "rollbacks"):
            check_without_fault(checker, how, options.is_verbose)
        caught = sum(attempt(checker, fault, options.is_verbose) for fault in wanted)
    failures, minutes = len(wanted) - caught, (time.monotonic() - start) // 60
    print(f"{caught} faults caught, {failures} not, in {minutes:.0f} min")
    return 1 if failures else 0


sys.exit(main())
