import Foundation

/// Machines that share their notes through a space of a PostgreSQL database.
enum Hub {
    /// Number of saves of a round.
    private static let saves = 200
    /// Numbers of revisions in a batch; the last is the largest that a gateway appends.
    private static let batches = [1, 16, 256]
    /// Targets: the ratio to `COPY`, for the largest batches, and to an insert and two saves.
    private static let (copyReach, insertReach) = (0.3, 1.5)
    private static let (readers, readRevisions) = (10, 5_120)

    static func measure(_ context: Context, tell: (Figure) -> Void) throws(Failure) {
        guard let gateway = context.gateway, let server = try context.postgres.server(context) else { return }
        let log = try HubLog(gateway, server)
        try appends(context, log).forEach(tell)
        tell(try reads(context, log))
        try live(context, log).forEach(tell)
        try first(context, log).forEach(tell)
    }

    /// Revisions of 1 kB from one gateway, in batches, each of which waits for the answer about the last.
    private static func appends(_ context: Context, _ log: HubLog) throws(Failure) -> [Figure] {
        let gateway = try HubGateway(log.gateway, try log.space("appends"))
        var figures = batches.map { batch in
            Figure(
                "revisions of 1 kB appended, \(batch) in a batch", .perSecond,
                beside: Yardstick(
                    "COPY of \(HubLog.rowsPerCopy) rows in a transaction", reach: batch == batches.last ? copyReach : nil))
        }
        var revisions = HubRevisions(replica: 1)
        for _ in 0..<context.rounds {
            for (index, batch) in batches.enumerated() {
                let ours = try Measured(of: log.pid, hasChildren: true) { () throws(Failure) in
                    let (begin, before) = (seconds(), revisions.count)
                    while seconds() - begin < context.roundSeconds { _ = try gateway.client.call(revisions.adopt(batch)) }
                    return Double(revisions.count - before) / (seconds() - begin)
                }
                let theirs = try Measured(of: log.pid, hasChildren: true) { () throws(Failure) in
                    try log.copiesPerSecond(for: context.roundSeconds)
                }
                figures[index].addRound(ours, beside: theirs)
            }
        }
        return figures
    }

    /// The whole log of a space for ten gateways at once, beside one.
    private static func reads(_ context: Context, _ log: HubLog) throws(Failure) -> Figure {
        let url = try log.space("reads")
        let writer = try HubGateway(log.gateway, url)
        var revisions = HubRevisions(replica: 2)
        while revisions.count < readRevisions { _ = try writer.client.call(revisions.adopt(256)) }
        var figure = Figure(
            "revisions read by \(readers) gateways at once, together", .perSecond, beside: Yardstick("one gateway alone"))
        for _ in 0..<context.rounds {
            let together = try readsPerSecond(readers, url, log)
            figure.addRound(Measured(value: together), beside: Measured(value: try readsPerSecond(1, url, log)))
        }
        return figure
    }

    private static func readsPerSecond(_ count: Int, _ url: String, _ log: HubLog) throws(Failure) -> Double {
        var gateways: [HubGateway] = []
        let poller = try Poller()
        for index in 0..<count {
            let gateway = try HubGateway(log.gateway, url)
            try poller.add(gateway.client.descriptor, as: index)
            gateways.append(gateway)
        }
        let begin = seconds()
        for gateway in gateways { try gateway.client.send(.watchRevisions) }
        var waiting = count
        while waiting > 0 {
            for index in try poller.wait(milliseconds: 1_000) {
                while let line = try gateways[index].client.nextIfThere() {
                    guard line.isNotification else { continue }
                    try gateways[index].client.send(
                        .proceed(watch: try line.requiredNumber(Keys.watch), seq: try line.requiredNumber(Keys.seq)))
                    if try line.requiredNumber(Keys.left) == 0 { waiting -= 1 }
                }
            }
        }
        return Double(count * readRevisions) / (seconds() - begin)
    }

    /// A save here until a watcher there is notified, through the database.
    private static func live(_ context: Context, _ log: HubLog) throws(Failure) -> [Figure] {
        let url = try log.space("live")
        let (here, there) = (try context.daemon(in: try context.scratch()), try context.daemon(in: try context.scratch()))
        var (syncs, users): ([Child], [UserFiles]) = ([], [])
        for daemon in [here, there] {
            let user = try UserFiles(context)
            try user.finish(try user.add(url, to: daemon, context))
            syncs.append(try user.sync(daemon, context))
            users.append(user)
        }
        let listener = try log.listener()
        let saver = try here.client()
        let made = try saver.call(.createNote(json: SampleText.kilobyte.json(0)))
        let note = try made.required(Keys.id)
        var version = try made.required(Keys.version)
        let (near, far) = (try here.client(), try there.client())
        _ = try near.watch(.watchNotes(ids: [note]))
        _ = try far.watch(.watchNotes(ids: [note]))
        let name = "an insert until its listener is notified, and two local saves"
        var median = Figure("save here to notification there, p50", .milliseconds, beside: Yardstick(name, reach: insertReach))
        var slowest = Figure("save here to notification there, p99", .milliseconds, beside: Yardstick(name, reach: insertReach))
        var number = 0
        for round in 0...context.rounds {
            var (across, alone) = (Samples(), Samples())
            // The first save only waits until both machines are connected.
            for _ in 0..<(round == 0 ? 1 : saves) {
                number += 1
                let start = seconds()
                try saver.send(.saveNote(note, base: version, json: SampleText.kilobyte.json(number)))
                let told = try near.changedVersion()
                let local = seconds() - start
                while try far.changedVersion() != told {}
                across.add(seconds() - start)
                version = try saver.nextAnswer().required(Keys.version)
                alone.add(2 * local + (try log.put(listener)))
            }
            guard round > 0 else { continue }
            median.addRound(across.median * 1e3, yardstick: alone.median * 1e3)
            slowest.addRound(across.quantile(0.99) * 1e3, yardstick: alone.quantile(0.99) * 1e3)
        }
        for sync in syncs { _ = sync.end() }
        withExtendedLifetime(users) {}
        for daemon in [here, there] { try daemon.stop() }
        return [median, slowest]
    }

    /// The first exchange of a machine that has many notes with an empty space, and of an empty machine with that space.
    private static func first(_ context: Context, _ log: HubLog) throws(Failure) -> [Figure] {
        let url = try log.space("first")
        var store = FilledStore(scratch: try context.scratch())
        let (here, there) = (try context.daemon(in: store.scratch), try context.daemon(in: try context.scratch()))
        try store.create(context.searched, on: try here.client())
        let notes = "\(context.searched.formatted()) notes of \(FilledStore.text.bytes) bytes"
        let copy = "COPY of as many rows in one transaction"
        var figures = ["\(notes) to an empty space", "\(notes) from a space"].map {
            Figure($0, .milliseconds, beside: Yardstick(copy))
        }
        for (index, daemon) in [here, there].enumerated() {
            let user = try UserFiles(context)
            let start = seconds()
            try user.finish(try user.add(url, to: daemon, context))
            let time = seconds() - start
            let begin = seconds()
            try log.copy(context.searched, textBytes: FilledStore.text.bytes)
            figures[index].addRound(time * 1e3, yardstick: (seconds() - begin) * 1e3)
            try daemon.stop()
        }
        return figures
    }
}
