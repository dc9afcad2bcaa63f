import Foundation

/// Lines a second to many watchers of all notes: one writer sends 64 saves of 64 notes at a time, in one write.
enum FanOut {
    private static let batch = 64

    static func measure(_ context: Context) throws(Failure) -> [Figure] {
        let scratch = try context.scratch()
        let daemon = try context.daemon(in: scratch)
        let writer = try BatchWriter(try daemon.client(), sets: 2, notes: batch)
        let watchers = try watchers(context.watchers, of: daemon)
        try watchers.wakes(on: writer.client.descriptor)
        let piece = try onePiece(writer, watchers)
        let yardstick = try BroadcastYardstick(sockets: context.watchers)
        let plain = "the same bytes in the same pieces, written to as many sockets by a plain loop"
        let count = context.watchers.formatted()
        var paced = Figure("deliveries to \(count) watchers, each change in a line", .perSecond, yardstick: plain)
        var flatOut = Figure("changes told to \(count) watchers, writer flat out", .perSecond, yardstick: plain)
        var single = Samples()
        var coalesced = Samples()
        var saves = Samples()
        for _ in 0..<context.rounds {
            let bound = try yardstick.linesPerSecond(piece, for: context.roundSeconds / 2)
            var meter = try CoreMeter(daemon: daemon.pid)
            let steady = try pacedRun(writer, watchers, for: context.roundSeconds)
            paced.addRound(Double(steady.tally.lines) / steady.time, yardstick: bound, cores: try meter.read())
            meter = try CoreMeter(daemon: daemon.pid)
            let full = try flatOutRun(writer, watchers, for: context.roundSeconds)
            flatOut.addRound(Double(full.tally.changes) / full.time, yardstick: bound, cores: try meter.read())
            single.add(Double(full.tally.lines - full.tally.coalescedLines) / full.time)
            coalesced.add(Double(full.tally.coalescedLines) / full.time)
            saves.add(Double(full.saves) / full.time)
        }
        paced.remarks.append(
            "a piece is \(batch) lines, \(piece.count.formatted()) bytes; no line stood for more than one change")
        flatOut.remarks.append(
            "lines/s that stand for one change: \(Int(single.median).formatted()), for several: "
                + "\(Int(coalesced.median).formatted()); saves/s meanwhile: \(Int(saves.median).formatted())")
        if watchers.tally.resets > 0 { flatOut.remarks.append("\(watchers.tally.resets.formatted()) watches were reset") }
        try daemon.stop()
        return [paced, flatOut]
    }

    private static func watchers(_ count: Int, of daemon: DaemonProcess) throws(Failure) -> WatcherPool {
        var descriptors: [Descriptor] = []
        for _ in 0..<count {
            let client = try daemon.client()
            _ = try client.watch(.watchNotes())
            descriptors.append(client.descriptor)
        }
        return try WatcherPool(descriptors, of: "the daemon")
    }

    /// The bytes that one watcher gets for one batch.
    private static func onePiece(_ writer: BatchWriter, _ watchers: WatcherPool) throws(Failure) -> [UInt8] {
        watchers.recorded = []
        try writer.send(set: 0)
        try drain(watchers, until: batch * watchers.lines.count, of: writer)
        return watchers.recorded
    }

    private struct Run {
        let tally: WatcherPool.Tally
        let saves: Int
        let time: Double
    }

