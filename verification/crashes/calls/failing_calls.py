#!/usr/bin/env python3
"""Makes the n-th system call of the daemon fail, for every kind of call and every error that the
kernel can return.

usage: failing_calls.py [--seed N] [--long] [--cases N] [--workers N] [--only TEXT]

Without --long, each case runs once, with a random n among the existing calls; with it, n goes from
1 to the last call. --cases runs that many cases, chosen by the seed.
"""

import argparse
import collections
import errno
import os
import random
import sys
import tempfile
import traceback
from concurrent.futures import ProcessPoolExecutor

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "lib"), os.path.join(HERE, "..", "..", "lib")]

import shims  # noqa: E402
import template  # noqa: E402
from case import SERVING, STARTING, Case, Outcome, Trial  # noqa: E402
from checks import Checks  # noqa: E402
from crowded import CrowdedTrial  # noqa: E402
from plans import cases  # noqa: E402

# More than the calls of one kind in any run, except those for memory.
CALLS_MAX = 600
NONE_FAILS = 1 << 40


def play(job):
    case, number, seed, library, store = job
    is_crowd = case.kind == "accept" and case.is_lasting
    try:
        return (CrowdedTrial if is_crowd else Trial)(case, number, seed, library, store).play()
    except Exception:
        outcome = Outcome(case, number)
        outcome.check(False, "the test itself works", traceback.format_exc())
        return outcome


def play_all(job):
    """From the first call to the last."""
    case, _, seed, library, store = job
    outcomes = []
    for number in range(1, CALLS_MAX):
        outcomes.append(play((case, number, seed + number, library, store)))
        if not outcomes[-1].failed_calls:
            break
    return outcomes


def sampled(all_cases, counts, random_):
    """One call of each case. Cases without such a call are skipped."""
    for case in all_cases:
        most = counts[case.phase][(case.kind, case.subject)]
        if most:
            yield case, random_.randint(1, most)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--cases", type=int, help="run only this many cases")
    parser.add_argument("--workers", type=int, default=max(2, os.cpu_count() or 2))
    parser.add_argument("--only", default="", help="cases whose description has this text")
    arguments = parser.parse_args()
    checks = Checks("failing calls", arguments.seed)
    random_ = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory(prefix="notesd-calls-") as folder:
        library = shims.build("failing", folder)
        store = template.make(folder)
        whole = play((Case("write", "wal", errno.EIO), NONE_FAILS, arguments.seed, library, store))
        for check in whole.checks:
            checks.check(*check)
        crowds = [Case("accept", "peer", fault, is_lasting=True) for fault in (errno.EMFILE, errno.ENFILE, errno.ENOMEM)]
        chosen = [case for case in cases() if arguments.only in str(case)]
        jobs = [(case, number, random_.getrandbits(32), library, store)
                for case, number in sampled(chosen, whole.calls, random_)]
        if arguments.cases is not None:
            jobs = random_.sample(jobs, min(arguments.cases, len(jobs)))
        jobs += [(case, 1, 1, library, store) for case in crowds if arguments.only in str(case)]
        failed, ends, slowest = 0, collections.Counter(), []
        with ProcessPoolExecutor(arguments.workers) as pool:
            is_all = lambda job: arguments.long and not (job[0].kind == "accept" and job[0].is_lasting) and job[0].kind != "malloc"  # noqa: E731
            played = [pool.submit(play_all, job) if is_all(job) else pool.submit(play, job) for job in jobs]
            for future in played:
                outcomes = future.result()
                for outcome in outcomes if isinstance(outcomes, list) else [outcomes]:
                    failed += bool(outcome.failed_calls)
                    ends[outcome.end] += 1
                    slowest = sorted([*slowest, (outcome.seconds, f"call {outcome.number} of: {outcome.case}")])[-3:]
                    for check in outcome.checks:
                        checks.check(*check)
    told = ", ".join(f"{end or 'neither'} {count}" for end, count in sorted(ends.items()))
    print(f"failing calls: {sum(ends.values())} runs, in {failed} of them a call failed; how they ended: {told}", flush=True)
    print("failing calls: slowest: " + "; ".join(f"{seconds:.1f} s {name}" for seconds, name in reversed(slowest)), flush=True)
    checks.check(failed > len(jobs) // 2, "calls fail in most runs", failed, len(jobs))
    checks.finish()


if __name__ == "__main__":
    main()
