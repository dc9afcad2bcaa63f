"""The ways in which programs save a file. Each loads a file, waits, adds a line, and saves it.

A way is a function of the path, the line, and a function that returns once the program may save what
it has loaded; what comes into the file meanwhile, the program has not seen.
"""

import mmap
import os
import pty
import select
import shutil
import subprocess
import tempfile
import time

# A program that takes longer hangs.
PROGRAM_S = 60


def _run(*words, cwd=None):
    subprocess.run(words, check=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=PROGRAM_S, cwd=cwd,
                   env=dict(os.environ, HOME="/nonexistent", TERM="dumb"))


def _loaded(words, may_save, gate):
    """Runs an editor that reports through `gate` that it has loaded the file, and waits there."""
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env=dict(os.environ, HOME="/nonexistent", TERM="dumb"))
    # Vim asks whether to write over a file that has changed.
    process.stdin.write(b"y\ny\ny\n")
    process.stdin.close()
    until = time.monotonic() + PROGRAM_S
    while not os.path.exists(gate + ".loaded") and process.poll() is None and time.monotonic() < until:
        time.sleep(0.01)
    may_save()
    with open(gate + ".go", "w", encoding="utf-8"):
        pass
    if process.wait(timeout=PROGRAM_S) not in (0, 1):
        raise RuntimeError(f"{words[0]} ended with {process.returncode}")


def _gate(editor):
    def way(path, line, may_save):
        with tempfile.TemporaryDirectory() as folder:
            gate = os.path.join(folder, "gate")
            wait = f"touch {gate}.loaded; while [ ! -e {gate}.go ]; do sleep 0.02; done"
            _loaded(editor(path, line, wait), may_save, gate)
    return way


def _vim(name, option):
    return _gate(lambda path, line, wait: [
        name, "-u", "NONE", "-i", "NONE", "-n", "-es", "-c", option, "-c", f"call append('$', '{line}')",
        "-c", f"call system('{wait}')", "-c", "w!", "-c", "qa!", path])


_emacs = _gate(lambda path, line, wait: [
    "emacs", "-Q", "--batch", "--eval",
    f'(progn (find-file "{path}") (goto-char (point-max)) (insert "{line}\\n") (call-process "sh" nil nil nil "-c" "{wait}")'
    " (set-visited-file-modtime) (save-buffer))"])


def _nano(path, line, may_save):
    """nano on a terminal: goes to the end, types, saves whatever is on the disk, and leaves."""
    master, slave = pty.openpty()
    process = subprocess.Popen(("nano", "--ignorercfiles", path), stdin=slave, stdout=slave, stderr=slave, start_new_session=True,
                               env=dict(os.environ, HOME="/nonexistent", TERM="xterm"))
    os.close(slave)
    said, until = b"", time.monotonic() + PROGRAM_S

    def until_said(word):
        nonlocal said
        while word not in said and time.monotonic() < until:
            if select.select([master], [], [], 0.05)[0]:
                said += os.read(master, 1 << 16)
            if b"ontinue saving" in said or b"anyway" in said:
                said = b""
                os.write(master, b"y")

    until_said(b"first line")
    may_save()
    # M-/, the line, ^S, and ^X.
    os.write(master, b"\x1b/" + line.encode() + b"\x13")
    until_said(b"Wrote")
    os.write(master, b"\x18")
    code = process.wait(timeout=PROGRAM_S)
    os.close(master)
    if code != 0:
        raise RuntimeError(f"nano ended with {code}")


def _node(save):
    """A program in Node. `save` is JavaScript that writes `text` to `path`."""
    def editor(path, line, wait):
        return ["node", "-e", f"""
            const fs = require("fs"), [path, line, wait] = process.argv.slice(1)
            const text = fs.readFileSync(path, "utf8") + line + "\\n"
            require("child_process").execFileSync("sh", ["-c", wait])
            {save}""", path, line, wait]
    return _gate(editor)


# VS Code opens a file with truncation, writes, and calls fdatasync; or it writes another file and renames it.
_VSCODE = """const file = fs.openSync(FILE, "w"); fs.writeSync(file, text); fs.fdatasyncSync(file); fs.closeSync(file);"""
_vscode = _node(_VSCODE.replace("FILE", "path"))
_vscode_atomic = _node(_VSCODE.replace("FILE", 'path + ".vsctmp"') + ' fs.renameSync(path + ".vsctmp", path)')
# Obsidian calls writeFile.
_obsidian = _node("fs.promises.writeFile(path, text)")


