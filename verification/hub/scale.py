#!/usr/bin/env python3
"""A discrete simulation of one database server with spaces and gateways.

    verification/hub/scale.py [--seconds N]

It knows the lock of a space, which a transaction holds until it has committed; the lock of the whole server
that a transaction with NOTIFY holds while it commits; processors; batches; and readers that each notice wakes.
Its costs are measured (`costs.py`), and `hub.py` compares it with small real cases.
"""

import argparse
import collections
import heapq
import itertools
import random

BATCH_MAX = 256
READ_MAX = 1024
# The number of readers of a space whose delays are recorded.
RECORDED = 20

Costs = collections.namedtuple("Costs", "outside outside_row locked row flush read read_row cores wake", defaults=[4e-6])
Costs.__doc__ = """Seconds of a processor: of an append outside the lock of its space, and for each row there; under the lock,
and for each row there; of a read, and for each row. `flush` is the time until a commit is on disk. `wake` is for
each listener of the database: a commit with NOTIFY wakes all of them, also those of other spaces."""

# In the server alone, with release programs, as `costs.py` prints them. The gateways run on other machines. `outside`
# is an assumption: what the server does for a statement outside the function.
MEASURED = Costs(outside=0.0001, outside_row=0, locked=0.00042, row=0.000022, flush=0.0031, read=0.000265, read_row=0.0000044, cores=2)


# Daemons, spaces, and revisions that each daemon writes in a second.
CASES = ((10, 1, 0.1), (10, 1, 10), (10, 1, 100), (100, 1, 0.1), (100, 1, 1), (100, 10, 10), (1000, 100, 0.1), (1000, 100, 1), (1000, 1, 0.01))


class World:
    """Processes are generators. Each yields a number of seconds to wait, or a resource to take."""

    def __init__(self):
        self.now, self.events, self.order = 0.0, [], itertools.count()

    def at(self, seconds, process):
        heapq.heappush(self.events, (self.now + seconds, next(self.order), process))

    def run(self, until):
        while self.events and self.events[0][0] <= until:
            self.now, _, process = heapq.heappop(self.events)
            wish = next(process, None)
            if isinstance(wish, Resource):
                wish.take(process)
            elif wish is not None:
                self.at(wish, process)


class Resource:
    """Something that `free` processes can have at once, in the order in which they ask."""

    def __init__(self, world, free):
        self.world, self.free, self.queue = world, free, collections.deque()

    def take(self, process):
        if self.free:
            self.free -= 1
            self.world.at(0, process)
        else:
            self.queue.append(process)

    def release(self):
        if self.queue:
            self.world.at(0, self.queue.popleft())
        else:
            self.free += 1


class Space:
    def __init__(self, world):
        self.lock, self.log, self.readers = Resource(world, 1), [], []


class Server:
    """One server. `delays` are the seconds from writes until a reader has them."""

    def __init__(self, costs):
        self.costs, self.world = costs, World()
        self.processors, self.notify = Resource(self.world, costs.cores), Resource(self.world, 1)
        self.committed, self.delays, self.listeners = 0, [], 0

    def work(self, seconds):
        yield self.processors
        yield seconds
        self.processors.release()

    def append(self, space, times):
        costs = self.costs
        yield from self.work(costs.outside + costs.outside_row * len(times))
        yield space.lock
        yield from self.work(costs.locked + costs.row * len(times))
        yield self.notify
        yield costs.flush
        self.notify.release()
        space.lock.release()
        yield from self.work(costs.wake * self.listeners)
        space.log += times
        self.committed += len(times)
        for reader in space.readers:
            reader.release()

    def closed_writer(self, space, batch):
        """A writer whose next batch follows the answer about the last."""
        while True:
            yield from self.append(space, [self.world.now] * batch)

    def open_writer(self, space, pending, signal):
        """The gateway of a daemon: whatever was written meanwhile is one batch."""
        while True:
            yield signal
            while pending:
                batch = pending[:BATCH_MAX]
                del pending[:BATCH_MAX]
                yield from self.append(space, batch)

    def typist(self, pending, signal, rate, chance):
        while True:
            yield chance.expovariate(rate)
            pending.append(self.world.now)
            signal.release()

    def reader(self, space, signal, is_recorded):
        place = len(space.log)
        while True:
            yield signal
            signal.free = 0
            while place < len(space.log):
                rows = space.log[place:place + READ_MAX]
                yield from self.work(self.costs.read + self.costs.read_row * len(rows))
                place += len(rows)
                if is_recorded:
                    self.delays += [self.world.now - time for time in rows]

    def space(self, readers):
        space = Space(self.world)
        for number in range(readers):
            signal = Resource(self.world, 0)
            space.readers.append(signal)
            self.listeners += 1
            self.world.at(0, self.reader(space, signal, number < RECORDED))
        return space


def closed(costs, spaces, writers, batch, readers=0, seconds=5.0):
    """The revisions that writers append in a second, each to one of the spaces, as fast as they can."""
    server = Server(costs)
    found = [server.space(readers) for _ in range(spaces)]
    for number in range(writers):
        server.world.at(0, server.closed_writer(found[number % spaces], batch))
    server.world.run(seconds)
    return server.committed / seconds


def daemons(costs, count, spaces, rate, seconds, seed=1):
    """Daemons that write `rate` revisions a second each. Returns committed and written revisions, the share
    of the processors that is busy, and the delays."""
    server, chance = Server(costs), random.Random(seed)
    written = []
    for number in range(spaces):
        members = count // spaces + (number < count % spaces)
        space = server.space(members)
        for _ in range(members):
            pending, signal = [], Resource(server.world, 0)
            written.append(pending)
            server.world.at(0, server.open_writer(space, pending, signal))
            server.world.at(0, server.typist(pending, signal, rate, chance))
    server.world.run(seconds)
    left = sum(len(pending) for pending in written)
    return server.committed, server.committed + left, sorted(server.delays)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--cores", type=int, default=MEASURED.cores)
    arguments = parser.parse_args()
    costs = MEASURED._replace(cores=arguments.cores)
    print("daemons  spaces  writes/s  committed/s  p50 ms  p99 ms")
    for count, spaces, rate in CASES:
        committed, _, delays = daemons(costs, count, spaces, rate, arguments.seconds)
        p50, p99 = ((delays[len(delays) // 2], delays[len(delays) * 99 // 100]) if delays else (float("nan"),) * 2)
        print(f"{count:7}  {spaces:6}  {count * rate:8.0f}  {committed / arguments.seconds:11.1f}  {p50 * 1e3:6.1f}  {p99 * 1e3:6.1f}")


if __name__ == "__main__":
    main()
