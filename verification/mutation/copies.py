"""Copies of the project in which scripts plant faults. A dictionary of files has bytes by path."""

import fcntl
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# Reduces a manifest to some targets and their dependencies. The manifest lists a target after all
# that it depends on.
KEPT_TARGETS = """
var kept: Set<String> = [%s]
for target in package.targets.reversed() where kept.contains(target.name) {
    for case .byNameItem(let name, _) in target.dependencies { kept.insert(name) }
}
package.products = []
package.targets.removeAll { !kept.contains($0.name) }
"""
# A fault may leave a declaration unused.
WARNINGS_ALLOWED = """
for target in package.targets { target.swiftSettings?.append(.treatAllWarnings(as: .warning)) }
"""


def fail(message):
    """Ends the script with an error message."""
    sys.exit(f"{Path(sys.argv[0]).name}: {message}")


def quoted(names):
    """The content of a list in Swift."""
    return ", ".join(f'"{name}"' for name in sorted(names))


def lock(folder):
    """Locks a folder against other runs of the script, as long as the returned file is open."""
    folder.mkdir(parents=True, exist_ok=True)
    file = open(folder / "lock", "w", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(f"scripts/{Path(sys.argv[0]).name} is already running here")
    return file


def files_in(root, *names):
    """The files with these names, and those in folders with these names."""
    paths = [path for name in names for path in (root / name, *(root / name).rglob("*"))]
    return {str(path.relative_to(root)): path.read_bytes() for path in paths if path.is_file()}


def write(tree, files):
    """Writes files that differ. SwiftPM does not rebuild the others."""
    for name, content in files.items():
        path = tree / name
        if not path.exists() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)


def make_tree(tree, files):
    """Makes a tree that consists of these files and its build. Copies the dependencies that SwiftPM
    has fetched, so that it need not fetch them again."""
    for name in files_in(tree, "Sources", "Tests").keys() - files.keys():
        (tree / name).unlink()
    write(tree, files)
    source, target = ROOT / ".build", tree / ".build"
    if not (target / "checkouts").exists() and (source / "checkouts").exists():
        for name in ("repositories", "checkouts"):
            shutil.copytree(source / name, target / name, symlinks=True)
        shutil.copy(source / "workspace-state.json", target)


def run(command, log, seconds=None, **options):
    """Runs a command with its output in a log. Returns its exit code, or None if it takes longer
    than these seconds; the command and all that it started are then killed."""
    with open(log, "wb") as file:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                                   start_new_session=True, **options)
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def build(tree, log, *options, seconds=None):
    """Builds a tree. Returns whether that succeeded."""
    swift, jobs = os.environ.get("SWIFT") or "swift", os.environ.get("JOBS") or os.cpu_count()
    command = [swift, "build", "--package-path", tree, "-j", str(jobs), *options]
    return run(command, log, seconds) == 0


def last_lines(log, count):
    return "\n".join(log.read_text(errors="replace").splitlines()[-count:])