def _read(path):
    with open(path, "rb") as file:
        return file.read()


def _in_place(path, line, may_save):
    text = _read(path) + line.encode() + b"\n"
    may_save()
    with open(path, "wb", buffering=0) as file:
        file.write(text)


def _in_pieces(path, line, may_save):
    """Truncates, and writes slowly."""
    text = _read(path) + line.encode() + b"\n"
    may_save()
    with open(path, "wb", buffering=0) as file:
        for at in range(0, len(text), len(text) // 4 + 1):
            file.write(text[at:at + len(text) // 4 + 1])
            time.sleep(0.15)


def _by_rename(path, line, may_save):
    text = _read(path) + line.encode() + b"\n"
    may_save()
    temporary = path + ".new~"
    with open(temporary, "wb") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.rename(temporary, path)


def _moved_away(path, line, may_save):
    """Moves the file to a backup, and makes it anew slowly."""
    text = _read(path) + line.encode() + b"\n"
    may_save()
    os.rename(path, path + "~")
    time.sleep(0.1)
    with open(path, "xb", buffering=0) as file:
        file.write(text[:len(text) // 2])
        time.sleep(0.1)
        file.write(text[len(text) // 2:])
    os.unlink(path + "~")


def _mapped(path, line, may_save):
    """Writes through a mapping. The file grows in place, so what is in it counts."""
    may_save()
    with open(path, "r+b", buffering=0) as file:
        size, addition = os.fstat(file.fileno()).st_size, line.encode() + b"\n"
        os.ftruncate(file.fileno(), size + len(addition))
        with mmap.mmap(file.fileno(), size + len(addition)) as memory:
            for at, byte in enumerate(addition):
                memory[size + at] = byte
            memory.flush()


def _shell(script):
    def way(path, line, may_save):
        may_save()
        _run("/bin/sh", "-euc", script, "sh", path, line)
    return way


def _copied(path, line, may_save):
    """Copies a changed copy over the file."""
    with tempfile.NamedTemporaryFile() as copy:
        copy.write(_read(path) + line.encode() + b"\n")
        copy.flush()
        may_save()
        _run("cp", copy.name, path)


def _rsynced(path, line, may_save):
    with tempfile.NamedTemporaryFile() as copy:
        copy.write(_read(path) + line.encode() + b"\n")
        copy.flush()
        may_save()
        _run("rsync", "--ignore-times", copy.name, path)


# The program that a way needs, by the name of the way.
ALL = {
    "vim": ("vim", _vim("vim", "set backupcopy=no nofixeol")),
    "vim, backupcopy=yes": ("vim", _vim("vim", "set backupcopy=yes")),
    "vim, with backups": ("vim", _vim("vim", "set backup backupcopy=no")),
    "nvim": ("nvim", _vim("nvim", "set backupcopy=auto")),
    "emacs": ("emacs", _emacs),
    "nano": ("nano", _nano),
    "VS Code": ("node", _vscode),
    "VS Code, atomic": ("node", _vscode_atomic),
    "Obsidian": ("node", _obsidian),
    "sed -i": ("sed", _shell('sed -i "\\$a $2" "$1"')),
    ">>": ("sh", _shell('printf "%s\\n" "$2" >> "$1"')),
    ">> in two halves": ("sh", _shell('{ printf "%s" "${2%?????}"; sleep 0.3; printf "%s\\n" "${2#"${2%?????}"}"; } >> "$1"')),
    "mv": ("mv", _shell('{ cat "$1"; printf "%s\\n" "$2"; } > "$1.new~"; mv "$1.new~" "$1"')),
    "cp": ("cp", _copied),
    "rsync": ("rsync", _rsynced),
    "in place": ("sh", _in_place),
    "in pieces": ("sh", _in_pieces),
    "by rename": ("sh", _by_rename),
    "moved away": ("sh", _moved_away),
    "mapped": ("sh", _mapped),
}
# Those without an editor, which take milliseconds.
QUICK = ["sed -i", ">>", ">> in two halves", "mv", "cp", "in place", "by rename", "moved away", "mapped"]


def installed():
    """The names of the ways whose program is installed, and of the others."""
    has = {name: shutil.which(needed) is not None for name, (needed, _) in ALL.items()}
    return [name for name in ALL if has[name]], [name for name in ALL if not has[name]]


def save(name, path, line, may_save=lambda: None):
    ALL[name][1](path, line, may_save)
