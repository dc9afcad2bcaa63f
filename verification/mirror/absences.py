"""What has changed while the mirror was not running, or while its record was lost."""

import os
import random
import shutil

from scene import Scene

COUNT = 120


def _made(checks, folder, count):
    """A scene with notes in a folder, whose mirror is not running."""
    scene = Scene(folder)
    for number in range(count):
        scene.write(f"{number}.md", f"the first line of {number}\n")
    checks.equal(scene.mirror.once()[0], 0, "the files become notes")
    return scene


def _is_complete(checks, scene, expected, what):
    checks.equal(scene.differences(), [], f"{what}: both sides are equal")
    for name, lines in expected.items():
        found = (scene.text(name) or "").splitlines()
        checks.equal([line for line in lines if line not in found], [], f"{what}: {name} has every line")


def stopped(checks, seed, folder):
    """Both sides change many notes while the mirror is stopped, some of them the same ones."""
    scene = _made(checks, folder, COUNT)
    chance = random.Random(seed)
    expected = {str(number): [f"the first line of {number}"] for number in range(COUNT)}
    for name in chance.sample(sorted(expected), COUNT // 2):
        expected[name].append(f"a program wrote this in {name}")
        scene.write(f"{name}.md", scene.read(f"{name}.md") + expected[name][-1] + "\n")
    for name in chance.sample(sorted(expected), COUNT // 2):
        expected[name].append(f"a client wrote this in {name}")
        scene.insert(name, expected[name][-1], 0)
    scene.write("both.md", "the day\n- from the folder\n")
    scene.make("both", "the day\n- from a client\n")
    expected["both"] = ["the day", "- from the folder", "- from a client"]
    code, said = scene.mirror.once()
    checks.equal(code, 0, "one run brings both in step", said)
    _is_complete(checks, scene, expected, "stopped")
    checks.equal(scene.text("both").splitlines().count("the day"), 1, "a new note of both sides has common lines once")
    scene.close()


def restored(checks, seed, folder):
    """Some files are restored from an older copy; the history keeps what they took out."""
    scene = _made(checks, folder, 40)
    copy = os.path.join(folder, "copy")
    shutil.copytree(scene.place, copy)
    for number in range(5):
        scene.insert(str(number), f"a client wrote this in {number}")
    checks.equal(scene.mirror.once()[0], 0, "the changes come into the folder")
    for number in range(5):
        shutil.copy(os.path.join(copy, f"{number}.md"), scene.path(f"{number}.md"))
    code, said = scene.mirror.once()
    checks.equal(code, 0, "the next run succeeds", said)
    checks.equal(scene.differences(), [], "both sides are equal")
    for number in range(5):
        texts = "".join(scene.revisions(scene.note(str(number))["id"]))
        checks.check(f"a client wrote this in {number}" in texts, "the history has the client's line", number)
    checks.equal(len(scene.heads()), 40, "no note is deleted or made")
    scene.close()


def forgotten(checks, seed, folder):
    """The record is deleted: equal files are recognised, and differing ones wait for a person."""
    scene = _made(checks, folder, 20)
    ids = {head["name"]: head["id"] for head in scene.heads()}
    shutil.rmtree(os.path.join(folder, "state"))
    scene.insert("0", "a client wrote this")
    code, said = scene.mirror.once()
    checks.equal(code, 0, "a file with an older text is no reason to ask", said)
    checks.equal(scene.differences(), [], "both sides are equal")
    shutil.rmtree(os.path.join(folder, "state"))
    scene.insert("1", "a client wrote this", 0)
    scene.write("1.md", scene.read("1.md") + "a program wrote this\n")
    code, said = scene.mirror.once()
    checks.check(code == 64 and "--adopt" in said, "a file with another text is one", code, said)
    code, said = scene.mirror.once("--adopt")
    checks.equal(code, 0, "--adopt brings both together", said)
    _is_complete(checks, scene, {"1": ["the first line of 1", "a client wrote this", "a program wrote this"]}, "forgotten")
    checks.equal({head["name"]: head["id"] for head in scene.heads()}, ids, "each note is the same one")
    scene.close()


ALL = [("stopped", stopped), ("restored", restored), ("forgotten", forgotten)]