    /// Two batches are on their way at most, of different notes, and one is sent when every watcher has the one before the last:
    /// so no note changes while a line about it waits, and each change has a line of its own.
    private static func pacedRun(_ writer: BatchWriter, _ watchers: WatcherPool, for time: Double) throws(Failure) -> Run {
        let before = watchers.tally
        let linesBefore = watchers.lines
        let start = seconds()
        var sent = 0
        while seconds() - start < time {
            try writer.send(set: sent % 2)
            sent += 1
            let due = (sent - 1) * batch
            // A watcher that has its lines keeps them, so that each is looked at until it has, and never again.
            var next = 0
            while next < watchers.lines.count {
                if watchers.lines[next] - linesBefore[next] >= due { next += 1 } else { try step(writer, watchers) }
            }
            while writer.waiting > batch { try step(writer, watchers) }
        }
        try drain(watchers, until: before.changes + sent * batch * watchers.lines.count, of: writer)
        let tally = watchers.tally - before
        guard tally.lines == tally.changes else { throw Failure("changes were coalesced, though none waited") }
        return Run(tally: tally, saves: sent * batch, time: seconds() - start)
    }

    /// A batch is sent as soon as the last is answered, however far the watchers are.
    private static func flatOutRun(_ writer: BatchWriter, _ watchers: WatcherPool, for time: Double) throws(Failure) -> Run {
        let before = watchers.tally
        let start = seconds()
        var sent = 0
        while seconds() - start < time {
            try writer.send(set: 0)
            sent += 1
            while writer.waiting > 0 { try step(writer, watchers) }
        }
        try drain(watchers, until: before.changes + sent * batch * watchers.lines.count, of: writer)
        return Run(tally: watchers.tally - before, saves: sent * batch, time: seconds() - start)
    }

    private static func step(_ writer: BatchWriter, _ watchers: WatcherPool) throws(Failure) {
        try writer.receive()
        try watchers.pump(milliseconds: 100)
    }

    /// Until the writer has its answers, and the watchers' lines stand for all changes. More would be a change told twice.
    private static func drain(_ watchers: WatcherPool, until changes: Int, of writer: BatchWriter) throws(Failure) {
        let limit = seconds() + 60
        while writer.waiting > 0 || watchers.tally.changes < changes && watchers.tally.resets == 0 {
            try step(writer, watchers)
            guard seconds() < limit else {
                throw Failure("\(watchers.tally.changes) of \(changes) changes were told in a minute")
            }
        }
        guard watchers.tally.changes <= changes || watchers.tally.resets > 0 else {
            throw Failure("\(watchers.tally.changes) changes were told where there were \(changes)")
        }
    }
}

extension WatcherPool.Tally {
    fileprivate static func - (left: Self, right: Self) -> Self {
        Self(
            lines: left.lines - right.lines, coalescedLines: left.coalescedLines - right.coalescedLines,
            changes: left.changes - right.changes, resets: left.resets - right.resets, bytes: left.bytes - right.bytes)
    }
}

/// A connection that saves many notes at a time.
private final class BatchWriter {
    private struct Note {
        let id: String
        var version: String
    }

    let client: Client
    private var sets: [[Note]]
    private var number = 0
    /// What the answers that are waited for will be about, in order.
    private var expected: [(set: Int, note: Int)] = []
    private var taken = 0

    var waiting: Int { expected.count - taken }

    init(_ client: Client, sets: Int, notes: Int) throws(Failure) {
        self.client = client
        self.sets = []
        for _ in 0..<sets {
            var set: [Note] = []
            for _ in 0..<notes {
                let made = try client.call(.createNote(json: SampleText.json(0)))
                set.append(Note(id: try made.required(Keys.id), version: try made.required(Keys.version)))
            }
            self.sets.append(set)
        }
    }

    /// A save of each note of a set. The last of the same set has to be answered.
    func send(set: Int) throws(Failure) {
        number += 1
        let text = SampleText.json(number)
        try client.send(sets[set].map { .saveNote($0.id, base: $0.version, json: text) })
        expected += sets[set].indices.map { (set, $0) }
    }

    /// Takes the answers that are there.
    func receive() throws(Failure) {
        while waiting > 0, let answer = try client.nextIfThere() {
            let place = expected[taken]
            taken += 1
            sets[place.set][place.note].version = try answer.result().required(Keys.version)
        }
        if waiting == 0 {
            expected = []
            taken = 0
        }
    }
}
