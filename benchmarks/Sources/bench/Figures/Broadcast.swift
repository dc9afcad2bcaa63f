/// Sends batches of changes, of each of which all watchers are told.
protocol BatchSender: AnyObject {
    var descriptor: Descriptor { get }
    /// Changes in a batch.
    var batch: Int { get }
    /// Changes that have not been answered.
    var waiting: Int { get }

    /// Sends a batch in one write.
    ///
    /// - Parameter turn: counts the batches of a run, from 0.
    func send(turn: Int) throws(Failure)
    /// Takes the answers that are there.
    func receive() throws(Failure)
}

/// One who writes to many who listen. Both sides of a comparison are driven by this.
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

    /// A batch is sent as soon as the last but some is answered, and every watcher has what that one was about.
    ///
    /// - Parameter batches: that may be on their way, this one included.
    func paced(batches: Int, for time: Double) throws(Failure) -> Run {
        let known = watchers.changes
        return try run(for: time) { sent throws(Failure) in
            let due = (sent - batches + 1) * sender.batch
            // A watcher that has its lines keeps them, so that each is looked at until it has, and never again.
            var next = 0
            while next < watchers.count {
                if watchers.changes[next] - known[next] >= due { next += 1 } else { try step() }
            }
            while sender.waiting > (batches - 1) * sender.batch { try step() }
        }
    }

    /// A batch is sent as soon as the last is answered, however far the watchers are.
    func flatOut(for time: Double) throws(Failure) -> Run {
        try run(for: time) { _ throws(Failure) in
            while sender.waiting > 0 { try step() }
        }
    }

    /// The bytes that one watcher gets for one batch.
    func onePiece() throws(Failure) -> [UInt8] {
        watchers.recorded = []
        let due = watchers.tally.changes + sender.batch * watchers.count
        try sender.send(turn: 0)
        try drain(until: due)
        return watchers.recorded
    }

    /// - Parameter wait: returns when the next batch may be sent; is told how many were.
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

    /// Until the sender has its answers, and what came stands for all changes. More would be a change told twice.
    private func drain(until changes: Int) throws(Failure) {
        let limit = seconds() + 60
        while sender.waiting > 0 || watchers.tally.changes < changes && watchers.tally.resets == 0 {
            try step()
            guard seconds() < limit else {
                throw Failure("\(watchers.tally.changes) of \(changes) changes were told in a minute")
            }
        }
        guard watchers.tally.changes <= changes || watchers.tally.resets > 0 else {
            throw Failure("\(watchers.tally.changes) changes were told where there were \(changes)")
        }
    }
}
