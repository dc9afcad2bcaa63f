#!/usr/bin/env python3
"""Two people in real editors and an agent in one note.

usage: with_agent.py --editors neovim,emacs [--seed N] [--seconds 600]

Each person types words at the end of some lines, key by key; nobody else types in these lines. The agent
(`notesctl mcp`) ticks and clears the boxes of all lines with `edit_note`, also while somebody types in
them, and adds lines at the end. Each word must be in its line once, each box must be as the agent left
it, and nothing may be in conflict.
"""

import argparse
import os
import random
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "lib"))
sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "lib"))

from agent import Agent  # noqa: E402
from checks import Checks  # noqa: E402
from daemon import Client, Daemon  # noqa: E402
from people import Person, misplaced, unknown  # noqa: E402

TASKS = 10
NOTE = "plan"


class Helper:
    """The agent."""

    def __init__(self, agent, seed):
        self.random = random.Random(f"{seed} agent")
        self.agent = agent
        self.boxes = dict.fromkeys(range(10, 10 + TASKS), " ")
        self.lines = []
        self.refused = []

    def write(self, until):
        while time.monotonic() < until:
            version = self.agent.read(NOTE)
            # Others write between the read and the edit.
            time.sleep(self.random.choice((0, 0.1, 0.5, 1)))
            if self.random.random() < 0.8:
                task = self.random.choice(sorted(self.boxes))
                old, new = self.boxes[task], "x" if self.boxes[task] == " " else " "
                done = self.agent.call("edit_note", note=NOTE, version=version, edits=[
                    {"old": f"- [{old}] task {task}:", "new": f"- [{new}] task {task}:"}])
                if not done.get("isError"):
                    self.boxes[task] = new
            else:
                line = f"agent line {len(self.lines)}"
                done = self.agent.call("append_to_note", note=NOTE, version=version, text=line)
                if not done.get("isError"):
                    self.lines.append(line)
            if done.get("isError"):
                self.refused.append(done)
            time.sleep(self.random.choice((0.1, 0.3, 1)))


def judge(checks, text, people, helper, conflicts):
    lines = text.splitlines()
    checks.equal(misplaced(text, people), [], "each word is in its line once")
    for task, box in helper.boxes.items():
        places = [line for line in lines if f"task {task}:" in line]
        checks.check(len(places) == 1 and places[0].startswith(f"- [{box}] "), "each box is as the agent left it", task, box, places)
    for line in helper.lines:
        checks.equal(lines.count(line), 1, "each line of the agent is there once", line)
    checks.equal(unknown(text, people), [], "no word is there that nobody typed")
    checks.equal(helper.refused[:1], [], "no change of the agent is refused")
    checks.equal(conflicts, [], "nothing is in conflict")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--editors", default="neovim,neovim")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600)
    arguments = parser.parse_args()
    checks = Checks("with-agent", arguments.seed)
    with tempfile.TemporaryDirectory(prefix="with-agent-") as folder:
        daemon = Daemon(folder)
        client = Client(daemon.socket)
        tasks = range(10, 10 + TASKS)
        client.ask("note.create", name=NOTE, text="".join(f"- [ ] task {task}:\n" for task in tasks) + "\n# Log\n")
        people = []
        for index, kind in enumerate(arguments.editors.split(",")):
            person = Person(kind, f"p{index}", folder, daemon, [task for task in tasks if task % 2 == index], arguments.seed)
            person.editor.open(NOTE)
            person.editor.settled()
            people.append(person)
        environment = dict(os.environ, NOTESD_SOCKET=daemon.socket, HOME=folder, XDG_STATE_HOME=folder + "/state")
        helper = Helper(Agent(environment, os.path.join(folder, "mcp.log"), "--rate", "600"), arguments.seed)
        until = time.monotonic() + arguments.seconds
        threads = [threading.Thread(target=each.write, args=(until,)) for each in people + [helper]]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for person in people:
            person.editor.settled()
        note = client.ask("note.get", name=NOTE)["note"]
        for person in people:
            person.editor.wait(lambda state: state["text"] == note["text"], "the daemon's text")
            checks.equal(person.editor.text(), note["text"], "each editor shows the note")
            person.editor.quit()
        judge(checks, note["text"], people, helper, note["conflicts"])
        helper.agent.close()
        client.close()
        daemon.stop()
    typed = sum(len(person.words) for person in people)
    checks.say(f"{typed} words typed, {len(helper.lines)} lines and {sum(box == 'x' for box in helper.boxes.values())} ticks of the agent")
    checks.finish()


main()
