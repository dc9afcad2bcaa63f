/// A connection that sends batches of changes to which all watchers subscribe.
protocol BatchSender: AnyObject {
    var descriptor: Descriptor { get }
    /// Number of changes in a batch.
    var batch: Int { get }
    /// Number of changes sent and not yet acknowledged.
    var waiting: Int { get }

    /// Sends a batch in one write.
    ///
    /// - Parameter turn: Number of the batch in a run, from 0.
    func send(turn: Int) throws(Failure)
    /// Reads the responses that have arrived.
    func receive() throws(Failure)
}

/// One writer and many watchers. The benchmark drives both sides of a comparison with it.
struct Broadcast {
    let sender: any BatchSender
    let watchers: WatcherPool

    struct Run {
        let tally: WatcherPool.Tally
        let sent: Int
        let time: Double
    }

    init(_ sender: any BatchSender, to watchers: WatcherPool) throws(Failure) {
        self.sender = sender
        self.watchers = watchers
        try watchers.wakes(on: sender.descriptor)
    }

    /// Sends a batch as soon as the batch `batches` before it is acknowledged and has reached every
    /// watcher.
    ///
    /// - Parameter batches: Number of batches that may be in flight, this one included.
    func paced(batches: Int, for time: Double) throws(Failure) -> Run {
        let known = watchers.changes
        return try run(for: time) { sent throws(Failure) in
            let due = (sent - batches + 1) * sender.batch
            // Watchers only gain lines, so the loop checks each one until it has caught up.
            var next = 0
            while next < watchers.count {
                if watchers.changes[next] - known[next] >= due { next += 1 } else { try step() }
            }
            while sender.waiting > (batches - 1) * sender.batch { try step() }
        }
    }

    /// Sends a batch as soon as the last one is acknowledged, wherever the watchers are.
    func flatOut(for time: Double) throws(Failure) -> Run {
        try run(for: time) { _ throws(Failure) in
            while sender.waiting > 0 { try step() }
        }
    }

    /// Returns the bytes that one watcher receives for one batch.
    func onePiece() throws(Failure) -> [UInt8] {
        watchers.recorded = []
        let due = watchers.tally.changes + sender.batch * watchers.count
        try sender.send(turn: 0)
        try drain(until: due)
        return watchers.recorded
    }

    /// - Parameter wait: Returns when the next batch may be sent; receives the number of batches
    ///   sent.
    private func run(for time: Double, wait: (Int) throws(Failure) -> Void) throws(Failure) -> Run {
        let before = watchers.tally
        let start = seconds()
        var sent = 0
        while seconds() - start < time {
            try sender.send(turn: sent)
            sent += 1
            try wait(sent)
        }
        try drain(until: before.changes + sent * sender.batch * watchers.count)
        return Run(tally: watchers.tally - before, sent: sent * sender.batch, time: seconds() - start)
    }

    private func step() throws(Failure) {
        try sender.receive()
        try watchers.pump(milliseconds: 100)
    }

    /// Reads until all responses are in and the lines account for all changes. A surplus means that
    /// a change was delivered twice.
    private func drain(until changes: Int) throws(Failure) {
        let limit = seconds() + 60
        while sender.waiting > 0 || watchers.tally.changes < changes && watchers.tally.resets == 0 {
            try step()
            guard seconds() < limit else {
                throw Failure("only \(watchers.tally.changes) of \(changes) changes were delivered within a minute")
            }
        }
        guard watchers.tally.changes <= changes || watchers.tally.resets > 0 else {
            throw Failure("\(watchers.tally.changes) changes were delivered, but only \(changes) were made")
        }
    }
}
