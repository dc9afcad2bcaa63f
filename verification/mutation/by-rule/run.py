#!/usr/bin/env python3
"""Changes the code of the model by rule, in each possible place, and checks that the tests notice.

    scripts/mutation by-rule [--deletions] [--sample N] [--seed N] [--only REGEX] [--quick] [--survivors]
                   [--again] [--fresh] [-j N]

Builds a copy of Causality, TextMerge, NoteText, NotesModel and Dependents in .build/mutate that contains all
changes at once, each behind a switch (verification/mutation/by-rule/planting.py defines them). A mutant therefore
costs a run of tests and no build. Of the tests that reach the change, the quick ones run first,
with few seeds and then with all; the first failure ends the run. verification/mutation/by-rule/explained.txt must
explain each mutant that no test notices. An explained mutant that a test notices, or that does not
exist, is a failure.

--deletions  only mutants that omit something: a statement, an exit, one side of a condition. They
             are a quarter of all, and tests that notice them notice most of the others (Deng,
             Offutt, Li: Empirical Evaluation of the Statement Deletion Mutation Operator, 2013)
--sample     only this many mutants, drawn with --seed
--only       only mutants in files whose names match
--survivors  only mutants that survived the last run and are not explained
--quick      only the quick tests of each target, with few seeds; a later run without this option
             repeats the survivors
--fresh      discard the recorded results; without this option, an interrupted run resumes
--again      keep the mutants that were caught before the code or the tests changed

The last line is `mutate: N mutants, C caught, E explained, S survive`. The line before it counts
the mutants in places that no test reaches.
"""

import argparse
import collections
import os
import random
import re
import sys
import threading

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
MUTATION = os.path.join(ROOT, "verification", "mutation")
sys.path[:0] = [os.path.join(MUTATION, "by-rule"), MUTATION]

from building import TARGETS, Tree  # noqa: E402
from explaining import Explained  # noqa: E402
from running import Runner  # noqa: E402
from state import State  # noqa: E402


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deletions", action="store_true")
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=int(os.environ.get("NOTESD_SEED", "1")))
    parser.add_argument("--only", default="")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--survivors", action="store_true")
    parser.add_argument("--fresh", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--build-only", action="store_true")
    parser.add_argument("-j", type=int, default=os.cpu_count())
    return parser.parse_args()


def chosen(mutants, options):
    """The selected mutants in random order, so that an interrupted run is a sample of the whole."""
    chance = random.Random(options.seed)
    wanted = [mutant for mutant in mutants if re.search(options.only, mutant.path) and (mutant.is_deletion or not options.deletions)]
    chance.shuffle(wanted)
    return wanted[:options.sample] if options.sample else wanted


def attempt_all(mutants, runner, state, processes):
    """Runs the mutants without a verdict, several at a time."""
    waiting = collections.deque(mutant for mutant in mutants if not state.knows(mutant, runner.is_quick))
    total, lock = len(waiting), threading.Lock()
    done = [0]

    def work():
        while True:
            try:
                mutant = waiting.popleft()
            except IndexError:
                return
            verdict = runner.attempt(mutant)
            with lock:
                state.note(mutant, verdict)
                done[0] += 1
                if not verdict.startswith("caught"):
                    print(f"[{done[0]}/{total}] {mutant}: {verdict}", flush=True)
                elif done[0] % 100 == 0:
                    print(f"[{done[0]}/{total}]", flush=True)

    threads = [threading.Thread(target=work, daemon=True) for _ in range(processes)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def main():
    options = arguments()
    tree = Tree(ROOT)
    tree.lock()
    mutants = tree.make()
    print(f"{len(mutants)} mutants; {len(tree.dropped)} places where a change does not build", flush=True)
    if options.build_only:
        return 0
    runner = Runner(tree, options.quick)
    state = State(tree, fresh=options.fresh, again=options.again)
    runner.learn(options.j)
    explained = Explained(ROOT)
    wanted = chosen([mutant for mutant in mutants
                     if not options.survivors or mutant.key in state.survived and not explained.covers(mutant)], options)
    attempt_all(wanted, runner, state, options.j)
    return report(mutants, wanted, state, explained, bool(options.sample or options.only or options.survivors or options.deletions))


def report(mutants, wanted, state, explained, is_part):
    failures, counts = 0, collections.Counter()
    by_target = {target: collections.Counter() for target in TARGETS}
    for mutant in sorted(wanted, key=lambda mutant: (mutant.path, mutant.line, mutant.number)):
        verdict = state.verdicts[mutant.key]
        kind = "not reached" if verdict == "not reached" else verdict.split()[0]
        if kind == "survives":
            if explained.covers(mutant):
                kind = "explained"
            else:
                print(f"{mutant}: SURVIVES")
        counts[kind] += 1
        by_target[mutant.target][kind] += 1
        if verdict.startswith("caught by hanging"):
            counts["hanging"] += 1
    for line in explained.faults(mutants, {mutant.key: state.verdicts[mutant.key] for mutant in wanted}, is_part):
        failures += 1
        print(f"mutate: verification/mutation/by-rule/explained.txt: {line}")
    for target, of_target in by_target.items():
        if of_target:
            print(f"{target}: {sum(of_target.values())} mutants, " + ", ".join(
                f"{of_target[kind]} {word}" for kind, word in (
                    ("caught", "caught"), ("explained", "explained"), ("survives", "survive"), ("not reached", "not reached"))))
    print(f"{counts['hanging']} of those caught hung; no test reaches {counts['not reached']} mutants")
    print(f"mutate: {len(wanted) - counts['not reached']} mutants, {counts['caught']} caught, {counts['explained']} explained, "
          f"{counts['survives']} survive")
    return 1 if failures or counts["survives"] else 0


sys.exit(main())
