"""C code that LD_PRELOAD loads into the daemon; compiled when it is needed."""

import os
import shutil
import subprocess

FOLDER = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "shims")


def build(name, folder):
    """Compiles `shims/NAME.c` into a folder. Returns the path of the library."""
    compiler = os.environ.get("CC") or next((c for c in ("clang", "cc", "gcc") if shutil.which(c)), None)
    if compiler is None:
        raise SystemExit("no C compiler on PATH: install clang or gcc, or set CC")
    library = os.path.join(folder, name + ".so")
    subprocess.run([compiler, "-std=c11", "-D_GNU_SOURCE", "-O2", "-g", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared",
                    os.path.join(FOLDER, name + ".c"), "-o", library, "-ldl", "-lpthread"], check=True)
    return library
